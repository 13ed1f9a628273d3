// address.js - where readers find an item: its page on the site, or its JSON over the API.
import { segment } from "./api.js";
import { manifest } from "./site.js";

/**
 * The path of an item's page by the urlPattern of its collection; null if it has no page.
 * @param {string | null | undefined} pattern "/posts/{slug}"
 * @param {Record<string, any>} parts collection, id, slug, locale
 */
export function pathOf(pattern, parts) {
	const path = pattern?.replace(/\{(\w+)\}/g, (whole, name) => (parts[name] ? segment(parts[name]) : whole));

	return path?.startsWith("/") && !/[{}]/.test(path) ? path : null;
}

/**
 * The address of a published item. isPage: it is a page of the site. Otherwise the settings have no address of the site,
 * or the collection has no pattern, and it is the item over the API.
 * @param {{slug: string, urlPattern?: string}} collection @param {any} meta the item
 * @param {string} [site] @param {string} [here]
 */
export function liveAt(collection, meta, site = manifest.value?.siteUrl, here = location.origin) {
	const path = pathOf(collection.urlPattern, { ...meta, collection: collection.slug });

	if (path !== null && /^https?:/i.test(site ?? "") && URL.canParse(site))
		return { href: new URL(site).origin + path, isPage: true };
	return { href: `${here}/_cms/api/content/${segment(collection.slug)}/${segment(meta.id)}`, isPage: false };
}
