// views.js - saved views of a list: its filters, order and columns under a name. The server keeps them, one's own and
// those of everybody; they are read when the menu is used.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { keep, recall } from "../../lib/kept.js";
import { go } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { FormDialog } from "../../ui/form.js";
import { Menu, TextField, Tick, tell, tellProblem } from "../../ui/index.js";

const t = wordsOf("list");

/** @typedef {{id: string, name: string, query: Record<string, string>, columns: string[], shared?: boolean}} View */

/** By collection: the views as they were last read, to show them at once. @type {Map<string, {items: View[], mayShare: boolean}>} */
const known = new Map();

/** Moves views that an earlier version has kept in this browser to the server, once. @param {string} slug @param {string} path */
async function moveOld(slug, path) {
	const key = `views.${slug}`;

	/** @type {{name: string, query: object, columns: string[]}[]} */
	const old = recall(key, []);

	if (old.length === 0) return;
	const names = new Set(
		(await api.get(path, { quiet: true })).items.filter((one) => !one.shared).map((one) => one.name),
	);

	// Each goes from the browser as soon as the server has it; one whose name is taken there is the newer one.
	for (const [i, { name, query, columns }] of old.entries()) {
		if (!names.has(name)) await api.post(path, { name, query, columns }, { quiet: true });
		keep(key, i + 1 < old.length ? old.slice(i + 1) : undefined);
	}
}

/**
 * @param {{slug: string, path: string, query: Record<string, string>, columns: string[], onColumns: (columns: string[]) =>
 * void}} props query: of the page, as it is now
 */
export function Views({ slug, path, query, columns, onColumns }) {
	const views = useSignal(known.get(slug) ?? { items: [], mayShare: false }),
		name = useSignal(/** @type {string | null} */ (null)),
		isShared = useSignal(false);
	const place = `/views/${segment(slug)}`;
	const read = async () => {
		const now = await api.get(place);

		known.set(slug, now);
		views.value = now;
	};
	const open = () =>
		void moveOld(slug, place)
			.catch(() => {}) // they stay in the browser until they can be moved
			.then(read)
			.catch(tellProblem);
	const show = (view) => {
		onColumns(view.columns);
		void go(path, { query: view.query });
	};
	const save = async () => {
		const called = name.value.trim(),
			{ cursor, ...kept } = query;

		await api.post(place, { name: called, query: kept, columns, shared: isShared.value });
		await read();
		tell(t("viewSaved", { name: called }));
	};
	const remove = async ({ id, ...view }) => {
		try {
			await api.delete(`${place}/${segment(id)}`);
			await read();
			tell(t("viewDeleted", { name: view.name }), {
				undo: async () => {
					await api.post(place, view);
					await read();
				},
			});
		} catch (error) {
			tellProblem(error);
		}
	};
	const { items, mayShare } = views.value,
		label = (view) => (view.shared ? t("viewShared", { name: view.name }) : view.name);

	return html`<${Menu} label=${t("views")} kind="" onOpen=${open} items=${() => [
		...items.map((one) => ({ label: label(one), onClick: () => show(one) })),
		{
			label: t("viewSave"),
			onClick: () => {
				isShared.value = false;
				name.value = "";
			},
		},
		...items
			.filter((one) => mayShare || !one.shared)
			.map((one) => ({
				label: t("viewDelete", { name: label(one) }),
				isOut: true,
				onClick: () => void remove(one),
			})),
	]}>${t("views")}<//>
	${
		name.value !== null &&
		html`<${FormDialog} title=${t("viewSave")} yes=${t("viewSaveGo")} save=${save} fields=${["name"]}
			onClose=${() => (name.value = null)}>${(at) => html`
			<${TextField} label=${t("viewName")} help=${t("viewHelp")} name="view" required
				maxlength="60" value=${name.value} problem=${at("name")} onInput=${(v) => (name.value = v)} />
			${mayShare && html`<${Tick} name="shared" isOn=${isShared.value} onChange=${(v) => (isShared.value = v)}>${t("viewShare")}<//>`}`}<//>`
	}`;
}
