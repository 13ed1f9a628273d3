// render.ts - HTML of texts and pictures. Own blocks and marks are added here: etc/render/README.md of stet tells how.
import { imageHtml, type Options, toHtml } from "@stet/render";
import { cms } from "./cms.js";
import type { Entry, Site } from "./model.js";
import { tell } from "./told.js";

const why: Record<string, string> = {
	block: "block of a type that is not known",
	inline: "object in a text of a type that is not known",
	mark: "mark that is not known",
	style: "style that is not known",
	address: "no address, or one that a page may not have",
	footnote: "reference to a footnote that does not exist",
	html: "element taken out of HTML",
	depth: "too many blocks in each other",
};

/** What makes HTML of an entry. `base`: links of the site are absolute, for feeds. */
export function optionsOf(site: Site, entry: Entry, base?: URL): Options {
	const where = `${entry.collection.slug}/${entry.item.slug}`;
	let isTold = false; // find() has told of the link

	return {
		url: (address) => cms.mediaUrl(address),
		media: (id) => entry.media[id],
		link: (href) => {
			const to = site.find(href, where);
			isTold = to === "";
			return to && base && to.startsWith("/") ? new URL(to, base).href : to;
		},
		top: 2, // the title of the page is its h1
		sizes: "(min-width: 46rem) 42rem, 92vw",
		keys: import.meta.env.STET_KEYS === "yes", // for tests: data-key
		onUnknown: (type, key, reason) => {
			if (!isTold || reason !== "address")
				tell(`${why[reason] ?? reason}: ${type}`, `${where} (${key ?? "no key"})`);
			isTold = false;
		},
		blocks: {},
		inlines: {},
		marks: {},
	};
}

export const textHtml = (site: Site, entry: Entry, blocks: unknown, prefix = "fn"): string =>
	toHtml(blocks, { ...optionsOf(site, entry), prefix });

/** The picture of an entry; "": it has none. */
export const coverHtml = (site: Site, entry: Entry, sizes: string): string =>
	entry.cover === null ? "" : imageHtml(entry.cover, { ...optionsOf(site, entry), sizes });
