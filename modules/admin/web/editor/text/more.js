// more.js - what a text has besides typing. It is fetched when the text can be typed in already.
import { gapCursor } from "prosemirror-gapcursor";
import { rules } from "./rules.js";

/** @param {import("./view.js").TextView} text */
export const morePlugins = (text) => [rules(text), gapCursor()];
