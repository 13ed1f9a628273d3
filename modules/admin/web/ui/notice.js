// notice.js - notices about finished actions, with Undo: tell("3 moved to the trash", {undo: async () => {...}}), or with
// a link to what was made.
//
// A notice is shown above the page's content, not over it, until the next one comes, another page opens or the person
// closes it. It does not disappear after a time, so Undo stays available.
import { signal } from "@preact/signals";
import { html } from "../lib/html.js";
import { place } from "../lib/router.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "./button.js";
import { say } from "./live.js";
import { explain } from "./problem.js";

const t = wordsOf("shared");

/**
 * @typedef {{text: string, undo?: () => any, undone?: string, isWrong?: boolean, isUndone?: boolean, isBegun?: boolean, path?: string, link?: {href: string, label: string}}}
 * Notice undo: resolves with an error if it can be pressed again for the rest; path: the page on which it was shown
 */
/** @type {import("@preact/signals").Signal<Notice | null>} */
export const notice = signal(null);

/**
 * @param {string} text @param {{undo?: () => any, undone?: string, isBegun?: boolean, link?: {href: string, label:
 * string}}} [more] undone: the text after Undo; isBegun: it tells of something that goes on, whose end tellEnd() tells;
 * link: opens in a tab of its own
 */
export function tell(text, more = {}) {
	notice.value = { text, path: place.peek().path, ...more };
	say(text);
}

/** Takes over a notice about something that had begun, now that it has ended. @param {string} text */
export function tellEnd(text) {
	if (notice.peek()?.isBegun) tell(text);
}

/** @param {any} error @param {() => any} [again] Undo, which is not done yet */
export function tellProblem(error, again) {
	notice.value = { text: explain(error), isWrong: true, undo: again, path: place.peek().path };
	say(explain(error), { isUrgent: true });
}

export const clearNotice = () => (notice.value = null);

/** Removes the notice after another page has opened, unless that page has shown it. @param {string} path */
export function leaveNotice(path) {
	if (notice.peek()?.path !== path) clearNotice();
}

async function undo() {
	const { undo: back, undone } = notice.value;

	try {
		const left = await back();

		if (left instanceof Error) return tellProblem(left, back);
		notice.value = { text: undone ?? t("undone"), isUndone: true };
		say(undone ?? t("undone"));
	} catch (error) {
		tellProblem(error);
	}
}

/** The current notice. The shell contains it once. */
export function Notices() {
	const one = notice.value;

	return html`<div class="notices">${
		one &&
		html`<div class=${`note ${one.isWrong ? "wrong" : ""}`}>
		<p>${one.isUndone ? html`<span class="stet">${one.text}</span>` : one.text}</p>
		<div class="bs">
			${
				one.link &&
				html`<a class="b small" href=${one.link.href} target="_blank" rel="noopener" data-live>${one.link.label}</a>`
			}
			${
				one.undo &&
				html`<${Button} kind="small" onClick=${undo}
				data-undo><i class="i i-undo" aria-hidden="true"></i>${t("undo")}<//>`
			}
			<button type="button" class="b bare small" onClick=${clearNotice}>${t("dismiss")}</button>
		</div>
	</div>`
	}</div>`;
}
