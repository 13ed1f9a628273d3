// blocks.js - converts Portable Text to a ProseMirror document and back.
//
// ProseMirror nodes are immutable, so the same node means an unchanged block, which is returned as the object that was
// loaded. A changed block keeps members that we do not know, and the order of its members.
import { Fragment } from "prosemirror-model";
import { decorators, schema } from "./schema.js";

const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v);
const isTextOrAbsent = (v) => v === undefined || typeof v === "string";
const isUnique = (list) => new Set(list).size === list.length;

/** A key for a new block, link or row. */
export function newKey() {
	return Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/* ---- reading ---- */

/** The mark definitions by key; null if the schema cannot express them. */
function defsOf(list) {
	if (list === undefined) return new Map();
	if (!Array.isArray(list) || !list.every((d) => isObject(d) && typeof d._key === "string")) return null;
	return isUnique(list.map((d) => d._key)) ? new Map(list.map((d) => [d._key, d])) : null;
}

/** The marks of a span by their names; null if the schema cannot express them. */
function marksOf(names, defs) {
	const known = names.map((name) => defs.get(name)).filter((def) => def !== undefined);
	const links = known.filter((def) => def._type === "link" && typeof def.href === "string");
	const notes = known.filter((def) => !links.includes(def));
	const others = names.filter((name) => !defs.has(name) && !decorators.includes(name));
	const out = names
		.filter((name) => !defs.has(name) && decorators.includes(name))
		.map((name) => schema.marks[name].create());

	if (links.length > 1) return null;
	if (links.length > 0) out.push(schema.marks.link.create({ def: links[0] }));
	if (notes.length > 0) out.push(schema.marks.note.create({ defs: notes }));
	if (others.length > 0) out.push(schema.marks.deco.create({ names: others }));
	return out;
}

/** A copy of `object` without the named members. */
function without(object, ...names) {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** One span as a text node: undefined for an empty one, null if the schema cannot express it. */
function spanIn(span, defs) {
	const rest = without(span, "_type", "_key", "text", "marks");
	const names = span.marks ?? [];

	if (typeof span.text !== "string" || !isTextOrAbsent(span._key) || span.marks === null) return null;
	if (!Array.isArray(names) || !names.every((m) => typeof m === "string") || !isUnique(names)) return null;
	const isPlain = Object.keys(rest).length === 0;
	if (span.text === "") return isPlain ? undefined : null;
	const marks = marksOf(names, defs);
	if (marks === null) return null;
	if (span._key !== undefined || !isPlain)
		marks.push(schema.marks.span.create({ key: span._key ?? null, rest: isPlain ? null : rest }));
	return schema.text(
		span.text,
		marks.reduce((set, mark) => mark.addToSet(set), []),
	);
}

/** The children of a block as inline nodes; null if the schema cannot express them. */
function inlineIn(children, defs) {
	const out = [];

	if (!Array.isArray(children) || defs === null) return null;
	for (const child of children) {
		if (!isObject(child) || typeof child._type !== "string") return null;
		const node = child._type === "span" ? spanIn(child, defs) : schema.nodes.object.create({ json: child });
		if (node === null) return null;
		if (node !== undefined) out.push(node);
	}
	return out;
}

/** The keys of mark definitions that no span uses. */
function idleOf(defs, children) {
	const used = new Set(children.flatMap((c) => (isObject(c) && Array.isArray(c.marks) ? c.marks : [])));
	const idle = [...defs.keys()].filter((key) => !used.has(key));

	return idle.length > 0 ? idle : null;
}

function textIn(block) {
	const defs = defsOf(block.markDefs);
	const inline = inlineIn(block.children, defs);

	if (
		inline === null ||
		!isTextOrAbsent(block._key) ||
		!isTextOrAbsent(block.style) ||
		!isTextOrAbsent(block.listItem)
	)
		return null;
	if (block.level !== undefined && !(Number.isInteger(block.level) && block.level > 0)) return null;
	return schema.nodes.block.create(
		{
			key: block._key ?? null,
			style: block.style ?? null,
			list: block.listItem ?? null,
			level: block.level ?? null,
			rest: { ...block, children: null },
			idle: idleOf(defs, block.children),
		},
		inline,
	);
}

function cellIn(cell) {
	const defs = isObject(cell) ? defsOf(cell.markDefs) : null;
	const inline = isObject(cell) ? inlineIn(cell.content, defs) : null;

	if (
		inline === null ||
		cell._type !== "tableCell" ||
		!isTextOrAbsent(cell._key) ||
		![undefined, true, false].includes(cell.isHeader)
	)
		return null;
	return schema.nodes.cell.create(
		{
			key: cell._key ?? null,
			head: cell.isHeader ?? null,
			rest: { ...cell, content: null },
			idle: idleOf(defs, cell.content),
		},
		inline,
	);
}

function rowIn(row) {
	if (
		!isObject(row) ||
		row._type !== "tableRow" ||
		!Array.isArray(row.cells) ||
		row.cells.length === 0 ||
		!isTextOrAbsent(row._key)
	)
		return null;
	const cells = row.cells.map(cellIn);

	return cells.includes(null)
		? null
		: schema.nodes.row.create({ key: row._key ?? null, rest: { ...row, cells: null } }, cells);
}

function tableIn(table) {
	if (
		!Array.isArray(table.rows) ||
		table.rows.length === 0 ||
		!isTextOrAbsent(table._key) ||
		![undefined, true, false].includes(table.hasHeaderRow)
	)
		return null;
	const rows = table.rows.map(rowIn);

	if (rows.includes(null)) return null;
	return schema.nodes.table.create(
		{ key: table._key ?? null, head: table.hasHeaderRow === true, rest: { ...table, rows: null } },
		rows,
	);
}

function footnoteIn(note) {
	const defs = defsOf(note.markDefs),
		inline = inlineIn(note.content, defs);

	if (inline === null || typeof note.label !== "string" || !isTextOrAbsent(note._key)) return null;
	return schema.nodes.footnote.create(
		{
			key: note._key ?? null,
			label: note.label,
			rest: { ...note, content: null },
			idle: idleOf(defs, note.content),
		},
		inline,
	);
}

function calloutIn(callout) {
	const { _key: key, kind, title, content } = callout;

	if (!Array.isArray(content) || content.length === 0 || ![key, kind, title].every(isTextOrAbsent)) return null;
	const inner = content.map((one) => (isObject(one) && one._type === "block" ? textIn(one) : null));
	return inner.includes(null)
		? null
		: schema.nodes.callout.create(
				{
					key: key ?? null,
					kind: kind ?? null,
					title: title ?? null,
					rest: { ...callout, content: null },
				},
				inner,
			);
}

const readers = { block: textIn, table: tableIn, footnote: footnoteIn, callout: calloutIn };

/** One block as a node: text, a table, a footnote, a callout, or an atom. */
export function nodeOf(block) {
	const read = isObject(block) && Object.hasOwn(readers, block._type) ? readers[block._type] : null;

	return read?.(block) ?? schema.nodes.atom.create({ json: block });
}

/* ---- writing ---- */

/**
 * Returns the members of the loaded object in their order, with new values. In `values`, undefined removes a member.
 */
function members(rest, values) {
	const out = Object.entries(rest ?? {}).map(([name, v]) => [
		name,
		Object.hasOwn(values, name) ? values[name] : v,
	]);

	for (const [name, v] of Object.entries(values))
		if (rest === null || !Object.hasOwn(rest, name)) out.push([name, v]);
	return Object.fromEntries(out.filter(([, v]) => v !== undefined));
}

/** Returns `name`, or `name` with a number if `taken` has it already. */
function free(taken, name) {
	let out = name;

	for (let i = 2; taken.has(out); i++) out = `${name}-${i}`;
	return out;
}

/** Collects the definitions of a block while its spans are written. */
class Defs {
	constructor(rest, idle) {
		this.list = [];
		this.was = rest?.markDefs;
		for (const key of idle ?? []) this.list.push(this.was.find((d) => d._key === key));
		this.names = new Set(this.list.map((d) => d._key));
		this.known = new Map(); // JSON of a definition: its key in this block
	}

	/**
	 * The key of a definition in this block. If joined blocks use one key for two definitions, one gets a new key.
	 */
	name(def) {
		const text = JSON.stringify(def);
		let key = this.known.get(text);

		if (key === undefined) {
			key = free(this.names, typeof def._key === "string" ? def._key : "m");
			this.known.set(text, key);
			this.names.add(key);
			this.list.push(key === def._key ? def : { ...def, _key: key });
		}
		return key;
	}

	/** The member markDefs: definitions in their loaded order, then new ones. */
	value() {
		const places = new Map((this.was ?? []).map((d, i) => [d._key, i]));
		const place = (d) => places.get(d._key) ?? Infinity;

		if (this.list.length === 0) return this.was === undefined ? undefined : [];
		return this.list
			.map((d, i) => [d, i])
			.sort((a, b) => place(a[0]) - place(b[0]) || 0 || a[1] - b[1])
			.map(([d]) => d);
	}
}

/** The names of the marks of a span. */
function markNames(node, defs) {
	const names = [];

	for (const { type, attrs } of node.marks) {
		if (type.name === "link") names.push(defs.name(attrs.def));
		else if (type.name === "note") names.push(...attrs.defs.map((def) => defs.name(def)));
		else if (type.name === "deco") names.push(...attrs.names);
		else if (type.name !== "span") names.push(type.name);
	}
	return names;
}

/** The spans and inline objects of a text node. A span without a key gets one that is derived from the block's key. */
function inlineOut(node, key, defs) {
	const taken = new Set(),
		out = [];
	const keyed = (wanted) => {
		const k = free(taken, wanted);

		taken.add(k);
		return k;
	};

	node.forEach((child) => {
		const own = child.isText
			? child.marks.find((m) => m.type.name === "span")?.attrs.key
			: child.attrs.json._key;

		if (typeof own === "string" && !taken.has(own)) taken.add(own);
	});
	const used = new Set();
	node.forEach((child) => {
		if (!child.isText) {
			out.push(child.attrs.json);
			return;
		}
		const span = child.marks.find((m) => m.type.name === "span")?.attrs ?? { key: null, rest: null };
		const isFirst = span.key !== null && !used.has(span.key);
		const names = markNames(child, defs);

		used.add(span.key);
		out.push({
			_type: "span",
			_key: isFirst ? span.key : keyed(`${key ?? "s"}-${out.length}`),
			text: child.text,
			...(names.length > 0 ? { marks: names } : {}),
			...(isFirst || span.key === null ? span.rest : {}),
		});
	});
	if (out.length === 0) out.push({ _type: "span", _key: keyed(`${key ?? "s"}-0`), text: "" });
	return out;
}

function textOut(node) {
	const { key, style, list, level, rest, idle } = node.attrs;
	const defs = new Defs(rest, idle);
	const children = inlineOut(node, key, defs);

	return members(rest, {
		_type: "block",
		_key: key ?? undefined,
		style: style ?? undefined,
		listItem: list ?? undefined,
		level: level ?? undefined,
		children,
		markDefs: defs.value(),
	});
}

function tableOut(node) {
	const rows = [];

	node.forEach((row) => {
		const cells = [];

		row.forEach((cell) => {
			const defs = new Defs(cell.attrs.rest, cell.attrs.idle);
			const content = inlineOut(cell, cell.attrs.key, defs);

			cells.push(
				members(cell.attrs.rest, {
					_type: "tableCell",
					_key: cell.attrs.key ?? undefined,
					content,
					markDefs: defs.value(),
					isHeader: cell.attrs.head ?? undefined,
				}),
			);
		});
		rows.push(members(row.attrs.rest, { _type: "tableRow", _key: row.attrs.key ?? undefined, cells }));
	});
	const was = node.attrs.rest?.hasHeaderRow;
	return members(node.attrs.rest, {
		_type: "table",
		_key: node.attrs.key ?? undefined,
		rows,
		hasHeaderRow: node.attrs.head || (was === undefined ? undefined : false),
	});
}

function footnoteOut(node) {
	const { key, label, rest, idle } = node.attrs;
	const defs = new Defs(rest, idle);
	const content = inlineOut(node, key, defs);

	return members(rest, {
		_type: "footnote",
		_key: key ?? undefined,
		label,
		content,
		markDefs: defs.value(),
	});
}

/** @param {(node: any) => any} inner the block of a node within it */
function calloutOut(node, inner) {
	const { key, kind, title, rest } = node.attrs;

	return members(rest, {
		_type: "callout",
		_key: key ?? undefined,
		kind: kind ?? undefined,
		title: title ?? undefined,
		content: node.content.content.map(inner),
	});
}

const writers = {
	atom: (node) => node.attrs.json,
	block: textOut,
	table: tableOut,
	footnote: footnoteOut,
	callout: calloutOut,
};

/** The key of a node of the top level; null if it has none. */
export function keyOf(node) {
	const key = node.type.name === "atom" ? node.attrs.json?._key : node.attrs.key;

	return typeof key === "string" ? key : null;
}

/** Converts the value of one field while it is edited, and remembers which node came from which block. */
export class Bridge {
	/** @param {unknown} value the value of the field: an array of blocks, or nothing */
	constructor(value) {
		this.cache = new WeakMap(); // node: its block
		this.loaded = new Map(); // by key (null: no key): the nodes that were loaded with it
		this.doc = this.load(value);
	}

	/** Makes a document of `value`. Blocks that the last document also had keep their nodes. */
	load(value) {
		const nodes = (Array.isArray(value) ? value : []).map((block) => this.node(block));

		// It has its key from the beginning: a key that is set while an input method composes the first word would
		// make the browser insert that word twice.
		this.empty = nodes.length === 0 ? { value, node: schema.nodes.block.create({ key: newKey() }) } : null;
		return schema.nodes.doc.create(null, Fragment.from(this.empty === null ? nodes : this.empty.node));
	}

	/** The node of a block. While the node is unchanged, it is converted back to this same object. */
	node(block) {
		const node = nodeOf(block);
		const key = keyOf(node);

		this.cache.set(node, block);
		if (node.type.name === "callout") node.forEach((one, _, i) => this.cache.set(one, block.content[i]));
		if (!this.loaded.has(key)) this.loaded.set(key, []);
		this.loaded.get(key).push(node);
		return node;
	}

	/** The loaded node that equals this one; undefined if there is none. */
	original(node) {
		return this.loaded.get(keyOf(node))?.find((was) => was.eq(node));
	}

	/** How many loaded blocks have this key. More than one is a fault of the data, which is left alone. */
	count(key) {
		return this.loaded.get(key)?.length ?? 0;
	}

	/** The block of a node. If undo has restored a loaded node, returns the loaded object. */
	block(node) {
		let block = this.cache.get(node);

		if (block === undefined) {
			const was = this.original(node);

			block =
				was !== undefined
					? this.cache.get(was)
					: writers[node.type.name](node, (inner) => this.block(inner));
			this.cache.set(node, block);
		}
		return block;
	}

	/** Converts `doc` to the value of the field. */
	value(doc) {
		const only = doc.childCount === 1 ? doc.firstChild : null;
		const out = [];

		if (this.empty !== null && only === this.empty.node) return this.empty.value;
		if (only !== null && !this.cache.has(only) && isBlank(only))
			return Array.isArray(this.empty?.value) || this.empty === null ? [] : this.empty.value;
		doc.forEach((node) => out.push(this.block(node)));
		return out;
	}
}

/** True for a text block that equals a new, empty one. */
function isBlank(node) {
	const { style, list, rest } = node.attrs;

	return (
		node.type.name === "block" &&
		node.childCount === 0 &&
		list === null &&
		(style === "normal" || style === null) &&
		rest === null
	);
}
