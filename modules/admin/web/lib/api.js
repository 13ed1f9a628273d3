// api.js - requests to the REST API in the name of the person who is signed in (session cookie).
//
//	const item = await api.get("/content/posts/01J...", { signal });
//	await api.post("/batch", { operations });
//	const page = await api.get("/content/posts", { query: { limit: 50, cursor } }); // {items, nextCursor?}
//
// All fail with an ApiError, also when the server cannot be reached (code OFFLINE). An aborted request rejects with
// the AbortError of fetch.

export const ROOT = "/_cms/api";

/** An error response of the server, with its message. */
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

	/** @returns {{path: string, message: string}[]} the problems of members of the body */
	get issues() {
		return Array.isArray(this.details.issues) ? this.details.issues : [];
	}

	/**
	 * The message about a member, or about something inside it: "data.title". Errors that concern a single member
	 * (CONFLICT: the slug is taken) name it in details.field.
	 * @param {string} path
	 */
	issueAt(path) {
		return (
			this.issues.find(
				(one) =>
					one.path === path ||
					one.path.startsWith(`${path}.`) ||
					one.path.startsWith(`${path}[`),
			)?.message ?? (this.details.field === path ? this.message : undefined)
		);
	}
}

/**
 * Called when the server requires a (recent) sign-in: UNAUTHORIZED or REAUTH_REQUIRED. Resolves with true if the person
 * has signed in; the request is then sent again.
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
 * @property {boolean} [quiet] do not ask the person to sign in if the request is refused
 * @property {(text: string) => any} [parse] parses the response body; absent: JSON.parse
 * @property {boolean} [keepalive] the request continues when the page is left (bodies up to 64 KiB)
 */

/** @param {Record<string, any>} [query] */
export function queryText(query) {
	const out = new URLSearchParams();

	for (const [name, value] of Object.entries(query ?? {}))
		for (const one of Array.isArray(value) ? value : [value])
			if (one !== undefined && one !== null && one !== "") out.append(name, String(one));
	const text = out.toString();
	return text === "" ? "" : `?${text}`;
}

/** @param {unknown} body */
function bodyOf(body) {
	if (body === undefined) return { headers: {}, body: undefined };
	if (body instanceof FormData || body instanceof Blob) return { headers: {}, body };
	return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

const BEGUN_FOR = 5000; // ms

/** @type {Map<string, {response: Promise<Response>, at: number}>} */
const begun = new Map();
/** @param {{at: number}} one */
const isOld = (one) => Date.now() - one.at >= BEGUN_FOR;

/** Starts a GET that a page is about to send; that request then takes this response. @param {string} path */
export function begin(path) {
	for (const [url, one] of begun) if (isOld(one)) begun.delete(url);
	const response = fetch(ROOT + path, {
		credentials: "same-origin",
		cache: "no-store",
		headers: { "X-CMS-Request": "1" },
	});

	response.catch(() => {});
	begun.set(ROOT + path, { response, at: Date.now() });
}

/**
 * The response of a GET started by begin(); null if there is none, or it is old or an error.
 * @param {string} method
 * @param {string} url
 */
async function takeBegun(method, url) {
	const one = method === "GET" ? begun.get(url) : undefined;

	if (!one) return null;
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
	const sent = bodyOf(body),
		url = ROOT + path + queryText(options.query);
	let response, text;

	// Responses from before a change are out of date after it.
	if (method !== "GET") begun.clear();

	try {
		response =
			(await takeBegun(method, url)) ??
			(await fetch(url, {
				method,
				credentials: "same-origin",
				cache: "no-store",
				signal: options.signal,
				keepalive: options.keepalive,
				headers: { "X-CMS-Request": "1", ...sent.headers, ...options.headers },
				body: sent.body,
			}));
		text = await response.text();
	} catch (error) {
		if (options.signal?.aborted) throw error;
		throw new ApiError(0, { code: "OFFLINE" });
	}
	const answer = answerOf(text, options.parse);
	if (response.ok && answer !== null) return { data: "data" in answer ? answer.data : answer, response };
	throw refusal(response.status, answer, (name) => response.headers.get(name));
}

/**
 * The parsed body of a response; null: it comes from an intermediary, not from the daemon.
 * @param {string} text
 * @param {(text: string) => any} [parse]
 */
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
 * Sends a request. If it fails because a sign-in is required, sends it again after the person has signed in.
 * @template T
 * @param {() => Promise<T>} send
 * @param {boolean} [quiet]
 */
export async function signedIn(send, quiet = false) {
	try {
		return await send();
	} catch (error) {
		const asks =
			error instanceof ApiError &&
			(error.code === "UNAUTHORIZED" || error.code === "REAUTH_REQUIRED");
		if (!asks || quiet || !(await onRefused(error))) throw error;
		return send();
	}
}

/**
 * Resolves with the response as well as its data, for callers that need headers.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Options} [options]
 */
export const request = (method, path, body, options = {}) =>
	signedIn(() => once(method, path, body, options), options.quiet);

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

/** Encodes an id, slug or name as a path segment. */
export const segment = encodeURIComponent;
