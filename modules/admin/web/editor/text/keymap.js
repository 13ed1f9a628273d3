// keymap.js - the keys of the text, and what they are called in the help.
import { baseKeymap, chainCommands } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import {
	addRow, indent, join, lineBreak, moveBlock, nextCell, plainBackward, removeBlock, setStyle, split, toggle, toggleList,
} from "./commands.js";

/** The keys, in the order of the help: the key, its text, the command. */
export const keys = [
	["Mod-b", "text.strong", toggle("strong")],
	["Mod-i", "text.em", toggle("em")],
	["Mod-u", "text.underline", toggle("underline")],
	["Mod-Shift-x", "text.struck", toggle("strike-through")],
	["Mod-e", "text.code", toggle("code")],
	["Mod-k", "text.link", null],
	["Mod-Alt-0", "text.paragraph", setStyle("normal")],
	["Mod-Alt-2", "text.heading2", setStyle("h2")],
	["Mod-Alt-3", "text.heading3", setStyle("h3")],
	["Mod-Alt-4", "text.heading4", setStyle("h4")],
	["Mod-Shift-.", "text.quotation", setStyle("blockquote")],
	["Mod-Shift-8", "text.bullets", toggleList("bullet")],
	["Mod-Shift-7", "text.numbers", toggleList("number")],
	["Tab", "text.in", chainCommands(indent(1), nextCell(1))],
	["Shift-Tab", "text.out", chainCommands(indent(-1), nextCell(-1))],
	["Alt-ArrowUp", "text.up", moveBlock(-1)],
	["Alt-ArrowDown", "text.down", moveBlock(1)],
	["Mod-Shift-Backspace", "text.remove", removeBlock],
	["Mod-Enter", "text.row", addRow],
	["Mod-z", "text.undo", undo],
	["Mod-Shift-z", "text.redo", redo],
];

/** @param {Record<string, import("prosemirror-state").Command>} own keys of the page around the text */
export function keymaps(own = {}) {
	const table = Object.fromEntries(keys.filter(([, , command]) => command !== null).map(([key, , command]) => [key, command]));

	return [
		keymap({ ...table, "Mod-y": redo, "Shift-Enter": lineBreak, Enter: chainCommands(split, lineBreak), ...own }),
		keymap({ Backspace: chainCommands(plainBackward, join(-1)), Delete: join(1) }),
		keymap(baseKeymap),
	];
}
