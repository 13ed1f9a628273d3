// address.ts - escapes texts, and lets through the addresses that a page may have.

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A value as text in HTML, also in an attribute. */
export const escape = (text: unknown): string =>
	text === null || text === undefined
		? ""
		: String(text)
				.replaceAll("\0", "\ufffd")
				.replace(/[&<>"']/g, (sign) => escapes[sign] as string);

/** A text that is not empty, or "". */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A text whose lines end with <br>. */
export const lines = (value: unknown): string => escape(text(value)).replace(/\r?\n/g, "<br>");

// Browsers leave out control characters, so they are left out before the scheme is read.
const bare = (address: unknown): string =>
	text(address)
		.replace(/[\0-\x1f\x7f]+/g, "")
		.trim();
const scheme = (address: string): string => (/^([^/?#]*?):/.exec(address)?.[1] ?? "").toLowerCase();

/** The address if a link may lead there: http, https, mailto, tel, or on this site; else "". */
export function safeHref(address: unknown): string {
	const given = bare(address);

	return ["", "http", "https", "mailto", "tel"].includes(scheme(given)) && !given.startsWith(":") ? given : "";
}

/** The address if a page may load it: http, https, or a path of this site; else "". */
export function safeSrc(address: unknown): string {
	const given = bare(address);

	return /^(https?:\/\/|\/)/i.test(given) ? given : "";
}

/** The host of an address without "www.", or "". */
export const hostOf = (address: string): string =>
	(/^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(address)?.[1] ?? "").toLowerCase().replace(/^www\./, "");

/** A member that an object has itself: names come from strangers. */
export const own = <T>(record: Record<string, T> | undefined, name: string): T | undefined =>
	record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

export type Attributes = Record<string, string | number | boolean | null | undefined>;

/** Attributes with a blank before each; without those that are "", false or missing, but for `alt`. */
export const attributesHtml = (attributes: Attributes): string =>
	Object.entries(attributes)
		.filter(([name, value]) => value || value === 0 || name === "alt")
		.map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escape(value)}"`))
		.join("");

/** An element around HTML; without `html`, one that has no end. */
export const element = (name: string, attributes: Attributes, html?: string): string =>
	`<${name}${attributesHtml(attributes)}>${html === undefined ? "" : `${html}</${name}>`}`;
