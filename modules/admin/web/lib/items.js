// items.js - finds items of a collection by their titles. The server searches.
import { api, segment } from "./api.js";

/** The name of each collection's title field, requested once. @type {Map<string, Promise<string>>} */
const titleFields = new Map();

/** @param {string} collection */
export function titleField(collection) {
	if (!titleFields.has(collection))
		titleFields.set(
			collection,
			api
				.get(`/schema/collections/${segment(collection)}`, { query: { includeFields: "true" } })
				.then(({ item }) => {
					const lines = item.fields
						.filter((f) => f.type === "string" || f.type === "text")
						.map((f) => f.slug);

					return (
						[item.titleField, "title", "name", ...lines].find((slug) =>
							lines.includes(slug),
						) ?? "slug"
					);
				}),
		);
	return titleFields.get(collection);
}

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
