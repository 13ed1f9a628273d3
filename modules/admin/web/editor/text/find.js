// find.js - the bar that finds and replaces words in a text. It is fetched when it is opened.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { closeHistory } from "prosemirror-history";
import { NodeSelection, Plugin, PluginKey, TextSelection } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { html } from "../../lib/html.js";
import { Icon } from "../../ui/icon.js";
import { say } from "../../ui/live.js";
import "../morewords.js";
import { t } from "../words.js";
import { isF } from "./dom.js";
import { findAll, nextFrom, replaceAll } from "./found.js";

const key = new PluginKey("find");
const FOUND = { style: "background: var(--blue-wash); box-shadow: inset 0 -2px 0 var(--blue)" },
	HERE = { style: "background: var(--blue); color: var(--on-blue)" },
	BLOCK = { style: "outline: 2px solid var(--blue)" };

/** @param {import("./found.js").Found} found @param {boolean} isHere */
const mark = ({ from, to, member }, isHere) =>
	member === undefined
		? Decoration.inline(from, to, isHere ? HERE : FOUND)
		: Decoration.node(from, to, isHere ? BLOCK : {});

const lookFor = (doc, words, isExact, place) => {
	const all = findAll(doc, words, isExact),
		at = all.length === 0 ? -1 : nextFrom(all, place);

	return {
		words,
		isExact,
		all,
		at,
		place: all[at] ?? place,
		marks: DecorationSet.create(
			doc,
			all.map((one, i) => mark(one, i === at)),
		),
	};
};

/** Marks what is found, and keeps it right while the text changes. @param {(found: any) => void} onFound */
const finder = (onFound) =>
	new Plugin({
		key,
		state: {
			init: (_, state) => lookFor(state.doc, "", false, { from: state.selection.from, at: 0 }),
			apply(tr, was) {
				const { words, isExact, place } = { ...was, ...tr.getMeta(key) };

				if (!tr.docChanged && tr.getMeta(key) === undefined) return was;
				return lookFor(tr.doc, words, isExact, {
					...place,
					from: tr.getMeta(key)?.place?.from ?? tr.mapping.map(place.from, -1),
				});
			},
		},
		props: { decorations: (state) => key.getState(state).marks },
		view: () => ({
			update: (view, old) => {
				const now = key.getState(view.state);

				if (now !== key.getState(old)) onFound(now);
			},
		}),
	});

/** The words that are selected, if they are of one text. */
function selected({ selection, doc }) {
	const { $from, $to, empty } = selection;

	return empty || !$from.sameParent($to) || !$from.parent.isTextblock
		? ""
		: doc.textBetween($from.pos, $to.pos, null, " ").slice(0, 200);
}

/** The marked words into the middle of the window, if they are not seen. */
function show(view, { from }) {
	const { node } = view.domAtPos(from + (view.state.doc.nodeAt(from)?.isText ? 1 : 0)),
		dom = view.nodeDOM(from) ?? node,
		element = dom instanceof Element ? dom : dom.parentElement,
		{ top, bottom } = element.getBoundingClientRect();

	if (top < 140 || bottom > innerHeight - 20) element.scrollIntoView({ block: "center" });
}

/**
 * @param {{text: import("./view.js").TextView, asked: number, early: HTMLInputElement, isToRead: boolean,
 *   onClose: () => void}} props asked: how often it was asked for: the cursor comes to its field again; early: has what
 *   was typed before the bar was there
 */
