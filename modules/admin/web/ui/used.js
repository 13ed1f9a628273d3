// used.js - asks before items are deleted that are used in references of other items or in menus.
import { html } from "../lib/html.js";
import { usesOfItems } from "../lib/uses.js";
import { wordsOf } from "../lib/words.js";
import { ask } from "./dialog.js";

const t = wordsOf("shared");
const NAMED = 10;

/**
 * The question, with what the items are missing from, as a list; null: they are not used. Where not all could be looked
 * at, it says so.
 * @param {string} collection @param {string[]} ids
 */
async function questionOf(collection, ids) {
	const n = ids.length,
		{ uses, isWhole } = await usesOfItems(collection, ids);

	if (uses.length === 0) return isWhole ? null : { title: t("trashTitle", { n }), text: t("usedUnknown") };
	const text = html`${t("usedIn", { n })}<ul class="named">${uses
		.slice(0, NAMED)
		.map(
			(use, i) =>
				html`<li key=${i}><bdi>${use.name}</bdi> · ${use.kind ? html`<bdi>${use.kind}</bdi>` : t("usedMenu")}</li>`,
		)}${uses.length > NAMED && html`<li>${t("usedMore", { n: uses.length - NAMED })}</li>`}${!isWhole && html`<li>${t("usedPart")}</li>`}</ul>`;

	return { title: t("usedTitle", { n }), text };
}

/** True if the items are not used, or the person wants them in the trash all the same. */
export async function mayTrash(collection, ids) {
	const question = await questionOf(collection, ids);

	return question === null || ask({ ...question, yes: t("toTrash") });
}
