// journal.js - unsaved input, kept in this browser's database: one record for each page that edits an item.
//
// A record is JSON text (see json.js). The name of its writer is also a lock that the writing page holds while it is
// open, so a page that opens the item later can find the records of closed pages.
//
// A page that is closing has no time to wait for the database: it writes its record to the browser's local storage, and
// the next page moves it into the database.
import { readJson } from "./json.js";

const DATABASE = "stet",
	STORE = "journal",
	CLOSING = "stet.left.";

function done(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

const closing = ({ item, writer }) => `${CLOSING}${item} ${writer}`;

/** Removes a record of the local storage. */
function forget(record) {
	try {
		localStorage.removeItem(closing(record));
	} catch {
		// Storage is blocked, so there is none.
	}
}

function open() {
	const request = indexedDB.open(DATABASE, 1);

	request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ["item", "writer"] });
	return done(request);
}

export class Journal {
	constructor() {
		this.database = null;
	}

	async store(mode) {
		this.database ??= open();
		return (await this.database).transaction(STORE, mode).objectStore(STORE);
	}

	/** @param {{item: string, writer: string}} record its other members are JSON values */
	async put(record) {
		const { item, writer } = record;

		await done((await this.store("readwrite")).put({ item, writer, text: JSON.stringify(record) }));
		forget(record);
	}

	/** Writes a record before this function returns. */
	putNow(record) {
		try {
			localStorage.setItem(closing(record), JSON.stringify(record));
		} catch {
			// Storage is full or blocked: the database has the record of a second ago.
		}
	}

	/** Moves the records of pages that were closing into the database. */
	async take() {
		const names = Object.keys(localStorage).filter((name) => name.startsWith(CLOSING));

		for (const name of names) await this.put(readJson(localStorage.getItem(name)));
	}

	async remove(item, writer) {
		forget({ item, writer });
		await done((await this.store("readwrite")).delete([item, writer]));
	}

	/** The records of an item, newest first. With isPrefix: of all items whose names begin with `item`. */
	async list(item, isPrefix = false) {
		await this.take().catch(() => {});
		const range = IDBKeyRange.bound([item], isPrefix ? [`${item}\uffff`] : [item, []]);
		const found = await done((await this.store("readonly")).getAll(range));

		return found.map((r) => readJson(r.text)).sort((a, b) => b.at - a.at);
	}
}

/** A name for a new writer. It stays locked as long as this page is open. */
export function newWriter() {
	const name = crypto.randomUUID();

	// The lock is held until the page closes. In a browser without locks, all other pages count as closed.
	navigator.locks?.request(`stet-writer-${name}`, () => new Promise(() => {}));
	return name;
}

/** The names of the writers whose pages are open. */
export async function livingWriters() {
	const { held = [] } = (await navigator.locks?.query()) ?? {};

	return new Set(held.map((lock) => lock.name.replace(/^stet-writer-/, "")));
}
