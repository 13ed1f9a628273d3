// open.js - the open page: its row in the table, its module, its title.
import { computed, effect, signal } from "@preact/signals";
import { begin } from "../lib/api.js";
import { linkOf, match, partsOf, place } from "../lib/router.js";
import { word } from "../lib/words.js";
import { pages } from "../pages/table.js";

/** The page of the URL: {row, params}, or null. */
export const found = computed(() => match(pages, place.value.path));

/**
 * A page whose title comes from its data ("Near noise field") sets this. The shell resets it when another page opens.
 * @type {import("@preact/signals").Signal<string>}
 */
export const ownTitle = signal("");

/**
 * The breadcrumbs above the page: [{label: "Articles", path: "/collections/posts"}]. Set by the page, like ownTitle.
 * @type {import("@preact/signals").Signal<{label: string, path: string}[]>}
 */
export const crumbs = signal([]);

/**
 * A page with a bar of its own sets this to a component that replaces the shell's bar, and to null when it closes.
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

/** Preloads the imports of a page's module in parallel with it; index.html names the files. @param {string} name */
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

/** Loaded modules of pages, by row: such a page opens without waiting. @type {Map<any, any>} */
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

		if (found.peek()?.row === row) loaded.value = { row, Page };
	} catch (error) {
		if (found.peek()?.row === row) loaded.value = { row, error };
	}
}

/**
 * Starts the requests of the first page, before its module is loaded.
 * @param {any} row
 * @param {Record<string, string>} params
 */
function beginRequests(row, params) {
	if (row.isDoor) return;
	begin("/admin/manifest");
	for (const path of row.asks?.(params) ?? []) begin(path);
}

/** @type {any} */
let shown = null;
effect(() => {
	const row = found.value?.row;

	if (row && shown === null) beginRequests(row, found.value.params);
	if (row !== shown) {
		shown = row;
		ownTitle.value = "";
		crumbs.value = [];
	}
	if (row && loaded.peek()?.row !== row) void loadPage(row);
});

/**
 * Preloads the page that the person is about to open. When the pointer or the focus is on a link, loads the page's
 * module; when the button is pressed, the module also starts its requests, before the click is complete.
 * @param {Event} event
 */
async function foresee(event) {
	const link = linkOf(event),
		to = link && match(pages, partsOf(link).path);

	if (!to || to.row.isDoor) return;
	const isPressed = event.type === "pointerdown" && /** @type {PointerEvent} */ (event).button === 0;
	try {
		if (!fetched.has(to.row)) await fetchPage(to.row);
		else if (isPressed) await fetched.get(to.row).begin?.(to.params, partsOf(link).query);
	} catch {
		// Ignore the failure here: opening the page fails too, and shows it.
	}
}

for (const type of ["pointerover", "focusin", "pointerdown"])
	document.addEventListener(type, foresee, { passive: true });
