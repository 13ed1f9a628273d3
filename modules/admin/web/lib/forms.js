// forms.js - the field types and importers that modules bring, with their names and forms, as in the manifest. Each
// list is requested once for each set of modules in use, so a plugin that is turned on appears.
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

/** Returns the rows of bundled modules, then those of plugins. @param {string} path @param {string} modules */
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
 * Returns the name of a row. Names that bundled modules bring may be translated; those of plugins are shown as they
 * are.
 * @param {string} group @param {string} prefix @param {{name: string, label: string, plugin?: string}} row
 */
export const rowWord = (group, prefix, row) =>
	row.plugin ? row.label : word(group, `${prefix}_${row.name}`, {}, row.label);
