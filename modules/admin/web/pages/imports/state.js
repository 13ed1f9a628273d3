// state.js - the state of an import as a mark, and helpers for imports.
import { html } from "../../lib/html.js";
import { segment } from "../../lib/api.js";
import { formatter, wordsOf } from "../../lib/words.js";
import { Mark } from "../../ui/index.js";

const t = wordsOf("imports");
const KINDS = { queued: "due", running: "changed", paused: "draft", cancelled: "gone", done: "live", failed: "bad" };

/** @param {{id: string}} one */
export const pathOf = (one) => `/imports/${segment(one.id)}`;
/** True if the import is running or queued. @param {{state: string}} one */
export const isGoing = (one) => one.state === "queued" || one.state === "running";
/** Does the file have rows, each with values by name? @param {string} [format] */
export const isRows = (format) => format === "csv" || format === "jsonl";
/** The name of the file's format. @param {{config: any}} one */
export const formatWord = (one) => t(["ghost", "markdown", "csv", "jsonl"].includes(one.config.format) ? one.config.format : "wxr");
/** @param {number} n */
export const number = (n) => formatter("NumberFormat").format(n);

/** @param {{one: any}} props */
export const ImportMark = ({ one }) => html`<${Mark} kind=${KINDS[one.state]}>${t(one.state)}<//>`;
