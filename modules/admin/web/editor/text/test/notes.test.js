// notes.test.js - footnotes of two people stay two, and so do those that are pasted.
import assert from "node:assert/strict";
import test from "node:test";
import { Slice } from "prosemirror-model";
import { AllSelection, EditorState, Selection } from "prosemirror-state";
import { merge } from "../../save/merge.js";
import { Bridge } from "../blocks.js";
import { relabeled } from "../copy.js";
import { uniqueKeys } from "../keys.js";
import { insertFootnote, notesOf } from "../notes.js";

const paragraph = (key) => ({
	_type: "block",
	_key: key,
	style: "normal",
	children: [{ _type: "span", _key: `${key}0`, text: "Words" }],
});

function open(blocks) {
	const bridge = new Bridge(blocks);

	return { bridge, state: EditorState.create({ doc: bridge.doc, plugins: [uniqueKeys(bridge)] }) };
}

/** The blocks with a footnote at the end of the block with this number. */
function withNote(blocks, number) {
	let { bridge, state } = open(blocks),
		end = 0;

	for (let i = 0; i <= number; i++) end += state.doc.child(i).nodeSize;
	state = state.apply(state.tr.setSelection(Selection.near(state.doc.resolve(end - 1))));
	insertFootnote(state, (tr) => (state = state.apply(tr)));
	return bridge.value(state.doc);
}

const numbersOf = (doc) => [...notesOf(doc).numbers.values()];

test("the first footnotes of two people are two when their texts are merged", () => {
	const base = [paragraph("a"), paragraph("b")],
		sides = [base, withNote(base, 0), withNote(base, 1)].map((body) => new Map([["body", body]])),
		{ values, conflicts } = merge(...sides, () => true, new Map([["body:order", "both"]])),
		labels = values
			.get("body")
			.filter((one) => one._type === "footnote")
			.map((one) => one.label);

	assert.equal(conflicts.filter((one) => one.kind === "block").length, 0);
	assert.equal(new Set(sides.slice(1).map((side) => side.get("body").at(-1).label)).size, 2);
	assert.equal(labels.length, 2);
	assert.equal(new Set(labels).size, 2);
	// A label that Markdown can have.
	for (const label of labels) assert.match(label, /^[0-9a-z]{1,32}$/);
});

test("a pasted footnote has a label of its own if its label is taken, and its reference too", () => {
	const one = { ...paragraph("a"), children: [{ _type: "footnoteReference", _key: "r", label: "1" }] },
		note = {
			_type: "footnote",
			_key: "n",
			label: "1",
			content: [{ _type: "span", _key: "s", text: "Note" }],
		},
		{ state } = open([one, note]),
		copied = Slice.fromJSON(
			state.schema,
			JSON.parse(JSON.stringify(new AllSelection(state.doc).content().toJSON())),
		);

	const next = state.apply(state.tr.replace(0, 0, new Slice(relabeled(copied, state.doc).content, 0, 0)));
	assert.equal(next.doc.childCount, 4);
	assert.deepEqual(numbersOf(next.doc), [1, 2]);
	assert.deepEqual(new Set(notesOf(next.doc).references.map((r) => r.label)).size, 2);
	// In another text it keeps its label.
	assert.equal(relabeled(copied, open([paragraph("b")]).state.doc), copied);
	// A copy without the clipboard gets a label, too.
	const twice = state.apply(state.tr.insert(state.doc.content.size, state.doc.lastChild));
	assert.equal(new Set(notesOf(twice.doc).notes.map((n) => n.label)).size, 2);
});
