// notes.js - the commands of footnotes and callouts.
import { NodeSelection, Selection, TextSelection } from "prosemirror-state";
import { newKey } from "./blocks.js";
import { plainBackward, removeSelection } from "./commands.js";
import { schema } from "./schema.js";

const { block, callout, footnote, object } = schema.nodes;

/* ---- footnotes ---- */

export const isReference = (node) => node?.type === object && node.attrs.json?._type === "footnoteReference";

/** @type {WeakMap<any, {label: string, at: number}[]>} by a node of the top level, which never changes */
const known = new WeakMap();

/** The references in a node of the top level. */
function referencesIn(node) {
	let found = known.get(node);

	if (found === undefined) {
		found = [];
		node.descendants((child, at) => {
			if (isReference(child)) found.push({ label: String(child.attrs.json.label), at: at + 1 });
		});
		known.set(node, found);
	}
	return found;
}

/**
 * The footnotes of a text and the references to them, in their order, with the numbers that readers see: those of the
 * order of the references; footnotes without a reference come last. A reference to nothing has no number.
 */
export function notesOf(doc) {
	const references = [],
		notes = [],
		numbers = new Map();

	doc.forEach((node, pos) => {
		for (const { label, at } of referencesIn(node)) references.push({ label, pos: pos + at });
		if (node.type === footnote) notes.push({ label: node.attrs.label, pos, size: node.nodeSize });
	});
	const labels = new Set(notes.map(({ label }) => label));
	for (const { label } of [...references, ...notes])
		if (labels.has(label) && !numbers.has(label)) numbers.set(label, numbers.size + 1);
	return { references, notes, numbers };
}

/** Where a new footnote belongs: behind that of the reference before, else before all others, if they end the text. */
function placeOf(doc, pos, { references, notes }) {
	const labels = references.filter((one) => one.pos < pos).map(({ label }) => label),
		before = notes.filter(({ label }) => labels.includes(label)),
		last = before.length > 0 ? before.at(-1) : null;
	let trailing = doc.content.size;

	for (const note of notes.toReversed()) if (note.pos + note.size === trailing) trailing = note.pos;
	return last === null ? trailing : Math.max(last.pos + last.size, trailing);
}

/**
 * A footnote at the end of the text, with the cursor in it, and the reference to it at the cursor. Its label is random, so
 * that two people's first footnotes stay two when their texts are merged.
 */
export function insertFootnote(state, dispatch) {
	const { $from, $to } = state.selection;

	if (!$from.parent.inlineContent || !$to.parent.inlineContent || $to.parent.type === footnote) return false;
	if (!dispatch) return true;
	const all = notesOf(state.doc),
		label = newKey(),
		tr = state.tr;

	tr.insert($to.pos, object.create({ json: { _type: "footnoteReference", _key: newKey(), label } }));
	const at = tr.mapping.map(placeOf(state.doc, $to.pos, all));
	tr.insert(at, footnote.create({ key: newKey(), label }));
	dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
	return true;
}

/** The footnote that the selection is in: its node and position; null if there is none. */
function footnoteAt({ selection: { $from } }) {
	return $from.depth === 1 && $from.parent.type === footnote ? { node: $from.parent, pos: $from.before() } : null;
}

/** From a footnote to behind its first reference. */
export function toReference(state, dispatch) {
	const at = footnoteAt(state),
		first = at && notesOf(state.doc).references.find(({ label }) => label === at.node.attrs.label);

	if (!first) return false;
	dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, first.pos + 1)).scrollIntoView());
	return true;
}

/** From a selected reference to the end of its footnote. */
export function toFootnote(state, dispatch) {
	const { node } = /** @type {NodeSelection} */ (state.selection),
		note =
			isReference(node) &&
			notesOf(state.doc).notes.find(({ label }) => label === node.attrs.json.label);

	if (!note) return false;
	dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, note.pos + note.size - 1)).scrollIntoView());
	return true;
}

/** Takes a footnote out with its references; the cursor is where the first of them was. */
export function removeFootnote(state, dispatch) {
	const at = footnoteAt(state);

	if (at === null) return false;
	if (dispatch) {
		const all = notesOf(state.doc).references.filter(({ label }) => label === at.node.attrs.label),
			tr = state.tr.delete(at.pos, at.pos + at.node.nodeSize);

		for (const { pos } of all) {
			// One in the footnote itself is gone already.
			const { pos: now, deletedAfter } = tr.mapping.mapResult(pos);

			if (!deletedAfter) tr.delete(now, now + 1);
		}
		if (tr.doc.childCount === 0) tr.insert(0, block.create({ key: newKey() }));
		const to = tr.mapping.map(all[0]?.pos ?? at.pos);
		dispatch(tr.setSelection(Selection.near(tr.doc.resolve(to), -1)).scrollIntoView());
	}
	return true;
}

