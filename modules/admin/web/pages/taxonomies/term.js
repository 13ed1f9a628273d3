// term.js - the form of a term: creates, changes or translates it; and the dialog that deletes it.
import { useSignal } from "@preact/signals";
import { fold } from "../../lib/fold.js";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { rowOf, walk } from "../../lib/tree.js";
import { languageSaid } from "../../lib/words.js";
import { FormDialog } from "../../ui/form.js";
import { Field, TextField, ask, tell } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import { t } from "./form.js";

const FOUND = 10;

/** @param {import("../../lib/tree.js").Row} row "Fruit › Apple" */
function pathOf(row) {
	const names = [];

	for (let one = row; one; one = one.parent) names.unshift(one.node.label);
	return names.join(" › ");
}

/** Chooses the parent term, by searching the loaded terms. */
function Parent({ roots, term, parent, problem }) {
	const above = parent.value && rowOf(roots, parent.value);
	const find = async (words) => {
		const text = fold(words.trim()),
			own = term ? new Set(walk([rowOf(roots, term.id).node]).map((row) => row.node.id)) : null;

		return walk(roots)
			.filter((row) => !own?.has(row.node.id) && fold(row.node.label).includes(text))
			.slice(0, FOUND)
			.map((row) => ({ id: row.node.id, title: pathOf(row) }));
	};

	return html`<${Field} label=${t("parent")} help=${t("parentHelp")}
		problem=${problem}>${(props) => html`<div class="chips">
		${
			above
				? html`<span
			class="tag"><bdi>${pathOf(above)}
			</bdi> <button type="button" id=${props.id}
			aria-label=${t("takeOut", { name: above.node.label })}
			onClick=${() => (parent.value = null)}><span aria-hidden="true">×</span></button></span>`
				: html`<${Search} id=${props.id} label=${t("findParent")}
				props=${{
					"aria-describedby": props["aria-describedby"],
					"aria-invalid": props["aria-invalid"],
				}} find=${find}
					onChoose=${(one) => (parent.value = one.id)} />`
		}</div>`}<//>`;
}

/**
 * @param {{taxonomy: any, locale: string, roots: any[], term?: any, below?: string | null, onClose: () => void, onSaved: (term: any) => any}} props
 *   term: absent for a new one; if it is of another locale, the form translates it. below: the parent of a new term
 */
export function TermForm({ taxonomy, locale, roots, term, below = null, onClose, onSaved }) {
	const isTranslated = term && term.locale !== locale,
		base = `/taxonomies/${segment(taxonomy.name)}/terms`;
	const label = useSignal(term?.label ?? ""),
		slug = useSignal(isTranslated ? "" : (term?.slug ?? "")),
		description = useSignal(term?.description ?? "");
	const parent = useSignal(
		/** @type {string | null} */ (term ? (rowOf(roots, term.id)?.parent?.node.id ?? null) : below),
	);
	const save = async () => {
		const body = {
			label: label.value,
			description: description.value || null,
			...(slug.value.trim() ? { slug: slug.value.trim() } : {}),
		};
		const moved = taxonomy.hierarchical ? { parentId: parent.value } : {};
		const answer = isTranslated
			? await api.post(base, { ...body, locale, translationOf: term.rowId })
			: term
				? await api.put(
						`${base}/${segment(term.slug)}`,
						{ ...body, ...moved },
						{ query: { locale: term.locale } },
					)
				: await api.post(base, { ...body, ...moved, locale });

		tell(t(term ? "changed" : "made", { name: answer.term.label }));
		await onSaved(answer.term);
	};
	const title = isTranslated
		? t("termTranslate", { name: term.label, language: languageSaid(locale) })
		: term
			? t("editOf", { name: term.label })
			: t("termNew");

	return html`<${FormDialog} title=${title} lead=${term ? undefined : t("aboutTerm")}
		yes=${t(term ? "save" : "add")} save=${save} onClose=${onClose}
		fields=${["label", "slug", "description", "parentId"]}>${(at) => html`
		<${TextField} label=${t("label")} required autofocus maxlength="200" dir="auto" lang=${locale}
			value=${label.value} onInput=${(v) => (label.value = v)} problem=${at("label")} />
		<${TextField} label=${t("address")} help=${t("addressHelp")} class="mono" maxlength="200"
			spellcheck=${false} value=${slug.value} onInput=${(v) => (slug.value = v)}
			problem=${at("slug")} />
		${
			taxonomy.hierarchical &&
			!isTranslated &&
			html`<${Parent} roots=${roots} term=${term} parent=${parent} problem=${at("parentId")} />`
		}
		<${Field} label=${t("description")}
			problem=${at("description")}>
			${(props) => html`<textarea class="in" rows="3" maxlength="5000" dir="auto" lang=${locale}
				...${props} value=${description.value}
				onInput=${(e) => (description.value = e.currentTarget.value)} />`}<//>`}<//>`;
}

/**
 * Asks, naming what is deleted with the term, and deletes it. @param {any} taxonomy @param {any} term @returns {Promise<boolean>}
 */
export async function removeTerm(taxonomy, term) {
	if (term.children.length > 0) {
		tell(t("hasBelow", { n: walk(term.children).length, name: term.label }));
		return false;
	}
	const path = `/taxonomies/${segment(taxonomy.name)}/terms/${segment(term.slug)}`,
		query = { locale: term.locale };
	const { translations } = await api.get(`${path}/translations`, { query });
	const what =
		translations.length > 1
			? t("sureTermHere", { language: languageSaid(term.locale) })
			: t("sureTermItems", { n: term.count ?? 0 });

	if (
		!(await ask({
			title: t("sureTerm", { name: term.label }),
			text: t("sureMore", { what }),
			yes: t("delete"),
			isFinal: true,
		}))
	)
		return false;
	await api.delete(path, { query });
	tell(t("deleted", { name: term.label }));
	return true;
}
