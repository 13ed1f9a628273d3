// find.js - finds items of all collections by what a person typed: words of a title, a slug, an id, or an address.
import { api } from "./api.js";
import { fold } from "./fold.js";
import { manifest } from "./site.js";
import { definitionsOf, titleField } from "./schema.js";

const COLLECTIONS = 24, // per request, since the calls of a batch are limited
	ITEMS = 5; // of each collection

/** @typedef {{id: string, collection: any, title: string, slug: string}} Hit */

/**
 * What a typed text may be: {id}, {slug} (the last part of an address), or {words}.
 * @param {string} text @returns {{id?: string, slug?: string, words?: string}}
 */
export function kindOf(text) {
	const typed = text.trim(),
		isAddress = /^https?:\/\//i.test(typed) || typed.startsWith("/");
	const last = isAddress
		? typed
				.replace(/[?#].*$/, "")
				.split("/")
				.filter(Boolean)
				.at(-1)
		: typed;

	if (/^[0-9A-HJKMNP-TV-Z]{26}$/i.test(last ?? "")) return { id: last.toUpperCase() };
	return isAddress ? { slug: last && decode(last) } : { words: typed };
}

/** @param {string} text */
function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text; // not encoded
	}
}

/** @param {any} definition @param {ReturnType<typeof kindOf>} wanted */
function callOf(definition, wanted) {
	const fields = titleField(definition) ? `slug,${titleField(definition).slug}` : "slug";

	if (wanted.id) return { op: "content_get", arguments: { collection: definition.slug, id: wanted.id } };
	return {
		op: "content_list",
		arguments: {
			collection: definition.slug,
			limit: ITEMS,
			fields,
			...(wanted.slug ? { slug: wanted.slug } : { q: wanted.words }),
		},
	};
}

/** The words' place in a title: titles that begin with them come first. @param {Hit} hit @param {string} words */
function rank(hit, words) {
	const title = fold(hit.title);

	return title === words ? 0 : title.startsWith(words) ? 1 : title.includes(words) ? 2 : 3;
}

/**
 * Finds items in some collections.
 * @param {any[]} some @param {ReturnType<typeof kindOf>} wanted @param {AbortSignal} signal @returns {Promise<Hit[]>}
 */
async function findIn(some, wanted, signal) {
	const definitions = await definitionsOf(some, signal);
	if (definitions.length === 0) return [];
	const { results } = await api.post(
		"/batch",
		{ calls: definitions.map((one) => callOf(one, wanted)) },
		{ signal, quiet: true },
	);

	return results.flatMap((one, i) =>
		(one.ok ? (one.data.items ?? [one.data.item]) : []).map((item) => ({
			id: item.id,
			collection: some.find((c) => c.slug === definitions[i].slug),
			slug: item.slug ?? "",
			title: String(item.data?.[titleField(definitions[i])?.slug] ?? "") || item.slug || item.id,
		})),
	);
}

/**
 * Calls onHits with all hits so far, best first, until all collections have been asked.
 * @param {string} text @param {AbortSignal} signal @param {(hits: Hit[]) => void} onHits
 */
export async function findEverywhere(text, signal, onHits) {
	const wanted = kindOf(text),
		words = fold(wanted.words ?? "");
	const seen = manifest.value.collections.filter((c) => c.rights.read !== "none");
	/** @type {Hit[]} */
	let all = [];

	if (!wanted.id && !wanted.slug && words.length < 2) return onHits([]);
	for (let i = 0; i < seen.length && !signal.aborted; i += COLLECTIONS) {
		all = [...all, ...(await findIn(seen.slice(i, i + COLLECTIONS), wanted, signal))];
		all.sort((a, b) => rank(a, words) - rank(b, words));
		if (!signal.aborted) onHits(all);
	}
}
