// list - the items of a collection: columns, filters, search, sort order, pages by cursor, actions on many. Its state
// is in the URL (state.js).
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, begin as beginGet, queryText, segment } from "../../lib/api.js";
import { keep } from "../../lib/kept.js";
import { useKeys } from "../../lib/keys.js";
import { useLoad } from "../../lib/load.js";
import { go, href, setQuery } from "../../lib/router.js";
import { addWords, languageName, wordsOf } from "../../lib/words.js";
import { definitionOf, titleField } from "../../lib/schema.js";
import { collection as collectionOf, has, manifest, may as mayDo, reaches } from "../../lib/site.js";
import { longTime, shortTime } from "../../lib/time.js";
import {
	Button,
	Empty,
	Icon,
	ItemMark,
	Loaded,
	Menu,
	Problem,
	Table,
	Tick,
	Time,
	Waiting,
	say,
} from "../../ui/index.js";
import { ownTitle } from "../../shell/open.js";
import { act, ACTIONS } from "./actions.js";
import { Filters } from "./filters.js";
import { Views } from "./views.js";
import { columnFields, columnsKey, isFiltered, readState, requestFor, shownColumns } from "./state.js";
import en from "./en.json";

const t = addWords("list", en),
	shared = wordsOf("shared");

/** By cursor of a page: the cursor of the page before it. @type {Map<string, string>} */
const before = new Map();

/** By collection: its authors when it was last open, to show their column at once. @type {Map<string, any[]>} */
const knownAuthors = new Map();

/**
 * An item whose schedule was cancelled keeps the status "scheduled", but it is a draft.
 * @param {ReturnType<typeof requestFor>} request @param {AbortSignal} [signal]
 */
async function load({ path, query }, signal) {
	const page = await api.get(path, { query, signal });

	return query.status === "scheduled" ? { ...page, items: page.items.filter((one) => one.scheduledAt) } : page;
}

/**
 * Starts the list's request as soon as a link to it is pressed.
 * @param {Record<string, string>} params
 * @param {Record<string, string>} query
 */
export async function begin({ collection }, query) {
	const definition = await definitionOf(collection);
	const request = requestFor(definition, readState(query), shownColumns(definition));

	beginGet(request.path + queryText(request.query));
}

/** A value of a field in a cell. @param {any} field @param {any} value */
function cellOf(field, value) {
	if (value === null || value === undefined || value === "") return html`<span aria-hidden="true">–</span>`;
	if (field.kind === "boolean") return t(value === true || value === 1 ? "yes" : "no");
	if (field.type === "datetime") return html`<${Time} at=${value} />`;
	return html`<bdi>${Array.isArray(value) ? value.join(", ") : String(value)}</bdi>`;
}

/** @param {any} definition @param {any} item */
const nameOf = (definition, item) => {
	const title = titleField(definition);
	return (title && item.data?.[title.slug]) || item.slug || t("untitled");
};

/** True if the right covers this item. @param {"none" | "own" | "any"} right @param {any} item */
const mine = (right, item) => reaches(right, item.authorId);

const mayRelease = () => has("releases") && mayDo("releases:manage");

