// over.js - dialogs over the editor: the preview, and the help for keys.
import { html } from "../../lib/html.js";
import { previewAt } from "../../lib/preview.js";
import { manifest } from "../../lib/site.js";
import { shortTime } from "../../lib/time.js";
import { Button, Dialog } from "../../ui/index.js";
import { keys } from "../../editor/text/keymap.js";
import { t } from "../../editor/words.js";
import { helpIsOpen, preview } from "./actions.js";

export function Preview() {
	const at = preview.value;

	if (at === null) return null;
	const { href, isInside } = previewAt(at.url, manifest.value.siteUrl);

	return html`<${Dialog} title=${t("preview")} class="preview-dialog" onClose=${() => {
		preview.value = null;
	}}
		actions=${html`
		<a class="b" href=${href} target="_blank" rel="noopener">${t("openAlone")}</a>
		<${Button} onClick=${() => {
			preview.value = null;
		}}>${t("close")}<//>`}>
		${
			isInside
				? html`<iframe class="preview-frame" src=${href} title=${t("preview")}
			sandbox="allow-scripts allow-forms" referrerpolicy="no-referrer"></iframe>`
				: html`<p class="lead">${t("previewElsewhere")}</p>`
		}
		<p class="help">${t("previewUntil", { time: shortTime(new Date(at.expiresAt * 1000).toISOString()) })}
		</p>
	<//>`;
}

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
		<tbody>${[["Mod-s", "saveNow"], ...keys.map(([key, name]) => [String(key), String(name)])].map(
			([key, name]) => html`<tr
					key=${key}><th scope="row">${t(name)}</th>
					<td>${keyName(key).map((k, i) => html`${i > 0 ? " " : ""}<kbd>${k}</kbd>`)}</td>
					</tr>`,
		)}</tbody></table>
		<p class="help">${t("typedRules")}</p>
	<//>`
	);
}
