// keymap.js - the keyboard shortcuts of the text, and their names in the help.
import { redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import {
	addRow,
	first,
	indent,
	join,
	lineBreak,
	moveBlock,
	nextCell,
	paragraphAfter,
	plainBackward,
	removeBlock,
	removeSelection,
	selectAll,
	selectBeside,
	setStyle,
	split,
	toEdge,
	toggle,
	toggleList,
} from "./commands.js";

/** The keys, in the order of the help: the key, its text, the command. */
export const keys = [
	["Mod-b", "text.strong", toggle("strong")],
	["Mod-i", "text.em", toggle("em")],
	["Mod-u", "text.underline", toggle("underline")],
	["Mod-Shift-x", "text.struck", toggle("strike-through")],
	["Mod-e", "text.code", toggle("code")],
	["Mod-.", "text.super", toggle("superscript")],
	["Mod-,", "text.sub", toggle("subscript")],
	["Mod-k", "text.link", null],
	["Mod-f", "find", null],
	["Mod-Alt-0", "text.paragraph", setStyle("normal")],
	...[2, 3, 4, 5, 6].map((n) => [`Mod-Alt-${n}`, `style-h${n}`, setStyle(`h${n}`)]),
	["Mod-Shift-.", "text.quotation", setStyle("blockquote")],
	["Mod-Shift-8", "text.bullets", toggleList("bullet")],
	["Mod-Shift-7", "text.numbers", toggleList("number")],
	["Tab", "text.in", first(indent(1), nextCell(1))],
	["Shift-Tab", "text.out", first(indent(-1), nextCell(-1))],
	["Alt-ArrowUp", "text.up", moveBlock(-1)],
	["Alt-ArrowDown", "text.down", moveBlock(1)],
	["Alt-Enter", "blockMenu", null],
	["Mod-Shift-Backspace", "text.remove", removeBlock],
	["Mod-Enter", "text.row", addRow],
	["Mod-z", "text.undo", undo],
	["Mod-Shift-z", "text.redo", redo],
];

const backward = first(removeSelection, plainBackward, join(-1), selectBeside(-1));
const forward = first(removeSelection, join(1), selectBeside(1));

/** @param {Record<string, import("prosemirror-state").Command>} own keys of the page around the text */
export function keymaps(own = {}) {
	const table = Object.fromEntries(
		keys.filter(([, , command]) => command !== null).map(([key, , command]) => [key, command]),
	);

	return [
		keymap({
			...table,
			"Mod-y": redo,
			"Shift-Enter": lineBreak,
			Enter: first(split, paragraphAfter, lineBreak),
			"Mod-a": selectAll,
			"Mod-Home": toEdge(-1),
			"Mod-End": toEdge(1),
			Backspace: backward,
			"Mod-Backspace": backward,
			"Shift-Backspace": backward,
			Delete: forward,
			"Mod-Delete": forward,
			...own,
		}),
	];
}
