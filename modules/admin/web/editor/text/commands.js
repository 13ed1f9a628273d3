// commands.js - the editing commands of keys and buttons. Each is a ProseMirror command: (state, dispatch) => done.
import { AllSelection, NodeSelection, Selection, TextSelection } from "prosemirror-state";
import { newKey } from "./blocks.js";
import { schema } from "./schema.js";

export const LEVEL_MAX = 8;
const { block, table, row, cell } = schema.nodes;

/** The text blocks that the selection touches, with their positions. */
export function selectedBlocks(state) {
	const out = [];

	state.doc.nodesBetween(state.selection.from, state.selection.to, (node, pos) => {
		if (node.type === block) out.push({ node, pos });
		return node.type !== block;
	});
	return out;
}

/** The top-level block in which the selection begins: its node, position and index. */
export function topBlock(state) {
	const { $from, node } = state.selection;

	if ($from.depth === 0) return { node: node ?? $from.nodeAfter, pos: $from.pos, index: $from.index(0) };
	return { node: $from.node(1), pos: $from.before(1), index: $from.index(0) };
}

function setAttrs(state, dispatch, change) {
	const found = selectedBlocks(state);

	if (found.length === 0) return false;
	if (dispatch) {
		const tr = state.tr;

		for (const { node, pos } of found)
			tr.setNodeMarkup(pos, null, { ...node.attrs, ...change(node.attrs) });
		dispatch(tr.scrollIntoView());
	}
	return true;
}

/** Makes the selected blocks paragraphs ("normal"), headings or quotations. Only a paragraph stays in its list. */
export function setStyle(style) {
	return (state, dispatch) =>
		setAttrs(state, dispatch, () => (style === "normal" ? { style } : { style, list: null, level: null }));
}

/** Makes the selected blocks items of a list, or, if all of them are, paragraphs. */
export function toggleList(list) {
	return (state, dispatch) => {
		const isAll = selectedBlocks(state).every(({ node }) => node.attrs.list === list);

		return setAttrs(state, dispatch, (attrs) =>
			isAll ? { list: null, level: null } : { style: "normal", list, level: attrs.level ?? 1 },
		);
	};
}

/** Moves the selected list items a level in (1) or out (-1). An item of the first level moved out leaves the list. */
export function indent(step) {
	return (state, dispatch) => {
		const items = selectedBlocks(state).filter(({ node }) => node.attrs.list !== null);

		if (items.length === 0) return false;
		if (dispatch) {
			const tr = state.tr;

			for (const { node, pos } of items) {
				const level = Math.min((node.attrs.level ?? 1) + step, LEVEL_MAX);

				tr.setNodeMarkup(
					pos,
					null,
					level < 1
						? { ...node.attrs, list: null, level: null }
						: { ...node.attrs, level },
				);
			}
			dispatch(tr.scrollIntoView());
		}
		return true;
	};
}

/** Backspace at the start of an item or a heading: first it becomes a paragraph. */
export function plainBackward(state, dispatch) {
	const { $cursor } = state.selection;

	if (!$cursor || $cursor.parent.type !== block || $cursor.parentOffset > 0) return false;
	if ($cursor.parent.attrs.list !== null) return indent(-1)(state, dispatch);
	return !["normal", null].includes($cursor.parent.attrs.style) && setStyle("normal")(state, dispatch);
}

/** Backspace at the start, or Delete at the end, joins two text blocks. The first keeps its key. */
export function join(direction) {
	return (state, dispatch) => {
		const { $cursor } = state.selection;
		const isEdge =
			$cursor &&
			$cursor.parent.type === block &&
			$cursor.parentOffset === (direction < 0 ? 0 : $cursor.parent.content.size);

		if (!isEdge) return false;
		const at = direction < 0 ? $cursor.before() : $cursor.after();
		const { nodeBefore, nodeAfter } = state.doc.resolve(at);
		if (nodeBefore?.type !== block || nodeAfter?.type !== block) return false;
		if (dispatch)
			dispatch(
				nodeBefore.content.size === 0
					? state.tr.delete(at - nodeBefore.nodeSize, at).scrollIntoView()
					: state.tr.join(at).scrollIntoView(),
			);
		return true;
	};
}

export const isTask = ({ attrs }) => typeof attrs.rest?.checked === "boolean";

/** True if a list of the text has tasks: items that can be checked. */
export function hasTasks(doc) {
	let has = false;

	doc.forEach((node) => {
		has = has || (node.type === block && isTask(node));
	});
	return has;
}

