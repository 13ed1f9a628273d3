// plan.js - describes the effects of a change to a field before it is made.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";

const t = wordsOf("schema");

/**
 * The number of items of a collection, without the trash; null: unknown.
 * @param {string} slug
 * @returns {Promise<number | null>}
 */
export const countOf = (slug) =>
	api
		.get(`/content/${segment(slug)}`, {
			query: { limit: 1, fields: "slug", includeTotal: true },
			quiet: true,
		})
		.then(
			(page) => page.total ?? null,
			() => null,
		);

/** The lines of a plan. @param {any} before absent: a new field @param {any} after @param {number} n items */
export function planOf(before, after, n) {
	const lines = [],
		turns = (name) => Boolean(after[name]) !== Boolean(before?.[name]);

	if (!before)
		lines.push(
			after.required
				? t(after.defaultValue === undefined ? "planZero" : "planDefault", { n })
				: t("planEmpty", { n }),
		);
	if (turns("indexed")) lines.push(t(after.indexed ? "planIndex" : "planNoIndex", { n }));
	if (turns("searchable")) lines.push(t(after.searchable ? "planSearch" : "planNoSearch", { n }));
	if (before && before.type !== after.type) lines.push(t("planType", { n }));
	if (before && JSON.stringify(before.validation ?? {}) !== JSON.stringify(after.validation ?? {}))
		lines.push(t("planRules"));
	return lines.length > 0 ? lines : [t("planNothing")];
}

/** @param {{collection: string, before?: any, after: any}} props */
export function Plan({ collection, before, after }) {
	const n = useSignal(/** @type {number | null} */ (null));

	useEffect(() => {
		void countOf(collection).then((count) => (n.value = count));
	}, [collection]);
	return (
		n.value !== null &&
		html`<div class="note heed plan"
		role="status">
		<div><p><strong>${t("plan")}</strong></p>
		<ul class="named">${planOf(before, after, n.value).map((line) => html`<li key=${line}>${line}</li>`)}
		</ul></div></div>`
	);
}
