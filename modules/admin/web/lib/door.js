// door.js - functions that the pages before sign-in share.
import { api } from "./api.js";
import { BASE } from "./router.js";

/** Where to go after sign-in: `next` if a path of this site, else the start page. @param {string | undefined} next */
export function safeNext(next) {
	try {
		const url = new URL(next || BASE, location.origin);
		return url.origin === location.origin ? url.pathname + url.search + url.hash : BASE;
	} catch {
		return BASE;
	}
}

/** @type {Promise<any> | null} */
let asked = null;
/** {needsSetup, title?, mail, signIn}; requested once. */
export const doorStatus = () => (asked ??= api.get("/setup/status", { quiet: true }));

/**
 * Returns the token of a link. It is in the fragment, which browsers do not send. Removes it from the address, so that
 * it appears neither in the history nor in a screenshot.
 */
export function takeToken() {
	const token = location.hash.slice(1);

	if (token !== "") history.replaceState(history.state, "", location.pathname + location.search);
	return token;
}
