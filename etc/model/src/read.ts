// read.ts - what is asked of the site. What the token may not read is done without, and told.
import {
	type AnyCollections,
	bylinesOf,
	type Client,
	type LooseItem,
	type Page,
	StetError,
	type Term,
	termsOf,
} from "@stet/client";
import type { BlockType } from "@stet/render/own";
import type { Collection, Comment, Config, Field, MediaRows, Menu, Settings, Taxonomy, Tell } from "./types.js";

/** An item, and what was answered beside it. */
export interface Loaded {
	item: LooseItem;
	terms: Term[];
	bylines: string[];
	media: MediaRows;
}
/** An old address of an item, as an import has stored it. */
export interface OldAddress {
	from: string;
	id: string;
	/** That the item had here; else it is an address of an import. */
	slug?: string;
}
interface ThreadRow extends Omit<Comment, "replies"> {
	replyCount?: number;
	replies?: ThreadRow[];
}
interface ThreadPage {
	items: ThreadRow[];
	open: boolean;
	nextCursor?: string;
}

export interface Reader {
	settings(): Promise<Settings & { siteTitle: string }>;
	/** The collections that may have pages, in the order of the site; the types of blocks that the site defines. */
	schema(): Promise<{ collections: Collection[]; blockTypes: BlockType[] }>;
	/** All terms, of all taxonomies. */
	terms(): Promise<{ taxonomies: Taxonomy[]; terms: Term[] }>;
	menus(): Promise<Menu[]>;
	/** The published items of a collection, newest first. */
	items(collection: string): Promise<Loaded[]>;
	oldAddresses(collection: string): Promise<OldAddress[]>;
	relatedIds(item: LooseItem, count: number): Promise<string[]>;
	comments(item: LooseItem): Promise<{ open: boolean; threads: Comment[] } | null>;
}

const isRefused = (error: unknown): boolean => error instanceof StetError && [401, 403, 404].includes(error.status);

const commentOf = ({ replyCount: _, replies = [], ...own }: ThreadRow): Comment => ({
	...own,
	replies: replies.map(commentOf),
});

export function newReader(client: Client<AnyCollections>, config: Config, tell: Tell): Reader {
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

	/** All rows of a list that goes on with a cursor. */
	async function rowsOf<T>(route: string, args: object): Promise<T[]> {
		const rows: T[] = [];
		let { cursor } = args as { cursor?: string | undefined };

		do {
			const page = await client.call<{ items: T[]; nextCursor?: string }>(route, { ...args, cursor });
			rows.push(...page.items);
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		return rows;
	}

	async function readItems(collection: string, withMedia: boolean): Promise<Loaded[]> {
		const all: Loaded[] = [];
		const include: { terms: true; bylines: true; media?: true } = { terms: true, bylines: true };

		if (withMedia) include.media = true;
		for await (const one of client.pages(collection, {
			status: "published",
			orderBy: "publishedAt",
			order: "desc",
			include,
		})) {
			const page = one as Page<AnyCollections, string, never, "terms" | "bylines", false>;
			const { media = {} } = page.included as { media?: MediaRows };
			for (const item of page.items as LooseItem[])
				all.push({
					item,
					terms: termsOf(page, item),
					bylines: bylinesOf(page, item).map((author) => author.displayName),
					media,
				});
		}
		return all;
	}

	return {
		settings: async () => ({
			siteTitle: config.name ?? "Journal",
			...(await may<Settings>("settings", () => client.call("GET /settings"), {})),
		}),

		async schema() {
			const named = Object.keys(config.collections ?? {});
			const otherwise = (named.length > 0 ? named : ["posts", "pages"]).map((slug) => ({
				slug,
				label: slug.charAt(0).toUpperCase() + slug.slice(1),
				fields: null,
			}));
			const { items } = await may<{ items: Collection[] }>(
				"schema",
				() => client.call("GET /schema/collections"),
				{ items: otherwise },
			);
			const schema = await may<{
				collections: { slug: string; fields: Field[] }[];
				blocks?: BlockType[];
			}>("schema", () => client.call("GET /schema"), { collections: [] });

			return {
				collections: items
					.filter((one) => !one.hidden)
					.map((one) => ({
						...one,
						fields:
							schema.collections.find((two) => two.slug === one.slug)
								?.fields ?? null,
					})),
				blockTypes: schema.blocks ?? [],
			};
		},

		async terms() {
			const { taxonomies } = await may<{ taxonomies: Taxonomy[] }>(
				"taxonomies",
				() => client.call("GET /taxonomies"),
				{ taxonomies: [] },
			);
			const found: Term[] = [];

			for (const taxonomy of new Set(taxonomies.map((one) => one.name))) {
				const answer = await client.call<{ terms: Term[] }>("GET /taxonomies/:taxonomy/terms", {
					taxonomy,
				});
				const open: (Term & { children?: Term[] })[] = [...answer.terms];
				for (let term = open.shift(); term; term = open.shift()) {
					found.push(term);
					open.push(...(term.children ?? []));
				}
			}
			return { taxonomies, terms: found };
		},

		async menus() {
			const all = await may<Menu[]>("menus", () => client.call("GET /menus"), []);

			return Promise.all(
				all.map(({ name, locale }) => client.call<Menu>("GET /menus/:name", { name, locale })),
			);
		},

		async items(collection) {
			try {
				return await readItems(collection, true);
			} catch (error) {
				if (!isRefused(error)) throw error;
				tell(
					"media: the token may not read this: pictures have one size (scope media:read)",
					collection,
				);
				return may(collection, () => readItems(collection, false), []);
			}
		},

		oldAddresses: (collection) =>
			may(
				"redirects",
				() => rowsOf<OldAddress>("GET /redirects/:collection", { collection, limit: 1000 }),
				[],
			),

		async relatedIds(item, count) {
			const { items } = await may(
				"related items",
				() => client.related(item.type, item.id, { limit: count }),
				{ items: [] },
			);

			return items.map((one) => one.id);
		},

		async comments({ type: collection, id: contentId }) {
			const route = "GET /comments/:collection/:contentId";
			const args = { collection, contentId, limit: 100 };
			const first = await may<ThreadPage | null>("comments", () => client.call(route, args), null);

			if (first === null) return null;
			const rows = [...first.items];
			if (first.nextCursor !== undefined)
				rows.push(...(await rowsOf<ThreadRow>(route, { ...args, cursor: first.nextCursor })));
			for (const row of rows)
				if ((row.replyCount ?? 0) > (row.replies?.length ?? 0))
					row.replies = await rowsOf<ThreadRow>(route, { ...args, parentId: row.id });
			return { open: first.open, threads: rows.map(commentOf) };
		},
	};
}
