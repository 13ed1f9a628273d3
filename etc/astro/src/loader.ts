// loader.ts - the loader of one collection: reads it whole once, then what the feed of changes names.
import { type Change, ExpiredError, type LooseItem, mediaOf, StetError } from "@stet/client";
import type { Options as RenderOptions } from "@stet/render";
import type { Loader, LoaderContext } from "astro/loaders";
import { z, type ZodTypeAny } from "astro/zod";
import { type Answer, dataOf, live, rendered } from "./entry.js";
import { entryKind } from "./schema.js";
import { type Collection, type Include, said, type Site, type SiteOptions, siteOf } from "./site.js";

export interface LoaderOptions extends SiteOptions {
	/** The slug of a collection of the site. */
	collection: string;
	/** "published" unless said otherwise: what readers see. Others, and "all", are newest values, for tokens that may. */
	status?: "published" | "draft" | "scheduled" | "all";
	/** Items of this locale alone. */
	locale?: string;
	/** What belongs to the items, as `data.included`. */
	include?: Include;
	/** The field that is rendered as the content of an entry: the first of Portable Text unless said otherwise; false: none. */
	body?: string | false;
	/** Options of @stet/render. */
	render?: RenderOptions;
}

/** @internal */
export const NAME = "@stet/astro";
const FORMAT = 1; // of stored entries: with another one all are made anew
const KEY = "stet";

interface State {
	cursor: string;
	/** The options that the stored entries were made with. */
	of: string;
}

/** One run of a loader. */
class Run {
	changed = 0;
	private readonly of: string;
	private definition: Collection | undefined;
	private noMedia = false;

	constructor(
		private readonly site: Site,
		private readonly options: LoaderOptions,
		private readonly context: LoaderContext,
	) {
		const { token: _, ...rest } = options;
		this.of = context.generateDigest(
			JSON.stringify([FORMAT, rest], (_name, value) =>
				typeof value === "function" ? String(value) : value,
			),
		);
	}

	/** What is asked to be included: also media, for the smaller copies of pictures. */
	private get include(): object | undefined {
		const all = { ...this.options.include, media: !this.noMedia };

		return Object.values(all).some(Boolean) ? all : undefined;
	}

	/** With `media`, unless the token may not read the library. */
	private async withMedia<T>(ask: () => Promise<T>): Promise<T> {
		try {
			return await ask();
		} catch (error) {
			if (
				!(error instanceof StetError && error.status === 403) ||
				this.noMedia ||
				this.options.include?.media
			)
				throw error;
			this.noMedia = true;
			const answer = await ask();
			this.context.logger.warn(
				`${this.options.collection}: the token may not read media: pictures have one size (scope media:read)`,
			);
			return answer;
		}
	}

	private async collection(): Promise<Collection> {
		return (this.definition ??= await this.site.collection(this.options.collection));
	}

	private isWanted({ status, locale }: LooseItem): boolean {
		const { status: wanted = "published", locale: language = locale } = this.options;

		return (wanted === "all" || wanted === status) && language === locale;
	}

	/** Stores an item if it is not the one that is stored. */
	private async put(given: LooseItem, answer: Answer): Promise<void> {
		const { store, parseData, generateDigest } = this.context;
		const { body, render = {}, include = {}, status = "published" } = this.options;
		const { client } = this.site;
		const definition = await this.collection();
		const item = status === "published" ? live(given) : given;
		const { id } = item;

		if (typeof id !== "string" || id === "")
			throw new Error(`stet: ${this.site.url} answered an item of ${definition.slug} without an id`);
		const raw = dataOf(client, item, definition, include, answer);
		const media = answer.included?.media ? mediaOf(answer as any, item) : [];
		const digest = `${item.version}-${generateDigest(JSON.stringify([this.of, raw, media]))}`;
		if (store.get(id)?.digest === digest) return;
		const name = body ?? definition.fields.find((field) => field.type === "portableText")?.slug ?? "";
		const data = await parseData({ id, data: raw });
		const blocks = name === false ? undefined : raw[name];
		const rows = Object.assign(Object.create(null), Object.fromEntries(media.map((row) => [row.id, row])));

		store.set({
			id,
			data,
			digest,
			...(blocks ? { rendered: rendered(client, blocks, rows, render) } : {}),
		});
		this.changed++;
	}

