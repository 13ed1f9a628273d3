// fieldlist.js - the list of the fields of a collection or of a block type, with what a person may do with each.
import { html } from "../../lib/html.js";
import { useFieldTypes } from "../../lib/forms.js";
import { href, setQuery } from "../../lib/router.js";
import { may } from "../../lib/site.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Empty, Icon, Loaded, Menu, Table } from "../../ui/index.js";
import { Moves } from "./moves.js";
import { typeWord } from "./name.js";

const t = wordsOf("schema");
const NEW = "+";

export const closeField = () => setQuery({ field: undefined });

/**
 * @param {object} props
 * @param {any[]} props.all the fields
 * @param {string} [props.open] slug of the field whose dialog is open, "+" for a new one
 * @param {string} props.path of the page
 * @param {(field: any) => string[]} props.flagsOf the rules of a field in words
 * @param {(from: number, to: number) => Promise<any>} props.move
 * @param {() => any} props.onFail after a move that failed
 * @param {(field: any) => any} props.remove
 * @param {any} [props.none] what to do while there are no fields
 * @param {(types: any[], one: any) => any} props.dialog one: the field; null: a new one
 */
export function FieldList({ all, open, path, flagsOf, move, onFail, remove, none, dialog }) {
	const isOwn = may("schema:manage"),
		types = useFieldTypes(),
		one = open === NEW ? null : all.find((f) => f.slug === open);
	const at = (field) => href(path, { field });
	const columns = [
		{
			name: "label",
			label: t("field"),
			isHead: true,
			class: "c-plain",
			cell: (f) => html`${isOwn ? html`<a href=${at(f.slug)} data-field>${f.label}</a>` : f.label}
			<span class="sub"><code>${f.slug}</code>
			<span class="only-narrow"> · ${typeWord(types.data.value, f.type)}</span></span>`,
		},
		{
			name: "type",
			label: t("type"),
			class: "c-who meta",
			cell: (f) => typeWord(types.data.value, f.type),
		},
		{
			name: "flags",
			label: t("rules"),
			class: "c-tags",
			cell: (f) => flagsOf(f).map((word) => html`<span class="tag" key=${word}>${word}</span> `),
		},
		isOwn && {
			name: "do",
			label: t("order"),
			isHidden: true,
			class: "c-do",
			cell: (f) => html`<div class="bs no-wrap">
			<${Moves} name=${f.label} at=${all.indexOf(f)} count=${all.length} onMove=${move} onFail=${onFail} />
			<${Menu} label=${t("more", { name: f.label })}
				items=${[
					{ label: t("change"), href: at(f.slug) },
					{ label: t("delete"), isOut: true, onClick: () => remove(f) },
				]}>
					<${Icon} name="more" /><//></div>`,
		},
	].filter(Boolean);

	return html`<section aria-labelledby="fields-h">
		<div class="head"><h2 id="fields-h">${t("fields")}</h2>
		${isOwn && html`<${Button} onClick=${() => setQuery({ field: NEW })} data-add>${t("addField")}<//>`}
		</div>
		<div class="sheet list">
		${
			all.length === 0
				? html`<${Empty} title=${t("noFields")}>${none}<//>`
				: html`<${Table} caption=${t("fields")} rows=${all} id=${(f) => f.slug} columns=${columns} />`
		}</div>
		${isOwn && (open === NEW || one) && html`<${Loaded} from=${types}>${(found) => dialog(found, one)}<//>`}
	</section>`;
}
