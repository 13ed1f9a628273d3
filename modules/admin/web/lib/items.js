// items.js - finds items of a collection by their titles. The server searches.
import { api, segment } from "./api.js";
import { definitionOf, titleField as titleIn } from "./schema.js";

/** The slug of the field that holds the titles of a collection's items. @param {string} collection */
export const titleField = async (collection) => titleIn(await definitionOf(collection))?.slug ?? "slug";

/** The title of an item that was read with few members: its first text, else its slug or id. */
export const titleOf = (item) =>
	Object.values(item.data ?? {}).find((v) => typeof v === "string" && v !== "") ?? item.slug ?? item.id;

/** Finds items of a collection: by word prefixes if search indexes the title, else by the start of the title. */
export async function findItems(collection, words, signal) {
	const field = await titleField(collection),
		path = `/content/${segment(collection)}`;
	const list = async (query) =>
		(
			await api.get(path, {
				query: { limit: 10, fields: `slug,${field}`, ...query },
				signal,
				quiet: true,
			})
		).items.map((item) => ({ id: item.id, title: titleOf(item) }));

	if (words === "") return list({});
	const [found, drafts] = await Promise.all([
		api
			.get("/search/suggest", {
				query: { q: words, limit: 10, collections: collection },
				signal,
				quiet: true,
			})
			.then(
				(answer) => answer.items,
				() => [],
			),
		list({ fieldFilters: JSON.stringify({ [field]: { gte: words, lt: `${words}\uffff` } }) }).catch(
			() => [],
		),
	]);
	const all = [...found.map((item) => ({ id: item.id, title: item.title || item.slug || item.id })), ...drafts];
	return [...new Map(all.map((one) => [one.id, one])).values()].slice(0, 10);
}
