// live.js - messages that screen readers announce (ARIA live regions): say("3 moved to the trash").
import { signal } from "@preact/signals";
import { html } from "../lib/html.js";

const polite = signal(""),
	urgent = signal("");

/** @param {string} text @param {{isUrgent?: boolean}} [how] */
export function say(text, { isUrgent = false } = {}) {
	const to = isUrgent ? urgent : polite;

	// Change a repeated text, or it would not be announced again.
	to.value = to.value === text ? `${text}\u200b` : text;
}

/** The live regions. The shell contains them once. */
export const LiveRegions = () => html`
	<div class="sr" role="status" id="live">${polite}</div>
	<div class="sr" role="alert" id="alerts">${urgent}</div>`;
