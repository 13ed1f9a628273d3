// merge.js - brings two changes of one item together: what it was (base), what is stored now (theirs), what is typed
// here (mine). By member, and in Portable Text by block.
//
// A change on one side stands. A change on both sides, unless it is the same, is a conflict that a person decides.
import { isEqual } from "./json.js";

/**
 * One conflict. `id` names it through later merges of the same values.
 * @typedef {{id: string, name: string, kind: "value" | "block" | "order", key?: string, base: unknown, theirs: unknown,
 *   mine: unknown, both: boolean}} Conflict
 */

/** The places of blocks by key; null if a value is no list of blocks that have a key each. */
function byKey(value) {
	const out = new Map();

	for (const block of value ?? []) {
		const key = block?._key;

		if (typeof key !== "string" || out.has(key))
			return null;
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

	/** What a person chose; undefined, and noted as open, if nobody did. */
	ask(conflict) {
		const choice = this.choices.get(conflict.id);

		if (choice === "theirs" || choice === "mine" || (choice === "both" && conflict.both))
			return choice;
		this.conflicts.push(conflict);
		return undefined;
	}

	/** A member as a whole. */
	value(name, base, theirs, mine) {
		if (isEqual(theirs, mine) || isEqual(base, theirs)) {
			this.taken.mine += isEqual(base, mine) ? 0 : 1;
			return mine;
		}
		if (isEqual(base, mine)) {
			this.taken.theirs++;
			return theirs;
		}
		return this.ask({ id: name, name, kind: "value", base, theirs, mine, both: false }) === "theirs" ? theirs : mine;
	}

	/** Portable Text. Blocks without keys are merged as one value. */
	text(name, base, theirs, mine) {
		const sides = isList(base) && isList(theirs) && isList(mine) ? [base, theirs, mine].map(byKey) : [null];

		if (sides.includes(null) || isEqual(base, theirs) || isEqual(base, mine) || isEqual(theirs, mine))
			return this.value(name, base, theirs, mine);
		const kept = this.blocks(name, ...sides);
		return this.order(name, kept, ...sides).flatMap((key) => kept.get(key));
	}

	/** The blocks that stand, by key. Where both sides stand, a key has two blocks. */
	blocks(name, base, theirs, mine) {
		const out = new Map(), keys = new Set([...base.keys(), ...theirs.keys(), ...mine.keys()]);

		for (const key of keys) {
			const [b, t, m] = [base.get(key), theirs.get(key), mine.get(key)];
			let block = m;

			if (!isEqual(t, m) && !isEqual(b, t) && !isEqual(b, m))
				block = this.block(name, key, b, t, m, keys);
			else if (isEqual(b, m) && !isEqual(b, t)) {
				block = t;
				this.taken.theirs++;
			} else if (!isEqual(b, m))
				this.taken.mine++;
			if (block !== undefined)
				out.set(key, [block].flat());
		}
		return out;
	}

	block(name, key, b, t, m, keys) {
		const both = t !== undefined && m !== undefined;
		const choice = this.ask({ id: `${name}#${key}`, name, kind: "block", key, base: b, theirs: t, mine: m, both });
		let second = `${key}-2`;

		if (choice !== "both")
			return choice === "theirs" ? t : m;
		for (let i = 3; keys.has(second); i++)
			second = `${key}-${i}`;
		keys.add(second);
		return [t, { ...m, _key: second }];
	}

	/** The keys that stand, in order. If one side moved blocks, its order holds; if both did, that is a conflict. */
	order(name, kept, base, theirs, mine) {
		const common = (side) => [...side.keys()].filter((key) => base.has(key) && theirs.has(key) && mine.has(key));
		const [b, t, m] = [base, theirs, mine].map(common);
		let first = mine, second = theirs;

		if (isEqual(m, b) && !isEqual(t, b))
			[first, second] = [theirs, mine];
		else if (!isEqual(m, b) && !isEqual(t, b) && !isEqual(t, m) &&
		    this.ask({ id: `${name}#`, name, kind: "order", base: b, theirs: t, mine: m, both: false }) === "theirs")
			[first, second] = [theirs, mine];
		const out = [...first.keys()].filter((key) => kept.has(key));
		const has = new Set(out);
		let before = null;
		for (const key of second.keys()) {
			if (kept.has(key) && !has.has(key)) {
				out.splice(before === null ? 0 : out.indexOf(before) + 1, 0, key);
				has.add(key);
			}
			if (has.has(key))
				before = key;
		}
		return out;
	}
}

/**
 * Merges the members of an item.
 * @param {Map<string, unknown>} base @param {Map<string, unknown>} theirs @param {Map<string, unknown>} mine
 * @param {(name: string) => boolean} isText says which members are Portable Text
 * @param {Map<string, string>} choices what a person chose, by the id of the conflict: theirs, mine or both
 * @returns {{values: Map<string, unknown>, conflicts: Conflict[], taken: {theirs: number, mine: number}}} of an open
 *   conflict, `values` has mine
 */
export function merge(base, theirs, mine, isText, choices = new Map()) {
	const merge = new Merge(choices), values = new Map();

	for (const name of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
		const sides = [base.get(name), theirs.get(name), mine.get(name)];

		values.set(name, isText(name) ? merge.text(name, ...sides) : merge.value(name, ...sides));
	}
	return { values, conflicts: merge.conflicts, taken: merge.taken };
}
