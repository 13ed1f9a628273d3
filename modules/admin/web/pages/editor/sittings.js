// sittings.js - the history of an item as people see it: revisions that one person saved shortly after each other are one
// sitting, with the words that changed in it.

/**
 * @typedef {{id: string, authorId: string | null, authorName: string | null, createdAt: string, data: any}} Revision
 * @typedef {{revisions: Revision[], newest: Revision, oldest: Revision, before: Revision | null, words: Words | null}} Sitting
 *   revisions: newest first; before: the revision before the sitting; words: null if that revision is not known
 * @typedef {{added: number, removed: number, isOther: boolean}} Words isOther: something changed, but no word
 */

const SITTING = 30 * 60000; // ms between two saves of a sitting
const NO_WORDS = new Set(["marks", "markDefs", "style", "listItem", "level"]);

/** Counts the words of a value of a field, of any type. @param {unknown} value @param {Map<string, number>} counts */
function countWords(value, counts) {
	if (typeof value === "string" || typeof value === "number")
		for (const word of String(value).match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [])
			counts.set(word, (counts.get(word) ?? 0) + 1);
	else if (Array.isArray(value)) for (const one of value) countWords(one, counts);
	else if (value !== null && typeof value === "object")
		for (const [name, one] of Object.entries(value))
			if (!name.startsWith("_") && !NO_WORDS.has(name)) countWords(one, counts);
	return counts;
}

/** The numbers of words put in and taken out. A word that was only moved is neither. @returns {Words} */
export function wordsBetween(before, after) {
	const [a, b] = [before, after].map((data) => countWords(data, new Map()));
	let added = 0,
		removed = 0;

	for (const word of new Set([...a.keys(), ...b.keys()])) {
		const more = (b.get(word) ?? 0) - (a.get(word) ?? 0);

		if (more > 0) added += more;
		else removed -= more;
	}
	return { added, removed, isOther: added + removed === 0 && JSON.stringify(before) !== JSON.stringify(after) };
}

/**
 * Folds revisions into sittings. The live revision is the last of its sitting, so that it has a row.
 * @param {Revision[]} revisions newest first @param {boolean} isWhole false: there are older ones
 * @param {string | null} [live] id of the live revision
 * @returns {Sitting[]} newest first
 */
export function sittingsOf(revisions, isWhole, live = null) {
	/** @type {Revision[][]} */
	const groups = [];

	for (const one of revisions) {
		const group = groups.at(-1),
			next = group?.at(-1);

		if (
			next !== undefined &&
			next.authorId === one.authorId &&
			one.id !== live &&
			Date.parse(next.createdAt) - Date.parse(one.createdAt) <= SITTING
		)
			group.push(one);
		else groups.push([one]);
	}
	return groups.map((group, i) => {
		const before = groups[i + 1]?.[0] ?? null,
			[newest] = group;

		return {
			revisions: group,
			newest,
			oldest: group.at(-1),
			before,
			words: before === null && !isWhole ? null : wordsBetween(before?.data ?? {}, newest.data),
		};
	});
}
