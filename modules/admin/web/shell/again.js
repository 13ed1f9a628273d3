// again.js - a dialog to sign in without leaving the page: when the session has ended, or when an operation requires a
// recent sign-in. The refused request is then sent again.
import { useEffect } from "preact/hooks";
import { signal, useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { setRefusedHandler } from "../lib/api.js";
import { loadManifest, manifest } from "../lib/site.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Waiting } from "../ui/state.js";

const t = wordsOf("shell");

/** @type {import("@preact/signals").Signal<null | {isOver: boolean, answer: (isIn: boolean) => void}>} */
const asked = signal(null);
/** @type {Promise<boolean> | null} */
let waiting = null;

// If several requests are refused at once, one dialog opens and all of them wait for it.
setRefusedHandler((error) => {
	waiting ??= new Promise((resolve) => {
		asked.value = {
			isOver: error.code === "UNAUTHORIZED",
			answer: (isIn) => {
				asked.value = null;
				waiting = null;
				resolve(isIn);
			},
		};
	});
	return waiting;
});

export function Again() {
	const ways = useSignal(/** @type {any} */ (null)),
		one = asked.value;

	useEffect(() => {
		if (one) void import("../pages/signin/ways.js").then((module) => (ways.value = module));
	}, [one]);
	if (!one) return null;
	const done = async () => {
		const before = manifest.value?.user.id;
		await loadManifest();
		// Another person has signed in: the page still shows data of the first one.
		if (before !== undefined && manifest.value.user.id !== before) location.reload();
		else one.answer(true);
	};
	const next = location.pathname + location.search;

	return html`<${Dialog} title=${t("again")} class="again" onClose=${() => one.answer(false)}
		actions=${html`<${Button} onClick=${() => one.answer(false)}>${t("notNow")}<//>`}>
		${
			ways.value
				? html`<p class="lead">${ways.value.t(one.isOver ? "over" : "recent")}</p>
				<${ways.value.Ways} next=${next} onDone=${done} hasRecovery=${one.isOver} />`
				: html`<${Waiting} />`
		}
	<//>`;
}
