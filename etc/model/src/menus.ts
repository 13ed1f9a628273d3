// menus.ts - the menus at the top and at the bottom, and their links.
import type { Config, Entry, Link, List, Menu, MenuItem, Tell } from "./types.js";

/** What menus lead to. */
export interface Targets {
	entries: Map<string, Entry>;
	ofCollection: Map<string, Entry[]>;
	termPaths: Map<string, string>;
	lists: List[];
	locale: string;
	find: (href: string, where: string) => string;
}

/** The menu by its name in the configuration, or one whose name says that it is at that place, or for the top the smallest. */
function choose(all: Menu[], kind: "menu" | "footer", locales: string[], config: Config, tell: Tell): Menu | undefined {
	const given = config[kind];
	const inLocale =
		locales.map((one) => all.filter((menu) => menu.locale === one)).find((list) => list.length > 0) ?? all;
	const isFooter = (menu: Menu): boolean => /foot|social|legal|bottom/i.test(menu.name);
	const tops = inLocale.filter((menu) => !isFooter(menu) && menu.items.length > 1);

	if (given) {
		const found = inLocale.find((menu) => menu.name === given);
		if (!found) tell(`config.ts: there is no menu ${given}`, "the site");
		if (found) return found;
	}
	if (kind === "footer")
		return inLocale.find((menu) => /foot|legal|bottom/i.test(menu.name)) ?? inLocale.find(isFooter);
	return (
		tops.find((menu) => /main|primary|header|top|nav/i.test(menu.name)) ??
		tops.sort((a, b) => a.items.length - b.items.length)[0] ??
		inLocale.find((menu) => !isFooter(menu))
	);
}

/** Where the site has no menu: its lists, and pages at the root, of one language. */
function plainMenu({ lists, ofCollection }: Targets, locale: string): Link[] {
	const names = [...ofCollection.keys()];
	const isOfCollection = (list: List): boolean =>
		!list.isFront &&
		list.locale === locale &&
		names.some((slug) => list.path === `/${slug}/` || list.title.toLowerCase() === slug);
	const pages = [...ofCollection.values()]
		.flat()
		.filter((one) => one.path.split("/").length === 3 && one.item.locale === locale);

	return [...lists.filter(isOfCollection).slice(0, 4), ...pages.slice(0, 5)].map((one) => ({
		label: one.title,
		href: one.path,
		inside: [],
	}));
}

export function menuOf(
	menus: Menu[],
	kind: "menu" | "footer",
	locale: string,
	to: Targets,
	config: Config,
	tell: Tell,
): Link[] {
	const chosen = choose(menus, kind, [locale, to.locale], config, tell);
	if (!chosen) return kind === "footer" ? [] : plainMenu(to, locale);
	const where = `menu ${chosen.name}`;

	function linkOf(one: MenuItem): Link {
		const inside = below(one.id);
		const href =
			to.entries.get(one.referenceId ?? "")?.path ??
			to.termPaths.get(one.referenceId ?? "") ??
			(one.url === null ? "" : to.find(one.url, where));
		const label = one.label ?? one.title ?? href;

		if (href === "" && inside.length === 0) tell(`an item of the menu leads nowhere: ${label}`, where);
		return { label, href: href === "#" ? "" : href, inside };
	}
	const below = (parent: string | null): Link[] =>
		(chosen as Menu).items
			.filter((one) => (one.parentId ?? null) === parent)
			.map(linkOf)
			.filter((one) => one.href !== "" || one.inside.length > 0);
	return below(null);
}
