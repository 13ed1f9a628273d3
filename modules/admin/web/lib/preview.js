// preview.js - chooses the address of an item's preview.

// Origins that the server adds to the policy of these pages (modules/admin/policy.c). Others cannot be framed.
const PLAIN = /^https?:\/\/([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(?=[/?#]|$)/;

/**
 * The preview's address: at the site's own address if the settings have one, else the server's URL. isInside: it may be
 * shown in a frame.
 * @param {string} url of the server @param {string} [site] the address @param {string} [here] the origin of these pages
 * @returns {{href: string, isInside: boolean}}
 */
export function previewAt(url, site = "", here = location.origin) {
	const given = new URL(url, here),
		there = PLAIN.test(site) && URL.canParse(site) ? new URL(new URL(site).origin) : given;

	there.pathname = given.pathname;
	there.search = given.search;
	return { href: there.href, isInside: there.origin === here || PLAIN.test(there.origin) };
}
