// head.ts - what the head of a page says to browsers and search engines.
import { type Entry, type List, phrasesOf, put, type Site } from "@stet/model";
import type { Metadata } from "next";
import { site } from "./site";

interface Head {
	title?: string | undefined;
	locale?: string;
	description?: string | undefined;
	path?: string | undefined;
	canonical?: string | undefined;
	image?: string | undefined;
	noIndex?: boolean | undefined;
	/** The page in each language, with this one. */
	languages?: Record<string, string>;
}
type Seo = Pick<Head, "title" | "description" | "canonical" | "noIndex">;

async function metadata(headOf: (the: Site) => Head): Promise<Metadata> {
	const the = await site();
	const { siteTitle: name, favicon } = the.settings;
	const { title, path, image, ...head } = headOf(the);
	const description = head.description || the.tagline(head.locale ?? the.locale) || name;
	const url = path === undefined ? null : the.absolute(encodeURI(path));

	return {
		title: title ? `${title} – ${name}` : name,
		description,
		icons: favicon?.url ? the.mediaUrl(favicon) : "/favicon.svg",
		robots: head.noIndex ? "noindex" : null,
		alternates: {
			canonical: head.canonical || url,
			languages: head.languages ?? {},
			types: { "application/atom+xml": [{ url: the.absolute("/feed.xml"), title: name }] },
		},
		openGraph: { title: title || name, description, ...(url && { url }), ...(image && { images: image }) },
	};
}

/** Of a page that is no content, such as the search. */
export const fixedHead = (title: "search" | "preview" | "notFound", locale?: string): Promise<Metadata> =>
	metadata((the) => ({ title: phrasesOf(locale ?? the.locale)[title], noIndex: true }));

export const entryHead = (entry: Entry): Promise<Metadata> =>
	metadata((the) => {
		const seo = (entry.item.seo ?? {}) as Seo;
		const all = entry.translations.length > 0 ? [entry, ...entry.translations] : [];

		return {
			title: seo.title || entry.title,
			description: seo.description || entry.summary,
			path: entry.path,
			locale: entry.item.locale,
			canonical: seo.canonical,
			noIndex: seo.noIndex,
			image: entry.cover ? the.mediaUrl(entry.cover) : undefined,
			languages: Object.fromEntries(
				all.map((one) => [one.item.locale, the.absolute(encodeURI(one.path))]),
			),
		};
	});

export const listHead = (list: List): Promise<Metadata> =>
	metadata((the) => {
		const some = list.entries.slice(0, 3).map((one) => one.title);
		const page = list.page === 1 ? "" : put(phrasesOf(list.locale).page, { n: list.page });

		return {
			title: [list.isFront ? "" : list.title, page].filter(Boolean).join(", "),
			description: list.isFront
				? the.tagline(list.locale)
				: list.description || [list.title, ...some].filter(Boolean).join(" · "),
			path: list.path,
			locale: list.locale,
			languages:
				list.isFront && the.languages.length > 1
					? Object.fromEntries(
							the.languages.map((one) => [
								one.locale,
								the.absolute(one.path),
							]),
						)
					: {},
		};
	});
