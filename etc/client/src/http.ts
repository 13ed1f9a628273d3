// http.ts - requests: the envelope of answers, time limits, retries, answers kept by their ETag.
//
// A request is sent again after 429 (nothing was done then), and after 503, a failure of the network and one that a proxy
// tells (502, 504) if a second request does no harm: a read, or a write with an Idempotency-Key, which the server carries
// out once.
import { errorOf, StetError, type ErrorBody } from "./errors.js";

/** As `fetch`, with a URL as text. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
	/** Where the site is: its base URL, or the address of its API. */
	url: string;
	/** An API token, or a function that returns one before each request. Without one the client is anonymous. */
	token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
	/** In place of the global fetch. */
	fetch?: Fetch | undefined;
	/** How often a request is sent again; 2 unless said otherwise, 0 for never, 7 at most. */
	retries?: number | undefined;
	/** Milliseconds that one request may take; 30,000 unless said otherwise, 0 for no limit. */
	timeout?: number | undefined;
	/** How many answers to reads are kept, to be used while the server says that they are still right; 0: none. */
	cache?: number | undefined;
	/** Headers of each request. */
	headers?: Record<string, string> | undefined;
}

export interface CallOptions {
	/** Ends the call. AbortSignal.timeout(ms) limits it with all its retries. */
	signal?: AbortSignal | undefined;
}

export interface Asked extends CallOptions {
	query?: Record<string, string>;
	body?: unknown;
	/** The server carries it out once by its key. */
	keyed?: boolean;
	key?: string | undefined;
	/** Milliseconds that the server may take besides. */
	longer?: number;
	/** An answer that is no JSON is returned as text. */
	text?: boolean;
}

export type Send = (method: string, path: string, asked?: Asked) => Promise<unknown>;

const API = "/_cms/api";
/** @internal */
export const LONGEST = 30_000; // of a wait before a retry; also the first time limit
const KEPT_LENGTH = 1 << 20; // of an answer in the cache

/** The address of the API, without a slash at its end. */
export function apiUrl(url: string): string {
	const at = new URL(url);
	const path = at.pathname.replace(/\/+$/, "");

	return at.origin + (path.endsWith(API) ? path : path + API);
}

/** 128 random bits. Where there is no Web Crypto (Node 18, pages over plain HTTP) they need not be secret. */
function newKey(): string {
	const words = new Uint32Array(4);

	globalThis.crypto
		? crypto.getRandomValues(words)
		: words.forEach((_, i) => (words[i] = Math.random() * 2 ** 32));
	return Array.from(words, (word) => word.toString(36)).join("-");
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const end = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", end);
			resolve();
		}, ms);

		signal?.addEventListener("abort", end);
	});
}

/** Seconds, also of a date. */
function secondsOf(text: string | null): number {
	const seconds = Number(text ?? 0);

	return Math.max(0, Number.isNaN(seconds) ? (Date.parse(text as string) - Date.now()) / 1000 || 0 : seconds);
}

/** @internal */
export function isRaw(body: unknown): body is BodyInit {
	return (
		body instanceof FormData ||
		body instanceof Blob ||
		body instanceof ArrayBuffer ||
		ArrayBuffer.isView(body)
	);
}

function dataOf(response: Response, text: string, asText: boolean | undefined): unknown {
	const isJson = /^application\/(\w+\+)?json/.test(response.headers.get("content-type") ?? "");
	let body: any;

	try {
		body = isJson ? JSON.parse(text) : undefined;
	} catch {
		// A body that was cut short is no answer.
	}
	if (response.ok && body !== null && typeof body === "object") return "data" in body ? body.data : body;
	if (response.ok && asText && !isJson) return text;
	const error: ErrorBody = typeof body?.error === "object" ? body.error : {};
	throw errorOf(
		response.status,
		error.code ? error : { code: "NOT_UNDERSTOOD", message: `HTTP status ${response.status}` },
		{
			requestId: response.headers.get("x-request-id") ?? "",
			retryAfter: secondsOf(response.headers.get("retry-after")),
		},
	);
}

