// items.js - the result of each item of an import, or the result that a dry run expects.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { collection } from "../../lib/site.js";
import { Empty, Loaded, Mark, Table } from "../../ui/index.js";
import { Filter, Pager } from "../../ui/lists.js";
import en from "./en.json";

const t = addWords("import", en);
const KINDS = {
	created: "live",
	updated: "changed",
	unchanged: "draft",
	conflict: "bad",
	skipped: "draft",
	draft: "due",
	failed: "bad",
	repaired: "changed",
};

/** The page of the imported item. @param {any} one */
const placeOf = (one) =>
	one.collection && one.id && collection(one.collection)
		? `/collections/${segment(one.collection)}/${segment(one.id)}`
		: null;
/** @param {any} one */
const nameOf = (one) => one.title || one.slug || one.address || one.sourceId || String(one.number);

const columns = [
	{
		name: "state",
		label: t("outcome"),
		class: "c-state",
		cell: (one) => html`<${Mark}
		kind=${KINDS[one.outcome]}>${t(one.outcome)}<//>`,
	},
	{
		name: "item",
		label: t("item"),
		isHead: true,
		class: "c-plain",
		cell: (one) => html`${
			placeOf(one)
				? html`<a href=${href(placeOf(one))}><bdi>${nameOf(one)}</bdi></a>`
				: html`<bdi>${nameOf(one)}</bdi>`
		}
		${
			(one.reason || one.notices?.length > 0) &&
			html`<span
				class="sub"><bdi>${[one.reason, ...(one.notices ?? [])].filter(Boolean).join(" · ")}
				</bdi></span>`
		}`,
	},
];

/**
 * @param {{path: string, isTried: boolean, outcome?: string, after?: string, version: string}} props isTried: the
 * import was a dry run; version: a change of it reads the items again
 */
export function Items({ path, isTried, outcome, after, version }) {
	const title = t(isTried ? "whatTried" : "what");
	const items = useLoad(
		(signal) => api.get(`${path}/items`, { query: { outcome, after, limit: 50 }, signal }),
		[path, outcome, after, version],
	);

	return html`<section class="sheet list" aria-labelledby="items-h"
		data-items><div class="tools"><h2 id="items-h">${title}</h2>
			<${Filter} name="outcome" label=${t("outcome")} value=${outcome} all=${t("all")}
				options=${Object.keys(KINDS).map((value) => ({ value, label: t(value) }))} /></div>
		<${Loaded} from=${items}
			empty=${(data) => data.items.length === 0 && html`<${Empty} title=${t("noItems")} />`}>
			${(data) => html`<${Table} caption=${title} rows=${data.items} id=${(one) => String(one.number)}
				columns=${columns} />
				<${Pager} name="after" cursor=${after} next=${data.nextAfter?.toString()} />`}<//>
				</section>`;
}
