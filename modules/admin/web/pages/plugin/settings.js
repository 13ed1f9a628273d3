// settings.js - the form of a module's settings, made from their JSON Schema.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useDraft } from "../../lib/draft.js";
import { useLoad } from "../../lib/load.js";
import { wordsOf } from "../../lib/words.js";
import { FormFoot, Loaded, Problem, tell } from "../../ui/index.js";
import { OptionField, readOptions } from "../../ui/options.js";

const t = wordsOf("plugin");

function Form({ id, data, onSaved }) {
	const { schema } = data,
		draft = useDraft(data.values),
		problem = useSignal(/** @type {any} */ (null)),
		broken = useSignal(/** @type {Record<string, string>} */ ({})),
		isBusy = useSignal(false);
	const names = Object.keys(schema.properties ?? {});

	const save = async () => {
		const { values, wrong } = readOptions(draft.changes.peek());

		problem.value = null;
		broken.value = wrong;
		if (Object.keys(wrong).length > 0) return;
		isBusy.value = true;
		try {
			onSaved(await api.put(`/admin/plugins/${segment(id)}/settings`, { values }));
			draft.reset();
			tell(t("saved"));
		} catch (error) {
			problem.value = error;
		} finally {
			isBusy.value = false;
		}
	};

	return html`<form class="sheet form" noValidate aria-labelledby="settings-h"
		onSubmit=${(e) => {
			e.preventDefault();
			void save();
		}}>
		<h2 id="settings-h">${t("settings")}</h2><${Problem} error=${problem.value} shown=${names} />
		<div class="fields">
		${names.map(
			(name) => html`<${OptionField} key=${name} name=${name} schema=${schema.properties[name]}
			value=${draft.value(name)} onValue=${(v) => draft.set(name, v)}
			problem=${broken.value[name] ?? problem.value?.issueAt?.(name)} />`,
		)}</div>
		<${FormFoot} draft=${draft} isBusy=${isBusy.value} />
	</form>`;
}

/** @param {{id: string}} props */
export function Settings({ id }) {
	const settings = useLoad((signal) => api.get(`/admin/plugins/${segment(id)}/settings`, { signal }), [id]);

	return html`<${Loaded}
		from=${settings}>
		${(data) => html`<${Form} id=${id} data=${data}
			onSaved=${(answer) => (settings.data.value = answer)} />`}<//>`;
}
