// once.js - shows a secret once, with buttons to copy and dismiss it.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "./button.js";
import { say } from "./live.js";

const t = wordsOf("shared");

/** A button that copies a text. @param {{text: string}} props */
export function Copy({ text }) {
	const isCopied = useSignal(false);
	const copy = async () => {
		await navigator.clipboard.writeText(text);
		isCopied.value = true;
		say(t("copied"));
	};

	return html`<${Button} kind="small" onClick=${copy} data-copy>${t(isCopied.value ? "copied" : "copy")}<//>`;
}

/**
 * @param {{title: string, text: string, secret: string, onClose: () => void, [name: string]: any}} props further ones
 * go to the secret
 */
export function Once({ title, text, secret, onClose, ...rest }) {
	const box = useRef(/** @type {HTMLElement | null} */ (null));

	useEffect(() => box.current?.focus(), []);
	return html`<div
		class="notices"><div class="note heed once" tabindex="-1" ref=${box} role="group" aria-label=${title}>
		<div><p><strong>${title}.</strong> ${text}</p><p><code class="secret" ...${rest}>${secret}</code></p>
		</div>
		<div class="bs"><${Copy} text=${secret} />
		<button type="button" class="b bare small" onClick=${onClose}>${t("dismiss")}</button></div>
	</div></div>`;
}
