// reviews - the requests for review: those that wait for the person, those that the person has made, all open ones. The
// state of the page is in the URL: show, cursor.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href, setQuery } from "../../lib/router.js";
import { collection } from "../../lib/site.js";
import { Empty, Loaded, Mark, Switch, Table, Time, tell, tellProblem } from "../../ui/index.js";
import { t } from "./words.js";

const TABS = {
	waiting: { for: "me", state: "open" },
	asked: { for: "asked", state: "open" },
	returned: { for: "asked", state: "returned" },
	approved: { for: "all", state: "approved" },
	all: { for: "all", state: "open" },
};
const MARKS = { open: "due", approved: "live", returned: "changed", withdrawn: "gone", published: "live" };

const columnsOf = () => [
	{
		name: "item",
		label: t("item"),
		isHead: true,
		class: "c-said",
		cell: ({ collection: slug, item, review }) => html`<a class="said-by" dir="auto"
			href=${href(`/collections/${segment(slug)}/${item.id}`)}>${item.title || item.slug || t("untitled")}</a>
			<span class="sub">${t("in", { collection: collection(slug)?.label ?? slug })} ·${" "}<bdi>${t("asker", { name: review.askedByName })}</bdi></span>
			${(review.answer ?? review.message) && html`<span class="said" dir="auto">${review.answer ?? review.message}</span>`}`,
	},
	{
		name: "state",
		label: t("state"),
		cell: ({ review }) => html`<${Mark} kind=${MARKS[review.state]}>${t(review.state)}<//>
			${review.changedSince && html`<span class="sub">${t("changedSince")}</span>`}`,
	},
	{
		name: "up",
		label: t("since"),
		class: "c-up meta",
		cell: ({ review }) => html`<${Time} at=${review.decidedAt ?? review.createdAt} />`,
	},
];

function Tabs({ show }) {
	return html`<nav class="tabs" aria-label=${t("which")}><ul role="list">${Object.keys(TABS).map(
		(one) => html`<li key=${one}><a href=${href("/reviews", { show: one === "waiting" ? undefined : one })}
			aria-current=${one === show ? "page" : undefined}>${t(one)}</a></li>`,
	)}</ul></nav>`;
}

function Mails() {
	const mine = useLoad((signal) => api.get("/reviews/me", { signal }), []);
	const turn = async (mail) => {
		try {
			mine.data.value = await api.put("/reviews/me", { mail });
			tell(t(mail ? "mailOn" : "mailOff"));
		} catch (error) {
			tellProblem(error);
		}
	};

	return (
		mine.data.value &&
		html`<div class="below"><${Switch} isOn=${mine.data.value.mail} onChange=${turn} label=${t("mail")} data-mail /></div>`
	);
}

/** @param {import("../table.js").PageProps} props */
export default function Reviews({ query }) {
	const show = Object.hasOwn(TABS, query.show) ? query.show : "waiting";
	const ask = { ...TABS[show], cursor: query.cursor };
	const page = useLoad((signal) => api.get("/reviews", { query: ask, signal }), [JSON.stringify(ask)]);
	const nothing = html`<${Empty} title=${t("empty")}><p class="quiet">${t("about")}</p><//>`;
	const rowsOf = (data) => data.items.filter((one) => one.item !== null);

	return html`<div class="head"><h1>${t("title")}</h1></div>
		<div class="sheet list"><${Tabs} show=${show} />
		<${Loaded} from=${page} empty=${(data) => rowsOf(data).length === 0 && !data.nextCursor && !query.cursor && nothing}>${(
			data,
		) => html`
			<${Table} caption=${t("list", { tab: t(show) })} rows=${rowsOf(data)} id=${(one) => one.review.id}
				nameOf=${(one) => one.item.title ?? ""} isBusy=${page.state.value === "loading"}
				columns=${columnsOf()} />
			${
				(data.nextCursor || query.cursor) &&
				html`<nav class="pager" aria-label=${t("pages")}><span></span><div class="bs">
				${
					query.cursor &&
					html`<button type="button" class="b small"
						onClick=${() => setQuery({ cursor: undefined })}>${t("first")}</button>`
				}
				${
					data.nextCursor &&
					html`<button type="button" class="b small"
						onClick=${() => setQuery({ cursor: data.nextCursor })}>${t("next")}</button>`
				}</div></nav>`
			}`}<//></div>
		<${Mails} />`;
}
