// shell.js - the frame of all pages: menu, bar, notices, and the page in it.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../lib/html.js";
import { href, place } from "../lib/router.js";
import { wordsOf } from "../lib/words.js";
import { manifest } from "../lib/site.js";
import { Icon } from "../ui/icon.js";
import { LiveRegions } from "../ui/live.js";
import { Notices, clearNotice } from "../ui/notice.js";
import { Questions } from "../ui/dialog.js";
import { Problem } from "../ui/problem.js";
import { Empty, Waiting } from "../ui/state.js";
import { found, loaded, loadPage, ownBar, title } from "./open.js";
import { Navigation } from "./navigation.js";

const t = wordsOf("shell");

/** After a page has changed, the focus is at its heading and the window at its top. */
function useArrival() {
	const path = place.value.path, was = useRef(path);

	useEffect(() => {
		document.title = t("title", { page: title.value, site: "stet" });
	}, [title.value]);
	useEffect(() => {
		if (was.current === path)
			return;
		was.current = path;
		clearNotice();
		/** @type {any} */ (document.getElementById("side"))?.hidePopover?.();
		scrollTo(0, 0);
		document.getElementById("main")?.focus({ preventScroll: true });
	}, [path]);
}

function Body() {
	const at = found.value, page = loaded.value;

	if (!at)
		return html`<div class="head"><h1>${t("notFound")}</h1></div><${Empty} title=${t("notFoundText")} />`;
	if (at.row.may && !at.row.may(manifest.value))
		return html`<div class="head"><h1>${title}</h1></div><${Empty} title=${t("youMayNot")} />`;
	if (page?.row !== at.row)
		return html`<${Waiting} />`;
	if ("error" in page)
		return html`<${Problem} error=${page.error} onRetry=${() => loadPage(at.row)} />`;
	return html`<${page.Page} key=${at.row.name} params=${at.params} query=${place.value.query} row=${at.row} />`;
}

export function Shell({ siteName }) {
	useArrival();
	return html`<a class="skip b" href="#main">${t("skip")}</a>
		<div class="app">
			${ownBar.value ? html`<${ownBar.value} />` : html`<header class="top">
				<button class="b bare square menu" popovertarget="side" aria-label=${t("menu")}><${Icon} name="menu" /></button>
				<nav class="where" aria-label=${t("where")}><span aria-current="page">${title}</span></nav>
				<a class="b small" href="/">${t("viewSite")}</a>
			</header>`}
			<${Navigation} siteName=${siteName} />
			<main class="main" id="main" tabindex="-1"><${Notices} /><${Body} /></main>
		</div>
		<${Questions} /><${LiveRegions} />`;
}
