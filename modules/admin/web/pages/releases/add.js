// add.js - the dialog "Add to release" of an editor and of a list. It is loaded when it is used.
import { render } from "preact";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { FormDialog } from "../../ui/form.js";
import { Loaded, SelectField, TextField, Tick, tell } from "../../ui/index.js";
import { t } from "./words.js";

function Add({ collection, items, onClose }) {
	const open = useLoad((signal) => api.get("/releases", { query: { status: "open" }, signal }), []);
	const chosen = useSignal(/** @type {string | null} */ (null)),
		name = useSignal(""),
		unpublishes = useSignal(false);
	const first = () => chosen.value ?? open.data.value?.items[0]?.id ?? "";
	const save = async () => {
		if (!open.data.value) return;
		const action = unpublishes.value ? "unpublish" : "publish";
		const add = items.map((item) => ({ type: "item", action, collection, item }));
		const { release } = first()
			? await api.put(`/releases/${segment(first())}`, { add })
			: await api.post("/releases", { name: name.value, add });

		tell(t("added", { name: release.name }));
	};

	return html`<${FormDialog} title=${t("add")} lead=${t("addLead", { n: items.length })} yes=${t("add")} save=${save}
		onClose=${onClose} fields=${["name"]}>${(at) =>
			html`<${Loaded} from=${open}>${(data) => html`
		<${SelectField} label=${t("release")} value=${first()} onChange=${(v) => (chosen.value = v)}
			options=${[...data.items.map((one) => ({ value: one.id, label: one.name })), { value: "", label: t("newOne") }]} />
		${
			!first() &&
			html`<${TextField} label=${t("newName")} required maxlength="200" dir="auto" value=${name.value}
			onInput=${(v) => (name.value = v)} problem=${at("name")} />`
		}
		<${Tick} isOn=${unpublishes.value} onChange=${(v) => (unpublishes.value = v)}>${t("addUnpublish")}<//>`}<//>`}<//>`;
}

/** Opens the dialog. @param {string} collection @param {string[]} items ids */
export function addToRelease(collection, items) {
	const place = document.body.appendChild(document.createElement("div"));
	const close = () => {
		render(null, place);
		place.remove();
	};

	render(html`<${Add} collection=${collection} items=${items} onClose=${close} />`, place);
}
