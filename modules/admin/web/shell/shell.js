// shell.js - the layout around all pages: menu, bar, notices, and the page itself.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../lib/html.js";
import { href, place } from "../lib/router.js";
import { keyName, useKeys } from "../lib/keys.js";
import { wordsOf } from "../lib/words.js";
import { manifest } from "../lib/site.js";
import { Icon } from "../ui/icon.js";
import { LiveRegions } from "../ui/live.js";
import { Notices, leaveNotice } from "../ui/notice.js";
import { Questions } from "../ui/dialog.js";
import { Problem } from "../ui/problem.js";
import { Empty, Waiting } from "../ui/state.js";
import { Again } from "./again.js";
import { Help, isHelpOpen } from "./help.js";
import { Palette, isPaletteOpen } from "./palette.js";
import { crumbs, found, loaded, loadPage, ownBar, title } from "./open.js";
import { Navigation } from "./navigation.js";
import { Where } from "./where.js";

const t = wordsOf("shell");

/** After another page has opened, moves the focus into it and scrolls to the top. */
function useArrival() {
	const path = place.value.path,
		was = useRef(path);

	useEffect(() => {
		document.title = t("title", { page: title.value, site: manifest.value.siteTitle || "stet" });
	}, [title.value]);
	useEffect(() => {
		if (was.current === path) return;
		was.current = path;
		if (place.value.isRenamed) return;
		leaveNotice(path);
		/** @type {any} */ (document.getElementById("side"))?.hidePopover?.();
		scrollTo(0, 0);
		document.getElementById("main")?.focus({ preventScroll: true });
	}, [path]);
}

function Body() {
	const at = found.value,
		page = loaded.value;

	if (!at)
		return html`<div class="head"><h1>${t("notFound")}</h1></div>
			<div class="sheet">
			<${Empty} title=${t("notFoundText")}><p><a href=${href("/")}>${t("toStart")}</a></p><//></div>`;
	if (at.row.may && !at.row.may(manifest.value))
		return html`<div class="head"><h1>${title}</h1></div>
			<div class="sheet"><${Empty} title=${t("youMayNot")} /></div>`;
	if (page?.row !== at.row) return html`<h1 class="sr">${title}</h1><${Waiting} />`;
	if ("error" in page)
		return html`<h1 class="sr">${title}</h1>
			<${Problem} error=${page.error} onRetry=${() => loadPage(at.row)} />`;
	// A page is kept when only its parameters change: saving a new item changes its address, but typing continues.
	return html`<${page.Page} key=${at.row.name} params=${at.params} query=${place.value.query} row=${at.row} />`;
}

export function Shell() {
	useArrival();
	const openHelp = useRef(() => void (isHelpOpen.value = true)).current,
		openPalette = useRef(() => void (isPaletteOpen.value = true)).current;

	useKeys([
		{ keys: "Ctrl K", label: t("goto"), run: openPalette },
		{ keys: "?", label: t("help"), run: openHelp },
	]);
	return html`<a class="skip b" href="#main">${t("skip")}</a>
		<div class="app">
			${
				ownBar.value
					? html`<${ownBar.value} />`
					: html`<header class=${found.value?.row.hasOwnBar ? "top act" : "top"}>
				<button type="button" class="b bare square menu" popovertarget="side"
					aria-label=${t("menu")}><${Icon} name="menu" /></button>
				<${Where} above=${crumbs.value} now=${title} />
				<button type="button" class="b small goto" onClick=${openPalette}
					aria-keyshortcuts="Control+K"><span>${t("goto")}</span> <kbd>${keyName("Ctrl")} K</kbd>
					</button>
				<button type="button" class="b bare square small keys-help" aria-label=${t("help")} title=${t("help")}
					onClick=${openHelp}>?</button>
				<a class="b small" href="/">${t("viewSite")}</a>
			</header>`
			}
			<${Navigation} onGoto=${openPalette} />
			<main class="main" id="main" tabindex="-1"><${Notices} /><${Body} /></main>
		</div>
		<${Questions} /><${Again} /><${Help} /><${Palette} /><${LiveRegions} />`;
}
