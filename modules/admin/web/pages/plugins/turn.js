// turn.js - a module is turned on or off; what is in the menu follows.
import { api, segment } from "../../lib/api.js";
import { loadManifest } from "../../lib/site.js";
import { hasWord, wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";

const t = wordsOf("plugins");

/** One that is refused may be on all the same: it stands against another, or its tables could not be changed. @param {any} one */
export const inUse = (one) => one.status === "active" || (one.status === "refused" && one.enabled);

/** A file that was refused is nothing to turn on. @param {any} one */
export const canTurn = (one) => !one.required && (one.status !== "refused" || one.enabled);

/** @param {any} one @param {boolean} isOn */
const put = (one, isOn) => api.post(`/admin/plugins/${segment(one.id)}/${isOn ? "enable" : "disable"}`, {});

/** @param {any} one @param {boolean} isOn @param {() => any} reload */
export async function turn(one, isOn, reload) {
	if (!isOn && !(await ask({ title: t("sure", { name: one.name }), text: t(hasWord("plugins", `lose_${one.id}`) ? `lose_${one.id}` : "lose"), yes: t("turnOff"), isFinal: hasWord("plugins", `lose_${one.id}`) })))
		return;
	try {
		await put(one, isOn);
		tell(t(isOn ? "isOn" : "isOff", { name: one.name }), { undo: async () => {
			await put(one, !isOn);
			await loadManifest();
			await reload();
		} });
		await loadManifest();
	} catch (error) {
		tellProblem(error);
	}
	await reload();
}
