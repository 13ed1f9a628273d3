// copy.js - copying and pasting within the editor keeps everything: atoms, keys, members that we do not know.
//
// The clipboard gets HTML for other programs, which contains a random name. The slice itself is kept under that name in
// this browser's storage, so HTML of another page cannot insert a block that this editor did not copy.
import { DOMSerializer, Fragment, Slice } from "prosemirror-model";
import { newKey } from "./blocks.js";
import { schema } from "./schema.js";

const NAME = "stet-copied";
const BLOCKS_MAX = 20000;
const SIZE_MAX = 2 << 20; // characters

/** Converts plain text to blocks. Empty lines separate paragraphs; without any, each line is a paragraph. */
export function nodesOfText(text) {
	const clean = text.replace(/\r\n?/g, "\n").replace(/\u0000/g, "");
	const parts = /\n[ \t]*\n/.test(clean) ? clean.split(/\n(?:[ \t]*\n)+/) : clean.split("\n");

	return parts
		.filter((part) => part !== "")
		.slice(0, BLOCKS_MAX)
		.map((part) => schema.nodes.block.create({ key: newKey() }, schema.text(part)));
}

/** A slice whose first and last text blocks join the text around it when it is pasted. */
export function openSlice(nodes) {
	const isOpen = (node) => node?.type.name === "block";

	if (nodes.length === 0) return Slice.empty;
	return new Slice(Fragment.from(nodes), isOpen(nodes[0]) ? 1 : 0, isOpen(nodes.at(-1)) ? 1 : 0);
}

/** Converts foreign HTML. Until its code (paste.js) is loaded, takes the HTML's plain text. */
let nodesOfDom = (dom) => nodesOfText(dom.textContent ?? "");

/** Loads the converter of foreign HTML. */
export async function fetchReader() {
	({ nodesOfDom } = await import("./paste.js"));
}

/** Keeps one copied slice. `store` is a Storage, or null. */
export class Copied {
	constructor(store) {
		this.store = store;
		this.name = null;
		this.text = null;
	}

	keep(slice) {
		this.name = newKey() + newKey();
		this.text = JSON.stringify(slice.toJSON());
		try {
			if (this.text.length <= SIZE_MAX)
				this.store?.setItem(NAME, JSON.stringify({ name: this.name, text: this.text }));
		} catch {
			// The storage is full or blocked. Pasting within this page still works.
		}
		return this.name;
	}

	/** The slice that was copied under a name, or null. */
	take(name) {
		let text = name === this.name ? this.text : null;

		try {
			const kept = text === null ? JSON.parse(this.store?.getItem(NAME) ?? "null") : null;

			text = kept !== null && kept.name === name ? kept.text : text;
			return text === null ? null : Slice.fromJSON(schema, JSON.parse(text));
		} catch {
			return null;
		}
	}
}

const nameIn = (html) => /data-stet-copied="([0-9a-f]{24})"/.exec(html)?.[1] ?? null;

/** Drops event handlers of a tag, and renames style attributes, which the policy would block. @param {string} tag */
const withoutHandlers = (tag) =>
	tag
		.replace(/([\s/"'])on[a-z]+\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi, "$1")
		.replace(/([\s/"'])style(\s*=)/gi, "$1data-style$2");

/** If the slice holds text of one table cell only, returns that text without the table. */
function unwrap(slice) {
	let { content } = slice;

	for (let depth = Math.min(slice.openStart, slice.openEnd); depth > 1 && content.childCount === 1; depth--)
		content = content.firstChild.content;
	return content.firstChild?.type.name === "cell" && content.childCount === 1
		? openSlice([schema.nodes.block.create({ key: newKey() }, content.firstChild.content)])
		: slice;
}

/**
 * A slice whose footnotes, with the references to them, have other labels if footnotes of the text have theirs.
 * @param {Slice} slice @param {import("prosemirror-model").Node} doc @returns {Slice}
 */
export function relabeled(slice, doc) {
	const { footnote } = schema.nodes,
		taken = new Set(
			doc.content.content.filter((node) => node.type === footnote).map((node) => node.attrs.label),
		),
		fresh = new Map();

	slice.content.forEach(({ type, attrs: { label } }) => {
		if (type === footnote && taken.has(label)) fresh.set(label, newKey());
	});
	if (fresh.size === 0) return slice;
	const change = (node) => {
		const { attrs, type, marks } = node;

		if (node.isText) return node;
		if (attrs.json?._type === "footnoteReference" && fresh.has(attrs.json.label))
			return type.create(
				{ ...attrs, json: { ...attrs.json, label: fresh.get(attrs.json.label) } },
				null,
				marks,
			);
		if (type === footnote && fresh.has(attrs.label))
			return type.create({ ...attrs, label: fresh.get(attrs.label) }, changeAll(node.content), marks);
		return node.copy(changeAll(node.content));
	};
	const changeAll = (content) => Fragment.from(content.content.map(change));

	return new Slice(changeAll(slice.content), slice.openStart, slice.openEnd);
}

/**
 * The properties of an editor view that copying and pasting need.
 * @param {Copied} copied @returns {any} serializer and parser have only the methods that the view calls
 */
export function clipboardProps(copied) {
	const serializer = DOMSerializer.fromSchema(schema);
	let pending = null;

	return {
		transformCopied(slice) {
			pending = copied.keep(slice);
			return slice;
		},
		clipboardSerializer: {
			serializeFragment(fragment, options) {
				const dom = serializer.serializeFragment(fragment, options);

				if (dom.firstElementChild !== null && pending !== null)
					dom.firstElementChild.setAttribute("data-stet-copied", pending);
				return dom;
			},
		},
		// Ignore slice data of other pages. Handlers and styles would violate the policy and be reported, so
		// drop them.
		transformPastedHTML: (html) =>
			html.replace(/data-pm-slice/gi, "data-was-slice").replace(/<[a-z][^>]*>/gi, withoutHandlers),
		clipboardParser: { parseSlice: (dom) => openSlice(nodesOfDom(dom)) },
		// An empty paragraph has no text to join, so a pasted heading or list item stays one.
		transformPasted(slice, view) {
			const { empty, $from } = view.state.selection;

			return empty &&
				slice.openStart === 1 &&
				slice.content.childCount > 1 &&
				$from.depth === 1 &&
				$from.parent.content.size === 0
				? new Slice(slice.content, 0, slice.openEnd)
				: slice;
		},
		clipboardTextParser: (text) => openSlice(nodesOfText(text)),
		handlePaste(view, event) {
			const name = nameIn(event.clipboardData?.getData("text/html") ?? "");
			const slice = name === null ? null : copied.take(name);

			if (slice === null) return false;
			const { state } = view,
				own = relabeled(unwrap(slice), state.tr.deleteSelection().doc);
			view.dispatch(state.tr.replaceSelection(own).scrollIntoView().setMeta("paste", true));
			return true;
		},
	};
}
