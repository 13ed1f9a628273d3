// open.js - the page that is open: its row, its module, what it is called.
import { computed, effect, signal } from "@preact/signals";
import { begin } from "../lib/api.js";
import { linkOf, match, partsOf, place } from "../lib/router.js";
import { word } from "../lib/words.js";
import { pages } from "../pages/table.js";

/** What the URL names: {row, params} or null. */
export const found = computed(() => match(pages, place.value.path));

/**
 * A page that is called by its data ("Near noise field") sets this; the shell forgets it when another page opens.
 * @type {import("@preact/signals").Signal<string>}
 */
export const ownTitle = signal("");

/**
 * What is above the page: [{label: "Articles", path: "/collections/posts"}]. As with ownTitle, the page sets it.
 * @type {import("@preact/signals").Signal<{label: string, path: string}[]>}
 */
export const crumbs = signal([]);

/**
 * A page with a bar of its own in the place of the shell's sets this to a component, and to null when it goes.
 * @type {import("@preact/signals").Signal<null | (() => any)>}
 */
export const ownBar = signal(null);

export const title = computed(() => {
	const at = found.value;

	return ownTitle.value || (at ? word("pages", at.row.name) : word("shell", "notFound"));
});

/**
 * The component of the page; null while it is fetched.
 * @type {import("@preact/signals").Signal<null | {row: any, Page: any} | {row: any, error: any}>}
 */
export const loaded = signal(null);

/** Fetches what the module of a page imports beside the module; index.html names the files. @param {string} name */
function fetchImports(name) {
	const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name="imports:${name}"]`));

	for (const file of meta?.content.split(" ") ?? []) {
		const link = document.createElement("link");

		link.rel = "modulepreload";
		link.href = new URL(file, import.meta.url).href;
		document.head.append(link);
	}
	meta?.remove();
}

/** The modules of pages, by their rows: such a page opens in the same frame. @type {Map<any, any>} */
const fetched = new Map();

/** @param {any} row */
async function fetchPage(row) {
	fetchImports(row.name);
	const page = await row.load();

	fetched.set(row, page);
	return page;
}

/** @param {any} row */
export async function loadPage(row) {
	if (fetched.has(row)) {
		loaded.value = { row, Page: fetched.get(row).default };
		return;
	}
	try {
		const { default: Page } = await fetchPage(row);

		if (found.peek()?.row === row)
			loaded.value = { row, Page };
	} catch (error) {
		if (found.peek()?.row === row)
			loaded.value = { row, error };
	}
}

/** What the page that the document opens with will ask. @param {any} row @param {Record<string, string>} params */
function beginRequests(row, params) {
	if (row.isDoor)
		return;
	begin("/admin/manifest");
	for (const path of row.asks?.(params) ?? [])
		begin(path);
}

/** @type {any} */
let shown = null;
effect(() => {
	const row = found.value?.row;

	if (row && shown === null)
		beginRequests(row, found.value.params);
	if (row !== shown) {
		shown = row;
		ownTitle.value = "";
		crumbs.value = [];
	}
	if (row && loaded.peek()?.row !== row)
		void loadPage(row);
});

/**
 * Somebody is about to open a page. Once the pointer or the focus is on a link, its module is fetched; with the
 * button pressed, the module asks what it will show: by the click the answer is on its way.
 * @param {Event} event
 */
async function foresee(event) {
	const link = linkOf(event), to = link && match(pages, partsOf(link).path);

	if (!to || to.row.isDoor)
		return;
	const isPressed = event.type === "pointerdown" && /** @type {PointerEvent} */ (event).button === 0;
	try {
		if (!fetched.has(to.row))
			await fetchPage(to.row);
		else if (isPressed)
			await fetched.get(to.row).begin?.(to.params, partsOf(link).query);
	} catch {
		// The page itself meets it again, and tells it.
	}
}

for (const type of ["pointerover", "focusin", "pointerdown"])
	document.addEventListener(type, foresee, { passive: true });
