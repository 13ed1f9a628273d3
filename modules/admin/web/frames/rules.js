// rules.js - what the frame of a plugin may say and ask for. Nothing here needs a document.
import { ROOT } from "../lib/api.js";
import { BASE } from "../lib/router.js";

/** Of the messages. A frame says which ones it speaks. */
export const VERSION = 1;

/** Bounds of what a frame may send. */
export const MOST = {
	json: 262144, // characters of a value or of the body of a request
	path: 2048,
	title: 120,
	toast: 300,
	requests: 4, // under way at once
};

/** Pixels. A frame says how high it would like to be. */
const HEIGHTS = { page: [120, 10000], widget: [24, 800] };
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** Of URLs that are looked at, not requested. */
const HOST = "http://stet.invalid";

/** So many messages at once, and one more every so many milliseconds. */
export class Pace {
	/** @param {number} most @param {number} each ms @param {number} now ms */
	constructor(most, each, now) {
		this.most = most;
		this.each = each;
		this.left = most;
		this.at = now;
	}

	/** One more message. False if it is one too many. @param {number} now ms */
	take(now) {
		this.left = Math.min(this.most, this.left + (now - this.at) / this.each);
		this.at = now;
		if (this.left < 1)
			return false;
		this.left -= 1;
		return true;
	}
}

/** A value as JSON has it, {value}; null if it is none, or too long. @param {unknown} given */
export function plain(given) {
	try {
		const text = JSON.stringify(given ?? null);

		return text === undefined || text.length > MOST.json ? null : { value: JSON.parse(text) };
	} catch {
		return null; // a ring, a BigInt, deeper than can be read
	}
}

/** A line of text; empty if it is no text. Marks that turn the direction of what follows are left out. @param {unknown} given @param {number} most */
export const lineOf = (given, most) =>
	(typeof given === "string" ? [...given.slice(0, most * 2).replace(/[\u202a-\u202e\u2066-\u2069]/g, "").replace(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, most).join("") : "");

/** @param {unknown} given @param {"page" | "widget"} kind @returns {number | null} null: it is no height */
export function heightOf(given, kind) {
	const [least, most] = HEIGHTS[kind];

	return typeof given === "number" && Number.isFinite(given) ? Math.min(most, Math.max(least, Math.ceil(given))) : null;
}

/** The URL of a path below a root, as a browser would request it; null: it leads elsewhere. @param {string} root @param {unknown} path */
function below(root, path) {
	if (typeof path !== "string" || path.length > MOST.path || !path.startsWith("/"))
		return null;
	try {
		const url = new URL(root + path, HOST);

		return url.origin === HOST && url.pathname.startsWith(`${root}/`) ? url : null;
	} catch {
		return null;
	}
}

/** The parts of a path, decoded; null: a part holds what separates parts, or is none. @param {string} path */
function partsOf(path) {
	try {
		const parts = path.split("/").slice(1).map(decodeURIComponent);

		return parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[/\\\p{Cc}]/u.test(part)) ? parts : null;
	} catch {
		return null;
	}
}

/** Does a route, "GET /content/:collection", fit? @param {string} route @param {string} method @param {string[]} parts */
function fits(route, method, parts) {
	const [verb, path] = route.split(" "), names = path.split("/").slice(1);

	return verb === method && names.length === parts.length && names.every((name, i) => name.startsWith(":") || name === parts[i]);
}

/**
 * The path below the root of the API that a frame may have requested; null: it may not. Its plugin's own routes may be, and
 * those that the manifest lists for it.
 * @param {unknown} method @param {unknown} path @param {{plugin: string, requests?: string[]}} from its row of the manifest
 */
export function requestOf(method, path, from) {
	const url = below(ROOT, path), parts = url && partsOf(url.pathname.slice(ROOT.length));

	if (!parts || url.hash !== "" || typeof method !== "string" || !METHODS.includes(method))
		return null;
	const isOwn = parts.length > 1 && parts[0] === "plugins" && parts[1] === from.plugin;
	return isOwn || from.requests?.some((route) => fits(route, method, parts)) ? url.pathname.slice(ROOT.length) + url.search : null;
}

/** The address of an admin page that a frame may open; null: it is none. @param {unknown} path "/collections/posts?status=draft" */
export function placeOf(path) {
	const url = path === "/" ? new URL(BASE, HOST) : below(BASE, path);

	return url && (path === "/" || partsOf(url.pathname.slice(BASE.length))) ? url.pathname + url.search : null;
}
