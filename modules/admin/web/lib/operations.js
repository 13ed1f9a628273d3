// operations.js - the operations that the signed-in person may run, read from the API's OpenAPI document.
import { api } from "./api.js";

/**
 * @typedef {{name: string, place: "path" | "query" | "body", schema: any, isRequired: boolean, about?: string}} Argument
 * @typedef {{id: string, title: string, about: string, group: string, method: string, path: string, arguments: Argument[]}} Operation
 */

/** @type {Promise<Operation[]> | null} */
let asked = null;

/** Resolves references of the document, as far as a form needs it. @param {any} document @param {any} value */
function resolve(document, value) {
	for (let i = 0; i < 8 && value?.$ref; i++)
		value = value.$ref
			.slice(2)
			.split("/")
			.reduce((at, key) => at?.[key.replace(/~1/g, "/").replace(/~0/g, "~")], document);
	return value ?? {};
}

/** @param {any} document @param {any} operation @returns {Argument[] | null} null: a form cannot call the operation */
function argumentsOf(document, operation) {
	/** @type {Argument[]} */
	const out = [];

	for (const one of (operation.parameters ?? []).map((p) => resolve(document, p)))
		if (one.in === "path" || one.in === "query")
			out.push({
				name: one.name,
				place: one.in,
				schema: resolve(document, one.schema),
				isRequired: one.required === true,
				about: one.description,
			});
	if (!operation.requestBody) return out;
	const schema = resolve(
		document,
		resolve(document, operation.requestBody).content?.["application/json"]?.schema,
	);
	if (schema.type !== "object" || !schema.properties) return schema.type === "object" ? out : null;
	for (const [name, value] of Object.entries(schema.properties)) {
		const known = resolve(document, value);
		out.push({
			name,
			place: "body",
			schema: known,
			isRequired: schema.required?.includes(name) ?? false,
			about: /** @type {any} */ (value).description ?? known.description,
		});
	}
	return out;
}

/** All operations, requested once. @returns {Promise<Operation[]>} */
export function operations() {
	asked ??= api.get("/openapi.json").then((document) => {
		/** @type {Operation[]} */
		const all = [];

		for (const [path, methods] of Object.entries(document.paths))
			for (const [method, operation] of Object.entries(
				/** @type {Record<string, any>} */ (methods),
			)) {
				const of = operation.operationId && argumentsOf(document, operation);
				if (of)
					all.push({
						id: operation.operationId,
						title: operation.summary ?? operation.operationId,
						about: operation.description ?? "",
						group: operation.tags?.[0] ?? "",
						method: method.toUpperCase(),
						path,
						arguments: of,
					});
			}
		return all;
	});
	asked.catch(() => (asked = null));
	return asked;
}
