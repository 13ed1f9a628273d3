// proof.js - lets the server check the whole hash chain of the log, and shows the result.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";
import { longTime } from "../../lib/time.js";
import { Button, Problem, TextField, say } from "../../ui/index.js";

const t = wordsOf("audit");

function Result({ proof }) {
	const isGood = proof.problems.length === 0;

	return html`<div class=${`note ${isGood ? "" : "wrong"}`} role="status" data-proof><div>
		<p><strong>${t(isGood ? "whole" : "broken")}
		</strong> ${t("records", { n: proof.records })} ${
			proof.first && t("span", { from: longTime(proof.first), to: longTime(proof.last) })
		} ${proof.pruned > 0 && t("pruned", { n: proof.pruned })}</p>
		${
			!isGood &&
			html`<ul class="named">${proof.problems.map((text) => html`<li key=${text}>${text}</li>`)}
			</ul>`
		}
		<p>${t("head")} <code class="secret" data-head>${proof.head}</code></p></div></div>`;
}

export function Proof() {
	const pin = useSignal(""),
		proof = useSignal(/** @type {any} */ (null)),
		problem = useSignal(/** @type {any} */ (null));
	const check = async () => {
		problem.value = null;
		proof.value = null;
		try {
			proof.value = await api.get("/admin/audit/verify", { query: { pin: pin.value.trim() } });
			say(t(proof.value.problems.length === 0 ? "whole" : "broken"));
		} catch (error) {
			problem.value = error;
		}
	};

	return html`<details
		class="sheet pad proof"><summary>${t("proof")}</summary>
		<form class="stack-3" noValidate onSubmit=${(e) => e.preventDefault()}>
		<p class="lead">${t("proofAbout")}</p>
		<div class="fields">
		<${TextField} label=${t("pin")} name="pin" class="mono" autocomplete="off" spellcheck="false"
			help=${t("pinHelp")} value=${pin.value} onInput=${(v) => (pin.value = v)}
			problem=${problem.value?.issueAt?.("pin")} /></div>
		<div><${Button} onClick=${check} type="submit" data-check>${t("check")}<//></div>
		<${Problem} error=${problem.value} shown=${["pin"]} />
		${proof.value && html`<${Result} proof=${proof.value} />`}
	</form></details>`;
}