export function FindBar({ text, asked, early, isToRead, onClose }) {
	const { view } = text,
		field = useRef(/** @type {HTMLInputElement | null} */ (null)),
		words = useSignal(""),
		other = useSignal(""),
		isExact = useSignal(false),
		found = useSignal({ n: 0, of: 0 });
	const now = () => key.getState(view.state);
	const send = (meta, tr = view.state.tr) => view.dispatch(tr.setMeta(key, meta));
	const tellAll = (before = "") => {
		const { all, at } = now();

		found.value = { n: at + 1, of: all.length };
		if (words.peek() !== "")
			say(`${before} ${all.length > 0 ? t("findAt", found.value) : t("findNone")}`.trim());
		if (at >= 0) show(view, all[at]);
	};
	const look = () => {
		send({ words: words.peek(), isExact: isExact.peek() });
		tellAll();
	};
	const step = (by) => {
		const { all, at } = now();

		if (all.length === 0) return;
		send({ place: all[(at + by + all.length) % all.length] });
		tellAll();
	};
	const replace = (isAll) => {
		const { all, at } = now(),
			chosen = isAll ? all : all.slice(at, at + 1),
			with_ = other.peek();

		if (chosen.length === 0 || at < 0) return;
		const { from, at: inside, member } = chosen[0],
			isText = member === undefined;
		// A step of undo of its own.
		send(
			{ place: { from: isText ? from + with_.length : from, at: inside + with_.length, member } },
			replaceAll(closeHistory(view.state.tr), chosen, with_),
		);
		view.dispatch(closeHistory(view.state.tr));
		tellAll(t("replaced", { n: chosen.length }));
	};
	/** Leaves the bar; the cursor is where the words are. */
	const close = () => {
		const { all, at } = now(),
			one = all[at],
			{ tr } = view.state;

		if (one)
			view.dispatch(
				tr.setSelection(
					one.member === undefined
						? TextSelection.create(tr.doc, one.from, one.to)
						: NodeSelection.create(tr.doc, one.from),
				),
			);
		onClose();
		text.focus();
	};
	const onKeyDown = (event) => {
		const { key: pressed, shiftKey, currentTarget, target } = event;

		if (event.isComposing) return;
		if (pressed === "Escape") close();
		else if (pressed === "Enter" && target === field.current) step(shiftKey ? -1 : 1);
		else if (pressed === "Enter" && target.tagName === "INPUT") replace(false);
		else if (isF(event) && (event.ctrlKey || event.metaKey) && !shiftKey)
			currentTarget.querySelector("input").select();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};

	useEffect(() => {
		const plugin = finder(({ all, at }) => {
			found.value = { n: at + 1, of: all.length };
		});

		view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, plugin] }));
		return () => {
			if (!view.isDestroyed)
				view.updateState(
					view.state.reconfigure({
						plugins: view.state.plugins.filter((one) => one !== plugin),
					}),
				);
		};
	}, []);
	useEffect(() => {
		const { value } = early;

		words.value = value || selected(view.state) || words.peek();
		field.current.value = words.peek();
		field.current.focus();
		if (value === "") field.current.select();
		early.value = "";
		early.remove();
		look();
	}, [asked]);
	const icon = (name, label, run) => html`<button type="button" class="b bare square" aria-label=${t(label)}
		title=${t(label)} onClick=${run}><${Icon} name=${name} /></button>`;
	const button = (label, run) => html`<button type="button" class="b small" onClick=${run}>${t(label)}</button>`;
	const input = (label, signal, onInput, ref) => html`<input class="in auto" type="text" size="20" ref=${ref}
		aria-label=${t(label)} placeholder=${t(label)} value=${signal.value} spellcheck=${false}
		onInput=${(e) => {
			signal.value = e.currentTarget.value;
			onInput?.();
		}} />`;

	return html`<div class="toolbar" role="search" aria-label=${t("find")} onKeyDown=${onKeyDown}>
		${input("findWords", words, look, field)}
		<span class="num quiet" style=${{ whiteSpace: "nowrap" }}>${
			words.value !== "" && (found.value.of > 0 ? t("findAt", found.value) : t("findNone"))
		}</span>
		<span class="keys">
			${icon("up", "findBefore", () => step(-1))}${icon("down", "findNext", () => step(1))}
			<button type="button" class="b bare square" aria-label=${t("matchCase")} title=${t("matchCase")}
				aria-pressed=${String(isExact.value)} onClick=${() => {
					isExact.value = !isExact.value;
					look();
				}}><span aria-hidden="true">Aa</span></button>
		</span>
		<span class="keys end"><button type="button" class="b bare square" aria-label=${t("close")}
			title=${t("close")} onClick=${close}><span aria-hidden="true">×</span></button></span>
		${
			!isToRead &&
			html`<div class="bs" style=${{ flexBasis: "100%" }}>${input("replaceWith", other)}
				${button("replace", () => replace(false))} ${button("replaceAll", () => replace(true))}</div>`
		}
	</div>`;
}
