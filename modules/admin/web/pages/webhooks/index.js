// webhooks - lists and creates webhook targets, and shows their pending deliveries.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { Button, Empty, Loaded, Once, Table, Time, tell } from "../../ui/index.js";
import { Form, eventWord } from "./form.js";
import { Queue } from "./queue.js";
import { TargetMark, pathOf } from "./state.js";
import en from "./en.json";

const t = addWords("webhooks", en);
const FEW = 3; // events that are named in a row of the list

const columns = [
	{ name: "state", label: t("state"), class: "c-state", cell: (one) => html`<${TargetMark} one=${one} />` },
	{
		name: "url",
		label: t("url"),
		isHead: true,
		class: "c-plain",
		cell: (one) => html`<a
		href=${href(pathOf(one))}><bdi>${one.url}</bdi></a>
		${one.description && html`<span class="sub"><bdi>${one.description}</bdi></span>`}`,
	},
	{
		name: "events",
		label: t("events"),
		class: "c-tags",
		cell: (one) =>
			one.events.length === 0
				? t("everything")
				: html`<span
		class="may">
		${one.events.slice(0, FEW).map((name) => html`<span class="tag" key=${name}>${eventWord(name)}</span>`)}
		${one.events.length > FEW && t("andMore", { n: one.events.length - FEW })}</span>`,
	},
	{
		name: "up",
		label: t("lastSuccess"),
		class: "c-up meta",
		cell: (one) => html`<${Time} at=${one.lastSuccessAt}
		empty=${t("never")} />`,
	},
];

export default function Webhooks() {
	const targets = useLoad((signal) => api.get("/admin/webhooks", { signal }), []);
	const isMaking = useSignal(false),
		made = useSignal(/** @type {any} */ (null));

	const make = async (body) => {
		made.value = await api.post("/admin/webhooks", body);
		isMaking.value = false;
		tell(t("made"));
		await targets.reload();
	};

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//></div>
		${
			made.value &&
			html`<${Once} title=${t("secretOf", { url: made.value.item.url })} text=${t("secretOnce")}
				secret=${made.value.secret} onClose=${() => (made.value = null)} data-secret />`
		}
		<div class="sheet list">
		<${Loaded} from=${targets}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
			${(data) => html`<${Table} caption=${t("title")} rows=${data.items} id=${(one) => one.id}
				columns=${columns} />`}<//></div>
		<${Queue} targets=${targets.data.value?.items ?? []} onChange=${targets.reload} />
		${
			isMaking.value &&
			html`<${Form} title=${t("make")} onClose=${() => (isMaking.value = false)}
				onSend=${make} />`
		}`;
}
