// site.js - who is signed in and what they may do: GET /admin/manifest, as a signal.
//
//	manifest.value           null until it has come, or nobody is signed in
//	may("comments:moderate") does the person's role have this permission?
//	has("comments")          is this module enabled?
//	collection("posts")      a collection of the manifest with my rights
//
// Pages check nothing with it but what they show: the API decides.
import { signal } from "@preact/signals";
import { api } from "./api.js";

/**
 * @typedef {object} Rights
 * @property {"none" | "published" | "all"} read
 * @property {boolean} create
 * @property {"none" | "own" | "any"} edit
 * @property {"none" | "own" | "any"} publish
 * @property {"none" | "own" | "any"} delete
 * @property {boolean} deletePermanently
 *
 * @typedef {object} Collection
 * @property {string} slug
 * @property {string} label
 * @property {string} [labelSingular]
 * @property {string} [icon]
 * @property {boolean} [hidden]
 * @property {string[]} supports
 * @property {Rights} rights
 *
 * @typedef {{plugin: string, name: string, title: string, file: string, requests?: string[]}} PluginPage
 * @typedef {{plugin: string, name: string, label: string, file: string, types: string[], requests?: string[]}} FieldWidget
 *
 * @typedef {object} Manifest
 * @property {string} version
 * @property {string} [siteTitle]
 * @property {string} [siteUrl]
 * @property {{id: string, name: string | null, role: number}} user
 * @property {string[]} permissions
 * @property {string[]} locales
 * @property {string} defaultLocale
 * @property {string[]} modules
 * @property {PluginPage[]} [pages]
 * @property {FieldWidget[]} [fieldWidgets]
 * @property {Collection[]} collections
 */

export const ROLES = { subscriber: 10, contributor: 20, author: 30, editor: 40, admin: 50 };

/** @type {import("@preact/signals").Signal<Manifest | null>} */
export const manifest = signal(null);

/** @param {string} permission */
export const may = (permission) => manifest.value?.permissions.includes(permission) ?? false;
/** @param {string} module */
export const has = (module) => manifest.value?.modules.includes(module) ?? false;
/** @param {string} slug */
export const collection = (slug) => manifest.value?.collections.find((one) => one.slug === slug) ?? null;

/** Reads the manifest, all pages of it. Fails with UNAUTHORIZED if nobody is signed in. */
export async function loadManifest() {
	const first = await api.get("/admin/manifest", { quiet: true });
	let { nextCursor } = first;

	manifest.value = first;
	while (nextCursor) {
		const more = await api.get("/admin/manifest", { query: { cursor: nextCursor }, quiet: true });
		nextCursor = more.nextCursor;
		manifest.value = { ...manifest.value, collections: [...manifest.value.collections, ...more.collections] };
	}
	return manifest.value;
}

/**
 * Of rows that have a name and a locale, one for each name: that of the site's first locale that has one, with all of them
 * in `all`.
 * @param {any[]} rows @returns {any[]}
 */
export function byName(rows) {
	const rank = (row) => (manifest.value.locales.indexOf(row.locale) + manifest.value.locales.length + 1) % (manifest.value.locales.length + 1);
	const names = [...new Set(rows.map((row) => row.name))];

	return names.map((name) => {
		const all = rows.filter((row) => row.name === name).sort((a, b) => rank(a) - rank(b));

		return { ...all[0], all };
	});
}

/** Whether a right to one's own items, or to any, is one to an item of this author. @param {"none" | "own" | "any"} right @param {string | null | undefined} authorId */
export const reaches = (right, authorId) => right === "any" || (right === "own" && authorId === manifest.value.user.id);
