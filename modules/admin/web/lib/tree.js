// tree.js - trees of things that people put in order: terms, the items of a menu. A node is {id, children, ...}; a place
// is {parent, at}: the id of the node above it (null: at the top), and how many siblings stand before it.

/**
 * @typedef {{id: string, children: Node[], [name: string]: any}} Node
 * @typedef {{parent: string | null, at: number}} Place
 * @typedef {{node: Node, parent: Row | null, depth: number, at: number, of: number}} Row
 */

/**
 * All nodes in the order in which they are shown. @param {Node[]} roots @param {(node: Node) => boolean} [isOpen] whose
 * children are walked @returns {Row[]}
 */
export function walk(roots, isOpen = () => true) {
	/** @type {Row[]} */
	const out = [];
	/** @type {Row[]} */
	const left = roots.map((node, at) => ({ node, parent: null, depth: 0, at, of: roots.length })).reverse();

	while (left.length > 0) {
		const row = left.pop(), { children } = row.node;

		out.push(row);
		if (isOpen(row.node))
			for (let at = children.length - 1; at >= 0; at--)
				left.push({ node: children[at], parent: row, depth: row.depth + 1, at, of: children.length });
	}
	return out;
}

/**
 * A tree of rows that name what is above them. A row whose parent is not there stands at the top; so does one of those
 * that stand below each other.
 * @template T
 * @param {T[]} rows siblings in their order @param {(row: T) => string} idOf @param {(row: T) => string | null | undefined} parentOf
 * @returns {(Node & T)[]}
 */
export function grow(rows, idOf, parentOf) {
	const nodes = new Map(rows.map((row) => [idOf(row), /** @type {any} */ ({ ...row, id: idOf(row), children: [] })]));
	const roots = [];
	const isBelowItself = (id) => {
		const seen = new Set();

		for (let at = id; at && nodes.has(at); at = parents.get(at)) {
			if (seen.has(at))
				return at === id;
			seen.add(at);
		}
		return false;
	};
	/** @type {Map<string, string | null>} */
	const parents = new Map(rows.map((row) => [idOf(row), parentOf(row) ?? null]));

	for (const [id, node] of nodes) {
		if (isBelowItself(id))
			parents.set(id, null);
		(nodes.get(parents.get(id))?.children ?? roots).push(node);
	}
	return roots;
}

/** @param {Node[]} roots @param {string} id @returns {Row | undefined} */
export const rowOf = (roots, id) => walk(roots).find((row) => row.node.id === id);

/** @param {Node[]} roots @param {string | null} parent */
const siblingsOf = (roots, parent) => (parent === null ? roots : rowOf(roots, parent)?.node.children);

/**
 * Where a step leads: among the siblings, below the sibling before it, or out of what it stands below. null: nowhere.
 * @param {Node[]} roots @param {string} id @param {"up" | "down" | "in" | "out"} step @returns {Place | null}
 */
export function stepOf(roots, id, step) {
	const row = rowOf(roots, id);

	if (!row)
		return null;
	const parent = row.parent?.node.id ?? null;
	if (step === "up")
		return row.at > 0 ? { parent, at: row.at - 1 } : null;
	if (step === "down")
		return row.at < row.of - 1 ? { parent, at: row.at + 1 } : null;
	if (step === "out")
		return row.parent ? { parent: row.parent.parent?.node.id ?? null, at: row.parent.at + 1 } : null;
	const before = siblingsOf(roots, parent)[row.at - 1];
	return before ? { parent: before.id, at: before.children.length } : null;
}

/** @param {Node[]} nodes @param {string} id @param {(node: Node) => Node | null} fn null takes it out @returns {Node[]} */
function change(nodes, id, fn) {
	let isChanged = false;
	const next = [];

	for (const node of nodes) {
		const children = node.id === id ? node.children : change(node.children, id, fn);
		const one = node.id === id ? fn(node) : children === node.children ? node : { ...node, children };

		isChanged ||= one !== node;
		if (one)
			next.push(one);
	}
	return isChanged ? next : nodes;
}

/** The tree without a node and what is below it. @param {Node[]} roots @param {string} id */
export const without = (roots, id) => change(roots, id, () => null);

/** The tree with a node changed. @param {Node[]} roots @param {string} id @param {Record<string, any>} more */
export const changed = (roots, id, more) => change(roots, id, (node) => ({ ...node, ...more }));

/** The tree with one more node. @param {Node[]} roots @param {Node} node @param {Place} place */
export const withNode = (roots, node, { parent, at }) =>
	parent === null ? roots.toSpliced(at, 0, node) : change(roots, parent, (above) => ({ ...above, children: above.children.toSpliced(at, 0, node) }));

/**
 * The tree after a move; `at` does not count the node itself. null: it would stand below itself.
 * @param {Node[]} roots @param {string} id @param {Place} place
 */
export function moved(roots, id, place) {
	const row = rowOf(roots, id);

	if (!row || (place.parent !== null && rowOf([row.node], place.parent)))
		return null;
	return withNode(without(roots, id), row.node, place);
}

/**
 * Where something lands that is let go of between two rows: the rows that are shown without it, how many of them stand
 * before it, and how deep it is held.
 * @param {Row[]} rows @param {number} count @param {number} depth @returns {Place & {depth: number}}
 */
export function landing(rows, count, depth) {
	const before = rows[count - 1], after = rows[count];
	const deep = Math.max(after?.depth ?? 0, Math.min(depth, before ? before.depth + 1 : 0));
	let above = before;

	while (above && above.depth > deep)
		above = above.parent;
	if (!above)
		return { parent: null, at: 0, depth: 0 };
	if (above.depth === deep)
		return { parent: above.parent?.node.id ?? null, at: above.at + 1, depth: deep };
	// The first of its children if they are shown, else the last.
	return { parent: above.node.id, at: after?.parent === above ? 0 : above.node.children.length, depth: deep };
}
