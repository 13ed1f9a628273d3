// cms.ts - what is asked of the site: each thing once in a build. STET_URL is where stetd serves it, STET_TOKEN a token
// that may read. What the token may not read is done without, and told.
import { bylinesOf, createClient, type LooseItem, type Media, StetError, type Term, termsOf } from "@stet/client";
import { config } from "./config.js";
import { tell } from "./told.js";

export const cms = createClient({
	url: import.meta.env.STET_URL ?? "http://127.0.0.1:8080",
	token: import.meta.env.STET_TOKEN,
	cache: 1000, // while developing, what has not changed is not sent again
});

export interface Field {
	slug: string;
	label: string;
	type: string;
	options?: { collection?: string };
	validation?: { subFields?: { slug: string; label?: string; type: string }[] };
}
export interface Collection {
	slug: string;
	label: string;
	labelSingular?: string;
	description?: string;
	titleField?: string;
	dateField?: string;
	urlPattern?: string;
	routable?: boolean;
	hidden?: boolean;
	/** null: the token may not read the schema; then fields are found by their values. */
	fields: Field[] | null;
}
export interface Taxonomy {
	name: string;
	label: string;
}
export interface MenuItem {
	id: string;
	parentId: string | null;
	type: string;
	referenceId: string | null;
	label: string | null;
	title: string | null;
	url: string | null;
}
export interface Menu {
	name: string;
	label: string;
	locale: string;
	items: MenuItem[];
}
export interface Settings {
	siteTitle?: string;
	tagline?: string;
	url?: string;
	logo?: { url?: string; alt?: string };
	favicon?: { url?: string };
}
export type MediaRows = Record<string, Media | null>;

const isRefused = (error: unknown): boolean => error instanceof StetError && [401, 403, 404].includes(error.status);

/** The answer, or `otherwise` where the token may not ask; that is told. */
async function may<T>(what: string, ask: () => Promise<T>, otherwise: T): Promise<T> {
	try {
		return await ask();
	} catch (error) {
		if (!isRefused(error)) throw error;
		tell(`${what}: the token may not read this: ${(error as Error).message}`, "the site");
		return otherwise;
	}
}

const once = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
	let asked: Promise<T> | undefined;

	// While developing, each page asks anew.
	return () => (import.meta.env.DEV ? ask() : (asked ??= ask()));
};

export const settings = once(async () => ({
	siteTitle: import.meta.env.SITE_NAME ?? config.name ?? "Journal",
	...(await may<Settings>("settings", () => cms.call<Settings>("GET /settings"), {})),
}));

/** The collections that may have pages, in the order of the site. */
export const collections = once(async (): Promise<Collection[]> => {
	const named = Object.keys(config.collections).map((slug): Collection => ({ slug, label: slug, fields: null }));
	const { items } = await may<{ items: Collection[] }>("schema", () => cms.call("GET /schema/collections"), {
		items:
			named.length > 0
				? named
				: ["posts", "pages"].map((slug) => ({ slug, label: slug, fields: null })),
	});
	const schema = await may<{ collections: { slug: string; fields: Field[] }[] }>(
		"schema",
		() => cms.call("GET /schema"),
		{ collections: [] },
	);

	return items
		.filter((one) => !one.hidden)
		.map((one) => ({
			...one,
			fields: schema.collections.find((two) => two.slug === one.slug)?.fields ?? null,
		}));
});

/** All terms, of all taxonomies. */
export const terms = once(async (): Promise<{ taxonomies: Taxonomy[]; terms: Term[] }> => {
	const { taxonomies } = await may<{ taxonomies: Taxonomy[] }>("taxonomies", () => cms.call("GET /taxonomies"), {
		taxonomies: [],
	});
	const found: Term[] = [];

	for (const name of new Set(taxonomies.map((one) => one.name))) {
		const { terms: top } = await cms.call<{ terms: Term[] }>("GET /taxonomies/:taxonomy/terms", {
			taxonomy: name,
		});
		const open: (Term & { children?: Term[] })[] = [...top];
		for (let term = open.shift(); term; term = open.shift()) {
			found.push(term);
			open.push(...(term.children ?? []));
		}
	}
	return { taxonomies, terms: found };
});

export const menus = once(async (): Promise<Menu[]> => {
	const all = await may<Menu[]>("menus", () => cms.call("GET /menus"), []);

	return Promise.all(
		all.map((one) => cms.call<Menu>("GET /menus/:name", { name: one.name, locale: one.locale })),
	);
});

export interface Loaded {
	item: LooseItem;
	terms: Term[];
	bylines: string[];
	media: MediaRows;
}

/** Ids of items that are like this one. */
export async function relatedOf(item: LooseItem, count: number): Promise<string[]> {
	const { items } = await may("related items", () => cms.related(item.type, item.id, { limit: count }), {
		items: [],
	});

	return items.map((one) => one.id);
}

/** The published items of a collection, newest first. */
export async function itemsOf(collection: string): Promise<Loaded[]> {
	const read = async (withMedia: boolean): Promise<Loaded[]> => {
		const all: Loaded[] = [];
		const include: { terms: true; bylines: true; media?: true } = { terms: true, bylines: true };

		if (withMedia) include.media = true;

		for await (const page of cms.pages(collection, {
			status: "published",
			orderBy: "publishedAt",
			order: "desc",
			include,
		})) {
			const included = page.included as typeof page.included & { media?: MediaRows };
			for (const item of page.items as LooseItem[])
				all.push({
					item,
					terms: termsOf(page, item),
					bylines: bylinesOf(page, item).map((one) => one.displayName),
					media: included.media ?? {},
				});
		}
		return all;
	};

	try {
		return await read(true);
	} catch (error) {
		if (!isRefused(error)) throw error;
		tell("media: the token may not read this: pictures have one size (scope media:read)", collection);
		return may(collection, () => read(false), []);
	}
}
