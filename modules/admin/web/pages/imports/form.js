// form.js - an import is begun: a file and what to do with it.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { sendForm } from "../../lib/upload.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Dialog, Field, Problem, SelectField, Tick } from "../../ui/index.js";

const t = wordsOf("imports");
const FORMATS = { wxr: ".xml,.gz,.zip", ghost: ".json", markdown: ".zip" };
const CHOICES = { dryRun: false, importMedia: true, importFields: false, update: false };

/** @param {{onClose: () => void, onMade: (job: any) => any}} props */
export function ImportForm({ onClose, onMade }) {
	const format = useSignal("wxr"), file = useSignal(/** @type {File | null} */ (null)), chosen = useSignal(/** @type {Record<string, boolean>} */ (CHOICES));
	const problem = useSignal(/** @type {any} */ (null)), missing = useSignal(false), share = useSignal(-1), abort = useRef(new AbortController());

	useEffect(() => () => abort.current.abort(), []);
	const send = async () => {
		const form = new FormData();

		missing.value = file.value === null;
		if (file.value === null || share.value >= 0)
			return;
		problem.value = null;
		form.append("config", JSON.stringify({ ...chosen.value, ...(format.value === "wxr" ? {} : { format: format.value }) }));
		form.append("file", file.value);
		share.value = 0;
		try {
			await onMade(await sendForm("/import/jobs", form, { signal: abort.current.signal, onProgress: (n) => (share.value = n) }));
		} catch (error) {
			if (error.name !== "AbortError")
				problem.value = error;
		} finally {
			share.value = -1;
		}
	};

	return html`<${Dialog} title=${t("make")} onClose=${onClose} onSubmit=${send} class="wide-dialog" actions=${html`<${Button} onClick=${onClose}>${t("cancel")}<//><${Button} kind="go" type="submit" isBusy=${share.value >= 0} data-save>${t("make")}<//>`}>
		<${Problem} error=${problem.value} />
		<div class="fields">
			<${SelectField} label=${t("format")} name="format" value=${format.value} onChange=${(v) => { format.value = v; }} options=${Object.keys(FORMATS).map((name) => ({ value: name, label: t(name) }))} />
			<${Field} label=${t("file")} help=${t("fileHelp")} problem=${missing.value ? t("fileWanted") : undefined}>${(props) => html`<input class="in" type="file" name="file" accept=${FORMATS[format.value]} onChange=${(e) => { file.value = e.currentTarget.files[0] ?? null; missing.value = false; }} ...${props} />`}<//>
			<${Field} label=${t("options")} isGroup>${(props) => html`<div class="stack-3" ...${props}>${Object.keys(CHOICES).map((name) => html`<${Tick} key=${name} name=${name} isOn=${chosen.value[name]} onChange=${(isOn) => (chosen.value = { ...chosen.value, [name]: isOn })}>${t(name)}<//>`)}</div>`}<//>
			<p role="status">${share.value >= 0 && html`<progress max="1" value=${share.value}></progress> ${t("sent", { n: Math.round(share.value * 100) })}`}</p>
		</div>
	<//>`;
}
