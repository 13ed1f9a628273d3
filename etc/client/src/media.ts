// media.ts - addresses of files and of their smaller copies.

/** A media item, a value of an image or file field, a block that shows one, or an address or storage key. */
export type MediaLike =
	| string
	| { url?: string | null; src?: string | null; storageKey?: string | null; srcset?: string | null };

export interface SizeOptions {
	/** Pixels that it is shown at: the smallest copy in `srcset` that is as wide, or else the file. */
	width?: number | undefined;
	/** A copy by the name of its preset. */
	preset?: string | undefined;
}

interface Candidate {
	url: string;
	width: number;
}

/** An absolute http or https URL; "" for anything else. */
function absolute(base: string, address: string): string {
	try {
		const url = new URL(address, base);
		return /^https?:$/.test(url.protocol) ? url.href : "";
	} catch {
		return "";
	}
}

export function newMedia(api: string) {
	// A path that begins with /_cms/ is relative to the URL of the site, which may have a path itself.
	const root = api.slice(0, -"/_cms/api".length);
	const resolve = (address: string): string =>
		absolute(`${root}/`, address.startsWith("/_cms/") ? root + address : address);

	function candidates(media: MediaLike): Candidate[] {
		const text = typeof media === "string" ? "" : (media.srcset ?? "");

		return text
			.split(/,\s+/)
			.map((one) => /^(\S+) (\d+)w$/.exec(one.trim()))
			.filter((found) => found !== null)
			.map((found) => ({ url: resolve(found[1] as string), width: Number(found[2]) }))
			.filter((one) => one.url !== "");
	}

	function fileUrl(media: MediaLike): string {
		const given = typeof media === "string" ? media : (media.url ?? media.src ?? media.storageKey ?? "");

		return given === ""
			? ""
			: resolve(/[/:]/.test(given) ? given : `/_cms/api/media/file/${encodeURIComponent(given)}`);
	}

	/** The absolute URL of a file, or of a smaller copy of an image; "" if there is none that a page may use. */
	function mediaUrl(media: MediaLike, { width, preset }: SizeOptions = {}): string {
		const file = fileUrl(media);

		if (preset !== undefined && file !== "") {
			const url = new URL(file);
			url.searchParams.set("preset", preset);
			return url.href;
		}
		const wide = width === undefined ? [] : candidates(media).filter((one) => one.width >= width);
		return wide.reduce((best, one) => (one.width < best.width ? one : best), { url: file, width: Infinity })
			.url;
	}

	/** The `srcset` of an image with absolute URLs; "" if it has no copies. */
	const srcset = (media: MediaLike): string =>
		candidates(media)
			.map((one) => `${one.url} ${one.width}w`)
			.join(", ");

	return { mediaUrl, srcset, resolve };
}
