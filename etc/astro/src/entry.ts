// entry.ts - an item of the API as an entry of Astro: its data, and its body as HTML.
import {
	type AnyCollections,
	type Client,
	bylinesOf,
	type LooseItem,
	mediaOf,
	termsOf,
	translationsOf,
} from "@stet/client";
import { type Block, type Options as RenderOptions, textOf, toHtml } from "@stet/render";
import type { Collection, Include } from "./site.js";

type Rows = Record<string, any>;
/** A page or an answer of the API: items, and what belongs to them. */
export interface Answer {
	included?: { media?: Rows; items?: Rows; author?: Rows; [kind: string]: any };
}
export interface Heading {
	depth: number;
	slug: string;
	text: string;
}

// Astro takes texts that begin like this for pictures among the sources of the site.
const IMPORT = "__ASTRO_IMAGE_";

/** A value that Astro stores as it is: without members named __proto__, which it refuses, and without IMPORT in front. */
function harmless(value: unknown): unknown {
	if (typeof value === "string") return value.startsWith(IMPORT) ? ` ${value}` : value;
	if (Array.isArray(value)) return value.map(harmless);
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => name !== "__proto__")
			.map(([name, one]) => [name, harmless(one)]),
	);
}

/** The value of an image or file field with absolute addresses, with smaller copies, and with the alt of the library. */
function file(client: Client<AnyCollections>, value: any, rows: Rows): unknown {
	if (value === null || typeof value !== "object") return value;
	const row = Object.hasOwn(rows, value.id) ? rows[value.id] : undefined;
	const url = client.mediaUrl(value);
	const srcset = client.srcset(row ?? value);
	const out = { ...value, ...(url && { url }), ...(srcset && { srcset }) };

	if (row?.alt && (value.alt ?? null) === null) out.alt = row.alt;
	if (value.darkVariant) out.darkVariant = file(client, value.darkVariant, rows);
	return out;
}

function referenced(item: LooseItem, { fields }: Collection, items: Rows): Rows {
	const found: Rows = {};
	const ids = fields
		.filter((field) => field.type === "reference")
		.flatMap((field) => item.data[field.slug] ?? []);

	// Also those that these name in turn, if they were asked for.
	for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
		const row = items[id];
		if (!row || found[id]) continue;
		found[id] = row;
		ids.push(
			...Object.values(row.data ?? {})
				.flat()
				.filter((value): value is string => typeof value === "string"),
		);
	}
	return found;
}

function includedOf(item: LooseItem, collection: Collection, include: Include, answer: any): Rows {
	const out: Rows = {};

	if (include.terms) {
		out.terms = {};
		for (const term of termsOf(answer, item)) (out.terms[term.name] ??= []).push(term);
	}
	if (include.bylines) out.bylines = bylinesOf(answer, item);
	if (include.author) out.author = answer.included.author?.[item.authorId ?? ""] ?? null;
	if (include.media) out.media = mediaOf(answer, item);
	if (include.translations) out.translations = translationsOf(answer, item);
	if (include.references) out.references = referenced(item, collection, answer.included.items ?? {});
	return out;
}

/** What readers see of an item of which a draft is pending. */
export function live(item: LooseItem): LooseItem {
	return {
		...item,
		data: item.liveData ?? item.data,
		slug: item.liveSlug !== undefined ? item.liveSlug : item.slug,
		...(item.liveSeo && { seo: item.liveSeo }),
		bylines: item.liveBylines ?? item.bylines,
	};
}

/** The data of an entry. */
export function dataOf(
	client: Client<AnyCollections>,
	item: LooseItem,
	collection: Collection,
	include: Include,
	answer: Answer,
): Record<string, unknown> {
	const rows = answer.included?.media ?? {};
	const { id, slug, locale, status, createdAt, updatedAt, publishedAt, translationGroup, bylines, seo } = item;
	const data: Rows = { id, slug, locale, status, createdAt, updatedAt, publishedAt, translationGroup, bylines };

	if (seo) data.seo = seo;
	if (Object.values(include).some(Boolean)) data.included = includedOf(item, collection, include, answer);
	Object.assign(data, item.data);
	for (const field of collection.fields) {
		const value = data[field.slug];
		if (field.type === "image" || field.type === "file") data[field.slug] = file(client, value, rows);
		if (field.type !== "repeater" || !Array.isArray(value)) continue;
		const pictures = (field.validation?.subFields ?? []).filter((sub) => sub.type === "image");
		data[field.slug] = value.map((row) => ({
			...row,
			...Object.fromEntries(
				pictures
					.filter((sub) => row[sub.slug])
					.map((sub) => [sub.slug, file(client, row[sub.slug], rows)]),
			),
		}));
	}
	const text = JSON.stringify(data);
	return (text.includes(IMPORT) || text.includes('"__proto__"') ? harmless(data) : data) as Rows;
}

/** A word for the address of a heading, which no other one has. */
function anchor(text: string, taken: Set<string>): string {
	const base =
		text
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
			.replace(/^-|-$/g, "")
			.slice(0, 80) || "section";
	let slug = base;

	for (let i = 1; taken.has(slug); i++) slug = `${base}-${i}`;
	taken.add(slug);
	return slug;
}

/** The HTML of Portable Text, with the headings in it, which get ids. */
export function rendered(
	client: Client<AnyCollections>,
	blocks: unknown,
	rows: Rows,
	options: RenderOptions,
): { html: string; metadata: { headings: Heading[]; imagePaths: string[] } } {
	const headings: Heading[] = [];
	const taken = new Set<string>();
	const own = options.blocks?.block;
	const html = toHtml(blocks, {
		url: (address) => client.mediaUrl(address),
		media: (id) => rows[id],
		...options,
		blocks: {
			...options.blocks,
			block: (block: Block, context) => {
				const level = Number(/^h([1-6])$/.exec(block.style)?.[1] ?? 0);
				const given = own?.(block, context);
				if (given !== undefined || level === 0) return given;
				const depth = Math.max(level, options.top ?? 1);
				const text = textOf([block]).trim();
				const slug = anchor(text, taken);
				headings.push({ depth, slug, text });
				const inner = context.spans(block.children, block.markDefs);
				return `<h${depth} id="${context.escape(slug)}"${context.attributes(block)}>${inner}</h${depth}>\n`;
			},
		},
	});

	// Of HTML blocks: see IMPORT.
	return { html: html.replaceAll(`${IMPORT}=`, `${IMPORT}&#61;`), metadata: { headings, imagePaths: [] } };
}
