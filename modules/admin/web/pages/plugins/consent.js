// consent.js - the dialog before a third-party plugin runs: lists its capabilities and features.
import { html } from "../../lib/html.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Dialog } from "../../ui/index.js";
import { brings, capability } from "./say.js";

const t = wordsOf("plugins");

/** @param {{one: any, onClose: () => void, onAgree: () => any}} props */
export function Consent({ one, onClose, onAgree }) {
	const rights = [t("can_own"), ...one.capabilities.map(capability)];

	return html`<${Dialog} title=${t("consent", { name: one.name, version: one.version })} onClose=${onClose}
		class="wide-dialog"
		actions=${html`<${Button} onClick=${onClose} autofocus>${t("notNow")}<//>
			<${Button} kind="go" onClick=${onAgree} data-agree>${t("agree")}<//>`}>
		<p class="lead">${one.description}</p>
		${one.reason && html`<p class="note wrong">${t("wasSuspended", { reason: one.reason })}</p>`}
		<h3>${t("may")}</h3>
		<ul class="named" data-rights>${rights.map((text) => html`<li key=${text}><bdi>${text}</bdi></li>`)}
		</ul>
		${brings(one).map(
			({ what, names }) => html`<details
				key=${what}>
				<summary>${t(what)}<span class="value">${t("number", { n: names.length })}</span>
				</summary><p
				class="may">${names.map((name) => html`<code class="tag" key=${name}>${name}</code>`)}
				</p></details>`,
		)}
		<p class="help">${t("trust")}</p>
	<//>`;
}
