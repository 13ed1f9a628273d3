// comments - readers' comments by status: moderates one or many, and shows each in its thread. The state of the page is
// in the URL: status, q, collection, cursor, comment.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { useTyped } from "../../lib/pages.js";
import { href, setQuery } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { manifest, may } from "../../lib/site.js";
import { Button, Empty, Icon, Loaded, Menu, Table, Time } from "../../ui/index.js";
import { STATUSES, moderate, remove } from "./actions.js";
import { pathOf, titlesOf } from "./items.js";
import { Thread } from "./thread.js";
import en from "./en.json";

const t = addWords("comments", en);
const COUNTED = 10000; // the server counts no further

function Tabs({ status, counts }) {
	const count = (one) =>
		counts?.[one] !== undefined &&
		html` <span
		class="n">${t(counts[one] >= COUNTED ? "orMore" : "number", { n: counts[one] })}</span>`;

	return html`<nav class="tabs"
		aria-label=${t("status")}><ul role="list">${STATUSES.map(
			(one) => html`<li key=${one}>
		<a href=${href("/comments", { status: one === "pending" ? undefined : one })}
			aria-current=${one === status ? "page" : undefined}>${t(one)}${count(one)}</a></li>`,
		)}</ul>
			</nav>`;
}

function Tools({ query }) {
	const search = useTyped(query.q ?? "", (text) => setQuery({ q: text || undefined, cursor: undefined }, true));
	const { collections } = manifest.value;

	return html`<form class="tools" role="search" onSubmit=${(e) => e.preventDefault()}>
		<label class="find"><span class="sr">${t("search")}</span><${Icon} name="find" />
		<input class="in" type="search" maxlength="200" placeholder=${t("search")} ...${search} /></label>
		${
			collections.length > 1 &&
			html`<label><span class="sr">${t("on")}</span>
				<select class="in auto" data-collection value=${query.collection ?? ""}
					onChange=${(e) =>
						setQuery({
							collection: e.currentTarget.value || undefined,
							cursor: undefined,
						})}>
			<option value="">${t("onAll")}</option>
			${collections.map(
				(c) => html`<option key=${c.slug} value=${c.slug}
				selected=${c.slug === query.collection}>${c.label}</option>`,
			)}</select></label>`
		}
	</form>`;
}

function Bulk({ chosen, status, onAct, onRemove }) {
	const ids = [...chosen.value];

	return html`<div class="bulk" role="region" aria-label=${t("selection")}>
		<p><strong>${t("chosen", { n: ids.length })}
		</strong> <button type="button" class="b bare small"
		onClick=${() => (chosen.value = new Set())}>${t("chooseNone")}</button></p>
		<div class="bs">
			${STATUSES.filter((to) => to !== status).map(
				(to) => html`<${Button} key=${to}
				kind=${to === "trash" ? "small out" : "small"} onClick=${() => onAct(to, ids)}
				data-act=${to}>${t(`do_${to}`)}<//>`,
			)}
			${
				status === "trash" &&
				may("comments:delete") &&
				html`<${Button} kind="small out" onClick=${() => onRemove(ids)}
					data-act="delete">${t("delete")}<//>`
			}
		</div></div>`;
}

function columnsOf({ status, titles, onAct, onRemove }) {
	const items = (one) => [
		...STATUSES.filter((to) => to !== status).map((to) => ({
			label: t(`do_${to}`),
			isOut: to === "trash",
			onClick: () => onAct(to, [one.id]),
		})),
		may("comments:delete") && { label: t("delete"), isOut: true, onClick: () => onRemove([one.id]) },
	];

	return [
		{
			name: "comment",
			label: t("comment"),
			isHead: true,
			class: "c-said",
			cell: (one) => html`<a
			class="said-by" data-open
			href=${href("/comments", {
				...Object.fromEntries(new URLSearchParams(location.search)),
				comment: one.id,
			})}>
				<bdi>${one.authorName}</bdi></a>
			<span class="sub">${one.parentId && html`${t("answer")} · `}
			<a href=${href(pathOf(one))} dir="auto">${titles?.get(one.contentId) ?? one.collection}</a>
			<span class="only-narrow"> · <${Time} at=${one.createdAt} /></span></span>
			<span class="said" dir="auto">${one.body}</span>
			${one.reason && html`<span class="sub">${t("reason", { reason: one.reason })}</span>`}`,
		},
		{
			name: "up",
			label: t("written"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.createdAt} />`,
		},
		{
			name: "do",
			label: t("moderate"),
			class: "c-act",
			isHidden: true,
			cell: (one) => html`<div
			class="bs">${STATUSES.filter((to) => to !== status && to !== "pending")
				.slice(0, 2)
				.map(
					(to) => html`<${Button} key=${to} kind="small"
					onClick=${() => onAct(to, [one.id])}
					aria-label=${t(`do_${to}_of`, { name: one.authorName })}
					data-do=${to}>${t(`do_${to}`)}<//>`,
				)}
			<${Menu} label=${t("more", { name: one.authorName })}
				items=${items(one)}><${Icon} name="more" /><//></div>`,
		},
	];
}

