// keys.js - keeps the _key members of blocks and inline objects unique.
//
// Splitting, pasting and joining can duplicate or drop keys. After each change, new blocks get a key; of two blocks
// with the same key, the older keeps it, and its label if they are footnotes. Unchanged blocks are left alone, even if they were loaded with wrong keys.
import { isHistoryTransaction } from "prosemirror-history";
import { Plugin } from "prosemirror-state";
import { keyOf, newKey } from "./blocks.js";

/** Returns the blocks that need a new key (out), and the positions of unchanged blocks (kept). */
function faults(before, doc, bridge) {
	const owner = new Map(),
		kept = new Set(),
		seen = new Set(),
		out = [];
	const own = (key, pos) => owner.set(key, [...(owner.get(key) ?? []), pos]);

	doc.forEach((node, pos) => {
		if (!before.has(node) || seen.has(node)) return;
		seen.add(node);
		kept.add(pos);
		own(keyOf(node), pos);
	});
	doc.forEach((node, pos) => {
		const key = keyOf(node);

		if (kept.has(pos)) return;
		const isOriginal = bridge.original(node) !== undefined;
		if (
			key === null
				? !isOriginal && !node.attrs.rest
				: owner.has(key) && !(isOriginal && owner.get(key).length < bridge.count(key))
		)
			out.push({ pos, node });
		else own(key, pos);
	});
	return { kept, out };
}

/** Makes the keys of inline objects unique within their block or cell. */
function fixObjects(tr, node, pos) {
	const holder = new Map();

	node.descendants((child, at, parent) => {
		if (child.type.name !== "object") return;
		const seen = holder.get(parent) ?? new Set();
		const key = child.attrs.json._key;

		holder.set(parent, seen);
		if (typeof key !== "string" || !seen.has(key)) seen.add(key);
		else tr.setNodeAttribute(pos + 1 + at, "json", { ...child.attrs.json, _key: newKey() });
	});
}

/** Gives a row or cell a new key if an earlier one has the same key. */
function fixTable(tr, table, pos) {
	const rows = new Set();

	table.forEach((row, at) => {
		const cells = new Set();

		if (row.attrs.key !== null && rows.has(row.attrs.key))
			tr.setNodeAttribute(pos + 1 + at, "key", newKey());
		rows.add(row.attrs.key);
		row.forEach((cell, inner) => {
			if (cell.attrs.key !== null && cells.has(cell.attrs.key))
				tr.setNodeAttribute(pos + 1 + at + 1 + inner, "key", newKey());
			cells.add(cell.attrs.key);
		});
	});
}

/** Gives a block of a callout a new key if an earlier one has the same key, or if it is new and has none. */
function fixCallout(tr, callout, pos) {
	const seen = new Set();

	callout.forEach(({ attrs: { key, rest } }, at) => {
		if (key === null ? rest === null : seen.has(key)) tr.setNodeAttribute(pos + 1 + at, "key", newKey());
		seen.add(key);
	});
}

/** Is this a footnote whose label another footnote has, too? */
const isCopy = (doc, { type, attrs: { label } }) =>
	type.name === "footnote" &&
	doc.content.content.filter((one) => one.type === type && one.attrs.label === label).length > 1;

function giveKey(tr, { pos, node }) {
	const { json } = node.attrs;

	if (isCopy(tr.doc, node)) tr.setNodeAttribute(pos, "label", newKey());
	if (node.type.name !== "atom") tr.setNodeAttribute(pos, "key", newKey());
	else if (json !== null && typeof json === "object" && !Array.isArray(json))
		tr.setNodeAttribute(pos, "json", { ...json, _key: newKey() });
}

/** @param {import("./blocks.js").Bridge} bridge knows the blocks that were loaded */
export function uniqueKeys(bridge) {
	return new Plugin({
		appendTransaction(transactions, old, state) {
			// Undo restores a document whose keys were unique.
			if (!transactions.some((t) => t.docChanged) || transactions.some(isHistoryTransaction))
				return null;
			const before = new Set(),
				tr = state.tr;

			old.doc.forEach((node) => before.add(node));
			const { kept, out } = faults(before, state.doc, bridge);
			state.doc.forEach((node, pos) => {
				if (kept.has(pos)) return;
				fixObjects(tr, node, pos);
				if (node.type.name === "table") fixTable(tr, node, pos);
				if (node.type.name === "callout") fixCallout(tr, node, pos);
			});
			for (const fault of out) giveKey(tr, fault);
			return tr.docChanged ? tr : null;
		},
	});
}
