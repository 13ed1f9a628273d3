// activity - what assistants and other programs wrote, by sessions: which program, for whom, when, and how many writes.
// The state of the page is in the URL: token, cursor.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { Empty, Loaded, Table, Time } from "../../ui/index.js";
import { Pager } from "../../ui/lists.js";
import { t, whoOf } from "./words.js";

const columnsOf = () => [
	{
		name: "who",
		label: t("program"),
		isHead: true,
		class: "c-plain",
		cell: (one) => html`<a dir="auto"
			href=${href(`/activity/${segment(one.id)}`)}>${one.clientName ?? t("unknown")}</a>
			<span class="sub">${one.actorName && html`<bdi>${t("for", { name: one.actorName })}</bdi>`}
			<span class="only-narrow"> · <${Time} at=${one.startedAt} /></span></span>`,
	},
	{ name: "writes", label: t("writes"), class: "meta", cell: (one) => t("count", { n: one.writes }) },
	{
		name: "began",
		label: t("began"),
		class: "c-by meta",
		cell: (one) => html`<${Time} at=${one.startedAt} />`,
	},
	{
		name: "last",
		label: t("last"),
		class: "c-up meta",
		cell: (one) => html`<${Time} at=${one.lastAt} />`,
	},
];

/** @param {import("../table.js").PageProps} props */
export default function Activity({ query }) {
	const asked = { token: query.token, cursor: query.cursor };
	const page = useLoad(
		(signal) => api.get("/assistant-sessions", { query: asked, signal }),
		[JSON.stringify(asked)],
	);
	const nothing = html`<${Empty} title=${t("empty")}><p class="quiet">${t("about")}</p><//>`;

	return html`<div class="head"><h1>${t("title")}</h1></div>
		<div class="sheet list"><${Loaded} from=${page}
			empty=${(data) => data.items.length === 0 && !query.cursor && nothing}>${(data) => html`
			<${Table} caption=${t("title")} rows=${data.items} id=${(one) => one.id} nameOf=${whoOf}
				isBusy=${page.state.value === "loading"} columns=${columnsOf()} />
			<${Pager} cursor=${query.cursor} next=${data.nextCursor} />`}<//></div>`;
}
