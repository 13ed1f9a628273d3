// bulk.test.js - a bulk edit of terms, portions that fail, and Undo.
import assert from "node:assert/strict";
import test from "node:test";

/** @type {(call: any) => any} */
let answer = () => ({});
let isDown = 0, // requests that fail from now on
	batches = 0;

globalThis.fetch = /** @type {any} */ (
	async (/** @type {string} */ _, /** @type {{body: string}} */ { body }) => {
		batches++;
		if (isDown-- > 0) return new Response("{}", { status: 502 });
		return new Response(JSON.stringify({ data: { results: JSON.parse(body).calls.map(answer) } }));
	}
);
const { readRows, undoRows, writeRows } = await import("../bulk.js");

const field = { name: "topic", label: "Topic", isMany: false, field: { slug: "topic", type: "string" } };
const many = (n) =>
	Array.from({ length: n }, (_, i) => ({
		id: `i${i}`,
		title: "",
		status: "draft",
		authorId: null,
		rev: "1",
		hasDraft: false,
		before: "old",
	}));

test("terms without a translation are part of an item's terms", async () => {
	answer = ({ op }) => ({
		ok: true,
		data:
			op === "content_get"
				? { item: { data: {}, slug: "a" }, _rev: "1" }
				: {
						terms: [{ id: "1", translationGroup: "g1", label: "One" }],
						unresolved: [
							{
								translationGroup: "g2",
								translations: [{ id: "2", slug: "zwei" }],
							},
						],
					},
	});
	const [row] = await readRows(
		"posts",
		["a"],
		{ name: ":tag", label: "Tags", isMany: true, taxonomy: "tag" },
		undefined,
	);

	assert.deepEqual(row.before, ["g1", "g2"]);
	assert.deepEqual(row.named, [
		["g1", "One"],
		["g2", "zwei"],
	]);
});

test("a portion that fails is told by its rows, and the others are written", async () => {
	const rows = many(120),
		changes = rows.map((row) => ({ row, next: "new" }));

	answer = ({ op }) =>
		op === "content_get"
			? { ok: true, data: { item: { data: { topic: "old" } }, _rev: "1" } }
			: { ok: true, data: { _rev: "2" } };
	isDown = 1;
	await writeRows("posts", field, changes);
	assert.equal(rows.filter((row) => row.error).length, 50);
	assert.equal(rows.filter((row) => row.after === "2").length, 70);

	// The first portion was written, but its answer was lost.
	answer = ({ op }) =>
		op === "content_get"
			? { ok: true, data: { item: { data: { topic: "new" } }, _rev: "3" } }
			: { ok: true, data: { _rev: "2" } };
	isDown = 1;
	await writeRows("posts", field, changes);
	assert.equal(rows.filter((row) => row.error).length, 0);
	assert.equal(rows.filter((row) => row.after === "3").length, 50);

	// So is Undo, again and again until all rows have it.
	isDown = 1;
	assert.equal((await undoRows("posts", field, rows, false)).length, 50);
	assert.equal(rows.filter((row) => row.after).length, 50);
	assert.deepEqual(await undoRows("posts", field, rows, false), []);
	assert.equal(rows.filter((row) => row.after).length, 0);
	batches = 0;
	assert.deepEqual(await undoRows("posts", field, rows, false), []);
	assert.equal(batches, 0);
});
