// item.js - one item while it is edited: its fields as signals, its saver, and its operations.
//
// A field reads its own signal, so typing renders nothing above it. The response of an operation (publish, schedule)
// changes only the signal `meta`. Besides typing, only a merge of another person's save and dropping a draft set
// fields.
import { batch, signal } from "@preact/signals";
import { api, ApiError, request, segment } from "../../lib/api.js";
import { definitionOf } from "../../lib/schema.js";
import { collection as collectionOf, manifest } from "../../lib/site.js";
import { Journal, livingWriters, newWriter } from "../../editor/save/journal.js";
import { readJson } from "../../editor/save/json.js";
import { memberOf, Saver } from "../../editor/save/saver.js";

/** A clock whose timers wait until the browser is idle, at most half a second, so that the journal delays no typing. */
const clock = {
	now: () => Date.now(),
	setTimeout(run, ms) {
		const timer = { isOff: false, id: 0 },
			go = () => {
				if (!timer.isOff) run();
			};

		timer.id = setTimeout(
			() => (globalThis.requestIdleCallback ? requestIdleCallback(go, { timeout: 500 }) : go()),
			ms,
		);
		return timer;
	},
	clearTimeout(timer) {
		if (timer !== undefined) timer.isOff = true;
		clearTimeout(timer?.id);
	},
};
const journal = new Journal();
const LOOK_AGAIN = 3000; // ms
const SILENT = 60000; // ms without a response until a request counts as lost; it is sent again with the same key

/** Sends a request; its JSON keeps numbers as written. Resolves even if the server refuses; rejects if unreachable. */
async function exact(method, path, body, headers) {
	try {
		const { data } = await request(method, path, body, {
			headers,
			quiet: true,
			parse: readJson,
			signal: AbortSignal.timeout(SILENT),
		});

		return { status: 200, rev: data._rev, item: data.item };
	} catch (error) {
		if (!(error instanceof ApiError) || error.status === 0) throw error;
		const { status, code, message, details } = error;
		return { status, code, message, details, retryAfter: error.retryAfter || undefined };
	}
}

/** The names of a collection's title field and text field. */
export function layoutOf(collection) {
	const fields = [...(collection.fields ?? [])].sort((a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0));
	const isLine = (f) => f.type === "string" || f.type === "text";
	const title =
		fields.find((f) => f.slug === collection.titleField && isLine(f)) ??
		fields.find((f) => ["title", "name"].includes(f.slug) && isLine(f)) ??
		null;
	const body = fields.find((f) => f.type === "portableText") ?? null;

	return { title, body, others: fields.filter((f) => f !== title && f !== body) };
}

/** What the server says of an item without anything for search engines. */
const NO_SEO = { title: null, description: null, image: null, imageId: null, canonical: null, noIndex: false };

/** Guesses the slug that the server will make. The server's response is authoritative. @param {string} text */
export const slugOf = (text) =>
	text
		.normalize("NFKD")
		.replace(/[\u0300-\u036f]/g, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 100);

/** The members of an item that the saver saves. A name with a leading colon is a top-level member. */
function membersOf({ fields, hasSeo }, item) {
	const out = new Map(fields.map((f) => [f.slug, item.data?.[f.slug] ?? null]));

	out.set(":slug", item.slug ?? null);
	out.set(
		":bylines",
		(item.bylines ?? [])
			.filter((b) => b.source !== "inferred")
			.map((b) => ({ bylineId: b.byline.id, ...(b.roleLabel ? { roleLabel: b.roleLabel } : {}) })),
	);
	if (hasSeo) out.set(":seo", item.seo ?? NO_SEO);
	return out;
}

export class Item {
	/** @param {any} collection with its fields @param {any} item @param {string | null} rev null: it is new */
	constructor(collection, item, rev) {
		const members = membersOf(collection, item);

		this.collection = collection;
		this.layout = layoutOf(collection);
		this.meta = signal(item);
		this.id = rev === null ? null : item.id;
		/** @type {Map<string, import("@preact/signals").Signal<any>>} */
		this.cells = new Map([...members].map(([name, value]) => [name, signal(value)]));
		/**
		 * @type {Map<string, {value: () => unknown, replace: (value: unknown) => void}>} the texts that are
		 * open
		 */
		this.texts = new Map();
		this.changes = signal(0); // how often a value was changed, here or elsewhere
		this.problems = signal(/** @type {{name: string, path: string, message: string}[]} */ ([]));
		this.state = signal({ name: "saved", at: null });
		this.offered = signal(/** @type {any[]} */ ([]));
		this.bylines = new Map((item.bylines ?? []).map((b) => [b.byline.id, b.byline]));
		this.locale = item.locale;
		/** @type {string | undefined} the id of the item that a new one translates */
		this.translationOf = undefined;
		this.original = signal(/** @type {any} */ (null)); // the translation that is shown beside the text
		/** @type {((item: any) => void) | undefined} called when a new item is stored */
		this.onMade = undefined;
		this.isGone = false;
		/** Values of the translated item. They are changes only when the person changes something. @type {Set<string>} */
		this.begun = new Set();
		this.isSlugOwn = rev !== null; // the slug does not follow the title
		// A person who may create but not edit items stores a new one explicitly, when it is ready.
		this.isByHand = rev === null && collectionOf(collection.slug)?.rights.edit === "none";
		this.isSent = signal(false); // a stored by-hand item, which is read-only
		const types = new Map(collection.fields.map((f) => [f.slug, f.type]));
		this.saver = new Saver({
			item: this.journalName(this.id ?? `new-${crypto.randomUUID()}`),
			writer: newWriter(),
			rev,
			values: members,
			journal,
			clock,
			isText: (name) => types.get(name) === "portableText",
			isByHand: this.isByHand,
			newKey: () => crypto.randomUUID(),
			send: (pending) => this.send(pending),
			read: () => this.read(),
			onState: (state) => this.said(state),
			onTheirs: (name, value) => this.show(name, value),
			onSaved: (answer) => this.saved(answer),
		});
	}

