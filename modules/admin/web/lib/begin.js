// begin.js - what a new collection begins with: fields for a title and a text, and an index for search.
import { api, segment } from "./api.js";
import { has } from "./site.js";
import { addWords } from "./words.js";
import en from "./begin.json";

export const t = addWords("begin", en);

/** @param {string} label */
const title = (label) => ({ slug: "title", label, type: "string", required: true, indexed: true, searchable: true });
/** @param {string} label */
const text = (label) => ({ slug: "content", label, type: "portableText", searchable: true });

/**
 * Resolves with null if the thing is there already: an earlier attempt has made it.
 * @template T @param {Promise<T>} making @returns {Promise<T | null>}
 */
export const madeOnce = (making) =>
	making.catch((error) => {
		if (error.status !== 409) throw error;
		return null;
	});

/** @param {{slug: string, supports: string[]}} collection @param {any[]} [more] further fields */
export async function addFirstFields(collection, more = []) {
	for (const field of [title(t("title")), ...more, text(t("text"))])
		await madeOnce(api.post(`/schema/collections/${segment(collection.slug)}/fields`, field));
	if (collection.supports.includes("search") && has("search"))
		await api.post("/search/enable", { collection: collection.slug, enabled: true });
}
