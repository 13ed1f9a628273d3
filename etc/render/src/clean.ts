// clean.ts - makes HTML harmless: elements and attributes of a list are written anew, all else is left out or escaped.
//
// Nothing of the input is copied as it stands: names come from the lists below, values and texts are escaped. So a
// mistake in reading can change what is shown, but not bring out an element or attribute that is not listed.
import { type Attributes, element, escape, own, safeHref, safeSrc } from "./address.js";

const words = (list: string): Set<string> => new Set(list.split(" "));

const inline = words(
	"a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr",
);
const blocks = words(
	"address article aside audio blockquote caption col colgroup dd details div dl dt figcaption figure footer h1 h2 h3 h4 " +
		"h5 h6 header hr li main nav ol p picture pre section source summary table tbody td tfoot th thead tr ul video",
);
const empty = words("br col hr img source wbr");
// Their content is left out, too.
const hidden = words("script style template noscript iframe svg math");
const everywhere = words("title lang dir");
const attributes: Record<string, string> = {
	a: "href",
	img: "src alt width height",
	source: "src type",
	video: "src poster width height loop",
	audio: "src loop",
	td: "colspan rowspan",
	th: "colspan rowspan scope",
	col: "span",
	colgroup: "span",
	ol: "start reversed type",
	li: "value",
	time: "datetime",
	details: "open",
};
const flags = words("reversed open loop");
const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const DEPTH = 100; // elements that may be open

/** Entities that are not known here stay text. */
const decode = (value: string): string =>
	value.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));?/gi, (all, ten, hex, name) => {
		if (name) return own(named, name.toLowerCase()) ?? all;
		const code = ten ? Number(ten) : parseInt(hex, 16);
		return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd";
	});

/** Text between tags: entities stay, all other signs are escaped. */
const plain = (text: string): string =>
	text.replaceAll("\0", "\ufffd").replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);)|[<>]/gi, escape);

export interface Rules {
	href(address: string): string;
	src(address: string): string;
	/** What is shown in place of a frame with this address. */
	frame(src: string, title: string): string;
	/** Only what may stand within a paragraph. */
	isInline?: boolean;
	/** Told of each element that is left out. */
	removed(name: string): void;
}

const attribute = /[\s/]*(?:([^\s"'<>/=]+|=)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*))?)?|["'<])/y;

export interface Cleaner {
	/** The harmless HTML of a piece. */
	feed(html: string): string;
	/** Ends the elements that are open. */
	end(): string;
}

/** Reads one text after the other: an element may begin in one and end in another. */
export function newCleaner(rules: Rules): Cleaner {
	const open: string[] = [];

	function close(length: number): string {
		let out = "";

		while (open.length > length) out += `</${open.pop()}>`;
		return out;
	}

	function write(name: string, given: Map<string, string>): string {
		const allowed = (own(attributes, name) ?? "").split(" ");
		const kept: Attributes = {};

		for (const [key, value] of given)
			if (everywhere.has(key) || allowed.includes(key))
				kept[key] =
					flags.has(key) ||
					(key === "href"
						? rules.href
						: key === "src" || key === "poster"
							? rules.src
							: String)(value);
		if (name === "img") kept.loading = "lazy";
		if (kept.href) kept.rel = "noopener";
		if (name === "video" || name === "audio") Object.assign(kept, { controls: true, preload: "none" });
		return !kept.src && (name === "img" || name === "source") ? "" : element(name, kept);
	}

	/** The attributes from a place on, and the place behind the tag. */
	function read(html: string, at: number): [Map<string, string>, number] {
		const found = new Map<string, string>();

		for (attribute.lastIndex = at; ; at = attribute.lastIndex) {
			const one = attribute.exec(html);

			if (!one) break;
			const name = (one[1] ?? "").toLowerCase();
			if (name && !found.has(name)) found.set(name, decode(one[2] ?? one[3] ?? one[4] ?? ""));
		}
		const end = html.indexOf(">", at);
		return [found, end < 0 ? html.length : end + 1];
	}

	/** The HTML of a tag whose name ends at a place, and the place from which to go on. */
	function tag(html: string, from: number, name: string, isEnd: boolean): [string, number] {
		const [given, at] = read(html, from);
		let out = "",
			to = at;

		if (isEnd) {
			const place = open.lastIndexOf(name);
			return [place < 0 ? "" : close(place), at];
		}
		if (hidden.has(name)) {
			const end = new RegExp(`</${name}(?=[\\s/>])[^>]*>?`, "gi");
			const src = safeSrc(given.get("src") || given.get("data-src"));

			end.lastIndex = at;
			to = end.exec(html) ? end.lastIndex : html.length;
			if (name === "iframe" && src) return [rules.frame(src, given.get("title") ?? ""), to];
		} else if (inline.has(name) || (!rules.isInline && blocks.has(name))) out = write(name, given);
		if (out === "") rules.removed(name);
		else if (!empty.has(name))
			if (open.length < DEPTH) open.push(name);
			else out = "";
		return [out, to];
	}

	function feed(html: string): string {
		let out = "",
			at = 0;

		while (at < html.length) {
			const next = html.indexOf("<", at);

			if (next < 0) return out + plain(html.slice(at));
			out += plain(html.slice(at, next));
			at = next + 1;
			const [all, slash, name] = /^(\/?)([a-z][^\s/>]*)/i.exec(html.slice(at, at + 40)) ?? [];
			if (all && name) {
				const [part, to] = tag(html, at + all.length, name.toLowerCase(), slash !== "");
				out += part;
				at = to;
			} else if (/^[!?/]/.test(html.slice(at, at + 1))) {
				const isComment = html.startsWith("!--", at);
				// "<!-->" is a whole comment.
				const end = html.indexOf(isComment ? "-->" : ">", isComment ? at + 1 : at);
				at = end < 0 ? html.length : end + (isComment ? 3 : 1);
			} else out += "&lt;";
		}
		return out;
	}

	return { feed, end: () => close(0) };
}

/** HTML of which only harmless elements and attributes are left; players in frames become links. */
export function sanitize(html: string, rules: Partial<Rules> = {}): string {
	const cleaner = newCleaner({
		href: safeHref,
		src: safeSrc,
		frame: (href, title) => element("a", { href, rel: "noopener" }, escape(title || href)),
		removed: () => {},
		...rules,
	});

	return cleaner.feed(html) + cleaner.end();
}
