// saver.test.js - the saver, step by step: which requests it sends, when, and what it does with refused members.
import assert from "node:assert/strict";
import test from "node:test";
import { merge } from "../merge.js";
import { bodyOf, memberOf, Saver } from "../saver.js";
import { MemoryJournal, Server, World } from "./world.js";

/** A saver in a world without failures. The `answers`, in order, replace the server's first responses. */
function begin(answers = [], rev = "r1", more = {}) {
	const world = new World({ int: () => 0, chance: () => false }),
		server = new Server([
			["title", "T"],
			["year", 1950],
			["body", []],
		]);
	const sent = [],
		journal = new MemoryJournal(),
		states = [];
	const saver = new Saver({
		item: "i",
		writer: "w",
		rev,
		values: server.values,
		journal,
		clock: world.clock,
		isText: (name) => name === "body",
		newKey: () => `k${sent.length}`,
		send: async (request) => {
			sent.push(structuredClone(request));
			const answer = answers.shift();
			if (answer === "lost") throw new TypeError("lost");
			return answer ?? server.send(request);
		},
		read: async () => structuredClone(server.read()),
		onState: (state) => states.push(state.name),
		...more,
	});

	return { world, server, saver, sent, journal, states };
}

test("two seconds after the last change the members that changed are sent, once", async () => {
	const { world, saver, sent, journal, server } = begin();
	let title = "A";

	saver.change("title", () => title);
	await world.run(1500);
	assert.equal(journal.list().length, 1, "in the journal after a second");
	title = "AB";
	saver.change("title", () => title);
	await world.run(1500);
	assert.equal(sent.length, 0);
	await world.run(600);
	assert.deepEqual(
		sent.map((s) => s.body),
		[{ data: { title: "AB" }, _rev: "r1", skipRevision: true }],
	);
	assert.equal(server.values.get("title"), "AB");
	assert.deepEqual(journal.list(), []);
	assert.ok(saver.isClean);
});

test("who types without a pause is saved all the same", async () => {
	const { world, saver, sent } = begin();

	for (let i = 0; i < 40; i++) {
		saver.change("title", () => `T${i}`);
		await world.run(500);
	}
	assert.ok(sent.length >= 1);
});

test("a lost answer sends the same request with the same key", async () => {
	const { world, saver, sent } = begin(["lost", "lost"]);

	saver.change("title", () => "A");
	await world.run(10000);
	assert.equal(sent.length, 3);
	assert.deepEqual(sent[1], sent[0]);
	assert.deepEqual(sent[2], sent[0]);
	assert.equal(saver.state.name, "saved");
});

test("what keeps the server from saving is told in its words, the latest ones, since the first", async () => {
	const { world, saver } = begin([
		{ status: 507, message: "The disk is full." },
		"lost",
		{ status: 429, message: "Too many.", retryAfter: 100 },
	]);

	saver.change("title", () => "A");
	await world.run(2500);
	const { since } = saver.state;
	assert.deepEqual([saver.state.name, saver.state.message], ["offline", "The disk is full."]);
	await world.run(1000);
	assert.deepEqual([saver.state.name, saver.state.message], ["offline", undefined]);
	await world.run(5000);
	assert.deepEqual([saver.state.message, saver.state.since], ["Too many.", since]);
});

test("what the server refuses waits, and the rest is saved", async () => {
	const issues = [{ path: "data.year", message: "must be at least 1900" }];
	const { world, saver, sent, journal } = begin([
		{ status: 400, code: "VALIDATION_ERROR", message: "Invalid", details: { issues } },
	]);

	saver.change("title", () => "A");
	saver.change("year", () => 1000);
	await world.run(5000);
	assert.deepEqual(
		sent.map((s) => s.body.data),
		[{ title: "A", year: 1000 }, { title: "A" }],
	);
	assert.equal(saver.state.name, "refused");
	assert.deepEqual(saver.problems(), [{ name: "year", path: "data.year", message: "must be at least 1900" }]);
	assert.deepEqual(journal.list()[0].mine, [["year", 1000]]);
	saver.change("year", () => 1960);
	await world.run(5000);
	assert.deepEqual(sent.at(-1).body.data, { year: 1960 });
	assert.ok(saver.isClean);
});

