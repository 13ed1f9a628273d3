// forms.js - what modules bring with a name and a form: field types and importers, as the manifest has them. Each list
// is
// asked once for the modules that are in use, so a plugin that is turned on appears.
import { api } from "./api.js";
import { useLoad } from "./load.js";
import { manifest } from "./site.js";
import { word } from "./words.js";

/**
 * @typedef {{name: string, label: string, description?: string, plugin?: string, kind: "string" | "number" | "integer" | "boolean" | "json",
 *   indexable: boolean, searchable: boolean, unique: boolean, validation?: any, options?: any}} FieldType
 * @typedef {{name: string, label: string, description: string, plugin?: string, files?: string[], options?: any}} Importer
 */

/** @type {Map<string, Promise<any[]>>} */
const kept = new Map();

/** Those that came with stet, and then those of plugins. @param {string} path @param {string} modules */
function rowsOf(path, modules) {
	const key = `${path} ${modules}`;
	let asked = kept.get(key);

	if (!asked) {
		asked = api
			.get(path)
			.then(({ items }) =>
				items.toSorted((a, b) => Number(Boolean(a.plugin)) - Number(Boolean(b.plugin))),
			);
		kept.set(key, asked);
		asked.catch(() => kept.delete(key));
	}
	return asked;
}

/** @param {string} path */
function useRows(path) {
	const modules = manifest.value.modules.join();

	return useLoad(() => rowsOf(path, modules), [modules]);
}

/** The field types of this site. @returns {ReturnType<typeof useLoad<FieldType[]>>} */
export const useFieldTypes = () => useRows("/admin/manifest/field-types");

/** The importers of this site. @returns {ReturnType<typeof useLoad<Importer[]>>} */
export const useImporters = () => useRows("/admin/manifest/import-formats");

/**
 * What a row is called. A language may have a word of its own for one that came with stet.
 * @param {string} group @param {string} prefix @param {{name: string, label: string, plugin?: string}} row
 */
export const rowWord = (group, prefix, row) =>
	row.plugin ? row.label : word(group, `${prefix}_${row.name}`, {}, row.label);
