// field.js - the dialog that creates or changes a field: rules by its type, and the effects of the change.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { manifest } from "../../lib/site.js";
import { word, wordsOf } from "../../lib/words.js";
import { Button, Dialog, Field, Problem, SelectField, TextField, Tick } from "../../ui/index.js";
import { readOptions } from "../../ui/options.js";
import { nameOf, typeWord } from "./name.js";
import { DefaultValue, Rules, rulesOf } from "./rules.js";

const t = wordsOf("schema");
const ALIKE = ["string", "text", "slug"]; // one may become another
const FLAGS = ["required", "unique", "indexed", "searchable", "translatable"];
const BEGIN = {
	type: "string",
	slug: "",
	label: "",
	required: false,
	unique: false,
	indexed: false,
	searchable: false,
	translatable: true,
};

const isEmpty = (object) => object === undefined || object === null || Object.keys(object).length === 0;

/** The body of the request: all of a new field, or the changed members. @param {any} before @param {any} now */
function bodyOf(before, now) {
	const out = {};

	for (const name of ["slug", "label", "type", ...FLAGS, "widget"])
		if (now[name] !== undefined && (!before || now[name] !== before[name])) out[name] = now[name];
	for (const name of ["validation", "options"])
		if (
			before
				? JSON.stringify(now[name] ?? {}) !== JSON.stringify(before[name] ?? {})
				: !isEmpty(now[name])
		)
			out[name] = isEmpty(now[name]) ? null : now[name];
	if (JSON.stringify(now.defaultValue) !== JSON.stringify(before?.defaultValue))
		out.defaultValue = now.defaultValue ?? null;
	return out;
}

/**
 * Chooses the control of the field: the default, or a plugin's widget for the type.
 * @param {{value: any, onChange: (changes: any) => void, problem?: string}} props
 */
function Widget({ value, onChange, problem }) {
	const offered = (manifest.value.fieldWidgets ?? [])
		.filter((one) => one.types.includes(value.type))
		.map((one) => ({ value: `${one.plugin}:${one.name}`, label: `${one.label} (${one.plugin})` }));
	const isOther = value.widget && !offered.some((one) => one.value === value.widget);

	return (
		(offered.length > 0 || isOther) &&
		html`<${SelectField} label=${t("widget")} name="widget"
		value=${value.widget ?? ""} onChange=${(v) => onChange({ widget: v || null })} problem=${problem}
		options=${[
			{ value: "", label: t("ownWidget") },
			...(isOther ? [{ value: value.widget, label: value.widget }] : []),
			...offered,
		]} />`
	);
}

/** Rules and options as they are sent, and what is wrong with those that are no JSON, by path. @param {any} value */
function readRules(value) {
	const validation = readOptions(value.validation ?? {}),
		options = readOptions(value.options ?? {});
	const byPath = (of, wrong) => Object.entries(wrong).map(([name, why]) => [`${of}.${name}`, why]);

	return {
		now: { ...value, validation: validation.values, options: options.values },
		wrong: Object.fromEntries([
			...byPath("validation", validation.wrong),
			...byPath("options", options.wrong),
		]),
	};
}

/**
 * @param {{types: import("../../lib/forms.js").FieldType[], field?: any, store: (before: any, now: any, changes: any) => Promise<any>,
 *   flags?: string[], isFree?: boolean, within?: string, plan?: (now: any) => any, onClose: () => any,
 *   onDone: (words: string) => any}} props field: absent for a new one; store: gets all members and those to send;
 *   isFree: no column holds its values, so that its type and flags may change; within: begins the paths of errors;
 *   plan: shows the effects
 */
