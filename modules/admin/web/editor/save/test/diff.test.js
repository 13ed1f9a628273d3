// diff.test.js - diffs of words and of moved blocks; random texts can be rebuilt from their diffs.
import assert from "node:assert/strict";
import test from "node:test";
import { diffBlocks, diffWords } from "../../../pages/editor/diff.js";
import { Random } from "../../text/test/random.js";

const kinds = (rows) => rows.map((r) => `${r.kind[0]}${(r.b ?? r.a)._key}${r.by ?? ""}`).join(" ");
const list = (keys, changed = "") =>
	[...keys].map((k) => ({ _type: "block", _key: k, text: changed.includes(k) ? "x" : k }));

test("words that are gone and words that are new", () => {
	assert.deepEqual(diffWords("the noise comes from the nozzle", "the noise comes from its nozzle"), [
		{ kind: "same", text: "the noise comes from " },
		{ kind: "gone", text: "the" },
		{ kind: "new", text: "its" },
		{ kind: "same", text: " nozzle" },
	]);
	assert.deepEqual(diffWords("", "a"), [{ kind: "new", text: "a" }]);
});

test("both sides can be put together from the difference of random texts", () => {
	const random = new Random(5);

	for (let i = 0; i < 500; i++) {
		const [a, b] = [random.words(), random.words()],
			parts = diffWords(a, b);
		assert.equal(
			parts
				.filter((p) => p.kind !== "new")
				.map((p) => p.text)
				.join(""),
			a,
		);
		assert.equal(
			parts
				.filter((p) => p.kind !== "gone")
				.map((p) => p.text)
				.join(""),
			b,
		);
	}
});

test("blocks: the fewest that moved", () => {
	assert.equal(kinds(diffBlocks(list("abc"), list("abc"))), "sa sb sc");
	assert.equal(kinds(diffBlocks(list("abcd"), list("dabc"))), "md-3 sa sb sc");
	assert.equal(kinds(diffBlocks(list("abc"), list("axc", "c"))), "sa ax gb cc");
	assert.equal(kinds(diffBlocks(null, list("a"))), "aa");
});

test("every block of both sides is told once", () => {
	const random = new Random(9);

	for (let i = 0; i < 500; i++) {
		const a = random.document(),
			b = a
				.filter(() => random.chance(0.8))
				.map((one) => (random.chance(0.2) ? { ...one, x: 1 } : one));
		b.splice(random.int(b.length + 1), 0, random.text());
		const rows = diffBlocks(a, b);
		assert.equal(rows.filter((r) => "a" in r).length, a.length);
		assert.deepEqual(
			rows.filter((r) => "b" in r).map((r) => r.b),
			b,
		);
	}
});
