// once.js - shows a secret once, with buttons to copy and dismiss it.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "./button.js";
import { say } from "./live.js";

const t = wordsOf("shared");

/**
 * @param {{title: string, text: string, secret: string, onClose: () => void, [name: string]: any}} props further ones
 * go to the secret
 */
export function Once({ title, text, secret, onClose, ...rest }) {
	const box = useRef(/** @type {HTMLElement | null} */ (null)),
		isCopied = useSignal(false);

	useEffect(() => box.current?.focus(), []);
	const copy = async () => {
		await navigator.clipboard.writeText(secret);
		isCopied.value = true;
		say(t("copied"));
	};
	return html`<div
		class="notices"><div class="note heed once" tabindex="-1" ref=${box} role="group" aria-label=${title}>
		<div><p><strong>${title}.</strong> ${text}</p><p><code class="secret" ...${rest}>${secret}</code></p>
		</div>
		<div class="bs"><${Button} kind="small" onClick=${copy}>${t(isCopied.value ? "copied" : "copy")}<//>
		<button type="button" class="b bare small" onClick=${onClose}>${t("dismiss")}</button></div>
	</div></div>`;
}
