// palette.js - the command palette "Search or jump to…" (Ctrl K): finds items, pages and actions by typing; after ">",
// operations of the API.
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { computed, signal, useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { fold } from "../lib/fold.js";
import { inOrder } from "../lib/many.js";
import { go } from "../lib/router.js";
import { theme } from "../lib/kept.js";
import { wordsOf } from "../lib/words.js";
import { has, manifest } from "../lib/site.js";
import { say } from "../ui/live.js";
import { GROUPS, rowsOf } from "./navigation.js";

const t = wordsOf("shell");

export const isPaletteOpen = signal(false);

/**
 * @typedef {{key: string, label: string, more?: string, kind: string, run: () => any}} Entry more: searched, not shown
 */

/** @param {string} key @param {string} label @param {string} path @returns {Entry} */
const pageEntry = (key, label, path) => ({ key: `go-${key}`, label, kind: t("kindPage"), run: () => go(path) });

/** Pages, in the order of the menu. */
const pagesOf = () => [
	...GROUPS.flatMap((group) => rowsOf(group, manifest.value)).map((row) =>
		pageEntry(row.key, row.label, row.path),
	),
	pageEntry("me", t("me"), "/me"),
	{ key: "site", label: t("viewSite"), kind: t("kindPage"), run: () => location.assign("/") },
];

/** What an editor does. @returns {Entry[]} */
const actionsOf = () => [
	...inOrder(
		manifest.value.collections
			.filter((c) => c.rights.create)
			.map((c) => ({
				key: `new-${c.slug}`,
				label: c.labelSingular
					? t("new", { what: c.labelSingular })
					: t("newIn", { what: c.label }),
				kind: t("kindNew"),
				run: () => go(`/collections/${encodeURIComponent(c.slug)}/new`),
			})),
	),
	...["auto", "paper", "ink"].map((one) => ({
		key: `theme-${one}`,
		label: `${t("theme")}: ${t(one)}`,
		kind: t("kindLook"),
		run: () => (theme.value = /** @type {any} */ (one)),
	})),
];

/** Operations of the API; a page with a form runs them. Their document is large, so it is loaded when it is wanted. */
async function operationsOf() {
	const { operations } = await import("../lib/operations.js");

	return (await operations()).map((one) => ({
		key: `do-${one.id}`,
		label: one.title,
		more: `${one.id} ${one.group}`,
		kind: one.group,
		run: () => go(`/do/${one.id}`),
	}));
}

/** @param {string} text @param {AbortSignal} signal @param {(entries: Entry[]) => void} onFound */
async function itemsOf(text, signal, onFound) {
	const { findEverywhere } = await import("../lib/find.js");

	await findEverywhere(text, signal, (hits) =>
		onFound(
			hits.map((hit) => ({
				key: `item-${hit.collection.slug}-${hit.id}`,
				label: hit.title,
				kind: hit.collection.labelSingular ?? hit.collection.label,
				run: () => go(`/collections/${encodeURIComponent(hit.collection.slug)}/${hit.id}`),
			})),
		),
	);
}

/**
 * Returns a rank, lowest first, or null if the label does not contain all words.
 * @param {string} label
 * @param {string[]} words
 */
function rank(label, words) {
	let sum = 0;

	for (const word of words) {
		const at = label.indexOf(word);
		if (at < 0) return null;
		sum += at === 0 ? 0 : /\W/.test(label[at - 1]) ? 1 : 3;
	}
	return sum;
}

const MOST = 12,
	MOST_ITEMS = 7, // the rest is for pages and actions
	PAUSE = 200; // ms without a key before the server is asked

/** The entries that have all words, best first; equal ones keep their order. @param {Entry[]} entries @param {string} typed */
function ranked(entries, typed) {
	const words = fold(typed).split(/\s+/).filter(Boolean);

	return entries
		.map((entry) => ({
			entry,
			rank:
				rank(fold(entry.label), words) ??
				(entry.more && rank(fold(entry.more), words) !== null ? 20 : null),
		}))
		.filter((one) => one.rank !== null)
		.sort((a, b) => a.rank - b.rank || (a.entry.more ? a.entry.label.length - b.entry.label.length : 0))
		.map((one) => one.entry);
}

/**
 * What the palette shows: items first, then pages, then actions. An entry whose whole name was typed is above all.
 * @param {Entry[][]} kinds pages, actions @param {Entry[]} items @param {string} typed @returns {Entry[]}
 */
export function arrange(kinds, items, typed) {
	const others = kinds.flatMap((entries) => ranked(entries, typed)),
		isWhole = (entry) => fold(entry.label) === fold(typed.trim());

	return [
		...others.filter(isWhole),
		...items.slice(0, MOST_ITEMS),
		...others.filter((entry) => !isWhole(entry)),
	].slice(0, MOST);
}

function Search() {
	const id = useId(),
		dialog = useRef(/** @type {HTMLDialogElement | null} */ (null)),
		asking = useRef(/** @type {{timer?: any, stop?: AbortController, hasOperations?: boolean}} */ ({}));
	const typed = useSignal(""),
		at = useSignal(0),
		items = useSignal(/** @type {Entry[]} */ ([])),
		operations = useSignal(/** @type {Entry[]} */ ([]));
	const kinds = useRef([pagesOf(), actionsOf()]).current;
	const found = useRef(
		computed(() =>
			typed.value.startsWith(">")
				? ranked(operations.value, typed.value.slice(1)).slice(0, MOST)
				: arrange(kinds, items.value, typed.value),
		),
	).current;
	const close = () => (isPaletteOpen.value = false);

	// Before the next key: it belongs into the field.
	useLayoutEffect(() => {
		const before = /** @type {HTMLElement | null} */ (document.activeElement);

		dialog.current.showModal();
		return () => {
			dialog.current?.close();
			if (before?.isConnected && document.activeElement === document.body) before.focus();
		};
	}, []);
	const forget = () => {
		clearTimeout(asking.current.timer);
		asking.current.stop?.abort();
	};
	useEffect(() => forget, []);

	const run = (entry) => {
		close();
		void entry.run();
	};
	const onKeyDown = (event) => {
		const last = found.value.length - 1;
		const to = { ArrowDown: at.value + 1, ArrowUp: at.value - 1 }[event.key];

		if (to !== undefined && last >= 0) {
			event.preventDefault();
			at.value = to < 0 ? last : to > last ? 0 : to;
			document.getElementById(`${id}-${at.value}`)?.scrollIntoView({ block: "nearest" });
		} else if (event.key === "Enter" && found.value[at.value]) {
			event.preventDefault();
			run(found.value[at.value]);
		}
	};
	const askOperations = () => {
		if (asking.current.hasOperations || !has("openapi")) return;
		asking.current.hasOperations = true;
		void operationsOf().then(
			(all) => (operations.value = all),
			() => (asking.current.hasOperations = false),
		);
	};
	/** An entry that the person has gone to by arrows stays the current one when items arrive above it. */
	const showItems = (all) => {
		const current = at.value > 0 ? found.value[at.value]?.key : undefined;

		items.value = all;
		if (current)
			at.value = Math.max(
				found.value.findIndex((one) => one.key === current),
				0,
			);
		say(t("found", { n: found.value.length }));
	};
	const askItems = (text) => {
		forget();
		if (text.trim().length < 2) return void (items.value = []);
		const stop = new AbortController();

		asking.current.stop = stop;
		asking.current.timer = setTimeout(() => {
			itemsOf(text, stop.signal, showItems).catch(() => {}); // pages can be found all the same
		}, PAUSE);
	};
	const onInput = (event) => {
		typed.value = event.currentTarget.value;
		at.value = 0;
		if (typed.value.startsWith(">")) {
			forget();
			askOperations();
		} else {
			// Those for the words before, until the answer comes.
			items.value = ranked(items.value, typed.value);
			askItems(typed.value);
		}
		say(t("found", { n: found.value.length }));
	};

	return html`<dialog class="dialog palette" ref=${dialog} aria-label=${t("goto")}
		onCancel=${(e) => {
			e.preventDefault();
			close();
		}}
		onClick=${(e) => e.target === dialog.current && close()}>
		<div><input class="in" type="text" role="combobox" aria-expanded="true" aria-controls=${`${id}-list`}
			aria-label=${t("goto")} aria-autocomplete="list"
			aria-activedescendant=${found.value.length > 0 ? `${id}-${at.value}` : undefined}
			placeholder=${t("findHint")} autocomplete="off" spellcheck=${false}
			value=${typed.value} onInput=${onInput} onKeyDown=${onKeyDown} /></div>
		<ul role="listbox" id=${`${id}-list`} aria-label=${t("goto")}>
			${found.value.map(
				(entry, i) => html`<li key=${entry.key} id=${`${id}-${i}`} role="option"
					aria-selected=${i === at.value ? "true" : "false"} onClick=${() => run(entry)}
					onMouseMove=${() => (at.value = i)}>
				<span><bdi>${entry.label}</bdi></span><small>${entry.kind}</small></li>`,
			)}
		</ul>
		${found.value.length === 0 && html`<p class="help">${t("found", { n: 0 })}</p>`}
	</dialog>`;
}

export const Palette = () => isPaletteOpen.value && html`<${Search} />`;
