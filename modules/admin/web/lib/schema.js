// schema.js - caches the definition of each collection, with its fields, for a minute or until forgetDefinition().
import { api, segment } from "./api.js";

/**
 * @typedef {{slug: string, label: string, type: string, kind: string, required: boolean, unique: boolean, indexed: boolean, sortable: boolean, searchable: boolean,
 *   validation?: any, options?: any, translatable?: boolean, defaultValue?: any, widget?: string}} Field
 * @typedef {{slug: string, label: string, labelSingular?: string, supports: string[], titleField?: string,
 *   admin?: {listColumns?: string[]}, rights: import("./site.js").Rights, fields: Field[]}} Definition
 */

const KEPT = 60000; // ms
export const AT_ONCE = 24; // calls of a batch

/** @type {Map<string, {asked: Promise<Definition>, at: number}>} */
const kept = new Map();

/** @param {string} slug @returns {Promise<Definition>} */
export function definitionOf(slug) {
	const one = kept.get(slug);

	if (one && Date.now() - one.at < KEPT) return one.asked;
	const asked = api.get(`/admin/manifest/${segment(slug)}`).then((data) => data.item);
	kept.set(slug, { asked, at: Date.now() });
	asked.catch(() => kept.delete(slug));
	return asked;
}

/**
 * The definitions of some collections, in few requests. @param {{slug: string}[]} some @param {AbortSignal} [signal]
 * @returns {Promise<Definition[]>}
 */
export async function definitionsOf(some, signal) {
	const wanted = some.filter(({ slug }) => !isKept(slug));

	if (wanted.length > 0) {
		const calls = wanted.map(({ slug }) => ({
			op: "manifest_collection",
			arguments: { collection: slug },
		}));
		for (let i = 0; i < calls.length; i += AT_ONCE) {
			const part = calls.slice(i, i + AT_ONCE);
			const { results } = await api.post("/batch", { calls: part }, { signal, quiet: true });

			for (const one of results) if (one.ok) keepDefinition(one.data.item);
		}
	}
	return Promise.all(some.filter(({ slug }) => isKept(slug)).map(({ slug }) => definitionOf(slug)));
}

/** @param {string} slug */
const isKept = (slug) => Date.now() - (kept.get(slug)?.at ?? 0) < KEPT;

/** Drops a cached definition after a change of the schema. @param {string} [slug] absent: all */
export const forgetDefinition = (slug) => (slug ? kept.delete(slug) : kept.clear());

/** The field that holds the title of items. @param {Definition} definition */
export const titleField = (definition) =>
	definition.fields.find((f) => f.slug === definition.titleField) ??
	definition.fields.find((f) => f.slug === "title") ??
	definition.fields.find((f) => f.slug === "name") ??
	definition.fields.find((f) => f.type === "string");

/** Caches a definition that was read in another way. @param {Definition} definition */
export const keepDefinition = (definition) =>
	void kept.set(definition.slug, { asked: Promise.resolve(definition), at: Date.now() });
