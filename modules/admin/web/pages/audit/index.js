// audit - the audit log with filters, which are in the URL, and a check that nobody has changed the log.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { useTyped } from "../../lib/pages.js";
import { href, setQuery } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { longTime } from "../../lib/time.js";
import { collection, may } from "../../lib/site.js";
import { Dialog, Empty, Loaded, Mark, Table, Time } from "../../ui/index.js";
import { definitionOf } from "../../lib/schema.js";
import { actionOf, choices, nameWord, written } from "./actions.js";
import { itemOf, keyOf, readTitles, titles } from "./items.js";
import { Proof } from "./proof.js";
import en from "./en.json";

const t = addWords("audit", en);
const MARKS = { success: "live", failure: "bad", denied: "gone" };
const FILTERS = ["actor", "op", "subject", "since", "until"];

const whoOf = (one) => one.actorEmail ?? one.actorId ?? t(`via_${one.via}`);
/** The time at which a filter's day begins or ends in the local zone. @param {string} [day] @param {boolean} [isEnd] */
const timeOf = (day, isEnd = false) =>
	day && /^\d{4}-\d{2}-\d{2}$/.test(day)
		? new Date(`${day}T${isEnd ? "23:59:59.999" : "00:00:00"}`).toISOString()
		: undefined;

/** @param {{query: Record<string, string>, seen: string[]}} props seen: operations of the records that are shown */
function Filters({ query, seen }) {
	const users = useLoad(
		(signal) =>
			may("users:read")
				? api.get("/admin/users", { query: { limit: 100 }, signal })
				: Promise.resolve({ items: [] }),
		[],
	);
	const set = (name, value, replace = false) =>
		setQuery({ [name]: value || undefined, cursor: undefined }, replace);
	const subject = useTyped(query.subject ?? "", (text) => set("subject", text, true));
	const all = users.data.value?.items ?? [];

	return html`<form class="tools named-tools" role="search" onSubmit=${(e) => e.preventDefault()}>
		<label>${t("who")}
		<select class="in" name="actor" value=${query.actor ?? ""}
			onChange=${(e) => set("actor", e.currentTarget.value)}><option value="">${t("anybody")}</option>
			${
				query.actor &&
				!all.some((u) => u.id === query.actor) &&
				html`<option value=${query.actor} selected>${query.actor}</option>`
			}
			${all.map(
				(u) => html`<option key=${u.id} value=${u.id}
				selected=${u.id === query.actor}>${u.name || u.email}</option>`,
			)}</select></label>
		<label>${t("op")}
		<select class="in" name="op" value=${query.op ?? ""}
			onChange=${(e) => set("op", e.currentTarget.value)}><option value="">${t("filterAny")}</option>
			${choices(query.op ? [...seen, query.op] : seen).map(
				({ op, label }) =>
					html`<option key=${op} value=${op} selected=${op === query.op}>${label}</option>`,
			)}</select></label>
		<label>${t("subject")}
		<input class="in" name="subject" type="search" maxlength="200" autocomplete="off" spellcheck="false"
			...${subject} /></label>
		<label>${t("since")}
		<input class="in" name="since" type="date" value=${query.since ?? ""}
			onChange=${(e) => set("since", e.currentTarget.value)} /></label>
		<label>${t("until")}
		<input class="in" name="until" type="date" value=${query.until ?? ""}
			onChange=${(e) => set("until", e.currentTarget.value)} /></label>
		${
			FILTERS.some((name) => query[name]) &&
			html`<a class="b small" href=${href("/audit")}>${t("clear")}</a>`
		}
	</form>`;
}

/** What a record is about: the title and collection of an item, with a link; else its name. */
function About({ one }) {
	const item = itemOf(one),
		title = item && titles.value[keyOf(item)];

	if (!item) return html`<bdi>${one.subject ?? one.module}</bdi>`;
	const label = collection(item.collection).label;

	return html`${
		title
			? html`<a href=${href(`/collections/${segment(item.collection)}/${segment(item.id)}`)}><bdi>${title}</bdi></a>`
			: html`<bdi>${item.id}</bdi>`
	} · <bdi>${label}</bdi>`;
}

