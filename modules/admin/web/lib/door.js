// door.js - what the pages before sign-in have in common.
import { api } from "./api.js";
import { BASE } from "./router.js";

/** Where to go after sign-in: a path of this site, else the start page. @param {string | undefined} next */
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
/** {needsSetup, title?, mail}; asked once. */
export const doorStatus = () => (asked ??= api.get("/setup/status", { quiet: true }));

/**
 * The token of a link: in the fragment, which browsers send to nobody. It is taken out of the address, so that no
 * history and no picture of the window has it.
 */
export function takeToken() {
	const token = location.hash.slice(1);

	if (token !== "")
		history.replaceState(history.state, "", location.pathname + location.search);
	return token;
}
