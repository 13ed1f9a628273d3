// paste.js - converts HTML of other programs to blocks.
//
// The HTML is a detached document, so none of it is shown or run. The conversion takes text, the marks of the schema,
// links and pictures with safe addresses, lists, tables and code, and drops everything else.
import { Fragment } from "prosemirror-model";
import { newKey } from "./blocks.js";
import { newLink } from "./commands.js";
import { isSafeHref, isSafeSrc } from "./safe.js";
import { schema } from "./schema.js";
import { unwrapped } from "./unwrap.js";

const DEPTH_MAX = 200; // nested elements; deeper ones are taken as text
const BLOCKS_MAX = 20000;
const ignored = new Set([
	"SCRIPT",
	"STYLE",
	"TEMPLATE",
	"NOSCRIPT",
	"HEAD",
	"META",
	"LINK",
	"TITLE",
	"OBJECT",
	"EMBED",
	"APPLET",
	"SVG",
	"MATH",
	"SELECT",
	"DATALIST",
	"TEXTAREA",
	"INPUT",
	"AUDIO",
	"VIDEO",
	"CANVAS",
	"FRAME",
	"FRAMESET",
	"NOFRAMES",
	"XMP",
	"PLAINTEXT",
]);
const blocks = new Set([
	"ADDRESS",
	"ARTICLE",
	"ASIDE",
	"BODY",
	"CAPTION",
	"DD",
	"DETAILS",
	"DIV",
	"DL",
	"DT",
	"FIELDSET",
	"FIGCAPTION",
	"FIGURE",
	"FOOTER",
	"FORM",
	"HEADER",
	"HGROUP",
	"HTML",
	"MAIN",
	"NAV",
	"P",
	"SECTION",
	"SUMMARY",
	"TBODY",
	"TD",
	"TFOOT",
	"TH",
	"THEAD",
	"TR",
]);
const decoratorOf = {
	STRONG: "strong",
	B: "strong",
	EM: "em",
	I: "em",
	U: "underline",
	S: "strike-through",
	DEL: "strike-through",
	STRIKE: "strike-through",
	CODE: "code",
	KBD: "code",
	SAMP: "code",
	SUP: "superscript",
	SUB: "subscript",
};

const nameOf = (dom) => dom.nodeName.toUpperCase();
/** The style attribute, which copy.js has renamed. */
const styleOf = (dom) => dom.getAttribute("data-style") ?? dom.getAttribute("style") ?? "";

