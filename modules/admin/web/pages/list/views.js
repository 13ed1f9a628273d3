// views.js - views of a list that the person has saved: its filters, order and columns under a name, in this browser.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { keep, recall } from "../../lib/kept.js";
import { go } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Dialog, Menu, TextField, tell } from "../../ui/index.js";

const t = wordsOf("list");

/** @typedef {{name: string, query: Record<string, string>, columns: string[]}} View */

/**
 * @param {{slug: string, path: string, query: Record<string, string>, columns: string[], onColumns: (columns: string[]) =>
 * void}} props query: of the page, as it is now
 */
export function Views({ slug, path, query, columns, onColumns }) {
	const key = `views.${slug}`,
		views = useSignal(/** @type {View[]} */ (recall(key, []))),
		name = useSignal(/** @type {string | null} */ (null));
	const set = (next) => {
		views.value = next;
		keep(key, next.length > 0 ? next : undefined);
	};
	const show = (view) => {
		onColumns(view.columns);
		void go(path, { query: view.query });
	};
	const save = () => {
		const called = name.value.trim(),
			{ cursor, ...kept } = query;

		set([...views.value.filter((one) => one.name !== called), { name: called, query: kept, columns }]);
		name.value = null;
		tell(t("viewSaved", { name: called }));
	};
	const remove = (view) => {
		const before = views.value;

		set(before.filter((one) => one !== view));
		tell(t("viewDeleted", { name: view.name }), { undo: () => set(before) });
	};

	return html`<${Menu} label=${t("views")} kind="" items=${() => [
		...views.value.map((one) => ({ label: one.name, onClick: () => show(one) })),
		{ label: t("viewSave"), onClick: () => (name.value = "") },
		...views.value.map((one) => ({
			label: t("viewDelete", { name: one.name }),
			isOut: true,
			onClick: () => remove(one),
		})),
	]}>${t("views")}<//>
	${
		name.value !== null &&
		html`<${Dialog} title=${t("viewSave")} onClose=${() => (name.value = null)} onSubmit=${save}
			actions=${html`<${Button} kind="go" type="submit">${t("viewSaveGo")}<//>`}>
			<div class="fields"><${TextField} label=${t("viewName")} help=${t("viewHelp")} name="view" required
				maxlength="60" value=${name.value} onInput=${(v) => (name.value = v)} /></div><//>`
	}`;
}
