// fields.js - the fields of a collection: their order, a new one, changing one, deleting one.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";
import { FieldDialog } from "./field.js";
import { FieldList, closeField } from "./fieldlist.js";
import { moved } from "./moves.js";
import { Plan, countOf } from "./plan.js";

const t = wordsOf("schema");
const FLAGS = ["required", "unique", "indexed", "searchable", "translatable"];

/**
 * @param {{item: any, open?: string, reload: () => Promise<any>}} props open: the slug of the field whose dialog is
 * open, "+" for a new one
 */
export function Fields({ item, open, reload }) {
	const path = `/schema/collections/${segment(item.slug)}`,
		all = item.fields;

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
		await closeField();
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

	return html`<${FieldList} all=${all} open=${open} path=${path.replace("/schema/collections", "/schema")}
		flagsOf=${flagsOf} move=${move} onFail=${reload} remove=${remove}
		dialog=${(types, one) => html`<${FieldDialog} key=${open} types=${types} field=${one} store=${store}
			plan=${(now) => html`<${Plan} collection=${item.slug} before=${one} after=${now} />`}
			onClose=${closeField} onDone=${done} />`} />`;
}
