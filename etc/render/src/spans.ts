// spans.ts - the text of one block: spans with marks, links, and objects between them.
import { type Attributes, element, escape, hostOf, lines, own, text } from "./address.js";
import type { Cleaner } from "./clean.js";
import type { Block, Context } from "./types.js";

/** Elements of marks, by the names that importers, editors and other systems use. */
const elements: Record<string, string> = {
	strong: "strong",
	em: "em",
	underline: "u",
	"strike-through": "s",
	strike: "s",
	code: "code",
	superscript: "sup",
	subscript: "sub",
	sup: "sup",
	sub: "sub",
	highlight: "mark",
	mark: "mark",
};

export const isObject = (value: unknown): value is Block =>
	value !== null && typeof value === "object" && !Array.isArray(value);
export const objects = (value: unknown): Block[] => (Array.isArray(value) ? value.filter(isObject) : []);
const names = (span: Block): string[] =>
	Array.isArray(span.marks)
		? [...new Set<string>(span.marks.filter((mark: unknown) => typeof mark === "string"))]
		: [];

/** The attributes of a link; null if it may not lead there. */
export function linkOf(context: Context, link: { [member: string]: any }): Attributes | null {
	const href = context.href(link.href ?? link.url);
	const isBlank = link.blank === true || link.target === "_blank";
	const rel = new Set(
		text(link.rel)
			.toLowerCase()
			.match(/[a-z]+/g),
	);

	if (isBlank || hostOf(href)) rel.add("noopener");
	return href ? { href, title: text(link.title), target: isBlank && "_blank", rel: [...rel].join(" ") } : null;
}

/** Puts a mark or an annotation around HTML. */
function wrap(context: Context, name: string, def: Block | undefined, html: string): string {
	const hook = own(context.options.marks, text(def?._type) || name);
	const known = own(elements, name);

	if (hook) return hook(html, def, context);
	if (def && (def._type === "link" || typeof def.href === "string")) {
		const link = linkOf(context, def);
		if (!link) context.unknown("link", def._key, "address");
		return link ? element("a", link, html) : html;
	}
	if (!def && known) return element(known, {}, html);
	context.unknown(text(def?._type) || name, def?._key, "mark");
	return html;
}

export type Inline = (object: Block, cleaner: Cleaner) => string;

/** The HTML of the children of a text. `inline` writes an object. */
export function spansHtml(context: Context, children: unknown, markDefs: unknown, inline: Inline, cleaner: Cleaner) {
	const defs = new Map(objects(markDefs).map((def) => [def._key, def]));
	// Marks that are open, the outermost first, with the HTML inside of each.
	const open: { name: string; html: string }[] = [{ name: "", html: "" }];
	const add = (html: string) => {
		(open.at(-1) as { html: string }).html += html;
	};
	const close = (count: number) => {
		while (open.length > count) {
			const { name, html } = open.pop() as { name: string; html: string };
			add(wrap(context, name, defs.get(name), html));
		}
	};

	for (const span of objects(children)) {
		const marks = span._type === "span" ? names(span) : [];
		const ended = open.findIndex((one, i) => i > 0 && !marks.includes(one.name));

		if (ended > 0) close(ended);
		// A link is around marks that begin with it.
		for (const isLink of [true, false])
			for (const name of marks)
				if (defs.has(name) === isLink && !open.some((one) => one.name === name))
					open.push({ name, html: "" });
		add(span._type === "span" ? lines(span.text) : inline(span, cleaner));
	}
	close(1);
	return (open[0] as { html: string }).html + cleaner.end();
}

/** A text that has links somewhere, whose places are not known: the first one is around it, others follow. */
export function linked(context: Context, value: unknown, links: unknown): string {
	const html = lines(value);
	const found = objects(links)
		.map((link) => linkOf(context, link))
		.filter((link) => link !== null);

	return (
		found
			.map((link, i) =>
				element(
					"a",
					link,
					(i === 0 && html) || escape(hostOf(link.href as string) || link.href),
				),
			)
			.join(" ") || html
	);
}
