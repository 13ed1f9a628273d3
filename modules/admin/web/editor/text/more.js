// more.js - what a text has besides typing. It is fetched when the text can be typed in already.
import { gapCursor } from "prosemirror-gapcursor";
import { handles } from "./handle.js";
import { links } from "./links.js";
import { notes } from "./noteviews.js";
import { readOwnTypes } from "./ownblocks.js";
import { pluginViews } from "./pluginblocks.js";
import { rules } from "./rules.js";
import { slashMenu } from "./slash.js";
import { tasks } from "./tasks.js";

/** @param {import("./view.js").TextView} text */
export function morePlugins(text) {
	readOwnTypes();
	// The view makes all blocks anew, since footnotes and callouts have their views from now on.
	text.ownView = pluginViews(text);
	return [slashMenu(text), handles(text), ...rules(text), ...notes(), ...links(), ...tasks(), gapCursor()];
}
