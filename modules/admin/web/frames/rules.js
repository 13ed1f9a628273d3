// rules.js - checks the messages and requests of a plugin's frame. Nothing here needs a DOM.
import { ROOT } from "../lib/api.js";
import { BASE } from "../lib/router.js";

/** Version of the messages. A frame lists the versions that it supports. */
export const VERSION = 1;

/** Limits of what a frame may send. */
export const MOST = {
	json: 262144, // characters of a value or of the body of a request
	path: 2048,
	title: 120,
	toast: 300,
	requests: 4, // concurrent requests
};

/** Least and greatest height that a frame may ask for, in pixels. */
const HEIGHTS = { page: [120, 10000], widget: [24, 800] };
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** Base of URLs that are parsed but never requested. */
const HOST = "http://stet.invalid";

/** A rate limit (token bucket): `most` messages at once, and one more every `each` milliseconds. */
export class Pace {
	/** @param {number} most @param {number} each ms @param {number} now ms */
	constructor(most, each, now) {
		this.most = most;
		this.each = each;
		this.left = most;
		this.at = now;
	}

	/** Counts one message. Returns false if it exceeds the limit. @param {number} now ms */
	take(now) {
		this.left = Math.min(this.most, this.left + (now - this.at) / this.each);
		this.at = now;
		if (this.left < 1) return false;
		this.left -= 1;
		return true;
	}
}

/** Returns {value}, a copy of the value as JSON; null if it is not JSON or too long. @param {unknown} given */
export function plain(given) {
	try {
		const text = JSON.stringify(given ?? null);

		return text === undefined || text.length > MOST.json ? null : { value: JSON.parse(text) };
	} catch {
		return null; // a cycle, a BigInt, or nested too deeply
	}
}

/**
 * A line of text, without marks that change the text direction; empty if it is not text.
 * @param {unknown} given
 * @param {number} most
 */
export const lineOf = (given, most) =>
	typeof given === "string"
		? [
				...given
					.slice(0, most * 2)
					.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
					.replace(/[\s\p{Cc}]+/gu, " ")
					.trim(),
			]
				.slice(0, most)
				.join("")
		: "";

/** @param {unknown} given @param {"page" | "widget"} kind @returns {number | null} null: not a height */
export function heightOf(given, kind) {
	const [least, most] = HEIGHTS[kind];

	return typeof given === "number" && Number.isFinite(given)
		? Math.min(most, Math.max(least, Math.ceil(given)))
		: null;
}

/**
 * The URL of a path below a root, as a browser would request it; null: the path leaves the root.
 * @param {string} root
 * @param {unknown} path
 */
function below(root, path) {
	if (typeof path !== "string" || path.length > MOST.path || !path.startsWith("/")) return null;
	try {
		const url = new URL(root + path, HOST);

		return url.origin === HOST && url.pathname.startsWith(`${root}/`) ? url : null;
	} catch {
		return null;
	}
}

/** The decoded segments of a path; null: a segment is empty, or contains a separator. @param {string} path */
function partsOf(path) {
	try {
		const parts = path.split("/").slice(1).map(decodeURIComponent);

		return parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[/\\\p{Cc}]/u.test(part))
			? parts
			: null;
	} catch {
		return null;
	}
}

/**
 * Does a route, "GET /content/:collection", match the request?
 * @param {string} route
 * @param {string} method
 * @param {string[]} parts
 */
function fits(route, method, parts) {
	const [verb, path] = route.split(" "),
		names = path.split("/").slice(1);

	return (
		verb === method &&
		names.length === parts.length &&
		names.every((name, i) => name.startsWith(":") || name === parts[i])
	);
}

/**
 * The path below the root of the API that the frame may request; null: not allowed. Allowed are the routes of its
 * plugin and the routes that the manifest lists for it.
 * @param {unknown} method @param {unknown} path @param {{plugin: string, requests?: string[]}} from its row of the manifest
 */
export function requestOf(method, path, from) {
	const url = below(ROOT, path),
		parts = url && partsOf(url.pathname.slice(ROOT.length));

	if (!parts || url.hash !== "" || typeof method !== "string" || !METHODS.includes(method)) return null;
	const isOwn = parts.length > 1 && parts[0] === "plugins" && parts[1] === from.plugin;
	return isOwn || from.requests?.some((route) => fits(route, method, parts))
		? url.pathname.slice(ROOT.length) + url.search
		: null;
}

/**
 * The address of an admin page that a frame may open; null: not an admin page.
 * @param {unknown} path "/collections/posts?status=draft"
 */
export function placeOf(path) {
	const url = path === "/" ? new URL(BASE, HOST) : below(BASE, path);

	return url && (path === "/" || partsOf(url.pathname.slice(BASE.length))) ? url.pathname + url.search : null;
}
