// used.js - asks before items are deleted that are used in references of other items or in menus.
import { html } from "../lib/html.js";
import { usesOfItems } from "../lib/uses.js";
import { wordsOf } from "../lib/words.js";
import { ask } from "./dialog.js";

const t = wordsOf("shared");
const NAMED = 10;

/** What the items are missing from, as a list; null: they are not used. @param {string} collection @param {string[]} ids */
export async function usedText(collection, ids) {
	const { uses, isWhole } = await usesOfItems(collection, ids);

	return uses.length === 0
		? null
		: html`${t("usedIn", { n: ids.length })}<ul class="named">${uses
				.slice(0, NAMED)
				.map(
					(use, i) =>
						html`<li key=${i}><bdi>${use.name}</bdi> · ${use.kind ? html`<bdi>${use.kind}</bdi>` : t("usedMenu")}</li>`,
				)}${uses.length > NAMED && html`<li>${t("usedMore", { n: uses.length - NAMED })}</li>`}${!isWhole && html`<li>${t("usedPart")}</li>`}</ul>`;
}

/** True if the items are not used, or the person wants them in the trash all the same. */
export async function mayTrash(collection, ids) {
	const text = await usedText(collection, ids);

	return text === null || ask({ title: t("usedTitle", { n: ids.length }), text, yes: t("toTrash") });
}
