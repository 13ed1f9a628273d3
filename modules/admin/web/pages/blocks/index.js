// blocks - the types of blocks that the site defines for its texts: lists and creates them.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { loadManifest, may } from "../../lib/site.js";
import { Button, Dialog, Empty, Loaded, Problem, Table, TextField, tell } from "../../ui/index.js";
import { nameOf } from "../schema/name.js";
import ofSchema from "../schema/en.json";
import en from "./en.json";

const t = addWords("blocks", en);
const s = addWords("schema", ofSchema);

function Make({ onClose }) {
	const label = useSignal(""),
		slug = useSignal(""),
		isOwnSlug = useSignal(false),
		problem = useSignal(/** @type {any} */ (null));
	const at = (name) => problem.value?.issueAt?.(name);
	const make = async () => {
		problem.value = null;
		try {
			const { item } = await api.post("/schema/blocks", { slug: slug.value, label: label.value });

			await loadManifest();
			await go(`/blocks/${segment(item.slug)}`);
			tell(t("made", { name: item.label }));
		} catch (error) {
			problem.value = error;
		}
	};

	return html`<${Dialog} title=${t("make")} onClose=${onClose} onSubmit=${make}
		actions=${html`<${Button} kind="go" type="submit">${t("make")}<//>`}>
		<${Problem} error=${problem.value} shown=${["label", "slug"]} />
		<div class="fields">
			<${TextField} label=${t("label")} name="label" required maxlength="500" help=${t("labelHelp")}
				value=${label.value}
				onInput=${(text) => {
					label.value = text;
					if (!isOwnSlug.value) slug.value = nameOf(text);
				}} problem=${at("label")} />
			<${TextField} label=${s("slug")} name="slug" class="mono" required maxlength="63"
				autocomplete="off" spellcheck="false" help=${s("slugHelp")} value=${slug.value}
				onInput=${(text) => {
					isOwnSlug.value = true;
					slug.value = text;
				}} problem=${at("slug")} />
		</div>
	<//>`;
}

const columns = () => [
	{
		name: "label",
		label: t("block"),
		isHead: true,
		class: "c-plain",
		cell: (one) => html`<a
			href=${href(`/blocks/${segment(one.slug)}`)}><bdi>${one.label}</bdi></a>
			<span class="sub"><code>${one.slug}</code></span>`,
	},
	{
		name: "fields",
		label: s("fields"),
		class: "c-tags",
		cell: (one) => t("fieldCount", { n: one.fields.length }),
	},
];

export default function Blocks() {
	const types = useLoad((signal) => api.get("/schema/blocks", { signal }), []),
		isMaking = useSignal(false),
		isOwn = may("schema:manage");
	const begin = html`<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//>`;

	return html`<div class="head"><h1>${t("title")}</h1>${isOwn && begin}</div>
		<div class="sheet list">
		<${Loaded} from=${types}
			empty=${({ items }) =>
				items.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
			${({ items }) => html`<${Table} caption=${t("title")} rows=${items} id=${(one) => one.slug}
				columns=${columns()} />`}<//></div>
		${isMaking.value && html`<${Make} onClose=${() => (isMaking.value = false)} />`}`;
}