export function FieldDialog({
	types,
	field,
	store,
	flags = FLAGS,
	isFree = false,
	within = "",
	plan,
	onClose,
	onDone,
}) {
	const now = useSignal(/** @type {any} */ ({ ...BEGIN, ...field })),
		isOwnSlug = useSignal(Boolean(field)),
		problem = useSignal(/** @type {any} */ (null)),
		broken = useSignal(/** @type {Record<string, string>} */ ({}));
	const { value } = now,
		at = (path) => broken.value[path] ?? problem.value?.issueAt?.(within + path);
	const typeOf = (name) => types.find((one) => one.name === name),
		type = typeOf(value.type);
	const set = (changes) => void (now.value = { ...now.value, ...changes });

	const setType = (name) => {
		const next = typeOf(name);

		set({
			type: name,
			...(value.widget ? { widget: null } : {}),
			validation: undefined,
			options: undefined,
			defaultValue: undefined,
			indexed: value.indexed && next.indexable,
			searchable: value.searchable && next.searchable,
			unique: value.unique && next.unique,
		});
	};
	const send = async () => {
		const read = readRules(now.peek());

		problem.value = null;
		broken.value = read.wrong;
		if (Object.keys(read.wrong).length > 0) return;
		try {
			await store(field ?? null, read.now, bodyOf(field ?? null, read.now));
			await onDone(t(field ? "fieldChanged" : "fieldMade", { name: now.peek().label }));
		} catch (error) {
			problem.value = error;
		}
	};
	const flag = (name, isFixed, isPossible = true) =>
		flags.includes(name) &&
		isPossible &&
		html`<${Tick} name=${name}
		isOn=${value[name] === true} disabled=${isFixed} onChange=${(isOn) => set({ [name]: isOn })}>${t(name)}
		<//>`;
	const offered =
		!field || isFree ? types.map((one) => one.name) : ALIKE.includes(field.type) ? ALIKE : [field.type];
	const shown = ["label", "slug", "type", ...flags, "widget", "defaultValue", ...rulesOf(type)].map(
		(path) => within + path,
	);

	return html`<${Dialog} title=${field ? t("changeField", { name: field.label }) : t("addField")}
		onClose=${onClose} onSubmit=${send} class="wide-dialog"
		actions=${html`<${Button} kind="go" type="submit" data-send>${field ? word("shared", "save") : t("addField")}<//>`}>
		<${Problem} error=${problem.value} shown=${shown} />
		<div class="fields">
			<${TextField} label=${t("fieldLabel")} name="label" required maxlength="500"
				value=${value.label}
				onInput=${(v) => set({ label: v, ...(isOwnSlug.value ? {} : { slug: nameOf(v) }) })}
				problem=${at("label")} />
			<${TextField} label=${t("slug")} name="slug" class="mono" required maxlength="63"
				autocomplete="off" spellcheck="false" disabled=${Boolean(field)}
				help=${field ? t("fixed") : t("slugHelp")} value=${value.slug}
				onInput=${(v) => {
					isOwnSlug.value = true;
					set({ slug: v });
				}} problem=${at("slug")} />
			<${SelectField} label=${t("type")} name="type" value=${value.type}
				disabled=${offered.length === 1}
				help=${[type?.description, offered.length === 1 && t("fixed")]
					.filter(Boolean)
					.join(" ")} onChange=${setType}
					options=${offered.map((one) => ({ value: one, label: typeWord(types, one) }))}
					problem=${at("type")} />
			<${Rules} types=${types} type=${type} value=${value} onChange=${set} at=${at} />
			<${Widget} value=${value} onChange=${set} problem=${at("widget")} />
			<${DefaultValue} type=${type} value=${value} onChange=${(v) => set({ defaultValue: v })}
				problem=${at("defaultValue")} />
			<${Field} label=${t("rules")} isGroup help=${field && !isFree ? t("rulesFixed") : undefined}
				problem=${flags.map(at).find(Boolean)}>
				${(props) => html`<div class="ticks two" ...${props}>
				${flag("required", Boolean(field) && !isFree)}${flag("unique", Boolean(field), type?.unique)}
				${flag("indexed", false, type?.indexable)}${flag("searchable", false, type?.searchable)}
				${flag("translatable", Boolean(field?.translatable))}</div>`}<//>
		</div>
		${plan?.(value)}
	<//>`;
}
