// sittings.test.js - revisions as sittings of people, and the words that changed.
import assert from "node:assert/strict";
import test from "node:test";
import { sittingsOf, wordsBetween } from "../../../pages/editor/sittings.js";

/** A revision at a minute. */
const at = (minute, authorId, text) => ({
	id: `r${minute}`,
	authorId,
	authorName: authorId,
	createdAt: new Date(Date.UTC(2026, 10, 30, 12, minute)).toISOString(),
	data: {
		title: "T",
		body: [{ _type: "block", _key: "k", style: "h2", children: [{ _type: "span", _key: "s", text }] }],
	},
});

test("saves of one person within half an hour are one sitting", () => {
	const all = [at(59, "a", "one two"), at(40, "a", "one"), at(5, "a", "x"), at(4, "b", "x"), at(3, "a", "x y")];
	const sittings = sittingsOf(all, true);

	assert.deepEqual(
		sittings.map((one) => one.revisions.map((r) => r.id)),
		[["r59", "r40"], ["r5"], ["r4"], ["r3"]],
	);
	assert.deepEqual(
		sittings.map(({ words }) => [words.added, words.removed]),
		[
			[2, 1],
			[0, 0],
			[0, 1],
			[3, 0],
		],
	);
});

test("the live revision ends a sitting; what is before an unknown revision is not guessed", () => {
	const sittings = sittingsOf([at(5, "a", "one two"), at(4, "a", "one"), at(3, "a", "zero")], false, "r4");

	assert.deepEqual(
		sittings.map((one) => one.revisions.map((r) => r.id)),
		[["r5"], ["r4", "r3"]],
	);
	assert.equal(sittings[1].words, null);
	assert.equal(sittings[0].before.id, "r4");
});

test("names of styles and keys are no words; a change without words is said", () => {
	const [a, b] = [at(1, "a", "one").data, structuredClone(at(1, "a", "one").data)];

	b.body[0].style = "h3";
	assert.deepEqual(wordsBetween(a, b), { added: 0, removed: 0, isOther: true });
	assert.deepEqual(wordsBetween(a, a), { added: 0, removed: 0, isOther: false });
});
