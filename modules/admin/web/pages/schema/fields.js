// fields.js - the fields of a collection: their order, a new one, changing one, deleting one.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useFieldTypes } from "../../lib/forms.js";
import { href, setQuery } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { may } from "../../lib/site.js";
import { Button, Empty, Icon, Loaded, Menu, Table, ask, tell, tellProblem } from "../../ui/index.js";
import { FieldDialog } from "./field.js";
import { Moves, moved } from "./moves.js";
import { typeWord } from "./name.js";
import { Plan, countOf } from "./plan.js";

const t = wordsOf("schema");
const FLAGS = ["required", "unique", "indexed", "searchable", "translatable"];
const NEW = "+";

/**
 * @param {{item: any, open?: string, reload: () => Promise<any>}} props open: the slug of the field whose dialog is
 * open, "+" for a new one
 */
export function Fields({ item, open, reload }) {
	const path = `/schema/collections/${segment(item.slug)}`,
		isOwn = may("schema:manage"),
		all = item.fields,
		types = useFieldTypes();
	const at = (field) => href(path.replace("/schema/collections", "/schema"), { field });
	const close = () => setQuery({ field: undefined });

	const move = async (from, to) => {
		await api.post(`${path}/fields/reorder`, { fieldSlugs: moved(all, from, to).map((f) => f.slug) });
		await reload();
	};
	const remove = async (field) => {
		const n = await countOf(item.slug);

		if (
			!(await ask({
				title: t("fieldSure", { name: field.label }),
				text: t(n === null ? "fieldText" : "fieldCounted", { n }),
				yes: t("delete"),
				isFinal: true,
			}))
		)
			return;
		try {
			await api.delete(`${path}/fields/${segment(field.slug)}`);
			tell(t("fieldDeleted", { name: field.label }));
			await reload();
			document.getElementById("main").focus();
		} catch (error) {
			tellProblem(error);
		}
	};
	const done = async (words) => {
		await close();
		tell(words);
		await reload();
	};
	const store = async (before, _now, body) => {
		if (!before) await api.post(`${path}/fields`, body);
		else if (Object.keys(body).length > 0) await api.put(`${path}/fields/${segment(before.slug)}`, body);
	};
	const flagsOf = (f) =>
		FLAGS.filter((name) => (name === "translatable" ? f[name] === false : f[name]))
			.map((name) => t(name === "translatable" ? "sameInAll" : name))
			.concat(f.indexState ? [t(`index_${f.indexState}`)] : []);
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
			cell: (f) =>
				flagsOf(f).map(
					(word) => html`<span
			class="tag" key=${word}>${word}</span> `,
				),
		},
		isOwn && {
			name: "do",
			label: t("order"),
			isHidden: true,
			class: "c-do",
			cell: (f) => html`<div
			class="bs no-wrap">
			<${Moves} name=${f.label} at=${all.indexOf(f)} count=${all.length} onMove=${move}
				onFail=${reload} />
			<${Menu} label=${t("more", { name: f.label })}
				items=${[
					{ label: t("change"), href: at(f.slug) },
					{ label: t("delete"), isOut: true, onClick: () => remove(f) },
				]}>
					<${Icon} name="more" /><//></div>`,
		},
	].filter(Boolean);
	const one = open === NEW ? null : all.find((f) => f.slug === open);

	return html`<section
		aria-labelledby="fields-h">
		<div class="head"><h2 id="fields-h">${t("fields")}</h2>
		${isOwn && html`<${Button} onClick=${() => setQuery({ field: NEW })} data-add>${t("addField")}<//>`}
		</div>
		<div class="sheet list">
		${
			all.length === 0
				? html`<${Empty} title=${t("noFields")} />`
				: html`<${Table} caption=${t("fields")} rows=${all} id=${(f) => f.slug}
					columns=${columns} />`
		}
			</div>
		${
			isOwn &&
			(open === NEW || one) &&
			html`<${Loaded}
				from=${types}>
				${(found) => html`<${FieldDialog} key=${open} types=${found} field=${one} store=${store}
					plan=${(now) => html`<${Plan} collection=${item.slug} before=${one} after=${now} />`}
					onClose=${close} onDone=${done} />`}<//>`
		}
	</section>`;
}
