// dialog.js - a native modal dialog: it holds the focus, Escape closes it, and the focus returns where it was.
//
//	<${Dialog} title="New token" onClose=${close} actions=${html`<${Button} kind="go" ...>Make<//>`}> ... <//>
//	if (await ask({ title, text, yes: "Delete for good", isFinal: true })) ...
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "./button.js";
import { useSending } from "./sending.js";

const t = wordsOf("shared");

/**
 * @param {{title: any, onClose: () => void, actions?: any, children?: any, class?: string, onSubmit?: (event: Event) =>
 * any, hasCancel?: boolean, isQuestion?: boolean}} props onSubmit: the dialog is a form, which has a button to cancel unless hasCancel is false
 */
export function Dialog({
	title,
	onClose,
	actions,
	children,
	class: more = "",
	onSubmit,
	hasCancel = Boolean(onSubmit),
	isQuestion = false,
}) {
	const ref = useRef(/** @type {HTMLDialogElement | null} */ (null)),
		id = useId(),
		submit = useSending(onSubmit);

	// Before the next key, which belongs into the dialog.
	useLayoutEffect(() => {
		const before = /** @type {HTMLElement | null} */ (document.activeElement);

		ref.current?.showModal();
		return () => {
			ref.current?.close();
			// The element that opened the dialog may be gone.
			(before?.isConnected && before !== document.body
				? before
				: document.getElementById("main")
			)?.focus();
		};
	}, []);
	const body = html`<header><h2 id=${id}>${title}</h2></header>
		<div class="stack-3" id=${`${id}-text`}>${children}</div>
		${
			actions &&
			html`<footer>
			${hasCancel && html`<${Button} onClick=${onClose} data-cancel>${t("cancel")}<//>`}${actions}</footer>`
		}`;

	// Closing a file chooser within the dialog also fires "cancel", which bubbles up to here.
	const cancel = (e) => {
		if (e.target !== ref.current) return;
		e.preventDefault();
		onClose();
	};

	return html`<dialog class=${`dialog ${more}`} ref=${ref} aria-labelledby=${id}
		aria-describedby=${isQuestion ? `${id}-text` : undefined} onCancel=${cancel}>
		${onSubmit ? html`<form onSubmit=${submit}>${body}</form>` : body}
	</dialog>`;
}

/**
 * @type {import("@preact/signals").Signal<null | {title: string, text?: any, yes: string, no?: string, isFinal?:
 * boolean, answer: (yes: boolean) => void}>}
 */
const asked = signal(null);

/**
 * Asks the person to confirm. @param {{title: string, text?: any, yes: string, no?: string, isFinal?: boolean}} question
 * @returns {Promise<boolean>}
 */
export function ask(question) {
	return new Promise((resolve) => {
		asked.value?.answer(false);
		asked.value = {
			...question,
			answer: (yes) => {
				asked.value = null;
				resolve(yes);
			},
		};
	});
}

/** The dialog of ask(). The shell contains it once. */
export function Questions() {
	const one = asked.value;

	return (
		one &&
		html`<${Dialog} title=${one.title} isQuestion=${true} onClose=${() => one.answer(false)} actions=${html`
		<${Button} onClick=${() => one.answer(false)} autofocus>${one.no ?? t("cancel")}<//>
		<${Button} kind=${one.isFinal ? "out" : "go"} onClick=${() => one.answer(true)} data-yes>${one.yes}
		<//>`}>
		${one.text && html`<p class="lead">${one.text}</p>`}
	<//>`
	);
}
