// tree.js - trees whose nodes people can move: terms, the items of a menu. A node is {id, children, ...}. A place is
// {parent, at}: the id of the parent node (null: top level), and the number of siblings before it.

/**
 * @typedef {{id: string, children: Node[], [name: string]: any}} Node
 * @typedef {{parent: string | null, at: number}} Place
 * @typedef {{node: Node, parent: Row | null, depth: number, at: number, of: number}} Row
 */

/**
 * All nodes in display order. @param {Node[]} roots @param {(node: Node) => boolean} [isOpen] true: the node's children
 * are included @returns {Row[]}
 */
export function walk(roots, isOpen = () => true) {
	/** @type {Row[]} */
	const out = [];
	/** @type {Row[]} */
	const left = roots.map((node, at) => ({ node, parent: null, depth: 0, at, of: roots.length })).reverse();

	while (left.length > 0) {
		const row = left.pop(),
			{ children } = row.node;

		out.push(row);
		if (isOpen(row.node))
			for (let at = children.length - 1; at >= 0; at--)
				left.push({
					node: children[at],
					parent: row,
					depth: row.depth + 1,
					at,
					of: children.length,
				});
	}
	return out;
}

/**
 * Builds a tree of rows that name their parents. A row whose parent is missing becomes a root. If parents form a cycle,
 * one of its rows becomes a root.
 * @template T
 * @param {T[]} rows siblings in their order @param {(row: T) => string} idOf @param {(row: T) => string | null | undefined} parentOf
 * @returns {(Node & T)[]}
 */
export function grow(rows, idOf, parentOf) {
	const nodes = new Map(
		rows.map((row) => [idOf(row), /** @type {any} */ ({ ...row, id: idOf(row), children: [] })]),
	);
	const roots = [];
	const isBelowItself = (id) => {
		const seen = new Set();

		for (let at = id; at && nodes.has(at); at = parents.get(at)) {
			if (seen.has(at)) return at === id;
			seen.add(at);
		}
		return false;
	};
	/** @type {Map<string, string | null>} */
	const parents = new Map(rows.map((row) => [idOf(row), parentOf(row) ?? null]));

	for (const [id, node] of nodes) {
		if (isBelowItself(id)) parents.set(id, null);
		(nodes.get(parents.get(id))?.children ?? roots).push(node);
	}
	return roots;
}

/** @param {Node[]} roots @param {string} id @returns {Row | undefined} */
export const rowOf = (roots, id) => walk(roots).find((row) => row.node.id === id);

/** @param {Node[]} roots @param {string | null} parent */
const siblingsOf = (roots, parent) => (parent === null ? roots : rowOf(roots, parent)?.node.children);

/**
 * The place after one step: up or down among the siblings, in below the previous sibling, or out of the parent.
 * null: not possible.
 * @param {Node[]} roots @param {string} id @param {"up" | "down" | "in" | "out"} step @returns {Place | null}
 */
export function stepOf(roots, id, step) {
	const row = rowOf(roots, id);

	if (!row) return null;
	const parent = row.parent?.node.id ?? null;
	if (step === "up") return row.at > 0 ? { parent, at: row.at - 1 } : null;
	if (step === "down") return row.at < row.of - 1 ? { parent, at: row.at + 1 } : null;
	if (step === "out")
		return row.parent ? { parent: row.parent.parent?.node.id ?? null, at: row.parent.at + 1 } : null;
	const before = siblingsOf(roots, parent)[row.at - 1];
	return before ? { parent: before.id, at: before.children.length } : null;
}

/**
 * @param {Node[]} nodes
 * @param {string} id
 * @param {(node: Node) => Node | null} fn null removes the node
 * @returns {Node[]}
 */
function change(nodes, id, fn) {
	let isChanged = false;
	const next = [];

	for (const node of nodes) {
		const children = node.id === id ? node.children : change(node.children, id, fn);
		const one = node.id === id ? fn(node) : children === node.children ? node : { ...node, children };

		isChanged ||= one !== node;
		if (one) next.push(one);
	}
	return isChanged ? next : nodes;
}

/** The tree without a node and its descendants. @param {Node[]} roots @param {string} id */
export const without = (roots, id) => change(roots, id, () => null);

/** The tree with a node changed. @param {Node[]} roots @param {string} id @param {Record<string, any>} more */
export const changed = (roots, id, more) => change(roots, id, (node) => ({ ...node, ...more }));

/** The tree with one more node. @param {Node[]} roots @param {Node} node @param {Place} place */
export const withNode = (roots, node, { parent, at }) =>
	parent === null
		? roots.toSpliced(at, 0, node)
		: change(roots, parent, (above) => ({ ...above, children: above.children.toSpliced(at, 0, node) }));

/**
 * The tree after a move; `at` does not count the node itself. null: the place is below the node itself.
 * @param {Node[]} roots @param {string} id @param {Place} place
 */
export function moved(roots, id, place) {
	const row = rowOf(roots, id);

	if (!row || (place.parent !== null && rowOf([row.node], place.parent))) return null;
	return withNode(without(roots, id), row.node, place);
}

/**
 * The place where a dragged node lands when it is dropped between two rows. `rows`: the shown rows without the node;
 * `count`: how many are before it; `depth`: the depth at which it is dropped.
 * @param {Row[]} rows @param {number} count @param {number} depth @returns {Place & {depth: number}}
 */
export function landing(rows, count, depth) {
	const before = rows[count - 1],
		after = rows[count];
	const deep = Math.max(after?.depth ?? 0, Math.min(depth, before ? before.depth + 1 : 0));
	let above = before;

	while (above && above.depth > deep) above = above.parent;
	if (!above) return { parent: null, at: 0, depth: 0 };
	if (above.depth === deep) return { parent: above.parent?.node.id ?? null, at: above.at + 1, depth: deep };
	// Become the first child if the children are shown, else the last.
	return { parent: above.node.id, at: after?.parent === above ? 0 : above.node.children.length, depth: deep };
}
