// lists.ts - pages that list items: front pages, collections, terms.
import { listPath, type Places, whole } from "./addresses.js";
import type { Entries, Read } from "./entries.js";
import type { Collection, Config, Entry, Language, List, Tell } from "./types.js";
import { languageName } from "./words.js";

export interface Lists {
	lists: List[];
	home: { title: string; entries: Entry[] };
	languages: Language[];
}
/** What a list is before it is divided into pages. */
interface Wanted extends Pick<List, "path" | "title" | "description" | "locale" | "entries"> {
	isFront?: boolean;
	more?: string;
}

/** posts or the like; else the collection with most items whose addresses have something in front of the slug. */
function homeOf(collections: Collection[], items: Map<string, Entry[]>, config: Config): string | undefined {
	const count = (one: Collection): number => items.get(one.slug)?.length ?? 0;
	const full = collections.filter((one) => count(one) > 0);
	const named = ["posts", "articles", "blog", "news", "post", "article"].find((slug) =>
		full.some((one) => one.slug === slug),
	);
	const listed = full.filter((one) => listPath(one, config) !== "");

	return named ?? [...(listed.length > 0 ? listed : full)].sort((a, b) => count(b) - count(a))[0]?.slug;
}

export function listsOf(read: Read, entries: Entries, places: Places, config: Config, tell: Tell): Lists {
	const { collections, locale } = read;
	const perPage = config.perPage ?? 12;
	const lists: List[] = [];

	function addList({ isFront = false, more = "", entries: all, ...wanted }: Wanted): void {
		const pages = more ? 1 : Math.max(1, Math.ceil(all.length / perPage));
		const first = isFront ? wanted.path : places.free(wanted.path, wanted.locale, wanted.title);
		const at = (page: number): string => (page === 1 ? first : `${first}page/${page}/`);

		for (let page = 1; page <= pages; page++) {
			const list = {
				...wanted,
				path: at(page),
				entries: all.slice((page - 1) * perPage, page * perPage),
				page,
				pages,
				at,
				isFront,
				more: all.length > perPage ? more : "",
			};
			if (page === 1) lists.push(list);
			places.routes.set(list.path, { path: list.path, list });
		}
	}

	const homeSlug = config.home ?? homeOf(collections, entries.ofCollection, config);
	const home = collections.find((one) => one.slug === homeSlug);
	const locales = [...new Set([locale, ...[...entries.all.values()].map((one) => one.item.locale)])];

	/** Each language has its front page and lists: those of others than the first are at /fr/, /fr/posts/. */
	function addLanguage(one: string): Language {
		const its = (slug: string | undefined): Entry[] =>
			(entries.ofCollection.get(slug ?? "") ?? []).filter((entry) => entry.item.locale === one);
		const at = (path: string): string => (one === locale || path === "" ? path : whole(`${one}${path}`));
		const more = at(home ? listPath(home, config) : ""),
			front = at("/");

		if (!places.routes.has(front))
			addList({
				path: front,
				title: home?.label ?? "",
				description: home?.description ?? "",
				locale: one,
				entries: its(homeSlug),
				isFront: true,
				more: places.routes.has(more) ? "" : more,
			});
		for (const { slug, label: title, description = "", ...rest } of collections) {
			const path = at(listPath({ slug, label: title, ...rest }, config));
			if (its(slug).length > 0 && path !== "" && !places.routes.has(path))
				addList({ path, title, description, locale: one, entries: its(slug) });
		}
		const language = { locale: one, name: languageName(one), path: front, search: "/search/" },
			search = at("/search/");

		if (one !== locale && !places.routes.has(search)) {
			language.search = search;
			places.routes.set(search, { path: search, search: language });
		}
		return language;
	}

	const languages = locales.map(addLanguage);
	for (const term of read.terms) {
		const path = read.termPaths.get(term.id) as string;
		if (places.routes.has(path))
			tell(`the address ${path} is taken: the term has no page`, `${term.name}/${term.slug}`);
		else
			addList({
				path,
				title: term.label,
				description: term.description ?? "",
				locale: term.locale,
				entries: entries.ofTerm.get(term.id) ?? [],
			});
	}
	const newest = (entries.ofCollection.get(homeSlug ?? "") ?? []).filter((one) => one.item.locale === locale);
	return { lists, home: { title: home?.label ?? "", entries: newest }, languages };
}
