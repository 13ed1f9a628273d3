// saver.js - saves one item while it is edited. It does not depend on a page: its caller passes clock, journal and
// requests.
//
// A change is written to the journal within a second, and sent to the server two seconds after the last change: only
// the changed members, with the _rev that they are based on. One request runs at a time. A retry has the same
// Idempotency-Key, so a request whose response was lost is not executed twice. A response changes only _rev. If
// somebody else saved first, merge.js merges the versions, and a person decides the conflicts.
//
// If the person may create an item but not change it afterwards (isByHand), the new item stays in the journal until
// they store it with a button.
import { isEqual } from "./json.js";
import { merge } from "./merge.js";

const JOURNAL_AFTER = 1000; // ms after the first change
const SAVE_AFTER = 2000; // ms after the last change
const SAVE_AT_LAST = 15000; // ms after the first change, even if the person goes on typing
const RETRY_FIRST = 1000,
	RETRY_MAX = 30000;

/** The body of a request with these members. A name with a leading colon is a top-level member; others go to `data`. */
export function bodyOf(values) {
	const body = {},
		data = {};

	for (const [name, value] of values)
		if (name.startsWith(":")) body[name.slice(1)] = value;
		// An assignment would not make a member of the name __proto__.
		else
			Object.defineProperty(data, name, {
				value: value ?? null,
				enumerable: true,
				writable: true,
				configurable: true,
			});
	return Object.keys(data).length > 0 ? { data, ...body } : body;
}

