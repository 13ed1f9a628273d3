// client.ts - the operations of a client.
import { StetError, type ErrorBody, type Issue } from "./errors.js";
import { apiUrl, isRaw, LONGEST, newSend, passes, sleep, type CallOptions, type ClientOptions } from "./http.js";
import { newMedia, type MediaLike, type SizeOptions } from "./media.js";
import { queryOf, segment } from "./query.js";
import type {
	Answer,
	AnyCollections,
	Bare,
	Change,
	ChangesOptions,
	CollectionsOf,
	Created,
	Found,
	GetOptions,
	GuardedOptions,
	Kind,
	ListOptions,
	Name,
	Page,
	Part,
	Patched,
	Saved,
	SearchOptions,
	Shown,
	Updated,
	WalkOptions,
	WriteOptions,
} from "./types.js";

export interface CallMore extends CallOptions {
	/** Parameters of the URL besides those of a read, for a route that takes both. */
	query?: { readonly [name: string]: unknown } | undefined;
	/** The write may be repeated after a failure of the network: it is sent with this key, and carried out once. */
	idempotencyKey?: string | undefined;
}

/** A client of one site. All of its functions can be taken out of it: `const { list, get } = createClient(…)`. */
/** An operation that reads, with its arguments. */
export interface ReleaseCall {
	op: string;
	arguments?: Record<string, unknown>;
}
export interface ReleasePreview {
	name: string;
	status: "open" | "scheduled" | "published";
	scheduledAt?: string;
	changes: {
		type: "item" | "term" | "menu" | "settings";
		collection?: string;
		item?: string;
		name?: string;
		slug?: string;
		locale?: string;
		title?: string;
		does: "publish" | "update" | "unpublish" | "create" | "delete" | "nothing";
	}[];
	/** How many problems stand against it: what they are about is shown as it is. */
	problems: number;
	/** One for each call, in their order. */
	results: ({ ok: true; data: any } | { ok: false; error: ErrorBody })[];
}

export interface Client<C extends CollectionsOf<C>> {
	/** A page of the items of a collection. */
	list<K extends Name<C>, F extends Part<C[K]> = never, N extends Kind = never, M extends boolean = false>(
		collection: K,
		options?: ListOptions<C, K, F, N, M>,
	): Promise<Page<C, K, F, N, M>>;
	/** All pages of a list. Each item comes once, whatever is written meanwhile. */
	pages<K extends Name<C>, F extends Part<C[K]> = never, N extends Kind = never, M extends boolean = false>(
		collection: K,
		options?: ListOptions<C, K, F, N, M>,
	): AsyncGenerator<Page<C, K, F, N, M>, void, undefined>;
	/** All items of a list; with `include` use pages(). */
	all<K extends Name<C>, F extends Part<C[K]> = never, M extends boolean = false>(
		collection: K,
		options?: WalkOptions<C, K, F, M> & { limit?: number | undefined },
	): AsyncGenerator<Shown<C[K], F, M>, void, undefined>;
	/** An item by its id or slug. */
	get<K extends Name<C>, F extends Part<C[K]> = never, N extends Kind = never, M extends boolean = false>(
		collection: K,
		idOrSlug: string,
		options?: GetOptions<C, K, F, N, M>,
	): Promise<Answer<C, K, F, N, M>>;
	/** The newest values of an item, published or not, for callers with the token of a preview link. */
	preview<K extends Name<C>, F extends Part<C[K]> = never, N extends Kind = never, M extends boolean = false>(
		collection: K,
		idOrSlug: string,
		token: string,
		options?: GetOptions<C, K, F, N, M>,
	): Promise<Answer<C, K, F, N, M>>;
	/** Makes a preview link; its token is for preview(). */
	previewUrl(
		collection: Name<C>,
		idOrSlug: string,
		options?: CallOptions & { locale?: string; expiresIn?: number | string; pathPattern?: string },
	): Promise<{ url: string; token: string; expiresAt: number }>;
	/**
	 * The site as it will be with a release, for callers with the token of a preview link of it: what operations answer
	 * that read, by their names, such as "content_list" and "menu_get". All of a page should be read with one call.
	 */
	previewRelease(token: string, calls?: ReleaseCall[], options?: CallOptions): Promise<ReleasePreview>;
	/** The items before and after an item in a list, without bylines. */
	neighbors<K extends Name<C>, F extends Part<Bare<C[K]>> = never, M extends boolean = false>(
		collection: K,
		idOrSlug: string,
		options?: WalkOptions<C, K, F, M>,
	): Promise<{ previous: Shown<Bare<C[K]>, F, M> | null; next: Shown<Bare<C[K]>, F, M> | null }>;
	/** Published items that share terms with an item, the nearest first, without bylines. */
	related<K extends Name<C>, F extends Part<Bare<C[K]>> = never, M extends boolean = false>(
		collection: K,
		idOrSlug: string,
		options?: Omit<GetOptions<C, K, F, never, M>, "include"> & { limit?: number | undefined },
	): Promise<{ items: Shown<Bare<C[K]>, F, M>[] }>;
	/** corrected: the query that was searched, in which words that no item has are replaced by similar ones. */
	search(
		query: string,
		options?: SearchOptions<C>,
	): Promise<{ items: Found<C>[]; nextCursor?: string; partial?: boolean; corrected?: string }>;
	/** Titles with words that begin like these. */
	suggest(
		query: string,
		options?: Omit<SearchOptions<C>, "cursor" | "status">,
	): Promise<{
		items: { collection: Name<C>; id: string; slug: string | null; title: string }[];
		corrected?: string;
	}>;

