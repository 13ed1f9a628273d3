// types.ts - the types of requests and responses. `C` is always the interface Collections that "stet types" writes:
// types of items by the slug of their collection.

/** What all items have in common. */
export interface AnyItem {
	id: string;
	type: string;
	slug: string | null;
	status: "draft" | "published" | "scheduled";
	data: object;
	createdAt: string;
	updatedAt: string;
	publishedAt: string | null;
	locale: string;
	translationGroup: string;
}

/** What `C` may be. */
export type CollectionsOf<C> = { [K in keyof C]: AnyItem };
export type Name<C> = keyof C & string;

/** Items of a site whose types are not known. */
export interface LooseItem extends AnyItem {
	data: Record<string, any>;
	liveData?: Record<string, any>;
	liveSlug?: string | null;
	authorId: string | null;
	primaryBylineId: string | null;
	scheduledAt: string | null;
	/** Why it could not be published at scheduledAt; for those who may read drafts. */
	scheduleError?: { code: string; message: string; at: string; unpublishAt?: string };
	/** When it becomes a draft again by itself; for those who may read drafts. */
	unpublishAt?: string;
	version: number;
	liveRevisionId: string | null;
	draftRevisionId?: string | null;
	bylines: Record<string, any>[];
	byline: Record<string, any> | null;
	seo?: Record<string, any>;
	liveSeo?: Record<string, any>;
	liveBylines?: Record<string, any>[];
}
export type AnyCollections = Record<string, LooseItem>;

type Data<I extends AnyItem> = I["data"];
type FieldOf<I extends AnyItem> = keyof Data<I> & string;
type Scalar = string | number | boolean;
type IsLoose<D> = string extends keyof D ? true : false;
type Filled<V> = Exclude<V, null | undefined>;

// ---- filters and orders ----

/** Fields with a single value: those that can be indexed. */
export type ScalarField<D> =
	IsLoose<D> extends true
		? string
		: { [F in keyof D & string]-?: [Filled<D[F]>] extends [Scalar] ? F : never }[keyof D & string];

/** Fields with many values, choices or references: those that have one. */
type ManyField<D> = { [F in keyof D & string]-?: [Filled<D[F]>] extends [readonly string[]] ? F : never }[keyof D &
	string];
type OneValue<V> = V extends readonly (infer E)[] ? E : never;

type Bound = "gt" | "gte" | "lt" | "lte";
type Value<V> = V | (string extends V ? Date : never);
/** W: words that a searchable field has, a text; never: it has none. */
interface Operators<V, W> {
	eq: Value<V> | null;
	ne: Value<V> | null;
	in: readonly Value<V>[];
	nin: readonly Value<V>[];
	between: readonly [Value<V>, Value<V>];
	isNull: boolean;
	startsWith: [V] extends [string] ? string : never;
	contains: W;
}
/** One of the operators of T, and no other one. */
type OneOf<T> = { [O in keyof T]: { [P in O]: T[P] } & { [P in Exclude<keyof T | Bound, O>]?: never } }[keyof T];
type Side<A extends Bound, B extends Bound, V> =
	| ({ [P in A]: Value<V> } & { [P in B]?: never })
	| ({ [P in B]: Value<V> } & { [P in A]?: never });
type None<B extends Bound> = { [P in B]?: never };
type Bounds<V, W> = (
	| (Side<"gt", "gte", V> & Side<"lt", "lte", V>)
	| (Side<"gt", "gte", V> & None<"lt" | "lte">)
	| (Side<"lt", "lte", V> & None<"gt" | "gte">)
) & { [P in keyof Operators<V, W>]?: never };
type Words<V> = [V] extends [string] ? string : never;

/** A condition on a field: a value, null for none, or an object with one operator (two bounds go together). */
export type Condition<V, W = Words<V>> = Value<V> | null | OneOf<Operators<V, W>> | Bounds<V, W>;

/** A condition on a field with many values: one of them, or none at all, or words if it is searchable. */
export type HasCondition<V> = OneOf<{ has: V; isNull: boolean; contains: string }> | null;

/** A condition on another field, blocks or JSON, which has to be searchable. */
export type WordsCondition = { contains: string };

