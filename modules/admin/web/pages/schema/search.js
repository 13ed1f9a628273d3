// search.js - turns search for the items of a collection on or off, and shows the state of its index.
import { useEffect } from "preact/hooks";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Loaded, ask, tell } from "../../ui/index.js";

const t = wordsOf("schema");
const AGAIN = 1000; // ms, while the index is being built

/** Why the collection cannot have an index, in words. */
function obstacle(item) {
	if (!item.supports.includes("search")) return t("searchIsOff", { feature: t("feature_search") });
	return item.fields.some((f) => f.searchable) ? undefined : t("searchNoField", { mark: t("searchable") });
}

function Index({ item, index, reload }) {
	const building = index?.rebuilding,
		why = obstacle(item);

	useEffect(() => {
		if (!building) return;
		const timer = setTimeout(reload, AGAIN);
		return () => clearTimeout(timer);
	}, [index]);
	const put = async (enabled) => {
		await api.post("/search/enable", { collection: item.slug, enabled });
		await reload();
		tell(t(enabled ? "searchBegun" : "searchEnded", { name: item.label }));
	};
	const end = async () => {
		if (
			await ask({
				title: t("searchEndSure", { name: item.label }),
				text: t("searchEndText"),
				yes: t("searchEnd"),
			})
		)
			await put(false);
	};
	const rebuild = async () => {
		await api.post("/search/rebuild", { collection: item.slug });
		await reload();
	};

	if (!index)
		return html`<p>${t("searchNot")}</p>
			<div class="bs">
			<${Button} kind="go" why=${why} onClick=${() => put(true)} data-search-begin>${t("searchBegin")}
			<//></div>
			${why && html`<p class="help">${why}</p>`}`;
	return html`<p
		role="status">
		${
			building
				? t(building.total === undefined ? "searchBuilds" : "searchBuildsOf", {
						n: building.done,
						total: building.total,
					})
				: t("searchHas", { n: index.indexed })
		}</p>
		<div class="bs">
		<${Button} why=${building && t("searchBuildsNow")} onClick=${rebuild}>${t("searchRebuild")}<//>
		<${Button} kind="out" onClick=${end} data-search-end>${t("searchEnd")}<//></div>`;
}

export function Search({ item }) {
	const stats = useLoad((signal) => api.get("/search/stats", { signal }), [item.slug]);

	return html`<section class="sheet pad stack" aria-labelledby="search-h"
		data-search-index><h2 id="search-h">${t("feature_search")}</h2>
		<${Loaded} from=${stats}>
		${(data) => html`<${Index} item=${item} index=${data.collections[item.slug]} reload=${stats.reload} />`}
		<//></section>`;
}