	/** A new item: a draft unless status is published. */
	create<K extends Name<C>>(collection: K, values: Created<C[K]>, options?: WriteOptions): Promise<Saved<C[K]>>;
	/**
	 * Changes some values of an item. With `_rev` it rejects with a ConflictError if the item has been changed since
	 * `_rev` was read.
	 */
	update<K extends Name<C>>(
		collection: K,
		idOrSlug: string,
		values: Updated<C[K]>,
		options?: WriteOptions,
	): Promise<Saved<C[K]>>;
	/** Changes single blocks of a Portable Text field by their _key. */
	patch<K extends Name<C>>(
		collection: K,
		idOrSlug: string,
		values: Patched<C[K]>,
		options?: WriteOptions,
	): Promise<Saved<C[K]>>;
	/** Publishes the newest values. */
	publish<K extends Name<C>>(
		collection: K,
		idOrSlug: string,
		options?: GuardedOptions & { publishedAt?: string | Date | undefined },
	): Promise<Saved<C[K]>>;
	unpublish<K extends Name<C>>(collection: K, idOrSlug: string, options?: GuardedOptions): Promise<Saved<C[K]>>;
	discardDraft<K extends Name<C>>(
		collection: K,
		idOrSlug: string,
		options?: GuardedOptions,
	): Promise<Saved<C[K]>>;
	schedule<K extends Name<C>>(
		collection: K,
		idOrSlug: string,
		at: string | Date,
		options?: GuardedOptions,
	): Promise<Saved<C[K]>>;
	unschedule<K extends Name<C>>(collection: K, idOrSlug: string, options?: WriteOptions): Promise<Saved<C[K]>>;
	/** Moves an item to the trash. */
	delete(
		collection: Name<C>,
		idOrSlug: string,
		options?: WriteOptions,
	): Promise<{ success: boolean; deleted: boolean; id: string }>;
	/** Takes an item out of the trash. */
	restore(
		collection: Name<C>,
		id: string,
		options?: CallOptions & { idempotencyKey?: string | undefined },
	): Promise<unknown>;

	/** The end of the change feed, now: get it before you read the whole site, and go on from it with changes(). */
	cursor(options?: CallOptions): Promise<string>;
	/**
	 * Past and future changes, in the order of the commits. Rejects with an ExpiredError if changes are missing.
	 * Once it has begun, and unless `wait` is 0, it continues even if the server cannot be reached for a while.
	 */
	changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined>;