/** Maps the path of a server issue to the member's name here: data.body[2].style to body, slug to :slug. */
export function memberOf(path) {
	const found = /^data[./]([^.[/]+)/.exec(path ?? "");

	return found !== null ? found[1] : `:${/^[^.[/]*/.exec(path ?? "")[0]}`;
}

/**
 * The arguments of the constructor.
 * @typedef {object} Parts
 * @property {string} item the name of the item in the journal
 * @property {string} writer the name of this page in the journal
 * @property {string | null} rev null: the item is not stored yet
 * @property {Map<string, unknown>} values the members as the server has them
 * @property {(request: {rev: string | null, body: object, key: string}) => Promise<Answer>} send rejects if there is no answer
 * @property {() => Promise<Answer>} read the item as it is now: {status, rev, values}
 * @property {{put: (record: any) => Promise<void>, putNow: (record: any) => void,
 *   remove: (item: string, writer: string) => Promise<void>}} journal
 * @property {{now: () => number, setTimeout: Function, clearTimeout: Function}} clock
 * @property {(name: string) => boolean} isText
 * @property {boolean} [isByHand] the item is new and is stored only after allow()
 * @property {() => string} newKey
 * @property {(state: object) => void} [onState]
 * @property {(name: string, value: unknown) => void} [onTheirs] a member that somebody else changed
 * @property {(answer: Answer) => void} [onSaved]
 *
 * @typedef {{status: number, rev?: string, values?: Map<string, unknown>, code?: string, message?: string,
 *   details?: object, retryAfter?: number, by?: By, item?: object}} Answer
 * @typedef {{name: string, isMe: boolean, at: string} | null} By who saved last, and when; null: unknown
 */
export class Saver {
	/** @param {Parts} parts */
	constructor(parts) {
		this.item = parts.item;
		this.writer = parts.writer;
		this.rev = parts.rev;
		this.send = parts.send;
		this.read = parts.read;
		this.journal = parts.journal;
		this.clock = parts.clock;
		this.isText = parts.isText;
		this.isByHand = parts.isByHand ?? false;
		this.isAllowed = false; // the person asked to store the new item
		this.newKey = parts.newKey;
		this.onState = parts.onState ?? (() => {});
		this.onTheirs = parts.onTheirs ?? (() => {});
		this.onSaved = parts.onSaved ?? (() => {});
		this.base = new Map(parts.values);
		this.mine = new Map(); // by name: a function that returns the typed value
		this.held = new Map(); // by name: {value, problems}, a refused value; not sent again until it changes
		this.unfinished = new Set(); // names of members that are not sent yet, since a person is filling them in
		this.pending = null; // the request without a response yet
		this.merging = null; // {base, theirs, rev, by}: a merge that waits for a person's decisions
		this.isBusy = false;
		this.isUrgent = false; // save the remaining changes at once
		this.isWaiting = false; // the server refused the request: wait for the next change
		this.isClosed = false;
		this.retries = 0;
		this.since = null; // time since when the server cannot be reached
		/** @type {Record<string, any>} */
		this.timers = {};
		this.firstChange = null;
		this.state = { name: "saved", at: null };
	}

	/* ---- what is typed ---- */

	/** Records that a member has changed. `get` returns its current value. */
	change(name, get) {
		this.mine.set(name, get);
		this.isWaiting = false;
		this.firstChange ??= this.clock.now();
		if (this.timers.journal === undefined) this.after("journal", JOURNAL_AFTER, () => this.record());
		if (!["conflict", "signed-out", "offline", "gone"].includes(this.state.name)) this.say("typing");
		this.soon();
	}

	/** The current value of a member. */
	value(name) {
		return this.mine.has(name) ? this.mine.get(name)() : this.base.get(name);
	}

	/** The current values of all members. */
	values() {
		const out = new Map(this.base);

		for (const name of this.mine.keys()) out.set(name, this.value(name));
		return out;
	}

	/** The members that differ from what the server has. */
	changes() {
		const out = new Map();

		for (const [name, get] of this.mine) {
			const value = get();

			if (isEqual(value, this.base.get(name))) this.mine.delete(name);
			else out.set(name, value);
		}
		return out;
	}

	get isClean() {
		return this.pending === null && this.merging === null && this.changes().size === 0;
	}

	/* ---- the journal ---- */

	/** The journal's record of what is not saved; null: everything is. */
	entry() {
		const changes = this.changes(),
			base = this.merging?.base ?? this.base;

		if (changes.size === 0 && this.pending === null) return null;
		return {
			item: this.item,
			writer: this.writer,
			at: this.clock.now(),
			rev: this.rev,
			pending: this.pending,
			mine: [...changes].map(([name, v]) => [name, v ?? null]),
			base: [...changes.keys()].map((name) => [name, base.get(name) ?? null]),
		};
	}

	/** Writes the journal now. A failure only sets `journalFault`: some browsers provide no database. */
	async record() {
		if (this.isClosed) return;
		const entry = this.entry();

		this.stop("journal");
		try {
			if (entry === null) await this.journal.remove(this.item, this.writer);
			else await this.journal.put(entry);
			this.journalFault = null;
		} catch (error) {
			this.journalFault = error;
		}
	}

	/** Records what is not saved before the page is gone. */
	recordNow() {
		const entry = this.isClosed ? null : this.entry();

		if (entry !== null) this.journal.putNow(entry);
	}

	/**
	 * Applies the journal record of a closed page, as if it had been typed here. Members already changed here keep their
	 * values. Returns true if the whole record was applied.
	 */
	restore(record) {
		const base = new Map(this.base);
		let isWhole = true;

		for (const [name, value] of record.base) base.set(name, value);
		for (const [name, value] of record.mine)
			if (this.changes().has(name)) isWhole = isWhole && isEqual(value, this.value(name));
			else {
				this.mine.set(name, () => value);
				this.onTheirs(name, value);
			}
		this.merging = { base, theirs: new Map(this.base), rev: this.rev, by: null };
		this.settle();
		this.soon();
		return isWhole;
	}

	/** Returns the names of the members that a journal record would change from the server's values. */
	news(record) {
		const base = new Map(this.base),
			mine = new Map(this.base);

		for (const [name, value] of record.base) base.set(name, value);
		for (const [name, value] of record.mine) mine.set(name, value);
		const { values, conflicts } = merge(base, this.base, mine, this.isText);
		const names = [...values].filter(([name, v]) => !isEqual(v, this.base.get(name))).map(([name]) => name);
		return [...new Set([...names, ...conflicts.map((c) => c.name)])];
	}

	/** Changes the item's name in the journal, after a new item was stored. */
	rename(item) {
		const old = this.item;

		this.item = item;
		this.journal.remove(old, this.writer).catch(() => {});
	}

	/* ---- saving ---- */

	/** True for a new item that is not stored before allow(). */
	get isHeldBack() {
		return this.isByHand && this.rev === null;
	}

	/** Allows one attempt to store the new item as a whole. If the server refuses any part, nothing is stored. */
	allow() {
		this.isAllowed = this.pending === null;
		this.isWaiting = false;
		this.held.clear();
	}

	soon() {
		const wait = Math.min(
			SAVE_AFTER,
			Math.max(0, (this.firstChange ?? this.clock.now()) + SAVE_AT_LAST - this.clock.now()),
		);

		// While the user is signed out, typing schedules another try, in case they have signed in again.
		if (
			(this.pending === null || this.state.name === "signed-out") &&
			this.merging === null &&
			!this.isBusy
		)
			this.after("save", wait, () => this.save());
	}

	/**
	 * Saves now all changes that can be saved. Resolves when the server has responded or cannot be reached: while a
	 * request runs, after that one, whose body may lack what was typed since.
	 */
	save() {
		this.running ??= this.saveOnce().finally(() => {
			this.running = null;
		});
		return this.running;
	}

	async saveOnce() {
		this.stop("save");
		if (
			this.isBusy ||
			this.merging !== null ||
			this.isClosed ||
			(this.pending === null && (this.isWaiting || (this.isHeldBack && !this.isAllowed)))
		)
			return;
		this.isBusy = true;
		try {
			if (this.pending === null && !this.prepare()) return;
			await this.record();
			await this.exchange();
		} finally {
			this.isBusy = false;
		}
		if (this.pending === null && this.merging === null && !this.isClosed && this.again())
			await this.saveOnce();
	}

	/** True if changes should be saved at once: after a merge, or after the server refused other members. */
	again() {
		const isNow = this.isUrgent;

		this.isUrgent = false;
		if (this.isWaiting || this.sendable().size === 0) return false;
		if (!isNow) this.soon();
		return isNow;
	}

	/** Holds a member back until finish(): a person has begun a part of it that is not valid before it is complete. */
	begin(name) {
		this.unfinished.add(name);
	}

	/** @param {string} [name] absent: all members */
	finish(name) {
		const had = name === undefined ? this.unfinished.size > 0 : this.unfinished.has(name);

		if (name === undefined) this.unfinished.clear();
		else this.unfinished.delete(name);
		if (had && this.changes().size > 0) this.soon();
	}

	/** The changes without values that the server has refused, and without unfinished members. */
	sendable() {
		const out = this.changes();

		for (const name of this.unfinished) out.delete(name);
		for (const [name, { value }] of this.held) {
			if (isEqual(out.has(name) ? out.get(name) : this.base.get(name), value)) out.delete(name);
			else this.held.delete(name);
		}
		return out;
	}

	/** Prepares the next request. Returns false if there is nothing to send. */
	prepare() {
		const values = this.sendable();

		this.firstChange = null;
		this.isAllowed = false;
		if (values.size === 0) {
			if (this.held.size > 0) this.say("refused", { problems: this.problems() });
			else this.say(this.changes().size > 0 ? "typing" : "saved", { at: this.state.at });
			this.record();
			return false;
		}
		const body =
			this.rev === null ? bodyOf(values) : { ...bodyOf(values), _rev: this.rev, skipRevision: true };
		this.pending = { key: this.newKey(), rev: this.rev, body, values: [...values] };
		return true;
	}

	async exchange() {
		let answer;

		if (this.isClosed) return;
		this.say("saving");
		try {
			answer = await this.send(this.pending);
		} catch {
			this.retry();
			return;
		}
		if (this.isClosed) return;
		if (answer.status === 429 || answer.status === 408 || answer.status >= 500) this.retry(answer);
		else if (answer.status === 401) {
			this.firstChange = null;
			this.say("signed-out");
		} else await this.answered(answer);
	}

	async answered(answer) {
		const { pending } = this;

		this.retries = 0;
		this.since = null;
		if (answer.status < 300) {
			this.pending = null;
			this.rev = answer.rev;
			for (const [name, value] of pending.values) this.base.set(name, value);
			// What was typed during the request is not saved yet.
			const isLeft = this.changes().size > this.held.size;

			this.say(this.held.size > 0 ? "refused" : isLeft ? "typing" : "saved", {
				at: this.clock.now(),
				problems: this.problems(),
			});
			this.onSaved(answer);
			await this.record();
		} else if (answer.status === 412 || (answer.status === 409 && answer.details?.currentRev !== undefined))
			await this.reconcile();
		else {
			this.pending = null;
			this.refused(answer, pending);
			await this.record();
		}
	}

	/** The server has refused some or all members. The other members are then saved without them. */
	refused(answer, pending) {
		const issues =
			answer.details?.issues ??
			(answer.details?.field !== undefined
				? [{ path: `data.${answer.details.field}`, message: answer.message }]
				: answer.code === "SLUG_CONFLICT"
					? [{ path: "slug", message: answer.message }]
					: []);
		const sent = new Map(pending.values);

		for (const { path, message } of issues) {
			const name = memberOf(path);
			const held = this.held.get(name) ?? { value: null, problems: [] };

			held.value = sent.has(name) ? sent.get(name) : this.base.get(name);
			held.problems.push({ path, message });
			this.held.set(name, held);
		}
		const name = { 403: "forbidden", 404: "gone" }[answer.status] ?? "refused";
		const blamed = issues.map(({ path }) => sent.has(memberOf(path)));
		// A new item is retried only if all issues concern sent members: a missing required member would fail
		// again.
		this.isUrgent =
			blamed.includes(true) && !this.isHeldBack && (this.rev !== null || !blamed.includes(false));
		this.isWaiting = !this.isUrgent;
		this.say(name, { message: answer.message, problems: this.problems() });
	}

	problems() {
		return [...this.held].flatMap(([name, { problems }]) => problems.map((p) => ({ name, ...p })));
	}

	/** Schedules the same request again, after a missing response or a temporary failure. */
	retry(answer) {
		if (this.isClosed) return;
		const wait =
			answer?.retryAfter !== undefined
				? answer.retryAfter * 1000
				: Math.min(RETRY_FIRST * 2 ** this.retries, RETRY_MAX);

		this.retries++;
		this.since ??= this.clock.now();
		// Show the server's message if it responded, for example that the disk is full.
		this.say("offline", { since: this.since, message: answer?.message || undefined });
		this.record();
		this.after("save", wait, () => this.save());
	}

	/** Retries at once: the network is back, or the person has signed in again. */
	resume() {
		this.retries = 0;
		if (this.state.name === "offline" || this.state.name === "signed-out") this.say("typing");
		return this.save();
	}

	/* ---- merging ---- */

	/** Reads the stored item and starts a merge, because somebody else saved first. */
	async reconcile() {
		let now;

		try {
			now = await this.read();
		} catch {
			this.retry();
			return;
		}
		if (this.isClosed) return;
		if (now.status !== 200) {
			if (now.status === 401) this.say("signed-out");
			else if (now.status === 404 || now.status === 403) {
				this.pending = null;
				this.say(now.status === 404 ? "gone" : "forbidden", { message: now.message });
			} else this.retry(now);
			return;
		}
		this.pending = null;
		this.merging = { base: new Map(this.base), theirs: now.values, rev: now.rev, by: now.by ?? null };
		this.settle();
		await this.record();
	}

	/** Returns the merge of the current values, with these decisions. */
	look(choices = new Map()) {
		const { base, theirs } = this.merging;

		return merge(base, theirs, this.values(), this.isText, choices);
	}

	/** Applies the merge if no conflict is open; else returns false. */
	settle(choices) {
		const result = this.look(choices),
			{ theirs, rev, by } = this.merging;

		if (result.conflicts.length > 0) {
			this.say("conflict", { by });
			return false;
		}
		this.merging = null;
		this.rev = rev;
		const mine = this.values();
		this.base = new Map(theirs);
		this.take(result.values, mine);
		this.isUrgent = true;
		this.isWaiting = false;
		this.say("typing");
		return true;
	}

	/** Sets the members to these values. Calls onTheirs for each value that the page does not show yet. */
	take(values, shown = this.values()) {
		for (const [name, value] of values) {
			if (isEqual(value, this.base.get(name))) this.mine.delete(name);
			else if (!isEqual(value, shown.get(name)) || !this.mine.has(name))
				this.mine.set(name, () => value);
			if (!isEqual(value, shown.get(name))) this.onTheirs(name, value);
		}
	}

	/**
	 * Applies a person's decisions: pairs of a conflict as it was shown and "theirs", "mine" or "both". A decision is
	 * ignored if the text has changed since. Returns true if no conflict is left open.
	 */
	resolve(decisions) {
		if (this.merging === null) return true;
		const open = new Map(this.look().conflicts.map((c) => [c.id, c])),
			choices = new Map();
		for (const [shown, choice] of decisions) {
			const now = open.get(shown.id);

			if (now !== undefined && isEqual(now.mine, shown.mine) && isEqual(now.theirs, shown.theirs))
				choices.set(shown.id, choice);
		}
		const isDone = this.settle(choices);
		this.record();
		if (isDone) {
			this.isUrgent = false;
			this.save();
		}
		return isDone;
	}

	/* ---- around it ---- */

	/**
	 * Sets the _rev after another operation (publish, schedule). `values`: the stored members, if it changed them.
	 */
	renewed(rev, values = null) {
		this.rev = rev;
		if (values !== null) this.base = new Map(values);
	}

	/** Stops. What is not saved stays in the journal. */
	async close() {
		const written = this.record();

		this.isClosed = true;
		await written;
		for (const name of Object.keys(this.timers)) this.stop(name);
	}

	after(name, ms, run) {
		this.stop(name);
		this.timers[name] = this.clock.setTimeout(() => {
			this.timers[name] = undefined;
			run();
		}, ms);
	}

	stop(name) {
		this.clock.clearTimeout(this.timers[name]);
		this.timers[name] = undefined;
	}

	say(name, more = {}) {
		this.state = { name, at: this.state.at, ...more };
		this.onState(this.state);
	}
}
