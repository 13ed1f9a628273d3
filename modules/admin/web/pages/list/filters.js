// filters.js - the row above the list: search, status, author, language, and filters on indexed fields.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { useTyped } from "../../lib/pages.js";
import { setQuery } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { manifest } from "../../lib/site.js";
import { Button, Dialog, Field, Icon, Menu } from "../../ui/index.js";
import { fromLocal, toLocal } from "../../lib/when.js";
import { isNumber, isText } from "./state.js";

const t = wordsOf("list");

/** @param {Record<string, any>} changes */
const set = (changes, replace = false) => setQuery({ ...changes, cursor: undefined }, replace);

function Search({ label, q }) {
	const typed = useTyped(q, (text) => set({ q: text || undefined }, true));

	return html`<label class="find"><span class="sr">${label}</span><${Icon} name="find" />
		<input class="in" type="search" placeholder=${label} enterkeyhint="search" data-search ...${typed} />
		</label>`;
}

const Choice = ({ label, name, value, options }) => html`<label><span class="sr">${label}</span>
	<select class="in auto" data-filter=${name} value=${value}
		onChange=${(e) => set({ [name]: e.currentTarget.value || undefined })}>
		${options.map(
			(o) => html`<option key=${o.value} value=${o.value}
			selected=${o.value === value}>${o.label}</option>`,
		)}
	</select></label>`;

/**
 * The control for a value of a field.
 * @param {{field: any, value: string, onInput: (value: string) => void, props: any}} props
 */
function ValueInput({ field, value, onInput, props }) {
	const change = (e) => onInput(e.currentTarget.value);
	const choices =
		field.kind === "boolean"
			? [
					["true", t("yes")],
					["false", t("no")],
				]
			: ["select", "multiSelect"].includes(field.type)
				? (field.validation?.options ?? []).map((one) => [one, one])
				: null;

	if (choices)
		return html`<select class="in half" ...${props} value=${value}
			onChange=${change}>
			${[["", "–"], ...choices].map(
				([v, label]) => html`<option key=${v} value=${v} selected=${v === value}>${label}
						</option>`,
			)}</select>`;
	const type = field.type === "datetime" ? "date" : isNumber(field) ? "number" : "text";
	return html`<input class="in half" type=${type} step=${field.kind === "number" ? "any" : undefined} ...${props}
		value=${value} onInput=${change} />`;
}

/** The day of a bound in the local zone, as the column shows it. @param {string} text */
const dayOf = (text) => toLocal(text).slice(0, 10) || text.slice(0, 10);
const hasBounds = (field) => isNumber(field) || field.type === "datetime";

function FieldFilter({ field, state, onClose }) {
	const at = (bound) => state.filters.find((one) => one.field === field.slug && one.bound === bound)?.value ?? "",
		day = (bound) => (field.type === "datetime" ? dayOf(at(bound)) : at(bound));
	const is = useSignal(at("")),
		from = useSignal(day("gte")),
		to = useSignal(day("lte")),
		words = useSignal(at("contains"));

	const apply = () => {
		const bound = (text, isEnd) =>
			text && field.type === "datetime"
				? (fromLocal(`${text}T${isEnd ? "23:59:59.999" : "00:00:00.000"}`) ?? undefined)
				: text || undefined;

		void set({
			[`f.${field.slug}`]: hasBounds(field) ? undefined : is.value || undefined,
			[`f.${field.slug}.gte`]: bound(from.value, false),
			[`f.${field.slug}.lte`]: bound(to.value, true),
			[`f.${field.slug}.contains`]: words.value.trim() || undefined,
		});
		onClose();
	};
	return html`<${Dialog} title=${t("filterBy", { field: field.label })} onClose=${onClose} onSubmit=${apply}
		actions=${html`<${Button} kind="go" type="submit">${t("addFilter")}<//>`}>
		<div class="fields">${
			hasBounds(field)
				? html`<${Field}
				label=${t("after", { field: field.label })}>
				${(props) => html`<${ValueInput} field=${field} value=${from.value}
					onInput=${(v) => (from.value = v)} props=${props} />`}<//>
				<${Field} label=${t("before", { field: field.label })}>
				${(props) => html`<${ValueInput} field=${field} value=${to.value}
					onInput=${(v) => (to.value = v)} props=${props} />`}<//>`
				: field.indexed &&
					html`<${Field}
					label=${t("value")}>
					${(props) => html`<${ValueInput} field=${field} value=${is.value}
						onInput=${(v) => (is.value = v)} props=${props} />`}<//>`
		}
			${
				isText(field) &&
				html`<${Field} label=${t("words")}
					help=${t("wordsHelp")}>
					${(props) => html`<input class="in" name="words" maxlength="200" ...${props}
						value=${words.value}
						onInput=${(e) => (words.value = e.currentTarget.value)} />`}<//>`
			}</div>
	<//>`;
}

/** @param {{definition: any, state: any, authors: any[]}} props */
export function Filters({ definition, state, authors }) {
	const asked = useSignal(/** @type {any} */ (null)),
		{ locales } = manifest.value;
	const hasWords = definition.supports.includes("search"),
		fields = definition.fields.filter(
			(f) => (f.indexed && f.type !== "reference") || (hasWords && isText(f)),
		);
	const sign = { gte: "≥ ", lte: "≤ ", contains: "… ", "": "" };
	const shown = (field, value) =>
		field.type === "datetime"
			? dayOf(value)
			: field.kind === "boolean"
				? t(value === "true" ? "yes" : "no")
				: value;

	return html`<form class="tools" role="search" onSubmit=${(e) => e.preventDefault()}>
		<${Search} label=${t("searchOf", { collection: definition.label })} q=${state.q} />
		<${Choice} label=${t("status")} name="status" value=${state.status}
			options=${[
				{ value: "", label: t("anyStatus") },
				{ value: "published", label: t("live") },
				{ value: "draft", label: t("draft") },
				{ value: "scheduled", label: t("scheduled") },
				{ value: "overdue", label: t("overdue") },
				{ value: "trash", label: t("trashed") },
			]} />
		${
			(authors.length > 0 || state.author) &&
			html`<${Choice} label=${t("author")} name="author" value=${state.author}
				options=${[
					{ value: "", label: t("anybody") },
					...authors.map((a) => ({ value: a.id, label: a.name || a.email || a.id })),
				]} />`
		}
		${
			locales.length > 1 &&
			html`<${Choice} label=${t("language")} name="locale" value=${state.locale}
				options=${[
					{ value: "", label: t("anyLocale") },
					...locales.map((one) => ({ value: one, label: one })),
				]} />`
		}
		${state.filters.map((one) => {
			const field = definition.fields.find((f) => f.slug === one.field),
				name = field?.label ?? one.field;
			return html`<span class="tag"
				key=${one.field + one.bound}>
				<bdi>${t("is", { field: name, value: sign[one.bound] + shown(field ?? {}, one.value) })}
				</bdi>
				<button type="button" aria-label=${t("remove", { name })}
					onClick=${() =>
						set({
							[`f.${one.field}${one.bound && `.${one.bound}`}`]: undefined,
						})}><span aria-hidden="true">×</span>
						</button></span>`;
		})}
		${
			fields.length > 0 &&
			!state.isTrash &&
			html`<${Menu} label=${t("addFilter")} kind="bare small"
				items=${fields.map((field) => ({
					label: field.label,
					onClick: () => (asked.value = field),
				}))}><${Icon} name="plus" />
					${t("addFilter")}<//>`
		}
	</form>${
		asked.value &&
		html`<${FieldFilter} field=${asked.value} state=${state} onClose=${() => (asked.value = null)} />`
	}`;
}
