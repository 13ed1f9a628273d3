// world.js - time, a network that loses requests and answers, and a server, for the tests of the saver.

/** Virtual time: events run in order of time, and promises settle between them. */
export class World {
	constructor(random) {
		this.random = random;
		this.time = 0;
		this.events = [];
		this.count = 0;
		this.isBroken = false;
	}

	at(ms, run) {
		const event = { time: this.time + ms, order: this.count++, run };

		this.events.push(event);
		return event;
	}

	get clock() {
		return {
			now: () => this.time,
			setTimeout: (run, ms) => this.at(ms, run),
			clearTimeout: (event) => {
				this.events = this.events.filter((e) => e !== event);
			},
		};
	}

	/** Runs all events that are due within `ms`. */
	async run(ms) {
		const end = this.time + ms;

		for (;;) {
			for (let i = 0; i < 3; i++) await new Promise(setImmediate);
			this.events.sort((a, b) => a.time - b.time || a.order - b.order);
			if (this.events.length === 0 || this.events[0].time > end) break;
			const event = this.events.shift();
			this.time = event.time;
			event.run();
		}
		this.time = end;
	}

	/** A request to `handle`, which may be lost on the way there or on the way back. */
	request(handle) {
		const delay = 5 + this.random.int(1500);

		return new Promise((resolve, reject) => {
			const fail = () => reject(new TypeError("connection lost"));
			const isLost = this.isBroken || this.random.chance(0.25);

			if (isLost && this.random.chance(0.5)) {
				this.at(delay, fail); // the request never comes
				return;
			}
			this.at(delay, () => {
				const answer = structuredClone(handle());

				this.at(delay, isLost ? fail : () => resolve(answer));
			});
		});
	}
}

/** Keeps one item as stetd does: _rev, Idempotency-Key, conflicts with what a merge needs. */
export class Server {
	constructor(values) {
		this.values = new Map(structuredClone([...values]));
		this.version = 1;
		this.answers = new Map();
		this.writes = 0;
	}

	get rev() {
		return `r${this.version}`;
	}

	send({ body, key }) {
		const text = JSON.stringify(body),
			kept = this.answers.get(key);

		if (kept !== undefined)
			return kept.text === text
				? kept.answer
				: { status: 409, code: "CONFLICT", message: "another request with the key" };
		const answer = this.put(body);
		this.answers.set(key, { text, answer });
		return answer;
	}

	put(body) {
		if (body._rev !== undefined && body._rev !== this.rev)
			return { status: 409, code: "CONFLICT", message: "changed", details: { currentRev: this.rev } };
		const issues = Object.entries(body.data ?? {})
			.filter(([, v]) => typeof v === "string" && v.includes("REFUSED"))
			.map(([name]) => ({ path: `data.${name}`, message: "is refused" }));
		if (issues.length > 0)
			return { status: 400, code: "VALIDATION_ERROR", message: "Invalid", details: { issues } };
		for (const [name, value] of Object.entries(body.data ?? {}))
			this.values.set(name, structuredClone(value));
		this.version++;
		this.writes++;
		return { status: 200, rev: this.rev };
	}

	read() {
		return { status: 200, rev: this.rev, values: this.values };
	}
}

/** A journal in memory. */
export class MemoryJournal {
	constructor() {
		this.records = new Map();
	}

	async put(record) {
		this.records.set(`${record.item} ${record.writer}`, JSON.stringify(record));
	}

	putNow(record) {
		this.records.set(`${record.item} ${record.writer}`, JSON.stringify(record));
	}

	async remove(item, writer) {
		this.records.delete(`${item} ${writer}`);
	}

	list() {
		return [...this.records.values()].map((text) => JSON.parse(text));
	}
}
