// renderer.ts - one conversion: gathers blocks that belong together (items of a list, paragraphs of a quotation), calls
// hooks and the functions of blocks, and collects the footnotes.
import { attributesHtml, element, escape, lines, own, safeHref, safeSrc, text } from "./address.js";
import { builtin, inlines, unknownHtml } from "./blocks.js";
import { type Cleaner, newCleaner, type Rules } from "./clean.js";
import { pictureHtml } from "./picture.js";
import { textOf } from "./plain.js";
import { facadeHtml } from "./players.js";
import { isObject, linked, objects, spansHtml } from "./spans.js";
import { listsHtml } from "./tables.js";
import type { Block, Context, Options, Words } from "./types.js";

const DEPTH = 50; // blocks in each other

const english: Words = {
	footnotes: "Footnotes",
	back: "Back to the text",
	download: "Download",
	play: (name) => `Watch or listen at ${name}`,
};

/** Blocks that follow each other with the same name are one list, or one quotation. */
function unitOf(block: Block): string {
	if (block._type !== "block") return "";
	return text(block.listItem) ? "list" : block.style === "blockquote" ? "quote" : "";
}

export class Renderer implements Context {
	readonly words: Words;
	private depth = 0;
	private notes = new Map<string, Block>(); // footnotes by their label
	private order: string[] = []; // labels of those that have a number
	private references = new Map<string, number>(); // how many there are

	constructor(
		readonly options: Options,
		blocks: unknown,
	) {
		this.words = { ...english, ...options.words };
		this.findNotes(blocks, 0);
	}

	escape = escape;
	unknown: Context["unknown"] = (type, key, why) => this.options.onUnknown?.(type, key, why);
	href = (address: unknown): string => {
		const given = safeHref(address);
		return given && this.options.link ? safeHref(this.options.link(given)) : given;
	};
	src = (address: unknown): string => {
		const given = safeSrc(address);
		return given && this.options.url ? safeSrc(this.options.url(given)) : given;
	};

	/** How HTML is made harmless. */
	rules(block: Block, isInline: boolean): Rules {
		return {
			href: this.href,
			src: this.src,
			frame: (url, title) => facadeHtml(this, { _type: "embed", url, title }, this.words.play),
			removed: (name) => this.unknown(`<${name}>`, block._key, "html"),
			isInline,
		};
	}

	spans(children: unknown, markDefs?: unknown, block: Block = { _type: "block" }): string {
		const inline = (object: Block, cleaner: Cleaner): string => {
			const type = text(object._type);
			const html = own(this.options.inlines, type)?.(object, this);
			const known = own(inlines, type);

			if (typeof html === "string") return html;
			if (known) return known(object, this, cleaner);
			this.unknown(type, object._key, "inline");
			return element("span", { "data-type": type }, escape(textOf([object])));
		};
		return spansHtml(this, children, markDefs, inline, newCleaner(this.rules(block, true)));
	}
	image(image: Block): string {
		return pictureHtml(this, image);
	}
	caption(block: Block): string {
		const html = linked(this, block.caption, block.links);
		return html && element("figcaption", {}, html);
	}
	attributes(block: Block, className = ""): string {
		return attributesHtml({ class: className, "data-key": this.options.keys && text(block._key) });
	}

	/** The element of a block. */
	put(name: string, block: Block, className: string | undefined, html?: string, style = ""): string {
		const key = this.options.keys && text(block._key);
		return element(name, { class: className, "data-key": key, style }, html);
	}
	figure(block: Block, className: string, html: string, style = ""): string {
		return this.put("figure", block, className, html + this.caption(block), style);
	}

	/** A text in the element of its style. */
	textBlock(block: Block): string {
		const style = text(block.style) || "normal";
		const level = Number(/^h([1-6])$/.exec(style)?.[1]);
		const isPlain = level > 0 || style === "normal" || style === "blockquote";

		if (!isPlain) this.unknown(style, block._key, "style");
		return this.put(
			level > 0 ? `h${Math.max(level, this.options.top ?? 1)}` : "p",
			block,
			isPlain ? "" : `style-${style}`,
			this.spans(block.children, block.markDefs, block),
		);
	}