	/** The absolute URL of a file, or of a smaller copy; "" if there is none that a page may use. */
	mediaUrl(media: MediaLike, options?: SizeOptions): string;
	/** The `srcset` of an image with absolute URLs; "" if it has no copies. */
	srcset(media: MediaLike): string;
	/** The URL of a copy of any size, which the server signs for those who may read the library. */
	rendition(
		mediaId: string,
		options: CallOptions & {
			w?: number;
			h?: number;
			fit?: "inside" | "contain" | "cover";
			format?: "jpeg" | "png" | "webp";
			q?: number;
		},
	): Promise<string>;

	/**
	 * Any other operation: by its route, "GET /menus/:name", or by its name, "menu_get". Of a route, arguments that
	 * the path does not name are parameters (GET, DELETE) or the body; a body may also be FormData or a Blob.
	 */
	call<T = any>(operation: string, args?: object, options?: CallMore): Promise<T>;
}

/** Says what a call of a batch was refused for as if it had been alone. */
function unwrapped(error: unknown): unknown {
	if (!(error instanceof StetError) || error.details.index === undefined) return error;
	const { index: _, ...details } = error.details;
	const issues = error.issues.map(
		({ path, message }): Issue => ({ path: path.replace(/^calls\[0\]\.arguments\.?/, ""), message }),
	);
	const body: ErrorBody = {
		code: error.code,
		message: error.summary.replace(/^calls\[0\] \(\w+\): /, ""),
		details,
	};

	if (issues.length > 0) details.issues = issues;
	return new (error.constructor as typeof StetError)(error.status, body, error);
}

