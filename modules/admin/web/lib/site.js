// site.js - who is signed in and what they may do: GET /admin/manifest, as a signal.
//
//	manifest.value           null until it has come, or nobody is signed in
//	may("comments:moderate") does the person's role have this permission?
//	has("comments")          is this module enabled?
//	collection("posts")      a collection of the manifest with my rights
//
// Pages use it only to choose what they show. The API checks all rights itself.
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
 * @typedef {{plugin: string, name: string, label: string, file: string, types: string[], block?: string,
 *   requests?: string[]}} FieldWidget
 *
 * @typedef {object} Manifest
 * @property {string} version
 * @property {string} [siteTitle]
 * @property {string} [siteUrl]
 * @property {string} [siteTimezone]
 * @property {{id: string, name: string | null, role: number, language?: string}} user
 * @property {string[]} permissions
 * @property {string[]} locales
 * @property {string} defaultLocale
 * @property {string[]} modules
 * @property {number} [maxUploadSize] bytes
 * @property {PluginPage[]} [pages]
 * @property {FieldWidget[]} [fieldWidgets]
 * @property {{slug: string, label: string, icon?: string}[]} [blocks] that the site defines
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

/** Reads all pages of the manifest. Fails with UNAUTHORIZED if nobody is signed in. */
export async function loadManifest() {
	const first = await api.get("/admin/manifest", { quiet: true });
	let { nextCursor } = first;

	manifest.value = first;
	while (nextCursor) {
		const more = await api.get("/admin/manifest", { query: { cursor: nextCursor }, quiet: true });
		nextCursor = more.nextCursor;
		manifest.value = {
			...manifest.value,
			collections: [...manifest.value.collections, ...more.collections],
		};
	}
	return manifest.value;
}

/**
 * Groups rows by name. Returns one row for each name, in the first of the site's locales that has it; its member `all`
 * has the rows of all locales.
 * @param {any[]} rows @returns {any[]}
 */
export function byName(rows) {
	const rank = (row) =>
		(manifest.value.locales.indexOf(row.locale) + manifest.value.locales.length + 1) %
		(manifest.value.locales.length + 1);
	const names = [...new Set(rows.map((row) => row.name))];

	return names.map((name) => {
		const all = rows.filter((row) => row.name === name).sort((a, b) => rank(a) - rank(b));

		return { ...all[0], all };
	});
}

/**
 * True if a right ("own" or "any") covers items of this author.
 * @param {"none" | "own" | "any"} right
 * @param {string | null | undefined} authorId
 */
export const reaches = (right, authorId) => right === "any" || (right === "own" && authorId === manifest.value.user.id);