	get path() {
		return `/content/${segment(this.collection.slug)}${this.id === null ? "" : `/${segment(this.id)}`}`;
	}

	get isNew() {
		return this.id === null;
	}

	journalName(id) {
		return `${manifest.value.user.id}/${this.collection.slug}/${id}`;
	}

	/* ---- fields ---- */

	cell(name) {
		return this.cells.get(name);
	}

	/** Sets a field's value that was typed or chosen here. */
	set(name, value) {
		if (name === ":slug") this.isSlugOwn = true;
		this.cells.get(name).value = value;
		this.saver.change(name, () => this.cells.get(name).peek());
		this.settled(name);
	}

	/** Records that a text has changed. The saver asks for its value when it needs it. */
	touch(name) {
		this.saver.change(name, () => this.texts.get(name)?.value() ?? this.cells.get(name).peek());
		this.settled(name);
	}

	/** Sets a field of a new item to a value that somebody wrote elsewhere. */
	beginWith(name, value) {
		this.cells.get(name).value = value;
		this.begun.add(name);
	}

	/** Records the values of beginWith() as changes. */
	plant() {
		for (const name of this.begun)
			this.saver.change(name, () => this.texts.get(name)?.value() ?? this.cells.get(name).peek());
		this.begun.clear();
	}

	/**
	 * The slug was made from the title when the item was first stored, maybe in the middle of a word. Until it goes live
	 * or somebody sets the slug, it follows the title.
	 */
	slugFollows() {
		const title = this.layout.title && this.cells.get(this.layout.title.slug).peek(),
			slug = slugOf(title ?? ""),
			old = this.cells.get(":slug").peek();

		if (this.isSlugOwn || this.isNew || this.meta.peek().publishedAt || slug === "") return;
		// The server knows how to write other letters.
		if (!/^[\x20-\x7e\u0300-\u036f]*$/.test(title.normalize("NFKD"))) return;
		// The server has numbered the slug, since another item has it.
		if (old === slug || old?.replace(/-\d+$/, "") === slug) return;
		this.set(":slug", slug);
		this.isSlugOwn = false;
	}

	/** If another item has the slug that follows the title, keeps the old one. */
	keepSlug() {
		if (this.isSlugOwn || !this.saver.held.delete(":slug")) return false;
		this.saver.mine.delete(":slug");
		this.cells.get(":slug").value = this.saver.base.get(":slug");
		return true;
	}

	/** Drops the issues of a field that changes; the server reports them again if they remain. */
	settled(name) {
		this.changes.value++;
		if (this.begun.size > 0) this.plant();
		if (this.problems.peek().some((p) => p.name === name))
			this.problems.value = this.problems.peek().filter((p) => p.name !== name);
	}

	/** Shows a value that was not typed here. */
	show(name, value) {
		const cell = this.cells.get(name);

		if (cell !== undefined) cell.value = value;
		this.texts.get(name)?.replace(value);
		this.changes.value++;
	}

	/** Registers an open text; null closes it, and its last value stays in the cell. */
	open(name, text) {
		if (text === null && this.texts.has(name)) this.cells.get(name).value = this.texts.get(name).value();
		if (text === null) this.texts.delete(name);
		else this.texts.set(name, text);
	}

	/* ---- saving ---- */

	send({ body, key }) {
		const extra = this.isNew
			? { locale: this.locale, ...(this.translationOf ? { translationOf: this.translationOf } : {}) }
			: {};

		return exact(
			this.isNew ? "POST" : "PUT",
			this.path,
			this.isNew ? { data: {}, ...body, ...extra } : body,
			{ "Idempotency-Key": key },
		);
	}

	async read() {
		const [answer, by] = await Promise.all([exact("GET", this.path), this.lastSaver()]);

		return answer.status === 200
			? { ...answer, by, values: membersOf(this.collection, answer.item) }
			: answer;
	}

	/** Who saved last, by the newest revision. @returns {Promise<import("../../editor/save/saver.js").By>} */
	async lastSaver() {
		try {
			const { items } = await api.get(`${this.path}/revisions`, { query: { limit: 1 }, quiet: true });
			const { authorId, authorName, createdAt } = items[0];

			return authorName === null
				? null
				: { name: authorName, isMe: authorId === manifest.value.user.id, at: createdAt };
		} catch {
			return null; // the collection has no revisions, or the person may not read them
		}
	}

