// who.js - who saved, and when.
import { formatter } from "../../lib/words.js";
import { t } from "../../editor/words.js";

/** @typedef {import("../../editor/save/saver.js").By} By */

/** A time of day to the second. @param {string | number} at */
export const clock = (at) => formatter("DateTimeFormat", { timeStyle: "medium" }).format(new Date(at));

/** @param {By} by */
export const nameOf = (by) => (by === null ? t("somebody") : by.isMe ? t("youElsewhere") : by.name);

/** "Ann saved first, at 14:02:31." @param {By} by */
export function savedFirst(by) {
	if (by === null) return t("savedFirst", { name: t("somebody") });
	return t(by.isMe ? "savedFirstByYou" : "savedFirstAt", { name: by.name, time: clock(by.at) });
}
