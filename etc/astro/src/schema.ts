// schema.ts - the entries of a collection as a schema of zod, and as TypeScript.
//
// A schema accepts whatever the API answers: values that were stored under earlier rules (a choice that has been taken
// away, a row of a repeater without a newer member) do not fail a build.
import { z, type ZodTypeAny } from "astro/zod";
import type { Collection, Field, Include, SubField } from "./site.js";

interface Kind {
	zod: ZodTypeAny;
	ts: string;
}

const text: Kind = { zod: z.string(), ts: "string" };
const number: Kind = { zod: z.number(), ts: "number" };
const boolean: Kind = { zod: z.boolean(), ts: "boolean" };
const anything: Kind = { zod: z.any(), ts: "any" };
const record: Kind = { zod: z.record(z.string(), z.any()), ts: "Record<string, any>" };
const listOf = ({ zod, ts }: Kind): Kind => ({ zod: z.array(zod), ts: `(${ts})[]` });
const maybe = ({ zod, ts }: Kind): Kind => ({ zod: zod.nullish(), ts: `${ts} | null | undefined` });

/** An object with at least these members. */
function objectOf(members: [string, Kind][]): Kind {
	return {
		zod: z.object(Object.fromEntries(members.map(([name, kind]) => [name, kind.zod]))).passthrough(),
		ts: `{ ${members.map(([name, { ts }]) => `${JSON.stringify(name)}${/ undefined$/.test(ts) ? "?" : ""}: ${ts};`).join(" ")} }`,
	};
}

function choice(options: string[] | undefined): Kind {
	return options && options.length > 0
		? {
				zod: z.union([z.enum(options as [string, ...string[]]), z.string()]),
				ts: `${options.map((one) => JSON.stringify(one)).join(" | ")} | (string & {})`,
			}
		: text;
}

const fileMembers: [string, Kind][] = [
	["id", text],
	...["url", "src", "filename", "mimeType", "provider"].map((name): [string, Kind] => [name, maybe(text)]),
	["meta", maybe(record)],
];
const file = objectOf([...fileMembers, ["size", maybe(number)]]);
const pictureMembers: [string, Kind][] = [
	...fileMembers,
	...["alt", "srcset", "blurhash", "dominantColor", "previewUrl"].map((name): [string, Kind] => [
		name,
		maybe(text),
	]),
	...["width", "height"].map((name): [string, Kind] => [name, maybe(number)]),
];
const picture = objectOf([...pictureMembers, ["darkVariant", maybe(objectOf(pictureMembers))]]);

const subOf = (sub: SubField): [string, Kind] => [sub.slug, maybe(kindOf(sub.type, sub.options))];

function kindOf(type: string, options?: string[], field?: Field): Kind {
	switch (type) {
		case "string":
		case "text":
		case "slug":
		case "url":
		case "datetime":
			return text;
		case "number":
		case "integer":
			return number;
		case "boolean":
			return boolean;
		case "select":
			return choice(options);
		case "multiSelect":
			return listOf(choice(options));
		case "portableText":
			return listOf(record);
		case "image":
			return picture;
		case "file":
			return file;
		case "reference":
			return field?.options?.allowMultiple ? listOf(text) : text;
		case "repeater":
			return listOf(objectOf((field?.validation?.subFields ?? []).map(subOf)));
		default: // json, and types of plugins
			return anything;
	}
}

const rows = listOf(record);
const included: { [K in keyof Required<Include>]: Kind } = {
	terms: { zod: z.record(z.string(), rows.zod), ts: `Record<string, ${rows.ts}>` },
	bylines: rows,
	author: maybe(record),
	media: rows,
	translations: rows,
	references: { zod: z.record(z.string(), record.zod), ts: `Record<string, ${record.ts}>` },
};

/** Members of an item that are no fields; of two of one name the field is the one that stays. */
const itemMembers: [string, Kind][] = [
	["id", text],
	["slug", maybe(text)],
	["locale", text],
	["status", text],
	["createdAt", text],
	["updatedAt", text],
	["publishedAt", maybe(text)],
	["translationGroup", text],
	["bylines", rows],
	["seo", maybe(record)],
];

/** `isPublic`: the items are published, so what is required is there. */
export function entryKind({ fields }: Collection, include: Include, isPublic: boolean): Kind {
	const kinds = (Object.keys(include) as (keyof Include)[]).filter((kind) => include[kind] && included[kind]);
	const all = new Map<string, Kind>(itemMembers);

	if (kinds.length > 0) all.set("included", objectOf(kinds.map((kind) => [kind, included[kind]])));
	for (const field of fields) {
		const kind = kindOf(field.type, field.validation?.options, field);
		all.set(field.slug, field.required && isPublic ? kind : maybe(kind));
	}
	return objectOf([...all]);
}
