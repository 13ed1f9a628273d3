// panel.js - the panel beside the text: status, schedule, terms, bylines, translations, search engines, revisions. It
// is shown after the text.
import { useEffect } from "preact/hooks";
import { useComputed, useSignal } from "@preact/signals";
import { api, segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { has, manifest } from "../../lib/site.js";
import { findTerms } from "../../lib/terms.js";
import { shortTime } from "../../lib/time.js";
import { formatter, languageName } from "../../lib/words.js";
import { Button, Icon, ItemMark, Problem, say, tellProblem } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import { t } from "../../editor/words.js";
import { Together, isShared } from "./beside.js";
import { actions, compareHref, mayCopy, mayEdit, mayPublish, waitsForPublication } from "./actions.js";
import { Ending } from "./ending.js";
import { fromZone, toZone } from "../../lib/when.js";

const REVISIONS = 10;
const TREE_MAX = 60; // terms shown as a tree; more terms are searched
const FOUND_MAX = 10; // terms that a search shows
const DESCRIPTION = 155;

function Part({ title, value, isOpen = true, children }) {
	return html`<details
		open=${isOpen}><summary>${title}${value && html` <span class="value">${value}</span>`}</summary>
		<div class="in-panel">${children}</div></details>`;
}

/* ---- status and schedule ---- */

const dateAndTime = (iso) =>
	formatter("DateTimeFormat", { dateStyle: "long", timeStyle: "short" }).format(new Date(iso));

function Status({ item }) {
	const meta = item.meta.value,
		isChanged = meta.status === "published" && waitsForPublication(item);

	return html`<${Part} title=${t("status")}>
		<${ItemMark} item=${meta} />
		${
			meta.publishedAt &&
			html`<p class="help">
				${t(meta.status === "published" ? "liveSince" : "wasLive", {
					time: dateAndTime(meta.publishedAt),
				})}</p>`
		}
		${
			!item.isNew &&
			html`<div class="bs">
			${
				item.collection.supports.includes("revisions") &&
				html`<a class="b small" href=${compareHref(item)}>${t("seeChanges")}</a>`
			}
			${
				isChanged &&
				mayEdit(item) &&
				html`<${Button} kind="small out" onClick=${() => actions.discard(item)}>${t("drop")}
					<//>`
			}</div>`
		}
	<//>`;
}

const myZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const place = (zone) => zone.split("/").at(-1).replaceAll("_", " ");

function Schedule({ item }) {
	const meta = item.meta.value,
		settings = useLoad((signal) => api.get("/settings", { signal, quiet: true }).catch(() => ({})), []);
	const siteZone = settings.data.value?.timezone || "UTC";
	const chosen = useSignal(/** @type {string | null} */ (null)),
		zone = chosen.value ?? siteZone;
	const at = useSignal(/** @type {string | null} */ (null));
	const shown = at.value ?? toZone(meta.scheduledAt, zone);
	const iso = fromZone(shown, zone),
		isPast = iso !== null && Date.parse(iso) <= Date.now();
	const zones = [...new Set([siteZone, myZone])];
	const why = shown === "" || iso === null ? t("chooseTime") : isPast ? t("timeIsPast") : undefined;

	return html`<${Part} title=${t("schedule")} isOpen=${Boolean(meta.scheduledAt || meta.unpublishAt)}>
		${
			meta.scheduleError &&
			html`<div
				class="note wrong">
				<div><p>${
					meta.scheduleError.unpublishAt
						? t("missedEnd", { time: dateAndTime(meta.scheduleError.unpublishAt) })
						: t("missed", { time: dateAndTime(meta.scheduledAt) })
				}</p>
				<p dir="auto">${meta.scheduleError.message}</p></div></div>`
		}
		<label for="schedule-at">${t(meta.status === "published" ? "publishChangesAt" : "publishItAt")}</label>
		<input class="in" id="schedule-at" type="datetime-local" value=${shown}
			onInput=${(e) => {
				at.value = e.currentTarget.value;
			}} aria-describedby="schedule-help" />
		<label class="sr" for="schedule-zone">${t("zone")}</label>
		<select class="in" id="schedule-zone" value=${zone}
			onChange=${(e) => {
				chosen.value = e.currentTarget.value;
			}}>
			${zones.map(
				(one) => html`<option key=${one} value=${one}
				selected=${one === zone}>
				${t(one === siteZone ? "siteTime" : "myTime", { place: place(one) })}</option>`,
			)}
		</select>
		<p class="help"
			id="schedule-help">
			${
				iso !== null && zone !== myZone && !isPast
					? t("thatIs", {
							time: formatter("DateTimeFormat", {
								weekday: "long",
								day: "numeric",
								month: "long",
								hour: "2-digit",
								minute: "2-digit",
							}).format(new Date(iso)),
						})
					: ""
			}</p>
		<div class="bs">
		<${Button} kind="small" why=${why}
			onClick=${() => actions.schedule(item, iso)}>
			${t(meta.scheduledAt ? "reschedule" : "doSchedule")}<//>
			${
				meta.scheduledAt &&
				html`<${Button} kind="small"
					onClick=${() => {
						at.value = null;
						return actions.unschedule(item);
					}}>
					${t("unschedule")}<//>`
			}</div>
		${why && shown !== "" && html`<p class="help">${why}</p>`}
		<${Ending} item=${item} zone=${zone} />
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
				mine.value = answer.terms;
			},
			(error) => {
				problem.value = error;
			},
		);
	}, [hasDraft]);
	const store = async (next) => {
		if (!isStaged) return (await api.post(base, { termIds: next.map((one) => one.id) })).terms;
		await item.flush();
		await item.run("", { taxonomies: { [taxonomy.name]: next.map((one) => one.translationGroup) } }, "put");
		return (await api.get(base)).terms;
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
						? html`<${ItemMark} item=${there} />`
						: mayCopy(item) &&
							html`<${Button} kind="small"
								why=${item.isNew ? t("onceSaved") : undefined}
						onClick=${() => actions.translate(item, locale)}>${t("translate")}<//>`
			}
						</li>`;
		})}</ul><//>`;
}

