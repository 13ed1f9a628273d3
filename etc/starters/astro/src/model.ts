// model.ts - the pages of the site, from what it has: which field of an item is its title, text and picture, where each
// item, list and term is, and where links lead.
import { summaryOf } from "@stet/render";
import type { LooseItem, Term } from "@stet/client";
import {
	type Collection,
	collections,
	type Field,
	itemsOf,
	type Loaded,
	type MediaRows,
	type Menu,
	menus,
	settings,
	terms,
} from "./cms.js";
import { config } from "./config.js";
import { tell } from "./told.js";

export interface Entry {
	collection: Collection;
	item: LooseItem;
	path: string;
	title: string;
	/** A text of the summary field, or the beginning of the body. */
	summary: string;
	/** Texts in Portable Text, the first one without a label. */
	texts: { label: string; blocks: unknown[] }[];
	/** Values of other fields. */
	facts: { field: Field; value: unknown }[];
	cover: Record<string, unknown> | null;
	date: string | null;
	terms: { label: string; path: string }[];
	bylines: string[];
	media: MediaRows;
	newer?: Entry | undefined;
	older?: Entry | undefined;
	translations: Entry[];
}
export interface List {
	path: string;
	title: string;
	description: string;
	locale: string;
	entries: Entry[];
	page: number;
	pages: number;
	/** The address of a page of this list. */
	at: (page: number) => string;
	isFront: boolean;
	/** Where the list goes on, on the front page. */
	more: string;
}
export type Route = { path: string } & ({ entry: Entry; list?: never } | { list: List; entry?: never });

// ---- fields ----

type Value = Record<string, unknown>;
const isObject = (value: unknown): value is Value =>
	value !== null && typeof value === "object" && !Array.isArray(value);
const isText = (value: unknown): boolean =>
	Array.isArray(value) &&
	value.length > 0 &&
	value.every((one) => isObject(one) && typeof one._type === "string");
const isPicture = (value: unknown): boolean =>
	isObject(value) &&
	"id" in value &&
	/^image\/|^$/.test(String(value.mimeType ?? "")) &&
	("url" in value || "src" in value);

/** Fields by their values, where the token may not read the schema. */
function fieldsOf(items: Loaded[]): Field[] {
	const found = new Map<string, Field>();

	for (const { item } of items)
		for (const [slug, value] of Object.entries(item.data)) {
			if (found.has(slug) || value === null || value === "") continue;
			const type = isText(value)
				? "portableText"
				: isPicture(value)
					? "image"
					: typeof value === "string"
						? "string"
						: typeof value === "object"
							? "json"
							: typeof value;
			found.set(slug, { slug, label: slug, type });
		}
	return [...found.values()];
}

const TITLES = /^(title|name|headline|label|heading)$/i;
const SUMMARIES =
	/^(summary|excerpt|description|intro|introduction|teaser|lead|standfirst|subtitle|dek|custom_excerpt)$/i;
const COVERS = /cover|featured|hero|image|picture|photo|thumb|banner/i;
const isWords = (field: Field): boolean => ["string", "text"].includes(field.type);

interface Roles {
	title?: Field | undefined;
	summary?: Field | undefined;
	cover?: Field | undefined;
	texts: Field[];
	others: Field[];
}

function rolesOf(collection: Collection, fields: Field[]): Roles {
	const own = config.collections[collection.slug] ?? {};
	const shown = fields.filter((field) => !own.hide?.includes(field.slug));
	const named = (slug: string | undefined): Field | undefined => {
		const found = fields.find((field) => field.slug === slug);
		if (slug && !found) tell(`config.ts: ${collection.slug} has no field ${slug}`, collection.slug);
		return found;
	};
	const words = shown.filter(isWords),
		pictures = shown.filter((field) => field.type === "image");
	const title =
		named(own.title) ??
		fields.find((field) => field.slug === collection.titleField) ??
		words.find((field) => TITLES.test(field.slug)) ??
		words[0];
	const body = named(own.body);
	const texts = shown.filter((field) => field.type === "portableText" && field !== body);
	const roles = {
		title,
		summary: named(own.summary) ?? words.find((field) => field !== title && SUMMARIES.test(field.slug)),
		cover: named(own.cover) ?? pictures.find((field) => COVERS.test(field.slug)) ?? pictures[0],
		texts: body ? [body, ...texts] : texts,
	};
	const taken = [roles.title, roles.summary, roles.cover, ...roles.texts];

	return { ...roles, others: shown.filter((field) => !taken.includes(field) && field.type !== "slug") };
}

