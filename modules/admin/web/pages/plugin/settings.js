// settings.js - the form of a module's settings, made from their JSON Schema.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useDraft } from "../../lib/draft.js";
import { useLoad } from "../../lib/load.js";
import { wordsOf } from "../../lib/words.js";
import { Field, FormFoot, Loaded, Problem, tell } from "../../ui/index.js";
import { labelOf } from "../plugins/say.js";

const t = wordsOf("plugin");
const LONG = 300; // a text whose maximum length is greater gets a textarea

/** The kind of control; "json" for types without one of their own. @param {any} schema */
function kindOf(schema) {
	const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;

	if (Array.isArray(schema.enum))
		return "choice";
	if (type === "array")
		return schema.items?.type === "string" ? "lines" : "json";
	return ["boolean", "integer", "number", "string"].includes(type) ? type : "json";
}

/** Converts the text of a control; null resets the setting. @param {string} kind @param {string} text */
function valueOf(kind, text) {
	if (text.trim() === "")
		return null;
	if (kind === "lines")
		return text.split("\n").map((line) => line.trim()).filter(Boolean);
	if (kind === "integer" || kind === "number")
		return Number.isFinite(Number(text)) ? Number(text) : text;
	return text;
}

/** @param {string} kind @param {any} value */
const textOf = (kind, value) => (value === null || value === undefined ? "" : kind === "lines" && Array.isArray(value) ? value.join("\n") : typeof value === "object" ? JSON.stringify(value, null, "\t") : String(value));

function Control({ schema, kind, value, onValue, props }) {
	// Keep the typed text: converting it to lines and back would remove a final line break.
	const typed = useSignal(/** @type {string | null} */ (null));
	const text = typed.value !== null && JSON.stringify(valueOf(kind, typed.value)) === JSON.stringify(value ?? null) ? typed.value : textOf(kind, value);
	const change = (e) => {
		typed.value = e.currentTarget.value;
		onValue(valueOf(kind, typed.value));
	};

	if (kind === "choice")
		return html`<select class="in half" value=${textOf(kind, value)} onChange=${(e) => onValue(schema.enum.find((one) => String(one) === e.currentTarget.value) ?? null)} ...${props}>${schema.enum.map((one) => html`<option key=${one} value=${String(one)} selected=${one === value}>${String(one)}</option>`)}</select>`;
	if (kind === "integer" || kind === "number")
		return html`<input class="in short num" type="number" step=${kind === "number" ? "any" : "1"} value=${text} onInput=${change} ...${props} />`;
	if (kind === "lines" || (kind === "string" && (schema.maxLength ?? 0) > LONG))
		return html`<textarea class="in" rows="3" value=${text} onInput=${change} ...${props}></textarea>`;
	return html`<input class="in" value=${text} onInput=${change} ...${props} />`;
}

/** A control for JSON, which is parsed when the form is sent. */
const JsonControl = ({ value, onValue, props }) => html`<textarea class="in mono" rows="4" spellcheck="false" value=${typeof value === "string" ? value : textOf("json", value)} onInput=${(e) => onValue(e.currentTarget.value)} ...${props}></textarea>`;

function Setting({ name, schema, draft, problem }) {
	const kind = kindOf(schema), value = draft.value(name), set = (v) => draft.set(name, v);
	const fallback = schema.default !== undefined && schema.default !== null && kind !== "boolean" ? t("fallback", { value: typeof schema.default === "object" ? JSON.stringify(schema.default) : String(schema.default) }) : "";
	const bounds = schema.maximum !== undefined && schema.minimum !== undefined ? t("bounds", { least: schema.minimum, most: schema.maximum }) : "";
	const help = [schema.description && `${schema.description}.`, bounds, fallback, kind === "lines" && t("lines")].filter(Boolean).join(" ");

	return html`<${Field} label=${labelOf(name)} help=${help} problem=${problem}>${(props) => kind === "boolean"
		? html`<span class="row"><input type="checkbox" role="switch" class="switch" name=${name} checked=${value === true} onChange=${(e) => set(e.currentTarget.checked)} ...${props} /></span>`
		: kind === "json" ? html`<${JsonControl} value=${value} onValue=${set} props=${{ name, ...props }} />`
			: html`<${Control} schema=${schema} kind=${kind} value=${value} onValue=${set} props=${{ name, ...props }} />`}<//>`;
}

function Form({ id, data, onSaved }) {
	const { schema, values } = data, draft = useDraft(values), problem = useSignal(/** @type {any} */ (null)), broken = useSignal(/** @type {Record<string, string>} */ ({})), isBusy = useSignal(false);
	const names = Object.keys(schema.properties ?? {});

	/** The body of the request; null: some text is not valid JSON. */
	const read = () => {
		const out = {}, wrong = /** @type {Record<string, string>} */ ({});

		for (const [name, value] of Object.entries(draft.changes.peek()))
			if (kindOf(schema.properties[name]) === "json" && typeof value === "string")
				try {
					out[name] = value.trim() === "" ? null : JSON.parse(value);
				} catch (error) {
					wrong[name] = t("noJson", { message: error.message });
				}
			else
				out[name] = value;
		broken.value = wrong;
		return Object.keys(wrong).length > 0 ? null : out;
	};
	const save = async () => {
		const sent = read();

		problem.value = null;
		if (sent === null)
			return;
		isBusy.value = true;
		try {
			onSaved(await api.put(`/admin/plugins/${segment(id)}/settings`, { values: sent }));
			draft.reset();
			tell(t("saved"));
		} catch (error) {
			problem.value = error;
		} finally {
			isBusy.value = false;
		}
	};

	return html`<form class="sheet form" noValidate aria-labelledby="settings-h" onSubmit=${(e) => { e.preventDefault(); void save(); }}>
		<h2 id="settings-h">${t("settings")}</h2><${Problem} error=${problem.value} shown=${names} />
		<div class="fields">${names.map((name) => html`<${Setting} key=${name} name=${name} schema=${schema.properties[name]} draft=${draft} problem=${broken.value[name] ?? problem.value?.issueAt?.(name)} />`)}</div>
		<${FormFoot} draft=${draft} isBusy=${isBusy.value} />
	</form>`;
}

/** @param {{id: string}} props */
export function Settings({ id }) {
	const settings = useLoad((signal) => api.get(`/admin/plugins/${segment(id)}/settings`, { signal }), [id]);

	return html`<${Loaded} from=${settings}>${(data) => html`<${Form} id=${id} data=${data} onSaved=${(answer) => (settings.data.value = answer)} />`}<//>`;
}