	/** The text of an item of a list: without an element if it is a plain one. */
	private item = (block: Block): string =>
		(text(block.style) || "normal") === "normal"
			? this.spans(block.children, block.markDefs, block)
			: this.html([{ ...block, listItem: "", _key: "" }]);

	html(blocks: unknown): string {
		const list = objects(blocks);
		let out = typeof blocks === "string" && blocks.trim() ? element("p", {}, lines(blocks)) : "";

		for (let i = 0, end: number; i < list.length; i = end) {
			const kind = unitOf(list[i] as Block);

			end = i + 1;
			while (kind && end < list.length && unitOf(list[end] as Block) === kind) end++;
			const unit = list.slice(i, end);
			const html =
				kind === "list"
					? listsHtml(this, unit, this.item)
					: unit.map((one) => this.block(one)).join("");
			out += kind === "quote" ? element("blockquote", {}, html) : html;
		}
		return out;
	}

	block(block: Block): string {
		const type = text(block._type);
		let html: string | undefined;

		if (this.depth >= DEPTH) {
			this.unknown(type, block._key, "depth");
			return this.put("p", block, "", escape(textOf([block])));
		}
		this.depth++;
		html = own(this.options.blocks, type)?.(block, this);
		if (typeof html !== "string") html = (own(builtin, type) ?? unknownHtml)(block, this);
		this.depth--;
		return html;
	}

	// ---- footnotes ----

	private findNotes(value: unknown, depth: number): void {
		if (depth > 2 * DEPTH || value === null || typeof value !== "object") return;
		if (isObject(value) && value._type === "footnote" && !this.notes.has(String(value.label)))
			this.notes.set(String(value.label), value);
		for (const member of Object.values(value)) this.findNotes(member, depth + 1);
	}

	private id(label: string): string {
		if (!this.order.includes(label)) this.order.push(label);
		return `${this.options.prefix ?? "fn"}-${this.order.indexOf(label) + 1}`;
	}

	reference(object: Block): string {
		const label = String(object.label);
		const times = (this.references.get(label) ?? 0) + 1;

		if (!this.notes.has(label)) {
			this.unknown(object._type, object._key, "footnote");
			return element("sup", {}, `[${escape(label)}]`);
		}
		this.references.set(label, times);
		const id = this.id(label);
		const link = { id: `${id}-ref${times > 1 ? `-${times}` : ""}`, href: `#${id}`, role: "doc-noteref" };
		return element("sup", { class: "note" }, element("a", link, String(this.order.indexOf(label) + 1)));
	}

	/** The footnotes below the text, in the order of their references; those without one are last. */
	footnotes(): string {
		const label = this.words.footnotes;
		let items = "";

		const write = (from: number) => {
			// A footnote may refer to another one, which is then behind it.
			for (let i = from; i < this.order.length; i++) {
				const name = this.order[i] as string,
					id = this.id(name),
					note = this.notes.get(name) as Block;
				const back = {
					href: `#${id}-ref`,
					role: "doc-backlink",
					"aria-label": this.words.back,
				};
				const html = this.spans(note.content ?? note.children, note.markDefs, note);
				const key = this.options.keys && text(note._key);

				items += element(
					"li",
					{ id, "data-key": key },
					html + (this.references.has(name) ? ` ${element("a", back, "↩")}` : ""),
				);
			}
		};
		write(0);
		for (const name of this.notes.keys())
			if (!this.order.includes(name)) {
				this.id(name);
				write(this.order.length - 1);
			}
		const attributes = { class: "footnotes", role: "doc-endnotes", "aria-label": label };
		return items && element("section", attributes, element("ol", {}, items));
	}
}
