// index.ts - what the package exports.
import { isObject } from "./spans.js";
import { Renderer } from "./renderer.js";
import type { Options } from "./types.js";

export { escape, safeHref, safeSrc } from "./address.js";
export { sanitize } from "./clean.js";
export { colorOf } from "./picture.js";
export { summaryOf, textOf } from "./plain.js";
export type { Block, Context, MediaItem, Options, Why, Words } from "./types.js";

/** The HTML of Portable Text. Nothing in it makes this throw. */
export function toHtml(blocks: unknown, options: Options = {}): string {
	const renderer = new Renderer(options, blocks);

	return renderer.html(blocks) + renderer.footnotes();
}

/** An <img> of a picture: the value of an image field, or a block. "": it has no address. */
export const imageHtml = (image: unknown, options: Options = {}): string =>
	isObject(image) ? new Renderer(options, null).image(image) : "";
