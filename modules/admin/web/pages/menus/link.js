// link.js - the form of one link of a menu. It changes the menu in the page, which saves the menu later.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ApiError, api } from "../../lib/api.js";
import { findItems } from "../../lib/items.js";
import { useLoad } from "../../lib/load.js";
import { byName, collection, has, manifest } from "../../lib/site.js";
import { findTerms } from "../../lib/terms.js";
import { FormDialog } from "../../ui/form.js";
import { Field, SelectField, Segments, TextField, Tick } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import { t } from "./names.js";

const FOUND = 10;
/** By collection: the link type that leads there if the link names no collection. The others have the type "post". */
const ITEM = { pages: "page" };

/** @param {any} link "custom", "item", "taxonomy" or "collection" */
export const kindOf = (link) => (link.type === "page" || link.type === "post" ? "item" : link.type);
/** @param {any} link */
export const collectionOf = (link) => link.referenceCollection ?? (link.type === "page" ? "pages" : "posts");

/**
 * Chooses an item of a collection, or a term of a taxonomy, by searching.
 * @param {{chosen: any, find: any, label: string, problem?: string}} props
 */
const Chosen = ({ chosen, find, label, problem }) => html`<${Field} label=${t("what")}
	problem=${problem}>${(props) => html`<div class="chips">
	${
		chosen.value
			? html`<span
			class="tag serif"><bdi>${chosen.value.title}
			</bdi> <button type="button" id=${props.id}
			aria-label=${t("takeOut", { name: chosen.value.title })}
			onClick=${() => (chosen.value = null)}><span aria-hidden="true">×</span></button></span>`
			: html`<${Search} id=${props.id} label=${label}
			props=${{
				"aria-describedby": props["aria-describedby"],
				"aria-invalid": props["aria-invalid"],
			}} find=${find}
				onChoose=${(one) => (chosen.value = one)} />`
	}</div>`}<//>`;

/**
 * @param {{link?: any, locale: string, problems?: {path: string, message: string}[], onClose: () => void, onSave: (link: any) => void}} props
 *   link: absent for a new one; problems: issues that the server reported for it
 */