function One({ one, onClose }) {
	const slug = one.names?.collection && collection(one.names.collection)?.slug;
	const definition = useLoad(() => (slug ? definitionOf(slug) : Promise.resolve(null)), [slug]);
	const facts = [
		["time", longTime(one.time)],
		["who", whoOf(one)],
		["via", t(`via_${one.via}`)],
		["token", one.tokenId],
		["opId", one.op],
		["module", one.module],
		["subject", one.subject],
		["result", one.result],
		["changed", written(one.changed, definition.data.value?.fields)],
		["outcome", t(one.outcome)],
		["reason", one.reason],
		["client", one.client],
		["request", one.requestId],
		["seq", String(one.seq)],
		["hash", one.hash],
	].filter(([, value]) => value);

	return html`<${Dialog} title=${actionOf(one.op, one)} onClose=${onClose} class="wide-dialog"
		actions=${html`<button type="button" class="b" onClick=${onClose}>${t("close")}</button>`}>
		<dl class="facts">
		${facts.map(
			([name, value]) => html`<div key=${name}><dt>${t(name)}</dt><dd><bdi>${value}</bdi></dd></div>`,
		)}
			${Object.entries(one.names ?? {}).map(
				([name, value]) => html`<div
					key=${`n-${name}`}><dt>${nameWord(name) ?? html`<code>${name}</code>`}</dt>
					<dd><bdi>${(name === "collection" && collection(value)?.label) || String(value)}</bdi>
					</dd></div>`,
			)}</dl>
		${
			one.subject &&
			html`<p><a href=${href("/audit", { subject: one.subject })} onClick=${onClose}>${t("allOf")}
				</a></p>`
		}
	<//>`;
}

export default function Audit({ query }) {
	const ask = {
		actor: query.actor,
		op: query.op,
		subject: query.subject,
		since: timeOf(query.since),
		until: timeOf(query.until, true),
		cursor: query.cursor,
	};
	const log = useLoad((signal) => api.get("/admin/audit", { query: ask, signal }), [JSON.stringify(ask)]);
	const shown = useSignal(/** @type {any} */ (null));

	useEffect(() => {
		const stop = new AbortController();

		readTitles(log.data.value?.items ?? [], stop.signal).catch(() => {}); // ids are shown then
		return () => stop.abort();
	}, [log.data.value]);
	const columns = [
		{
			name: "op",
			label: t("op"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<button type="button"
			class="link" onClick=${() => (shown.value = one)} data-record>${actionOf(one.op, one)}</button>
			<span class="sub"><${About} one=${one} />
			<span class="only-narrow"> · <bdi>${whoOf(one)}</bdi> · <${Time} at=${one.time} /></span>
			</span>`,
		},
		{
			name: "who",
			label: t("who"),
			class: "c-who",
			cell: (one) => html`<bdi>${whoOf(one)}</bdi>
			${one.actorEmail && html`<span class="sub">${t(`via_${one.via}`)}</span>`}`,
		},
		{
			name: "outcome",
			label: t("outcome"),
			class: "c-state",
			cell: (one) => html`<${Mark}
			kind=${MARKS[one.outcome]}>${t(one.outcome)}<//>`,
		},
		{ name: "up", label: t("time"), class: "c-up meta", cell: (one) => html`<${Time} at=${one.time} />` },
	];

	return html`<div class="head"><h1>${t("title")}</h1></div>
		<div class="stack-3"><${Proof} />
		<div class="sheet list"><${Filters} query=${query} seen=${(log.data.value?.items ?? []).map((one) => one.op)} />
			<${Loaded} from=${log}
				empty=${(data) => data.items.length === 0 && html`<${Empty} title=${t("none")} />`}>
				${(data) => html`
				<${Table} caption=${t("title")} rows=${data.items} id=${(one) => String(one.seq)}
					columns=${columns} isBusy=${log.state.value === "loading"} />
				${
					(data.nextCursor || query.cursor) &&
					html`<nav class="pager"
						aria-label=${t("title")}><span></span><div class="bs">
					${
						query.cursor &&
						html`<button type="button" class="b small"
							onClick=${() => setQuery({ cursor: undefined })}>${t("first")}
							</button>`
					}
					${
						data.nextCursor &&
						html`<button type="button" class="b small"
							onClick=${() => setQuery({ cursor: data.nextCursor })}
							data-next>${t("next")}</button>`
					}</div></nav>`
				}`}<//></div>
							</div>
		${shown.value && html`<${One} one=${shown.value} onClose=${() => (shown.value = null)} />`}`;
}
