// editor - the page of one item: title, text, fields, side panel, and saving.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { pathOf } from "../../lib/address.js";
import { begin as beginGet, segment } from "../../lib/api.js";
import { useKeys } from "../../lib/keys.js";
import { useLoad } from "../../lib/load.js";
import { beforeLeaving, rename } from "../../lib/router.js";
import { collection as collectionOf, manifest } from "../../lib/site.js";
import { pageKeys } from "../../shell/help.js";
import { ownBar, ownTitle } from "../../shell/open.js";
import { Loaded, Waiting, ask } from "../../ui/index.js";
import { later, whenIdle } from "../../editor/later.js";
import { t } from "../../editor/words.js";
import { actions, beginFocus, isFocused, mayEdit, preview, toggleFocus } from "./actions.js";
import { Bar } from "./bar.js";
import { loadItem } from "./item.js";
import { TextField } from "./text.js";

const more = () => import("./more.js");
const ItemField = later(more, "ItemField"),
	Merge = later(more, "Merge"),
	MoreNotes = later(more, "Notes"),
	Original = later(more, "Original"),
	Panel = later(more, "Panel"),
	SlugField = later(more, "SlugField");
const PreviewPane = later(() => import("./previewpane.js"), "PreviewPane"),
	FocusMode = later(() => import("./focus.js"), "FocusMode"),
	Keys = later(more, "Keys");

/* ---- the head of the sheet ---- */

/** The path of the page, or of the item over the API. */
const addressOf = (item, slug) => {
	const { collection, meta, locale } = item,
		{ id = "…", publishedAt } = meta.value,
		parts = { id, locale, slug: slug ?? "…", publishedAt: publishedAt ?? new Date().toISOString() };

	return decodeURI(pathOf(collection, parts) ?? `/${collection.slug}/${parts.slug}`);
};

function Title({ item, field }) {
	const cell = item.cell(field.slug),
		problems = item.problems.value.filter((p) => p.name === field.slug);
	const id = `field-${field.slug}`,
		slug = item.cell(":slug").value;
	// A new item begins with its title.
	useEffect(() => {
		if (item.isNew) document.getElementById(id).focus();
	}, []);
	// A title is one line even if it is shown wrapped: Enter moves to the text.
	const key = (e) => {
		if (e.key === "Enter" && !e.isComposing) {
			e.preventDefault();
			/** @type {HTMLElement | null} */ (document.querySelector(".body"))?.focus();
		}
	};

	return html`<div class="f-title">
		<label class="margin" for=${id}>${field.label}</label>
		<textarea class="title" id=${id} rows="1" dir="auto" lang=${item.locale} readonly=${!mayEdit(item)}
			value=${cell.value ?? ""} placeholder=${field.label} onKeyDown=${key}
			onBlur=${() => item.slugFollows()}
			aria-required=${field.required ? "true" : undefined}
			aria-invalid=${problems.length > 0 ? "true" : undefined}
			aria-describedby=${problems.length > 0 ? `${id}-p` : undefined}
			onInput=${(e) => item.set(field.slug, e.currentTarget.value.replace(/\n/g, " ") || null)} />
		${
			problems.length > 0 &&
			html`<div
				id=${`${id}-p`}>
				${problems.map((p, i) => html`<p class="problem" key=${i}>${p.message}</p>`)}</div>`
		}
		<p class="address mono">
		<span class="sr">${t("address")}:</span> <bdi>${addressOf(item, slug)}</bdi></p>
	</div>`;
}

/* ---- notes above it ---- */

const labelOf = (item, name) =>
	name.startsWith(":") ? t(name.slice(1)) : (item.collection.fields.find((f) => f.slug === name)?.label ?? name);

function Notes({ item, isWhole }) {
	const isMerging = item.state.value.name === "conflict";

	return html`${!item.isSent.value && !mayEdit(item) && html`<div class="notes"><p class="note" data-read>${t("toRead")}</p></div>`}
		${isWhole && html`<${MoreNotes} item=${item} labelOf=${(name) => labelOf(item, name)} />`}
		${isMerging && html`<${Merge} item=${item} labelOf=${(name) => labelOf(item, name)} />`}`;
}

/* ---- the page ---- */