function columnsOf({ definition, isTrash, shown, authors, may, onAct }) {
	const title = titleField(definition),
		path = `/collections/${segment(definition.slug)}`;
	const canSort = (slug) => !isTrash && definition.fields.some((f) => f.slug === slug && f.sortable);
	const author = (id) => authors.find((a) => a.id === id)?.name ?? "";
	const items = (item) =>
		isTrash
			? [
					mine(may.delete, item) && {
						label: t("restore"),
						onClick: () => onAct("restore", [item.id]),
					},
					may.deletePermanently && {
						label: t("deleteForGood"),
						isOut: true,
						onClick: () => onAct("delete", [item.id]),
					},
				]
			: [
					{
						label: t(mine(may.edit, item) ? "edit" : "read"),
						href: href(`${path}/${item.id}`),
					},
					mine(may.publish, item) &&
						item.status !== "published" && {
							label: t("publish"),
							onClick: () => onAct("publish", [item.id]),
						},
					mine(may.publish, item) &&
						item.status === "published" && {
							label: t("unpublish"),
							onClick: () => onAct("unpublish", [item.id]),
						},
					may.create && {
						label: t("duplicate"),
						onClick: () => onAct("duplicate", [item.id]),
					},
					mayRelease() &&
						mine(may.edit, item) && {
							label: t("release"),
							onClick: () => onAct("release", [item.id]),
						},
					mine(may.delete, item) && {
						label: t("trash"),
						isOut: true,
						onClick: () => onAct("trash", [item.id]),
					},
				];
	const when = (item) => (isTrash ? item.deletedAt : item.updatedAt),
		hasLocales = manifest.value.locales.length > 1;

	return [
		{
			name: "state",
			label: t("status"),
			class: "c-state",
			cell: (item) => html`<${ItemMark}
			item=${item} />`,
		},
		{
			name: "title",
			label: title?.label ?? t("title"),
			isHead: true,
			class: "c-title",
			sort: title && canSort(title.slug) ? title.slug : undefined,
			cell: (item) => html`${
				isTrash
					? html`<span class="name-of" dir="auto">${nameOf(definition, item)}</span>`
					: html`<a dir="auto"
						href=${href(`${path}/${item.id}`)}>${nameOf(definition, item)}</a>`
			}
				<span class="sub"><bdi>${item.slug ?? ""}</bdi>
				<span class="only-narrow"> · <bdi>${shortTime(when(item))}</bdi>
				${hasLocales && html` · <bdi>${item.locale}</bdi>`}</span></span>`,
		},
		...shown.map((field) => ({
			name: field.slug,
			label: html`<bdi>${field.label}
			</bdi>`,
			class: "c-field meta",
			sort: canSort(field.slug) ? field.slug : undefined,
			cell: (item) => cellOf(field, item.data?.[field.slug]),
		})),
		hasLocales && {
			name: "locale",
			label: t("language"),
			class: "c-locale meta",
			cell: (item) => html`<span title=${languageName(item.locale)}>${item.locale}</span>`,
		},
		authors.length > 0 && {
			name: "by",
			label: t("author"),
			class: "c-by meta",
			cell: (item) => html`<bdi>
			${author(item.authorId)}</bdi>`,
		},
		{
			name: "up",
			label: isTrash ? t("deleted") : t("updated"),
			class: "c-up meta",
			sort: isTrash ? undefined : "updatedAt",
			cell: (item) => html`<${Time}
			at=${when(item)} />`,
		},
		{
			name: "more",
			label: t("moreColumn"),
			isHidden: true,
			class: "c-more",
			cell: (item) => html`<${Menu}
			label=${t("more", { name: nameOf(definition, item) })}
			items=${() => items(item)}><${Icon} name="more" /><//>`,
		},
	].filter(Boolean);
}

function Columns({ definition, names, onChange }) {
	const fields = columnFields(definition);

	return (
		fields.length > 0 &&
		html`<button type="button" class="b" popovertarget="columns">${t("columns")}
		</button>
		<div class="pop menu-pop columns-pop" id="columns"
			popover><fieldset class="stack"><legend class="sr">${t("columns")}</legend>
			${fields.map(
				(field) => html`<${Tick} key=${field.slug} isOn=${names.includes(field.slug)}
				onChange=${(isOn) =>
					onChange(
						isOn ? [...names, field.slug] : names.filter((n) => n !== field.slug),
					)}>${field.label}<//>`,
			)}
		</fieldset></div>`
	);
}

function Bulk({ chosen, items, state, may, onAct }) {
	const ids = [...chosen.value],
		those = items.filter((item) => chosen.value.has(item.id)),
		none = () => (chosen.value = new Set());
	// Offer an action only if it applies to at least one chosen item.
	const button = (name, right, kind = "small") =>
		those.some((item) => mine(right, item) && (ACTIONS[name].fits?.(item) ?? true)) &&
		html`<${Button}
		kind=${kind} onClick=${() => onAct(name, ids)}
		data-act=${name}>${t(name === "delete" ? "deleteForGood" : name)}<//>`;
	const buttons = state.isTrash
		? [button("restore", may.delete), button("delete", may.deletePermanently ? "any" : "none", "small out")]
		: [
				button("publish", may.publish),
				button("unpublish", may.publish),
				those.some((item) => mine(may.edit, item)) &&
					html`<${Button} kind="small" onClick=${() => onAct("field", ids)} data-act="field">${t("editField")}<//>`,
				mayRelease() &&
					those.some((item) => mine(may.edit, item)) &&
					html`<${Button} kind="small" onClick=${() => onAct("release", ids)} data-act="release">${t("release")}<//>`,
				button("trash", may.delete, "small out"),
			];

	return html`<div class="bulk" role="region" aria-label=${t("selection")}>
		<p><strong>${t("chosen", { n: ids.length })}
		</strong> <button type="button" class="b bare small" onClick=${none}>${t("chooseNone")}</button></p>
		<div class="bs">
		${buttons.some(Boolean) ? buttons : html`<span class="quiet">${t("nothingToDo")}</span>`}</div>
	</div>`;
}

