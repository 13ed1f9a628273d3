// terms.js - reads the terms of a taxonomy: all of them as a flat list in sibling order, or those that match a search.
import { api, segment } from "./api.js";
import { manifest } from "./site.js";

const MOST = 20000; // terms that are read at most; larger taxonomies need the API

const flat = (terms) => terms.flatMap(({ children, ...term }) => [term, ...flat(children ?? [])]);

/**
 * All terms. A term that lacks this locale comes in the site's first locale. isWhole: these are all terms.
 * @param {string} taxonomy @param {string} locale @param {AbortSignal} [signal] @returns {Promise<{rows: any[], isWhole: boolean}>}
 */
export async function termsOf(taxonomy, locale, signal) {
	const query = { locale, resolveFallback: true, cursor: undefined },
		rows = [];

	do {
		const page = await api.get(`/taxonomies/${segment(taxonomy)}/terms`, { query, signal });

		rows.push(...flat(page.terms));
		query.cursor = page.nextCursor;
	} while (query.cursor && rows.length < MOST);
	return { rows, isWhole: !query.cursor };
}

/**
 * The terms of an item, also those in neither its locale nor the site's first one: these have the slug of a translation.
 * @param {{terms: any[], unresolved: {translationGroup: string, translations: {id: string, slug: string}[]}[]}} answer
 * @returns {any[]}
 */
export const allTerms = ({ terms, unresolved }) => [
	...terms,
	...unresolved.map(({ translationGroup, translations: [{ id, slug }] }) => ({
		id,
		slug,
		label: slug,
		translationGroup,
	})),
];

/**
 * Terms that begin with these words, found by the server: first those of this locale, then those that only the site's
 * first locale has. Without words: the first terms.
 * @param {string} taxonomy @param {string} locale @param {string} words @param {number} limit @param {AbortSignal} [signal]
 * @returns {Promise<any[]>}
 */
export async function findTerms(taxonomy, locale, words, limit, signal) {
	/** @type {Map<string, any>} */
	const found = new Map();

	for (const one of new Set([locale, manifest.value.defaultLocale])) {
		const query = { locale: one, limit, search: words || undefined, includeCounts: false };

		if (found.size < limit)
			for (const term of flat(
				(await api.get(`/taxonomies/${segment(taxonomy)}/terms`, { query, signal })).terms,
			))
				if (!found.has(term.translationGroup)) found.set(term.translationGroup, term);
	}
	return [...found.values()].slice(0, limit);
}
