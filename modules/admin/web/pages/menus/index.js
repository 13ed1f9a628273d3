// menus - the menus of the site.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { byName, manifest } from "../../lib/site.js";
import { Button, Empty, Icon, Loaded, Menu, Table, Time, tellProblem } from "../../ui/index.js";
import { MenuName, removeMenu, t } from "./names.js";

export default function Menus() {
	const list = useLoad(async (signal) => byName(await api.get("/menus", { signal })), []);
	const form = useSignal(/** @type {any} */ (null));
	const path = (one) => `/menus/${segment(one.name)}/${segment(one.locale)}`;
	const remove = async (one) => {
		try {
			if (await removeMenu(one)) {
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
			label: t("menuLabel"),
			isHead: true,
			class: "c-title",
			cell: (one) => html`<a
			href=${href(path(one))}><bdi>${one.label}</bdi></a>
			<span class="sub"><code><bdi>${one.name}</bdi></code></span>`,
		},
		{
			name: "count",
			label: t("linksColumn"),
			class: "meta",
			cell: (one) => t("items", { n: one.itemCount }),
		},
		manifest.value.locales.length > 1 && {
			name: "locales",
			label: t("languages"),
			class: "c-by meta",
			cell: (one) => one.all.map((o) => o.locale).join(", "),
		},
		{
			name: "up",
			label: t("updated"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.updatedAt} />`,
		},
		{
			name: "more",
			label: t("moreColumn"),
			isHidden: true,
			class: "c-more",
			cell: (one) => html`<${Menu}
			label=${t("more", { name: one.label })}
			items=${[
				{ label: t("rename"), onClick: () => (form.value = { menu: one }) },
				{ label: t("delete"), isOut: true, onClick: () => remove(one) },
			]}>
				<${Icon} name="more" /><//>`,
		},
	].filter(Boolean);

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (form.value = {})} data-make>${t("make")}<//></div>
		<div class="sheet list">
		<${Loaded} from=${list}
			empty=${(all) =>
				all.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
			${(all) => html`<${Table} caption=${t("list")} rows=${all} id=${(one) => one.name}
				columns=${columns} />`}<//></div>
		${
			form.value &&
			html`<${MenuName} menu=${form.value.menu} onClose=${() => (form.value = null)}
				onSaved=${form.value.menu ? list.reload : (made) => go(path(made))} />`
		}`;
}
