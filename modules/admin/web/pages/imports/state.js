// state.js - how an import is: a shape and a word; how far it is.
import { html } from "../../lib/html.js";
import { segment } from "../../lib/api.js";
import { formatter, wordsOf } from "../../lib/words.js";
import { Mark } from "../../ui/index.js";

const t = wordsOf("imports");
const KINDS = { queued: "due", running: "changed", paused: "draft", cancelled: "gone", done: "live", failed: "bad" };

/** @param {{id: string}} one */
export const pathOf = (one) => `/imports/${segment(one.id)}`;
/** Will it go on by itself? @param {{state: string}} one */
export const isGoing = (one) => one.state === "queued" || one.state === "running";
/** Does the file have rows, each with values by name? @param {string} [format] */
export const isRows = (format) => format === "csv" || format === "jsonl";
/** What the file was, in a word. @param {{config: any}} one */
export const formatWord = (one) => t(["ghost", "markdown", "csv", "jsonl"].includes(one.config.format) ? one.config.format : "wxr");
/** @param {number} n */
export const number = (n) => formatter("NumberFormat").format(n);

/** @param {{one: any}} props */
export const ImportMark = ({ one }) => html`<${Mark} kind=${KINDS[one.state]}>${t(one.state)}<//>`;
