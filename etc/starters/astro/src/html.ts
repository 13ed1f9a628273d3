// html.ts - Portable Text as HTML. All text is escaped; links lead to http, https, mailto, tel and to this site.
// A block of a type that is not known here is left out: add a line to `objects`.

interface Block {
	_type: string;
	style?: string;
	listItem?: string;
	level?: number;
	children?: Span[];
	markDefs?: Definition[];
	[member: string]: unknown;
}
/** A text with its marks, or an object in a text: a picture, a formula, a reference to a footnote. */
interface Span {
	_type: string;
	text?: string;
	marks?: string[];
	label?: unknown;
	tex?: unknown;
	source?: unknown;
	asset?: unknown;
	alt?: unknown;
	link?: unknown;
}
interface Definition {
	_type: string;
	_key: string;
	[member: string]: unknown;
}
interface Cell {
	content?: Span[];
	markDefs?: Definition[];
	isHeader?: boolean;
	align?: string;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escape = (text: unknown): string =>
	String(text ?? "").replace(/[&<>"']/g, (sign) => escapes[sign] as string);

/** An address that a link may have; "": none. */
export const safeUrl = (address: unknown): string =>
	/^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(String(address ?? "")) ? escape(address) : "";

const marks = new Map([
	["strong", "strong"],
	["em", "em"],
	["code", "code"],
	["underline", "u"],
	["strike-through", "s"],
	["superscript", "sup"],
	["subscript", "sub"],
]);
const styles = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "blockquote"]);
const lists = new Map([
	["bullet", "ul"],
	["number", "ol"],
]);

type Resolve = (address: string) => string;
type Put = (block: Block, resolve: Resolve) => string;
const list = <Item>(value: unknown): Item[] => (Array.isArray(value) ? value : []);
const code = (text: unknown) => `<pre><code>${escape(text)}</code></pre>`;
const caption = (block: Block, tag: string) => (block.caption ? `<${tag}>${escape(block.caption)}</${tag}>` : "");

function linkHtml(html: string, address: unknown): string {
	const href = safeUrl(address);

	return href ? `<a href="${href}">${html}</a>` : html;
}

function imageHtml(image: Span | Block, resolve: Resolve): string {
	const { url, src } = (image.asset ?? image) as { url?: string; src?: string };
	const address = safeUrl(resolve(url ?? src ?? ""));

	return address && linkHtml(`<img src="${address}" alt="${escape(image.alt)}" loading="lazy">`, image.link);
}

/** Objects in a text. Others are not shown, such as tags of HTML. */
const inline = new Map<string, (object: Span, resolve: Resolve) => string>([
	["image", imageHtml],
	["math", (object) => `<code>${escape(object.tex)}</code>`],
	["shortcode", (object) => `<code>${escape(object.source)}</code>`],
	[
		"footnoteReference",
		({ label }) =>
			`<sup><a href="#note-${escape(encodeURIComponent(String(label)))}">${escape(label)}</a></sup>`,
	],
]);

function spansHtml(spans: Span[], definitions: Definition[], resolve: Resolve): string {
	return spans
		.map((span) =>
			span.text === undefined
				? (inline.get(span._type)?.(span, resolve) ?? "")
				: spanHtml(span, definitions),
		)
		.join("");
}

function tableHtml(table: Block, resolve: Resolve): string {
	const rows = list<{ cells?: Cell[] }>(table.rows).map(({ cells }, at) => {
		const html = list<Cell>(cells).map((cell) => {
			const tag = cell.isHeader || (at === 0 && table.hasHeaderRow) ? "th" : "td";
			const align = ["left", "center", "right"].includes(cell.align ?? "")
				? ` align="${cell.align}"`
				: "";
			return `<${tag}${align}>${spansHtml(list(cell.content), list(cell.markDefs), resolve)}</${tag}>`;
		});
		return `<tr>${html.join("")}</tr>`;
	});

	return `<table>${caption(table, "caption")}${rows.join("")}</table>`;
}

function definitionsHtml(block: Block, resolve: Resolve): string {
	const items = list<{ term?: Block[]; content?: Block[] }>(block.items).map(({ term, content }) => {
		const name = list<Block>(term).map((one) => spansHtml(list(one.children), list(one.markDefs), resolve));
		return `<dt>${name.join(" ")}</dt><dd>${toHtml(content, resolve)}</dd>`;
	});

	return `<dl>${items.join("")}</dl>`;
}

/** The words of HTML that an editor has written, without its tags: it is not trusted. */
const wordsOf = (html: unknown): string =>
	String(html ?? "")
		.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
		.replace(/[<>"']/g, (sign) => escapes[sign] as string);

const objects = new Map<string, Put>([
	["code", (block) => code(block.code)],
	["math", (block) => code(block.tex)],
	["shortcode", (block) => code(block.source)],
	["break", () => "<hr>"],
	["table", tableHtml],
	["definitionList", definitionsHtml],
	[
		"image",
		(block, resolve) => {
			const image = imageHtml(block, resolve);
			return image && `<figure>${image}${caption(block, "figcaption")}</figure>`;
		},
	],
	[
		"callout",
		(block, resolve) =>
			`<aside class="${escape(block.kind)}"><p><strong>${escape(block.title ?? block.kind)}</strong></p>` +
			`${toHtml(list<Block>(block.content), resolve)}</aside>`,
	],
	[
		"footnote",
		(block, resolve) =>
			`<p id="note-${escape(block.label)}"><sup>${escape(block.label)}</sup> ` +
			`${spansHtml(list(block.content), list(block.markDefs), resolve)}</p>`,
	],
	[
		"columns",
		(block, resolve) =>
			list<{ content?: Block[] }>(block.columns)
				.map(({ content }) => `<div>${toHtml(content, resolve)}</div>`)
				.join(""),
	],
	["gallery", (block, resolve) => toHtml(list<Block>(block.images), resolve) + caption(block, "p")],
	[
		"buttons",
		(block) =>
			list<{ text?: string; url?: string }>(block.buttons)
				.map(({ text, url }) => `<p>${linkHtml(escape(text), url)}</p>`)
				.join(""),
	],
	["embed", (block) => `<p>${linkHtml(escape(block.url), block.url)}</p>${caption(block, "p")}`],
	["file", (block) => `<p>${linkHtml(escape(block.filename ?? block.url), block.url)}</p>`],
	[
		"pullquote",
		(block) =>
			`<blockquote><p>${escape(block.text)}</p>${block.citation ? `<cite>${escape(block.citation)}</cite>` : ""}` +
			"</blockquote>",
	],
	["htmlBlock", (block) => `<p>${wordsOf(block.html)}</p>`],
]);

function spanHtml(span: Span, definitions: Definition[]): string {
	let html = escape(span.text).replaceAll("\n", "<br>");

	for (const mark of span.marks ?? []) {
		const tag = marks.get(mark),
			link = definitions.find((one) => one._key === mark && one._type === "link");
		if (tag) html = `<${tag}>${html}</${tag}>`;
		else if (link) html = linkHtml(html, link.href);
	}
	return html;
}

/** The HTML of blocks; `resolve` makes the addresses of files absolute (mediaUrl of the client). */
export function toHtml(blocks: readonly Block[] | undefined, resolve: Resolve = (address) => address): string {
	const open: string[] = []; // lists, the outermost first
	let html = "";
	const close = (level: number) => {
		while (open.length > level) html += `</li></${open.pop()}>`;
	};

	for (const block of blocks ?? []) {
		const box = typeof block.checked === "boolean" ? (block.checked ? "☑ " : "☐ ") : "";
		const text = box + spansHtml(list(block.children), list(block.markDefs), resolve);
		const kind = block._type === "block" ? lists.get(block.listItem ?? "") : undefined;
		if (kind) {
			const level = Math.min(Math.max(1, block.level ?? 1), open.length + 1, 10);
			close(level);
			if (open.length === level && open[level - 1] !== kind) close(level - 1);
			if (open.length < level) {
				const start =
					kind === "ol" && Number.isInteger(block.start) ? ` start="${block.start}"` : "";
				open.push(kind);
				html += `<${kind}${start}><li>${text}`;
			} else html += `</li><li>${text}`;
			continue;
		}
		close(0);
		if (block._type === "block") {
			const tag = styles.has(block.style ?? "") ? block.style : "p";
			html += `<${tag}>${text}</${tag}>`;
		} else html += objects.get(block._type)?.(block, resolve) ?? "";
	}
	close(0);
	return html;
}

const DESCRIPTION_MAX = 155; // characters: search engines show about that much

/** The beginning of a text, in whole words, for search engines. */
export function summaryOf(blocks: readonly Block[] | undefined): string {
	const text = (blocks ?? [])
		.flatMap((block) => (block.children ?? []).map((span) => span.text ?? "").join(""))
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();

	return text.length <= DESCRIPTION_MAX ? text : `${text.slice(0, DESCRIPTION_MAX).replace(/\s+\S*$/, "")}…`;
}
