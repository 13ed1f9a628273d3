// imports - content of other systems: what was imported, and a new import.
import { useMemo } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useImporters } from "../../lib/forms.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { Button, Empty, Loaded, Table, Time, tell } from "../../ui/index.js";
import { Pager } from "../../ui/lists.js";
import en from "./en.json";
import { ImportForm } from "./form.js";
import { ImportMark, formatWord, pathOf } from "./state.js";

const t = addWords("imports", en);

const columnsOf = (importers) => [
	{ name: "state", label: t("state"), class: "c-state", cell: (one) => html`<${ImportMark} one=${one} />` },
	{
		name: "source",
		label: t("source"),
		isHead: true,
		class: "c-plain",
		cell: (one) => html`<a
		href=${href(pathOf(one))}>${formatWord(importers, one)}</a>
		${one.config.dryRun && html`<span class="sub">${t("tried")}</span>`}`,
	},
	{ name: "up", label: t("started"), class: "c-up meta", cell: (one) => html`<${Time} at=${one.createdAt} />` },
];

export default function Imports({ query }) {
	const jobs = useLoad(
		(signal) => api.get("/import/jobs", { query: { cursor: query.cursor }, signal }),
		[query.cursor],
	);
	const importers = useImporters(),
		isMaking = useSignal(false),
		columns = useMemo(() => columnsOf(importers.data.value), [importers.data.value]);
	const made = async (job) => {
		await go(pathOf(job));
		tell(t("made"), { isBegun: true });
	};

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//></div>
		<div class="sheet list">
		<${Loaded} from=${jobs}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<${Empty} title=${t("none")}><p class="quiet">${t("about")}</p><//>`}>
			${(data) => html`<${Table} caption=${t("title")} rows=${data.items} id=${(one) => one.id}
				columns=${columns} /><${Pager} cursor=${query.cursor} next=${data.nextCursor} />`}<//>
				</div>
		${
			isMaking.value &&
			html`<${Loaded}
				from=${importers}>
				${(found) => html`<${ImportForm} importers=${found}
					onClose=${() => (isMaking.value = false)} onMade=${made} />`}<//>`
		}`;
}
