// items.js - the titles of the items that records are about.
import { signal as newSignal } from "@preact/signals";
import { api } from "../../lib/api.js";
import { collection } from "../../lib/site.js";
import { definitionsOf, titleField } from "../../lib/schema.js";

/** Titles by "COLLECTION ID". @type {import("@preact/signals").Signal<Record<string, string>>} */
export const titles = newSignal({});

/** The item of a record: {collection, id}; null: it is about something else. @param {any} one */
export function itemOf(one) {
	const slug = one.names?.collection,
		id = one.names?.id ?? one.result ?? one.subject;

	return slug && id && id !== slug && collection(slug) ? { collection: slug, id } : null;
}

/** @param {{collection: string, id: string}} item */
export const keyOf = (item) => `${item.collection} ${item.id}`;

/** Reads the titles that are not known yet, in one request. @param {any[]} records @param {AbortSignal} signal */
export async function readTitles(records, signal) {
	const wanted = new Map(
		records
			.map(itemOf)
			.filter((item) => item && !(keyOf(item) in titles.value))
			.map((item) => [keyOf(item), item]),
	);
	if (wanted.size === 0) return;
	const all = [...wanted.values()],
		slugs = [...new Set(all.map((item) => item.collection))];
	const known = new Map(
		(
			await definitionsOf(
				slugs.map((slug) => ({ slug })),
				signal,
			)
		).map((d) => [d.slug, d]),
	);
	const fieldOf = (item) => known.get(item.collection) && titleField(known.get(item.collection))?.slug;
	const { results } = await api.post(
		"/batch",
		{
			calls: all.map((item) => ({
				op: "content_get",
				arguments: {
					collection: item.collection,
					id: item.id,
					fields: fieldOf(item) ?? "slug",
				},
			})),
		},
		{ signal, quiet: true },
	);

	titles.value = {
		...titles.value,
		...Object.fromEntries(
			all.map((item, i) => {
				const found = results[i]?.ok ? results[i].data.item : undefined;
				return [
					keyOf(item),
					found ? String(found.data?.[fieldOf(item)] ?? found.slug ?? "") : "",
				];
			}),
		),
	};
}
