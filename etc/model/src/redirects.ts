// redirects.ts - files of a static site for the old addresses of imported items.
import { escape } from "@stet/render";
import { safeDecode } from "./addresses.js";
import type { Redirect } from "./types.js";

/** A page that leads to another one, for servers that know no redirects. */
export const redirectHtml = (to: string): string =>
	`<!doctype html><meta charset="utf-8"><title>Moved</title><meta name="robots" content="noindex">` +
	`<meta http-equiv="refresh" content="0; url=${escape(encodeURI(to))}"><link rel="canonical" href="${escape(encodeURI(to))}">` +
	`<p>This page is <a href="${escape(encodeURI(to))}">here</a> now.</p>\n`;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The name of the file that a server has for an address; "": it has none, since it has a query, leaves the directory, or
 * has a part that is longer than file systems take (255 bytes).
 */
function fileOf(from: string): string {
	const path = safeDecode(from);
	const parts = path.split("/").filter(Boolean);

	if (from.includes("?") || parts.length === 0 || parts.includes("..") || /[\0\\]/.test(path)) return "";
	if (parts.some((part) => bytes(part) > 255)) return "";
	const name = parts.join("/");
	return /\.html?$/i.test(name) ? name : `${name}/index.html`;
}

/**
 * Files by their names: `_redirects`, which several hosts of static sites read, and for all others a page at each old
 * address. An address with a query can have neither.
 */
export function redirectFiles(redirects: Redirect[]): Map<string, string> {
	const files = new Map<string, string>();
	const lines: string[] = [];

	for (const { from, to } of redirects) {
		const file = fileOf(from);
		if (file !== "") files.set(file, redirectHtml(to));
		// * and : are patterns there.
		if (!/[*:?\s]/.test(from)) lines.push(`${from} ${encodeURI(to)} 301\n`);
	}
	// Nothing can be below a file: /a.html/b, if there is /a.html.
	for (const name of [...files.keys()])
		if (name.split("/").some((_, i, parts) => i > 0 && files.has(parts.slice(0, i).join("/"))))
			files.delete(name);
	if (lines.length > 0) files.set("_redirects", lines.join(""));
	return files;
}
