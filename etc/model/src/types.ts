// types.ts - what createSite() is given, and what a site consists of.
import type { Client, AnyCollections, LooseItem, Media, Term } from "@stet/client";
import type { Options as RenderOptions } from "@stet/render";
import type { BlockType } from "@stet/render/own";

/** What a site builder decides of a collection. Without these, fields are found by their type and name. */
export interface CollectionConfig {
	/** Where items are: "/notes/{slug}"; the urlPattern of the collection, unless this is given. null: no pages. */
	path?: string | null;
	title?: string;
	body?: string;
	cover?: string;
	summary?: string;
	/** Fields that are not shown. */
	hide?: string[];
}

/** What a site builder decides. All of this may be left out. */
export interface Config {
	/** The name of the site, if the token may not read the settings. */
	name?: string | undefined;
	/** The menus at the top and at the bottom, by name. */
	menu?: string | undefined;
	footer?: string | undefined;
	/** The collection whose newest items are the front page. */
	home?: string | undefined;
	/** Hosts where the site was before an import: links to them lead to its pages here. */
	hosts?: string[];
	/** Items on a page of a list: 12. */
	perPage?: number;
	collections?: Record<string, CollectionConfig>;
}

/** Told of what is not shown as it was meant. `where`: the item or page. */
export type Tell = (what: string, where: string) => void;

export interface SiteOptions {
	/** Where stetd serves the content, and a token that may read it; or a client that has both. */
	url?: string | undefined;
	token?: string | undefined;
	client?: Client<AnyCollections> | undefined;
	/** Where browsers find stetd, if that is another address: pictures and comments are there. */
	publicUrl?: string | undefined;
	/** Where the pages will be: for feeds and other absolute addresses. */
	siteUrl?: string | undefined;
	config?: Config | undefined;
	/** Options of @stet/render for all texts: own blocks, inlines and marks, sizes of pictures, words. */
	render?: RenderOptions | undefined;
	/** Is told each time; Site.told has all of it, too. */
	tell?: Tell | undefined;
}

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
	urlPatterns?: Record<string, string>;
	routable?: boolean;
	hidden?: boolean;
	commentsEnabled?: boolean;
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

/** An item of the site, with all that its page shows. */
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
	/** It has a date that readers want to know, and items before and after it: it is no page. */
	isDated: boolean;
	terms: { label: string; path: string }[];
	bylines: string[];
	media: MediaRows;
	newer?: Entry | undefined;
	older?: Entry | undefined;
	translations: Entry[];
}
/** A page of a list. */
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
	/** Where the list goes on, on the front page; "": nowhere. */
	more: string;
}
/** A page of an item, of a list, or of the search in a language other than the first, whose search is at /search/. */
export type Route = { path: string } & (
	| { entry: Entry; list?: never; search?: never }
	| { list: List; entry?: never; search?: never }
	| { search: Language; entry?: never; list?: never }
);

export interface Link {
	label: string;
	/** "": it leads nowhere, and has others inside. */
	href: string;
	inside: Link[];
}
export interface Language {
	locale: string;
	/** The name of the language in itself: Deutsch. */
	name: string;
	/** Its front page. */
	path: string;
	/** Its search. */
	search: string;
}
/** A term, and the list of its items. */
export interface TermPage {
	term: Term;
	path: string;
}
/** An address that the site had before an import, and the path of its page here. */
export interface Redirect {
	from: string;
	to: string;
}

export interface Comment {
	id: string;
	parentId: string | null;
	authorName: string;
	isRegisteredUser: boolean;
	/** Plain text: whoever shows it must escape it. */
	body: string;
	createdAt: string;
	/** Threads have one level. */
	replies: Comment[];
}
export interface Comments {
	/** Takes new ones. */
	open: boolean;
	count: number;
	threads: Comment[];
	/** Where a browser sends a new one: see sendComment() of @stet/model/browser. */
	action: string;
}

export interface HtmlOptions extends RenderOptions {
	/** Links within the site have their host: for feeds and mail. */
	absolute?: boolean;
}

export interface Site {
	client: Client<AnyCollections>;
	settings: Settings & { siteTitle: string };
	collections: Collection[];
	/** The types of blocks that the site defines. Texts show such blocks as lists of their fields. */
	blockTypes: BlockType[];
	taxonomies: Taxonomy[];
	/** Every page that has an item or a list, by its path. */
	routes: Map<string, Route>;
	/** Items by their id. */
	entries: Map<string, Entry>;
	/** The first page of each list. */
	lists: List[];
	terms: TermPage[];
	menus: Menu[];
	/** The newest items of the front page. */
	home: { title: string; entries: Entry[] };
	/** The site's first language. */
	locale: string;
	languages: Language[];
	/** Old addresses of items: of imports, and with earlier slugs. */
	redirects: Redirect[];
	/** Where search finds items of a collection, or of "collection locale": for search() of @stet/model/browser. */
	patterns: Record<string, string | null>;
	/** What was not shown as it was meant, and where. It grows while pages are made. */
	told: Map<string, Set<string>>;

	/** The site's own words about itself; "": it has none, or not in this language, since settings have one. */
	tagline(locale: string): string;
	/** The links of the menu at the top or at the bottom. */
	menu(kind: "menu" | "footer", locale?: string): Link[];
	/** Where a link of a text leads; "": nowhere. */
	find(href: string, where: string): string;
	/** The absolute address of a path of the site. */
	absolute(path: string): string;
	/** The absolute address of a file of the library; "": it has none. */
	mediaUrl(media: Parameters<Client<AnyCollections>["mediaUrl"]>[0]): string;

	/** What @stet/render makes HTML of an entry with. */
	optionsOf(entry: Entry, more?: HtmlOptions): RenderOptions;
	/** HTML of a text. `prefix` begins the ids of its footnotes. */
	textHtml(entry: Entry, blocks: unknown, prefix?: string): string;
	/** HTML of all texts, those after the first one below their labels. */
	textsHtml(entry: Entry): string;
	/** The picture of an entry; "": it has none. `isFirst`: it is what readers see first. */
	coverHtml(entry: Entry, sizes: string, isFirst?: boolean): string;
	/** HTML of the value of a field that has no place of its own. */
	valueHtml(entry: Entry, field: Field, value: unknown): string;
	/** The newest items as Atom. */
	feed(count?: number): string;

	/** Items that are like this one. */
	related(entry: Entry, count: number): Promise<Entry[]>;
	/** The approved comments; null: the collection has none. */
	comments(entry: Entry): Promise<Comments | null>;
}