/** Isolates the text direction of a text that is inserted in a sentence. @param {string} text */
const isolated = (text) => `\u2068${text}\u2069`;

const DAY = 86400000;
/** @param {string} time */
const isRecent = (time) => Date.now() - Date.parse(time) < DAY;

/** What the button for another item says. @param {{labelSingular?: string}} definition */
const newWord = ({ labelSingular }) => (labelSingular ? t("new", { what: labelSingular }) : t("newItem"));

/** The range that this page covers, the total, and links to other pages. */
function Pager({ definition, state, page, columns }) {
	const total = useSignal(/** @type {number | null} */ (null)),
		key = JSON.stringify([state.status, state.q, state.author, state.locale, state.filters]);
	const { items, nextCursor } = page;
	const times = items.map((item) => (state.isTrash ? item.deletedAt : item[state.by])).filter(Boolean);
	const isTime = state.isTrash || state.by === "updatedAt" || state.by === "createdAt";
	const ends = isTime && times.length > 0 ? [times[0], times[times.length - 1]].sort() : null;
	// "5 min ago to this minute" helps nobody.
	const span = ends && shortTime(ends[0]) !== shortTime(ends[1]) && !isRecent(ends[0]) ? ends : null;

	useEffect(() => void (total.value = null), [key]);
	const next = () => {
		before.set(nextCursor, state.cursor);
		return setQuery({ cursor: nextCursor });
	};
	const count = async () =>
		void (total.value = (
			await load(requestFor(definition, { ...state, cursor: "" }, columns, true))
		).total);

	return html`<nav class="pager" aria-label=${shared("pages")}>
		<p>${
			span &&
			html`<span
			title=${`${longTime(span[0])} – ${longTime(span[1])}`}>
			${t("span", { from: isolated(shortTime(span[0])), to: isolated(shortTime(span[1])) })}</span>`
		}
			${
				total.value !== null
					? html` · <span data-total>${t("total", { n: total.value })}</span>`
					: !state.isTrash &&
						html` <${Button} kind="bare small" onClick=${count}
							data-count>${t("count")}
						<//>`
			}</p>
		<div class="bs">
			${
				state.cursor &&
				html`<button type="button" class="b small"
					onClick=${() => setQuery({ cursor: undefined })}>${t("first")}</button>`
			}
			${
				state.cursor &&
				before.has(state.cursor) &&
				html`<button type="button" class="b small"
					onClick=${() => setQuery({ cursor: before.get(state.cursor) || undefined })}>
					${t("newer")}</button>`
			}
			${
				nextCursor &&
				html`<button type="button" class="b small" onClick=${next} data-next>${t("next")}
					</button>`
			}
		</div></nav>`;
}

function List({ definition, query }) {
	const state = useMemo(() => readState(query), [query]),
		may = definition.rights;
	const names = useSignal(shownColumns(definition)),
		shown = columnFields(definition).filter((f) => names.value.includes(f.slug));
	const columns = shown.map((f) => f.slug),
		authors = useSignal(knownAuthors.get(definition.slug) ?? []),
		chosen = useSignal(new Set());
	const page = useLoad(
		(signal) => load(requestFor(definition, state, columns), signal),
		[JSON.stringify(state), columns.join()],
	);
	const path = `/collections/${segment(definition.slug)}`;

	useEffect(() => {
		ownTitle.value = definition.label;
	}, [definition]);
	// The names of authors may arrive later than the rows.
	useEffect(() => {
		if (page.data.value && manifest.value.user.role > 10)
			void api.get(`/content/${segment(definition.slug)}/authors`, { quiet: true }).then(
				({ items }) => {
					knownAuthors.set(definition.slug, items);
					if (JSON.stringify(items) !== JSON.stringify(authors.peek()))
						authors.value = items;
				},
				() => {},
			);
	}, [page.data.value !== null]);
	useEffect(() => {
		chosen.value = new Set();
	}, [JSON.stringify(state)]);
	// Whoever does not see the rows hears how many a filter, a search or another page has left.
	const heard = useRef(JSON.stringify(state));
	useEffect(() => {
		const rows = page.data.value?.items.length ?? 0,
			now = JSON.stringify(state);

		if (page.data.value === null || now === heard.current) return;
		heard.current = now;
		say(rows === 0 ? t("none") : t("shown", { n: rows }));
	}, [page.data.value]);
	useKeys([
		{
			keys: "/",
			label: t("search"),
			run: useMemo(
				() => () =>
					/** @type {HTMLElement} */ (document.querySelector("[data-search]"))?.focus(),
				[],
			),
		},
		...(may.create
			? [
					{
						keys: "n",
						label: newWord(definition),
						run: useMemo(() => () => go(`${path}/new`), [path]),
					},
				]
			: []),
	]);
	const onAct = async (name, ids) => {
		if (name === "field") {
			const isPart = state.cursor || page.data.peek().nextCursor,
				every = isPart ? requestFor(definition, { ...state, cursor: "" }, []) : null;

			return (await import("./bulkedit.js")).editField(definition, ids, every, page.reload);
		}
		if (name === "release") return (await import("../releases/add.js")).addToRelease(definition.slug, ids);
		if (
			await act(
				name,
				definition.slug,
				page.data.peek().items.filter((item) => ids.includes(item.id)),
				page.reload,
			)
		) {
			chosen.value = new Set();
			// The element that had the focus is gone.
			if (document.activeElement === document.body)
				document.getElementById("main").focus({ preventScroll: true });
		}
	};
	// A memoized onAct of an earlier render is still right: only the definition that it uses can change, and is an
	// input.
	const table = useMemo(
		() => columnsOf({ definition, isTrash: state.isTrash, shown, authors: authors.value, may, onAct }),
		[definition, state.isTrash, columns.join(), authors.value],
	);
	const change = (all) => {
		names.value = all;
		keep(columnsKey(definition), all);
	};
	const nothing =
		isFiltered(state) && !state.isTrash
			? html`<${Empty}
			title=${t("none")}><p class="quiet">${t("noneText")}</p>
			<div class="bs"><a class="b" href=${href(path)}>${t("clear")}</a></div><//>`
			: html`<${Empty}
			title=${t(state.isTrash ? "emptyTrash" : "empty")}>
			<p class="quiet">
			${t(state.isTrash ? "emptyTrashText" : may.create ? "emptyText" : "emptyOther")}</p><//>`;

	return html`<div
		class="head"><h1>${state.isTrash ? t("trashOf", { collection: definition.label }) : definition.label}
		</h1>
			<div class="bs">
			${
				state.isTrash
					? html`<a class="b" href=${href(path)}>${t("leaveTrash")}</a>`
					: html`<${Views} slug=${definition.slug} path=${path} query=${query}
						columns=${names.value} onColumns=${change} />
						<${Columns} definition=${definition} names=${names.value}
						onChange=${change} />
			${
				may.create &&
				html`<a class="b go"
					href=${href(`${path}/new`)}>
					${newWord(definition)}</a>`
			}`
			}
					</div>
		</div>
		<div class="sheet list">
			<${Filters} definition=${definition} state=${state} authors=${authors.value} />
			${
				chosen.value.size > 0 &&
				html`<${Bulk} chosen=${chosen} items=${page.data.value?.items ?? []} state=${state}
					may=${may} onAct=${onAct} />`
			}
			<${Loaded} from=${page}
				empty=${(data) => data.items.length === 0 && !data.nextCursor && nothing}>
				${(data) => html`
				<${Table} caption=${t("caption", { collection: definition.label, field: state.by })}
					rows=${data.items} id=${(item) => item.id}
					isBusy=${page.state.value === "loading"}
					columns=${table} nameOf=${(item) => nameOf(definition, item)}
					sort=${{ by: state.by, isDown: state.isDown }}
					onSort=${(by, isDown) =>
						setQuery({ by, down: isDown ? undefined : "no", cursor: undefined })}
					chosen=${
						[may.publish, may.delete, may.edit].some((right) => right !== "none")
							? chosen.value
							: undefined
					} onChoose=${(next) => {
						chosen.value = next;
						say(t("chosen", { n: next.size }));
					}} />
				<${Pager} definition=${definition} state=${state} page=${data} columns=${columns} />`}
				<//>
		</div>`;
}

export default function ListPage({ params, query }) {
	const definition = useLoad(() => definitionOf(params.collection), [params.collection]);
	const label = collectionOf(params.collection)?.label ?? params.collection;

	if (definition.state.value === "failed")
		return html`<div class="head"><h1>${label}</h1></div>
			<${Problem} error=${definition.error.value} onRetry=${definition.reload} />`;
	return definition.data.value?.slug === params.collection
		? html`<${List} key=${params.collection}
		definition=${definition.data.value} query=${query} />`
		: html`<div class="head"><h1>${label}</h1></div>
			<${Waiting} />`;
}
