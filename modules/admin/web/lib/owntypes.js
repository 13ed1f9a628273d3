// owntypes.js - the types of blocks that the site defines, and the words of such a block, for comparing and merging.
import { api } from "./api.js";
import { manifest } from "./site.js";

/**
 * @typedef {{slug: string, label: string, description?: string, fields: import("./schema.js").Field[]}} Type
 */

/** @type {Promise<Type[]> | null} */
let asked = null;
/** @type {import("./site.js").Manifest | null} */
let askedWith = null;
/** @type {Type[]} */
let known = [];

/** The types with their fields: read once, and again after a change of the manifest, which lists the types. */
export function ownTypes() {
	if (!manifest.value?.blocks) return Promise.resolve([]);
	if (askedWith !== manifest.value) asked = null;
	askedWith = manifest.value;
	asked ??= api.get("/admin/manifest/block-types", { quiet: true }).then(({ items }) => (known = items));
	asked.catch(() => (asked = null));
	return asked;
}

/** What people read in a value: of a picture its alternative text, of a file its name. */
function said(value) {
	if (Array.isArray(value)) return value.map(said).filter(Boolean).join(", ");
	if (value === null || typeof value !== "object") return String(value ?? "");
	if (typeof value.id === "string" && ("url" in value || "src" in value))
		return value.alt || value.filename || value.id;
	return Object.values(value).map(said).filter(Boolean).join(", ");
}

/**
 * A block of such a type as lines of "Name: value", with members of removed fields below; null: it is none, or the
 * types have not been read. @param {any} block
 */
export function ownLines(block) {
	const type = known.find(({ slug }) => slug === block?._type);

	if (!type) return null;
	const { _type, _key, ...members } = block,
		names = [...type.fields.map(({ slug }) => slug), ...Object.keys(members)];
	const labelOf = (name) => type.fields.find(({ slug }) => slug === name)?.label ?? name;

	return [...new Set(names)]
		.map((name) => [labelOf(name), said(members[name])])
		.filter(([, value]) => value !== "")
		.map(([label, value]) => `${label}: ${value}`)
		.join("\n");
}

/** The name of the type of a block, or undefined. @param {any} block */
export const ownLabel = (block) => manifest.value?.blocks?.find(({ slug }) => slug === block?._type)?.label;
