// model.test.js - two editors of one item in random order, with killed connections: every edit is saved, in the
// journal, or in a shown merge. RUNS is the number of runs (200), SEED the first seed.
import assert from "node:assert/strict";
import test from "node:test";
import { Random } from "../../text/test/random.js";
import { Saver } from "../saver.js";
import { MemoryJournal, Server, World } from "./world.js";

const RUNS = Number(process.env.RUNS ?? 200);
const SEED = Number(process.env.SEED ?? 1);
const isText = (name) => name === "body";
const paragraph = (key, text) => ({
	_type: "block",
	_key: key,
	style: "normal",
	children: [{ _type: "span", _key: `${key}-0`, text }],
});

/** A person who types unique words, so that the test can search for each of them. */
class Typist {
	constructor(name, { world, server, journal, random, excused, counts }) {
		Object.assign(this, { name, world, server, journal, random, excused, counts });
		this.words = 0;
		this.pages = 0;
		this.open(server.rev, new Map(structuredClone([...server.values])));
	}

	open(rev, values) {
		this.shown = new Map(structuredClone([...values]));
		this.saver = new Saver({
			item: "posts/1",
			writer: `${this.name}${this.pages++}`,
			rev,
			values,
			journal: this.journal,
			clock: this.world.clock,
			isText,
			newKey: () => `${this.name}-${this.random.key()}`,
			send: (request) => this.world.request(() => this.server.send(structuredClone(request))),
			read: () => this.world.request(() => this.server.read()),
			onTheirs: (name, value) => this.shown.set(name, structuredClone(value)),
		});
	}

	set(name, value) {
		this.shown.set(name, value);
		this.saver.change(name, () => this.shown.get(name));
	}

	/** Marks words that the person saw as removable, so that losing them is no fault. */
	excuse(value) {
		for (const word of JSON.stringify(value ?? null).match(/[ab]\d+!/g) ?? []) this.excused.add(word);
	}

	type() {
		const word = `${this.name}${this.words++}!`,
			body = structuredClone(this.shown.get("body"));
		const at = this.random.int(body.length + 1),
			kind = this.random.next();

		this.counts.words++;
		if (kind < 0.25) this.set("title", `${this.shown.get("title")} ${word}`);
		else if (kind < 0.4) this.set("note", `${this.shown.get("note")} ${word}`);
		else if (kind < 0.6 || body.length === 0)
			this.set("body", body.toSpliced(at, 0, paragraph(`${this.name}k${this.words}`, word)));
		else if (kind < 0.85) {
			body.at(at - 1).children[0].text += ` ${word}`;
			this.set("body", body);
		} else if (kind < 0.93 && body.length > 1) {
			this.excuse(body.at(at - 1));
			this.excused.add(word);
			this.set("body", body.toSpliced(at - 1, 1));
		} else {
			this.excused.add(word);
			const [moved] = body.splice(at - 1, 1);
			this.set("body", body.toSpliced(this.random.int(body.length + 1), 0, moved));
		}
	}

	/** Decides the conflicts of a shown merge. Words that are not chosen may be lost, since the person saw them. */
	decide() {
		const { saver } = this;

		if (saver.merging === null) return;
		this.counts.merges++;
		const decisions = saver
			.look()
			.conflicts.map((conflict) => [
				conflict,
				this.random.pick(["theirs", "mine", ...(conflict.both ? ["both"] : [])]),
			]);
		if (this.random.chance(0.2)) decisions.pop(); // one stays open
		if (saver.resolve(decisions))
			for (const [conflict] of decisions)
				this.excuse([conflict.theirs, conflict.mine, conflict.base]);
	}

	/** Closes the page and opens it again. Takes the journal record that is then offered. */
	async reopen() {
		const { writer } = this.saver;

		await this.saver.close();
		this.counts.reopened++;
		this.open(this.server.rev, new Map(structuredClone([...this.server.values])));
		const record = this.journal.list().find((r) => r.writer === writer);
		if (record === undefined) return;
		assert.ok(this.saver.restore(record));
		await this.saver.record();
		await this.journal.remove(record.item, record.writer);
	}

	/** All text that is safe: in the journal or in a merge. */
	kept() {
		const { merging } = this.saver;

		return JSON.stringify([merging === null ? null : [...this.saver.values(), ...merging.theirs]]);
	}
}

function checkWords(people, { server, journal, excused }, where) {
	const text =
		JSON.stringify([...server.values]) +
		JSON.stringify(journal.list()) +
		people.map((p) => p.kept()).join();

	for (const person of people)
		for (let i = 0; i < person.words; i++) {
			const word = `${person.name}${i}!`;

			assert.ok(excused.has(word) || text.includes(word), `${where}: ${word} is lost`);
		}
}

async function interleave(seed, counts) {
	const random = new Random(seed),
		world = new World(random),
		excused = new Set(),
		journal = new MemoryJournal();
	const server = new Server([
		["title", "T"],
		["note", "N"],
		["body", ["p", "q", "r"].map((k) => paragraph(k, k))],
	]);
	const shared = { world, server, journal, random, excused, counts };
	const people = [new Typist("a", shared), new Typist("b", shared)];

	for (let i = 0; i < 40; i++) {
		const person = random.pick(people),
			kind = random.next();

		if (kind < 0.75) person.type();
		else if (kind < 0.85) person.decide();
		else if (kind < 0.9) await person.reopen();
		else if (kind < 0.95) world.isBroken = !world.isBroken;
		else person.saver.resume();
		await world.run(random.pick([50, 400, 1100, 4000]));
		if (random.chance(0.2)) {
			for (const one of people) await one.saver.record();
			checkWords(people, shared, `seed ${seed}, step ${i}`);
		}
	}
	// Quiet: the network works, everybody decides, all is saved.
	world.isBroken = false;
	for (let i = 0; i < 60 && !people.every((p) => p.saver.isClean); i++) {
		people.forEach((p) => p.decide());
		await world.run(20000);
	}
	assert.ok(
		people.every((p) => p.saver.isClean),
		`seed ${seed}: all is saved in the end`,
	);
	assert.deepEqual(journal.list(), [], `seed ${seed}: the journal is empty in the end`);
	checkWords(people, shared, `seed ${seed}, at the end`);
	for (const p of people)
		for (const [name, value] of p.shown)
			if (p.saver.rev === server.rev)
				assert.deepEqual(
					value,
					server.values.get(name),
					`seed ${seed}: ${p.name} shows what is stored`,
				);
	counts.writes += server.writes;
}

test("no edit of two people is lost, whatever the connection does", async () => {
	const counts = { words: 0, merges: 0, reopened: 0, writes: 0 };

	for (let i = 0; i < RUNS; i++) await interleave(SEED + i, counts);
	console.log(`# ${RUNS} interleavings, ${JSON.stringify(counts)}`);
	assert.ok(RUNS < 50 || (counts.merges > RUNS / 4 && counts.reopened > RUNS / 4));
});
