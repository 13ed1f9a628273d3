// field.js - the dialog that creates or changes a field: rules by its type, and the effects of the change.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { manifest } from "../../lib/site.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Dialog, Field, Problem, SelectField, TextField, Tick } from "../../ui/index.js";
import { nameOf, typeWord } from "./name.js";
import { Plan } from "./plan.js";
import { DefaultValue, Rules } from "./rules.js";

const t = wordsOf("schema");
export const TYPES = ["string", "text", "portableText", "slug", "url", "number", "integer", "boolean", "datetime", "select", "multiSelect", "image", "file", "reference", "repeater", "json"];
const ALIKE = ["string", "text", "slug"]; // one may become another
const INDEXABLE = ["string", "slug", "url", "number", "integer", "boolean", "datetime", "select", "multiSelect", "reference"];
const SEARCHABLE = ["string", "text", "portableText"];
const TEXTS = ["multiSelect", "portableText", "image", "file", "repeater", "json"]; // cannot be unique
const BEGIN = { type: "string", slug: "", label: "", required: false, unique: false, indexed: false, searchable: false, translatable: true };

const isEmpty = (object) => object === undefined || object === null || Object.keys(object).length === 0;

/** The body of the request: all of a new field, or the changed members. @param {any} before @param {any} now */
function bodyOf(before, now) {
	const out = {};

	for (const name of ["slug", "label", "type", "required", "unique", "indexed", "searchable", "translatable", "widget"])
		if (now[name] !== undefined && (!before || now[name] !== before[name]))
			out[name] = now[name];
	for (const name of ["validation", "options"])
		if (before ? JSON.stringify(now[name] ?? {}) !== JSON.stringify(before[name] ?? {}) : !isEmpty(now[name]))
			out[name] = isEmpty(now[name]) ? null : now[name];
	if (JSON.stringify(now.defaultValue) !== JSON.stringify(before?.defaultValue))
		out.defaultValue = now.defaultValue ?? null;
	return out;
}

/** Chooses the control of the field: the default, or a plugin's widget for the type. @param {{value: any, onChange: (changes: any) => void, problem?: string}} props */
function Widget({ value, onChange, problem }) {
	const offered = (manifest.value.fieldWidgets ?? []).filter((one) => one.types.includes(value.type)).map((one) => ({ value: `${one.plugin}:${one.name}`, label: `${one.label} (${one.plugin})` }));
	const isOther = value.widget && !offered.some((one) => one.value === value.widget);

	return (offered.length > 0 || isOther) && html`<${SelectField} label=${t("widget")} name="widget" value=${value.widget ?? ""} onChange=${(v) => onChange({ widget: v || null })} problem=${problem}
		options=${[{ value: "", label: t("ownWidget") }, ...(isOther ? [{ value: value.widget, label: value.widget }] : []), ...offered]} />`;
}

/** @param {{collection: string, field?: any, onClose: () => any, onDone: (words: string) => any}} props field: absent for a new one */
export function FieldDialog({ collection, field, onClose, onDone }) {
	const now = useSignal(/** @type {any} */ ({ ...BEGIN, ...field })), isOwnSlug = useSignal(Boolean(field)), problem = useSignal(/** @type {any} */ (null));
	const { value } = now, at = (path) => problem.value?.issueAt?.(path);
	const set = (changes) => void (now.value = { ...now.value, ...changes });
	const path = `/schema/collections/${segment(collection)}/fields`;

	const setType = (type) => set({ type, ...(value.widget ? { widget: null } : {}), validation: undefined, options: undefined, defaultValue: undefined, indexed: value.indexed && INDEXABLE.includes(type), searchable: value.searchable && SEARCHABLE.includes(type), unique: value.unique && !TEXTS.includes(type) });
	const send = async () => {
		problem.value = null;
		try {
			if (field) {
				const body = bodyOf(field, now.peek());

				if (Object.keys(body).length > 0)
					await api.put(`${path}/${segment(field.slug)}`, body);
			} else
				await api.post(path, bodyOf(null, now.peek()));
			await onDone(t(field ? "fieldChanged" : "fieldMade", { name: now.peek().label }));
		} catch (error) {
			problem.value = error;
		}
	};
	const flag = (name, isFixed, isPossible = true) => isPossible && html`<${Tick} name=${name} isOn=${value[name] === true} disabled=${isFixed} onChange=${(isOn) => set({ [name]: isOn })}>${t(name)}<//>`;
	const types = !field ? TYPES : ALIKE.includes(field.type) ? ALIKE : [field.type];

	return html`<${Dialog} title=${field ? t("changeField", { name: field.label }) : t("addField")} onClose=${onClose} onSubmit=${send} class="wide-dialog" actions=${html`<${Button} onClick=${onClose}>${t("cancel")}<//><${Button} kind="go" type="submit" data-send>${t(field ? "change" : "addField")}<//>`}>
		<${Problem} error=${problem.value} shown=${problem.value?.issues?.map((one) => one.path) ?? []} />
		<div class="fields">
			<${TextField} label=${t("fieldLabel")} name="label" required maxlength="500" value=${value.label} onInput=${(v) => set({ label: v, ...(isOwnSlug.value ? {} : { slug: nameOf(v) }) })} problem=${at("label")} />
			<${TextField} label=${t("slug")} name="slug" class="mono" required maxlength="63" autocomplete="off" spellcheck="false" disabled=${Boolean(field)} help=${field ? t("fixed") : t("slugHelp")} value=${value.slug} onInput=${(v) => { isOwnSlug.value = true; set({ slug: v }); }} problem=${at("slug")} />
			<${SelectField} label=${t("type")} name="type" value=${value.type} disabled=${types.length === 1} help=${types.length === 1 ? t("fixed") : undefined} onChange=${setType} options=${types.map((one) => ({ value: one, label: typeWord(one) }))} problem=${at("type")} />
			<${Rules} value=${value} onChange=${set} at=${at} />
			<${Widget} value=${value} onChange=${set} problem=${at("widget")} />
			<${DefaultValue} value=${value} onChange=${(v) => set({ defaultValue: v })} problem=${at("defaultValue")} />
			<${Field} label=${t("rules")} isGroup help=${field ? t("rulesFixed") : undefined} problem=${["required", "unique", "indexed", "searchable", "translatable"].map(at).find(Boolean)}>${(props) => html`<div class="ticks two" ...${props}>
				${flag("required", Boolean(field))}${flag("unique", Boolean(field), !TEXTS.includes(value.type))}${flag("indexed", false, INDEXABLE.includes(value.type))}${flag("searchable", false, SEARCHABLE.includes(value.type))}${flag("translatable", Boolean(field?.translatable))}</div>`}<//>
		</div>
		<${Plan} collection=${collection} before=${field} after=${value} />
	<//>`;
}
