// property.test.js - random documents and edits: untouched blocks stay as they are, keys are unique, undo restores.
// DOCUMENTS is the number of documents (2000), SEED the first seed.
import assert from "node:assert/strict";
import test from "node:test";
import { closeHistory, history, undo } from "prosemirror-history";
import { EditorState } from "prosemirror-state";
import { Bridge, keyOf, nodeOf } from "../blocks.js";
import { uniqueKeys } from "../keys.js";
import { edit } from "./edits.js";
import { Random } from "./random.js";

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 2000);
const SEED = Number(process.env.SEED ?? 1);
const EDITS = 6;

/** Fails if two blocks, or two children of a block, have the same key, unless they were loaded with it. */
function checkKeys(blocks, untouched, came, where) {
	const seen = new Set(),
		isTwice = (key) => came.filter((b) => b?._key === key).length > 1;

	for (const block of blocks) {
		if (!untouched.has(block) && typeof block?._key === "string") {
			assert.ok(
				!seen.has(block._key) || isTwice(block._key),
				`${where}: two blocks have the key ${block._key}`,
			);
			const holders =
				block._type === "table"
					? block.rows.flatMap((r) => r.cells?.map((c) => c.content) ?? [])
					: [block.children ?? block.content ?? []];

			for (const children of holders.filter(Array.isArray)) {
				const keys = children.map((c) => c?._key).filter((k) => typeof k === "string");

				if (nodeOf(block).type.name !== "atom")
					assert.equal(
						new Set(keys).size,
						keys.length,
						`${where}: children with one key in ${JSON.stringify(block)}`,
					);
			}
		}
		if (typeof block?._key === "string") seen.add(block._key);
	}
}

function checkDocument(seed, counts) {
	const random = new Random(seed);
	const blocks = random.document();
	const text = JSON.stringify(blocks);
	const bridge = new Bridge(blocks);
	const texts = new Map();
	let state = EditorState.create({ doc: bridge.doc, plugins: [history(), uniqueKeys(bridge)] });

	assert.equal(JSON.stringify(bridge.value(state.doc)), text, `seed ${seed}: loaded and saved`);
	state.doc.forEach((node, pos, i) => texts.set(node, JSON.stringify(blocks[i])));
	for (let i = 0; i < EDITS; i++) {
		const step = edit(state, random);
		const where = `seed ${seed}, edit ${i} (${step.name})`;

		state = step.state.apply(closeHistory(step.state.tr));
		state.doc.check();
		const value = bridge.value(state.doc),
			untouched = new Set();
		state.doc.forEach((node, pos, at) => {
			if (!texts.has(node)) return;
			assert.equal(
				JSON.stringify(value[at]),
				texts.get(node),
				`${where}: a block that nobody touched`,
			);
			untouched.add(value[at]);
			counts.untouched++;
		});
		counts[step.name] = (counts[step.name] ?? 0) + 1;
		checkKeys(value, untouched, blocks, where);
		// Loading and saving it once more changes nothing.
		const again = new Bridge(structuredClone(value));
		assert.equal(JSON.stringify(again.value(again.doc)), JSON.stringify(value), where);
		assert.ok(
			!/<script|onerror|javascript:window/i.test(
				JSON.stringify(value.filter((b) => b?._type !== "htmlBlock" && !untouched.has(b))),
			),
			`${where}: script`,
		);
	}
	for (
		let i = 0;
		i < 200 &&
		undo(state, (tr) => {
			state = state.apply(tr);
		});
		i++
	);
	assert.equal(JSON.stringify(bridge.value(state.doc)), text, `seed ${seed}: all undone`);
	assert.ok(
		[...state.doc.content.content].every((node) => keyOf(node) === null || typeof keyOf(node) === "string"),
	);
}

test("blocks that nobody touches stay the same to the byte, and undo restores the others", () => {
	const counts = { untouched: 0 };

	for (let i = 0; i < DOCUMENTS; i++) checkDocument(SEED + i, counts);
	console.log(`# ${DOCUMENTS} documents, ${JSON.stringify(counts)}`);
	assert.ok(DOCUMENTS < 500 || Object.keys(counts).length > 20, "each kind of edit was done");
});