/** Enter: a new block. In an empty item it leaves the list; after a heading comes a paragraph. */
export function split(state, dispatch) {
	const { $from, empty } = state.selection;

	if ($from.parent.type !== block || !state.selection.$to.parent.isTextblock) return false;
	if (empty && $from.parent.content.size === 0 && $from.parent.attrs.list !== null)
		return indent(-1)(state, dispatch);
	if (!dispatch) return true;
	const tr = state.tr.deleteSelection();
	const $at = tr.selection.$from;
	if ($at.parent.type !== block) return false;
	const { style, list, level } = $at.parent.attrs;
	const atEnd = $at.parentOffset === $at.parent.content.size;
	const next = { style: list === null && atEnd ? "normal" : style, list, level, key: newKey() };

	if (list !== null && isTask($at.parent)) next.rest = { checked: false };

	if ($at.parentOffset === 0 && !atEnd)
		tr.insert($at.before(), block.create({ ...next, style })); // the block with the text keeps its key
	else tr.split($at.pos, 1, [{ type: block, attrs: next }]);
	dispatch(tr.scrollIntoView());
	return true;
}

/** Inserts a line break, which is a character of the text. */
export function lineBreak(state, dispatch) {
	if (!state.selection.$from.parent.isTextblock) return false;
	dispatch?.(state.tr.insertText("\n").scrollIntoView());
	return true;
}

/** Moves the selected block up (-1) or down (1). It stays the same node. */
export function moveBlock(step) {
	return (state, dispatch) => {
		const { node, pos, index } = topBlock(state);
		const other = state.doc.maybeChild(index + step);

		if (!node || !other) return false;
		if (dispatch) {
			const to = step < 0 ? pos - other.nodeSize : pos + other.nodeSize;
			const tr = state.tr.delete(pos, pos + node.nodeSize).insert(to, node);
			const inside = (p) =>
				tr.doc.resolve(Math.min(Math.max(p, pos + 1), pos + node.nodeSize - 1) + to - pos);

			tr.setSelection(
				node.isAtom
					? NodeSelection.create(tr.doc, to)
					: TextSelection.between(
							inside(state.selection.anchor),
							inside(state.selection.head),
						),
			);
			dispatch(tr.scrollIntoView());
		}
		return true;
	};
}

/** Inserts a block after the selected one, or replaces the selected one if it is empty. */
export function insertBlock(node) {
	return (state, dispatch) => {
		const { node: here, pos } = topBlock(state);

		if (!here) return false;
		if (dispatch) {
			const isEmpty = here.type === block && here.content.size === 0;
			const at = isEmpty ? pos : pos + here.nodeSize;
			const tr = isEmpty
				? state.tr.replaceWith(pos, pos + here.nodeSize, node)
				: state.tr.insert(at, node);

			const next = tr.doc.resolve(at + node.nodeSize).nodeAfter;
			if (next === null || next.type === schema.nodes.footnote)
				// An empty paragraph to type in
				tr.insert(at + node.nodeSize, block.create({ key: newKey() }));
			tr.setSelection(
				node.type === table
					? TextSelection.near(tr.doc.resolve(at + 3))
					: NodeSelection.create(tr.doc, at),
			);
			dispatch(tr.scrollIntoView());
		}
		return true;
	};
}

export const newAtom = (json) => schema.nodes.atom.create({ json: { ...json, _key: newKey() } });

/** Deletes the selected block. */
export function removeBlock(state, dispatch) {
	const { node, pos } = topBlock(state);

	if (!node) return false;
	if (dispatch) {
		const tr =
			state.doc.childCount === 1
				? state.tr.replaceWith(pos, pos + node.nodeSize, block.create({ key: newKey() }))
				: state.tr.delete(pos, pos + node.nodeSize);
		dispatch(
			tr
				.setSelection(TextSelection.near(tr.doc.resolve(Math.min(pos, tr.doc.content.size)), 1))
				.scrollIntoView(),
		);
	}
	return true;
}

/* ---- what every text has ---- */

/** A command that runs the first applicable one of these commands. */
export const first =
	(...commands) =>
	(state, dispatch, view) =>
		commands.some((command) => command(state, dispatch, view));

export function removeSelection(state, dispatch) {
	if (state.selection.empty) return false;
	dispatch?.(state.tr.deleteSelection().scrollIntoView());
	return true;
}

