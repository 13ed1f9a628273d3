// state.js - the state of a module as a mark.
import { html } from "../../lib/html.js";
import { wordsOf } from "../../lib/words.js";
import { Mark } from "../../ui/index.js";

const t = wordsOf("plugins");
const MARKS = { active: "live", inactive: "draft", refused: "bad", suspended: "bad" };

/** @param {{one: any}} props */
export const StateMark = ({ one }) => html`<${Mark} kind=${MARKS[one.status]}>${t(one.status)}<//>`;
