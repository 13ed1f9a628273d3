// taxonomies - the taxonomies of the site.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { byName, collection, manifest } from "../../lib/site.js";
import { Button, Empty, Icon, Loaded, Menu, Table, tellProblem } from "../../ui/index.js";
import { TaxonomyForm, removeTaxonomy, t } from "./form.js";

export default function Taxonomies() {
	const list = useLoad(async (signal) => byName((await api.get("/taxonomies", { signal })).taxonomies), []);
	const editing = useSignal(/** @type {any} */ (null)),
		isMaking = useSignal(false),
		{ defaultLocale, locales } = manifest.value;
	const path = (one) => `/taxonomies/${segment(one.name)}/${segment(one.locale)}`;
	const remove = async (one) => {
		try {
			if (await removeTaxonomy(one)) {
				await list.reload();
				document.getElementById("main").focus();
			}
		} catch (error) {
			tellProblem(error);
		}
	};
	const columns = [
		{
			name: "label",
			label: t("label"),
			isHead: true,
			class: "c-title",
			cell: (one) => html`<a
			href=${href(path(one))}><bdi>${one.label}</bdi></a><span class="sub"><code>${one.name}</code>
			</span>`,
		},
		{
			name: "for",
			label: t("collections"),
			class: "wide-only",
			cell: (one) =>
				one.collections.length === 0
					? html`<span
			class="quiet meta">${t("noCollection")}
			</span>`
					: one.collections.map(
							(slug) => html`<span class="tag"
				key=${slug}><bdi>${collection(slug)?.label ?? slug}</bdi></span> `,
						),
		},
		{
			name: "order",
			label: t("order"),
			class: "meta",
			cell: (one) => t(one.hierarchical ? "tree" : "flat"),
		},
		locales.length > 1 && {
			name: "locales",
			label: t("languages"),
			class: "c-by meta",
			cell: (one) => one.all.map((o) => o.locale).join(", "),
		},
		{
			name: "more",
			label: t("moreColumn"),
			isHidden: true,
			class: "c-more",
			cell: (one) => html`<${Menu}
			label=${t("more", { name: one.label })}
			items=${[
				{ label: t("edit"), onClick: () => (editing.value = one) },
				{ label: t("deleteTaxonomy"), isOut: true, onClick: () => remove(one) },
			]}>
				<${Icon} name="more" /><//>`,
		},
	].filter(Boolean);

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//></div>
		<div class="sheet list">
		<${Loaded} from=${list}
			empty=${(all) =>
				all.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
			${(all) => html`<${Table} caption=${t("list")} rows=${all} id=${(one) => one.name}
				columns=${columns} />`}<//></div>
		${
			isMaking.value &&
			html`<${TaxonomyForm} locale=${defaultLocale} onClose=${() => (isMaking.value = false)}
				onSaved=${(made) => go(path(made))} />`
		}
		${
			editing.value &&
			html`<${TaxonomyForm} of=${editing.value} locale=${editing.value.locale}
				onClose=${() => (editing.value = null)} onSaved=${list.reload} />`
		}`;
}
