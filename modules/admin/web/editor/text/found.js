// found.js - finds words in a document, and replaces them: in texts, and in the members that are edited in place.

const members = { code: ["code"], image: ["caption", "alt"] };
const MOST = 5000; // matches
const isCallout = (node) => node.type.name === "callout";

/** The members of a block that have words, with these. @returns {[string, unknown][]} */
const wordsOf = (node) =>
	isCallout(node)
		? [["title", node.attrs.title]]
		: (members[node.attrs.json?._type] ?? []).map((name) => [name, node.attrs.json[name]]);

/**
 * A match: a range of a text, or, with `member`, the block at `from` and where the words begin in that member.
 * @typedef {{from: number, to: number, member?: string, at: number, length: number}} Found
 */

/** @param {string} words @param {boolean} isExact capital letters matter */
const patternOf = (words, isExact) => new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), isExact ? "gu" : "giu");

/**
 * All matches, in their order.
 * @param {import("prosemirror-model").Node} doc @param {string} words @param {boolean} isExact @returns {Found[]}
 */
export function findAll(doc, words, isExact) {
	const out = [];

	if (words === "") return out;
	const pattern = patternOf(words, isExact);
	doc.descendants((node, pos) => {
		if (out.length >= MOST) return false;
		if (node.isTextblock) {
			const text = node.textBetween(0, node.content.size, null, "\ufffc");

			for (const { index, 0: found } of text.matchAll(pattern))
				out.push({
					from: pos + 1 + index,
					to: pos + 1 + index + found.length,
					at: 0,
					length: found.length,
				});
			return false;
		}
		for (const [member, text] of wordsOf(node))
			for (const { index, 0: found } of typeof text === "string" ? text.matchAll(pattern) : [])
				out.push({
					from: pos,
					to: pos + node.nodeSize,
					member,
					at: index,
					length: found.length,
				});
		return true;
	});
	return out;
}

/**
 * Replaces a match. What stands in the place of a text has the marks of its first letter.
 * @param {import("prosemirror-state").Transaction} tr @param {Found} found @param {string} words
 */
function replaceOne(tr, { from, to, member, at, length }, words) {
	const node = tr.doc.nodeAt(from);

	if (member === undefined) {
		if (words === "") tr.delete(from, to);
		else tr.replaceWith(from, to, node.type.schema.text(words, node.marks));
		return;
	}
	const was = isCallout(node) ? node.attrs : node.attrs.json,
		text = was[member].slice(0, at) + words + was[member].slice(at + length),
		next = { ...was, [member]: text };
	if (isCallout(node)) {
		tr.setNodeAttribute(from, member, text || null);
		return;
	}
	if (text === "" && member !== "code") delete next[member];
	tr.setNodeAttribute(from, "json", next);
}

/**
 * Replaces all these matches of the transaction's document.
 * @param {import("prosemirror-state").Transaction} tr @param {Found[]} found @param {string} words
 */
export function replaceAll(tr, found, words) {
	// From the end, so that positions before stay as they are; in one block, from its last member.
	for (const one of found.toReversed()) replaceOne(tr, one, words);
	return tr;
}

/**
 * The number of the first match at a place or after it; the first of all if there is none.
 * @param {Found[]} all @param {{from: number, at: number, member?: string}} place
 */
export function nextFrom(all, place) {
	const at = all.findIndex(
		(one) =>
			one.from > place.from ||
			(one.from === place.from && (one.member !== place.member || one.at >= place.at)),
	);

	return Math.max(at, 0);
}
