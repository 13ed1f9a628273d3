// mark.js - the status of an item: a shape and a word.
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { shortTime } from "../lib/time.js";

const t = wordsOf("shared");

/** @param {{kind: "live" | "changed" | "due" | "draft" | "gone" | "bad", children?: any}} props */
export const Mark = ({ kind, children }) => html`<span class=${`mark ${kind}`}><span>${children}</span></span>`;

/** The mark of a content item. @param {{item: any}} props */
export function ItemMark({ item }) {
	if (item.deletedAt) return html`<${Mark} kind="gone">${t("trashed")}<//>`;
	if (item.scheduleError) return html`<${Mark} kind="bad">${t("missed")}<//>`;
	// An item whose schedule was cancelled keeps the status "scheduled", but it is a draft.
	if (item.scheduledAt && (item.status === "scheduled" || new Date(item.scheduledAt).getTime() > Date.now()))
		return html`<${Mark} kind="due">${shortTime(item.scheduledAt)}<//>`;
	if (item.status === "published")
		return item.draftRevisionId && item.draftRevisionId !== item.liveRevisionId
			? html`<${Mark} kind="changed">${t("changed")}<//>`
			: html`<${Mark} kind="live">
				${item.unpublishAt ? t("liveUntil", { time: shortTime(item.unpublishAt) }) : t("live")}<//>`;
	return html`<${Mark} kind="draft">${t("draft")}<//>`;
}
