// form.js - forms that are saved by a button: in a dialog, or as a page. An issue that the server reports is shown at
// its field, which gets the focus. Not part of ui/index.js, so only pages with such a form load it.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { useKeys } from "../lib/keys.js";
import { useUnsaved } from "../lib/unsaved.js";
import { wordsOf } from "../lib/words.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Problem } from "./problem.js";

const t = wordsOf("shared");

/**
 * @returns {{problem: any, isBusy: any, place: any, at: (name: string) => string | undefined, run: (save: () => any) =>
 * Promise<boolean>}} place: the element of the form
 */
function useSaving() {
	const problem = useSignal(/** @type {any} */ (null)),
		isBusy = useSignal(false),
		place = useRef(/** @type {any} */ (null));
	const run = async (save) => {
		if (isBusy.value) return false;
		isBusy.value = true;
		problem.value = null;
		try {
			await save();
			return true;
		} catch (error) {
			problem.value = error;
			return false;
		} finally {
			isBusy.value = false;
		}
	};

	useEffect(() => {
		if (problem.value) place.current?.querySelector('[aria-invalid="true"]')?.focus();
	}, [problem.value]);
	return { problem, isBusy, place, at: (name) => problem.value?.issueAt?.(name), run };
}

/**
 * @param {{title: any, yes: string, save: () => any, onClose: () => void, fields: string[], lead?: any, children: (at: (name: string) => string | undefined) => any}} props
 *   save: stores the values, or throws the server's error; after it the dialog closes. fields: members of the request
 *   that have a field; at(name) is the message of one
 */
export function FormDialog({ title, yes, save, onClose, fields, lead, children }) {
	const { problem, isBusy, place, at, run } = useSaving();
	const submit = async () => {
		if (await run(save)) onClose();
	};

	return html`<${Dialog} title=${title} onClose=${onClose} onSubmit=${submit}
		actions=${html`<${Button} kind="go" type="submit" isBusy=${isBusy.value} data-save>${yes}<//>`}>
		${lead && html`<p class="lead">${lead}</p>`}
		<${Problem} error=${problem.value} shown=${fields} />
		<div class="fields" ref=${place}>${children(at)}</div>
	<//>`;
}

/**
 * Tracks unsaved changes: touch() records one. A change during saving stays unsaved.
 */
export function useTouched() {
	const now = useSignal(0),
		saved = useSignal(0),
		wasSaved = useSignal(false);

	return { now, saved, wasSaved, touch: () => void now.value++, isDirty: () => now.peek() !== saved.peek() };
}

/**
 * A page that is a form. Typing in it touches the draft. @param {{draft: ReturnType<typeof useTouched>, save: () => any,
 *   fields: string[], yes: string, label: string, children: (at: (name: string) => string | undefined) => any, foot?: any}} props
 *   save: returns false if nothing was saved. foot: shown beside the button, which is off while nothing is changed
 */
export function PageForm({ draft, save, fields, yes, label, children, foot }) {
	const { problem, isBusy, place, at, run } = useSaving();
	const form = useRef(/** @type {any} */ (null));
	const submit = () =>
		run(async () => {
			const version = draft.now.peek();

			if ((await save()) === false) return;
			draft.saved.value = version;
			draft.wasSaved.value = true;
		});

	useUnsaved(draft.isDirty);
	useKeys([{ keys: "Ctrl S", label: yes, run: () => form.current?.requestSubmit() }]);
	// Dialogs of rich text are forms within this one.
	return html`<form class="sheet form" ref=${form} aria-label=${label}
		onInput=${(e) => !e.target.closest("dialog") && draft.touch()}
		onSubmit=${(e) => {
			e.preventDefault();
			if (e.target === e.currentTarget) void submit();
		}}>
		<${Problem} error=${problem.value} shown=${fields} />
		<div class="fields" ref=${place}>${children(at)}</div>
		<div class="form-foot">
		<p class="saved"
			role="status">
			${
				draft.now.value !== draft.saved.value
					? t("notSaved")
					: draft.wasSaved.value && html`<span class="stet">${t("saved")}</span>`
			}</p>
			<div class="bs">${foot}
			<${Button} kind="go" type="submit" isBusy=${isBusy.value}
				why=${draft.now.value === draft.saved.value ? t("nothingChanged") : undefined}
				data-save>${yes}<//></div></div>
	</form>`;
}
