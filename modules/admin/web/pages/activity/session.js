// session.js - what an assistant wrote in one session, newest first: which tool did what to which thing, and what was
// there before. One write or all of them are taken back; how that would go is shown first.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { may } from "../../lib/site.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Button, Loaded, Mark, Table, Time } from "../../ui/index.js";
import { Pager } from "../../ui/lists.js";
import { Changes } from "./changes.js";
import { Undo } from "./undo.js";
import { RECORDS, kindOf, nameOf, pathOf, t, titlesOf, verbOf, whoOf } from "./words.js";

async function load(id, cursor, signal) {
	const found = await api.get(`/assistant-sessions/${segment(id)}`, {
		query: { limit: RECORDS, cursor },
		signal,
	});

	return { ...found, titles: await titlesOf(found.items, signal) };
}

function Thing({ record, titles }) {
	const name = nameOf(record, titles),
		path = pathOf(record),
		said = html`${kindOf(record)}${name && html` <bdi>“${name}”</bdi>`}`;

	return path ? html`<a dir="auto" href=${path}>${said}</a>` : html`<span dir="auto">${said}</span>`;
}

const columnsOf = (titles, undo) => [
	{
		name: "what",
		label: t("what"),
		isHead: true,
		class: "c-said",
		cell: (one) => html`<${Thing} record=${one} titles=${titles} />
			<span class="sub">${verbOf(one)}
			${one.tool && html` · <code>${one.tool}</code>`}
			<span class="only-narrow"> · <${Time} at=${one.createdAt} /></span></span>
			${one.undoneAt && html`<${Mark} kind="gone">${t("isUndone")}<//>`}
			<${Changes} record=${one} />`,
	},
	{
		name: "when",
		label: t("when"),
		class: "c-up meta",
		cell: (one) => html`<${Time} at=${one.createdAt} />`,
	},
	undo && {
		name: "do",
		label: t("undo"),
		isHidden: true,
		class: "c-do",
		cell: (one) =>
			!one.undoneAt &&
			html`<${Button} kind="small" onClick=${() => undo([one.id])} data-undo-one
			aria-label=${t("undoOf", { what: `${verbOf(one)}, ${kindOf(one)} ${nameOf(one, titles)}` })}>${t("undo")}<//>`,
	},
];

/** @param {import("../table.js").PageProps} props */
export default function Session({ params, query }) {
	const id = params.session,
		page = useLoad((signal) => load(id, query.cursor, signal), [id, query.cursor]),
		undoing = useSignal(/** @type {{records?: string[]} | null} */ (null));
	const session = page.data.value?.session,
		mayUndo = may("history:restore");
	const undo = (records) => {
		undoing.value = { records };
	};

	useEffect(() => {
		crumbs.value = [{ label: t("title"), path: "/activity" }];
		if (session) ownTitle.value = whoOf(session);
	}, [session]);
	const isLeft =
		page.data.value && (page.data.value.nextCursor || page.data.value.items.some((one) => !one.undoneAt));

	return html`<div class="head"><h1 dir="auto">${session ? whoOf(session) : t("title")}</h1>
		${
			mayUndo &&
			isLeft &&
			html`<div class="bs"><${Button} kind="out" onClick=${() => undo()} data-undo-all>${t("undoAll")}<//></div>`
		}</div>
		<${Loaded} from=${page}>${(data) => html`
		<div class="stack-3"><p class="lead">${t("count", { n: data.session.writes })} · <${Time} at=${data.session.startedAt} /></p>
		<div class="sheet list"><${Table} caption=${t("list")} rows=${data.items} id=${(one) => one.id}
			nameOf=${(one) => nameOf(one, data.titles)} isBusy=${page.state.value === "loading"}
			columns=${columnsOf(data.titles, mayUndo && undo).filter(Boolean)} />
			<${Pager} cursor=${query.cursor} next=${data.nextCursor} /></div></div>
		${
			undoing.value &&
			html`<${Undo} session=${id} records=${undoing.value.records} titles=${data.titles}
			onClose=${() => (undoing.value = null)} onDone=${page.reload} />`
		}`}<//>`;
}