export default function Comments({ query }) {
	const status = STATUSES.includes(query.status) ? query.status : "pending";
	const ask = { status, search: query.q, collection: query.collection, cursor: query.cursor },
		key = JSON.stringify(ask);
	const page = useLoad((signal) => api.get("/admin/comments", { query: ask, signal }), [key]);
	const counts = useLoad((signal) => api.get("/admin/comments/counts", { signal }), []);
	const titles = useSignal(/** @type {Map<string, string> | null} */ (null)),
		chosen = useSignal(new Set());

	useEffect(() => {
		chosen.value = new Set();
	}, [key]);
	// The titles of the items may arrive later than the rows.
	useEffect(() => {
		if (page.data.value)
			void titlesOf(page.data.value.items).then(
				(all) => (titles.value = all),
				() => {},
			);
	}, [page.data.value]);

	const reload = () => Promise.all([page.reload(), counts.reload()]);
	const done = () => {
		chosen.value = new Set();
		// The element that had the focus is gone.
		if (document.activeElement === document.body)
			document.getElementById("main").focus({ preventScroll: true });
	};
	const onAct = async (to, ids) => {
		if (await moderate(ids, status, to, reload)) done();
	};
	const onRemove = async (ids) => {
		if (await remove(ids, reload)) done();
	};
	const nothing =
		query.q || query.collection
			? html`<${Empty}
			title=${t("none")}>
			<div class="bs"><a class="b" href=${href("/comments", { status: query.status })}>${t("clear")}
			</a></div><//>`
			: html`<${Empty} title=${t(`empty_${status}`)}><p class="quiet">${t("about")}</p><//>`;

	return html`<div class="head"><h1>${t("title")}</h1></div>
		<div class="sheet list">
			<${Tabs} status=${status} counts=${counts.data.value} />
			<${Tools} query=${query} />
			${
				chosen.value.size > 0 &&
				html`<${Bulk} chosen=${chosen} status=${status} onAct=${onAct}
					onRemove=${onRemove} />`
			}
			<${Loaded} from=${page} empty=${(data) => data.items.length === 0 && nothing}>${(data) => html`
				<${Table} caption=${t("list", { status: t(status) })} rows=${data.items}
					id=${(one) => one.id} nameOf=${(one) => one.authorName}
					isBusy=${page.state.value === "loading"}
					columns=${columnsOf({ status, titles: titles.value, onAct, onRemove })}
					chosen=${chosen.value} onChoose=${(next) => (chosen.value = next)} />
				${
					(data.nextCursor || query.cursor) &&
					html`<nav class="pager"
						aria-label=${t("pages")}><span></span><div class="bs">
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
				}`}<//>
		</div>
		${
			query.comment &&
			html`<${Thread} key=${query.comment} id=${query.comment}
				onClose=${() => setQuery({ comment: undefined })} onDone=${reload} />`
		}`;
}