/** The decorators of an element, by its name and by the styles that word processors write. */
function decoratorsOf(dom) {
	const style = styleOf(dom);
	const names = new Set(decoratorOf[nameOf(dom)] ? [decoratorOf[nameOf(dom)]] : []);

	// Match whole property names: Word writes mso-bidi-font-weight:normal on bold text.
	const says = (property, value) => new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*(?:${value})`, "i").test(style);

	if (says("font-weight", "bold|[6-9]00")) names.add("strong");
	if (says("font-weight", "normal|[1-4]00")) names.delete("strong");
	if (says("font-style", "italic")) names.add("em");
	if (says("font-style", "normal")) names.delete("em");
	// Google Docs uses styles instead of elements here. Underlining within a link is ignored.
	if (says("text-decoration(?:-line)?", "[^;]*line-through")) names.add("strike-through");
	if (says("text-decoration(?:-line)?", "[^;]*underline") && !dom.closest?.("a")) names.add("underline");
	if (says("vertical-align", "super")) names.add("superscript");
	if (says("vertical-align", "sub\\b")) names.add("subscript");
	return [...names];
}

/** A list item of Microsoft Word is a paragraph with a style of its own: its level, or 0. */
function wordLevel(dom) {
	const found = /mso-list:[^;]*level(\d)/i.exec(styleOf(dom));

	return found === null ? 0 : Math.min(Number(found[1]), 8);
}

/** True if Word's list mark is a number: "1.", "b)", "iv.". */
function isWordNumber(dom) {
	const mark = [...(dom.querySelectorAll?.("span") ?? [])].find(isWordBullet)?.textContent ?? "";

	return /^[\s\u00a0]*\(?(\d+|[a-z]{1,4})[.)]/i.test(mark);
}

/** A child whose text is the bullet or number that Word wrote, or null. */
function isWordBullet(dom) {
	return /mso-list:\s*ignore/i.test(styleOf(dom));
}

class Reader {
	constructor() {
		this.out = [];
		this.inline = [];
	}

	/** Ends the block that is being collected. */
	flush(place) {
		const inline = trim(this.inline);

		this.inline = [];
		if (inline.length === 0 || this.out.length >= BLOCKS_MAX) return;
		this.out.push(
			schema.nodes.block.create(
				{
					key: newKey(),
					style: place.list === null ? place.style : "normal",
					list: place.list,
					level: place.list === null ? null : place.level,
				},
				Fragment.from(inline),
			),
		);
	}

	/** Adds a block that is not text. */
	add(node, place) {
		this.flush(place);
		if (this.out.length < BLOCKS_MAX) this.out.push(node);
	}

	addText(text, place) {
		const value = place.pre ? text.replace(/\r\n?/g, "\n") : text.replace(/[ \t\r\n\f]+/g, " ");

		if (value !== "") this.inline.push(schema.text(value.replace(/\u0000/g, ""), place.marks));
	}

	walk(dom, place, depth) {
		for (let child = dom.firstChild; child !== null && child !== undefined; child = child.nextSibling) {
			if (child.nodeType === 3) this.addText(child.nodeValue ?? "", place);
			else if (child.nodeType === 1) this.element(child, place, depth);
		}
	}

	element(dom, place, depth) {
		const name = nameOf(dom);

		if (ignored.has(name) || isWordBullet(dom)) return;
		if (depth > DEPTH_MAX) this.addText(dom.textContent ?? "", place);
		else if (readers[name]) readers[name](this, dom, place, depth + 1);
		else if (/^H[1-6]$/.test(name))
			this.block(dom, { ...place, style: name.toLowerCase() }, place, depth + 1);
		else if (blocks.has(name))
			this.block(
				dom,
				wordLevel(dom) > 0
					? {
							...place,
							list: isWordNumber(dom) ? "number" : "bullet",
							level: wordLevel(dom),
						}
					: place,
				place,
				depth + 1,
			);
		else this.walk(dom, this.marked(dom, place), depth + 1);
	}

	/** Handles a block-level element. */
	block(dom, inner, outer, depth) {
		this.flush(outer);
		this.walk(dom, this.marked(dom, inner), depth);
		this.flush(inner);
	}

	marked(dom, place) {
		const names = decoratorsOf(dom);
		const isReset = nameOf(dom) === "B" && names.length === 0;

		if (names.length === 0 || isReset) return place;
		return {
			...place,
			marks: names.reduce((set, name) => schema.marks[name].create().addToSet(set), place.marks),
		};
	}
}

/** Removes spaces at both ends of a block, and repeated spaces. */
function trim(inline) {
	const out = [];
	let before = "\n";

	for (const node of inline) {
		if (!node.isText || node.marks.some((m) => m.type.name === "code")) {
			out.push(node);
			before = node.isText ? node.text.at(-1) : "x";
			continue;
		}
		const text = before === " " || before === "\n" ? node.text.replace(/^ +/, "") : node.text;
		if (text !== "") {
			out.push(schema.text(text, node.marks));
			before = text.at(-1);
		}
	}
	for (let last = out.at(-1); last?.isText && /[ \n]$/.test(last.text); last = out.at(-1)) {
		const text = last.text.replace(/[ \n]+$/, "");

		out.pop();
		if (text !== "") out.push(schema.text(text, last.marks));
	}
	return out.length === 1 && out[0].isText && out[0].text.trim() === "" ? [] : out;
}

function listReader(list) {
	return (reader, dom, place, depth) => {
		const level = place.list === null ? 1 : Math.min(place.level + 1, 8);

		reader.block(dom, { ...place, list, level }, place, depth);
	};
}

/** The table's own rows, without those of nested tables. */
function rowsOf(dom, out = []) {
	for (let child = dom.firstChild; child !== null && child !== undefined; child = child.nextSibling) {
		const name = child.nodeType === 1 ? nameOf(child) : "";

		if (name === "TR") out.push(child);
		else if (["TBODY", "THEAD", "TFOOT"].includes(name)) rowsOf(child, out);
	}
	return out;
}

function cellOf(dom, place, depth) {
	const inner = new Reader();
	const inline = [];

	inner.block(dom, { ...place, style: "normal", list: null, level: null }, place, depth);
	for (const node of inner.out) {
		if (node.type.name !== "block") continue;
		if (inline.length > 0) inline.push(schema.text("\n"));
		node.forEach((child) => inline.push(child));
	}
	return schema.nodes.cell.create(
		{ key: newKey(), head: nameOf(dom) === "TH" ? true : null },
		Fragment.from(inline),
	);
}

function readTable(reader, dom, place, depth) {
	const rows = [];

	for (const line of rowsOf(dom)) {
		const cells = [];

		for (let child = line.firstChild; child !== null && child !== undefined; child = child.nextSibling)
			if (child.nodeType === 1 && ["TD", "TH"].includes(nameOf(child)))
				cells.push(cellOf(child, place, depth));
		if (cells.length > 0) rows.push(schema.nodes.row.create({ key: newKey() }, cells));
	}
	const isLayout = rows.length > 0 && rows.every((r) => r.childCount === 1);
	if (rows.length === 0 || isLayout) {
		reader.block(dom, place, place, depth);
		return;
	}
	let head = true;
	rows[0].forEach((c) => {
		head = head && c.attrs.head === true;
	});
	reader.add(schema.nodes.table.create({ key: newKey(), head }, rows), place);
}

const readers = {
	UL: listReader("bullet"),
	OL: listReader("number"),
	MENU: listReader("bullet"),
	LI: (reader, dom, place, depth) =>
		reader.block(dom, place.list === null ? { ...place, list: "bullet", level: 1 } : place, place, depth),
	BLOCKQUOTE: (reader, dom, place, depth) => reader.block(dom, { ...place, style: "blockquote" }, place, depth),
	TABLE: readTable,
	BR: (reader, dom, place) => reader.inline.push(schema.text("\n", place.marks)),
	HR: (reader, dom, place) => reader.add(atom({ _type: "break", style: "lineBreak" }), place),
	PRE: (reader, dom, place) => {
		const code = (dom.textContent ?? "").replace(/\r\n?/g, "\n").replace(/\n$/, "");

		if (code.trim() !== "") reader.add(atom({ _type: "code", code }), place);
	},
	A: (reader, dom, place, depth) => {
		const href = dom.getAttribute("href");
		const inner = reader.marked(dom, place);

		if (!isSafeHref(href)) {
			reader.walk(dom, inner, depth);
			return;
		}
		const link = newLink(unwrapped(href));
		reader.walk(
			dom,
			{ ...inner, marks: link.addToSet(inner.marks.filter((m) => m.type.name !== "link")) },
			depth,
		);
	},
	IMG: (reader, dom, place) => {
		const src = dom.getAttribute("src");
		const alt = dom.getAttribute("alt") ?? "";

		if (isSafeSrc(src))
			reader.add(
				atom({
					_type: "image",
					asset: { _type: "reference", _ref: src, url: src },
					...(alt ? { alt } : {}),
				}),
				place,
			);
	},
	IFRAME: (reader, dom, place) => {
		const url = dom.getAttribute("src");

		if (isSafeSrc(url) && /^https?:/i.test(url)) reader.add(atom({ _type: "embed", url }), place);
	},
};

function atom(json) {
	return schema.nodes.atom.create({ json: { ...json, _key: newKey() } });
}

/** The blocks of an element of a detached document. */
export function nodesOfDom(dom) {
	const reader = new Reader();
	const place = { style: "normal", list: null, level: null, marks: [], pre: false };

	reader.walk(dom, place, 0);
	reader.flush(place);
	return reader.out;
}