/** A client of the site at `url`. `C` is the interface Collections that "stet types" writes for it. */
export function createClient<C extends CollectionsOf<C> = AnyCollections>(options: ClientOptions): Client<C> {
	const send = newSend(options);
	const { mediaUrl, srcset, resolve } = newMedia(apiUrl(options.url));
	const item = (collection: string, id: string, more = ""): string =>
		`/content/${segment(collection)}/${segment(id)}${more}`;

	type More = Record<string, any>;
	const read = (path: string, { signal, ...query }: More = {}) =>
		send("GET", path, { query: queryOf(query), signal }) as Promise<any>;
	// Content is written in the lane whose operations take a key, so a failure of the network may be repeated.
	const write = (method: string, path: string, { signal, locale, idempotencyKey, ...body }: More = {}) =>
		send(method, path, {
			query: queryOf({ locale }),
			body: method === "DELETE" ? undefined : body,
			keyed: true,
			key: idempotencyKey,
			signal,
		});
	const action = (name: string) => (collection: string, id: string, more?: More) =>
		write("POST", item(collection, id, name), more);

	async function* pages(collection: string, asked: More = {}) {
		let { cursor } = asked;

		for (;;) {
			const page = await read(`/content/${segment(collection)}`, { limit: 100, ...asked, cursor });
			yield page;
			if (!page.nextCursor) return;
			if (page.nextCursor === cursor)
				throw new StetError(0, { code: "NOT_UNDERSTOOD", message: "The list does not go on" });
			cursor = page.nextCursor;
		}
	}

	async function* changes({ since, limit, wait = 30, collection, term, signal }: ChangesOptions = {}) {
		try {
			let cursor = since ?? (await client.cursor({ signal }));
			let failed = since === undefined ? 0 : Infinity; // how often in a row; until it has begun a failure is an error

			for (;;) {
				const began = Date.now();
				let page: any;

				try {
					page = await send("GET", "/changes", {
						query: queryOf({ since: cursor, limit, wait, collection, term }),
						longer: wait * 1000,
						signal,
					});
				} catch (error) {
					// Who waits outlasts a restart of the server, and a line that is down for a while.
					if (
						wait === 0 ||
						failed === Infinity ||
						!(error instanceof StetError && passes(error, true))
					)
						throw error;
					await sleep(
						Math.max(
							error.retryAfter * 1000,
							Math.min(LONGEST, 1000 * 2 ** failed++),
						),
						signal,
					);
					continue;
				}
				failed = 0;
				for (const [i, change] of page.items.entries()) {
					yield { ...change, cursor: i + 1 < page.items.length ? cursor : page.cursor };
					signal?.throwIfAborted();
				}
				cursor = page.cursor;
				if (!page.more && wait === 0) return;
				// A server or proxy that does not wait is not asked in a tight loop.
				if (page.items.length === 0 && !page.more && Date.now() - began < 1000)
					await sleep(1000, signal);
			}
		} catch (error) {
			if (!signal?.aborted) throw error;
		}
	}

	async function call(
		operation: string,
		args: any = {},
		{ signal, query, idempotencyKey: key }: CallMore = {},
	): Promise<any> {
		const [, method = "", route = ""] = /^([A-Z]+) (\/\S*)$/.exec(operation) ?? [];

		if (method === "") {
			const body = { calls: [{ op: operation, arguments: args }], atomic: true };
			const { results }: any = await send("POST", "/batch", { body, keyed: true, key, signal }).catch(
				(error) => {
					throw unwrapped(error);
				},
			);
			return results[0].data;
		}
		const isPlain = !isRaw(args) && !Array.isArray(args);
		const rest: More = isPlain ? { ...args } : {};
		const path = route.replace(/:(\w+)/g, (_, name) => {
			const value = rest[name];
			delete rest[name];
			return segment(value);
		});
		const isQuery = method === "GET" || method === "DELETE";
		return send(method, path, {
			query: queryOf(isQuery ? { ...rest, ...query } : query),
			body: isQuery ? undefined : isPlain ? rest : args,
			keyed: key !== undefined,
			key,
			signal,
			text: true,
		});
	}

	const client = {
		list: (collection: string, asked?: More) => read(`/content/${segment(collection)}`, asked),
		pages,
		async *all(collection: string, asked?: More) {
			for await (const page of pages(collection, asked)) yield* page.items;
		},
		get: (collection: string, id: string, asked?: More) => read(item(collection, id), asked),
		preview: (collection: string, id: string, token: string, asked?: More) =>
			read(item(collection, id), { ...asked, _preview: token }),
		previewRelease: (token: string, calls: ReleaseCall[] = [], asked: CallOptions = {}) =>
			send("POST", "/releases/preview", {
				body: { token, calls },
				signal: asked.signal,
			}) as Promise<any>,
		previewUrl: action("/preview-url"),
		neighbors: (collection: string, id: string, asked?: More) =>
			read(item(collection, id, "/neighbors"), asked),
		related: (collection: string, id: string, asked?: More) =>
			read(item(collection, id, "/related"), asked),
		search: (q: string, asked?: More) => read("/search", { ...asked, q }),
		suggest: (q: string, asked?: More) => read("/search/suggest", { ...asked, q }),

		create: (collection: string, { locale, ...values }: More, asked: WriteOptions = {}) =>
			send("POST", `/content/${segment(collection)}`, {
				body: { locale: locale ?? asked.locale, ...values },
				keyed: true,
				key: asked.idempotencyKey,
				signal: asked.signal,
			}),
		update: (collection: string, id: string, values: More, asked?: More) =>
			write("PUT", item(collection, id), { ...values, ...asked }),
		patch: (collection: string, id: string, values: More, asked?: More) =>
			write("POST", item(collection, id, "/patch"), { ...values, ...asked }),
		publish: action("/publish"),
		unpublish: action("/unpublish"),
		discardDraft: action("/discard-draft"),
		schedule: (collection: string, id: string, at: string | Date, asked?: More) =>
			write("POST", item(collection, id, "/schedule"), { ...asked, scheduledAt: at }),
		unschedule: (collection: string, id: string, asked?: More) =>
			write("DELETE", item(collection, id, "/schedule"), asked),
		delete: (collection: string, id: string, asked?: More) => write("DELETE", item(collection, id), asked),
		restore: action("/restore"),

		cursor: async (asked?: CallOptions): Promise<string> => (await read("/changes", asked)).cursor,
		changes,
		mediaUrl,
		srcset,
		rendition: async (id: string, asked: More) =>
			resolve((await read(`/media/${segment(id)}/rendition`, asked)).url),
		call,
	};

	return client as unknown as Client<C>;
}
