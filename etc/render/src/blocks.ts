// blocks.ts - a function for each type of block, and of object within a text.
import { element, escape, lines, text } from "./address.js";
import { type Cleaner, sanitize } from "./clean.js";
import { fileOf, mediaOf } from "./picture.js";
import { facadeHtml, kindOf, playerHtml } from "./players.js";
import type { Renderer } from "./renderer.js";
import { isObject, linked, objects } from "./spans.js";
import { tableHtml } from "./tables.js";
import type { Block } from "./types.js";

type Render = (block: Block, r: Renderer) => string;

/** A word that may be a class. */
const word = (value: unknown): string => text(value).replace(/[^\w+#.-]/g, "");
const classes = (name: string, more: unknown): string => `${name} ${word(more)}`.trim();
const paragraph = (value: unknown): string => text(value) && element("p", {}, lines(value));

/** Reports an address that is missing, or that no page may have. */
function need(r: Renderer, html: string, type: string, block: Block): void {
	if (html === "") r.unknown(type, block._key, "address");
}

/** A picture. If it has no address, its texts are shown. */
function image(block: Block, r: Renderer): string {
	const link = text(block.link) || text(block.link?.href),
		href = r.href(link),
		html = r.image(block);
	const side = text(block.alignment);

	need(r, html, "image", block);
	need(r, link === "" ? "none" : href, "link", block);
	return r.figure(
		block,
		classes("image", side && `align-${side}`),
		href && html ? element("a", { href }, html) : html || paragraph(block.alt),
	);
}

const player =
	(kind: string): Render =>
	(block, r) => {
		const html = playerHtml(r, block, kind);

		need(r, html, kind, block);
		return r.figure(block, kind, html || paragraph(block.title));
	};

const clean = (html: string, block: Block, r: Renderer): string =>
	r.options.sanitize?.(html, block) ?? sanitize(html, r.rules(block, false));

function embed(block: Block, r: Renderer): string {
	const url = text(block.url);
	const kind = /^(video|audio)$/.exec(text(block.provider))?.[0] ?? kindOf(url);
	const html = kind === "" && (facadeHtml(r, block, r.words.play) || clean(text(block.html), block, r));

	if (html === false) return player(kind)(block, r);
	need(r, html, "embed", block);
	return r.figure(block, classes("embed", block.provider), html || paragraph(block.title));
}

function code(block: Block, r: Renderer): string {
	const language = word(block.language),
		isFigure = text(block.caption) !== "";
	const links = isFigure ? "" : linked(r, "", block.links);
	const html = element("code", { class: language && `language-${language}` }, escape(text(block.code))) + links;

	return isFigure ? r.figure(block, "code", element("pre", {}, html)) : r.put("pre", block, "", html);
}

function pullquote(block: Block, r: Renderer): string {
	const quote = element("p", {}, linked(r, block.text, block.links)),
		cite = text(block.citation) && element("figcaption", {}, element("cite", {}, lines(block.citation)));

	return r.put("figure", block, "pullquote", element("blockquote", {}, quote + paragraph(block.caption)) + cite);
}

function columns(block: Block, r: Renderer): string {
	const list = objects(block.columns);
	const html = list.map((one) => r.put("div", one, "column", r.html(one.content))).join("");
	const style = `--columns:${list.length}`;

	return r.caption(block) === ""
		? r.put("div", block, "columns", html, style)
		: r.figure(block, "", element("div", { class: "columns", style }, html));
}

function cover(block: Block, r: Renderer): string {
	const given = text(block.backgroundImage) || mediaOf(r, block).url,
		src = r.src(given);
	const color = /^#[\da-f]{3,8}$/i.exec(text(block.overlayColor))?.[0];
	const opacity = Number(block.overlayOpacity ?? (src ? 0.5 : 1));
	const height = /^\d+(\.\d+)?(px|r?em|vh|vw|%)$/.exec(text(block.minHeight))?.[0];
	const side = text(block.alignment);
	const film = { src, muted: true, loop: true, playsinline: true, controls: true, preload: "none" };
	const back =
		kindOf(src) === "video"
			? element("video", film, "")
			: src && r.image({ ...block, _type: "image", url: src, alt: text(block.alt) });
	const shade = {
		class: classes("shade", color ? "" : block.overlayColor),
		style: `${color ? `background-color:${color};` : ""}opacity:${opacity <= 1 ? opacity : 0.5}`,
	};

	need(r, given === "" ? "none" : src, "cover", block);
	return r.put(
		"div",
		block,
		classes("cover", side && `align-${side}`),
		back + element("div", shade, "") + element("div", { class: "content" }, r.html(block.content)),
		height && `min-height:${height}`,
	);
}

function buttons(block: Block, r: Renderer): string {
	const html = objects(block.buttons).map((one) => {
		const href = r.href(one.url ?? one.href);
		const attributes = {
			class: classes("button", one.style),
			"data-key": r.options.keys && text(one._key),
			href,
		};

		need(r, text(one.url) === "" ? "none" : href, "button", one);
		return (
			element(href ? "a" : "span", attributes, lines(one.text) || escape(href)) +
			linked(r, "", one.links)
		);
	});

	return r.put("div", block, classes("buttons", block.layout), html.join(""));
}

function file(block: Block, r: Renderer): string {
	const href = fileOf(r, block) || r.href(block.url),
		hasButton = block.showDownloadButton === true;
	const name =
		text(block.filename) ||
		text(block.title) ||
		(hasButton ? "" : (/[^/?#]*(?=[?#]|$)/.exec(href)?.[0] ?? ""));
	const label = text(block.downloadButtonText) || r.words.download;
	const link = { href, class: "button", download: true };

	need(r, href, "file", block);
	return r.figure(
		block,
		"file",
		element(
			"p",
			{},
			(name && element(href ? "a" : "span", { href }, escape(name))) +
				(hasButton && href ? ` ${element("a", link, escape(label))}` : ""),
		),
	);
}

function callout(block: Block, r: Renderer): string {
	const kind = word(block.kind) || "note";

	return r.put(
		"aside",
		block,
		`callout ${kind}`,
		element("p", { class: "title" }, escape(text(block.title) || kind)) + r.html(block.content),
	);
}

function shortcode(block: Block, r: Renderer, isInline: boolean): string {
	const html = element("code", { class: isInline && "shortcode" }, escape(text(block.source)));

	r.unknown(`shortcode ${text(block.name)}`, block._key, isInline ? "inline" : "block");
	return isInline ? html : r.put("pre", block, "shortcode", html);
}

export const builtin: Record<string, Render> = {
	block: (block, r) => r.textBlock(block),
	image,
	gallery: (block, r) => {
		const count = /^[1-9]$/.exec(String(block.columns))?.[0];
		const html = objects(block.images).map((one) => image(one, r));

		return r.figure(block, "gallery", html.join(""), count && `--columns:${count}`);
	},
	code,
	table: (block, r) => r.figure(block, "table", tableHtml(r, block)),
	break: (block, r) => r.put("hr", block, ""),
	pullquote,
	embed,
	video: player("video"),
	audio: player("audio"),
	file,
	columns,
	cover,
	buttons,
	group: (block, r) => r.put("div", block, "group", r.html(block.content ?? block.children)),
	callout,
	definitionList: (block, r) => {
		const html = objects(block.items).map(
			(one) => r.put("dt", one, "", r.html(one.term)) + element("dd", {}, r.html(one.content)),
		);

		return r.put("dl", block, "", html.join(""));
	},
	math: (block, r) =>
		r.put("pre", block, "math", element("code", { class: "language-tex" }, escape(text(block.tex)))),
	htmlBlock: (block, r) => {
		const html = clean(text(block.html), block, r);

		return r.caption(block) === "" ? r.put("div", block, "html", html) : r.figure(block, "html", html);
	},
	footnote: () => "", // below the text
	shortcode: (block, r) => shortcode(block, r, false),
};

export const inlines: Record<string, (object: Block, r: Renderer, cleaner: Cleaner) => string> = {
	image: (object, r) => {
		const html = r.image(object),
			href = r.href(object.link);

		need(r, html, "image", object);
		return href && html ? element("a", { href }, html) : html || escape(text(object.alt));
	},
	math: (object) => element("code", { class: "math" }, escape(text(object.tex))),
	html: (object, _, cleaner) => cleaner.feed(text(object.html)),
	footnoteReference: (object, r) => r.reference(object),
	shortcode: (object, r) => shortcode(object, r, true),
};

// ---- what has no known type ----

const isWordy =
	/^(title|head(ing|line)|label|name|text|caption|description|quote|citation|alt|code|source|html|body|content)$/i;

/** Shows the texts, blocks, pictures and links of a block, whatever its type. */
export function unknownHtml(block: Block, r: Renderer): string {
	const href = r.href(text(block.href) || text(block.url));
	let html = "",
		label = "";

	r.unknown(text(block._type), block._key, "block");
	for (const [name, value] of Object.entries(block)) {
		if (typeof value === "string") {
			if (isWordy.test(name)) {
				label ||= value;
				html += paragraph(value);
			}
		} else if (name === "asset") html += r.image(block);
		else if (name === "markDefs") continue;
		else if (objects(value).some((one) => one._type === "span"))
			html += element("p", {}, r.spans(value, block.markDefs, block));
		else if (objects(value).some((one) => text(one._type))) html += r.html(value);
		else if (isObject(value) && text(value._type)) html += r.block(value);
	}
	if (href) html += element("p", {}, element("a", { href, rel: "noopener" }, escape(label || href)));
	return r.put("div", block, classes("unknown", block._type), html);
}
