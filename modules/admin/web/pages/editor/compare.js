// compare - two revisions of an item, field by field and block by block.
import { useEffect } from "preact/hooks";
import { api, request, segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { useLoad } from "../../lib/load.js";
import { ownTypes } from "../../lib/owntypes.js";
import { href } from "../../lib/router.js";
import { collection as collectionOf } from "../../lib/site.js";
import { longTime } from "../../lib/time.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Button, Loaded, ask, tellProblem } from "../../ui/index.js";
import { isEqual, readJson } from "../../editor/save/json.js";
import "../../editor/morewords.js";
import { t } from "../../editor/words.js";
import { goAndTell } from "./actions.js";
import { Block, isText, textOf } from "./blocks.js";
import { diffBlocks, diffWords } from "./diff.js";
import { Timeline, authorOf, exactTime } from "./history.js";
import { layoutOf, loadCollection } from "./item.js";
import { sittingsOf } from "./sittings.js";

const REVISIONS = 100;
const NOTHING = "none"; // before the first revision

/* ---- one pair ---- */

const side = (parts, kind) =>
	parts
		.filter((p) => p.kind === "same" || p.kind === kind)
		.map((p, i) =>
			p.kind === "same"
				? p.text
				: p.kind === "gone"
					? html`<del key=${i}>${p.text}
		</del>`
					: html`<ins key=${i}>${p.text}</ins>`,
		);

function Pair({ kind, why, a, b, isTool = false }) {
	const of = (content, none) => (content === null ? html`<p class="none">${none}</p>` : content);

	return html`<div class=${`pair ${kind}`}><p class="why"><span>${why}</span></p>
		<div class=${`side-a ${isTool ? "tool" : ""}`}>${of(a, t("notYet"))}</div>
		<div class=${`side-b ${isTool ? "tool" : ""}`}>${of(b, t("noLonger"))}</div></div>`;
}

function moveWords(by) {
	return by < 0 ? t("movedUp", { n: -by }) : t("movedDown", { n: by });
}

function BlockPair({ row }) {
	const { kind, a, b, by } = row;

	if (kind === "added")
		return html`<${Pair} kind="added" why=${t("putInWord")} a=${null}
			b=${html`<${Block} block=${b} inner=${html`<ins>${textOf(b)}</ins>`} />`} />`;
	if (kind === "gone")
		return html`<${Pair} kind="gone" why=${t("takenOut")}
			a=${html`<${Block} block=${a} inner=${html`<del>${textOf(a)}</del>`} />`} b=${null} />`;
	if (kind === "moved")
		return html`<${Pair} kind="moved" why=${moveWords(by)} a=${html`<${Block} block=${a} />`}
			b=${html`<${Block} block=${b} />`} />`;
	const words = diffWords(textOf(a), textOf(b)),
		isSame = textOf(a) === textOf(b);
	const json = (one) => html`<pre class="mono">${JSON.stringify(one, null, 1)}</pre>`;
	// The shown texts are equal, so the difference is in a member that is not shown: show the JSON.
	if (isSame && !(isText(a) && isText(b) && a.style !== b.style))
		return html`<${Pair} kind="changed" why=${t("changedInside")} a=${json(a)} b=${json(b)}
			isTool=${true} />`;
	return html`<${Pair} kind="changed" why=${by ? `${t("changedWord")}, ${moveWords(by)}` : t("changedWord")}
		a=${html`<${Block} block=${a} inner=${side(words, "gone")} />`}
		b=${html`<${Block} block=${b} inner=${side(words, "new")} />`} />`;
}

/** Folds runs of equal blocks together. */
function fold(rows) {
	const out = [];

	for (const row of rows)
		if (row.kind !== "same") out.push(row);
		else if (out.at(-1)?.kind === "fold") out.at(-1).rows.push(row);
		else out.push({ kind: "fold", rows: [row] });
	return out;
}

function Text({ rows }) {
	return fold(rows).map((row, i) =>
		row.kind === "fold"
			? html`<details class="same"
			key=${i}><summary>${t("sameBlocks", { n: row.rows.length })}</summary>
			<div class="read">${row.rows.map((r, k) => html`<${Block} key=${k} block=${r.b} />`)}</div>
			</details>`
			: html`<${BlockPair} key=${i} row=${row} />`,
	);
}

function plain(value) {
	if (value === null || value === undefined || value === "") return null;
	if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(", ");
	return typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
}

function FieldPair({ field, a, b }) {
	const [x, y] = [plain(a), plain(b)];

	if (["string", "text", "slug", "url"].includes(field.type) && x !== null && y !== null) {
		const words = diffWords(x, y);

		return html`<${Pair} kind="changed" why=${field.label} a=${html`<p>${side(words, "gone")}</p>`}
			b=${html`<p>${side(words, "new")}</p>`}
			isTool=${field.type !== "text" && field.type !== "string"} />`;
	}
	return html`<${Pair} kind="changed" why=${field.label} a=${x === null ? null : html`<del>${x}</del>`}
		b=${y === null ? null : html`<ins>${y}</ins>`} isTool=${true} />`;
}

/* ---- what a draft changes besides its fields ---- */

const BESIDE = { _slug: "slug", _seo: "seo", _bylines: "bylines", _taxonomies: "terms" };
const credit = ({ byline, roleLabel }) => (roleLabel ? `${byline.displayName} (${roleLabel})` : byline.displayName);
const filled = (value) => Object.entries(value).filter(([, one]) => one !== null && one !== false && one !== "");

function besideText(name, value) {
	if (value === undefined || value === null || name === "_slug") return value;
	if (name === "_bylines") return value.map(credit).join(", ");
	return filled(value)
		.map(([key, one]) => `${key}: ${Array.isArray(one) ? one.join(", ") : one}`)
		.join("\n");
}

const besideRows = (differences) =>
	differences
		.filter((one) => one.field in BESIDE)
		.map((one) => ({
			slug: one.field,
			label: t(BESIDE[one.field]),
			type: "text",
			a: besideText(one.field, one.live),
			b: besideText(one.field, one.draft),
		}));

/* ---- the page ---- */

/** @param {Record<string, string>} params @param {Record<string, string>} query @param {AbortSignal} abort */
export async function loadComparison({ collection, id }, { a, b }, abort) {
	const path = `/content/${segment(collection)}/${segment(id)}`,
		options = { signal: abort, parse: readJson };
	const [schema, { data: now }, revisions] = await Promise.all([
		loadCollection(collection),
		request("GET", path, undefined, options),
		api.get(`${path}/revisions`, { query: { limit: REVISIONS }, signal: abort }),
		ownTypes().catch(() => []), // without them, members with words are shown
	]);
	const { item } = now,
		later = b ?? "now";
	const sittings = sittingsOf(revisions.items, revisions.nextCursor === undefined, item.liveRevisionId);
	const [last] = sittings;
	// What is live, else what was there before the last sitting, else the beginning of that sitting.
	const begun = last?.before?.id ?? (last?.revisions.length > 1 ? last.oldest.id : null),
		earlier = a === NOTHING ? null : (a ?? (item.liveData ? item.liveRevisionId : null) ?? begun);
	const valuesOf = async (which) => {
		if (which === null) return null;
		if (which === "now") return { ...item.data };
		const { data } = await request("GET", `/revisions/${segment(which)}`, undefined, options);
		return data.item.data;
	};
	// The server can compare only the live version with the draft.
	const isDraft =
		item.liveData && earlier === item.liveRevisionId && (later === "now" || later === item.draftRevisionId);
	const [before, after, whole] = await Promise.all([
		valuesOf(earlier),
		valuesOf(later),
		isDraft ? api.get(`${path}/compare`, { signal: abort }) : null,
	]);

	return {
		beside: besideRows(whole?.differences ?? []),
		schema,
		item,
		rev: now._rev,
		revisions: revisions.items,
		sittings,
		earlier,
		later,
		before: before ?? {},
		after,
	};
}

/** The heading of a side: when and by whom it was saved. */
function Side({ which, from }) {
	const one = from.revisions.find(({ id }) => id === which);

	if (which === null) return html`<p class="quiet">${t("noRevision")}</p>`;
	if (which === "now") return html`<p><strong>${t("nowRevision")}</strong></p>`;
	if (one === undefined) return html`<p class="quiet">${t("olderRevision")}</p>`;
	return html`<p><strong><time datetime=${one.createdAt} title=${longTime(one.createdAt)}>${exactTime(one.createdAt)}</time></strong>
		${" "}<bdi>${authorOf(one)}</bdi>${which === from.item.liveRevisionId && html` <small>${t("isLiveRevision")}</small>`}</p>`;
}

function History({ from, params }) {
	const { sittings, item, later } = from,
		path = `/collections/${params.collection}/${params.id}/compare`;

	return html`<nav class="panel history" aria-labelledby="history-h"><h2 id="history-h">${t("revisions")}</h2>
		<${Timeline} sittings=${sittings} meta=${item} now=${later}
			hrefOf=${({ newest: b, before }) => href(path, { a: before?.id ?? NOTHING, b: b.id })}
			more=${(one) => html`<a class="since" href=${href(path, { a: one.newest.id })}>${t("sinceThen")}</a>`} />
	</nav>`;
}

const titleIn = (from) => from.item.data[layoutOf(from.schema).title?.slug] ?? from.item.slug ?? from.item.id;

/** The comparison; isFixed: without a way to restore. */
export function Compare({ from, isFixed = false }) {
	const { schema, before, after, item, beside } = from,
		layout = layoutOf(schema);
	const fields = [layout.title, ...layout.others, layout.body].filter(
		(f) => f !== null && !isEqual(before[f.slug], after[f.slug]),
	);
	const texts = new Map(
		fields
			.filter((f) => f.type === "portableText")
			.map((f) => [f, diffBlocks(before[f.slug], after[f.slug])]),
	);
	const rows = [...texts.values()].flat(),
		count = (...kinds) => rows.filter((r) => kinds.includes(r.kind)).length;
	const sums = {
		sumChanged: fields.length - texts.size + beside.length + count("changed", "added"),
		sumMoved: count("moved"),
		sumGone: count("gone"),
		sumSame: count("same"),
	};
	const summary = Object.entries(sums)
		.filter(([, n]) => n > 0)
		.map(([name, n]) => t(name, { n }))
		.join(", ");
	const earlier = from.revisions.find((one) => one.id === from.earlier);
	const restore = async () => {
		if (!(await ask({ title: t("restoreTitle"), text: t("restoreText"), yes: t("restoreYes") }))) return;
		try {
			await api.post(`/revisions/${segment(earlier.id)}/restore`, {});
			await goAndTell(`/collections/${schema.slug}/${item.id}`, t("restored"));
		} catch (error) {
			tellProblem(error);
		}
	};

	return html`<section class="sheet compare"
		aria-labelledby="cmp"><h2 class="sr" id="cmp">${t("twoRevisions")}</h2>
		<div class="between"><p class="why-head" aria-hidden="true"></p>
			<${Side} which=${from.earlier} from=${from} /><${Side} which=${from.later} from=${from} /></div>
		<div class="pairs">
		${fields.map((field) =>
			texts.has(field)
				? html`<${Text} key=${field.slug} rows=${texts.get(field)} />`
				: html`<${FieldPair} key=${field.slug} field=${field} a=${before[field.slug]}
				b=${after[field.slug]} />`,
		)}
			${beside.map(
				(row) => html`<${FieldPair} key=${row.slug} field=${row} a=${row.a}
				b=${row.b} />`,
			)}
			${fields.length + beside.length === 0 && html`<p class="pad quiet">${t("noDifference")}</p>`}
			</div>
		<footer class="bs cmp-foot"><p class="quiet">${summary}</p>
		${
			!isFixed &&
			earlier &&
			fields.length + beside.length > 0 &&
			html`<${Button} onClick=${restore}>${t("writeOn", { time: exactTime(earlier.createdAt) })}<//>`
		}
			</footer>
	</section>`;
}

/** @param {import("../table.js").PageProps} props */
export default function ComparePage({ params, query }) {
	const data = useLoad(
		(abort) => loadComparison(params, query, abort),
		[params.collection, params.id, query.a, query.b],
	);

	useEffect(() => {
		const from = data.data.value,
			path = `/collections/${params.collection}`;

		crumbs.value = [
			{ label: collectionOf(params.collection)?.label ?? params.collection, path },
			{ label: from ? titleIn(from) : t("item"), path: `${path}/${params.id}` },
		];
		ownTitle.value = t("compare");
	}, [data.data.value]);
	return html`<div
		class="head"><h1>${t("whatChanged")}</h1>
		<a class="b" href=${href(`/collections/${params.collection}/${params.id}`)}>${t("toEditor")}</a></div>
		<${Loaded} from=${data}>
		${(from) => html`<div class="edit in-time">
			<${Compare} key=${`${from.earlier} ${from.later}`} from=${from} />
			<${History} from=${from} params=${params} /></div>`}<//>`;
}
