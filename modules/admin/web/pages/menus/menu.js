// menu.js - the links of a menu in one of the site's languages, as a tree. They are saved all together.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go } from "../../lib/router.js";
import { collection, manifest } from "../../lib/site.js";
import { changed, grow, rowOf, walk, withNode, without } from "../../lib/tree.js";
import { mayWriteOver } from "../../lib/unsaved.js";
import { languageSaid, wordsOf } from "../../lib/words.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { PageForm, useTouched } from "../../ui/form.js";
import { Button, Empty, Icon, Loaded, Mark, Menu, tell, tellProblem } from "../../ui/index.js";
import { Locales } from "../../ui/locales.js";
import { Tree, focusRow, focusedRow, neighbour } from "../../ui/tree.js";
import { LinkForm, collectionOf, kindOf } from "./link.js";
import { MenuName, removeHere, t } from "./names.js";

const MEMBERS = [
	"type",
	"label",
	"customUrl",
	"referenceCollection",
	"referenceId",
	"titleAttr",
	"target",
	"cssClasses",
];

const NEW = "new-"; // prefix of the local ids of links that have no id of the server yet

/** The links as the API expects them: a flat list in order, each with the index of its parent. @param {any[]} roots */
function itemsOf(roots) {
	const rows = walk(roots);
	const places = new Map(rows.map((row, i) => [row.node.id, i]));

	return rows.map((row) => ({
		...(row.node.id.startsWith(NEW) ? {} : { id: row.node.id }),
		...Object.fromEntries(MEMBERS.map((name) => [name, row.node[name] ?? null])),
		...(row.parent ? { parentIndex: places.get(row.parent.node.id) } : {}),
	}));
}

/** The issues of an error, by the id of their link. @param {any} error @param {any[]} roots */
function refusals(error, roots) {
	const ids = walk(roots).map((row) => row.node.id);
	/** @type {Map<string, {path: string, message: string}[]>} */
	const found = new Map();

	for (const { path, message } of error.issues ?? []) {
		const [, at, name] = /^items\[(\d+)\]\.(\w+)/.exec(path) ?? [];

		if (name && ids[at]) found.set(ids[at], [...(found.get(ids[at]) ?? []), { path: name, message }]);
	}
	return found;
}

function Sub({ link, problems }) {
	const kind = kindOf(link);

	if (problems) return html`<${Mark} kind="bad">${t("wrong")}: ${problems[0].message}<//>`;
	if (kind !== "custom" && link.url === null) return html`<${Mark} kind="bad">${t("nowhere")}<//>`;
	if (kind === "custom") return html`<code><bdi>${link.customUrl}</bdi></code>`;
	if (kind === "taxonomy") return html`${t("taxonomy")}: <bdi>${link.title ?? link.referenceCollection}</bdi>`;
	return html`${kind === "collection" && `${t("collection")}: `}
		<bdi>${collection(collectionOf(link))?.label ?? collectionOf(link)}</bdi>
		${kind === "item" && link.title && link.title !== link.label && html`: <bdi>${link.title}</bdi>`}`;
}

