// safe.js - which addresses of a text may be followed or shown.

/** True if `href` may be a link: http, https, mailto and tel addresses, paths of the site, and fragments. */
export function isSafeHref(href) {
	if (typeof href !== "string" || /[\u0000-\u001f\u007f]/.test(href)) return false;
	return /^(https?:\/\/|mailto:|tel:|#)/i.test(href) || (/^\//.test(href) && !/^[\\/]{2}/.test(href));
}

/** True if a picture may be shown from `src`: an address of this site or of http or https. */
export function isSafeSrc(src) {
	return isSafeHref(src) && /^(https?:|\/)/i.test(src);
}

/** The picture's address in a block, an asset or an image field; null if there is none or it is unsafe. */
export function pictureOf(json) {
	const src = json?.asset?.url ?? json?.url ?? json?.asset?._ref;

	return isSafeSrc(src) ? src : null;
}

export const hostOf = (src) => new URL(src, location.href).host;

/** True if a picture is on another host and not in the library: these pages may not show it. */
export function isForeign(json) {
	const src = pictureOf(json);

	return (
		src !== null &&
		/^https?:/i.test(src) &&
		hostOf(src) !== location.host &&
		!/^[0-9A-Z]{26}$/.test(json.asset?._ref ?? "")
	);
}
