// releases - bundles of changes that are published together: the list, and a new one.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { may } from "../../lib/site.js";
import { FormDialog } from "../../ui/form.js";
import { Button, Empty, Loaded, Table, TextField, Time, tell } from "../../ui/index.js";
import { ReleaseMark } from "./mark.js";
import { t } from "./words.js";

const columns = [
	{ name: "state", label: t("status"), class: "c-state", cell: (one) => html`<${ReleaseMark} release=${one} />` },
	{
		name: "name",
		label: t("name"),
		isHead: true,
		class: "c-title",
		cell: (one) => html`<a href=${href(`/releases/${segment(one.id)}`)}><bdi>${one.name}</bdi></a>
			<span class="sub">${t("changeCount", { n: one.changeCount })}
			${one.description && html` · <bdi>${one.description}</bdi>`}</span>`,
	},
	{ name: "up", label: t("updated"), class: "c-up meta", cell: (one) => html`<${Time} at=${one.updatedAt} />` },
];

function Make({ onClose }) {
	const name = useSignal(""),
		description = useSignal("");
	const save = async () => {
		const { release } = await api.post("/releases", { name: name.value, description: description.value });

		tell(t("made", { name: release.name }));
		await go(`/releases/${segment(release.id)}`);
	};

	return html`<${FormDialog} title=${t("make")} lead=${t("about")} yes=${t("make")} save=${save}
		onClose=${onClose} fields=${["name", "description"]}>${(at) => html`
		<${TextField} label=${t("name")} required autofocus maxlength="200" dir="auto" value=${name.value}
			onInput=${(v) => (name.value = v)} problem=${at("name")} />
		<${TextField} label=${t("description")} maxlength="2000" dir="auto" value=${description.value}
			onInput=${(v) => (description.value = v)} problem=${at("description")} />`}<//>`;
}

export default function Releases() {
	const list = useLoad((signal) => api.get("/releases", { signal }), []),
		isMaking = useSignal(false);

	return html`<div class="head"><h1>${t("title")}</h1>
		${may("releases:manage") && html`<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//>`}
		</div>
		<div class="sheet list"><${Loaded} from=${list}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>${(
				data,
			) => html`
				<${Table} caption=${t("title")} rows=${data.items} id=${(one) => one.id} columns=${columns} />`}<//>
		</div>
		${isMaking.value && html`<${Make} onClose=${() => (isMaking.value = false)} />`}`;
}
