// door.js - the layout of the pages before sign-in: a slip of paper on the desk.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { theme } from "../lib/kept.js";
import { Segments } from "../ui/field.js";
import { LiveRegions } from "../ui/live.js";
import { Problem } from "../ui/problem.js";
import { Waiting } from "../ui/state.js";
import { found, loaded, loadPage, title } from "./open.js";
import { place } from "../lib/router.js";

const t = wordsOf("shell");

/** A page before sign-in: brand, heading, content. @param {{title: any, isBig?: boolean, children?: any}} props */
export function Slip({ title: words, isBig = false, children }) {
	const heading = useRef(/** @type {HTMLElement | null} */ (null));

	useEffect(() => {
		if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
	}, []);
	return html`<div class="slip"><p class=${`brand ${isBig ? "big-brand" : ""}`}><span class="stet">stet</span></p>
		<h1 tabindex="-1" ref=${heading}>${words}</h1>${children}</div>`;
}

export function Door() {
	const row = found.value.row,
		page = loaded.value;

	useEffect(() => {
		document.title = t("title", { page: title.value, site: "stet" });
	}, [title.value]);
	return html`<header class="door-head">
			<${Segments} legend=${t("theme")} name="theme" value=${theme.value}
				onChange=${(value) => (theme.value = value)}
				options=${["auto", "paper", "ink"].map((value) => ({ value, label: t(value) }))} />
		</header>
		<main class="doors" id="main"><div class="door-one">
			${
				page?.row !== row
					? html`<${Waiting} />`
					: "error" in page
						? html`<${Problem} error=${page.error}
							onRetry=${() => loadPage(row)} />`
						: html`<${page.Page} params=${found.value.params}
							query=${place.value.query}
					row=${row} />`
			}
		</div></main><${LiveRegions} />`;
}
