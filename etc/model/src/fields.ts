// fields.ts - which field of an item is its title, text, picture and summary, and what is shown of the others.
import { summaryOf } from "@stet/render";
import type { Loaded } from "./read.js";
import type { Collection, Config, Entry, Field, Tell } from "./types.js";

type Value = Record<string, unknown>;
export const isObject = (value: unknown): value is Value =>
	value !== null && typeof value === "object" && !Array.isArray(value);
export const isText = (value: unknown): boolean =>
	Array.isArray(value) &&
	value.length > 0 &&
	value.every((one) => isObject(one) && typeof one._type === "string");
const isPicture = (value: unknown): boolean =>
	isObject(value) &&
	"id" in value &&
	/^image\/|^$/.test(String(value.mimeType ?? "")) &&
	("url" in value || "src" in value);
const isEmpty = (value: unknown): boolean => value === null || value === undefined || String(value) === "";

function typeOf(value: unknown): string {
	if (isText(value)) return "portableText";
	if (isPicture(value)) return "image";
	if (typeof value === "object") return "json";
	return typeof value;
}

/** Fields by their values, where the token may not read the schema. */
function fieldsOf(items: Loaded[]): Field[] {
	const found = new Map<string, Field>();

	for (const { item } of items)
		for (const [slug, value] of Object.entries(item.data))
			if (!found.has(slug) && value !== null && value !== "")
				found.set(slug, { slug, label: slug, type: typeOf(value) });
	return [...found.values()];
}

const TITLES = /^(title|name|headline|label|heading)$/i;
const SUMMARIES =
	/^(summary|excerpt|description|intro|introduction|teaser|lead|standfirst|subtitle|dek|custom_excerpt)$/i;
const COVERS = /cover|featured|hero|image|picture|photo|thumb|banner/i;
const isWords = (field: Field): boolean => ["string", "text"].includes(field.type);

export interface Roles {
	title?: Field | undefined;
	summary?: Field | undefined;
	cover?: Field | undefined;
	texts: Field[];
	others: Field[];
}

export function rolesOf(collection: Collection, items: Loaded[], config: Config, tell: Tell): Roles {
	const fields = collection.fields ?? fieldsOf(items);
	const own = config.collections?.[collection.slug] ?? {};
	const shown = fields.filter((field) => !own.hide?.includes(field.slug));
	const named = (slug: string | undefined): Field | undefined => {
		const found = fields.find((field) => field.slug === slug);
		if (slug && !found) tell(`config.ts: ${collection.slug} has no field ${slug}`, collection.slug);
		return found;
	};
	const words = shown.filter(isWords),
		pictures = shown.filter((field) => field.type === "image");
	const title =
		named(own.title) ??
		fields.find((field) => field.slug === collection.titleField) ??
		words.find((field) => TITLES.test(field.slug)) ??
		words[0];
	const body = named(own.body);
	const texts = shown.filter((field) => field.type === "portableText" && field !== body);
	const roles = {
		title,
		summary: named(own.summary) ?? words.find((field) => field !== title && SUMMARIES.test(field.slug)),
		cover: named(own.cover) ?? pictures.find((field) => COVERS.test(field.slug)) ?? pictures[0],
		texts: body ? [body, ...texts] : texts,
	};
	const taken = [roles.title, roles.summary, roles.cover, ...roles.texts];

	return { ...roles, others: shown.filter((field) => !taken.includes(field) && field.type !== "slug") };
}

/** An entry of an item. Its neighbours and translations are added when all are there. */
export function entryOf(
	collection: Collection,
	roles: Roles,
	loaded: Loaded,
	path: string,
	termPaths: Map<string, string>,
): Entry {
	const { item } = loaded,
		{ data } = item;
	const value = (field: Field | undefined): unknown => (field ? data[field.slug] : undefined);
	const texts = roles.texts
		.map((field, i) => ({ label: i === 0 ? "" : field.label, blocks: value(field) as unknown[] }))
		.filter((one) => one.blocks?.length > 0);
	const cover = value(roles.cover);
	const given = String(value(roles.summary) ?? "").trim();
	const ownDate = String(value(roles.others.find((field) => field.slug === collection.dateField)) ?? "");
	const date = ownDate || item.publishedAt;

	return {
		collection,
		item,
		path,
		title: String(value(roles.title) ?? "").trim() || item.slug || item.id,
		summary: given || summaryOf(texts[0]?.blocks),
		texts,
		facts: roles.others
			.map((field) => ({ field, value: value(field) }))
			.filter((one) => !isEmpty(one.value)),
		cover: isObject(cover) ? cover : null,
		date,
		isDated: collection.slug !== "pages" && date !== null,
		terms: loaded.terms
			.map((term) => ({ label: term.label, path: termPaths.get(term.id) ?? "" }))
			.filter((one) => one.path !== ""),
		bylines: loaded.bylines,
		media: loaded.media,
		translations: [],
	};
}
