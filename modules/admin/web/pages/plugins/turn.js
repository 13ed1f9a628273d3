// turn.js - enables or disables a module, and updates the menu.
import { api, segment } from "../../lib/api.js";
import { loadManifest } from "../../lib/site.js";
import { hasWord, wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";

const t = wordsOf("plugins");

/**
 * True if the module is enabled. A refused one may be: it conflicts with another, or its migration failed.
 * @param {any} one
 */
export const inUse = (one) => one.status === "active" || (one.status === "refused" && one.enabled);

/** False for required modules, and for refused ones that are not enabled. @param {any} one */
export const canTurn = (one) => !one.required && (one.status !== "refused" || one.enabled);

/** @param {any} one @param {boolean} isOn */
const put = (one, isOn) => api.post(`/admin/plugins/${segment(one.id)}/${isOn ? "enable" : "disable"}`, {});

/** @param {any} one @param {boolean} isOn @param {() => any} reload */
export async function turn(one, isOn, reload) {
	if (
		!isOn &&
		!(await ask({
			title: t("sure", { name: one.name }),
			text: t(hasWord("plugins", `lose_${one.id}`) ? `lose_${one.id}` : "lose"),
			yes: t("turnOff"),
			isFinal: hasWord("plugins", `lose_${one.id}`),
		}))
	)
		return;
	try {
		await put(one, isOn);
		tell(t(isOn ? "isOn" : "isOff", { name: one.name }), {
			undo: async () => {
				await put(one, !isOn);
				await loadManifest();
				await reload();
			},
		});
		await loadManifest();
	} catch (error) {
		tellProblem(error);
	}
	await reload();
}
