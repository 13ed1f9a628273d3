// over.js - the keys of a text, in the help of the shell.
import { html } from "../../lib/html.js";
import { keys } from "../../editor/text/keymap.js";
import { t } from "../../editor/words.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const keyName = (key) =>
	key
		.replace("Mod", isMac ? "⌘" : "Ctrl")
		.replace("ArrowUp", "↑")
		.replace("ArrowDown", "↓")
		.split("-")
		.map((k) => (k.length === 1 ? k.toUpperCase() : k));

export const Keys = () => html`<table class="table keys">
	<caption class="sr">${t("keysInText")}</caption>
	<tbody>${keys.map(
		([key, name]) => html`<tr key=${key}>
		<th scope="row">${keyName(String(key)).map((k, i) => html`${i > 0 ? " " : ""}<kbd>${k}</kbd>`)}</th>
		<td>${t(String(name))}</td></tr>`,
	)}</tbody></table>
	<p class="help">${t("typedRules")}</p>`;
