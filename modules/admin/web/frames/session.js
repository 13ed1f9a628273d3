// session.js - the talk with one document in a plugin's frame, from its first message until the frame is taken away.
//
// The document has an origin of its own, so a message is known by the window that it comes from and by a number that only
// this document was told, behind # in its address. Then both have a channel, which ends with the document: one that the frame
// goes on to has none. A frame that sends too much, leaves its document or says nothing is stopped.
import { ApiError, request } from "../lib/api.js";
import { MOST, Pace, VERSION, heightOf, lineOf, placeOf, plain, requestOf } from "./rules.js";
import { followTheme } from "./theme.js";
import { t } from "./words.js";

const WITHIN = 5000; // ms: by then it has said that it is ready
const SURFACE = { page: "desk", widget: "paper" }; // what it lies on
const PACE = { most: 300, each: 25 }; // messages; ms
const TOASTS = { most: 5, each: 2000 }; // more are not shown

/**
 * @typedef {{plugin: string, name: string, file: string, requests?: string[]}} From a page or widget of the manifest
 * @typedef {"silent" | "flood" | "left" | "version"} Why it was stopped
 * @typedef {object} Acts what the frame brings about
 * @property {() => void} ready
 * @property {(why: Why) => void} stop
 * @property {(height: number) => void} height
 * @property {(value: any) => void} [value] absent: it edits none
 * @property {(title: string) => void} [title]
 * @property {(text: string) => void} toast
 * @property {(place: string) => void} navigate
 */

const newNonce = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Session {
	/**
	 * @param {HTMLIFrameElement} frame has no document yet
	 * @param {{kind: "page" | "widget", from: From, start: any, acts: Acts}} about start: what it is told first
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
		this.waiting = 0; // requests
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
		if (this.abort.signal.aborted)
			return;
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

	/** The value is another now. @param {any} value */
	tellValue(value) {
		const text = this.textOf(value);

		if (text === this.known)
			return;
		this.known = text;
		this.send({ type: "value", value: JSON.parse(text) });
	}

	/** What is wrong with the value; "" is nothing. @param {string} text */
	tellProblem(text) {
		this.send({ type: "problem", text });
	}

	/* ---- what it says ---- */

	/** A second document has come, which nobody asked for. */
	loaded() {
		if (++this.loads > 1)
			this.stop("left");
	}

	/** @param {MessageEvent} event before it has its channel */
	hear(event) {
		const { data } = event;

		if (event.source !== this.frame.contentWindow)
			return;
		if (!this.pace.take(performance.now()))
			return this.stop("flood");
		if (this.port || event.origin !== "null" || data?.stet !== "hello" || data.nonce !== this.nonce)
			return;
		if (!Array.isArray(data.versions) || !data.versions.includes(VERSION))
			return this.stop("version");
		const { port1, port2 } = new MessageChannel();

		this.port = port1;
		port1.onmessage = ({ data: message }) => this.take(message);
		// Nothing but * names an origin of its own; the channel is for who knows the nonce, and that is in this window.
		this.frame.contentWindow.postMessage({ stet: "welcome", nonce: this.nonce, version: VERSION }, "*", [port2]);
		this.send({ type: "start", ...this.start, value: JSON.parse(this.known) });
		this.endTheme = followTheme(SURFACE[this.kind], (theme) => this.send({ type: "theme", ...theme }));
	}

	/** @param {any} message */
	take(message) {
		if (this.abort.signal.aborted)
			return;
		if (!this.pace.take(performance.now()))
			return this.stop("flood");
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

	/** Has somebody just pressed or typed something, and is the focus in the frame? A frame can take the focus by itself. */
	isWorkedIn() {
		return document.activeElement === this.frame && navigator.userActivation?.isActive !== false;
	}

	/** @param {unknown} given */
	takeValue(given) {
		const one = plain(given);

		if (!this.acts.value)
			return;
		if (one === null)
			return this.send({ type: "problem", text: t("noValue") });
		this.known = this.textOf(one.value);
		this.acts.value(one.value);
	}

	/** @param {{id?: unknown, method?: unknown, path?: unknown, body?: unknown}} message */
	async request({ id, method, path, body }) {
		const where = requestOf(method, path, this.from), sent = body === undefined ? { value: undefined } : plain(body);
		const refuse = (status, code, text) => this.send({ type: "answer", id, ok: false, error: { status, code, message: text } });

		if (!Number.isSafeInteger(id))
			return;
		if (where === null)
			return refuse(403, "NOT_FOR_FRAMES", t("notForFrames"));
		if (sent === null)
			return refuse(413, "PAYLOAD_TOO_LARGE", t("noValue"));
		if (this.waiting >= MOST.requests)
			return refuse(429, "TOO_MANY_REQUESTS", t("tooMany"));
		this.waiting++;
		try {
			const { data } = await request(/** @type {string} */ (method), where, sent.value, { signal: this.abort.signal });

			this.send({ type: "answer", id, ok: true, data });
		} catch (error) {
			if (error instanceof ApiError)
				this.send({ type: "answer", id, ok: false, error: { status: error.status, code: error.code, message: error.message, details: error.details } });
		} finally {
			this.waiting--;
		}
	}
}
