// keys.js - keeps the keys of blocks and inline objects unique.
//
// Splitting, pasting and joining bring keys twice, or none. After each change the blocks that are new get a key, and
// of two blocks with one key the one that was there before keeps it. Blocks that were not touched are left alone,
// whatever keys they came with.
import { isHistoryTransaction } from "prosemirror-history";
import { Plugin } from "prosemirror-state";
import { keyOf, newKey } from "./blocks.js";

/** The places of blocks that need another key, and of those that nobody touched. */
function faults(before, doc, bridge) {
	const owner = new Map(), kept = new Set(), seen = new Set(), out = [];
	const own = (key, pos) => owner.set(key, [...(owner.get(key) ?? []), pos]);

	doc.forEach((node, pos) => {
		if (!before.has(node) || seen.has(node))
			return;
		seen.add(node);
		kept.add(pos);
		own(keyOf(node), pos);
	});
	doc.forEach((node, pos) => {
		const key = keyOf(node);

		if (kept.has(pos))
			return;
		const isOriginal = bridge.original(node) !== undefined;
		if (key === null ? !isOriginal && !node.attrs.rest : owner.has(key) && !(isOriginal && owner.get(key).length < bridge.count(key)))
			out.push({ pos, node });
		else
			own(key, pos);
	});
	return { kept, out };
}

/** Gives the inline objects of a block keys of their own; those of cells too. */
function fixObjects(tr, node, pos) {
	const holder = new Map();

	node.descendants((child, at, parent) => {
		if (child.type.name !== "object")
			return;
		const seen = holder.get(parent) ?? new Set();
		const key = child.attrs.json._key;

		holder.set(parent, seen);
		if (typeof key !== "string" || !seen.has(key))
			seen.add(key);
		else
			tr.setNodeAttribute(pos + 1 + at, "json", { ...child.attrs.json, _key: newKey() });
	});
}

/** Gives rows and cells another key if one before them has theirs. */
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

function giveKey(tr, { pos, node }) {
	const { json } = node.attrs;

	if (node.type.name !== "atom")
		tr.setNodeAttribute(pos, "key", newKey());
	else if (json !== null && typeof json === "object" && !Array.isArray(json))
		tr.setNodeAttribute(pos, "json", { ...json, _key: newKey() });
}

/** @param {import("./blocks.js").Bridge} bridge knows the blocks that were loaded */
export function uniqueKeys(bridge) {
	return new Plugin({
		appendTransaction(transactions, old, state) {
			// Undo goes back to a document whose keys were in order.
			if (!transactions.some((t) => t.docChanged) || transactions.some(isHistoryTransaction))
				return null;
			const before = new Set(), tr = state.tr;

			old.doc.forEach((node) => before.add(node));
			const { kept, out } = faults(before, state.doc, bridge);
			state.doc.forEach((node, pos) => {
				if (kept.has(pos))
					return;
				fixObjects(tr, node, pos);
				if (node.type.name === "table")
					fixTable(tr, node, pos);
			});
			for (const fault of out)
				giveKey(tr, fault);
			return tr.docChanged ? tr : null;
		},
	});
}
