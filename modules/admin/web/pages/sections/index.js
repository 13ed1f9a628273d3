// sections - reusable pieces of text that items include: the list, and a new one.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { nameFrom } from "../../lib/names.js";
import { go, href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { FormDialog } from "../../ui/form.js";
import { Button, Empty, Loaded, Table, TextField, Time, tell } from "../../ui/index.js";
import { Filter, Find, Pager } from "../../ui/lists.js";
import en from "./en.json";

const t = addWords("sections", en);
const SOURCES = ["user", "theme", "import"];

function Make({ onClose }) {
	const title = useSignal(""),
		slug = useSignal(/** @type {string | null} */ (null)),
		shown = slug.value ?? nameFrom(title.value, "-", 200);
	const save = async () => {
		const made = await api.post("/sections", { title: title.value, slug: shown, content: [] });

		tell(t("made", { name: made.title }));
		await go(`/sections/${segment(made.slug)}`);
	};

	return html`<${FormDialog} title=${t("make")} lead=${t("about")} yes=${t("make")} save=${save}
		onClose=${onClose} fields=${["title", "slug"]}>${(at) => html`
		<${TextField} label=${t("name")} required autofocus maxlength="200" dir="auto" value=${title.value}
			onInput=${(v) => (title.value = v)} problem=${at("title")} />
		<${TextField} label=${t("short")} help=${t("shortHelp")} class="mono" required maxlength="200"
			spellcheck=${false} value=${shown} onInput=${(v) => (slug.value = v)} problem=${at("slug")} />`}
			<//>`;
}

export default function Sections({ query }) {
	const ask = { search: query.search, source: query.source, cursor: query.cursor };
	const list = useLoad((signal) => api.get("/sections", { query: ask, signal }), [JSON.stringify(ask)]),
		isMaking = useSignal(false);
	const columns = [
		{
			name: "title",
			label: t("name"),
			isHead: true,
			class: "c-title",
			cell: (one) => html`<a
			href=${href(`/sections/${segment(one.slug)}`)}><bdi>${one.title}</bdi></a>
			<span class="sub"><code>${one.slug}</code>
			${one.description && html` · <bdi>${one.description}</bdi>`}</span>`,
		},
		{ name: "source", label: t("source"), class: "meta wide-only", cell: (one) => t(`from_${one.source}`) },
		{
			name: "up",
			label: t("updated"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.updatedAt} />`,
		},
	];

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//></div>
		<div class="sheet list">
			<form class="tools" role="search"
				onSubmit=${(e) => e.preventDefault()}>
				<${Find} label=${t("search")} value=${query.search} />
				<${Filter} name="source" label=${t("source")} value=${query.source}
					all=${t("allSources")}
					options=${SOURCES.map((value) => ({ value, label: t(`from_${value}`) }))} />
					</form>
			<${Loaded} from=${list}
				empty=${(data) =>
					data.items.length === 0 &&
					html`<${Empty}
						title=${t(ask.search || ask.source ? "noneFound" : "none")}>
						<p class="quiet">${t("about")}</p><//>`}>${(data) => html`
				<${Table} caption=${t("list")} rows=${data.items} id=${(one) => one.id}
					columns=${columns} />
					<${Pager} cursor=${query.cursor} next=${data.nextCursor} />`}<//>
		</div>
		${isMaking.value && html`<${Make} onClose=${() => (isMaking.value = false)} />`}`;
}
