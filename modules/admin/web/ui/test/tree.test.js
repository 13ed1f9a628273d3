// tree.test.js - random trees and moves: no node is lost or duplicated, and each lands where it was moved to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf } from "../../pages/taxonomies/move.js";
import { changed, grow, landing, moved, rowOf, stepOf, walk, withNode, without } from "../../lib/tree.js";

let seed = Number(process.env.SEED ?? 1);
const random = (n) => {
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return Math.floor((seed / 2147483648) * n);
};
const plant = (n) =>
	grow(
		Array.from({ length: n }, (_, i) => ({
			key: `n${i}`,
			up: i === 0 || random(3) === 0 ? null : `n${random(i)}`,
		})),
		(row) => row.key,
		(row) => row.up,
	);
const ids = (roots) =>
	walk(roots)
		.map((row) => row.node.id)
		.sort()
		.join();
const shape = (roots) =>
	walk(roots)
		.map((row) => `${row.depth}${row.node.id}`)
		.join(" ");

test("a tree of rows: order stays, those without a parent stand at the top, a ring is opened", () => {
	const rows = [
		["a", null],
		["b", "a"],
		["c", "gone"],
		["d", "a"],
		["x", "y"],
		["y", "x"],
		["z", "z"],
	];

	assert.equal(
		shape(
			grow(
				rows,
				(row) => row[0],
				(row) => row[1],
			),
		),
		"0a 1b 1d 0c 0x 1y 0z",
	);
});
test("steps: up, down, in, out, and not further", () => {
	const roots = grow(
		[["a"], ["b"], ["c", "b"]],
		(row) => row[0],
		(row) => row[1],
	);

	assert.equal(stepOf(roots, "a", "up"), null);
	assert.equal(stepOf(roots, "b", "down"), null);
	assert.equal(stepOf(roots, "a", "in"), null);
	assert.equal(stepOf(roots, "a", "out"), null);
	assert.equal(shape(moved(roots, "b", stepOf(roots, "b", "in"))), "0a 1b 2c");
	assert.equal(shape(moved(roots, "c", stepOf(roots, "c", "out"))), "0a 0b 0c");
	assert.equal(shape(moved(roots, "a", stepOf(roots, "a", "down"))), "0b 1c 0a");
	assert.equal(moved(roots, "b", { parent: "c", at: 0 }), null);
});
test("random steps and drops keep every node once, and a step and its opposite are nothing", () => {
	const opposite = { up: "down", down: "up" };

	for (let round = 0; round < 300; round++) {
		let roots = plant(2 + random(40));
		const all = ids(roots);

		for (let i = 0; i < 20; i++) {
			const { node } = walk(roots)[random(walk(roots).length)];
			const step = /** @type {any} */ (["up", "down", "in", "out"][random(4)]),
				place = stepOf(roots, node.id, step);

			if (place) {
				const next = moved(roots, node.id, place);

				assert.equal(ids(next), all);
				if (step in opposite)
					assert.equal(
						shape(moved(next, node.id, stepOf(next, node.id, opposite[step]))),
						shape(roots),
					);
				assert.deepEqual(
					[rowOf(next, node.id).parent?.node.id ?? null, rowOf(next, node.id).at],
					[place.parent, place.at],
				);
				roots = next;
			}
			const left = walk(without(roots, node.id)),
				count = random(left.length + 1),
				depth = random(6) - 1;
			const land = landing(left, count, depth),
				dropped = moved(roots, node.id, land);

			assert.equal(ids(dropped), all);
			assert.equal(
				walk(dropped).findIndex((row) => row.node.id === node.id),
				count,
				"it stands between the rows it was dropped between",
			);
			assert.equal(rowOf(dropped, node.id).depth, land.depth);
		}
	}
});
test("a node is changed and added without touching the others", () => {
	const roots = grow(
		[["a"], ["b", "a"], ["c"]],
		(row) => row[0],
		(row) => row[1],
	);
	const next = changed(roots, "b", { label: "B" });

	assert.equal(rowOf(next, "b").node.label, "B");
	assert.equal(next[1], roots[1]);
	assert.equal(changed(roots, "nobody", {}), roots);
	assert.equal(shape(withNode(roots, { id: "d", children: [] }, { parent: "b", at: 0 })), "0a 1b 2d 0c");
});

/** Applies the calls as the server does: a term with a new parent becomes the last child; a reorder permutes terms. */
function stored(roots, calls) {
	let tree = roots;

	for (const { op, arguments: given } of calls) {
		if (op === "taxonomy_update_term") {
			const { id } = walk(tree).find((row) => row.node.slug === given.termSlug).node;

			tree = moved(tree, id, {
				parent: given.parentId,
				at: (given.parentId === null
					? without(tree, id)
					: rowOf(without(tree, id), given.parentId).node.children
				).length,
			});
			continue;
		}
		assert.ok(given.ids.length <= 100, "more than term_reorder takes");
		const beside = given.parentId ? rowOf(tree, given.parentId).node.children : tree;
		const slots = beside.filter((node) => given.ids.includes(node.id)).map((node) => beside.indexOf(node)),
			next = [...beside];

		assert.equal(slots.length, given.ids.length);
		slots.forEach((slot, i) => {
			next[slot] = beside.find((node) => node.id === given.ids[i]);
		});
		tree = given.parentId ? changed(tree, given.parentId, { children: next }) : next;
	}
	return tree;
}

test("the requests of a move of a term do what the page shows, also among many", () => {
	for (let round = 0; round < 200; round++) {
		const n = round % 20 === 0 ? 900 : 2 + random(30);
		const roots = grow(
			Array.from({ length: n }, (_, i) => ({
				key: `n${i}`,
				slug: `s${i}`,
				up: i === 0 || n > 100 || random(3) === 0 ? null : `n${random(i)}`,
			})),
			(row) => row.key,
			(row) => row.up,
		);
		const { node } = walk(roots)[random(n)],
			left = walk(without(roots, node.id)),
			place = landing(left, random(left.length + 1), n > 100 ? 0 : random(5));

		assert.equal(
			shape(stored(roots, callsOf({ name: "x", hierarchical: true }, roots, node.id, place))),
			shape(moved(roots, node.id, place)),
		);
	}
});
