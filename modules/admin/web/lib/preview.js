// preview.js - where the preview of an item is shown.

// The origins that the server takes into the policy of these pages (modules/admin/policy.c); others stay outside.
const PLAIN = /^https?:\/\/([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(?=[/?#]|$)/;

/**
 * At the address of the site, if its settings have one, else where the server says. isInside: it may be shown in a frame.
 * @param {string} url of the server @param {string} [site] the address @param {string} [here] the origin of these pages
 * @returns {{href: string, isInside: boolean}}
 */
export function previewAt(url, site = "", here = location.origin) {
	const given = new URL(url, here), there = PLAIN.test(site) && URL.canParse(site) ? new URL(new URL(site).origin) : given;

	there.pathname = given.pathname;
	there.search = given.search;
	return { href: there.href, isInside: there.origin === here || PLAIN.test(there.origin) };
}