/** @param {{menu: any}} props */
function Links({ menu }) {
	const roots = useSignal(
			grow(
				menu.items,
				(one) => one.id,
				(one) => one.parentId,
			),
		),
		draft = useTouched(),
		made = useSignal(0);
	const problems = useSignal(/** @type {Map<string, any[]>} */ (new Map())),
		form = useSignal(/** @type {any} */ (null));
	const set = (next) => {
		roots.value = next;
		draft.touch();
	};
	const path = `/menus/${segment(menu.name)}`,
		query = { locale: menu.locale };
	const save = async () => {
		if (!(await mayWriteOver(() => api.get(path, { query }), menu.updatedAt))) return false;
		try {
			await api.put(`${path}/items`, { items: itemsOf(roots.value) }, { query });
		} catch (error) {
			problems.value = refusals(error, roots.value);
			focusRow([...problems.value.keys()][0]);
			throw error;
		}
		problems.value = new Map();
		const now = await api.get(path, { query });

		menu.updatedAt = now.updatedAt;
		menu.items = now.items;
		const at = walk(roots.value).findIndex((row) => row.node.id === focusedRow());

		roots.value = grow(
			now.items,
			(one) => one.id,
			(one) => one.parentId,
		);
		// A new link has received its id, so its row is a new element.
		if (at >= 0) focusRow(walk(roots.value)[at]?.node.id);
		return true;
	};
	const keep = (link) => {
		const { node, below } = form.value;

		if (node) {
			set(changed(roots.value, node.id, { ...link, url: undefined }));
			problems.value = new Map([...problems.value].filter(([id]) => id !== node.id));
		} else {
			const id = `${NEW}${made.value++}`,
				parent = below ?? null;

			set(
				withNode(
					roots.value,
					{ id, children: [], ...link },
					{
						parent,
						at: (parent ? rowOf(roots.value, parent).node.children : roots.value)
							.length,
					},
				),
			);
		}
	};
	const takeOut = (node) => {
		const before = roots.value,
			beside = neighbour(before, node.id);

		set(without(before, node.id));
		tell(t("takenOut", { name: node.label, n: 1 + walk(node.children).length }), {
			undo: () => set(before),
		});
		focusRow(beside);
	};
	const actions = (node) => [
		{ label: t("edit"), onClick: () => (form.value = { node }) },
		{ label: t("addBelow"), onClick: () => (form.value = { below: node.id }) },
		{ label: t("takeOut", { name: node.label }), isOut: true, onClick: () => takeOut(node) },
	];

	return html`<${PageForm} label=${t("links", { name: menu.label })} draft=${draft} save=${save}
		yes=${t("saveMenu")}
		fields=${
			[...problems.value.values()].flat().length > 0
				? itemsOf(roots.value).flatMap((_, i) => MEMBERS.map((name) => `items[${i}].${name}`))
				: []
		}
			>${() => html`<div class="bs"><${Button} onClick=${() => (form.value = { below: null })} data-add>${t("add")}
				<//></div>
			${
				roots.value.length === 0
					? html`<${Empty} title=${t("noneLinks")} />`
					: html`<div class="edge">
					<${Tree} label=${t("links", { name: menu.label })} roots=${roots.value}
						nameOf=${(node) => node.label}
						onOpen=${(node) => (form.value = { node })}
						onMove=${(id, place, next) => set(next)} actions=${actions}
					sub=${(node) => html`<${Sub} link=${node}
						problems=${problems.value.get(node.id)} />`} /></div>`
			}`}<//>
		${
			form.value &&
			html`<${LinkForm} link=${form.value.node} locale=${menu.locale}
				problems=${problems.value.get(form.value.node?.id)} onClose=${() => (form.value = null)}
				onSave=${keep} />`
		}`;
}

/** {menu}: the menu in this language; or {other}: the menu in another language, which can be copied. */
async function load(name, locale, signal) {
	const path = `/menus/${segment(name)}`;

	try {
		return { menu: await api.get(path, { query: { locale }, signal }) };
	} catch (error) {
		if (error.code !== "NOT_FOUND") throw error;
		return { other: await api.get(path, { signal }) };
	}
}

function MenuPage({ name, locale }) {
	const one = useLoad((signal) => load(name, locale, signal), []),
		isNaming = useSignal(false);
	const data = /** @type {any} */ (one.data.value),
		label = data?.menu?.label ?? data?.other?.label ?? "";

	useEffect(() => {
		ownTitle.value = label;
		crumbs.value = [{ label: wordsOf("pages")("menus"), path: "/menus" }];
	}, [label]);
	const trying = (work) => work().catch(tellProblem);
	const copy = () =>
		trying(async () => {
			await api.post(`/menus/${segment(name)}/translations`, { locale });
			await one.reload();
		});
	const remove = () =>
		trying(async () => {
			if (await removeHere(data.menu)) await go("/menus");
		});

	return html`<div class="head"><h1>${label ? html`<bdi>${label}</bdi>` : t("title")}</h1>
			${
				data?.menu &&
				html`<div
					class="bs"><${Menu} label=${t("more", { name: label })}
					items=${[
						{ label: t("rename"), onClick: () => (isNaming.value = true) },
						{
							label:
								manifest.value.locales.length > 1
									? t("deleteHere", {
											language: languageSaid(locale),
										})
									: t("delete"),
							isOut: true,
							onClick: remove,
						},
					]}>
								<${Icon} name="more" /><//></div>`
			}</div>
		<${Locales} at=${locale} path=${(to) => `/menus/${segment(name)}/${segment(to)}`} />
		<${Loaded} from=${one}>${({ menu, other }) =>
			menu
				? html`<${Links} key=${menu.id} menu=${menu} />`
				: html`<div class="sheet">
				<${Empty} title=${t("notHere", { name: other.label, language: languageSaid(locale) })}>
				<div class="bs">
				<${Button} kind="go" onClick=${copy}
					data-copy>${t("copyFrom", { name: `${other.label} (${other.locale})` })}<//>
					</div><//></div>`}<//>
		${
			isNaming.value &&
			html`<${MenuName} menu=${data.menu} onClose=${() => (isNaming.value = false)}
				onSaved=${(now) => {
					one.data.value = {
						menu: { ...data.menu, label: now.label, updatedAt: now.updatedAt },
					};
				}} />`
		}`;
}

export default ({ params }) => html`<${MenuPage} key=${`${params.name} ${params.locale}`} name=${params.name}
	locale=${params.locale} />`;
