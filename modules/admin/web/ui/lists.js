// lists.js - controls above and below lists with pages: a search field, filters, and links to other pages.
import { html } from "../lib/html.js";
import { useQuiet } from "../lib/pages.js";
import { setQuery } from "../lib/router.js";
import { wordsOf } from "../lib/words.js";
import { Icon } from "./icon.js";

const t = wordsOf("shared");

/** A search field. Sets the query's `search` once typing has paused. @param {{label: string, value?: string}} props */
export function Find({ label, value = "" }) {
	const type = useQuiet((text) => setQuery({ search: text.trim() || undefined, cursor: undefined }, true));

	return html`<label
		class="find"><span class="sr">${label}</span><${Icon} name="find" />
		<input class="in" type="search" maxlength="200" placeholder=${label} value=${value}
			onInput=${(e) => type(e.currentTarget.value)} /></label>`;
}

/**
 * A choice among values of the query.
 * @param {{name: string, label: string, value?: string, all: string, options: {value: string, label: string}[]}} props
 */
export const Filter = ({ name, label, value = "", all, options }) => html`<label><span class="sr">${label}</span>
	<select class="in auto" data-filter=${name} value=${value}
		onChange=${(e) => setQuery({ [name]: e.currentTarget.value || undefined, cursor: undefined })}>
	${[{ value: "", label: all }, ...options].map(
		(one) => html`<option key=${one.value} value=${one.value}
			selected=${one.value === value}>${one.label}</option>`,
	)}</select></label>`;

/**
 * @param {{name?: string, cursor?: string, next?: string}} props name: the query's member; cursor: this page's cursor;
 * next: the next page's cursor
 */
export const Pager = ({ name = "cursor", cursor, next }) =>
	(cursor || next) &&
	html`<nav class="pager"
	aria-label=${t("pages")}><span></span><div class="bs">
	${
		cursor &&
		html`<button type="button" class="b small"
		onClick=${() => setQuery({ [name]: undefined })}>${t("firstPage")}</button>`
	}
	${
		next &&
		html`<button type="button" class="b small"
		onClick=${() => setQuery({ [name]: next })}>${t("nextPage")}</button>`
	}</div></nav>`;
