// locales.js - links to a page in the site's other languages; nothing on sites with one language.
import { html } from "../lib/html.js";
import { href } from "../lib/router.js";
import { manifest } from "../lib/site.js";
import { languageName, wordsOf } from "../lib/words.js";

const t = wordsOf("shared");

/**
 * @param {{at: string, path: (locale: string) => string, query?: Record<string, any>}} props path: the page's path in a
 * language
 */
export const Locales = ({ at, path, query }) =>
	manifest.value.locales.length > 1 &&
	html`<nav class="subnav locales"
	aria-label=${t("languages")}><ul role="list">
	${manifest.value.locales.map(
		(locale) => html`<li
		key=${locale}>
		<a lang=${locale} dir="auto" href=${href(path(locale), query)}
			aria-current=${locale === at ? "page" : undefined}>
			${
				locale === at
					? html`<span class="stet">${languageName(locale)}</span>`
					: languageName(locale)
			}</a></li>`,
	)}</ul></nav>`;