test("a new item waits for what it needs, and is made once", async () => {
	const missing = {
		status: 400,
		code: "VALIDATION_ERROR",
		message: "Invalid",
		details: { issues: [{ path: "data.title", message: "is required" }] },
	};
	const { world, saver, sent } = begin([missing], null);

	saver.change("year", () => 1960);
	await world.run(60000);
	assert.equal(sent.length, 1, "nothing is sent again before something changes");
	saver.change("title", () => "A");
	await world.run(5000);
	assert.deepEqual(sent.at(-1).body, { data: { year: 1960, title: "A" } });
	assert.equal(saver.rev, "r2");
});

test("signed out and back", async () => {
	const { world, saver, sent } = begin([{ status: 401, code: "UNAUTHORIZED", message: "no" }]);

	saver.change("title", () => "A");
	await world.run(3000);
	assert.equal(saver.state.name, "signed-out");
	await saver.resume();
	assert.deepEqual(sent[1], sent[0]);
	assert.ok(saver.isClean);
});

test("who types on after signing in elsewhere is saved", async () => {
	const { world, saver, sent } = begin([
		{ status: 401, code: "UNAUTHORIZED", message: "no" },
		{ status: 401, code: "UNAUTHORIZED", message: "no" },
	]);

	saver.change("title", () => "A");
	await world.run(60000);
	assert.equal(sent.length, 1, "nobody asks while nothing is typed");
	saver.change("title", () => "AB");
	await world.run(3000);
	assert.deepEqual([sent.length, saver.state.name], [2, "signed-out"]);
	saver.change("title", () => "ABC");
	await world.run(6000);
	assert.deepEqual(sent[2], sent[0]);
	assert.deepEqual(sent.at(-1).body.data, { title: "ABC" });
	assert.ok(saver.isClean);
});

test("what nobody may change afterwards is stored by hand, whole, and once", async () => {
	const refusal = {
		status: 400,
		code: "VALIDATION_ERROR",
		message: "Invalid",
		details: { issues: [{ path: "data.year", message: "must be at least 1900" }] },
	};
	const { world, saver, sent, journal } = begin([refusal, refusal, "lost"], null, { isByHand: true });

	saver.change("title", () => "A");
	saver.change("year", () => 1000);
	await world.run(60000);
	await saver.save();
	await saver.resume();
	assert.equal(sent.length, 0);
	assert.deepEqual(journal.list()[0].mine, [
		["title", "A"],
		["year", 1000],
	]);
	for (let i = 1; i <= 2; i++) {
		saver.allow();
		await saver.save();
		await world.run(60000);
		assert.deepEqual([sent.length, saver.state.name], [i, "refused"], "not without what was refused");
		assert.deepEqual(sent.at(-1).body, { data: { title: "A", year: 1000 } });
	}
	saver.change("year", () => 1960);
	await world.run(60000);
	assert.equal(sent.length, 2, "what is right now waits for a word, too");
	saver.allow();
	await saver.save();
	await world.run(60000);
	assert.deepEqual(sent[3], sent[2], "an answer that was lost is asked for again");
	assert.deepEqual(sent[3].body, { data: { title: "A", year: 1960 } });
	assert.ok(saver.isClean && !saver.isHeldBack);
});

test("a decision about a text that was typed on does not count", async () => {
	const { world, saver, server } = begin();
	let title = "mine";

	server.put({ data: { title: "theirs" } });
	saver.change("title", () => title);
	await world.run(3000);
	assert.equal(saver.state.name, "conflict");
	const { conflicts } = saver.look();
	title = "mine and more";
	assert.equal(saver.resolve([[conflicts[0], "theirs"]]), false);
	assert.equal(saver.resolve([[saver.look().conflicts[0], "mine"]]), true);
	await world.run(3000);
	assert.equal(server.values.get("title"), "mine and more");
});

