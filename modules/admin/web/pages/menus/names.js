// names.js - the dialogs for a menu as a whole: create, rename, delete.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { nameFrom } from "../../lib/names.js";
import { addWords, languageSaid } from "../../lib/words.js";
import { FormDialog } from "../../ui/form.js";
import { TextField, ask, tell } from "../../ui/index.js";
import en from "./en.json";

export const t = addWords("menus", en);

/** @param {{menu?: any, onClose: () => void, onSaved: (menu: any) => any}} props menu: absent for a new one */
export function MenuName({ menu, onClose, onSaved }) {
	const label = useSignal(menu?.label ?? ""),
		name = useSignal(/** @type {string | null} */ (null));
	const shown = name.value ?? nameFrom(label.value, "_", 63);
	const save = async () => {
		const made = menu
			? await api.put(
					`/menus/${segment(menu.name)}`,
					{ label: label.value },
					{ query: { locale: menu.locale } },
				)
			: await api.post("/menus", { name: shown, label: label.value });

		tell(t(menu ? "renamed" : "made", { name: made.label }));
		await onSaved(made);
	};

	return html`<${FormDialog} title=${t(menu ? "rename" : "make")} lead=${menu ? undefined : t("about")}
		yes=${t(menu ? "save" : "make")} save=${save} onClose=${onClose}
		fields=${["label", "name"]}>${(at) => html`
		<${TextField} label=${t("menuLabel")} required autofocus maxlength="200" dir="auto" value=${label.value}
			onInput=${(v) => (label.value = v)} problem=${at("label")} />
		${
			!menu &&
			html`<${TextField} label=${t("name")} help=${t("nameHelp")} class="mono half" required
			maxlength="63" spellcheck=${false} value=${shown} onInput=${(v) => (name.value = v)}
			problem=${at("name")} />`
		}`}<//>`;
}

/** Asks, and deletes a menu in all its languages. @param {any} menu a row of byName @returns {Promise<boolean>} */
export async function removeMenu(menu) {
	const n = menu.all.reduce((sum, one) => sum + one.itemCount, 0);

	if (
		!(await ask({
			title: t("sure", { name: menu.label }),
			text: t("sureText", { n }),
			yes: t("delete"),
			isFinal: true,
		}))
	)
		return false;
	await api.post("/batch", {
		atomic: true,
		calls: menu.all.map((one) => ({
			op: "menu_delete",
			arguments: { name: one.name, locale: one.locale },
		})),
	});
	tell(t("deleted", { name: menu.label }));
	return true;
}

/** Asks, and deletes a menu in one language. @param {any} menu with its items @returns {Promise<boolean>} */
export async function removeHere(menu) {
	const language = languageSaid(menu.locale);

	if (
		!(await ask({
			title: t("sure", { name: menu.label }),
			text: t("sureHere", { n: menu.items.length, language }),
			yes: t("deleteHere", { language }),
			isFinal: true,
		}))
	)
		return false;
	await api.delete(`/menus/${segment(menu.name)}`, { query: { locale: menu.locale } });
	tell(t("deleted", { name: menu.label }));
	return true;
}