interface Times {
	createdAt?: Condition<string, never>;
	updatedAt?: Condition<string, never>;
	publishedAt?: Condition<string, never>;
}
/** Conditions on indexed fields, and on words of searchable ones, all of which have to hold, and groups of them. */
export type Filters<D> = (IsLoose<D> extends true
	? Record<string, any>
	: { [F in ScalarField<D>]?: Condition<Filled<D[F & keyof D]>> } & {
			[F in ManyField<D>]?: HasCondition<OneValue<Filled<D[F & keyof D]>>>;
		} & { [F in Exclude<keyof D & string, ScalarField<D> | ManyField<D>>]?: WordsCondition }) &
	Times & {
		and?: readonly Filters<D>[];
		or?: readonly Filters<D>[];
		not?: Filters<D> | readonly Filters<D>[];
	};

type OrderName<D> =
	| "createdAt"
	| "updatedAt"
	| "publishedAt"
	| "scheduledAt"
	| "slug"
	| "status"
	| "locale"
	| "title"
	| "name"
	| ScalarField<D>;
export type Order<D> = OrderName<D> | `${OrderName<D>}:${"asc" | "desc"}`;

/** Terms by taxonomy: one of the terms of each; "!sport" excludes, "news/*" has the terms below news too. */
export type Terms = string | { readonly [taxonomy: string]: string | readonly string[] };

// ---- what belongs to items ----

export interface Term {
	id: string;
	name: string;
	slug: string;
	label: string;
	parentId: string | null;
	description?: string;
	locale: string;
	translationGroup: string;
	count?: number;
}
export interface Byline {
	id: string;
	slug: string;
	displayName: string;
	bio: string | null;
	websiteUrl: string | null;
	avatarMediaId: string | null;
	avatarUrl: string | null;
	avatarAlt: string | null;
	userId: string | null;
	isGuest: boolean;
	locale: string;
	translationGroup: string;
}
export interface Author {
	id: string;
	name: string | null;
	avatarUrl: string | null;
}
export interface Media {
	id: string;
	filename: string;
	mimeType: string;
	size: number;
	width: number | null;
	height: number | null;
	alt: string | null;
	caption: string | null;
	storageKey: string;
	url: string;
	srcset: string | null;
	blurhash: string | null;
	dominantColor: string | null;
	focalX: number | null;
	focalY: number | null;
	duration: number | null;
}

export type Kind = "terms" | "bylines" | "author" | "media" | "translations" | "references" | "usedBy";
type ReferenceField<D> =
	IsLoose<D> extends true
		? string
		: { [F in keyof D & string]-?: [Filled<D[F]>] extends [string | string[]] ? F : never }[keyof D &
				string];
type References<D> = true | { readonly [F in ReferenceField<D> | "*"]?: true | 1 | 2 | 3 };
/** "collection.field" of items that refer to the answered ones, and how many each gets: 1 to 50, true for 10. */
type UsedBy = { readonly [F in `${string}.${string}`]?: true | number };
/** What is answered beside items; references: all fields, or some with the depth to which they are followed. */
export type Include<D, N extends Kind> = {
	readonly [K in N]?: K extends "references" ? References<D> : K extends "usedBy" ? UsedBy : true;
};

/** An item without its bylines: that is how rows of `included`, neighbours and relatives are sent. */
export type Bare<I extends AnyItem> = Omit<I, "bylines" | "byline">;
/** An item beside others. */
export type Row<C extends CollectionsOf<C>> = { [K in keyof C]: Bare<C[K]> }[keyof C];
type Rows<T> = Record<string, T | null>;
interface RowsOf<C extends CollectionsOf<C>> {
	terms: { terms: Rows<Term> };
	bylines: { bylines: Rows<Byline> };
	author: { author: Rows<Author> };
	media: { media: Rows<Media> };
	translations: { items: Rows<Row<C>> };
	references: { items: Rows<Row<C>> };
	usedBy: { items: Rows<Row<C>> };
}
type Both<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;
/** Rows by their id: null if they may not be read, or are not there. */
export type Included<C extends CollectionsOf<C>, N extends Kind> = Both<RowsOf<C>[N]> & {
	/** Which rows an item has, where it does not say so itself; terms by taxonomy. */
	links: Record<string, Record<string, string[] | Record<string, string[]>>>;
	/** Some rows did not fit. */
	truncated: boolean;
};
type Beside<C extends CollectionsOf<C>, N extends Kind> = [N] extends [never] ? unknown : { included: Included<C, N> };