	/** Reads the whole collection. */
	async whole(): Promise<void> {
		const { store, meta } = this.context;
		const { collection, locale, status = "published" } = this.options;
		const { client } = this.site;
		const cursor = await client.cursor();
		const asked = { locale, status: status === "all" ? undefined : status };

		await this.collection();
		await this.withMedia(async () => {
			const seen = new Set<string>();
			for await (const page of client.pages(collection, { ...asked, include: this.include as any }))
				for (const item of page.items) {
					seen.add(item.id);
					await this.put(item, page as Answer);
				}
			for (const id of store.keys()) if (!seen.has(id)) this.remove(id);
		});
		meta.set(KEY, JSON.stringify({ cursor, of: this.of } satisfies State));
	}

	private remove(id: string): void {
		this.context.store.delete(id);
		this.changed++;
	}

	/** Reads one item again; one that is not there, or not of those that are wanted, is removed. */
	private async again(id: string): Promise<void> {
		const { store } = this.context;
		const get = () => this.site.client.get(this.options.collection, id, { include: this.include as any });

		try {
			const answer = await this.withMedia(get);
			if (this.isWanted(answer.item as LooseItem))
				return await this.put(answer.item as LooseItem, answer as Answer);
		} catch (error) {
			if (!(error instanceof StetError && error.code === "NOT_FOUND")) throw error;
		}
		if (store.get(id)) this.remove(id);
	}

	/** Ids of the stored entries that name a record: a picture, a byline, or an item, as one that belongs to them. */
	private showing(id: string, isItem = false): string[] {
		const { references } = this.options.include ?? {};
		const fields =
			isItem && references !== true ? ["included", ...Object.keys(references || {})] : undefined;

		return this.context.store
			.values()
			.filter(({ data }) => {
				const shown = fields ? fields.map((name) => data[name]) : data;
				return JSON.stringify(shown).includes(`"${id}"`);
			})
			.map((entry) => entry.id);
	}

	/** What a change concerns: entries by their ids, or "all". */
	private concerned({ kind, collection, id = "" }: Change): string[] | "all" {
		const { include = {}, collection: own } = this.options;

		if (kind === "collection") return id === own || (include.references && id !== "") ? "all" : [];
		if (kind === "content" && collection === own)
			return include.translations
				? "all"
				: [id, ...(include.references ? this.showing(id, true) : [])];
		if (kind === "content") return include.references ? this.showing(id, true) : [];
		if (kind === "term" || kind === "taxonomy") return include.terms ? "all" : [];
		return kind === "media" || kind === "byline" ? this.showing(id) : [];
	}

	/** Reads what has changed since. Returns false if the whole collection has to be read. */
	private async changes(cursor: string): Promise<boolean> {
		const { store, meta } = this.context;
		const ids = new Set<string>();
		let last = cursor;

		for await (const change of this.site.client.changes({ since: cursor, wait: 0, limit: 1000 })) {
			const concerned = this.concerned(change);
			last = change.cursor;
			if (concerned === "all") {
				await this.site.collections(true);
				return false;
			}
			for (const id of concerned) ids.add(id);
		}
		// A page has a hundred items: beyond some, all of them take fewer requests.
		if (ids.size > 10 + store.keys().length / 50) return false;
		for (const id of ids) await this.again(id);
		if (last !== cursor) meta.set(KEY, JSON.stringify({ cursor: last, of: this.of } satisfies State));
		return true;
	}

	async sync(): Promise<void> {
		const saved = this.context.meta.get(KEY);
		const state: Partial<State> = saved ? JSON.parse(saved) : {};

		try {
			if (state.cursor && state.of === this.of && (await this.changes(state.cursor))) return;
		} catch (error) {
			const isLost =
				error instanceof ExpiredError ||
				(error instanceof StetError && error.code === "INVALID_CURSOR");
			if (!isLost) throw error;
			this.context.logger.info(
				`${this.options.collection}: the feed does not reach back: all is read again`,
			);
		}
		await this.whole();
	}
}

/** A loader for a collection of content.config.ts. */
export function stetLoader(options: LoaderOptions): Loader {
	const site = siteOf(options);
	const { include = {}, status = "published" } = options;
	const kind = async () => entryKind(await site.collection(options.collection), include, status === "published");
	const loader: Loader & {
		schema?: () => Promise<ZodTypeAny>;
		createSchema?: () => Promise<{ schema: ZodTypeAny; types: string }>;
	} = {
		name: NAME,
		async load(context) {
			const run = new Run(site, options, context);
			await run.sync().catch(said(site, options.collection));
			if (run.changed > 0)
				context.logger.info(
					`${options.collection}: ${run.changed} entries are new, changed or removed`,
				);
		},
	};

	// Astro 6 and later have zod 4, and want the types as text.
	if ("toJSONSchema" in z)
		loader.createSchema = async () => {
			const { zod, ts } = await kind();
			return { schema: zod, types: `export type Entry = ${ts};\n` };
		};
	else loader.schema = async () => (await kind()).zod;
	return loader;
}