export function selectAll(state, dispatch) {
	dispatch?.(state.tr.setSelection(new AllSelection(state.doc)));
	return true;
}

/** Moves the cursor to the start (-1) or end (1) of the text, even if a block without text is there. */
export function toEdge(direction) {
	return (state, dispatch) => {
		dispatch?.(
			state.tr
				.setSelection(direction < 0 ? Selection.atStart(state.doc) : Selection.atEnd(state.doc))
				.scrollIntoView(),
		);
		return true;
	};
}

/** Backspace (-1) or Delete (1) beside an atom selects the atom. The next key press then deletes it. */
export function selectBeside(direction) {
	return (state, dispatch) => {
		const { $cursor } = state.selection;

		if (
			!$cursor ||
			$cursor.depth !== 1 ||
			$cursor.parentOffset !== (direction < 0 ? 0 : $cursor.parent.content.size)
		)
			return false;
		const at = direction < 0 ? $cursor.before() : $cursor.after();
		const { nodeBefore, nodeAfter } = state.doc.resolve(at),
			node = direction < 0 ? nodeBefore : nodeAfter;
		if (!node || node.type === block) return false;
		dispatch?.(
			state.tr
				.setSelection(NodeSelection.create(state.doc, direction < 0 ? at - node.nodeSize : at))
				.scrollIntoView(),
		);
		return true;
	};
}

/** Enter on an atom: a paragraph after it. */
export function paragraphAfter(state, dispatch) {
	const { $from, $to, node } = state.selection;

	if (!node || $from.depth > 0) return false;
	if (dispatch) {
		const tr = state.tr.insert($to.pos, block.create({ key: newKey() }));

		dispatch(tr.setSelection(Selection.near(tr.doc.resolve($to.pos + 1))).scrollIntoView());
	}
	return true;
}

/* ---- marks ---- */

/** Adds a mark to the selection, or removes it if the whole selection has it. */
export function toggle(name) {
	return (state, dispatch) => {
		const type = schema.marks[name],
			{ from, to, empty, $from } = state.selection;

		if (empty && !$from.parent.inlineContent) return false;
		const isOn = empty ? hasMark(state, name) : isMarked(state.doc, from, to, type);
		const tr = state.tr;
		if (empty) isOn ? tr.removeStoredMark(type) : tr.addStoredMark(type.create());
		else isOn ? tr.removeMark(from, to, type) : tr.addMark(from, to, type.create());
		dispatch?.(tr.scrollIntoView());
		return true;
	};
}

/** True if all text of a range has the mark. */
function isMarked(doc, from, to, type) {
	let isAll = true,
		isAny = false;

	doc.nodesBetween(from, to, (node) => {
		if (node.isText) {
			isAny = true;
			isAll = isAll && type.isInSet(node.marks) !== undefined;
		}
	});
	return isAny && isAll;
}

/** True if the whole selection has the mark, or a cursor would write with it. */
export function hasMark(state, name) {
	const { from, to, empty, $from } = state.selection;
	const type = schema.marks[name];

	if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
	return isMarked(state.doc, from, to, type);
}

/** The link at the selection: its mark, and the range of text that has it; null if there is none. */
export function linkAt(state) {
	const { $from } = state.selection;
	const near = [$from.parent.maybeChild($from.index()), $from.nodeBefore].filter(Boolean);
	const mark = near.map((node) => schema.marks.link.isInSet(node.marks)).find(Boolean);

	if (!mark || !$from.parent.isTextblock) return null;
	let from = null,
		to = null;
	$from.parent.forEach((node, at) => {
		const start = $from.start() + at;

		if (!mark.isInSet(node.marks) || (to !== null && to < start && from <= $from.pos && to >= $from.pos))
			return;
		if (to !== start) from = start;
		to = start + node.nodeSize;
	});
	return { mark, from, to };
}

/** The mark of a new link. */
export const newLink = (href) => schema.marks.link.create({ def: { _type: "link", _key: newKey(), href } });

/** Links the selection, or changes the link at it; null removes the link. A link keeps its other members. */
export function setLink(href, text) {
	return (state, dispatch) => {
		const there = linkAt(state);
		const { from, to, empty } = state.selection;
		const range = empty && there !== null ? there : { from, to };

		if (range.from === range.to && (href === null || !text)) return false;
		if (!dispatch) return true;
		const tr = state.tr;
		let end = range.to;
		if (range.from === range.to) {
			tr.insertText(text, range.from);
			end = range.from + text.length;
		}
		tr.removeMark(range.from, end, schema.marks.link);
		if (href !== null) {
			const mark =
				there === null
					? newLink(href)
					: schema.marks.link.create({ def: { ...there.mark.attrs.def, href } });

			tr.addMark(range.from, end, mark);
		}
		dispatch(tr.removeStoredMark(schema.marks.link).scrollIntoView());
		return true;
	};
}

