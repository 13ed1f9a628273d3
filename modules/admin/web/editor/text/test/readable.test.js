// readable.test.js - blocks that have no form are shown with their words, and come back as they were.
import assert from "node:assert/strict";
import test from "node:test";
import { Bridge } from "../blocks.js";
import { labelOf, wordsOf } from "../readable.js";

const span = (text) => ({ _type: "span", _key: "s", text });
const paragraph = (...children) => ({ _type: "block", _key: "p", style: "normal", children });
const blocks = [
	{
		_type: "callout",
		_key: "a",
		kind: "note",
		title: "Mind",
		content: [paragraph(span("One "), { _type: "math", _key: "m", tex: "a<b" })],
	},
	{
		_type: "definitionList",
		_key: "b",
		items: [{ _type: "definition", term: [paragraph(span("Term"))], content: [paragraph(span("Means"))] }],
	},
	{ _type: "math", _key: "c", tex: "e = mc^2" },
	{ _type: "footnote", _key: "d", label: "n", content: [span("Note")] },
	{ _type: "shortcode", _key: "e", name: "x", source: "{{< x >}}" },
	{
		_type: "block",
		_key: "f",
		style: "normal",
		listItem: "bullet",
		level: 1,
		checked: true,
		children: [span("Done")],
	},
	{
		_type: "table",
		_key: "g",
		caption: "Cap",
		hasHeaderRow: true,
		rows: [
			{
				_type: "tableRow",
				_key: "r",
				cells: [{ _type: "tableCell", _key: "c", align: "right", content: [span("x")] }],
			},
		],
	},
];

test("the words of a block are in their order", () => {
	assert.deepEqual(blocks.slice(0, 5).map(wordsOf), [
		"Mind\nOne a<b",
		"Term\nMeans",
		"e = mc^2",
		"n\nNote",
		"{{< x >}}",
	]);
	assert.equal(wordsOf({ _type: "odd", text: 5, children: "x" }), "");
	assert.equal(wordsOf(null), "");
	assert.equal(wordsOf({ text: "a".repeat(9000) }).length, 2000);
});

test("an object in a text has a label", () => {
	assert.equal(labelOf({ _type: "footnoteReference", label: "n" }), "[n]");
	assert.equal(labelOf({ _type: "html", html: "<kbd>" }), "<kbd>");
	assert.equal(labelOf({ _type: "poll" }), "poll");
	assert.equal(labelOf(null), "?");
});

test("blocks that are not edited come back as they were", () => {
	const bridge = new Bridge(blocks);

	assert.ok(bridge.value(bridge.doc).every((block, at) => block === blocks[at]));
	assert.equal(bridge.doc.child(5).type.name, "block");
	assert.equal(bridge.doc.child(5).attrs.rest.checked, true);
	assert.equal(bridge.doc.child(6).type.name, "table");
});
