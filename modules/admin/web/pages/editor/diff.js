// diff.js - compares two values: texts word by word, Portable Text block by block.
import { isEqual } from "../../editor/save/json.js";

const WORDS_MAX = 1500; // of each side; longer texts are shown as replaced

/** The longest common subsequence of two lists, as pairs of indexes. */
function common(a, b, same) {
	const width = b.length + 1,
		table = new Uint16Array((a.length + 1) * width),
		out = [];

	for (let i = a.length - 1; i >= 0; i--)
		for (let j = b.length - 1; j >= 0; j--)
			table[i * width + j] = same(a[i], b[j])
				? table[(i + 1) * width + j + 1] + 1
				: Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
	for (let i = 0, j = 0; i < a.length && j < b.length; ) {
		if (same(a[i], b[j])) out.push([i++, j++]);
		else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) i++;
		else j++;
	}
	return out;
}

/** Joins neighbouring parts of the same kind. */
function joined(parts) {
	const out = [];

	for (const part of parts)
		if (out.at(-1)?.kind === part.kind) out.at(-1).text += part.text;
		else if (part.text !== "") out.push({ ...part });
	return out;
}

/**
 * Compares two texts word by word.
 * @returns {{kind: "same" | "gone" | "new", text: string}[]}
 */
export function diffWords(a, b) {
	const [left, right] = [a, b].map((text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
	const out = [];
	let i = 0,
		j = 0;

	if (left.length > WORDS_MAX || right.length > WORDS_MAX)
		return joined(
			a === b
				? [{ kind: "same", text: a }]
				: [
						{ kind: "gone", text: a },
						{ kind: "new", text: b },
					],
		);
	for (const [x, y] of [...common(left, right, (p, q) => p === q), [left.length, right.length]]) {
		out.push(
			{ kind: "gone", text: left.slice(i, x).join("") },
			{ kind: "new", text: right.slice(j, y).join("") },
		);
		if (x < left.length) out.push({ kind: "same", text: left[x] });
		[i, j] = [x + 1, y + 1];
	}
	return joined(out.filter((part) => part.text !== ""));
}

/** A key that identifies each block on both sides: its _key, or without one its JSON and number. */
function names(blocks) {
	const seen = new Map();

	return blocks.map((block) => {
		const name = typeof block?._key === "string" ? block._key : JSON.stringify(block);
		const n = seen.get(name) ?? 0;

		seen.set(name, n + 1);
		return `${n} ${name}`;
	});
}

/** The indexes of a longest increasing subsequence: the blocks that did not move. */
function risers(numbers) {
	const tails = [],
		before = numbers.map(() => -1),
		out = new Set();

	numbers.forEach((n, at) => {
		let low = 0,
			high = tails.length;

		while (low < high) {
			const mid = (low + high) >> 1;

			if (numbers[tails[mid]] < n) low = mid + 1;
			else high = mid;
		}
		before[at] = low > 0 ? tails[low - 1] : -1;
		tails[low] = at;
	});
	for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]) out.add(at);
	return out;
}

/**
 * Compares two lists of blocks. The result has the order of the later list; deleted blocks are where they were.
 * @returns {{kind: "same" | "changed" | "added" | "gone" | "moved", a?: any, b?: any, by?: number}[]} by: how far it
 *   moved; below 0 is up
 */
export function diffBlocks(before, after) {
	const a = Array.isArray(before) ? before : [],
		b = Array.isArray(after) ? after : [];
	const left = names(a),
		right = names(b),
		places = new Map(left.map((name, i) => [name, i])),
		has = new Set(right);
	const shared = right.filter((name) => places.has(name)),
		stay = risers(shared.map((name) => places.get(name)));
	const order = left.filter((name) => has.has(name)),
		stays = new Set(shared.filter((_, i) => stay.has(i)));
	const rows = [];
	let at = 0;
	const gone = (end) => {
		for (; at < end; at++) if (!has.has(left[at])) rows.push({ kind: "gone", a: a[at] });
	};

	right.forEach((name, j) => {
		const i = places.get(name);

		if (i === undefined) {
			rows.push({ kind: "added", b: b[j] });
			return;
		}
		if (stays.has(name)) {
			gone(i);
			at = Math.max(at, i + 1);
		}
		const by = shared.indexOf(name) - order.indexOf(name),
			isSame = isEqual(a[i], b[j]);
		if (!isSame) rows.push({ kind: "changed", a: a[i], b: b[j], ...(stays.has(name) ? {} : { by }) });
		else
			rows.push(
				stays.has(name) || by === 0
					? { kind: "same", a: a[i], b: b[j] }
					: { kind: "moved", a: a[i], b: b[j], by },
			);
	});
	gone(a.length);
	return rows;
}
