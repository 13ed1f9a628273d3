// found.test.js - finding and replacing words in texts, tables, code and pictures.
import assert from "node:assert/strict";
import test from "node:test";
import { EditorState } from "prosemirror-state";
import { Bridge } from "../blocks.js";
import { findAll, nextFrom, replaceAll } from "../found.js";

const span = (key, text, marks) => ({ _type: "span", _key: key, text, ...(marks ? { marks } : {}) });
const body = [
	{
		_type: "block",
		_key: "a",
		style: "normal",
		markDefs: [{ _key: "l", _type: "link", href: "https://example.org/" }],
		children: [
			span("1", "A Jet, a j"),
			span("2", "et", ["l"]),
			{ _type: "math", tex: "jet" },
			span("3", "jet"),
		],
	},
	{ _type: "code", _key: "c", code: "jet = jet", language: "jet" },
	{
		_type: "table",
		_key: "t",
		rows: [
			{
				_type: "tableRow",
				_key: "r",
				cells: [{ _type: "tableCell", _key: "d", content: [span("4", "jets")] }],
			},
		],
	},
	{ _type: "image", _key: "i", asset: {}, caption: "Jet" },
];

function change(words, isExact, pick, by) {
	const bridge = new Bridge(body),
		state = EditorState.create({ doc: bridge.doc }),
		all = findAll(state.doc, words, isExact);

	return { all, value: bridge.value(state.apply(replaceAll(state.tr, pick(all), by)).doc) };
}

test("words are found across marks, in cells, code and captions", () => {
	const { all, value } = change("jet", false, (found) => found, "fan");

	assert.deepEqual(
		all.map(({ member }) => member ?? ""),
		["", "", "", "code", "code", "", "caption"],
	);
	assert.deepEqual(
		value[0].children.map((one) => one.text ?? one.tex),
		["A fan, a fan", "jet", "fan"],
	);
	assert.equal(value[1].code, "fan = fan");
	assert.equal(value[2].rows[0].cells[0].content[0].text, "fans");
	assert.equal(value[3].caption, "fan");
});
test("blocks without a match stay the same objects", () => {
	const { value } = change("Jet", true, (found) => found.slice(0, 1), "Fan");

	assert.equal(value[0].children[0].text, "A Fan, a j");
	for (const i of [1, 2, 3]) assert.equal(value[i], body[i]);
});
test("signs of patterns are words, and a capital is found by its small letter", () => {
	const doc = new Bridge([{ _type: "block", _key: "a", children: [span("1", "(a+b)* [x] É\u0130 ^$")] }]).doc;

	for (const words of ["(a+b)*", "[x]", "^$", "é", "\\"]) {
		const n = findAll(doc, words, false).length;

		assert.equal(n, words === "\\" ? 0 : 1, words);
	}
	assert.equal(findAll(doc, "", false).length, 0);
});
test("nothing in place of a caption takes the member out", () => {
	const { value } = change("Jet", true, (found) => found.slice(-1), "");

	assert.equal("caption" in value[3], false);
});
test("the next match is the one behind the cursor, and after the last the first", () => {
	const { all } = change("jet", false, () => [], "");

	assert.equal(nextFrom(all, { from: 0, at: 0 }), 0);
	assert.equal(nextFrom(all, { from: all[3].from, at: 1, member: "code" }), 4);
	assert.equal(nextFrom(all, { from: 999, at: 0 }), 0);
});
test("titles of callouts are found and replaced, from the end of the text", () => {
	const callout = {
			_type: "callout",
			_key: "c",
			kind: "note",
			title: "Jet",
			content: [{ _type: "block", _key: "p", style: "normal", children: [span("1", "A jet")] }],
		},
		bridge = new Bridge([callout]),
		state = EditorState.create({ doc: bridge.doc }),
		all = findAll(state.doc, "jet", false);

	assert.deepEqual(
		all.map(({ from, to, member }) => [from, to, member]),
		[
			[0, state.doc.content.size, "title"],
			[4, 7, undefined],
		],
	);
	const [value] = bridge.value(state.apply(replaceAll(state.tr, all, "longer")).doc);
	assert.deepEqual([value.title, value.content[0].children[0].text], ["longer", "A longer"]);
});
