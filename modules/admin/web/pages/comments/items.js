// items.js - the items that comments are about: their editor pages and their titles.
import { api, segment } from "../../lib/api.js";
import { definitionOf, titleField } from "../../lib/schema.js";

/** @param {{collection: string, contentId: string}} comment */
export const pathOf = (comment) => `/collections/${segment(comment.collection)}/${segment(comment.contentId)}`;

/**
 * Titles by id, all in one request; an item without one is missing.
 * @param {{collection: string, contentId: string}[]} comments
 */
export async function titlesOf(comments) {
	const items = [...new Map(comments.map((one) => [one.contentId, one])).values()];
	const fields = new Map();

	for (const slug of new Set(items.map((one) => one.collection)))
		fields.set(
			slug,
			await definitionOf(slug).then(
				(definition) => titleField(definition)?.slug,
				() => undefined,
			),
		);
	const asked = items.filter((one) => fields.get(one.collection));
	if (asked.length === 0) return new Map();
	const { results } = await api.post(
		"/batch",
		{
			calls: asked.map((one) => ({
				op: "content_get",
				arguments: {
					collection: one.collection,
					id: one.contentId,
					fields: fields.get(one.collection),
				},
			})),
		},
		{ quiet: true },
	);
	return new Map(
		asked.flatMap((one, i) => {
			const title = results[i]?.data?.item?.data?.[fields.get(one.collection)];
			return title ? [[one.contentId, String(title)]] : [];
		}),
	);
}
