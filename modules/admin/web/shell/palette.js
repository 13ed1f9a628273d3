// palette.js - the command palette "Go to or do…" (Ctrl K): finds pages, actions and operations by typing.
import { useEffect, useId, useRef } from "preact/hooks";
import { computed, signal, useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { fold } from "../lib/fold.js";
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
 * Functions that return further entries. They are called when the palette opens.
 * @type {Set<() => Entry[] | Promise<Entry[]>>}
 */
export const sources = new Set();

/** @returns {Entry[]} */
function pagesOf() {
	const site = manifest.value;
	const rows = GROUPS.flatMap((group) => rowsOf(group, site));

	return [
		...rows.map((row) => ({
			key: `go-${row.key}`,
			label: row.label,
			kind: t("kindPage"),
			run: () => go(row.path),
		})),
		{ key: "go-me", label: t("me"), kind: t("kindPage"), run: () => go("/me") },
		...site.collections
			.filter((c) => c.rights.create)
			.map((c) => ({
				key: `new-${c.slug}`,
				label: t("new", { what: c.labelSingular ?? c.label }),
				kind: t("kindNew"),
				run: () => go(`/collections/${encodeURIComponent(c.slug)}/new`),
			})),
		...["auto", "paper", "ink"].map((one) => ({
			key: `theme-${one}`,
			label: `${t("theme")}: ${t(one)}`,
			kind: t("kindLook"),
			run: () => (theme.value = /** @type {any} */ (one)),
		})),
		{ key: "site", label: t("viewSite"), kind: t("kindPage"), run: () => location.assign("/") },
	];
}

/** Operations of the API; a page with a form runs them. Their document is large, so it is loaded on typing. */
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

const MOST = 12;

function Search() {
	const id = useId(),
		dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
	const typed = useSignal(""),
		at = useSignal(0),
		entries = useSignal(/** @type {Entry[]} */ (pagesOf()));
	const found = useRef(
		computed(() => {
			const words = fold(typed.value).split(/\s+/).filter(Boolean);

			return entries.value
				.map((entry) => ({
					entry,
					rank:
						rank(fold(entry.label), words) ??
						(entry.more && rank(fold(entry.more), words) !== null ? 20 : null),
				}))
				.filter((one) => one.rank !== null)
				.sort((a, b) => a.rank - b.rank || a.entry.label.length - b.entry.label.length)
				.slice(0, MOST)
				.map((one) => one.entry);
		}),
	).current;
	const close = () => (isPaletteOpen.value = false);

	useEffect(() => {
		const before = /** @type {HTMLElement | null} */ (document.activeElement);
		let isGone = false;

		dialog.current.showModal();
		for (const source of sources)
			void Promise.resolve(source()).then(
				(more) => {
					if (!isGone) entries.value = [...entries.value, ...more];
				},
				() => {},
			);
		return () => {
			isGone = true;
			dialog.current?.close();
			if (before?.isConnected && document.activeElement === document.body) before.focus();
		};
	}, []);
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
	const hasAll = useRef(false);
	const onInput = (event) => {
		if (!hasAll.current && has("openapi")) {
			hasAll.current = true;
			void operationsOf().then(
				(more) => (entries.value = [...entries.value, ...more]),
				() => (hasAll.current = false),
			);
		}
		typed.value = event.currentTarget.value;
		at.value = 0;
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
			placeholder=${t("goto")} autocomplete="off" spellcheck=${false}
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
