// site.ts - the whole site, read once.
import { createClient } from "@stet/client";
import { patternOf, Places, termPathsOf } from "./addresses.js";
import { commentsOf } from "./comments.js";
import { entriesOf, type Read } from "./entries.js";
import { feedOf } from "./feed.js";
import { newHtml } from "./html.js";
import { newFind, redirectsOf } from "./links.js";
import { listsOf } from "./lists.js";
import { menuOf } from "./menus.js";
import { newReader, type Reader } from "./read.js";
import type { Entry, Site, SiteOptions, Tell } from "./types.js";

const LOCAL = "http://127.0.0.1:8080";

function mostOf(values: string[]): string | undefined {
	const counts = new Map<string, number>();

	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

async function readAll(reader: Reader): Promise<Read & Pick<Site, "taxonomies" | "blockTypes">> {
	const { collections, blockTypes } = await reader.schema();
	const { terms, taxonomies } = await reader.terms();
	const loaded = await Promise.all(collections.map((one) => reader.items(one.slug)));
	const locales = loaded.flat().map(({ item }) => item.locale);

	return {
		collections,
		blockTypes,
		loaded,
		terms,
		taxonomies,
		termPaths: termPathsOf(terms),
		locale: mostOf(locales) ?? "en",
	};
}

/** Reads a site, and makes of it what its pages consist of. */
export async function createSite(options: SiteOptions = {}): Promise<Site> {
	const { config = {}, siteUrl = "http://localhost", url = LOCAL } = options;
	const client = options.client ?? createClient({ url, token: options.token });
	const publicUrl = (options.publicUrl ?? url).replace(/\/+$/, "");
	const { mediaUrl } = options.publicUrl ? createClient({ url: publicUrl }) : client;
	const told: Site["told"] = new Map();
	const tell: Tell = (what, where) => {
		told.set(what, (told.get(what) ?? new Set()).add(where));
		options.tell?.(what, where);
	};

	const reader = newReader(client, config, tell);
	const settings = await reader.settings();
	const menus = await reader.menus();
	const read = await readAll(reader);
	const places = new Places(tell);
	const entries = entriesOf(read, places, config, tell);
	const { lists, home, languages } = listsOf(read, entries, places, config, tell);
	const old = await Promise.all(read.collections.map((one) => reader.oldAddresses(one.slug)));
	const redirects = redirectsOf(old.flat(), entries.all, places);
	const find = newFind(entries.all, places, redirects, config.hosts ?? [], [settings.url, siteUrl], tell);
	const absolute = (path: string): string => new URL(path, siteUrl).href;
	const { collections, blockTypes, taxonomies, termPaths, locale } = read;
	const html = newHtml(
		{ find, absolute, mediaUrl, entries: entries.all, blockTypes },
		options.render ?? {},
		tell,
	);
	const targets = { ...entries, entries: entries.all, termPaths, lists, locale, find };

	return {
		...html,
		client,
		settings,
		collections,
		blockTypes,
		taxonomies,
		routes: places.routes,
		entries: entries.all,
		lists,
		terms: read.terms.map((term) => ({ term, path: termPaths.get(term.id) ?? "" })),
		menus,
		home,
		locale,
		languages,
		redirects,
		patterns: Object.fromEntries(
			collections.flatMap((one) =>
				["", ...Object.keys(one.urlPatterns ?? {})].map((its) => [
					`${one.slug} ${its}`.trim(),
					patternOf(one, config, its),
				]),
			),
		),
		told,
		find,
		absolute,
		mediaUrl,
		tagline: (its) => (its === locale ? (settings.tagline ?? "") : ""),
		menu: (kind, its = locale) => menuOf(menus, kind, its, targets, config, tell),
		feed: (count = 20) => feedOf({ ...html, absolute, settings, home }, count),
		related: async ({ item }, count) =>
			(await reader.relatedIds(item, 2 * count))
				.map((id) => entries.all.get(id))
				.filter((one) => one !== undefined && one.item.locale === item.locale)
				.slice(0, count) as Entry[],
		comments: (entry) => commentsOf(reader, entry, publicUrl),
	};
}
