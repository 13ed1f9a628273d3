// safe.js - a hint on the start page for those who would be locked out if they lost a device: one passkey at most, and no
// recovery codes.
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { keep, recall } from "../../lib/kept.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { useSignal } from "@preact/signals";
import { wordsOf } from "../../lib/words.js";

const t = wordsOf("start"),
	shared = wordsOf("shared");

/** @param {AbortSignal} signal */
async function load(signal) {
	const [codes, passkeys] = await Promise.all([
		api.get("/auth/recovery-codes", { signal, quiet: true }),
		api.get("/auth/passkey", { signal, quiet: true }),
	]);

	return { codes: codes.remaining, passkeys: passkeys.items.length };
}

export function Safe() {
	const isGone = useSignal(recall("safeLater", false));

	return !isGone.value && html`<${Hint} isGone=${isGone} />`;
}

function Hint({ isGone }) {
	const now = useLoad(load, []).data.value;

	if (!now || now.codes > 0 || now.passkeys !== 1) return null;
	const later = () => {
		isGone.value = true;
		keep("safeLater", true);
	};
	return html`<div class="note heed" data-safe><p>${t("safe")}</p>
		<div class="bs"><a class="b small" href=${href("/me")}>${t("safeGo")}</a>
		<button type="button" class="b bare small" onClick=${later}>${shared("dismiss")}</button></div></div>`;
}
