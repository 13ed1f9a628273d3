// address.js - where readers find an item: its page on the site, or its JSON over the API.
import { segment } from "./api.js";
import { manifest } from "./site.js";

/**
 * The path of an item's page by the pattern of its collection for its locale; null if it has no page.
 * @param {{slug: string, urlPattern?: string | null, urlPatterns?: Record<string, string>}} collection
 * @param {Record<string, any>} meta id, slug, locale, publishedAt of the item
 */
export function pathOf({ slug: collection, urlPattern, urlPatterns }, meta) {
	const [year, month, day] = meta.publishedAt?.slice(0, 10).split("-") ?? [];
	const parts = { ...meta, collection, year, month, day };
	const path = (urlPatterns?.[meta.locale] ?? urlPattern)?.replace(/\{(\w+)\}/g, (whole, name) =>
		parts[name] ? segment(parts[name]) : whole,
	);

	return path?.startsWith("/") && !/[{}]/.test(path) ? path : null;
}

/**
 * The address of a published item. isPage: it is a page of the site. Otherwise the settings have no address of the site,
 * or the collection has no pattern, and it is the item over the API.
 * @param {{slug: string, urlPattern?: string | null, urlPatterns?: Record<string, string>}} collection @param {any} meta the item
 * @param {string} [site] @param {string} [here]
 */
export function liveAt(collection, meta, site = manifest.value?.siteUrl, here = location.origin) {
	const path = pathOf(collection, meta);

	if (path !== null && /^https?:/i.test(site ?? "") && URL.canParse(site))
		return { href: new URL(site).origin + path, isPage: true };
	return { href: `${here}/_cms/api/content/${segment(collection.slug)}/${segment(meta.id)}`, isPage: false };
}
