// state.js - the state of an import as a mark, and helpers for imports.
import { html } from "../../lib/html.js";
import { segment } from "../../lib/api.js";
import { rowWord } from "../../lib/forms.js";
import { formatter, wordsOf } from "../../lib/words.js";
import { Mark } from "../../ui/index.js";

/** @typedef {import("../../lib/forms.js").Importer} Importer */

const t = wordsOf("imports");
const KINDS = { queued: "due", running: "changed", paused: "draft", cancelled: "gone", done: "live", failed: "bad" };

/** @param {{id: string}} one */
export const pathOf = (one) => `/imports/${segment(one.id)}`;
/** True if the import is running or queued. @param {{state: string}} one */
export const isGoing = (one) => one.state === "queued" || one.state === "running";
/** Does the file have rows, each with values by name? @param {string} [format] */
export const isRows = (format) => format === "csv" || format === "jsonl";
/**
 * Formats that can be imported: WordPress, which the module reads itself, and what importers read.
 * @param {Importer[] | null} importers
 * @returns {Importer[]}
 */
export const formatsOf = (importers) => [
	{ name: "wxr", label: t("wxr"), description: "", files: [".xml", ".gz", ".zip"] },
	...(importers ?? []),
];
/** @param {Importer} format */
export const labelOf = (format) => rowWord("imports", "format", format);
/**
 * What the file was, in a word; the name of a format that is not in use.
 * @param {Importer[] | null} importers
 * @param {{config: any}} one
 */
export function formatWord(importers, one) {
	const name = one.config.format ?? "wxr",
		format = formatsOf(importers).find((found) => found.name === name);

	return format ? labelOf(format) : name;
}
/** @param {number} n */
export const number = (n) => formatter("NumberFormat").format(n);

/** @param {{one: any}} props */
export const ImportMark = ({ one }) => html`<${Mark} kind=${KINDS[one.state]}>${t(one.state)}<//>`;
