// items.js - finds items of a collection by their titles. The server searches.
import { api, segment } from "./api.js";
import { definitionOf, titleField as titleIn } from "./schema.js";

/** The slug of the field that holds the titles of a collection's items. @param {string} collection */
export const titleField = async (collection) => titleIn(await definitionOf(collection))?.slug ?? "slug";

/** The title of an item that was read with few members: its first text, else its slug or id. */
export const titleOf = (item) =>
	Object.values(item.data ?? {}).find((v) => typeof v === "string" && v !== "") ?? item.slug ?? item.id;

/**
 * Finds items of a collection: published ones by word prefixes if search indexes the collection, all by the start of the
 * title if it is indexed, else by any part of it.
 * @param {string} collection @param {string} words @param {AbortSignal} signal
 */
export async function findItems(collection, words, signal) {
	const definition = await definitionOf(collection),
		title = titleIn(definition),
		field = title?.slug ?? "slug";
	const get = (path, query) => api.get(path, { query: { limit: 10, ...query }, signal, quiet: true });
	const list = async (query) =>
		(await get(`/content/${segment(collection)}`, { fields: `slug,${field}`, ...query })).items.map(
			(item) => ({
				id: item.id,
				title: titleOf(item),
			}),
		);

	if (words === "") return list({});
	const [found, more] = await Promise.all([
		definition.supports.includes("search")
			? get("/search/suggest", { q: words, collections: collection }).then(
					(answer) => answer.items,
					() => [], // the index is being made
				)
			: [],
		list(
			title?.indexed
				? { fieldFilters: JSON.stringify({ [field]: { gte: words, lt: `${words}\uffff` } }) }
				: { q: words },
		),
	]);
	const all = [...found.map((item) => ({ id: item.id, title: item.title || item.slug || item.id })), ...more];
	return [...new Map(all.map((one) => [one.id, one])).values()].slice(0, 10);
}
