// options.js - a form made of a JSON Schema that the server sends: settings of a module, rules and options of a field,
// options of an import. A control for each property: a switch, a choice, a number, text, lines, or JSON. Loaded by the
// pages that have one.
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { Field } from "./field.js";

const t = wordsOf("shared");
const LONG = 300; // characters: a longer text has several lines

/** "limitCount" as a label: "Limit count". @param {string} name */
export const labelOf = (name) =>
	name
		.replace(/([a-z\d])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`)
		.replace(/[_-]/g, " ")
		.replace(/^./, (c) => c.toUpperCase());

/** Text that was typed into a control for JSON; readOptions parses it. */
class JsonText {
	/** @param {string} text */
	constructor(text) {
		this.text = text;
	}
}

/** What the control edits: "json" for all that has none of its own. @param {any} schema */
function kindOf(schema) {
	const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;

	if (Array.isArray(schema.enum)) return "choice";
	if (type === "array") return schema.items?.type === "string" ? "lines" : "json";
	return ["boolean", "integer", "number", "string"].includes(type) ? type : "json";
}

/** The value of the text of a control; null: there is none. @param {string} kind @param {string} text */
function valueOf(kind, text) {
	if (text.trim() === "") return null;
	if (kind === "json") return new JsonText(text);
	if (kind === "lines")
		return text
			.split("\n")
			.map((line) => line.trim())
			.filter(Boolean);
	if (kind === "integer" || kind === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
	return text;
}

/** @param {string} kind @param {any} value */
function textOf(kind, value) {
	if (value === null || value === undefined) return "";
	if (value instanceof JsonText) return value.text;
	if (kind === "lines" && Array.isArray(value)) return value.join("\n");
	return kind === "json" || typeof value === "object" ? JSON.stringify(value, null, "\t") : String(value);
}

/**
 * Values as they are sent, and what is wrong with those whose text is no JSON, by name.
 * @param {Record<string, any>} values @returns {{values: Record<string, any>, wrong: Record<string, string>}}
 */
export function readOptions(values) {
	const out = {},
		wrong = /** @type {Record<string, string>} */ ({});

	for (const [name, value] of Object.entries(values))
		if (value instanceof JsonText)
			try {
				out[name] = JSON.parse(value.text);
			} catch (error) {
				wrong[name] = t("noJson", { message: error.message });
			}
		else out[name] = value;
	return { values: out, wrong };
}

function Choice({ schema, value, onValue, props }) {
	const isEmpty = value === null || value === undefined;

	return html`<select class="in half" value=${textOf("choice", value)}
		onChange=${(e) => onValue(schema.enum.find((one) => String(one) === e.currentTarget.value) ?? null)}
		...${props}>
		${(isEmpty || schema.default === undefined) && html`<option value="" selected=${isEmpty}>–</option>`}
		${schema.enum
			.filter((one) => one !== null)
			.map(
				(one) => html`<option key=${one} value=${String(one)}
			selected=${one === value}>${String(one)}</option>`,
			)}</select>`;
}

function Typed({ schema, kind, look, value, onValue, props }) {
	// What is typed stays as it is typed: "a\n" is not "a" yet.
	const typed = useSignal(/** @type {string | null} */ (null));
	const text =
		typed.value !== null && JSON.stringify(valueOf(kind, typed.value)) === JSON.stringify(value ?? null)
			? typed.value
			: textOf(kind, value);
	const change = (e) => {
		typed.value = e.currentTarget.value;
		onValue(valueOf(kind, typed.value));
	};

	if (kind === "integer" || kind === "number")
		return html`<input class="in short num" type="number" step=${kind === "number" ? "any" : "1"}
			value=${text} onInput=${change} ...${props} />`;
	if (kind === "json")
		return html`<textarea class="in mono" rows="4" spellcheck="false" value=${text} onInput=${change}
			...${props}></textarea>`;
	if (kind === "lines" || (kind === "string" && !look && (schema.maxLength ?? 0) > LONG))
		return html`<textarea class="in" rows="3" value=${text} onInput=${change} ...${props}></textarea>`;
	return html`<input class=${`in ${look ?? ""}`} value=${text} onInput=${change} ...${props} />`;
}

/**
 * What the schema says of the values, in a sentence or more.
 * @param {any} schema
 * @param {string} kind
 * @param {any} label
 */
function helpOf(schema, kind, label) {
	const { description, default: fallback, minimum: least, maximum: most } = schema;

	return [
		description && description !== label && `${description}.`,
		least !== undefined && most < Number.MAX_SAFE_INTEGER && t("bounds", { least, most }),
		fallback !== undefined &&
			fallback !== null &&
			kind !== "boolean" &&
			t("fallback", {
				value: typeof fallback === "object" ? JSON.stringify(fallback) : String(fallback),
			}),
		kind === "lines" && t("lines"),
	]
		.filter(Boolean)
		.join(" ");
}

/**
 * @param {{name: string, schema: any, label?: any, look?: string, value: any, onValue: (value: any) => void, problem?: string}} props
 *   label: absent: made of the name. look: a class of a text of one line, which then has one however long it may be.
 *   onValue gets null if nothing is typed
 */
export function OptionField({ name, schema, label = labelOf(name), look, value, onValue, problem }) {
	const kind = kindOf(schema);

	return html`<${Field} label=${label} help=${helpOf(schema, kind, label)} problem=${problem}>${(props) => {
		if (kind === "boolean")
			return html`<span
				class="row">
				<input type="checkbox" role="switch" class="switch" name=${name}
					checked=${value === true} onChange=${(e) => onValue(e.currentTarget.checked)}
					...${props} /></span>`;
		if (kind === "choice")
			return html`<${Choice} schema=${schema} value=${value} onValue=${onValue}
				props=${{ name, ...props }} />`;
		return html`<${Typed} schema=${schema} kind=${kind} look=${look} value=${value} onValue=${onValue}
			props=${{ name, ...props }} />`;
	}}<//>`;
}

/**
 * A control for each property of a schema; an object without the values that are not set.
 * @param {{schema?: any, values: Record<string, any>, onValues: (values: Record<string, any>) => void, at: (name: string) => string | undefined,
 *   labelFor?: (name: string) => any, lookFor?: (name: string) => string | undefined, controls?: Record<string, any>, more?: any}} props
 *   schema: absent: no controls. controls: components that edit some properties in place of OptionField; they get `more`, too
 */
export function OptionFields({ schema, values, onValues, at, labelFor = labelOf, lookFor, controls, more }) {
	const properties = schema?.properties ?? {};
	const set = (name, value) => {
		const next = { ...values },
			isUnset = value === null || (value === false && properties[name].default !== true);

		if (isUnset) delete next[name];
		else next[name] = value;
		onValues(next);
	};

	return Object.keys(properties).map((name) => {
		const Control = controls?.[name],
			props = {
				name,
				schema: properties[name],
				value: values[name],
				onValue: (value) => set(name, value ?? null),
				problem: at(name),
			};

		return Control
			? html`<${Control} key=${name} ...${more} ...${props} />`
			: html`<${OptionField}
			key=${name} label=${labelFor(name)} look=${lookFor?.(name)} ...${props} />`;
	});
}