test("bodies and members have one name for each other", () => {
	assert.deepEqual(
		bodyOf(
			new Map([
				["a", 1],
				[":slug", "s"],
				["b", undefined],
			]),
		),
		{ data: { a: 1, b: null }, slug: "s" },
	);
	assert.deepEqual(Object.keys(bodyOf(new Map([["__proto__", 1]])).data), ["__proto__"]);
	assert.equal(memberOf("data.body[2].style"), "body");
	assert.equal(memberOf("slug"), ":slug");
	assert.equal(memberOf("seo.title"), ":seo");
});

test("blocks are merged by their keys, and an order that both changed is asked for", () => {
	const b = (key, text = key) => ({ _type: "block", _key: key, children: [{ _type: "span", text }] });
	const run = (base, theirs, mine, choices) =>
		merge(new Map([["x", base]]), new Map([["x", theirs]]), new Map([["x", mine]]), () => true, choices);
	const keys = (result) =>
		result.values
			.get("x")
			.map((one) => one._key)
			.join("");

	assert.equal(keys(run([b("a"), b("b")], [b("a"), b("t"), b("b")], [b("a"), b("b"), b("m")])), "atbm");
	assert.equal(
		keys(run([b("a"), b("b"), b("c")], [b("c"), b("a"), b("b")], [b("a"), b("b", "B"), b("c")])),
		"cab",
	);
	assert.equal(
		run([b("a"), b("b"), b("c")], [b("c"), b("a"), b("b")], [b("b"), b("a"), b("c")]).conflicts[0].kind,
		"order",
	);
	assert.equal(
		keys(run([b("a"), b("b")], [b("a")], [b("a"), b("b"), b("m")])),
		"am",
		"what one takes out and nobody touched goes",
	);
	const both = run([b("a")], [b("a", "t")], [b("a", "m")], new Map([["x#a", "both"]]));
	assert.deepEqual(
		both.values.get("x").map((one) => [one._key, one.children[0].text]),
		[
			["a", "t"],
			["a-2", "m"],
		],
	);
	const gone = run([b("a")], [], [b("a", "m")]);
	assert.deepEqual(
		gone.conflicts.map((c) => [c.id, c.theirs, c.both]),
		[["x#a", undefined, false]],
	);
	assert.equal(keys(gone), "a", "until somebody decides, mine stands");
});

test("what is typed during a request is not said to be saved", async () => {
	const { world, saver, states } = begin();
	let title = "A",
		answer;
	const { send } = saver;

	saver.send = (request) =>
		new Promise((resolve) => {
			answer = () => resolve(send(request));
		});
	saver.change("title", () => title);
	await world.run(2100);
	title = "AB";
	saver.change("title", () => title);
	answer();
	await world.run(100);
	assert.equal(saver.state.name, "typing");
	assert.ok(!states.includes("saved"), states.join());
	await world.run(2100);
	answer();
	await world.run(100);
	assert.equal(saver.state.name, "saved");
});

test("a member that a person is filling in waits, while others are saved", async () => {
	const { world, saver, sent, journal } = begin();

	saver.begin("year");
	saver.change("year", () => 1951);
	saver.change("title", () => "A");
	await world.run(5000);
	assert.deepEqual(
		sent.map(({ body }) => body.data),
		[{ title: "A" }],
	);
	assert.equal(saver.state.name, "typing");
	assert.deepEqual(journal.list()[0].mine, [["year", 1951]]);
	saver.finish("year");
	await world.run(5000);
	assert.deepEqual(sent[1].body.data, { year: 1951 });
	assert.ok(saver.isClean);
});

test("the body of a request is a plain object, which its caller may change", () => {
	const body = bodyOf([["title", "A"]]);

	body.data.title = "B";
	delete body.data.title;
	assert.deepEqual(body, { data: {} });
});
