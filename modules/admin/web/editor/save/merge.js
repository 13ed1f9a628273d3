// merge.js - three-way merge of an item: the common ancestor (base), the stored version (theirs) and the version typed
// here (mine). It merges member by member, and Portable Text block by block.
//
// A change on one side is taken over. Different changes on both sides are a conflict that a person decides.
import { isEqual } from "./json.js";

/**
 * One conflict. `id` names it through later merges of the same values.
 * @typedef {{id: string, name: string, kind: "value" | "block" | "order", key?: string, base: unknown, theirs: unknown,
 *   mine: unknown, both: boolean}} Conflict
 */

/** Maps keys to blocks. Returns null if the value is not a list of blocks with unique keys. */
function byKey(value) {
	const out = new Map();

	for (const block of value ?? []) {
		const key = block?._key;

		if (typeof key !== "string" || out.has(key)) return null;
		out.set(key, block);
	}
	return out;
}

const isList = (value) => (value ?? null) === null || Array.isArray(value);

class Merge {
	constructor(choices) {
		this.choices = choices;
		this.conflicts = [];
		this.taken = { theirs: 0, mine: 0 };
	}

	/** Returns the person's choice. Without one, records the conflict as open and returns undefined. */
	ask(conflict) {
		const choice = this.choices.get(conflict.id);

		if (choice === "theirs" || choice === "mine" || (choice === "both" && conflict.both)) return choice;
		this.conflicts.push(conflict);
		return undefined;
	}

	/** Merges a member as one value. */
	value(name, base, theirs, mine) {
		if (isEqual(theirs, mine) || isEqual(base, theirs)) {
			this.taken.mine += isEqual(base, mine) ? 0 : 1;
			return mine;
		}
		if (isEqual(base, mine)) {
			this.taken.theirs++;
			return theirs;
		}
		return this.ask({ id: name, name, kind: "value", base, theirs, mine, both: false }) === "theirs"
			? theirs
			: mine;
	}

	/** Merges Portable Text block by block. If blocks lack keys, merges it as one value. */
	text(name, base, theirs, mine) {
		const sides = isList(base) && isList(theirs) && isList(mine) ? [base, theirs, mine].map(byKey) : [null];

		if (sides.includes(null) || isEqual(base, theirs) || isEqual(base, mine) || isEqual(theirs, mine))
			return this.value(name, base, theirs, mine);
		const kept = this.blocks(name, ...sides);
		return this.order(name, kept, ...sides).flatMap((key) => kept.get(key));
	}

	/** Returns the merged blocks by key. If the person chose both sides, the key has two blocks. */
	blocks(name, base, theirs, mine) {
		const out = new Map(),
			keys = new Set([...base.keys(), ...theirs.keys(), ...mine.keys()]);

		for (const key of keys) {
			const [b, t, m] = [base.get(key), theirs.get(key), mine.get(key)];
			let block = m;

			if (!isEqual(t, m) && !isEqual(b, t) && !isEqual(b, m))
				block = this.block(name, key, b, t, m, keys);
			else if (isEqual(b, m) && !isEqual(b, t)) {
				block = t;
				this.taken.theirs++;
			} else if (!isEqual(b, m)) this.taken.mine++;
			if (block !== undefined) out.set(key, [block].flat());
		}
		return out;
	}

	block(name, key, b, t, m, keys) {
		const both = t !== undefined && m !== undefined;
		const choice = this.ask({
			id: `${name}#${key}`,
			name,
			kind: "block",
			key,
			base: b,
			theirs: t,
			mine: m,
			both,
		});
		let second = `${key}-2`;

		if (choice !== "both") return choice === "theirs" ? t : m;
		for (let i = 3; keys.has(second); i++) second = `${key}-${i}`;
		keys.add(second);
		return [t, { ...m, _key: second }];
	}

	/**
	 * Returns the keys of the merged blocks in order. If one side moved blocks, its order wins; if both, a
	 * conflict.
	 */
	order(name, kept, base, theirs, mine) {
		const common = (side) =>
			[...side.keys()].filter((key) => base.has(key) && theirs.has(key) && mine.has(key));
		const [b, t, m] = [base, theirs, mine].map(common);
		let first = mine,
			second = theirs;

		if (isEqual(m, b) && !isEqual(t, b)) [first, second] = [theirs, mine];
		else if (
			!isEqual(m, b) &&
			!isEqual(t, b) &&
			!isEqual(t, m) &&
			this.ask({ id: `${name}#`, name, kind: "order", base: b, theirs: t, mine: m, both: false }) ===
				"theirs"
		)
			[first, second] = [theirs, mine];
		const out = [...first.keys()].filter((key) => kept.has(key));
		const has = new Set(out);
		let before = null;
		for (const key of second.keys()) {
			if (kept.has(key) && !has.has(key)) {
				out.splice(before === null ? 0 : out.indexOf(before) + 1, 0, key);
				has.add(key);
			}
			if (has.has(key)) before = key;
		}
		return out;
	}
}

/**
 * Merges the members of an item.
 * @param {Map<string, unknown>} base @param {Map<string, unknown>} theirs @param {Map<string, unknown>} mine
 * @param {(name: string) => boolean} isText says which members are Portable Text
 * @param {Map<string, string>} choices the person's decisions by the id of the conflict: theirs, mine or both
 * @returns {{values: Map<string, unknown>, conflicts: Conflict[], taken: {theirs: number, mine: number}}} for an open
 *   conflict, `values` has the version typed here
 */
export function merge(base, theirs, mine, isText, choices = new Map()) {
	const merge = new Merge(choices),
		values = new Map();

	for (const name of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
		const sides = [base.get(name), theirs.get(name), mine.get(name)];

		values.set(name, isText(name) ? merge.text(name, ...sides) : merge.value(name, ...sides));
	}
	return { values, conflicts: merge.conflicts, taken: merge.taken };
}
