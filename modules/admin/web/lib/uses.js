// uses.js - where items are used, before they are deleted: in reference fields of other items, and in menus.
import { api } from "./api.js";
import { has, manifest, may } from "./site.js";
import { AT_ONCE, definitionsOf, titleField } from "./schema.js";

const MOST = 20; // uses that are named

/** @typedef {{kind: string, name: string}} Use kind: the label of a collection, or "" for a menu */

/** The results of calls, null for those that failed. @param {any[]} calls @param {AbortSignal} [signal] */
async function batch(calls, signal) {
	const all = [];

	for (let i = 0; i < calls.length; i += AT_ONCE) {
		const part = calls.slice(i, i + AT_ONCE);
		const { results } = await api.post("/batch", { calls: part }, { signal, quiet: true });
		all.push(...results.map((one) => (one.ok ? one.data : null)));
	}
	return all;
}

/** Fields of other items that can refer to items of the collection; only indexed ones can be asked. */
const fieldsTo = (definition, collection) =>
	definition.fields.filter(
		(f) =>
			f.type === "reference" &&
			f.indexed &&
			(f.validation?.collection ?? f.options?.collection ?? collection) === collection,
	);

/** @param {string} collection @param {string[]} ids @param {AbortSignal} [signal] @returns {Promise<Use[]>} */
async function inItems(collection, ids, signal) {
	const definitions = await definitionsOf(
		manifest.value.collections.filter((c) => c.rights.read === "all"),
		signal,
	);
	const asks = definitions.flatMap((definition) =>
		fieldsTo(definition, collection).flatMap((field) => {
			const title = titleField(definition)?.slug,
				isMany = field.options?.allowMultiple === true;
			const filters = isMany ? ids.map((id) => ({ has: id })) : [{ in: ids }];

			return filters.map((filter) => ({
				definition,
				title,
				call: {
					op: "content_list",
					arguments: {
						collection: definition.slug,
						limit: MOST,
						fields: title ? `slug,${title}` : "slug",
						fieldFilters: JSON.stringify({ [field.slug]: filter }),
					},
				},
			}));
		}),
	);
	const answers = await batch(
		asks.map((one) => one.call),
		signal,
	);

	return asks.flatMap((one, i) =>
		(answers[i]?.items ?? [])
			.filter((item) => !ids.includes(item.id))
			.map((item) => ({
				kind: one.definition.label,
				name: String(item.data?.[one.title] ?? "") || item.slug || item.id,
			})),
	);
}

/** @param {string[]} ids @param {AbortSignal} [signal] @returns {Promise<Use[]>} */
async function inMenus(ids, signal) {
	if (!has("menus") || !may("menus:manage")) return [];
	const list = await api.get("/menus", { signal, quiet: true });
	const menus = await batch(
		list.map(({ name, locale }) => ({ op: "menu_get", arguments: { name, locale } })),
		signal,
	);

	return menus
		.filter((menu) => menu?.items.some((link) => ids.includes(link.referenceId)))
		.map((menu) => ({ kind: "", name: menu.label }));
}

/**
 * Where items of a collection are used; what cannot be asked is left out.
 * @param {string} collection @param {string[]} ids @param {AbortSignal} [signal]
 */
export async function usesOfItems(collection, ids, signal) {
	const [items, menus] = await Promise.all([
		inItems(collection, ids, signal).catch(() => []),
		inMenus(ids, signal).catch(() => []),
	]);

	return [...items, ...menus];
}
