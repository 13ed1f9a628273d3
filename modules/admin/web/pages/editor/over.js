// over.js - the dialog with the help for keys.
import { html } from "../../lib/html.js";
import { Button, Dialog } from "../../ui/index.js";
import { keys } from "../../editor/text/keymap.js";
import { t } from "../../editor/words.js";
import { keyName } from "../../lib/keys.js";
import { helpIsOpen } from "./actions.js";

/** "Mod-Shift-x" of ProseMirror as the keys that are pressed. @param {string} keys */
const namesOf = (keys) =>
	keys
		.replace("Mod", "Ctrl")
		.replace("ArrowUp", "↑")
		.replace("ArrowDown", "↓")
		.split("-")
		.map((key) => (key.length === 1 ? key.toUpperCase() : keyName(key)));

export function Keys() {
	return (
		helpIsOpen.value &&
		html`<${Dialog} title=${t("keys")} onClose=${() => {
			helpIsOpen.value = false;
		}}
		actions=${html`<${Button} onClick=${() => {
			helpIsOpen.value = false;
		}}>${t("close")}<//>`}>
		<table class="table">
		<tbody>${[["Mod-s", "saveNow"], ...keys.map(([key, name]) => [String(key), String(name)])].map(
			([key, name]) => html`<tr
					key=${key}><th scope="row">${t(name)}</th>
					<td>${namesOf(key).map((k, i) => html`${i > 0 ? " " : ""}<kbd>${k}</kbd>`)}</td>
					</tr>`,
		)}</tbody></table>
		<p class="help">${t("typedRules")}</p>
	<//>`
	);
}