export function LinkForm({ link, locale, problems = [], onClose, onSave }) {
	const kind = useSignal(link ? kindOf(link) : "custom"),
		label = useSignal(link?.label ?? ""),
		url = useSignal(link?.customUrl ?? "");
	const collections = manifest.value.collections.filter(
		(one) => !one.hidden || one.slug === link?.referenceCollection,
	);
	const slug = useSignal(
			link && kind.value !== "custom" && kind.value !== "taxonomy"
				? collectionOf(link)
				: (collections[0]?.slug ?? ""),
		),
		taxonomy = useSignal(link?.type === "taxonomy" ? link.referenceCollection : "");
	const chosen = useSignal(link?.referenceId ? { id: link.referenceId, title: link.title ?? link.label } : null);
	const hint = useSignal(link?.titleAttr ?? ""),
		isNew = useSignal(link?.target === "_blank"),
		classes = useSignal(link?.cssClasses ?? "");
	const taxonomies = useLoad(
		async (signal) =>
			has("taxonomies") ? byName((await api.get("/taxonomies", { signal })).taxonomies) : [],
		[],
	);
	const known = taxonomies.data.value ?? [],
		tax = known.find((one) => one.name === taxonomy.value) ?? known[0];

	const findTerm = async (words, signal) =>
		(await findTerms(tax.name, locale, words, FOUND, signal)).map((one) => ({
			id: one.translationGroup,
			title: one.label,
		}));
	const save = () => {
		const isChoice = kind.value === "item" || kind.value === "taxonomy";

		if (isChoice && !chosen.value)
			throw new ApiError(0, {
				code: "VALIDATION_ERROR",
				message: t("itemWanted"),
				details: { field: "referenceId" },
			});
		onSave({
			type: kind.value === "item" ? (ITEM[slug.value] ?? "post") : kind.value,
			label: label.value.trim() || chosen.value?.title || "",
			customUrl: kind.value === "custom" ? url.value : null,
			referenceCollection:
				kind.value === "custom" ? null : kind.value === "taxonomy" ? tax.name : slug.value,
			referenceId: isChoice ? chosen.value.id : null,
			title: isChoice ? chosen.value.title : null,
			titleAttr: hint.value || null,
			target: isNew.value ? "_blank" : link?.target === "_blank" ? null : (link?.target ?? null),
			cssClasses: classes.value || null,
		});
	};
	const set = (to) => {
		kind.value = to;
		chosen.value = null;
	};
	const kinds = [
		"custom",
		...(collections.length > 0 ? ["item", "collection"] : []),
		...(known.length > 0 ? ["taxonomy"] : []),
	];
	const pick = (words, which, options, onChange) => html`<${SelectField} label=${words} value=${which}
		onChange=${(v) => {
			onChange(v);
			chosen.value = null;
		}} options=${options} />`;
	const ofCollections = collections.map((one) => ({ value: one.slug, label: one.label }));

	return html`<${FormDialog} title=${t(link ? "edit" : "add")} yes=${t(link ? "save" : "addThis")} save=${save}
		onClose=${onClose} fields=${["referenceId"]}>${(at) => {
			const wrong = (name) => at(name) ?? problems.find((one) => one.path === name)?.message;

			return html`
			<${Field} label=${t("kind")}
				isGroup>${() => html`<div>
					<${Segments} legend=${t("kind")} name="kind" value=${kind.value} onChange=${set}
						options=${kinds.map((value) => ({ value, label: t(value) }))} /></div>`}
						<//>
			${
				kind.value === "custom" &&
				html`<${TextField} label=${t("address")} help=${t("addressHelp")} class="mono"
					required maxlength="2048" spellcheck=${false} value=${url.value}
					onInput=${(v) => (url.value = v)} problem=${wrong("customUrl")} />`
			}
			${
				kind.value === "item" &&
				html`${pick(t("collection"), slug.value, ofCollections, (v) => (slug.value = v))}
				<${Chosen} chosen=${chosen}
					label=${t("find", { where: collection(slug.value)?.label ?? slug.value })}
					find=${(words, signal) => findItems(slug.value, words, signal)}
					problem=${wrong("referenceId")} />`
			}
			${
				kind.value === "collection" &&
				html`<${SelectField} label=${t("collection")} help=${t("collectionHelp")}
					value=${slug.value} onChange=${(v) => (slug.value = v)}
					options=${ofCollections} />`
			}
			${
				kind.value === "taxonomy" &&
				html`${pick(
					t("whichTaxonomy"),
					tax?.name ?? "",
					known.map((one) => ({ value: one.name, label: one.label })),
					(v) => (taxonomy.value = v),
				)}
				<${Chosen} chosen=${chosen} label=${t("findTerm", { where: tax?.label ?? "" })}
					find=${findTerm} problem=${wrong("referenceId")} />`
			}
			<${TextField} label=${t("label")} required=${!chosen.value} maxlength="200" dir="auto"
				lang=${locale} placeholder=${chosen.value?.title} value=${label.value}
				onInput=${(v) => (label.value = v)} problem=${wrong("label")} />
			<${Tick} isOn=${isNew.value} onChange=${(isOn) => (isNew.value = isOn)}>${t("newWindow")}<//>
			<${TextField} label=${t("tooltip")} help=${t("tooltipHelp")} maxlength="500" dir="auto"
				lang=${locale} value=${hint.value} onInput=${(v) => (hint.value = v)}
				problem=${wrong("titleAttr")} />
			<${TextField} label=${t("classes")} help=${t("classesHelp")} class="mono" maxlength="500"
				spellcheck=${false} value=${classes.value} onInput=${(v) => (classes.value = v)}
				problem=${wrong("cssClasses")} />`;
		}}<//>`;
}
