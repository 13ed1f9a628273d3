// navigation.js - the menu at the side: pages and collections that the person may see, the person's name, the theme.
import { useEffect } from "preact/hooks";
import { html } from "../lib/html.js";
import { href, place } from "../lib/router.js";
import { word, wordsOf } from "../lib/words.js";
import { manifest } from "../lib/site.js";
import { theme } from "../lib/kept.js";
import { Segments } from "../ui/field.js";
import { pages } from "../pages/table.js";

const t = wordsOf("shell");
const FIRST_COLLECTION = 10; // the first collection's `order` in the group "write"

/** Groups of the menu, in their order. */
export const GROUPS = ["write", "structure", "plugins", "site"];
const OF_PLUGIN = /^\/plugins\/[^/]+\/./; // a page that a plugin adds, in contrast to the pages about plugins

/** @param {string} path */
const isHere = (path) =>
	place.value.path === path ||
	(path !== "/" && place.value.path.startsWith(`${path}/`) && !OF_PLUGIN.test(place.value.path));

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

	if (group === "write")
		for (const c of site.collections)
			if (!c.hidden)
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
	return rows.sort((a, b) => a.order - b.order);
}

const Link = ({ row }) => {
	const here = isHere(row.path);

	return html`<li>
		<a href=${href(row.path)}
			aria-current=${here ? "page" : undefined}>
			${here ? html`<span><span class="stet">${row.label}</span></span>` : row.label}</a></li>`;
};

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

	// In a long menu, scroll to the current page.
	useEffect(
		() => document.querySelector("#side .pages [aria-current]")?.scrollIntoView({ block: "nearest" }),
		[path],
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
		<div class="pages">${GROUPS.map((group) => {
			const rows = rowsOf(group, site);
			return (
				rows.length > 0 &&
				html`<section
					key=${group}><h2>${t(group)}</h2>
					<ul role="list">
					${rows.map((row) => html`<${Link} key=${row.key} row=${row} />`)}</ul>
					</section>`
			);
		})}</div>
		<div class="foot">
			<a class="me" href=${href("/me")}
				aria-current=${isHere("/me") ? "page" : undefined}>
				<span class="who" aria-hidden="true">${initials(name)}</span>
				<span><bdi>${name}</bdi><small>${t(`role${site.user.role}`)}</small></span></a>
			<${Segments} legend=${t("theme")} name="theme" value=${theme.value}
				onChange=${(value) => (theme.value = value)}
				options=${["auto", "paper", "ink"].map((value) => ({ value, label: t(value) }))} />
		</div>
	</nav>`;
}
