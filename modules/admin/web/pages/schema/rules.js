// rules.js - the controls for a field's validation rules and options, which depend on its type.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { word, wordsOf } from "../../lib/words.js";
import { manifest } from "../../lib/site.js";
import { Button, Field, SelectField, TextField, Tick } from "../../ui/index.js";
import { OptionFields, labelOf } from "../../ui/options.js";
import { typeWord } from "./name.js";

const t = wordsOf("schema");
// How texts of one line look.
const LOOKS = { pattern: "mono", min: "half mono", max: "half mono" };

const linesOf = (text) =>
	text
		.split("\n")
		.map((line) => line.trim())
		.filter(Boolean);

/**
 * A list of texts, one per line. The typed text is kept while it still means the value.
 * @param {{label: string, name: string, help?: any, value?: string[] | null, onChange: (all?: string[]) => void, problem?: string}} props
 */
export function Lines({ label, name, help, value, onChange, problem }) {
	const typed = useSignal(""),
		all = (value ?? []).join("\n"),
		shown = linesOf(typed.value).join("\n") === all ? typed.value : all;

	return html`<${Field} label=${label} help=${help}
		problem=${problem}>
		${(props) => html`<textarea class="in" rows="3" name=${name} value=${shown}
			onInput=${(e) => {
				typed.value = e.currentTarget.value;
				const next = linesOf(typed.value);
				onChange(next.length > 0 ? next : undefined);
			}} ...${props}></textarea>`}<//>`;
}

function SubFields({ types, schema, value, onValue, problem }) {
	const all = value ?? [],
		names = schema.items.properties.type.enum;
	const set = (i, changes) => onValue(all.map((row, k) => (k === i ? { ...row, ...changes } : row)));
	const out = (i) => onValue(all.length > 1 ? all.filter((_, k) => k !== i) : undefined);

	return html`<${Field} label=${t("rule_subFields")} isGroup
		problem=${problem}>${(props) => html`<div class="stack-3" ...${props}>
		${all.map(
			(row, i) => html`<fieldset class="sub-field"
				key=${i}><legend class="sr">${t("subField", { n: i + 1 })}</legend>
			<label class="stack"><span>${t("fieldLabel")}</span>
			<input class="in" name="sub-label" value=${row.label ?? ""}
				onInput=${(e) => set(i, { label: e.currentTarget.value })} /></label>
			<label class="stack"><span>${t("slug")}</span>
			<input class="in mono" name="sub-slug" value=${row.slug ?? ""}
				onInput=${(e) => set(i, { slug: e.currentTarget.value })} /></label>
			<label class="stack"><span>${t("type")}</span>
			<select class="in" name="sub-type" value=${row.type}
				onChange=${(e) => set(i, { type: e.currentTarget.value })}>
				${names.map(
					(one) => html`<option key=${one} value=${one}
					selected=${one === row.type}>${typeWord(types, one)}</option>`,
				)}</select>
					</label>
			${
				row.type === "select" &&
				html`<label
					class="stack"><span>${t("rule_options")}</span>
					<textarea class="in" rows="2"
						onChange=${(e) => set(i, { options: linesOf(e.currentTarget.value) })}>
						${(row.options ?? []).join("\n")}</textarea></label>`
			}
			<div class="bs">
			<${Tick} isOn=${row.required === true}
				onChange=${(isOn) => set(i, { required: isOn })}>${t("required")}<//>
				<${Button} kind="small out" onClick=${() => out(i)}
					aria-label=${t("subOut", { name: row.label || row.slug || String(i + 1) })}>
					${t("takeOut")}<//></div></fieldset>`,
		)}
		<div><${Button} kind="small" onClick=${() => onValue([...all, { slug: "", label: "", type: "string" }])}
			data-sub>${t("addSub")}<//></div></div>`}<//>`;
}

function Target({ value, onValue, problem }) {
	const options = [
		{ value: "", label: "–" },
		...manifest.value.collections.map((one) => ({ value: one.slug, label: one.label })),
	];

	return html`<${SelectField} label=${t("rule_collection")} name="target" value=${value ?? ""}
		onChange=${(v) => onValue(v || undefined)} problem=${problem} options=${options} />`;
}

/** Controls of bundled types for what a schema alone cannot show, by the name of the member. */
const CONTROLS = { repeater: { subFields: SubFields }, reference: { collection: Target } };

/** Rules whose labels say all: "Minimum characters". */
const SAID = ["minLength", "maxLength"];

/** The paths that Rules has a control for. @param {import("../../lib/forms.js").FieldType} [type] */
export const rulesOf = (type) =>
	["validation", "options"].flatMap((of) =>
		Object.keys(type?.[of]?.properties ?? {}).map((name) => `${of}.${name}`),
	);

/**
 * The rules and options of a field, as its type describes them.
 * @param {{types: any[], type?: import("../../lib/forms.js").FieldType, value: any, onChange: (changes: any) => void, at: (path: string) => string | undefined}} props
 *   type: absent: it is not in use
 */
export function Rules({ types, type, value, onChange, at }) {
	const labelFor = (name) => (type.plugin ? labelOf(name) : word("schema", `rule_${name}`, {}, labelOf(name)));
	const lookFor = (name) => (type.plugin ? undefined : LOOKS[name]);
	const translated = (name, one) => {
		if (!one.description || type.plugin) return one;
		return SAID.includes(name)
			? { ...one, description: undefined }
			: { ...one, description: word("schema", `help_${name}`, {}, one.description) };
	};
	const schemaOf = (of) =>
		type?.[of] && {
			...type[of],
			properties: Object.fromEntries(
				Object.entries(type[of].properties).map(([name, one]) => [name, translated(name, one)]),
			),
		};

	return ["validation", "options"].map(
		(of) => html`<${OptionFields} key=${`${value.type} ${of}`}
		schema=${schemaOf(of)} values=${value[of] ?? {}} onValues=${(v) => onChange({ [of]: v })}
		at=${(name) => at(`${of}.${name}`)} labelFor=${labelFor} lookFor=${lookFor}
		controls=${CONTROLS[value.type]} more=${{ types }} />`,
	);
}

/**
 * @param {{type?: import("../../lib/forms.js").FieldType, value: any, onChange: (value: any) => void, problem?:
 * string}} props
 */
export function DefaultValue({ type, value, onChange, problem }) {
	const { defaultValue } = value,
		kind = type?.kind ?? "json",
		isNumber = kind === "number" || kind === "integer";
	const choices =
		kind === "boolean"
			? [
					["true", t("yes")],
					["false", t("no")],
				]
			: kind === "string" && type.validation?.properties?.options
				? (value.validation?.options ?? []).map((one) => [one, one])
				: null;
	const read = (text) =>
		text === "" ? undefined : kind === "boolean" ? text === "true" : isNumber ? Number(text) : text;

	// What a new item refers to cannot be said here.
	if (kind === "json" || value.type === "reference") return null;
	if (choices)
		return html`<${SelectField} label=${t("defaultValue")} name="defaultValue"
			value=${String(defaultValue ?? "")} onChange=${(v) => onChange(read(v))} problem=${problem}
			options=${[
				{ value: "", label: "–" },
				...choices.map(([v, label]) => ({ value: v, label })),
			]} />`;
	return html`<${TextField} label=${t("defaultValue")} name="defaultValue" type=${isNumber ? "number" : "text"}
		step=${kind === "number" ? "any" : undefined} class="half" value=${String(defaultValue ?? "")}
		onInput=${(v) => onChange(read(v))} problem=${problem} />`;
}