// ---- how items are shown ----

type Marked<V> = [Filled<V>] extends [readonly { _type: string }[]] ? string | Extract<V, null | undefined> : V;
type Text<D, M> = M extends true ? { [F in keyof D]: Marked<D[F]> } : D;
type Member<I> = Exclude<keyof I & string, "data" | "liveData">;
/** A member of an item, or a field. */
export type Part<I extends AnyItem> = (keyof I & string) | FieldOf<I>;
type Flat<T> = { [K in keyof T]: T[K] };
type Some<I extends AnyItem, F, M> = Flat<
	Pick<I, Extract<F, Member<I>> | "id"> &
		([Extract<F, FieldOf<I>>] extends [never]
			? "data" extends F
				? { data: Text<Data<I>, M> }
				: unknown
			: { data: Pick<Text<Data<I>, M>, Extract<F, keyof Data<I>>> })
>;
/** An item with the parts F alone (never: all), with Markdown in place of Portable Text if M is true. */
export type Shown<I extends AnyItem, F = never, M = false> = [F] extends [never]
	? M extends true
		? Flat<Omit<I, "data" | "liveData"> & { data: Text<Data<I>, M> }>
		: I
	: Some<I, F, M>;

interface ViewOptions<I extends AnyItem, F, M> {
	/** These members and fields alone, which is less to send; id is always there. */
	fields?: readonly (F & Part<I>)[];
	/** Portable Text as Markdown. */
	markdown?: M;
}
export interface GetOptions<C extends CollectionsOf<C>, K extends Name<C>, F, N extends Kind, M>
	extends ViewOptions<C[K], F, M> {
	/** Of the item, when it is looked up by slug. */
	locale?: string | undefined;
	include?: Include<Data<C[K]>, N>;
	signal?: AbortSignal | undefined;
}
export interface WalkOptions<C extends CollectionsOf<C>, K extends Name<C>, F, M> extends ViewOptions<C[K], F, M> {
	/** overdue: their time to be published has come, and they could not be. */
	status?: "draft" | "published" | "scheduled" | "overdue" | undefined;
	locale?: string | undefined;
	/** Items without a translation in the locale come in the first of the site's locales that they have. */
	localeFallback?: boolean | undefined;
	/** Several keys want an index that the collection declares. */
	orderBy?: Order<Data<C[K]>> | readonly Order<Data<C[K]>>[] | undefined;
	order?: "asc" | "desc" | undefined;
	fieldFilters?: Filters<Data<C[K]>> | undefined;
	terms?: Terms | undefined;
	/** Ids of bylines; "none": items without. */
	bylines?: string | readonly string[] | undefined;
	includeInferredBylines?: boolean | undefined;
	authorId?: string | undefined;
	slug?: string | undefined;
	/** At most 100. */
	ids?: readonly string[] | undefined;
	q?: string | undefined;
	dateField?: "createdAt" | "updatedAt" | "publishedAt" | undefined;
	dateFrom?: string | Date | undefined;
	dateTo?: string | Date | undefined;
	signal?: AbortSignal | undefined;
}
export interface ListOptions<C extends CollectionsOf<C>, K extends Name<C>, F, N extends Kind, M>
	extends WalkOptions<C, K, F, M> {
	/** Items a page, up to 100. */
	limit?: number | undefined;
	/** nextCursor of the page before. */
	cursor?: string | undefined;
	includeTotal?: boolean | undefined;
	/** A text as search takes it: the items that match, the best first, 1000 at most. */
	search?: string | undefined;
	/** Count the items by status, month or taxonomies as well: "status,month,category". */
	facets?: string | undefined;
	include?: Include<Data<C[K]>, N>;
}

// ---- answers ----

