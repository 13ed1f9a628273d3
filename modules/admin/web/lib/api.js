// api.js - requests to the REST API in the name of the person who is signed in (session cookie).
//
//	const item = await api.get("/content/posts/01J...", { signal });
//	await api.post("/batch", { operations });
//	const page = await api.get("/content/posts", { query: { limit: 50, cursor } }); // {items, nextCursor?}
//
// All fail with an ApiError, also when the server cannot be reached (code OFFLINE). An aborted request rejects with
// the AbortError of fetch.

export const ROOT = "/_cms/api";

/** What the server refused, in its words. */
export class ApiError extends Error {
	/**
	 * @param {number} status 0: no response
	 * @param {{code?: string, message?: string, details?: any}} error
	 * @param {string} requestId
	 */
	constructor(status, error, requestId = "") {
		super(error.message ?? "");
		this.name = "ApiError";
		this.status = status;
		this.code = error.code ?? "";
		/** @type {Record<string, any>} */
		this.details = error.details ?? {};
		this.requestId = requestId;
		this.retryAfter = 0; // seconds
	}

	/** @returns {{path: string, message: string}[]} what is wrong with which member of the body */
	get issues() {
		return Array.isArray(this.details.issues) ? this.details.issues : [];
	}

	/**
	 * What is wrong with a member, or with something inside it: "data.title". Refusals that concern one member alone
	 * (CONFLICT: the slug is taken) name it in details.field.
	 * @param {string} path
	 */
	issueAt(path) {
		return this.issues.find((one) => one.path === path || one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`))?.message
			?? (this.details.field === path ? this.message : undefined);
	}
}

/**
 * Called when the server wants a (recent) sign-in: UNAUTHORIZED or REAUTH_REQUIRED. Resolves with true if the person
 * signed in, so that the request is sent again.
 * @type {(error: ApiError) => Promise<boolean>}
 */
let onRefused = async () => false;
/** @param {typeof onRefused} fn */
export const setRefusedHandler = (fn) => (onRefused = fn);

/**
 * @typedef {object} Options
 * @property {Record<string, any>} [query] undefined and null members are left out; arrays repeat
 * @property {AbortSignal} [signal]
 * @property {Record<string, string>} [headers]
 * @property {boolean} [quiet] a refusal asks nobody to sign in
 * @property {(text: string) => any} [parse] reads the answer; JSON.parse if absent
 * @property {boolean} [keepalive] goes on when the page is left (bodies up to 64 KiB)
 */

/** @param {Record<string, any>} [query] */
export function queryText(query) {
	const out = new URLSearchParams();

	for (const [name, value] of Object.entries(query ?? {}))
		for (const one of Array.isArray(value) ? value : [value])
			if (one !== undefined && one !== null && one !== "")
				out.append(name, String(one));
	const text = out.toString();
	return text === "" ? "" : `?${text}`;
}

/** @param {unknown} body */
function bodyOf(body) {
	if (body === undefined)
		return { headers: {}, body: undefined };
	if (body instanceof FormData || body instanceof Blob)
		return { headers: {}, body };
	return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

const BEGUN_FOR = 5000; // ms

/** @type {Map<string, {response: Promise<Response>, at: number}>} */
const begun = new Map();
/** @param {{at: number}} one */
const isOld = (one) => Date.now() - one.at >= BEGUN_FOR;

/** Begins a GET that a page is about to send: the request takes the answer over. @param {string} path */
export function begin(path) {
	for (const [url, one] of begun)
		if (isOld(one))
			begun.delete(url);
	const response = fetch(ROOT + path, { credentials: "same-origin", cache: "no-store", headers: { "X-CMS-Request": "1" } });

	response.catch(() => {});
	begun.set(ROOT + path, { response, at: Date.now() });
}

/** The answer to a GET that was begun, or null. One that is old or refused is asked again. @param {string} method @param {string} url */
async function takeBegun(method, url) {
	const one = method === "GET" ? begun.get(url) : undefined;

	if (!one)
		return null;
	begun.delete(url);
	const response = await one.response.catch(() => null);
	return response?.ok && !isOld(one) ? response : null;
}

/**
 * @param {string} method
 * @param {string} path below the root of the API
 * @param {unknown} [body]
 * @param {Options} [options]
 */
async function once(method, path, body, options = {}) {
	const sent = bodyOf(body), url = ROOT + path + queryText(options.query);
	let response, text;

	// What was read before a change is out of date after it.
	if (method !== "GET")
		begun.clear();

	try {
		response = await takeBegun(method, url) ?? await fetch(url, {
			method,
			credentials: "same-origin",
			cache: "no-store",
			signal: options.signal,
			keepalive: options.keepalive,
			headers: { "X-CMS-Request": "1", ...sent.headers, ...options.headers },
			body: sent.body,
		});
		text = await response.text();
	} catch (error) {
		if (options.signal?.aborted)
			throw error;
		throw new ApiError(0, { code: "OFFLINE" });
	}
	const answer = answerOf(text, options.parse);
	if (response.ok && answer !== null)
		return { data: "data" in answer ? answer.data : answer, response };
	throw refusal(response.status, answer, (name) => response.headers.get(name));
}

/** The body of an answer; null: an intermediary answered, not the daemon. @param {string} text @param {(text: string) => any} [parse] */
export function answerOf(text, parse = JSON.parse) {
	try {
		return text === "" ? {} : parse(text);
	} catch {
		return null;
	}
}

/** @param {number} status @param {any} answer @param {(name: string) => string | null} header */
export function refusal(status, answer, header) {
	const error = new ApiError(status, answer?.error ?? { code: "NOT_UNDERSTOOD" }, header("x-request-id") ?? "");

	error.retryAfter = Number(header("retry-after")) || 0;
	return error;
}

/**
 * Sends again after the person has signed in, if that is what was missing.
 * @template T
 * @param {() => Promise<T>} send
 * @param {boolean} [quiet]
 */
export async function signedIn(send, quiet = false) {
	try {
		return await send();
	} catch (error) {
		const asks = error instanceof ApiError && (error.code === "UNAUTHORIZED" || error.code === "REAUTH_REQUIRED");
		if (!asks || quiet || !(await onRefused(error)))
			throw error;
		return send();
	}
}

/**
 * The response as well as its data, for who needs headers.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Options} [options]
 */
export const request = (method, path, body, options = {}) => signedIn(() => once(method, path, body, options), options.quiet);

export const api = {
	/** @param {string} path @param {Options} [options] */
	get: async (path, options) => (await request("GET", path, undefined, options)).data,
	/** @param {string} path @param {unknown} [body] @param {Options} [options] */
	post: async (path, body, options) => (await request("POST", path, body, options)).data,
	/** @param {string} path @param {unknown} [body] @param {Options} [options] */
	put: async (path, body, options) => (await request("PUT", path, body, options)).data,
	/** @param {string} path @param {unknown} [body] @param {Options} [options] */
	patch: async (path, body, options) => (await request("PATCH", path, body, options)).data,
	/** @param {string} path @param {Options} [options] */
	delete: async (path, options) => (await request("DELETE", path, undefined, options)).data,
};

/** An id, slug or name as a segment of a path. */
export const segment = encodeURIComponent;
