// schema.js - the ProseMirror schema of a Portable Text field.
//
// The document is flat, as Portable Text is: one node for each block, lists are attributes. A block that the schema
// cannot express is an atom that carries its JSON. Only tables and callouts, in the form that importers and this editor
// write, nest.
import { Schema } from "prosemirror-model";
import { labelOf } from "./readable.js";
import { isSafeHref } from "./safe.js";

/** The decorators with a mark of their own. The mark "deco" holds all others. */
export const decorators = ["strong", "em", "underline", "strike-through", "code", "superscript", "subscript"];

const tags = {
	strong: "strong",
	em: "em",
	underline: "u",
	"strike-through": "s",
	code: "code",
	superscript: "sup",
	subscript: "sub",
};
const parsed = {
	strong: ["strong", "b"],
	em: ["em", "i"],
	underline: ["u"],
	"strike-through": ["s", "del", "strike"],
	code: ["code", "kbd", "samp"],
	superscript: ["sup"],
	subscript: ["sub"],
};
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** @returns {import("prosemirror-model").DOMOutputSpec} */
function blockDom(node) {
	const { style, list, level, rest } = node.attrs;
	const attrs = {};
	let tag = headings.includes(style) || style === "blockquote" ? style : "p";

	if (list !== null) {
		tag = "p";
		attrs["data-list"] = list === "number" ? "number" : "bullet";
		if (typeof rest?.checked === "boolean") attrs["data-checked"] = String(rest.checked);
		attrs["data-level"] = String(Math.min(Math.max(level ?? 1, 1), 8));
	}
	if (style !== null && style !== "normal" && tag !== style) attrs["data-style"] = style;
	return [tag, attrs, 0];
}

const blockAttrs = {
	key: { default: null },
	style: { default: "normal" }, // null: the block has no such member
	list: { default: null }, // listItem
	level: { default: null },
	rest: { default: null }, // the loaded block without its children: has the unknown members, and the members' order
	idle: { default: null }, // keys of the markDefs that no span used
};

/** @type {"full"} */
const whole = "full"; // white space is kept

/** @type {Record<string, import("prosemirror-model").NodeSpec>} */
const nodes = {
	doc: { content: "top+" },
	block: {
		group: "top",
		content: "inline*",
		attrs: blockAttrs,
		whitespace: "pre",
		toDOM: blockDom,
		parseDOM: [
			...headings.map((tag) => ({ tag, attrs: { style: tag }, preserveWhitespace: whole })),
			{ tag: "blockquote", attrs: { style: "blockquote" }, preserveWhitespace: whole },
			{ tag: "p", preserveWhitespace: whole },
			{ tag: "div", preserveWhitespace: whole },
		],
	},
	atom: {
		group: "top",
		atom: true,
		selectable: true,
		draggable: true,
		attrs: { json: { default: null } },
		toDOM: (node) => ["div", { class: "atom", "data-type": String(node.attrs.json?._type ?? "") }],
	},
	table: {
		group: "top",
		content: "row+",
		isolating: true,
		attrs: { key: { default: null }, rest: { default: null }, head: { default: false } },
		toDOM: () => ["table", { class: "pt-table" }, ["tbody", 0]],
	},
	row: {
		content: "cell+",
		attrs: { key: { default: null }, rest: { default: null } },
		toDOM: () => ["tr", 0],
	},
	cell: {
		content: "inline*",
		isolating: true,
		whitespace: "pre",
		attrs: {
			key: { default: null },
			rest: { default: null },
			idle: { default: null },
			head: { default: null },
		},
		toDOM: (node) => [node.attrs.head ? "th" : "td", 0],
	},
	// A footnote, at the end of the text. Objects of the type footnoteReference refer to its label.
	footnote: {
		group: "top",
		content: "inline*",
		isolating: true,
		whitespace: "pre",
		attrs: {
			key: { default: null },
			label: { default: "" },
			rest: { default: null },
			idle: { default: null },
		},
		toDOM: () => ["div", { class: "note" }, 0],
	},
	callout: {
		group: "top",
		content: "block+",
		isolating: true,
		attrs: {
			key: { default: null },
			kind: { default: null },
			title: { default: null },
			rest: { default: null },
		},
		toDOM: () => ["div", { class: "note" }, 0],
	},
	text: { group: "inline" },
	object: {
		group: "inline",
		inline: true,
		atom: true,
		selectable: true,
		draggable: true,
		attrs: { json: {} },
		toDOM: (node) => [
			"span",
			{ class: "tag", "data-type": String(node.attrs.json._type ?? "") },
			labelOf(node.attrs.json),
		],
	},
};

/** @type {Record<string, import("prosemirror-model").MarkSpec>} */
const marks = {
	// The Portable Text span of this text: its key and the members that we do not know.
	span: { attrs: { key: { default: null }, rest: { default: null } }, toDOM: () => ["span", 0] },
	link: {
		attrs: { def: {} },
		inclusive: false,
		toDOM: (mark) => [
			"a",
			isSafeHref(mark.attrs.def.href)
				? { href: mark.attrs.def.href, rel: "noopener" }
				: { class: "no-href" },
			0,
		],
	},
	// The annotations that are not links. One mark holds all of a span, so that they keep their order.
	note: {
		attrs: { defs: {} },
		inclusive: false,
		toDOM: (mark) => [
			"span",
			{ class: "pt-note", title: mark.attrs.defs.map((d) => String(d._type ?? "")).join(", ") },
			0,
		],
	},
	// The decorators without a mark of their own, all of a span in one mark.
	deco: {
		attrs: { names: {} },
		toDOM: (mark) => ["span", { class: "pt-deco", title: mark.attrs.names.join(", ") }, 0],
	},
};
for (const name of decorators)
	marks[name] = { toDOM: () => [tags[name], 0], parseDOM: parsed[name].map((tag) => ({ tag })) };

export const schema = new Schema({ nodes, marks });
