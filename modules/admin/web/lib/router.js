// router.js - which page is open: the URL below /_cms/admin, as a signal.
//
// Links are plain <a href>. A click on one that leads to a page here changes the URL without loading the document.
// The state of a page (filters, sort order, tab) is in the query, so that it can be sent to somebody and survives Back.
import { signal } from "@preact/signals";

export const BASE = "/_cms/admin";

/**
 * @typedef {object} Place
 * @property {string} path below BASE: "/", "/collections/posts"
 * @property {Record<string, string>} query the last value of each name
 * @property {string} hash without "#"
 * @property {number} visit counts up with each change
 * @property {boolean} [isRenamed] the open page stays and only its address changes
 */

let visits = 0;

/** The open page's position in the history; and whether the history is already elsewhere, while guards are asked. */
let at = 0,
	isElsewhere = false;

/** The path below BASE and the query of an address. @param {{pathname: string, search: string}} address */
export function partsOf({ pathname, search }) {
	return {
		path: pathname.slice(BASE.length).replace(/\/+$/, "") || "/",
		query: Object.fromEntries(new URLSearchParams(search)),
	};
}

/** @returns {Place} */
const read = () => ({ ...partsOf(location), hash: location.hash.slice(1), visit: ++visits });

export const place = signal(read());

/**
 * Guards of open pages with unsaved input. A guard returns false to stay on the page.
 * @type {Set<(to: string) => boolean | Promise<boolean>>}
 */
const guards = new Set();
/** @param {(to: string) => boolean | Promise<boolean>} guard @returns {() => void} removes the guard */
export function beforeLeaving(guard) {
	guards.add(guard);
	return () => guards.delete(guard);
}

/** @param {string} to */
async function mayLeave(to) {
	for (const guard of guards) if (!(await guard(to))) return false;
	return true;
}

/** A page's address. @param {string} path @param {Record<string, any>} [query] */
export function href(path, query) {
	const all = new URLSearchParams(
		Object.entries(query ?? {}).filter(([, v]) => v !== undefined && v !== null && v !== ""),
	);
	const text = all.toString();

	return BASE + (path === "/" ? "" : path) + (text === "" ? "" : `?${text}`);
}

/**
 * Opens a page: "/collections/posts".
 * @param {string} path
 * @param {{query?: Record<string, any>, replace?: boolean}} [how] replace: replaces the open page's history entry
 */
export async function go(path, how = {}) {
	const to = path.startsWith(BASE) ? path : href(path, how.query);
	const isSame = new URL(to, location.href).pathname === location.pathname;

	if (!isSame && !(await mayLeave(to))) return;
	if (how.replace) history.replaceState({ position: at }, "", to);
	else history.pushState({ position: ++at }, "", to);
	place.value = read();
}

/** Changes the address of the open page; the page and its focus stay as they are. @param {string} path */
export function rename(path) {
	if (isElsewhere) place.value = { ...place.value, path, query: {}, hash: "", visit: ++visits, isRenamed: true };
	else {
		history.replaceState(history.state, "", href(path));
		place.value = { ...read(), isRenamed: true };
	}
}

/** Changes the query of the open page; undefined removes a name. @param {Record<string, any>} changes */
export function setQuery(changes, replace = false) {
	return go(place.value.path, { query: { ...place.value.query, ...changes }, replace });
}

/**
 * The link to an admin page in which the event happened, or null.
 * @param {Event} event
 * @returns {HTMLAnchorElement | null}
 */
export function linkOf(event) {
	const link = /** @type {HTMLAnchorElement | null} */ (
		/** @type {Element} */ (event.target).closest?.("a[href]")
	);

	if (!link || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin)
		return null;
	return link.pathname === BASE || link.pathname.startsWith(`${BASE}/`) ? link : null;
}

/** @param {MouseEvent} event */
function follow(event) {
	const link = linkOf(event);

	if (
		!link ||
		event.defaultPrevented ||
		event.button !== 0 ||
		event.metaKey ||
		event.ctrlKey ||
		event.shiftKey ||
		event.altKey
	)
		return;
	// A link within this page
	if (link.pathname === location.pathname && link.hash !== "" && link.search === location.search) return;
	event.preventDefault();
	void go(link.pathname + link.search + link.hash);
}

export function startRouter() {
	document.addEventListener("click", follow);
	let turns = 0,
		isReturning = false;

	if (history.state?.position === undefined) history.replaceState({ position: 0 }, "", location.href);
	at = history.state.position;
	addEventListener("popstate", async () => {
		const turn = ++turns;

		if (isReturning) {
			isReturning = isElsewhere = false;
			// The item was stored meanwhile, which changed its address.
			if (location.pathname !== href(place.value.path))
				history.replaceState(history.state, "", href(place.value.path));
			return;
		}
		// A link to another fragment has added an entry; a link to the current fragment has replaced the entry.
		if (history.state === null)
			history.replaceState(
				{ position: location.hash.slice(1) === place.value.hash ? at : at + 1 },
				"",
				location.href,
			);
		isElsewhere = location.pathname !== href(place.value.path);
		const mayGo = !isElsewhere || (await mayLeave(location.pathname + location.search + location.hash));

		if (turn !== turns) return; // a later navigation has replaced this one
		if (!mayGo) {
			isReturning = true;
			// Go back to the open page; its forward entries are kept
			history.go(at - history.state.position);
			return;
		}
		isElsewhere = false;
		at = history.state.position;
		place.value = read();
	});
}

/**
 * Finds the row whose path matches; "/collections/:collection" gives {collection}. If several match, the one with the
 * fewest parameters wins.
 * @template {{path: string}} Row
 * @param {Row[]} table
 * @param {string} path
 * @returns {{row: Row, params: Record<string, string>} | null}
 */
export function match(table, path) {
	const parts = path.split("/");
	let best = null,
		least = Infinity;

	for (const row of table) {
		const names = row.path.split("/");
		/** @type {Record<string, string>} */
		const params = {};
		let fits = names.length === parts.length,
			count = 0;

		for (let i = 0; fits && i < names.length; i++)
			if (names[i].startsWith(":")) {
				fits = parts[i] !== "";
				count++;
				try {
					params[names[i].slice(1)] = decodeURIComponent(parts[i]);
				} catch {
					fits = false;
				}
			} else fits = names[i] === parts[i];
		if (fits && count < least) {
			best = { row, params };
			least = count;
		}
	}
	return best;
}