	said(state) {
		if (state.name === "refused" && this.keepSlug()) {
			const { saver } = this,
				problems = saver.problems();

			saver.say(problems.length > 0 ? "refused" : saver.changes().size > 0 ? "typing" : "saved", {
				at: state.at,
				problems,
			});
			return;
		}
		batch(() => {
			this.state.value = state;
			this.isSent.value = this.saver.isHeldBack && this.saver.pending !== null;
			if (state.problems !== undefined) this.problems.value = state.problems;
		});
	}

	saved(answer) {
		if (this.isNew) {
			this.id = answer.item.id;
			this.saver.rename(this.journalName(this.id));
			this.saver.base.set(":slug", answer.item.slug);
			if (!this.cells.get(":slug").peek()) this.cells.get(":slug").value = answer.item.slug;
			this.onMade?.(answer.item);
		}
		this.meta.value = { ...answer.item, data: undefined };
	}

	/**
	 * Finds journal records that closed pages have left: of this item, or of new items that were not stored. A page that
	 * was closed just now may still hold its lock, so a second search follows.
	 */
	async findLeft(isAgain = false) {
		if (this.saver.isClosed) return;
		try {
			const living = await livingWriters();
			const left = (
				await (this.isNew
					? journal.list(this.journalName("new-"), true)
					: journal.list(this.saver.item))
			).filter((record) => !living.has(record.writer));

			for (const record of left)
				if (this.saver.news(record).length === 0)
					await journal.remove(record.item, record.writer);
			this.offered.value = left.filter((record) => this.saver.news(record).length > 0);
			if (!isAgain) setTimeout(() => void this.findLeft(true), LOOK_AGAIN);
		} catch {
			// The browser provides no database.
		}
	}

	async takeLeft(record) {
		if (this.saver.restore(record)) {
			await this.saver.record();
			await this.dropLeft(record);
		} else this.offered.value = this.offered.peek().filter((one) => one !== record);
	}

	async dropLeft(record) {
		await journal.remove(record.item, record.writer).catch(() => {});
		this.offered.value = this.offered.peek().filter((one) => one !== record);
	}

	/** Saves all changes that can be saved. Returns false if some are left. */
	async flush() {
		this.plant();
		this.saver.finish();
		for (let i = 0; i < 5 && !this.saver.isClean; i++) {
			const before = this.saver.state;

			await this.saver.save();
			if (
				this.saver.state === before ||
				!["typing", "saving", "saved"].includes(this.saver.state.name)
			)
				break;
		}
		return this.saver.isClean;
	}

	/* ---- operations ---- */

	/**
	 * Runs an operation on the stored item, with the body {_rev, ...more}.
	 * @param {string} name
	 * @param {object} [more]
	 */
	async run(name, more = {}, method = "post") {
		const body = { _rev: this.saver.rev, ...more };

		try {
			const answer =
				method === "delete"
					? await api.delete(`${this.path}${name}`, {
							headers: { "If-Match": `"${this.saver.rev}"` },
						})
					: await api[method](`${this.path}${name}`, body);

			if (answer?.item) {
				this.saver.renewed(answer._rev);
				this.meta.value = { ...answer.item, data: undefined };
			}
			this.problems.value = [];
			return answer;
		} catch (error) {
			if (error instanceof ApiError && error.issues.length > 0)
				this.problems.value = error.issues.map((issue) => ({
					...issue,
					name: memberOf(issue.path),
				}));
			throw error;
		}
	}

	/** Sets all fields to the values of a response. */
	reset({ item, _rev }) {
		const members = membersOf(this.collection, item);

		this.saver.mine.clear();
		this.saver.held.clear();
		this.saver.renewed(_rev, members);
		batch(() => {
			for (const [name, value] of members) this.show(name, value);
			this.meta.value = { ...item, data: undefined };
			this.problems.value = [];
		});
		void this.saver.record();
	}

	async reload() {
		this.reset(await api.get(this.path));
	}

	async close() {
		await this.saver.close();
	}
}

/** The collection with its fields. Readable by everybody who has rights in it. */
export const loadCollection = (slug) => definitionOf(slug);

/** Loads an item, or begins a new one. */
export async function loadItem(slug, id, query, abort) {
	const isNew = id === "new";
	const [collection, stored] = await Promise.all([
		loadCollection(slug),
		isNew
			? null
			: request("GET", `/content/${segment(slug)}/${segment(id)}`, undefined, {
					signal: abort,
					parse: readJson,
				}),
	]);

	if (!isNew) return new Item(collection, stored.data.item, stored.data._rev);
	const data = Object.fromEntries(collection.fields.map((f) => [f.slug, f.defaultValue ?? null]));
	const item = new Item(
		collection,
		{
			data,
			slug: null,
			status: "draft",
			bylines: [],
			locale: query.locale ?? manifest.value.defaultLocale,
		},
		null,
	);
	for (const f of collection.fields)
		if (f.defaultValue !== undefined && f.defaultValue !== null) item.saver.base.set(f.slug, null);
	return item;
}