/** To the end of the text that is before the footnotes. */
export function toEndOfText(state, dispatch) {
	let at = state.doc.content.size,
		i = state.doc.childCount;

	while (i > 1 && state.doc.child(i - 1).type === footnote) at -= state.doc.child(--i).nodeSize;
	if (i === state.doc.childCount) return false;
	dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve(at), -1)).scrollIntoView());
	return true;
}

/* ---- callouts ---- */

const moved = (doc, anchor, head) => TextSelection.between(doc.resolve(anchor), doc.resolve(head));

/** Makes the selected blocks the content of a callout. */
export function toCallout(state, dispatch) {
	const range = state.selection.$from.blockRange(state.selection.$to);
	const inner = range ? state.doc.content.content.slice(range.startIndex, range.endIndex) : [];

	if (!range || range.depth > 0 || !inner.every((node) => node.type === block)) return false;
	if (dispatch) {
		const { anchor, head } = state.selection,
			tr = state.tr.replaceRangeWith(
				range.start,
				range.end,
				callout.create({ key: newKey(), kind: "note" }, inner),
			);

		if (tr.doc.childCount === 1 || tr.doc.lastChild?.type === callout)
			tr.insert(tr.doc.content.size, block.create({ key: newKey() })); // a place to go on
		dispatch(tr.setSelection(moved(tr.doc, anchor + 1, head + 1)).scrollIntoView());
	}
	return true;
}

/** The callout with the cursor: its node and position, and the place of the cursor's block in it. */
function calloutAt({ selection: { $from } }) {
	return $from.depth === 2 && $from.node(1).type === callout
		? { node: $from.node(1), pos: $from.before(1), index: $from.index(1) }
		: null;
}

/** Takes the blocks out of the callout; its title becomes a paragraph of its own. */
export function fromCallout(state, dispatch) {
	const at = calloutAt(state);

	if (at === null) return false;
	if (dispatch) {
		const { title } = at.node.attrs,
			blocks = at.node.content.content.slice();

		if (title)
			blocks.unshift(
				block.create({ key: newKey() }, schema.text(title, [schema.marks.strong.create()])),
			);
		const by = blocks.length > at.node.childCount ? blocks[0].nodeSize - 1 : -1,
			{ anchor, head } = state.selection,
			tr = state.tr.replaceWith(at.pos, at.pos + at.node.nodeSize, blocks);
		dispatch(tr.setSelection(moved(tr.doc, anchor + by, head + by)).scrollIntoView());
	}
	return true;
}

/** Enter in an empty last block leaves the callout: the block comes behind it. */
export function leaveCallout(state, dispatch) {
	const at = calloutAt(state),
		{ parent } = state.selection.$from;

	if (at === null || parent.content.size > 0 || parent.attrs.list !== null) return false;
	if (at.index < at.node.childCount - 1 || at.node.childCount === 1) return false;
	if (dispatch) {
		const here = state.selection.$from.before(),
			tr = state.tr.delete(here, here + parent.nodeSize),
			end = at.pos + at.node.nodeSize - parent.nodeSize;

		tr.insert(end, parent);
		dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView());
	}
	return true;
}

/* ---- the edges of both ---- */

const isAtStart = ({ selection }) => selection.empty && selection.$from.parentOffset === 0,
	isAtEnd = ({ selection }) =>
		selection.empty && selection.$from.parentOffset === selection.$from.parent.content.size;

/** Backspace at the start of a footnote, which it takes out if it is empty, or of a callout: nothing of the text around it is joined. */
export function backwardAtEdge(state, dispatch) {
	if (!isAtStart(state)) return false;
	const note = footnoteAt(state);
	if (note !== null) return note.node.content.size > 0 || removeFootnote(state, dispatch);
	return calloutAt(state)?.index === 0 && (plainBackward(state, dispatch) || fromCallout(state, dispatch));
}

/** Delete at the end of a footnote or of a callout. */
export function forwardAtEdge(state, dispatch) {
	const at = calloutAt(state);

	if (!state.selection.empty) return removeSelection(state, dispatch);
	return isAtEnd(state) && (footnoteAt(state) !== null || at?.index === (at && at.node.childCount - 1));
}
