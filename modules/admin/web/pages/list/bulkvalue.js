// bulkvalue.js - the control for the value of a bulk edit.
import { html } from "../../lib/html.js";
import { findItems } from "../../lib/items.js";
import { collection as collectionOf, manifest } from "../../lib/site.js";
import { findTerms } from "../../lib/terms.js";
import { fromLocal, toLocal } from "../../lib/when.js";
import { Field, SelectField, Tick } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import { t } from "./bulkwords.js";

const FOUND = 10;

/** The choices of a field: {value, label}. @param {any} field */
export const choicesOf = (field) =>
	(field.validation?.options ?? []).map((o) => (typeof o === "object" ? o : { value: o, label: String(o) }));

/** @param {any} what */
const finderOf = (what) =>
	what.taxonomy
		? async (words, signal) =>
				(
					await findTerms(
						what.taxonomy,
						manifest.value.defaultLocale,
						words,
						FOUND,
						signal,
					)
				).map((one) => ({
					id: one.translationGroup,
					title: one.label,
				}))
		: (words, signal) => findItems(what.field.options?.collection, words, signal);

/** Items or terms, found by their titles. `names` keeps the titles of those that were chosen. */
function Found({ what, value, set, names, props }) {
	const ids = what.isMany ? (value ?? []) : value ? [value] : [],
		place = what.taxonomy
			? what.label
			: (collectionOf(what.field.options?.collection)?.label ?? what.label);
	const put = (all) => set(all.length === 0 ? undefined : what.isMany ? all : all[0]);

	return html`<div class="chips">
		${ids.map(
			(id) => html`<span class="tag" key=${id}><bdi>${names.get(id) ?? id}</bdi>
			<button type="button" aria-label=${t("removeOne", { name: names.get(id) ?? id })}
				onClick=${() => put(ids.filter((one) => one !== id))}><span aria-hidden="true">×</span></button></span>`,
		)}
		${
			(what.isMany || ids.length === 0) &&
			html`<${Search} id=${props.id} label=${t("find", { collection: place })}
				props=${{ "aria-describedby": props["aria-describedby"] }} find=${finderOf(what)}
				onChoose=${(one) => {
					names.set(one.id, one.title);
					put([...ids.filter((id) => id !== one.id), one.id]);
				}} />`
		}</div>`;
}

function Several({ field, value, set }) {
	const chosen = value ?? [],
		all = choicesOf(field);
	const turn = (one, isOn) => {
		const next = all.map((o) => o.value).filter((v) => (v === one ? isOn : chosen.includes(v)));

		set(next.length === 0 ? undefined : next);
	};

	return html`<div class="ticks">${all.map(
		(o) => html`<${Tick} key=${o.value} isOn=${chosen.includes(o.value)}
			onChange=${(isOn) => turn(o.value, isOn)}><bdi>${o.label}</bdi><//>`,
	)}</div>`;
}

/** @param {any} field @returns {[string, any][] | null} the values of a field that has few of them */
const fewOf = (field) =>
	field.type === "boolean"
		? [
				[t("yes"), true],
				[t("no"), false],
			]
		: field.type === "select"
			? choicesOf(field).map((o) => [o.label, o.value])
			: null;

/** A value of the field as the control's text gives it; undefined: none yet. @param {any} field @param {string} text */
function valueOf(field, text) {
	if (text === "") return undefined;
	if (field.type === "datetime") return fromLocal(text) ?? undefined;
	if (field.type === "number" || field.type === "integer")
		return Number.isFinite(Number(text)) ? Number(text) : undefined;
	return text;
}

/** @type {Record<string, object>} */
const INPUTS = {
	datetime: { type: "datetime-local", step: "1", class: "in half" },
	number: { type: "number", step: "any", class: "in half" },
	integer: { type: "number", step: "1", class: "in half" },
	url: { type: "url" },
};

/**
 * @param {{what: import("../../lib/bulk.js").What, value: any, set: (value: any) => void, names: Map<string, string>}}
 * all value: undefined until there is one
 */
export function BulkValue({ what, value, set, names }) {
	const { field } = what,
		few = field && fewOf(field);

	if (few)
		return html`<${SelectField} label=${t("value")} name="value"
			value=${String(few.findIndex(([, one]) => one === value))}
			onChange=${(i) => set(few[Number(i)]?.[1])}
			options=${[{ value: "-1", label: "–" }, ...few.map(([label], i) => ({ value: String(i), label }))]} />`;
	if (field?.type === "multiSelect")
		return html`<${Field} label=${t("values")} isGroup=${true}>${() =>
			html`<${Several} field=${field} value=${value} set=${set} />`}<//>`;
	if (!field || field.type === "reference")
		return html`<${Field} label=${t(what.isMany ? "values" : "value")}>${(props) =>
			html`<${Found} what=${what} value=${value} set=${set} names=${names} props=${props} />`}<//>`;
	return html`<${Field} label=${t("value")}>${(props) => html`<input class="in" name="value" autocomplete="off"
		maxlength=${field.validation?.maxLength} ...${INPUTS[field.type]} ...${props}
		defaultValue=${field.type === "datetime" ? toLocal(value) : (value ?? "")}
		onInput=${(e) => set(valueOf(field, e.currentTarget.value))} />`}<//>`;
}