export type Page<C extends CollectionsOf<C>, K extends Name<C>, F = never, N extends Kind = never, M = false> = {
	/** _rev, for an update: if the caller may read drafts, or if `fields` names it. */
	items: (Shown<C[K], F, M> & { _rev?: string })[];
	/** Absent on the last page. */
	nextCursor?: string;
	/** With includeTotal. */
	total?: number;
	/** With facets, by their names. more: there are other values; partial: only the first 100,000 items were counted. */
	facets?: Record<
		string,
		{ values: { value: string; label?: string; count: number }[]; more?: boolean; partial?: boolean }
	>;
	/** With search: more items match, of which these are the newest. */
	partial?: boolean;
} & Beside<C, N>;
export type Answer<C extends CollectionsOf<C>, K extends Name<C>, F = never, N extends Kind = never, M = false> = {
	item: Shown<C[K], F, M>;
	/** What has been seen, for a write that must not overwrite another one. */
	_rev: string;
} & Beside<C, N>;
export interface Saved<I> {
	item: I;
	_rev: string;
}

export interface Found<C> {
	collection: Name<C>;
	id: string;
	slug: string | null;
	locale: string;
	title?: string;
	/** HTML: the words that match in <mark>, all else escaped. */
	snippet?: string;
	score: number;
}
export interface SearchOptions<C> {
	collections?: readonly Name<C>[] | undefined;
	locale?: string | undefined;
	limit?: number | undefined;
	cursor?: string | undefined;
	status?: "draft" | "published" | "scheduled" | undefined;
	signal?: AbortSignal | undefined;
}

export interface Change {
	/** content, collection, menu, taxonomy, term, settings … */
	kind: string;
	/** Of an item. */
	collection?: string | undefined;
	id?: string;
	/** publish, update or remove; callers who may read drafts also get create, stage, delete and others. */
	change: string;
	version?: number;
	locale?: string;
	slug?: string;
	at: string;
	/** To go on from after this change. It may repeat changes of the same page, and leaves none out. */
	cursor: string;
}
export interface ChangesOptions {
	/** A cursor; without one the feed begins now. */
	since?: string | undefined;
	/** Changes that are asked for at once, up to 1000. */
	limit?: number | undefined;
	/** Seconds that the server may wait for a change, up to 60; 0: end when there is none. */
	wait?: number | undefined;
	/** Only changes of items of this collection. */
	collection?: string | undefined;
	/** Only changes of items with these terms, or that had them before the change. */
	term?: Terms | undefined;
	/** Ends the feed without an error. */
	signal?: AbortSignal | undefined;
}

// ---- writes ----

type Values<D> = IsLoose<D> extends true ? Record<string, any> : { [F in keyof D]?: D[F] | null };
interface Writable<I extends AnyItem> {
	slug?: string | null;
	status?: "draft" | "published";
	publishedAt?: string | Date | null;
	bylines?: readonly object[];
	/** Slugs or ids of terms, by taxonomy. */
	taxonomies?: { readonly [taxonomy: string]: readonly string[] };
	seo?: "seo" extends keyof I
		? { [M in keyof NonNullable<I["seo"]>]?: NonNullable<I["seo"]>[M] | null }
		: Record<string, unknown>;
}
export interface Created<I extends AnyItem> extends Writable<I> {
	data: Values<Data<I>>;
	locale?: string;
	/** Id of the item that this one translates. */
	translationOf?: string;
	createdAt?: string | Date | null;
}
export interface Updated<I extends AnyItem> extends Writable<I> {
	/** The fields to change; null empties one. */
	data?: Values<Data<I>>;
	/** As it was read: a ConflictError if the item is another by now. */
	_rev?: string | undefined;
	authorId?: string | null;
	/** The draft that this one replaces need not be kept as a revision. */
	skipRevision?: boolean;
}
export interface BlockChange {
	op: "replace" | "remove" | "insert_before" | "insert_after" | "move_before" | "move_after";
	/** _key of the block. */
	key?: string;
	/** For a move: beside the block of this _key. */
	to?: string;
	/** A block, blocks, or Markdown. */
	value?: unknown;
}
export interface Patched<I extends AnyItem> {
	_rev: string;
	/** The Portable Text field of `blocks`. */
	field?: FieldOf<I>;
	blocks?: readonly BlockChange[];
	/** Values of whole fields. */
	set?: Values<Data<I>>;
}
export interface WriteOptions {
	/** Of the item, when it is looked up by slug. */
	locale?: string | undefined;
	/** Names this write for 24 hours: repeated with the same key, also by another process, it is carried out once. */
	idempotencyKey?: string | undefined;
	signal?: AbortSignal | undefined;
}
export interface GuardedOptions extends WriteOptions {
	_rev?: string | undefined;
}
