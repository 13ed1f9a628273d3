// terms.js - all terms of a taxonomy, flat, in the order of their siblings.
import { api, segment } from "./api.js";

const MOST = 20000; // terms that are read; who has more works over the API

const flat = (terms) => terms.flatMap(({ children, ...term }) => [term, ...flat(children ?? [])]);

/**
 * Those that a language has not got come in the site's first. isWhole: these are all.
 * @param {string} taxonomy @param {string} locale @param {AbortSignal} [signal] @returns {Promise<{rows: any[], isWhole: boolean}>}
 */
export async function termsOf(taxonomy, locale, signal) {
	const query = { locale, resolveFallback: true, cursor: undefined }, rows = [];

	do {
		const page = await api.get(`/taxonomies/${segment(taxonomy)}/terms`, { query, signal });

		rows.push(...flat(page.terms));
		query.cursor = page.nextCursor;
	} while (query.cursor && rows.length < MOST);
	return { rows, isWhole: !query.cursor };
}
