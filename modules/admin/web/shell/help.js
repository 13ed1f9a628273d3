// help.js - the dialog that lists the keyboard shortcuts, also those of the open page's own parts; "?" opens it.
import { signal } from "@preact/signals";
import { html } from "../lib/html.js";
import { keyName, keys, singleKeys } from "../lib/keys.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Switch } from "../ui/field.js";

const t = wordsOf("shell");

export const isHelpOpen = signal(false);
/** A component with the keys of the open page that are no shortcuts of useKeys: those within a text. */
export const pageKeys = signal(/** @type {any} */ (null));

const Keys = ({ text }) =>
	text.split(" ").map(
		(one, i) => html`${i > 0 && " "}
	<kbd>${keyName(one)}</kbd>`,
	);

export function Help() {
	if (!isHelpOpen.value) return null;
	const close = () => (isHelpOpen.value = false);

	return html`<${Dialog} title=${t("help")} onClose=${close}
		actions=${html`<${Button} kind="go" onClick=${close}>${t("close")}<//>`}>
		<table class="table keys"><caption class="sr">${t("help")}</caption>
			<thead class="sr"><tr><th scope="col">${t("key")}</th><th scope="col">${t("does")}</th></tr>
			</thead>
			<tbody>${keys.value.map(
				(one) => html`<tr
				key=${one.keys}><th scope="row"><${Keys} text=${one.keys} /></th><td>${one.label}</td>
				</tr>`,
			)}</tbody>
		</table>
		${pageKeys.value && html`<${pageKeys.value} />`}
		<${Switch} isOn=${singleKeys.value} onChange=${(isOn) => (singleKeys.value = isOn)}
			label=${t("singleKeys")} />
	<//>`;
}
