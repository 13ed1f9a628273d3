// over.js - the dialog with the help for keys.
import { html } from "../../lib/html.js";
import { Button, Dialog } from "../../ui/index.js";
import { keys } from "../../editor/text/keymap.js";
import { t } from "../../editor/words.js";
import { helpIsOpen } from "./actions.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const keyName = (key) =>
	key
		.replace("Mod", isMac ? "⌘" : "Ctrl")
		.replace("ArrowUp", "↑")
		.replace("ArrowDown", "↓")
		.split("-")
		.map((k) => (k.length === 1 ? k.toUpperCase() : k));

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
		<tbody>${[
			["Mod-s", "saveNow"],
			["Mod-Shift-f", "focusMode"],
			...keys.map(([key, name]) => [String(key), String(name)]),
		].map(
			([key, name]) => html`<tr
					key=${key}><th scope="row">${t(name)}</th>
					<td>${keyName(key).map((k, i) => html`${i > 0 ? " " : ""}<kbd>${k}</kbd>`)}</td>
					</tr>`,
		)}</tbody></table>
		<p class="help">${t("typedRules")}</p>
	<//>`
	);
}
