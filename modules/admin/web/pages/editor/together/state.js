// state.js - what is known of an open item beside its values: notes, the request for review, who has it open. The parts
// in the bar and in the panel share it.
import { signal } from "@preact/signals";
import { api, queryText, ROOT } from "../../../lib/api.js";
import { beforeLeaving } from "../../../lib/router.js";
import { has } from "../../../lib/site.js";
import { ask } from "../../../ui/index.js";
import { t } from "./words.js";

const BEAT = 10000; // ms between two messages that the item is open here
const LOOK = 30000; // ms until notes and the request are read again, where the feed of changes does not tell of them
const SAVED = 2000; // ms until the answer to an own save is here, which the feed tells of, too

/** The key of a node of the editor; null: it has none. @param {any} node @returns {string | null} */
export const keyOf = (node) => node.attrs.json?._key ?? node.attrs.key ?? null;

/** The block that has the cursor: {field, block, text}; null: none has. @param {any} item */
export function placeOf(item) {
	for (const [field, text] of item.texts) {
		const view = text.view;

		if (!view?.hasFocus?.()) continue;
		const at = view.state.selection.$from.index(0),
			node = view.state.doc.maybeChild(at),
			block = node && keyOf(node);

		return block ? { field, block, text: node.textContent } : null;
	}
	return null;
}

/** The beginning of a block's text, for quotes. @param {any} item @param {any} thread */
export function quoteOf(item, thread) {
	const value = item.texts.get(thread.field)?.value() ?? item.cell(thread.field)?.peek();
	const block = Array.isArray(value) && value.find((one) => one?._key === thread.block);

	if (!block) return "";
	const text = Array.isArray(block.children) ? block.children.map((one) => one?.text ?? "").join("") : "";
	return text.slice(0, 80) || String(block._type);
}

class Together {
	constructor(item) {
		this.item = item;
		this.tab = crypto.randomUUID();
		this.threads = signal(/** @type {any[] | null} */ (null));
		this.review = signal(/** @type {any} */ (null));
		this.people = signal(/** @type {any[]} */ ([]));
		this.place = signal(/** @type {any} */ (null));
		this.error = signal(/** @type {any} */ (null));
		/** @type {Map<string, string>} texts that are not sent yet, by the ids of their fields */
		this.drafts = new Map();
		/** @type {EventSource | null} the feed of changes */
		this.stream = null;
	}

	async loadNotes() {
		const { items } = await api.get(`${this.item.path}/notes`, {
			query: { state: "all", limit: 100 },
			quiet: true,
		});

		this.threads.value = items;
	}

	async loadReview() {
		this.review.value = await api.get(`${this.item.path}/review`, { quiet: true });
	}

	/** Reads both again; what fails is tried again later. */
	async load() {
		try {
			await Promise.all([this.loadNotes(), this.loadReview()]);
			this.error.value = null;
		} catch (error) {
			if (this.threads.peek() === null) this.error.value = error;
		}
	}

	async beat() {
		const { field, block } = this.place.peek() ?? {};

		try {
			const { people } = await api.post(
				`${this.item.path}/presence`,
				{ tab: this.tab, ...(field ? { field, block } : {}) },
				{ quiet: true },
			);

			this.people.value = people;
		} catch {
			this.people.value = [];
		}
	}

	/** Reads again what a change of the feed is about. @param {{kind: string, id: string, version?: number}} change */
	changed({ kind, id, version }) {
		const again = (load) => load.call(this).catch(() => {});

		if (id !== this.item.meta.peek().id) return;
		if (kind === "note") void again(this.loadNotes);
		else if (kind === "review") void again(this.loadReview);
		else if (kind === "content")
			setTimeout(() => {
				if (version > (this.item.meta.peek().version ?? 0)) void again(this.loadReview);
			}, SAVED);
	}

	/** Follows the feed of changes. Where that cannot be read, asks again and again. */
	follow() {
		const { collection, meta } = this.item,
			at = { collection: collection.slug, presence: `${collection.slug}/${meta.peek().id}` };
		const poll = () => (this.looks = setInterval(() => void this.load(), LOOK));

		if (!has("changes")) return poll();
		const stream = new EventSource(`${ROOT}/changes${queryText(at)}`);

		this.stream = stream;
		stream.addEventListener("change", (event) => this.changed(JSON.parse(event.data)));
		stream.addEventListener("presence", (event) => {
			this.people.value = JSON.parse(event.data).people;
		});
		// The browser connects again by itself, unless the server has refused.
		stream.addEventListener("error", () => {
			if (stream.readyState === EventSource.CLOSED && this.stream === stream) poll();
		});
	}

	unfollow() {
		this.stream?.close();
		this.stream = null;
		clearInterval(this.looks);
	}

	leave(keepalive = false) {
		void api
			.delete(`${this.item.path}/presence`, { query: { tab: this.tab }, quiet: true, keepalive })
			.catch(() => {});
	}

	/** Begins to watch; returns a function that ends it. */
	use() {
		const move = () => {
			const now = placeOf(this.item),
				was = this.place.peek();

			if (now === null || (now.block === was?.block && now.text === was.text)) return;
			this.place.value = now;
			if (now.block === was?.block) return; // only its words have changed
			clearTimeout(this.soon);
			this.soon = setTimeout(() => this.beat(), 500);
		};
		const turn = () => {
			clearInterval(this.beats);
			this.unfollow();
			if (document.visibilityState === "hidden") return this.leave();
			this.beats = setInterval(() => void this.beat(), BEAT);
			this.follow();
			void this.beat();
			void this.load();
		};
		const hide = () => this.leave(true);
		const unload = (event) => {
			if (this.drafts.size > 0) event.preventDefault();
		};
		const stay = beforeLeaving(
			() =>
				this.drafts.size === 0 ||
				ask({
					title: t("leaveTitle"),
					text: t("leaveText"),
					yes: t("leaveYes"),
					isFinal: true,
				}),
		);

		document.addEventListener("selectionchange", move);
		document.addEventListener("visibilitychange", turn);
		addEventListener("pagehide", hide);
		addEventListener("beforeunload", unload);
		turn();
		return () => {
			document.removeEventListener("selectionchange", move);
			document.removeEventListener("visibilitychange", turn);
			removeEventListener("pagehide", hide);
			removeEventListener("beforeunload", unload);
			stay();
			clearInterval(this.beats);
			this.unfollow();
			clearTimeout(this.soon);
			this.leave();
		};
	}
}

const all = new WeakMap();

/** @param {any} item @returns {Together} */
export function togetherOf(item) {
	if (!all.has(item)) all.set(item, new Together(item));
	return all.get(item);
}