/** Effects of the page while an item is open: title, bar, shortcuts, leaving, returning. */
function useItem(item, onMade) {
	const save = useRef(() => void actions.save(item)).current;

	useKeys([
		{ keys: "Ctrl S", label: t("saveNow"), run: save },
		{ keys: "Ctrl Shift F", label: t("focusMode"), run: toggleFocus },
	]);
	useEffect(() => {
		const { saver } = item;
		const hide = () => {
			if (document.visibilityState === "hidden") void saver.record().then(() => saver.save());
			else void saver.resume();
		};
		const leave = () => {
			saver.recordNow();
			void saver.save();
		};
		const online = () => void saver.resume();
		const me = manifest.value.user.id;
		// Signing in again without leaving the page replaces the manifest.
		const again = manifest.subscribe((now) => {
			if (now?.user.id === me && saver.state.name === "signed-out") void saver.resume();
		});
		const unload = (e) => {
			if (!saver.isClean && saver.journalFault) e.preventDefault();
		};
		const stay = beforeLeaving(async () => {
			if (item.isGone || (await item.flush())) return true;
			await saver.record();
			return saver.journalFault
				? ask({
						title: t("leaveTitle"),
						text: t("leaveText"),
						yes: t("leaveYes"),
						isFinal: true,
					})
				: true;
		});

		item.onMade = onMade;
		ownBar.value = () => html`<${Bar} item=${item} />`;
		pageKeys.value = Keys;
		document.addEventListener("visibilitychange", hide);
		addEventListener("online", online);
		addEventListener("pagehide", leave);
		addEventListener("beforeunload", unload);
		void item.findLeft();
		beginFocus();
		return () => {
			isFocused.value = false;
			stay();
			again();
			item.onMade = undefined; // another page is open and owns the address
			ownBar.value = null;
			preview.value = null;
			pageKeys.value = null;
			document.removeEventListener("visibilitychange", hide);
			removeEventListener("online", online);
			removeEventListener("pagehide", leave);
			removeEventListener("beforeunload", unload);
			void item.close();
		};
	}, []);
}

/** Sets the page's title from the item's title, without rendering anything else. */
function Name({ item }) {
	const title = item.layout.title ? item.cell(item.layout.title.slug).value : null;

	useEffect(() => {
		ownTitle.value = title || t("untitled");
	}, [title]);
	return html`<h1 class="sr">${t("edit", { title: title || t("untitled") })}</h1>`;
}

function Editor({ item, onMade }) {
	const { title, body, others } = item.layout,
		rest = useSignal(false);

	useItem(item, onMade);
	// Show the text first, so that it can be typed in and does not move when the other parts arrive.
	useEffect(() => {
		let isOver = false;

		void whenIdle().then(() => {
			rest.value = !isOver;
		});
		return () => {
			isOver = true;
		};
	}, []);
	return html`<${Name} item=${item} /><${Notes} item=${item} isWhole=${rest.value} />
		<div class="edit"><div class="sheet galley">
			${title && html`<${Title} item=${item} field=${title} />`}
			${
				body &&
				html`<${TextField} item=${item} name=${body.slug} label=${body.label} isMain=${true}
				isToRead=${!mayEdit(item)} onKeys=${actions.keys} />`
			}
			${
				rest.value &&
				html`<section class="more-fields"
					aria-labelledby="fields-h"><h2 id="fields-h">${t("fields")}</h2>
					<fieldset class="fields" disabled=${!mayEdit(item)} aria-labelledby="fields-h">
				${others.map(
					(field) => html`<${ItemField} key=${field.slug} item=${item}
					field=${field} />`,
				)}
				<${SlugField} item=${item} />
			</fieldset></section>`
			}
		</div>${item.original.value && html`<${Original} key=${item.original.value.id} item=${item} />`}
		${rest.value && html`<${Panel} item=${item} />`}</div>
		${preview.value !== null && html`<${PreviewPane} item=${item} />`}
		${isFocused.value && html`<${FocusMode} onLeave=${toggleFocus} />`}`;
}

/** Starts the request for the item as soon as a link to it is pressed. @param {Record<string, string>} params */
export const begin = ({ collection, id }) =>
	void (id !== "new" && beginGet(`/content/${segment(collection)}/${segment(id)}`));

/** @param {import("../table.js").PageProps} props */
export default function EditorPage({ params, query }) {
	// Each opened item has a number. A new item keeps its number when it is stored, although its address changes.
	const open = useRef({ name: "", made: "", number: 0 }).current;
	const name = `${params.collection}/${params.id}${params.id === "new" ? `?${query.locale}&${query.of}` : ""}`;

	if (name !== open.name && name !== open.made) Object.assign(open, { number: open.number + 1, made: "" });
	open.name = name;
	const number = open.number;
	const loaded = useLoad(
		async (abort) => {
			const item = await loadItem(params.collection, params.id, query, abort);

			if (item.isNew && query.of) await (await more()).beginTranslation(item, query.of);
			return { item, number };
		},
		[number],
	);
	const onMade = (made) => {
		open.made = `${params.collection}/${made.id}`;
		rename(`/collections/${open.made}`);
	};

	// While another item loads, hide the editor: input would go to the previous item.
	return html`<${Loaded}
		from=${loaded} heading=${collectionOf(params.collection)?.label ?? params.collection}>
		${(one) =>
			one.number === number
				? html`<${Editor} key=${one.item.saver.writer} item=${one.item} onMade=${onMade} />`
				: html`<${Waiting} />`}<//>`;
}

export { actions };
