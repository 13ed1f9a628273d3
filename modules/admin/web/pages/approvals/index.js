// approvals - what programs have asked for that they may not do themselves. The state of the page is in the URL: show,
// cursor.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { Empty, Loaded, Mark, Table, Time } from "../../ui/index.js";
import { Pager } from "../../ui/lists.js";
import { opWord, placeOf, t, titleOf, whoOf } from "./words.js";

const STATES = ["open", "allowed", "refused", "withdrawn", "expired"];
export const MARKS = { open: "due", allowed: "live", refused: "changed", withdrawn: "gone", expired: "gone" };

const columnsOf = () => [
	{
		name: "request",
		label: t("request"),
		isHead: true,
		class: "c-said",
		cell: (one) => html`<a class="said-by" dir="auto"
			href=${href(`/approvals/${segment(one.id)}`)}>${opWord(one)}${titleOf(one) !== null && `: ${titleOf(one)}`}</a>
			<span class="sub">${one.collection && html`${placeOf(one)} · `}<bdi>${whoOf(one)}</bdi></span>
			${(one.answer ?? one.message) && html`<span class="said" dir="auto">${one.answer ?? one.message}</span>`}`,
	},
	{
		name: "state",
		label: t("state"),
		cell: (one) => html`<${Mark} kind=${MARKS[one.state]}>${t(one.state)}<//>
			${one.stale && html`<span class="sub">${t("staleMark")}</span>`}`,
	},
	{
		name: "up",
		label: t("since"),
		class: "c-up meta",
		cell: (one) => html`<${Time} at=${one.decidedAt ?? one.createdAt} />`,
	},
];

/** @param {import("../table.js").PageProps} props */
export default function Approvals({ query }) {
	const state = STATES.includes(query.show) ? query.show : "open";
	const ask = { state, cursor: query.cursor };
	const page = useLoad((signal) => api.get("/approvals", { query: ask, signal }), [JSON.stringify(ask)]);
	const nothing = html`<${Empty} title=${t("empty")}><p class="quiet">${t("about")}</p><//>`;

	return html`<div class="head"><h1>${t("title")}</h1></div>
		<div class="sheet list"><nav class="tabs" aria-label=${t("which")}><ul role="list">${STATES.map(
			(one) => html`<li key=${one}><a href=${href("/approvals", { show: one === "open" ? undefined : one })}
				aria-current=${one === state ? "page" : undefined}>${t(one)}</a></li>`,
		)}</ul></nav>
		<${Loaded} from=${page} empty=${(data) => data.items.length === 0 && !data.nextCursor && !query.cursor && nothing}>${(
			data,
		) => html`
			<${Table} caption=${t("list", { tab: t(state) })} rows=${data.items} id=${(one) => one.id}
				nameOf=${opWord} isBusy=${page.state.value === "loading"} columns=${columnsOf()} />
			<${Pager} cursor=${query.cursor} next=${data.nextCursor} />`}<//></div>`;
}