// ---- addresses ----

/** A path from the root, with "/" at its end. */
const whole = (path: string): string => `/${path.split("/").filter(Boolean).join("/")}/`.replace(/^\/\/$/, "/");

/** Where items of a collection are: "/blog/{slug}"; null: they have no pages. */
export function patternOf(collection: Collection): string | null {
	const own = config.collections[collection.slug]?.path;
	const usual = collection.slug === "pages" ? "/{slug}" : `/${collection.slug}/{slug}`;

	if (own !== undefined) return own;
	return collection.urlPattern ?? (collection.routable === false ? null : usual);
}

function pathOf(collection: Collection, item: LooseItem): string | null {
	const pattern = patternOf(collection);
	const parts: Record<string, string | null> = {
		slug: item.slug,
		id: item.id,
		locale: item.locale,
		collection: collection.slug,
	};

	if (pattern === null) return null;
	const path = pattern.replace(/\{(\w+)\}/g, (all, name: string) => parts[name] ?? all);
	return path.includes("{") ? null : whole(path);
}

/** Where all items of a collection are listed: what its addresses begin with. "": they begin with nothing. */
function listPath(collection: Collection): string {
	const begin = /^[^{]*/.exec(patternOf(collection) ?? "")?.[0] ?? "";

	return begin.includes("/", 1) ? whole(begin) : "";
}

// ---- the site ----

export interface Site {
	routes: Map<string, Route>;
	/** Items by their id. */
	entries: Map<string, Entry>;
	lists: List[];
	/** What the feed has. */
	home: { title: string; entries: Entry[] };
	locale: string;
	/** The front page of each language, that of the site's first. */
	fronts: { locale: string; path: string }[];
	/** Where a link of the site leads; "": nowhere. */
	find: (href: string, where: string) => string;
	menu: (kind: "menu" | "footer", locale: string) => Link[];
}
export interface Link {
	label: string;
	href: string;
	inside: Link[];
}

const FIXED = ["/search/", "/preview/", "/404/"]; // pages of their own

function entryOf(
	collection: Collection,
	roles: Roles,
	loaded: Loaded,
	path: string,
	termPaths: Map<string, string>,
): Entry {
	const { item } = loaded,
		{ data } = item;
	const value = (field: Field | undefined): unknown => (field ? data[field.slug] : undefined);
	const texts = roles.texts
		.map((field, i) => ({ label: i === 0 ? "" : field.label, blocks: value(field) as unknown[] }))
		.filter((one) => one.blocks?.length > 0);
	const cover = value(roles.cover);
	const given = String(value(roles.summary) ?? "").trim();

	return {
		collection,
		item,
		path,
		title: String(value(roles.title) ?? "").trim() || item.slug || item.id,
		summary: given || summaryOf(texts[0]?.blocks),
		texts,
		facts: roles.others
			.map((field) => ({ field, value: value(field) }))
			.filter(
				(one) =>
					one.value !== null &&
					one.value !== undefined &&
					one.value !== "" &&
					String(one.value) !== "",
			),
		cover: isObject(cover) ? cover : null,
		date:
			String(value(roles.others.find((field) => field.slug === collection.dateField)) ?? "") ||
			item.publishedAt,
		terms: loaded.terms
			.map((term) => ({ label: term.label, path: termPaths.get(term.id) ?? "" }))
			.filter((one) => one.path !== ""),
		bylines: loaded.bylines,
		media: loaded.media,
		translations: [],
	};
}

async function make(): Promise<Site> {
	const routes = new Map<string, Route>();
	const entries = new Map<string, Entry>();
	const lists: List[] = [];
	const all = await collections();
	const known = await terms();
	const allMenus = await menus();
	const { url } = await settings();
	const loaded = await Promise.all(all.map((one) => itemsOf(one.slug)));
	const locales = loaded.flat().map(({ item }) => item.locale);
	const locale = mostOf(locales) ?? "en";

	/** A place for a page; another one if it is taken. */
	function place(path: string, itsLocale: string, what: string): string {
		if (!routes.has(path) && !FIXED.includes(path)) return path;
		const other = [
			`/${itsLocale}${path}`,
			...Array.from({ length: 100 }, (_, i) => `${path.slice(0, -1)}-${i + 2}/`),
		].find((one) => !routes.has(one)) as string;
		tell(`the address ${path} is taken: it is at ${other}`, what);
		return other;
	}

	// Terms have their addresses before items, which link to them.
	const termPaths = new Map<string, string>();
	const usedTerms = new Set<string>();
	for (const term of known.terms) {
		const path = whole(`${term.name}/${term.slug}`);
		const isTaken = usedTerms.has(path);
		termPaths.set(term.id, isTaken ? whole(`${term.locale}${path}`) : path);
		usedTerms.add(path);
	}

	const ofCollection = new Map<string, Entry[]>();
	const ofTerm = new Map<string, Entry[]>();
	const groups = new Map<string, Term>(
		known.terms.map((term) => [`${term.translationGroup} ${term.locale}`, term]),
	);
	all.forEach((collection, i) => {
		const items = loaded[i] as Loaded[];
		const roles = rolesOf(collection, collection.fields ?? fieldsOf(items));
		const made: Entry[] = [];

		for (const one of [...items].sort(
			(a, b) => Number(b.item.locale === locale) - Number(a.item.locale === locale),
		)) {
			const wanted = pathOf(collection, one.item);
			if (wanted === null) {
				if (patternOf(collection) !== null)
					tell(
						`${collection.slug}: an item has no page, since it has no slug`,
						one.item.id,
					);
				else if (items.indexOf(one) === 0)
					tell(
						`${collection.slug}: items have no pages (urlPattern, routable, or config.ts)`,
						collection.slug,
					);
				continue;
			}
			const path = place(wanted, one.item.locale, `${collection.slug}/${one.item.slug}`);
			const entry = entryOf(collection, roles, one, path, termPaths);
			routes.set(path, { path, entry });
			entries.set(one.item.id, entry);
			made.push(entry);
			// A term has the items of the terms below it.
			const terms = new Set<string>();
			for (const term of one.terms)
				for (
					let at: Term | undefined = term;
					at && !terms.has(at.id);
					at = groups.get(`${at.parentId} ${at.locale}`)
				)
					terms.add(at.id);
			for (const id of terms) ofTerm.set(id, [...(ofTerm.get(id) ?? []), entry]);
		}
		made.sort((a, b) => String(b.date).localeCompare(String(a.date)));
		made.forEach((entry, at) => {
			const same = (step: number): Entry | undefined => {
				const next = made[at + step];
				return next?.item.locale === entry.item.locale ? next : undefined;
			};
			entry.newer = same(-1);
			entry.older = same(1);
		});
		ofCollection.set(collection.slug, made);
	});
	const byGroup = new Map<string, Entry[]>();
	for (const entry of entries.values())
		byGroup.set(entry.item.translationGroup, [...(byGroup.get(entry.item.translationGroup) ?? []), entry]);
	for (const entry of entries.values())
		entry.translations = (byGroup.get(entry.item.translationGroup) ?? []).filter((one) => one !== entry);

	// ---- lists ----

	function addList(
		path: string,
		title: string,
		description: string,
		its: Entry[],
		itsLocale: string,
		isFront = false,
		more = "",
	): void {
		const pages = more ? 1 : Math.max(1, Math.ceil(its.length / config.perPage));
		const first = isFront ? path : place(path, itsLocale, title);
		const at = (page: number): string => (page === 1 ? first : `${first}page/${page}/`);

		for (let page = 1; page <= pages; page++) {
			const list = {
				path: at(page),
				title,
				description,
				locale: itsLocale,
				entries: its.slice((page - 1) * config.perPage, page * config.perPage),
				page,
				pages,
				at,
				isFront,
				more: its.length > config.perPage ? more : "",
			};
			if (page === 1) lists.push(list);
			routes.set(list.path, { path: list.path, list });
		}
	}
	const homeSlug = config.home ?? homeOf(all, ofCollection);
	const home = all.find((one) => one.slug === homeSlug);
	// Each language has its front page and lists: those of others than the first are at /fr/, /fr/posts/.
	const languages = [...new Set([locale, ...[...entries.values()].map((one) => one.item.locale)])];
	const fronts: Site["fronts"] = [];
	const latest: Entry[] = [];
	for (const one of languages) {
		const its = (slug: string | undefined): Entry[] =>
			(ofCollection.get(slug ?? "") ?? []).filter((entry) => entry.item.locale === one);
		const at = (path: string): string => (one === locale || path === "" ? path : whole(`${one}${path}`));
		const more = at(home ? listPath(home) : ""),
			front = at("/");

		if (one === locale) latest.push(...its(homeSlug));
		fronts.push({ locale: one, path: front });
		if (!routes.has(front))
			addList(
				front,
				home?.label ?? "",
				home?.description ?? "",
				its(homeSlug),
				one,
				true,
				routes.has(more) ? "" : more,
			);
		for (const collection of all) {
			const path = at(listPath(collection));
			if (its(collection.slug).length > 0 && path !== "" && !routes.has(path))
				addList(
					path,
					collection.label,
					collection.description ?? "",
					its(collection.slug),
					one,
				);
		}
	}
	for (const term of known.terms) {
		const path = termPaths.get(term.id) as string;
		if (!routes.has(path))
			addList(path, term.label, term.description ?? "", ofTerm.get(term.id) ?? [], term.locale);
		else tell(`the address ${path} is taken: the term has no page`, `${term.name}/${term.slug}`);
	}

	// ---- links ----

	const bySlug = new Map<string, Entry | null>();
	for (const entry of entries.values()) {
		const slug = entry.item.slug ?? "";
		bySlug.set(slug, bySlug.has(slug) ? null : entry);
	}
	const hosts = new Set([...config.hosts, hostOf(url ?? ""), hostOf(import.meta.env.SITE ?? "")].map(bareHost));
	/** A link to what the site does not have is none; an absolute one may lead to something else on the host. */
	function find(given: string, where: string): string {
		const host = hostOf(given);
		const isOurs = host !== "" && hosts.has(bareHost(host));
		const href = isOurs ? given.replace(/^(https?:)?\/\/[^/?#]*\/?/i, "/") : given;

		if (host !== "" && !isOurs && bySlug.get(lastOf(safeDecode(given.split(/[?#]/)[0] as string))))
			tell(
				`links to ${host} have names of items: if the site was there, OLD_HOSTS should have it`,
				where,
			);
		if (!/^\/(?![/\\])/.test(href) || href.startsWith("/_cms/")) return href;
		const [, path = "", rest = ""] = /^([^?#]*)(.*)$/.exec(href) ?? [];
		const decoded = safeDecode(path);
		const to = [path, decoded].map(whole).find((one) => routes.has(one) || FIXED.includes(one));
		// An old address of an imported site ends with the slug.
		const old = bySlug.get(lastOf(decoded));

		if (to) return encodeURI(to) + rest;
		if (path === "/feed.xml") return href;
		if (old) return encodeURI(old.path) + rest.replace(/^\?[^#]*/, "");
		tell(`a link leads to no page of the site: ${href}`, where);
		return isOurs && !config.hosts.includes(host) ? given : "";
	}

	function menu(kind: "menu" | "footer", itsLocale: string): Link[] {
		const chosen = choose(allMenus, kind, itsLocale, locale);
		if (!chosen) return kind === "footer" ? [] : plainMenu(lists, ofCollection, locale);
		const linkOf = (parent: string | null): Link[] =>
			chosen.items
				.filter((one) => (one.parentId ?? null) === parent)
				.map((one) => {
					const inside = linkOf(one.id);
					const href =
						entries.get(one.referenceId ?? "")?.path ??
						termPaths.get(one.referenceId ?? "") ??
						(one.url === null ? "" : find(one.url, `menu ${chosen.name}`));
					const label = one.label ?? one.title ?? href;
					if (href === "" && inside.length === 0)
						tell(
							`an item of the menu leads nowhere: ${label}`,
							`menu ${chosen.name}`,
						);
					return { label, href: href === "#" ? "" : href, inside };
				})
				.filter((one) => one.href !== "" || one.inside.length > 0);
		return linkOf(null);
	}

	return {
		routes,
		entries,
		lists,
		home: { title: home?.label ?? "", entries: latest },
		locale,
		fronts,
		find,
		menu,
	};
}

const hostOf = (address: string): string => /^(?:https?:)?\/\/([^/?#]+)/i.exec(address)?.[1] ?? "";
const bareHost = (host: string): string => host.toLowerCase().replace(/^www\./, "");
/** The last part of a path. */
const lastOf = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? "";

function safeDecode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function mostOf(values: string[]): string | undefined {
	const counts = new Map<string, number>();

	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** posts or the like; else the collection with most items whose addresses have something in front of the slug. */
function homeOf(all: Collection[], items: Map<string, Entry[]>): string | undefined {
	const count = (one: Collection): number => items.get(one.slug)?.length ?? 0;
	const filled = all.filter((one) => count(one) > 0);
	const named = ["posts", "articles", "blog", "news", "post", "article"].find((slug) =>
		filled.some((one) => one.slug === slug),
	);
	const lists = filled.filter((one) => listPath(one) !== "");

	return named ?? [...(lists.length > 0 ? lists : filled)].sort((a, b) => count(b) - count(a))[0]?.slug;
}

/** The menu by its name in config.ts, or one whose name says that it is at that place, or for the top the smallest one. */
function choose(all: Menu[], kind: "menu" | "footer", locale: string, otherLocale: string): Menu | undefined {
	const inLocale =
		[locale, otherLocale]
			.map((one) => all.filter((menu) => menu.locale === one))
			.find((list) => list.length > 0) ?? all;
	const given = config[kind];
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

/** Where the site has no menu: its lists, and pages at the root. */
function plainMenu(lists: List[], items: Map<string, Entry[]>, locale: string): Link[] {
	const pages = [...items.values()]
		.flat()
		.filter((one) => one.path.split("/").length === 3 && one.item.locale === locale)
		.slice(0, 5);
	const names = [...items.keys()];

	return [
		...lists
			.filter(
				(one) =>
					!one.isFront &&
					names.some(
						(slug) => one.path === `/${slug}/` || one.title.toLowerCase() === slug,
					),
			)
			.slice(0, 4),
		...pages,
	].map((one) => ({ label: one.title, href: one.path, inside: [] }));
}

let made: Promise<Site> | undefined;

/** The whole site. A build reads it once; while developing, each page reads it anew. */
export const site = (): Promise<Site> => (import.meta.env.DEV ? make() : (made ??= make()));

/** A time as readers want it. */
export function day(time: string | null, locale: string): string {
	if (!time || Number.isNaN(Date.parse(time))) return "";
	try {
		return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(time));
	} catch {
		return time.slice(0, 10);
	}
}

/** The name of a language in itself: Deutsch. */
export function languageName(locale: string): string {
	try {
		return new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
	} catch {
		return locale;
	}
}