/**
 * Is it worth another try? Other 503s than these last: no mail server, no image decoder. So does a 502 of the server's own.
 * @internal
 */
export function passes({ status, code }: StetError, repeatable: boolean): boolean {
	return (
		status === 429 ||
		(repeatable && (status === 0 || /^(503 UNAVAILABLE|50[234] NOT_UNDERSTOOD)$/.test(`${status} ${code}`)))
	);
}

export function newSend(options: ClientOptions): Send {
	const base = apiUrl(options.url);
	const { retries = 2, timeout = LONGEST, cache = 0, token } = options;
	const kept = new Map<string, { etag: string; text: string; response: Response }>();

	// Sends it once. Rejects with a StetError if there was no answer, or with the reason of the signal.
	async function once(
		url: string,
		init: RequestInit,
		{ signal, longer = 0 }: Asked,
	): Promise<[Response, string]> {
		const send = options.fetch ?? fetch; // no method call: the browser's wants no `this`
		const stop = new AbortController();
		const end = () => stop.abort();
		let late = false;
		const timer =
			timeout > 0 &&
			setTimeout(() => {
				late = true;
				end();
			}, timeout + longer);

		signal?.addEventListener("abort", end);
		try {
			const response = await send(url, { ...init, signal: stop.signal });
			return [response, await response.text()];
		} catch (cause) {
			if (signal?.aborted) throw signal.reason;
			throw new StetError(
				0,
				late
					? { code: "TIMEOUT", message: "The server did not answer in time" }
					: { code: "NETWORK", message: "The server cannot be reached" },
				{ cause },
			);
		} finally {
			if (timer) clearTimeout(timer);
			signal?.removeEventListener("abort", end);
		}
	}

	// A read whose answer may be kept.
	async function read(url: string, init: RequestInit, headers: Headers, asked: Asked): Promise<unknown> {
		const name = `${url}\n${headers.get("authorization")}`;
		const old = kept.get(name);

		if (old) headers.set("if-none-match", old.etag);
		const [response, text] = await once(url, init, asked);
		if (old && response.status === 304) {
			kept.delete(name); // now the one that was used last
			kept.set(name, old);
			return dataOf(old.response, old.text, asked.text);
		}
		const data = dataOf(response, text, asked.text);
		const etag = response.headers.get("etag");
		kept.delete(name);
		if (etag && text.length <= KEPT_LENGTH) {
			kept.set(name, { etag, text, response });
			for (const first of kept.keys()) {
				if (kept.size <= cache) break;
				kept.delete(first);
			}
		}
		return data;
	}

	return async (method, path, asked = {}) => {
		const { body, signal } = asked;
		const isRead = method === "GET",
			raw = isRaw(body);
		const search = new URLSearchParams(asked.query).toString();
		const url = base + path + (search && `?${search}`);
		const key = isRead || raw ? undefined : (asked.key ?? newKey()); // uploads take no key
		const bytes = body === undefined || raw ? body : JSON.stringify(body);

		for (let tried = 0; ; tried++) {
			const headers = new Headers(options.headers);
			const secret = typeof token === "function" ? await token() : token;
			signal?.throwIfAborted();
			if (secret) headers.set("authorization", `Bearer ${secret}`);
			if (!isRead) headers.set("x-cms-request", "1");
			if (key) headers.set("idempotency-key", key);
			if (typeof bytes === "string") headers.set("content-type", "application/json");
			const init: RequestInit =
				bytes === undefined ? { method, headers } : { method, headers, body: bytes };
			try {
				if (isRead && cache > 0) return await read(url, init, headers, asked);
				return dataOf(...(await once(url, init, asked)), asked.text);
			} catch (error) {
				if (
					!(error instanceof StetError) ||
					tried >= retries ||
					!passes(error, isRead || (!raw && asked.keyed === true))
				)
					throw error;
				const wait = error.retryAfter > 0 ? error.retryAfter * 1000 : 250 * 2 ** tried;
				if (wait > LONGEST) throw error;
				await sleep(wait + 250 * Math.random(), signal);
			}
		}
	};
}
