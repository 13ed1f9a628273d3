// move.js - the calls that move a term: an update if its parent changes, then reorders, in one atomic batch.
import { api } from "../../lib/api.js";
import { rowOf } from "../../lib/tree.js";

const WINDOW = 100; // most terms of one call of term_reorder

/**
 * The calls that move a term to another place. @param {{name: string, hierarchical: boolean}} taxonomy
 * @param {any[]} roots as they are stored @param {string} id @param {import("../../lib/tree.js").Place} place
 */
export function callsOf(taxonomy, roots, id, { parent, at }) {
	const row = rowOf(roots, id),
		isElsewhere = (row.parent?.node.id ?? null) !== parent;
	const beside = (parent === null ? roots : rowOf(roots, parent).node.children).map((node) => node.id);
	// The server makes a term with a new parent the last sibling.
	const order = isElsewhere ? [...beside, id] : beside;
	const calls = isElsewhere
		? [
				{
					op: "taxonomy_update_term",
					arguments: {
						taxonomy: taxonomy.name,
						termSlug: row.node.slug,
						locale: row.node.locale,
						parentId: parent,
					},
				},
			]
		: [];

	for (let from = order.indexOf(id); from !== at; ) {
		const to = Math.max(from - WINDOW + 1, Math.min(from + WINDOW - 1, at));

		order.splice(from, 1);
		order.splice(to, 0, id);
		calls.push({
			op: "term_reorder",
			arguments: /** @type {any} */ ({
				taxonomy: taxonomy.name,
				...(parent ? { parentId: parent } : {}),
				ids: order.slice(Math.min(from, to), Math.max(from, to) + 1),
			}),
		});
		from = to;
	}
	return calls;
}

/** @param {Parameters<typeof callsOf>} move */
export async function storeMove(...move) {
	const calls = callsOf(...move);

	if (calls.length > 0) await api.post("/batch", { atomic: true, calls });
}
