// many.js - lists of names that may be long: in natural order, with a filter.
import { fold } from "./fold.js";
import { language } from "./words.js";

export const MANY = 15; // a list of so many names has a filter

/**
 * Natural order: "Shelf 2" before "Shelf 10".
 * @template {{label: string, order?: number}} T @param {T[]} rows @returns {T[]}
 */
export function inOrder(rows) {
	const { compare } = new Intl.Collator(language.value, { numeric: true });

	return rows.sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || compare(a.label, b.label));
}

/**
 * The rows whose labels have the typed words.
 * @template {{label: string}} T @param {T[]} rows @param {string} typed @returns {T[]}
 */
export const matching = (rows, typed) => rows.filter((row) => fold(row.label).includes(fold(typed.trim())));
