// picture.ts - pictures: sizes, copies, the point that stays in view, and a colour until they are there.
import { element, safeSrc, text } from "./address.js";
import type { Block, Context, MediaItem } from "./types.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

/** The mean colour of a blurhash, which its characters 3 to 6 hold; "": it is none. */
export function colorOf(blurhash: unknown): string {
	const digits = [...text(blurhash).slice(2, 6)].map((sign) => DIGITS.indexOf(sign));
	const value = digits.reduce((sum, digit) => sum * 83 + digit, 0);

	return digits.length === 4 && !digits.includes(-1) && value < 1 << 24
		? `#${value.toString(16).padStart(6, "0")}`
		: "";
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0;
const share = (value: unknown): string => `${Math.round(Number(value) * 1000) / 10}%`;

/** What is known of a picture: from the block, its asset, and the library. */
export function mediaOf(context: Context, image: Block): MediaItem & { url: string } {
	const asset = typeof image.asset === "object" && image.asset ? image.asset : image;
	const id = text(asset._ref) || text(asset.id);
	const known = (id && context.options.media?.(id)) || {};
	// An importer that has no file of a picture refers to its address.
	const addresses = [(known as MediaItem).url, asset.url, asset.src, image.url, asset.previewUrl, id];

	return { ...asset, ...known, url: addresses.map((one) => context.src(one)).find((one) => one !== "") ?? "" };
}

const copies = (context: Context, srcset: unknown): string =>
	text(srcset)
		.split(/,\s+/)
		.map((one) => one.trim().split(/\s+/))
		.map(([address, size]) => ({ url: context.src(address), size: size ?? "" }))
		.filter((one) => one.url !== "" && /^\d+w$/.test(one.size))
		.map((one) => `${one.url.replaceAll(" ", "%20")} ${one.size}`)
		.join(", ");

/** An <img>; "" if the picture has no address that a page may have. */
export function pictureHtml(context: Context, image: Block): string {
	const media = mediaOf(context, image),
		srcset = copies(context, media.srcset),
		style: string[] = [];
	const hasFocus = typeof media.focalX === "number" && typeof media.focalY === "number";
	// Behind pictures with transparent parts the colour would stay.
	const isOpaque = /jpe?g|webp|avif/i.test(text(media.mimeType) || media.url);
	const color = text(media.dominantColor) || colorOf(media.blurhash);

	const isSized = isCount(media.width) && isCount(media.height);

	if (media.url === "") return "";
	if (hasFocus) style.push(`object-position:${share(media.focalX)} ${share(media.focalY)}`);
	if (isOpaque && /^#[\da-f]{6}$/i.test(color)) style.push(`background-color:${color}`);
	return element("img", {
		src: media.url,
		srcset,
		sizes: srcset && (context.options.sizes ?? "(min-width: 48rem) 44rem, 100vw"),
		alt: text(image.alt ?? media.alt),
		title: text(image.title),
		width: isSized && media.width,
		height: isSized && media.height,
		style: style.join(";"),
		loading: "lazy",
		decoding: "async",
	});
}

/** The address of a file, of a block or its asset. */
export const fileOf = (context: Context, block: Block): string => mediaOf(context, block).url;

/** Is this a file of the site itself, which no stranger learns of? */
export const isOwn = (context: Context, address: unknown): boolean => {
	const given = safeSrc(address),
		base = context.src("/");

	return /^\/(?![/\\])/.test(given) || (base.length > 1 && given.startsWith(base));
};
