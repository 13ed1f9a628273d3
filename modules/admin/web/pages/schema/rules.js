// rules.js - the controls for a field's validation rules and options, which depend on its type.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { wordsOf } from "../../lib/words.js";
import { manifest } from "../../lib/site.js";
import { Button, Field, SelectField, TextField, Tick } from "../../ui/index.js";
import { typeWord } from "./name.js";

const t = wordsOf("schema");
const SUB_TYPES = ["string", "text", "url", "number", "integer", "boolean", "datetime", "select", "image"];

/** The object with a member changed, or without it if the value is undefined. @param {any} object @param {string} name @param {any} value */
function withMember(object, name, value) {
	const next = { ...object };

	if (value === undefined)
		delete next[name];
	else
		next[name] = value;
	return next;
}

const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/**
 * A list of texts, one per line. The typed text is kept while it still means the value.
 * @param {{label: string, name: string, help?: any, value?: string[] | null, onChange: (all?: string[]) => void, problem?: string}} props
 */
export function Lines({ label, name, help, value, onChange, problem }) {
	const typed = useSignal(""), all = (value ?? []).join("\n"), shown = linesOf(typed.value).join("\n") === all ? typed.value : all;

	return html`<${Field} label=${label} help=${help} problem=${problem}>${(props) => html`<textarea class="in" rows="3" name=${name} value=${shown} onInput=${(e) => { typed.value = e.currentTarget.value; const next = linesOf(typed.value); onChange(next.length > 0 ? next : undefined); }} ...${props}></textarea>`}<//>`;
}

function SubFields({ rows, onChange, at }) {
	const all = rows ?? [];
	const set = (i, changes) => onChange(all.map((row, k) => (k === i ? { ...row, ...changes } : row)));
	const out = (i) => onChange(all.length > 1 ? all.filter((_, k) => k !== i) : undefined);
	const problem = at("validation.subFields");

	return html`<${Field} label=${t("subFields")} isGroup problem=${problem}>${(props) => html`<div class="stack-3" ...${props}>
		${all.map((row, i) => html`<fieldset class="sub-field" key=${i}><legend class="sr">${t("subField", { n: i + 1 })}</legend>
			<label class="stack"><span>${t("fieldLabel")}</span><input class="in" name="sub-label" value=${row.label ?? ""} onInput=${(e) => set(i, { label: e.currentTarget.value })} /></label>
			<label class="stack"><span>${t("slug")}</span><input class="in mono" name="sub-slug" value=${row.slug ?? ""} onInput=${(e) => set(i, { slug: e.currentTarget.value })} /></label>
			<label class="stack"><span>${t("type")}</span><select class="in" name="sub-type" value=${row.type} onChange=${(e) => set(i, { type: e.currentTarget.value })}>${SUB_TYPES.map((one) => html`<option key=${one} value=${one} selected=${one === row.type}>${typeWord(one)}</option>`)}</select></label>
			${row.type === "select" && html`<label class="stack"><span>${t("choices")}</span><textarea class="in" rows="2" onChange=${(e) => set(i, { options: linesOf(e.currentTarget.value) })}>${(row.options ?? []).join("\n")}</textarea></label>`}
			<div class="bs"><${Tick} isOn=${row.required === true} onChange=${(isOn) => set(i, { required: isOn })}>${t("required")}<//><${Button} kind="small out" onClick=${() => out(i)} aria-label=${t("subOut", { name: row.label || row.slug || String(i + 1) })}>${t("takeOut")}<//></div></fieldset>`)}
		<div><${Button} kind="small" onClick=${() => onChange([...all, { slug: "", label: "", type: "string" }])} data-sub>${t("addSub")}<//></div></div>`}<//>`;
}

/** @param {{value: any, onChange: (changes: any) => void, at: (path: string) => string | undefined}} props */
export function Rules({ value, onChange, at }) {
	const { validation = {}, options = {}, type } = value;
	const rule = (name, v) => onChange({ validation: withMember(validation, name, v) }), option = (name, v) => onChange({ options: withMember(options, name, v) });
	const number = (name) => html`<${TextField} key=${name} label=${t(name)} name=${name} type="number" class="short num" value=${String(validation[name] ?? "")} onInput=${(v) => rule(name, v === "" ? undefined : Number(v))} problem=${at(`validation.${name}`)} step=${type === "number" ? "any" : "1"} />`;
	const text = (name, more = {}) => html`<${TextField} key=${name} label=${t(name)} name=${name} value=${validation[name] ?? ""} onInput=${(v) => rule(name, v === "" ? undefined : v)} problem=${at(`validation.${name}`)} ...${more} />`;
	const lines = (name, label, help) => html`<${Lines} key=${type + name} label=${label} name=${name} help=${help} value=${validation[name]} onChange=${(v) => rule(name, v)} problem=${at(`validation.${name}`)} />`;

	switch (type) {
	case "string":
	case "text":
	case "slug":
		return html`${number("minLength")}${number("maxLength")}${text("pattern", { class: "mono", help: t("patternHelp"), maxlength: 1000 })}`;
	case "number":
	case "integer":
		return html`${number("min")}${number("max")}`;
	case "datetime":
		return html`${text("min", { class: "half mono", help: t("dateHelp") })}${text("max", { class: "half mono" })}`;
	case "select":
		return lines("options", t("choices"), t("linesHelp"));
	case "multiSelect":
		return html`${lines("options", t("choices"), t("linesHelp"))}${number("minItems")}${number("maxItems")}`;
	case "image":
	case "file":
		return lines("allowedMimeTypes", t("allowedMimeTypes"), t("mimeHelp"));
	case "reference":
		return html`<${SelectField} label=${t("target")} name="target" value=${options.collection ?? ""} onChange=${(v) => option("collection", v || undefined)} problem=${at("options.collection")} options=${[{ value: "", label: "–" }, ...manifest.value.collections.map((c) => ({ value: c.slug, label: c.label }))]} />
			<${Tick} name="allowMultiple" isOn=${options.allowMultiple === true} onChange=${(isOn) => option("allowMultiple", isOn || undefined)}>${t("allowMultiple")}<//>`;
	case "repeater":
		return html`<${SubFields} rows=${validation.subFields} onChange=${(rows) => rule("subFields", rows)} at=${at} />${number("minItems")}${number("maxItems")}`;
	default:
		return null;
	}
}

/** @param {{value: any, onChange: (value: any) => void, problem?: string}} props */
export function DefaultValue({ value, onChange, problem }) {
	const { type, defaultValue } = value, choices = type === "boolean" ? [["true", t("yes")], ["false", t("no")]] : type === "select" ? (value.validation?.options ?? []).map((one) => [one, one]) : null;
	const read = (text) => (text === "" ? undefined : type === "boolean" ? text === "true" : type === "number" || type === "integer" ? Number(text) : text);

	if (choices)
		return html`<${SelectField} label=${t("defaultValue")} name="defaultValue" value=${String(defaultValue ?? "")} onChange=${(v) => onChange(read(v))} problem=${problem} options=${[{ value: "", label: "–" }, ...choices.map(([v, label]) => ({ value: v, label }))]} />`;
	if (["string", "text", "slug", "url", "number", "integer", "datetime"].includes(type))
		return html`<${TextField} label=${t("defaultValue")} name="defaultValue" type=${type === "number" || type === "integer" ? "number" : "text"} step=${type === "number" ? "any" : undefined} class="half" value=${String(defaultValue ?? "")} onInput=${(v) => onChange(read(v))} problem=${problem} />`;
	return null;
}
