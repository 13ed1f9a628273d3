// mark.js - the status of a release: a shape and a word.
import { html } from "../../lib/html.js";
import { shortTime } from "../../lib/time.js";
import { Mark } from "../../ui/index.js";
import { t } from "./words.js";

/** @param {{release: any}} props */
export function ReleaseMark({ release }) {
	if (release.error) return html`<${Mark} kind="bad">${t("status_scheduled")}<//>`;
	if (release.status === "scheduled") return html`<${Mark} kind="due">${shortTime(release.scheduledAt)}<//>`;
	return html`<${Mark} kind=${release.status === "published" ? "live" : "draft"}>${t(`status_${release.status}`)}<//>`;
}
