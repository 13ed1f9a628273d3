// where.js - the breadcrumbs: the pages above, and the current page.
import { html } from "../lib/html.js";
import { href } from "../lib/router.js";
import { wordsOf } from "../lib/words.js";

const t = wordsOf("shell");

/** @param {{above: {label: string, path: string}[], now: any}} props */
export const Where = ({ above, now }) => html`<nav class="where" aria-label=${t("where")}>
	${above.map(
		(one) => html`<a key=${one.path} href=${href(one.path)} dir="auto">${one.label}</a>
		<span aria-hidden="true">/</span>`,
	)}
	<span aria-current="page" dir="auto">${now}</span>
</nav>`;
