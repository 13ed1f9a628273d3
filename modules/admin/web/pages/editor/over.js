// over.js - the keys of a text, in the help of the shell.
import { html } from "../../lib/html.js";
import { keys } from "../../editor/text/keymap.js";
import { t } from "../../editor/words.js";
import { keyName } from "../../lib/keys.js";

/** "Mod-Shift-x" of ProseMirror as the keys that are pressed. @param {string} keys */
const namesOf = (keys) =>
	keys
		.replace("Mod", "Ctrl")
		.replace("ArrowUp", "↑")
		.replace("ArrowDown", "↓")
		.split("-")
		.map((key) => (key.length === 1 ? key.toUpperCase() : keyName(key)));

export const Keys = () => html`<table class="table keys">
	<caption class="sr">${t("keysInText")}</caption>
	<tbody>${keys.map(
		([key, name]) => html`<tr key=${key}>
		<th scope="row">${namesOf(String(key)).map((k, i) => html`${i > 0 ? " " : ""}<kbd>${k}</kbd>`)}</th>
		<td>${t(String(name))}</td></tr>`,
	)}</tbody></table>
	<p class="help">${t("typedRules")}</p>`;
