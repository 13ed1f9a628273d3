// html.ts - HTML of texts, pictures and values of fields, by @stet/render.
import { escape, imageHtml, type Options, safeHref, toHtml } from "@stet/render";
import { ownBlocks } from "@stet/render/own";
import { phrasesOf, put } from "./phrases.js";
import type { Entry, Field, HtmlOptions, Site, Tell } from "./types.js";
import { day } from "./words.js";

const WHY: Record<string, string> = {
	block: "block of a type that is not known",
	inline: "object in a text of a type that is not known",
	mark: "mark that is not known",
	style: "style that is not known",
	address: "no address, or one that a page may not have",
	footnote: "reference to a footnote that does not exist",
	html: "element taken out of HTML",
	depth: "too many blocks in each other",
};

/** What scrolls sideways gets the focus, for keys; a cell in the corner of a table is no heading. */
const usable = (html: string): string =>
	html
		.replace(/<(?:pre(?=[ >])|figure(?= class="table[ "]))/g, '$& tabindex="0"')
		.replace(/<th scope="\w+"><\/th>/g, "<td></td>");

/**
 * Headings without a step that is left out: an h4 below an h2 becomes an h3, as whoever hears the page wants it. Those of
 * one level stay of one level.
 * @param above the heading in front of the text
 */
function stepped(html: string, above: number): string {
	const open: { was: number; is: number }[] = [];

	return html.replace(/<h([1-6])(?=[ >])([^]*?)<\/h\1>/g, (_all, level: string, rest: string) => {
		const was = Number(level);
		while ((open.at(-1)?.was ?? 0) >= was) open.pop();
		const is = Math.min((open.at(-1)?.is ?? above) + 1, was);
		open.push({ was, is });
		return `<h${is}${rest}</h${is}>`;
	});
}

type Html = Pick<Site, "optionsOf" | "textHtml" | "textsHtml" | "coverHtml" | "valueHtml">;
type From = Pick<Site, "find" | "absolute" | "mediaUrl" | "entries" | "blockTypes">;
type SubField = Pick<Field, "slug" | "type"> & { label?: string };

const anchor = (href: string, text: unknown, more = ""): string =>
	`<a href="${escape(href)}"${more}>${escape(text)}</a>`;

export function newHtml(site: From, own: Options, tell: Tell): Html {
	const whereOf = (entry: Entry): string => `${entry.collection.slug}/${entry.item.slug}`;

	function optionsOf(entry: Entry, { absolute = false, ...more }: HtmlOptions = {}): Options {
		const where = whereOf(entry);
		const { footnotes, back, download, play, yes, no } = phrasesOf(entry.item.locale);
		let isTold = false; // find() has told of the link

		return {
			url: (address) => site.mediaUrl(address),
			media: (id) => entry.media[id],
			link: (href) => {
				const to = site.find(href, where);
				isTold = to === "";
				return absolute && to.startsWith("/") ? site.absolute(to) : to;
			},
			top: 2, // the title of the page is its h1
			sizes: "(min-width: 46rem) 42rem, 92vw",
			onUnknown: (type, key, reason) => {
				if (!isTold || reason !== "address")
					tell(`${WHY[reason] ?? reason}: ${type}`, `${where} (${key ?? "no key"})`);
				isTold = false;
			},
			...own,
			...more,
			blocks: {
				...ownBlocks(site.blockTypes, {
					item(id) {
						const to = site.entries.get(id);
						return to && { title: to.title, href: encodeURI(to.path) };
					},
					words: { yes, no },
				}),
				...own.blocks,
				...more.blocks,
			},
			words: {
				footnotes,
				back,
				download,
				play: (name) => put(play, { name }),
				...own.words,
				...more.words,
			},
		};
	}

	const textHtml = (entry: Entry, blocks: unknown, prefix = "fn"): string =>
		usable(toHtml(blocks, optionsOf(entry, { prefix })));

	function references(entry: Entry, field: SubField, ids: unknown[]): string {
		return ids
			.map((id) => {
				const to = site.entries.get(String(id));
				if (!to)
					tell(
						`a reference to an item that has no page: ${entry.collection.slug}.${field.slug}`,
						whereOf(entry),
					);
				return to ? anchor(encodeURI(to.path), to.title) : "";
			})
			.filter(Boolean)
			.join(", ");
	}

	const rowHtml = (entry: Entry, subs: SubField[], row: any): string => {
		const facts = subs
			.filter((sub) => ![null, undefined, ""].includes(row[sub.slug]))
			.map((sub) => {
				const field = { ...sub, label: sub.label ?? sub.slug };
				return `<dt>${escape(field.label)}</dt><dd>${valueHtml(entry, field, row[sub.slug])}</dd>`;
			});

		return `<dl class="facts">${facts.join("")}</dl>`;
	};

	type Show = (entry: Entry, field: Field, value: any) => string;
	const plain: Show = (_entry, _field, value) => escape([value].flat().join(", "));
	const t = (entry: Entry) => phrasesOf(entry.item.locale);
	const time: Show = (entry, _field, value) =>
		`<time datetime="${escape(value)}">${escape(day(value, entry.item.locale))}</time>`;
	const shows: Record<string, Show> = {
		string: plain,
		text: plain,
		number: plain,
		integer: plain,
		select: plain,
		multiSelect: plain,
		datetime: time,
		date: time,
		boolean: (entry, _field, value) => (value ? t(entry).yes : t(entry).no),
		url: (_entry, _field, value) =>
			safeHref(value) ? anchor(safeHref(value), value, ' rel="noopener"') : escape(value),
		image: (entry, _field, value) => imageHtml(value, optionsOf(entry)),
		file: (entry, _field, value) => anchor(site.mediaUrl(value), value.filename ?? t(entry).file),
		portableText: (entry, field, value) => textHtml(entry, value, field.slug),
		reference: (entry, field, value) => references(entry, field, [value].flat()),
		repeater: (entry, field, value) =>
			Array.isArray(value)
				? value.map((row) => rowHtml(entry, field.validation?.subFields ?? [], row)).join("")
				: "",
	};

	function valueHtml(entry: Entry, field: Field, value: unknown): string {
		const show = shows[field.type];
		const name = `${entry.collection.slug}.${field.slug}`;

		if (show) return show(entry, field, value);
		if (field.type === "json") tell(`a field of JSON is not shown: ${name}`, whereOf(entry));
		else tell(`a field of a type that is not known is not shown: ${name} (${field.type})`, whereOf(entry));
		return "";
	}

	return {
		optionsOf,
		textHtml,
		valueHtml,
		textsHtml: (entry) =>
			entry.texts
				.map(
					(one, i) =>
						(one.label && `<h2>${escape(one.label)}</h2>`) +
						stepped(
							textHtml(entry, one.blocks, i === 0 ? "fn" : `fn${i}`),
							one.label ? 2 : 1,
						),
				)
				.join(""),
		coverHtml: (entry, sizes, isFirst = false) => {
			const html = entry.cover === null ? "" : imageHtml(entry.cover, optionsOf(entry, { sizes }));
			return isFirst ? html.replace('loading="lazy"', 'fetchpriority="high"') : html;
		},
	};
}
