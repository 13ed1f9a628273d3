// uses.js - where items are used, before they are deleted: in references, texts and drafts of other items, and in menus.
import { api, segment } from "./api.js";
import { collection as collectionOf, has } from "./site.js";

const AT_ONCE = 20; // items of a request
const PAGES = 20; // requests, each of which looks at some thousand items
const LONGEST = 4000; // ms

/** @typedef {{kind: string, name: string}} Use kind: the label of a collection, or "" for a menu */

/** @param {string} collection @param {string[]} ids */
const pathOf = (collection, [id], what) => `/content/${segment(collection)}/${segment(id)}/${what}`;

/**
 * @param {string} collection @param {string[]} ids @param {Set<string>} chosen items that are left out
 * @param {AbortSignal} [signal] @returns {Promise<{uses: Use[], isWhole: boolean}>} isWhole: all items of the site were looked at
 */
async function inItems(collection, ids, chosen, signal) {
	const end = Date.now() + LONGEST,
		query = { also: ids.slice(1).join(), cursor: undefined },
		found = new Map();
	let isCut = false;

	for (let i = 0; i < PAGES && Date.now() < end; i++) {
		const page = await api.get(pathOf(collection, ids, "uses"), { query, signal });

		for (const item of page.items.filter((one) => !chosen.has(one.id)))
			found.set(item.id, {
				kind: collectionOf(item.collection)?.label ?? item.collection,
				name: item.title || item.slug || item.id,
			});
		isCut ||= page.truncated === true;
		query.cursor = page.nextCursor;
		if (!query.cursor) break;
	}
	return { uses: [...found.values()], isWhole: !query.cursor && !isCut };
}

/** @param {string} collection @param {string[]} ids @param {AbortSignal} [signal] @returns {Promise<Use[]>} */
async function inMenus(collection, ids, signal) {
	if (!has("menus")) return [];
	const { items } = await api.get(pathOf(collection, ids, "menus"), {
		query: { also: ids.slice(1).join() },
		signal,
	});

	return items.map((menu) => ({ kind: "", name: menu.label }));
}

/**
 * Where items of a collection are used; what cannot be asked is left out.
 * @param {string} collection @param {string[]} ids @param {AbortSignal} [signal]
 * @returns {Promise<{uses: Use[], isWhole: boolean}>}
 */
export async function usesOfItems(collection, ids, signal) {
	const uses = [],
		chosen = new Set(ids); // they go together
	let isWhole = true;

	for (let i = 0; i < ids.length; i += AT_ONCE) {
		const part = ids.slice(i, i + AT_ONCE);
		const [items, menus] = await Promise.all([
			inItems(collection, part, chosen, signal).catch(() => ({ uses: [], isWhole: false })),
			inMenus(collection, part, signal).catch(() => []),
		]);

		uses.push(...items.uses, ...menus);
		isWhole &&= items.isWhole;
	}
	return { uses, isWhole };
}
