// live.js - what a screen reader tells although nobody moved there: say("3 moved to the trash").
import { signal } from "@preact/signals";
import { html } from "../lib/html.js";

const polite = signal(""), urgent = signal("");

/** @param {string} text @param {{isUrgent?: boolean}} [how] */
export function say(text, { isUrgent = false } = {}) {
	const to = isUrgent ? urgent : polite;

	// The same words twice are told twice.
	to.value = to.value === text ? `${text}\u200b` : text;
}

/** Once, in the shell. */
export const LiveRegions = () => html`
	<div class="sr" role="status" id="live">${polite}</div>
	<div class="sr" role="alert" id="alerts">${urgent}</div>`;
