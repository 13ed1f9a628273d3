// entries.ts - the items of the site as entries: each with its place, its neighbours and its translations, and by term.
import type { Term } from "@stet/client";
import { filled, patternOf, type Places } from "./addresses.js";
import { entryOf, rolesOf } from "./fields.js";
import type { Loaded } from "./read.js";
import type { Collection, Config, Entry, Tell } from "./types.js";

/** What entries are made of. */
export interface Read {
	collections: Collection[];
	/** The items of each collection. */
	loaded: Loaded[][];
	terms: Term[];
	termPaths: Map<string, string>;
	locale: string;
}
export interface Entries {
	all: Map<string, Entry>;
	/** By the slug of the collection, newest first. */
	ofCollection: Map<string, Entry[]>;
	/** By the id of the term. */
	ofTerm: Map<string, Entry[]>;
}

function add<K>(map: Map<K, Entry[]>, key: K, entry: Entry): void {
	const list = map.get(key);

	if (list) list.push(entry);
	else map.set(key, [entry]);
}

/** The ids of terms and of those above them: a term has the items of the terms below it. */
function withParents(terms: Term[], groups: Map<string, Term>): Set<string> {
	const ids = new Set<string>();

	for (const term of terms)
		for (
			let at: Term | undefined = term;
			at && !ids.has(at.id);
			at = groups.get(`${at.parentId} ${at.locale}`)
		)
			ids.add(at.id);
	return ids;
}

function setNeighbours(entries: Entry[]): void {
	entries.forEach((entry, at) => {
		const same = (step: number): Entry | undefined => {
			const next = entries[at + step];
			return next?.item.locale === entry.item.locale ? next : undefined;
		};
		entry.newer = same(-1);
		entry.older = same(1);
	});
}

function setTranslations(all: Iterable<Entry>): void {
	const groups = new Map<string, Entry[]>();

	for (const entry of all) add(groups, entry.item.translationGroup, entry);
	for (const group of groups.values())
		for (const entry of group) entry.translations = group.filter((one) => one !== entry);
}

export function entriesOf(read: Read, places: Places, config: Config, tell: Tell): Entries {
	const { locale } = read;
	const found: Entries = { all: new Map(), ofCollection: new Map(), ofTerm: new Map() };
	const groups = new Map(read.terms.map((term) => [`${term.translationGroup} ${term.locale}`, term]));

	function placeOf(collection: Collection, { item }: Loaded, isFirst: boolean): string | null {
		const pattern = patternOf(collection, config, item.locale);
		const wanted = pattern === null ? null : filled(pattern, { ...item, type: collection.slug });

		if (wanted !== null) return places.free(wanted, item.locale, `${collection.slug}/${item.slug}`);
		if (pattern !== null) tell(`${collection.slug}: an item has no page, since it has no slug`, item.id);
		else if (isFirst)
			tell(
				`${collection.slug}: items have no pages (urlPattern, routable, or config.ts)`,
				collection.slug,
			);
		return null;
	}

	read.collections.forEach((collection, i) => {
		const items = read.loaded[i] as Loaded[];
		const roles = rolesOf(collection, items, config, tell);
		const made: Entry[] = [];
		// Where two items want one place, that of the site's first language has it.
		const sorted = [...items].sort(
			(a, b) => Number(b.item.locale === locale) - Number(a.item.locale === locale),
		);

		for (const one of sorted) {
			const path = placeOf(collection, one, one === items[0]);
			if (path === null) continue;
			const entry = entryOf(collection, roles, one, path, read.termPaths);
			places.routes.set(path, { path, entry });
			found.all.set(one.item.id, entry);
			made.push(entry);
			for (const id of withParents(one.terms, groups)) add(found.ofTerm, id, entry);
		}
		made.sort((a, b) => String(b.date).localeCompare(String(a.date)));
		setNeighbours(made);
		found.ofCollection.set(collection.slug, made);
	});
	setTranslations(found.all.values());
	return found;
}
