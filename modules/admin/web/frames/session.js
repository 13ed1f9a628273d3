// session.js - the message exchange with one document in a plugin's frame, until the frame is removed.
//
// The document has an opaque origin, so its first message is authenticated by its window and by a nonce, which only
// this document got, after # in its address. Then both sides use a message channel that ends with the document: if the
// frame navigates, the next document has no channel. A frame that floods, navigates or stays silent is stopped.
import { ApiError, request } from "../lib/api.js";
import { MOST, Pace, VERSION, heightOf, lineOf, placeOf, plain, requestOf } from "./rules.js";
import { followTheme } from "./theme.js";
import { t } from "./words.js";

const WITHIN = 5000; // ms within which the frame must report that it is ready
const SURFACE = { page: "desk", widget: "paper" }; // the colour token behind the frame
const PACE = { most: 300, each: 25 }; // messages; ms
const TOASTS = { most: 5, each: 2000 }; // further ones are dropped

/**
 * @typedef {{plugin: string, name: string, file: string, requests?: string[]}} From a page or widget of the manifest
 * @typedef {"silent" | "flood" | "left" | "version"} Why the reason why the frame was stopped
 * @typedef {object} Acts called on messages of the frame
 * @property {() => void} ready
 * @property {(why: Why) => void} stop
 * @property {(height: number) => void} height
 * @property {(value: any) => void} [value] absent: the frame edits no value
 * @property {(title: string) => void} [title]
 * @property {(text: string) => void} toast
 * @property {(place: string) => void} navigate
 */

const newNonce = () =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Session {
	/**
	 * @param {HTMLIFrameElement} frame has no document yet
	 * @param {{kind: "page" | "widget", from: From, start: any, acts: Acts}} about start: the first message to the frame
	 */
	constructor(frame, { kind, from, start, acts }) {
		this.frame = frame;
		this.kind = kind;
		this.from = from;
		this.start = start;
		this.acts = acts;
		this.nonce = newNonce();
		this.pace = new Pace(PACE.most, PACE.each, performance.now());
		this.toasts = new Pace(TOASTS.most, TOASTS.each, performance.now());
		/** @type {MessagePort | null} */
		this.port = null;
		this.loads = 0;
		this.waiting = 0; // requests that are running
		this.abort = new AbortController();
		/** @type {string | null} the value that both sides know, as JSON */
		this.known = null;
		this.known = this.textOf(start.value);
		this.endTheme = () => {};
		const { signal } = this.abort;

		addEventListener("message", (event) => this.hear(event), { signal });
		frame.addEventListener("load", () => this.loaded(), { signal });
		this.timer = setTimeout(() => this.stop("silent"), WITHIN);
		frame.src = `/_cms/admin/plugin-files/${from.plugin}/${from.file}#${this.nonce}`;
	}

	close() {
		clearTimeout(this.timer);
		this.abort.abort();
		this.endTheme();
		this.port?.close();
		this.port = null;
	}

	/** @param {Why} why */
	stop(why) {
		if (this.abort.signal.aborted) return;
		this.close();
		this.acts.stop(why);
	}

	/** @param {any} message */
	send(message) {
		this.port?.postMessage(message);
	}

	/** @param {any} value */
	textOf(value) {
		return JSON.stringify(value ?? null);
	}

	/* ---- what is said to it ---- */

	/** Sends a value that was changed here. @param {any} value */
	tellValue(value) {
		const text = this.textOf(value);

		if (text === this.known) return;
		this.known = text;
		this.send({ type: "value", value: JSON.parse(text) });
	}

	/** Sends the validation message of the value; "": the value is valid. @param {string} text */
	tellProblem(text) {
		this.send({ type: "problem", text });
	}

	/* ---- what it says ---- */

	/** Called when a document has loaded. A second one means that the frame has navigated. */
	loaded() {
		if (++this.loads > 1) this.stop("left");
	}

	/** Handles a message that comes before the channel exists. @param {MessageEvent} event */
	hear(event) {
		const { data } = event;

		if (event.source !== this.frame.contentWindow) return;
		if (!this.pace.take(performance.now())) return this.stop("flood");
		if (this.port || event.origin !== "null" || data?.stet !== "hello" || data.nonce !== this.nonce) return;
		if (!Array.isArray(data.versions) || !data.versions.includes(VERSION)) return this.stop("version");
		const { port1, port2 } = new MessageChannel();

		this.port = port1;
		port1.onmessage = ({ data: message }) => this.take(message);
		// An opaque origin can only be addressed as "*". The nonce shows that our document is in this window.
		this.frame.contentWindow.postMessage({ stet: "welcome", nonce: this.nonce, version: VERSION }, "*", [
			port2,
		]);
		this.send({ type: "start", ...this.start, value: JSON.parse(this.known) });
		this.endTheme = followTheme(SURFACE[this.kind], (theme) => this.send({ type: "theme", ...theme }));
	}

	/** @param {any} message */
	take(message) {
		if (this.abort.signal.aborted) return;
		if (!this.pace.take(performance.now())) return this.stop("flood");
		const { acts } = this;

		switch (message?.type) {
			case "ready":
				clearTimeout(this.timer);
				return acts.ready();
			case "resize": {
				const height = heightOf(message.height, this.kind);
				return height !== null && acts.height(height);
			}
			case "value":
				return this.takeValue(message.value);
			case "title":
				return acts.title?.(lineOf(message.text, MOST.title));
			case "toast": {
				const text = lineOf(message.text, MOST.toast);
				return text !== "" && this.toasts.take(performance.now()) && acts.toast(text);
			}
			case "navigate": {
				const place = placeOf(message.path);
				return place !== null && this.isWorkedIn() && acts.navigate(place);
			}
			case "request":
				return void this.request(message);
		}
	}

	/**
	 * True if the focus is in the frame and the person has just acted there. A frame can take the focus by itself.
	 */
	isWorkedIn() {
		return document.activeElement === this.frame && navigator.userActivation?.isActive !== false;
	}

	/** @param {unknown} given */
	takeValue(given) {
		const one = plain(given);

		if (!this.acts.value) return;
		if (one === null) return this.send({ type: "problem", text: t("noValue") });
		this.known = this.textOf(one.value);
		this.acts.value(one.value);
	}

	/** @param {{id?: unknown, method?: unknown, path?: unknown, body?: unknown}} message */
	async request({ id, method, path, body }) {
		const where = requestOf(method, path, this.from),
			sent = body === undefined ? { value: undefined } : plain(body);
		const refuse = (status, code, text) =>
			this.send({ type: "answer", id, ok: false, error: { status, code, message: text } });

		if (!Number.isSafeInteger(id)) return;
		if (where === null) return refuse(403, "NOT_FOR_FRAMES", t("notForFrames"));
		if (sent === null) return refuse(413, "PAYLOAD_TOO_LARGE", t("noValue"));
		if (this.waiting >= MOST.requests) return refuse(429, "TOO_MANY_REQUESTS", t("tooMany"));
		this.waiting++;
		try {
			const { data } = await request(/** @type {string} */ (method), where, sent.value, {
				signal: this.abort.signal,
			});

			this.send({ type: "answer", id, ok: true, data });
		} catch (error) {
			if (error instanceof ApiError)
				this.send({
					type: "answer",
					id,
					ok: false,
					error: {
						status: error.status,
						code: error.code,
						message: error.message,
						details: error.details,
					},
				});
		} finally {
			this.waiting--;
		}
	}
}
