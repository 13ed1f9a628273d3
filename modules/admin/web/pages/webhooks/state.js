// state.js - the states of a target and of a delivery as marks.
import { html } from "../../lib/html.js";
import { segment } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";
import { Mark } from "../../ui/index.js";

const t = wordsOf("webhooks");
const DELIVERIES = { pending: "due", delivered: "live", dead: "bad", dropped: "draft" };

/** @param {{id: string}} one */
export const pathOf = (one) => `/webhooks/${segment(one.id)}`;

/** @param {{one: any}} props */
export function TargetMark({ one }) {
	if (one.disabledReason) return html`<${Mark} kind="bad">${t("stopped")}<//>`;
	if (!one.enabled) return html`<${Mark} kind="draft">${t("off")}<//>`;
	return one.failures > 0
		? html`<${Mark} kind="bad">${t("fails", { n: one.failures })}
		<//>`
		: html`<${Mark} kind="live">${t("works")}<//>`;
}

/** @param {{one: any}} props */
export const DeliveryMark = ({ one }) => html`<${Mark} kind=${DELIVERIES[one.state]}>${t(`is_${one.state}`)}<//>`;
