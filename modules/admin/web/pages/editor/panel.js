// panel.js - the panel beside the text: status, schedule, terms, bylines, translations, search engines, revisions. It
// is shown after the text.
import { useEffect } from "preact/hooks";
import { useComputed, useSignal } from "@preact/signals";
import { api, segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { has, manifest } from "../../lib/site.js";
import { allTerms, findTerms } from "../../lib/terms.js";
import { formatter, languageName } from "../../lib/words.js";
import { Button, Icon, ItemMark, Problem, say, tellProblem } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import { t } from "../../editor/words.js";
import { Addresses, Together, isShared } from "./beside.js";
import { actions, compareHref, liveLink, mayCopy, mayEdit, mayPublish, waitsForPublication } from "./actions.js";
import { showBeside } from "./around.js";
import { Revisions } from "./history.js";
import { Part } from "./part.js";
import { Schedule, goesLive } from "./schedule.js";
import { Seo } from "./seo.js";

const TREE_MAX = 60; // terms shown as a tree; more terms are searched
const FOUND_MAX = 10; // terms that a search shows

/* ---- status ---- */

const dateAndTime = (iso) =>
	formatter("DateTimeFormat", { dateStyle: "long", timeStyle: "short" }).format(new Date(iso));

function Status({ item }) {
	const meta = item.meta.value,
		live = liveLink(item),
		isChanged = meta.status === "published" && waitsForPublication(item);

	return html`<${Part} title=${t("status")}>
		<${ItemMark} item=${meta} />
		${
			meta.scheduledAt &&
			!meta.scheduleError &&
			!mayPublish(item) &&
			html`<p class="help">${goesLive(meta)}</p>`
		}
		${
			meta.publishedAt &&
			html`<p class="help">
				${t(meta.status === "published" ? "liveSince" : "wasLive", {
					time: dateAndTime(meta.publishedAt),
				})}</p>`
		}
		${
			meta.status === "published" &&
			html`<p><a href=${live.href} target="_blank" rel="noopener"
				data-live>${live.label}</a></p>`
		}
		${
			isChanged &&
			html`<div class="bs">
			${
				item.collection.supports.includes("revisions") &&
				html`<a class="b small" href=${compareHref(item)}>${t("seeChanges")}</a>`
			}
			${
				mayEdit(item) &&
				html`<${Button} kind="small out" onClick=${() => actions.discard(item)}>${t("drop")}
					<//>`
			}</div>`
		}
	<//>`;
}

/* ---- terms ---- */

const flat = (terms, depth = 0) =>
	terms.flatMap((term) => [{ ...term, depth }, ...flat(term.children ?? [], depth + 1)]);

/** The terms of an item, for all its locales: staged with its draft if it is published, otherwise stored at once. */
function Taxonomy({ item, taxonomy }) {
	const base = `${item.path}/terms/${segment(taxonomy.name)}`;
	const path = `/taxonomies/${segment(taxonomy.name)}/terms`,
		query = { locale: item.locale, includeCounts: false, limit: TREE_MAX };
	const small = useLoad(
		(signal) => (taxonomy.hierarchical ? api.get(path, { query, signal }) : Promise.resolve(null)),
		[],
	);
	const mine = useSignal(/** @type {any[]} */ ([])),
		problem = useSignal(null);
	const ids = useComputed(() => new Set(mine.value.flatMap((one) => [one.id, one.translationGroup])));

	const { status, draftRevisionId } = item.meta.value,
		hasDraft = Boolean(draftRevisionId);
	const isStaged = item.collection.supports.includes("revisions") && (status === "published" || hasDraft);

	// Publishing or dropping a draft changes the item's terms, so read them again.
	useEffect(() => {
		void api.get(base).then(
			(answer) => {
				mine.value = allTerms(answer);
			},
			(error) => {
				problem.value = error;
			},
		);
	}, [hasDraft]);
	const store = async (next) => {
		if (!isStaged) return allTerms(await api.post(base, { termIds: next.map((one) => one.id) }));
		await item.flush();
		await item.run("", { taxonomies: { [taxonomy.name]: next.map((one) => one.translationGroup) } }, "put");
		return allTerms(await api.get(base));
	};
	const put = async (next) => {
		const before = mine.value;

		mine.value = next;
		problem.value = null;
		try {
			mine.value = await store(next);
		} catch (error) {
			mine.value = before;
			problem.value = error;
		}
	};
	const isOn = (term) => ids.value.has(term.id) || ids.value.has(term.translationGroup);
	const turn = (term, on) =>
		put(
			on
				? [...mine.value, term]
				: mine.value.filter(
						(one) =>
							one.id !== term.id &&
							one.translationGroup !== term.translationGroup,
					),
		);
	const find = async (words, signal) =>
		(await findTerms(taxonomy.name, item.locale, words, FOUND_MAX + mine.value.length, signal))
			.filter((one) => !isOn(one))
			.slice(0, FOUND_MAX)
			.map((one) => ({ ...one, title: one.label }));
	const isWaiting = taxonomy.hierarchical && !small.data.value && small.state.value === "loading";
	const terms = small.data.value && !small.data.value.nextCursor ? flat(small.data.value.terms) : null;

	if (isWaiting) return null;
	return html`${
		terms
			? html`<fieldset class="stack"><legend>${taxonomy.label}</legend>
			${terms.map(
				(term) => html`<label
				class=${`tick ${term.depth > 0 ? `sub${Math.min(term.depth, 4)}` : ""}`}
				key=${term.id}>
				<input type="checkbox" checked=${isOn(term)}
					onChange=${(e) => turn(term, e.currentTarget.checked)} /><bdi>${term.label}
					</bdi></label>`,
			)}
			${terms.length === 0 && html`<p class="help">${t("noTerms")}</p>`}</fieldset>`
			: html`<label for=${`tax-${taxonomy.name}`}>${taxonomy.label}</label><div class="chips">
			${mine.value.map(
				(term) => html`<span class="tag"
				key=${term.id}><bdi>${term.label}
				</bdi> <button type="button" aria-label=${t("takeOutOf", { name: term.label })}
				onClick=${() => turn(term, false)}><span aria-hidden="true">×</span></button></span>`,
			)}
			<${Search} id=${`tax-${taxonomy.name}`} label=${t("add")} find=${find}
				onChoose=${(term) => turn(term, true)} /></div>`
	}
		${problem.value && html`<${Problem} error=${problem.value} />`}`;
}

function Terms({ item }) {
	const list = useLoad(async (signal) => {
		const all = (await api.get("/taxonomies", { signal })).taxonomies.filter((one) =>
			one.collections.includes(item.collection.slug),
		);

		return [
			...new Map(
				all.map((one) => [
					one.name,
					all.find((o) => o.name === one.name && o.locale === item.locale) ?? one,
				]),
			).values(),
		];
	}, []);

	if (!list.data.value?.length) return null;
	return html`<${Part}
		title=${t("terms")}>
		${
			item.isNew
				? html`<p class="help">${t("onceSaved")}</p>`
				: list.data.value.map(
						(one) => html`<${Taxonomy} key=${one.name} item=${item}
				taxonomy=${one} />`,
					)
		}<//>`;
}

/* ---- bylines ---- */

function Bylines({ item }) {
	const cell = item.cell(":bylines"),
		list = cell.value ?? [];
	const name = (credit) => item.bylines.get(credit.bylineId)?.displayName ?? credit.bylineId;
	const set = (next) => item.set(":bylines", next);
	const find = async (search, signal) =>
		(await api.get("/bylines", { query: { search, limit: 10, locale: item.locale }, signal })).items.map(
			(one) => ({ ...one, title: one.displayName }),
		);
	const move = (at, step) => {
		set(list.toSpliced(at, 1).toSpliced(at + step, 0, list[at]));
		say(t("rowMoved", { n: at + step + 1, of: list.length }));
	};

	return html`<${Part} title=${t("bylines")} isOpen=${list.length > 0}>
		<ol class="order"
			role="list">
			${list.map(
				(credit, i) => html`<li key=${credit.bylineId}><span><bdi>${name(credit)}</bdi></span>
			<span class="bs">
			${
				i > 0 &&
				html`<button type="button" class="b bare square"
				aria-label=${t("nameUp", { name: name(credit) })}
				onClick=${() => move(i, -1)}><${Icon} name="up" /></button>`
			}
			${
				i < list.length - 1 &&
				html`<button type="button" class="b bare square"
					aria-label=${t("nameDown", { name: name(credit) })}
					onClick=${() => move(i, 1)}><${Icon} name="down" /></button>`
			}
			<button type="button" class="b bare square" aria-label=${t("takeOutOf", { name: name(credit) })}
				onClick=${() => set(list.toSpliced(i, 1))}><span aria-hidden="true">×</span></button>
				</span></li>`,
			)}</ol>
		<${Search} id="bylines-add" label=${t("addByline")} find=${find}
			onChoose=${(one) => {
				item.bylines.set(one.id, one);
				set([...list.filter((c) => c.bylineId !== one.id), { bylineId: one.id }]);
			}} />
	<//>`;
}

/* ---- translations ---- */

function Translations({ item }) {
	const list = useLoad(
		async (signal) =>
			item.isNew ? [] : ((await api.get(`${item.path}/translations`, { signal })).translations ?? []),
		[],
	);
	const turn = async (id) => {
		if (item.original.peek()?.id === id) item.original.value = null;
		else await showBeside(item, id);
	};
	const known = new Map((list.data.value ?? []).map((one) => [one.locale, one]));

	return html`<${Part}
		title=${t("translations")}><ul role="list" class="order">${manifest.value.locales.map((locale) => {
			const there = known.get(locale),
				isHere = locale === item.locale;

			return html`<li
			key=${locale}>
			${
				isHere || !there
					? html`<span lang=${locale} dir="auto">${languageName(locale)}</span>`
					: html`<a lang=${locale} dir="auto"
					href=${href(`/collections/${item.collection.slug}/${there.id}`)}>
					${languageName(locale)}</a>`
			}
			${
				isHere
					? html`<${ItemMark} item=${item.meta.value} />`
					: there
						? html`<span class="bs"><${ItemMark} item=${there} />
							<${Button} kind="small bare" onClick=${() => turn(there.id)}>
							${t(item.original.value?.id === there.id ? "hideBeside" : "showBeside")}<//></span>`
						: mayCopy(item) &&
							html`<${Button} kind="small"
								why=${item.isNew ? t("onceSaved") : undefined}
						onClick=${() => actions.translate(item, locale)}>${t("translate")}<//>`
			}
						</li>`;
		})}</ul><//>`;
}

/* ---- the panel ---- */

/**
 * The parts, from the top. A part belongs to one item: it is made again when a new item is stored.
 * @type {{name: string, Part: any, has: (item: import("./item.js").Item, isNew: boolean) => boolean}[]}
 */
const parts = [
	{ name: "status", Part: Status, has: () => true },
	{ name: "together", Part: Together, has: (item) => isShared(item) },
	{
		name: "schedule",
		Part: Schedule,
		has: (item, isNew) => item.collection.supports.includes("scheduling") && !isNew && mayPublish(item),
	},
	{ name: "terms", Part: Terms, has: (item) => has("taxonomies") && mayEdit(item) && !item.isByHand },
	{ name: "bylines", Part: Bylines, has: (item) => has("bylines") && mayEdit(item) },
	{ name: "translations", Part: Translations, has: () => manifest.value.locales.length > 1 },
	{
		name: "addresses",
		Part: Addresses,
		has: (item, isNew) => has("redirects") && !isNew,
	},
	{ name: "seo", Part: Seo, has: (item) => item.collection.hasSeo && mayEdit(item) },
	{
		name: "revisions",
		Part: Revisions,
		has: (item, isNew) => item.collection.supports.includes("revisions") && !isNew,
	},
];

/** @param {{item: import("./item.js").Item}} props */
export function Panel({ item }) {
	const isNew = item.meta.value.id === undefined;

	return html`<aside class="panel" id="about" aria-label=${t("aboutThis")}>
		${parts
			.filter(({ has: isShown }) => isShown(item, isNew))
			.map(({ name, Part: One }) => html`<${One} key=${`${name}-${item.id}`} item=${item} />`)}
	</aside>`;
}
