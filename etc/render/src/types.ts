// types.ts - what is given to the renderer, and what hooks get.

/** An object of Portable Text: a block, or a part of one. What is in it depends on _type. */
export interface Block {
	_type: string;
	_key?: string;
	[member: string]: any;
}

/** What is known of a picture or file, as `included.media` of the API has it. */
export interface MediaItem {
	url?: string | null;
	srcset?: string | null;
	width?: number | null;
	height?: number | null;
	alt?: string | null;
	mimeType?: string | null;
	blurhash?: string | null;
	dominantColor?: string | null;
	/** The point that stays in view, as shares of width and height. */
	focalX?: number | null;
	focalY?: number | null;
}

/**
 * What could not be shown as it was meant: a block, an inline object, a mark or a style without a known type; an
 * address that no page may have, or that is missing; a reference to a footnote that does not exist; elements that were
 * taken out of an HTML block; an object below too many others.
 */
export type Why = "block" | "inline" | "mark" | "style" | "address" | "footnote" | "html" | "depth";

export interface Words {
	footnotes: string;
	/** Names the link from a footnote to the text. */
	back: string;
	download: string;
	/** The text of a player without a title; `name` is YouTube, example.org … */
	play: (name: string) => string;
}

export interface Options {
	/** Makes addresses of files absolute: mediaUrl of @stet/client. */
	url?: ((address: string) => string) | undefined;
	/** What the library has for the id of a file: (id) => page.included.media[id]. */
	media?: ((id: string) => MediaItem | null | undefined) | undefined;
	/** Changes the addresses of links. */
	link?: ((href: string) => string) | undefined;
	/** Renders blocks of these types, also known ones; undefined: as without the hook. */
	blocks?: Record<string, (block: Block, context: Context) => string | undefined> | undefined;
	/** Renders objects within texts. */
	inlines?: Record<string, (object: Block, context: Context) => string | undefined> | undefined;
	/** Puts marks around HTML, by their name or, for annotations, by their _type. */
	marks?: Record<string, (html: string, definition: Block | undefined, context: Context) => string> | undefined;
	/** In place of the own sanitizer: makes the HTML of HTML blocks harmless. */
	sanitize?: ((html: string, block: Block) => string) | undefined;
	/** Told of everything that cannot be shown as it was meant, with the key of the block. */
	onUnknown?: ((type: string, key: string | undefined, why: Why) => void) | undefined;
	/** The highest heading that the text may have, 1 to 6: those above become this one. */
	top?: number | undefined;
	/** `sizes` of pictures that have several copies. */
	sizes?: string | undefined;
	/** Begins the ids of footnotes; texts on one page need different ones. */
	prefix?: string | undefined;
	/** Gives the element of each block its _key as data-key. */
	keys?: boolean | undefined;
	words?: Partial<Words> | undefined;
}

/** For hooks. All functions return escaped HTML, except `href` and `src`. */
export interface Context {
	readonly options: Options;
	/** Blocks inside a block. */
	html(blocks: unknown): string;
	/** The children of a text and the definitions of its marks. */
	spans(children: unknown, markDefs?: unknown): string;
	/** An <img>; "": it has no address. */
	image(image: Block): string;
	/** The caption of a block as <figcaption>, or "". */
	caption(block: Block): string;
	/** class, and data-key if that is wanted, with a blank before each. */
	attributes(block: Block, className?: string): string;
	escape(text: unknown): string;
	/** An address that a link may have, or "". */
	href(address: unknown): string;
	/** The absolute address of a file, or "". */
	src(address: unknown): string;
	/** Reports through onUnknown. */
	unknown(type: string, key: string | undefined, why: Why): void;
}
