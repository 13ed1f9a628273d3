// form.js - the form of a taxonomy: a new one, or its definition in a language.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { nameFrom } from "../../lib/names.js";
import { manifest } from "../../lib/site.js";
import { addWords, languageName } from "../../lib/words.js";
import { FormDialog } from "../../ui/form.js";
import { CollectionPicks } from "../../ui/picks.js";
import { Field, TextField, Tick, ask, tell } from "../../ui/index.js";
import en from "./en.json";

export const t = addWords("taxonomies", en);

/**
 * Updates the definitions in other languages: all share `hierarchical` and the collections. @param {any[]} others
 * definitions @param {any} more
 */
const alike = (others, more) =>
	others.length > 0 &&
	api.post("/batch", {
		atomic: true,
		calls: others.map((one) => ({
			op: "taxonomy_update",
			arguments: { name: one.name, locale: one.locale, ...more },
		})),
	});

/**
 * @param {{of?: any, locale: string, onClose: () => void, onSaved: (taxonomy: any) => any}} props of: a row of byName;
 *   absent: a new taxonomy. If it has no definition in this locale, one is created.
 */
export function TaxonomyForm({ of, locale, onClose, onSaved }) {
	const here = of?.all.find((one) => one.locale === locale),
		from = here ?? of;
	const label = useSignal(from?.label ?? ""),
		singular = useSignal(from?.labelSingular ?? ""),
		name = useSignal(/** @type {string | null} */ (null));
	const isTree = useSignal(from?.hierarchical ?? false),
		slugs = useSignal(/** @type {string[]} */ (from?.collections ?? []));
	const shown = of ? of.name : (name.value ?? nameFrom(label.value, "_", 63).replace(/^[0-9_]+/, ""));
	const save = async () => {
		const more = { hierarchical: isTree.value, collections: slugs.value };
		const body = { label: label.value, labelSingular: singular.value.trim() || null, ...more };
		const { taxonomy } = here
			? await api.put(`/taxonomies/${segment(of.name)}`, body, { query: { locale } })
			: await api.post("/taxonomies", {
					name: shown,
					locale,
					...body,
					...(of ? { translationOf: of.id } : {}),
				});

		if (of)
			await alike(
				of.all.filter((one) => one.locale !== locale),
				more,
			);
		tell(t(of ? "changed" : "made", { name: taxonomy.label }));
		await onSaved(taxonomy);
	};
	const collections = manifest.value.collections.filter((one) => !one.hidden);

	return html`<${FormDialog}
		title=${
			of
				? html`${t("editOf", { name: of.label })}
			${
				manifest.value.locales.length > 1 &&
				html` <small class="quiet">${languageName(locale)}</small>`
			}`
				: t("make")
		}
				lead=${of ? undefined : t("about")}
		yes=${t(of ? "save" : "make")} save=${save} onClose=${onClose}
		fields=${["label", "labelSingular", "name", "collections"]}>${(at) => html`
		<${TextField} label=${t("plural")} help=${t("labelHelp")} required autofocus maxlength="200" dir="auto"
			value=${label.value} onInput=${(v) => (label.value = v)} problem=${at("label")} />
		<${TextField} label=${t("singular")} help=${t("singularHelp")} maxlength="200" dir="auto"
			value=${singular.value} onInput=${(v) => (singular.value = v)} problem=${at("labelSingular")} />
		${
			!of &&
			html`<${TextField} label=${t("name")} help=${t("nameHelp")} required class="mono half"
			maxlength="63" spellcheck=${false} value=${shown} onInput=${(v) => (name.value = v)}
			problem=${at("name")} />`
		}
		<${Tick} isOn=${isTree.value} onChange=${(isOn) => (isTree.value = isOn)}
			name="hierarchical">${t("isTree")}<//>
		<${Field} label=${t("collections")} help=${t("collectionsHelp")} isGroup
			problem=${at("collections")}>
			${(props) =>
				collections.length === 0
					? html`<span class="quiet" ...${props}>${t("noCollection")}</span>`
					: html`<${CollectionPicks} collections=${collections} chosen=${slugs.value}
						onChange=${(next) => (slugs.value = next)} props=${props} />`}
			<//>`}<//>`;
}

/** Asks, and deletes a taxonomy in all its languages. @param {any} of @returns {Promise<boolean>} */
export async function removeTaxonomy(of) {
	if (
		!(await ask({
			title: t("sure", { name: of.label }),
			text: t("sureText"),
			yes: t("deleteTaxonomy"),
			isFinal: true,
		}))
	)
		return false;
	await api.delete(`/taxonomies/${segment(of.name)}`);
	tell(t("deleted", { name: of.label }));
	return true;
}
