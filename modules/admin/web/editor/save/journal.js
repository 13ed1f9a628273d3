// journal.js - what was typed and is not saved yet, in this browser's database: a record for each editor of an item.
//
// A record is JSON text (json.js says why). The name of its writer is a lock that the page holds while it lives, so a
// page that opens the item later can tell what a closed one left behind.
import { readJson } from "./json.js";

const DATABASE = "stet", STORE = "journal";

function done(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
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

	/** @param {{item: string, writer: string}} record everything else in it is JSON */
	async put(record) {
		const { item, writer } = record;

		await done((await this.store("readwrite")).put({ item, writer, text: JSON.stringify(record) }));
	}

	async remove(item, writer) {
		await done((await this.store("readwrite")).delete([item, writer]));
	}

	/** The records of an item (or of all whose name begins with `item`), the newest first. */
	async list(item, isPrefix = false) {
		const range = IDBKeyRange.bound([item], isPrefix ? [`${item}\uffff`] : [item, []]);
		const found = await done((await this.store("readonly")).getAll(range));

		return found.map((r) => readJson(r.text)).sort((a, b) => b.at - a.at);
	}
}

/** The name of a new writer, which lives as long as this page. */
export function newWriter() {
	const name = crypto.randomUUID();

	// The lock is held until the page goes. Where there are no locks, no other page is thought to live.
	navigator.locks?.request(`stet-writer-${name}`, () => new Promise(() => {}));
	return name;
}

/** The names of the writers whose pages are open. */
export async function livingWriters() {
	const { held = [] } = (await navigator.locks?.query()) ?? {};

	return new Set(held.map((lock) => lock.name.replace(/^stet-writer-/, "")));
}