/* ---- tables ---- */

const newCell = (head = null) => cell.create({ key: newKey(), head });

export function newTable(rows, columns) {
	const line = (head) =>
		row.create(
			{ key: newKey() },
			Array.from({ length: columns }, () => newCell(head)),
		);

	return table.create(
		{ key: newKey(), head: true },
		Array.from({ length: rows }, (_, i) => line(i === 0 ? true : null)),
	);
}

/** The position of the cursor in its table; null if it is not in a table. */
export function cellAt(state) {
	const { $from } = state.selection;

	if ($from.depth < 3 || $from.node(3).type !== cell) return null;
	return {
		table: $from.node(1),
		tablePos: $from.before(1),
		row: $from.node(2),
		rowPos: $from.before(2),
		rowIndex: $from.index(1),
		column: $from.index(2),
	};
}

export function addRow(state, dispatch) {
	const at = cellAt(state);

	if (at === null) return false;
	if (dispatch) {
		const end = at.rowPos + at.row.nodeSize;
		const line = row.create(
			{ key: newKey() },
			Array.from({ length: at.row.childCount }, () => newCell()),
		);
		const tr = state.tr.insert(end, line);

		dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 2)).scrollIntoView());
	}
	return true;
}

export function removeRow(state, dispatch) {
	const at = cellAt(state);

	if (at === null) return false;
	if (at.table.childCount === 1) return removeBlock(state, dispatch);
	dispatch?.(state.tr.delete(at.rowPos, at.rowPos + at.row.nodeSize).scrollIntoView());
	return true;
}

/** Calls `edit` for each row, last row first, with the position of its cell in the cursor's column. */
function eachRow(at, edit) {
	const rows = [];

	at.table.forEach((line, offset) => rows.push({ line, pos: at.tablePos + 1 + offset }));
	for (const { line, pos } of rows.reverse()) {
		const column = Math.min(at.column, line.childCount - 1);
		let start = pos + 1;

		for (let i = 0; i < column; i++) start += line.child(i).nodeSize;
		edit({ line, column, start, cell: line.child(column) });
	}
}

export function addColumn(state, dispatch) {
	const at = cellAt(state);

	if (at === null) return false;
	if (dispatch) {
		const tr = state.tr;

		eachRow(at, ({ start, cell: here }) => tr.insert(start + here.nodeSize, newCell(here.attrs.head)));
		dispatch(tr.scrollIntoView());
	}
	return true;
}

export function removeColumn(state, dispatch) {
	const at = cellAt(state);

	if (at === null) return false;
	if (at.row.childCount === 1) return removeBlock(state, dispatch);
	if (dispatch) {
		const tr = state.tr;

		eachRow(
			at,
			({ line, start, cell: here }) => line.childCount > 1 && tr.delete(start, start + here.nodeSize),
		);
		dispatch(tr.scrollIntoView());
	}
	return true;
}

/** Makes the first row of the table a header row, or an ordinary row again. */
export function toggleHead(state, dispatch) {
	const at = cellAt(state);

	if (at === null) return false;
	if (dispatch) {
		const tr = state.tr.setNodeAttribute(at.tablePos, "head", !at.table.attrs.head);
		let pos = at.tablePos + 2;

		at.table.firstChild.forEach((one) => {
			tr.setNodeAttribute(pos, "head", at.table.attrs.head ? null : true);
			pos += one.nodeSize;
		});
		dispatch(tr);
	}
	return true;
}

/** Tab in a table: moves to the next or previous cell. From the last cell, Tab moves the focus out of the text. */
export function nextCell(step) {
	return (state, dispatch) => {
		const at = cellAt(state);
		const cells = [];
		let here = -1;

		if (at === null) return false;
		at.table.descendants((node, offset) => {
			if (node.type !== cell) return true;
			const pos = at.tablePos + 1 + offset;
			if (pos === state.selection.$from.before(3)) here = cells.length;
			cells.push(pos);
			return false;
		});
		const to = cells[here + step];
		if (to === undefined) return false;
		dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, to + 1)).scrollIntoView());
		return true;
	};
}
