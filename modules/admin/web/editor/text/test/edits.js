// edits.js - random edits of a document, such as a person makes.
import { parse } from "parse5";
import { NodeSelection, TextSelection } from "prosemirror-state";
import { Slice } from "prosemirror-model";
import * as commands from "../commands.js";
import { nodesOfText, openSlice } from "../copy.js";
import { duplicate, moveTo } from "../moves.js";
import * as notes from "../notes.js";
import { nodesOfDom } from "../paste.js";
import { schema } from "../schema.js";

/** Wraps a parse5 node with the part of the DOM API that nodesOfDom uses. */
function asDom(node) {
	const out = {
		nodeName: node.nodeName,
		nodeType: node.nodeName === "#text" ? 3 : node.tagName ? 1 : 8,
		nodeValue: node.value ?? null,
		nextSibling: null,
		getAttribute: (name) => node.attrs?.find((a) => a.name === name)?.value ?? null,
	};
	const children = (node.childNodes ?? []).map(asDom);

	children.forEach((child, i) => {
		child.nextSibling = children[i + 1] ?? null;
	});
	out.firstChild = children[0] ?? null;
	Object.defineProperty(out, "textContent", {
		get: () => (out.nodeType === 3 ? out.nodeValue : children.map((c) => c.textContent).join("")),
	});
	return out;
}

export const nodesOfHtml = (html) => nodesOfDom(asDom(parse(html)));

/** A random cursor, range, or selected atom. */
function select(state, random) {
	const size = state.doc.content.size;
	const $a = state.doc.resolve(random.int(size + 1));
	const $b = random.chance(0.5) ? $a : state.doc.resolve(random.int(size + 1));

	if (random.chance(0.1)) {
		const places = [];

		state.doc.forEach((node, pos) => node.type.name !== "table" && places.push(pos));
		if (places.length > 0)
			return state.apply(state.tr.setSelection(NodeSelection.create(state.doc, random.pick(places))));
	}
	return state.apply(state.tr.setSelection(TextSelection.between($a, $b)));
}

const run = (command) => (state) => {
	let next = state;

	command(state, (tr) => {
		next = state.apply(tr);
	});
	return next;
};

const paste = (slice) => (state) => state.apply(state.tr.replaceSelection(slice));

/** Copies or cuts one range and inserts it at another position. */
function copy(state, random, cuts) {
	const slice = state.selection.content();
	// Like the clipboard: the nodes are created anew.
	const made = random.chance(0.5) ? slice : Slice.fromJSON(schema, JSON.parse(JSON.stringify(slice.toJSON())));
	const next = cuts ? state.apply(state.tr.deleteSelection()) : state;

	return paste(made)(select(next, random));
}

/** The kinds of edits: a name and (state, random) => state. */
export const edits = [
	["type", (s, r) => s.apply(s.tr.insertText(r.words()))],
	["delete", (s) => s.apply(s.tr.deleteSelection())],
	["split", (s) => run(commands.split)(s)],
	[
		"join",
		(s, r) => {
			const at = s.selection.$from.depth === 1 ? s.selection.$from.before(1) : null;

			if (at === null) return s;
			return run(commands.join(r.pick([-1, 1])))(
				s.apply(s.tr.setSelection(TextSelection.near(s.doc.resolve(at + 1)))),
			);
		},
	],
	["move", (s, r) => run(commands.moveBlock(r.pick([-1, 1])))(s)],
	["mark", (s, r) => run(commands.toggle(r.pick(["strong", "em", "code"])))(s)],
	["link", (s, r) => run(commands.setLink(r.pick(["https://example.org/b", null]), "word"))(s)],
	["style", (s, r) => run(commands.setStyle(r.pick(["normal", "h2", "blockquote"])))(s)],
	["list", (s, r) => run(commands.toggleList(r.pick(["bullet", "number"])))(s)],
	["indent", (s, r) => run(commands.indent(r.pick([-1, 1])))(s)],
	["break", (s) => run(commands.lineBreak)(s)],
	["copy", (s, r) => copy(s, r, false)],
	["cut", (s, r) => copy(s, r, true)],
	["html", (s, r) => paste(openSlice(nodesOfHtml(r.html())))(s)],
	["text", (s, r) => paste(openSlice(nodesOfText(`${r.words()}\n\n${r.words()}\n${r.words()}`)))(s)],
	["atom", (s) => run(commands.insertBlock(commands.newAtom({ _type: "break" })))(s)],
	["table", (s) => run(commands.insertBlock(commands.newTable(2, 2)))(s)],
	["row", (s, r) => run(r.pick([commands.addRow, commands.removeRow]))(s)],
	["column", (s, r) => run(r.pick([commands.addColumn, commands.removeColumn, commands.toggleHead]))(s)],
	["move far", (s, r) => run(moveTo(r.int(s.doc.childCount), r.int(s.doc.childCount + 1)))(s)],
	["duplicate", (s) => run(duplicate)(s)],
	["footnote", (s, r) => run(r.pick([notes.insertFootnote, notes.insertFootnote, notes.removeFootnote]))(s)],
	["callout", (s, r) => run(r.pick([notes.toCallout, notes.fromCallout, notes.leaveCallout]))(s)],
	[
		"edge",
		(s, r) => {
			const { $from } = s.selection,
				isBack = r.chance(0.5);
			const at = s.apply(
				s.tr.setSelection(
					TextSelection.near(s.doc.resolve(isBack ? $from.start() : $from.end())),
				),
			);

			return run(isBack ? notes.backwardAtEdge : notes.forwardAtEdge)(at);
		},
	],
	["remove", (s) => run(commands.removeBlock)(s)],
];

export function edit(state, random) {
	const [name, change] = random.pick(edits);

	return { name, state: change(select(state, random), random) };
}