/* ---- search engines ---- */

function Seo({ item }) {
	const cell = item.cell(":seo"),
		seo = cell.value ?? {};
	const set = (more) => item.set(":seo", { ...seo, ...more });
	const title = item.layout.title ? item.cell(item.layout.title.slug).value : "";
	const problems = item.problems.value.filter((p) => p.name === ":seo");
	const text = (e) => (e.currentTarget.value === "" ? null : e.currentTarget.value);

	return html`<${Part} title=${t("seo")} isOpen=${false}>
		<div class="snippet"><p class="read-title">${seo.title || title || t("untitled")}</p>
		<p class="help"><bdi>${location.host} › ${item.collection.slug}</bdi></p>
		${seo.description && html`<p>${seo.description}</p>`}</div>
		<label for="seo-title">${t("seoTitle")}</label>
		<input class="in" id="seo-title" dir="auto" value=${seo.title ?? ""} placeholder=${title ?? ""}
			onInput=${(e) => set({ title: text(e) })} />
		<label for="seo-description">${t("seoDescription")}</label>
		<textarea class="in" id="seo-description" dir="auto" rows="2" aria-describedby="seo-h"
			value=${seo.description ?? ""} onInput=${(e) => set({ description: text(e) })} />
		<p class="help"
			id="seo-h">${t("aboutCharacters", { n: [...(seo.description ?? "")].length, of: DESCRIPTION })}
			</p>
		<label for="seo-canonical">${t("seoCanonical")}</label>
		<input class="in" id="seo-canonical" type="url" value=${seo.canonical ?? ""}
			onInput=${(e) => set({ canonical: text(e) })} />
		<label class="tick">
		<input type="checkbox" checked=${seo.noIndex === true}
			onChange=${(e) => set({ noIndex: e.currentTarget.checked })} />${t("seoNoIndex")}</label>
		${problems.map((p, i) => html`<p class="problem" key=${i}>${p.message}</p>`)}
	<//>`;
}

/* ---- revisions ---- */

function Revisions({ item }) {
	const list = useLoad(
		(signal) => api.get(`${item.path}/revisions`, { query: { limit: REVISIONS }, signal }),
		[item.meta.value.draftRevisionId],
	);
	const all = list.data.value;

	return html`<${Part} title=${t("revisions")} isOpen=${false}
		value=${all && all.total > 0 ? t("revisionCount", { n: all.total }) : ""}>
		<ul role="list"
			class="order">
			${all?.items.map(
				(one) => html`<li
				key=${one.id}>
				<a href=${compareHref(item, { a: one.id })}>
				<time datetime=${one.createdAt}>${shortTime(one.createdAt)}</time></a>
			<span class="help">
			${
				one.id === item.meta.value.liveRevisionId
					? t("isLiveRevision")
					: one.id === item.meta.value.draftRevisionId
						? t("isDraftRevision")
						: ""
			}</span></li>`,
			)}
				</ul>
		<a href=${compareHref(item)}>${t("compareRevisions")}</a>
	<//>`;
}

/** @param {{item: import("./item.js").Item}} props */
export function Panel({ item }) {
	const { supports } = item.collection,
		isNew = item.meta.value.id === undefined;

	return html`<aside class="panel" id="about" aria-label=${t("aboutThis")}>
		<${Status} item=${item} />
		${isShared(item) && html`<${Together} item=${item} key=${`together-${item.id}`} />`}
		${supports.includes("scheduling") && !isNew && mayPublish(item) && html`<${Schedule} item=${item} />`}
		${
			has("taxonomies") &&
			mayEdit(item) &&
			!item.isByHand &&
			html`<${Terms} item=${item} key=${`terms-${item.id}`} />`
		}
		${has("bylines") && mayEdit(item) && html`<${Bylines} item=${item} />`}
		${
			manifest.value.locales.length > 1 &&
			html`<${Translations} item=${item} key=${`locales-${item.id}`} />`
		}
		${item.cell(":seo") && mayEdit(item) && html`<${Seo} item=${item} />`}
		${supports.includes("revisions") && !isNew && html`<${Revisions} item=${item} />`}
	</aside>`;
}
