// navigation.js - the menu at the side: pages and collections that the person may see, in groups that fold, and the
// person's name.
import { useEffect } from "preact/hooks";
import { signal, useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { MANY, inOrder, matching } from "../lib/many.js";
import { href, place } from "../lib/router.js";
import { word, wordsOf } from "../lib/words.js";
import { manifest } from "../lib/site.js";
import { keep, recall } from "../lib/kept.js";
import { Icon } from "../ui/icon.js";
import { pages } from "../pages/table.js";

const t = wordsOf("shell");
const FIRST_COLLECTION = 10; // the first collection's `order` in the group "write"

/** Groups of the menu, in their order. */
export const GROUPS = ["write", "collections", "structure", "plugins", "site"];
/** Groups that the person has folded (true) or unfolded (false); the others are as FOLDED says. */
const folded = signal(/** @type {Record<string, boolean>} */ (recall("folded", {})));
const FOLDED = ["site"];
const OF_PLUGIN = /^\/plugins\/[^/]+\/./; // a page that a plugin adds, in contrast to the pages about plugins

/** @param {string} path */
const isHere = (path) =>
	place.value.path === path ||
	(path !== "/" && place.value.path.startsWith(`${path}/`) && !OF_PLUGIN.test(place.value.path));

/** @param {import("../lib/site.js").Manifest} site */
const shownOf = (site) => site.collections.filter((c) => !c.hidden);
/** @param {import("../lib/site.js").Manifest} site */
const hasMany = (site) => shownOf(site).length >= MANY;

/** The rows of a group: {key, label, path}. @param {string} group @param {import("../lib/site.js").Manifest} site */
export function rowsOf(group, site) {
	const rows = pages
		.filter((row) => row.group === group && (!row.may || row.may(site)))
		.map((row) => ({
			key: row.name,
			label: word("pages", row.name),
			path: row.path,
			order: row.order ?? 50,
		}));

	if (group === (hasMany(site) ? "collections" : "write"))
		for (const c of shownOf(site))
			rows.push({
				key: `c-${c.slug}`,
				label: c.label,
				path: `/collections/${encodeURIComponent(c.slug)}`,
				order: FIRST_COLLECTION,
			});
	if (group === "plugins")
		for (const page of site.pages ?? [])
			rows.push({
				key: `p-${page.plugin}-${page.name}`,
				label: page.title,
				path: `/plugins/${page.plugin}/${page.name}`,
				order: 50,
			});
	// A few collections stand in the order that the site gives them.
	return group === "collections" ? inOrder(rows) : rows.sort((a, b) => a.order - b.order);
}

const Link = ({ row }) => {
	const here = isHere(row.path);

	return html`<li>
		<a href=${href(row.path)}
			aria-current=${here ? "page" : undefined}>
			${here ? html`<span><span class="stet">${row.label}</span></span>` : row.label}</a></li>`;
};

/** A group with a heading that folds it. */
function Group({ group, site }) {
	const typed = useSignal("");
	const rows = rowsOf(group, site),
		hasFilter = group === "collections";
	const isFolded = folded.value[group] ?? (FOLDED.includes(group) && !rows.some((row) => isHere(row.path)));
	const onFold = () => {
		folded.value = { ...folded.value, [group]: !isFolded };
		keep("folded", folded.value);
	};

	if (rows.length === 0) return null;
	return html`<section><h2><button type="button" aria-expanded=${isFolded ? "false" : "true"}
			aria-controls=${`group-${group}`} onClick=${onFold} data-fold=${group}>${t(group)}<${Icon} name="down" /></button></h2>
		<div id=${`group-${group}`} hidden=${isFolded}>
		${
			hasFilter &&
			html`<input class="in" type="search" aria-label=${t("filter")} placeholder=${t("filter")}
				autocomplete="off" spellcheck="false" value=${typed}
				onInput=${(e) => (typed.value = e.currentTarget.value)} data-filter-menu />`
		}
		<ul role="list">
		${(hasFilter ? matching(rows, typed.value) : rows).map((row) => html`<${Link} key=${row.key} row=${row} />`)}</ul>
		</div></section>`;
}

/** @param {string} name */
const initials = (name) =>
	name
		.split(/\s+/)
		.filter(Boolean)
		.map((word) => [...word][0])
		.slice(0, 2)
		.join("")
		.toUpperCase();

/**
 * @param {{onGoto: () => void}} props onGoto: opens the palette, for narrow windows, where the bar has no button for it
 */
export function Navigation({ onGoto }) {
	const site = manifest.value;
	const name = site.user.name || t(`role${site.user.role}`),
		path = place.value.path;

	// In a long menu, scroll to the current page; further pages of the manifest bring more rows.
	useEffect(
		() =>
			document
				.querySelector("#side .pages [aria-current]")
				?.scrollIntoView({ block: "nearest", behavior: "instant" }),
		[path, site.collections.length],
	);

	const goTo = () => {
		/** @type {any} */ (document.getElementById("side")).hidePopover();
		onGoto();
	};

	return html`<nav class="side" id="side" popover aria-label=${t("navigation")}>
		<div class="site">
			<a class="brand" href=${href("/")}
				aria-label=${`stet, ${t("start")}`}><span class="stet">stet</span></a>
			${site.siteTitle && html`<small><bdi>${site.siteTitle}</bdi></small>`}
		</div>
		<button type="button" class="b small goto-side" onClick=${goTo}>${t("goto")}</button>
		<div class="pages">${GROUPS.map((group) => html`<${Group} key=${group} group=${group} site=${site} />`)}</div>
		<div class="foot">
			<a class="me" href=${href("/me")}
				aria-current=${isHere("/me") ? "page" : undefined}>
				<span class="who" aria-hidden="true">${initials(name)}</span>
				<span><bdi>${name}</bdi><small>${t(`role${site.user.role}`)}</small></span></a>
		</div>
	</nav>`;
}
