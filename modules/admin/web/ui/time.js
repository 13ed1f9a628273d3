// time.js - shows a time in short form, with the full time in the title.
import { html } from "../lib/html.js";
import { longTime, shortTime } from "../lib/time.js";

/** @param {{at: string | null | undefined, empty?: string}} props */
export const Time = ({ at, empty = "–" }) =>
	at
		? html`<time datetime=${at} title=${longTime(at)}
	dir="auto">${shortTime(at)}</time>`
		: empty;
