// noteviews.js - footnotes and callouts as they are edited: the numbers of footnotes, the kind and title of a callout.
import { keymap } from "prosemirror-keymap";
import { NodeSelection, Plugin, PluginKey, TextSelection } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import "../morewords.js";
import { t } from "../words.js";
import { make } from "./dom.js";
import {
	backwardAtEdge,
	forwardAtEdge,
	isReference,
	leaveCallout,
	notesOf,
	removeFootnote,
	toEndOfText,
	toFootnote,
	toReference,
} from "./notes.js";
import { labelOf } from "./readable.js";

const KINDS = ["note", "tip", "important", "warning", "danger"];
const key = new PluginKey("notes");

const numberOf = (decorations) => decorations.find((one) => one.spec.number !== undefined)?.spec.number ?? "?";

/** An object within a text. A reference to a footnote is the footnote's number. */
class ObjectView {
	constructor(node, view, getPos, decorations) {
		const { json } = node.attrs;

		this.node = node;
		this.isReference = isReference(node);
		if (!this.isReference) {
			this.dom = make(
				"span",
				{ class: "tag", "data-type": String(json?._type ?? "") },
				labelOf(json),
			);
			return;
		}
		this.dom = make("sup", { "data-type": "footnoteReference" });
		this.dom.style.setProperty("color", "var(--blue)");
		this.dom.addEventListener("click", () => {
			const { state } = view;

			toFootnote(
				state.apply(state.tr.setSelection(NodeSelection.create(state.doc, getPos()))),
				({ selection }) =>
					view.dispatch(
						state.tr
							.setSelection(TextSelection.create(state.doc, selection.from))
							.scrollIntoView(),
					),
			);
		});
		this.show(decorations);
	}

	show(decorations) {
		const n = numberOf(decorations);

		this.dom.textContent = String(n);
		this.dom.title = t("footnoteN", { n });
	}

	update(node, decorations) {
		if (node !== this.node) return false;
		if (this.isReference) this.show(decorations);
		return true;
	}

	ignoreMutation() {
		return true;
	}
}

/** What both blocks have: a part with controls, and a part with text. */
class NoteView {
	constructor(node, view, getPos) {
		this.node = node;
		this.view = view;
		this.getPos = getPos;
		/** @type {HTMLElement} */
		this.contentDOM = make("div", { class: node.type.name === "callout" ? "read" : "" });
		/** @type {HTMLElement} */
		this.dom = make("div", { class: "note", "data-type": node.type.name, role: "group" });
	}

	stopEvent(event) {
		return (
			event.target instanceof Element &&
			event.target.closest("input, select, button") !== null &&
			!/^(drag|drop)/.test(event.type)
		);
	}

	ignoreMutation(mutation) {
		return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target);
	}
}

class FootnoteView extends NoteView {
	constructor(node, view, getPos, decorations) {
		super(node, view, getPos);
		this.number = make("span", { class: "num", contenteditable: "false" });
		const back = make(
			"button",
			{
				type: "button",
				class: "b bare square",
				contenteditable: "false",
				"aria-label": t("noteBack"),
				title: t("noteBack"),
			},
			"↩",
		);

		back.addEventListener("click", () => {
			const { state } = view,
				inside = state.apply(
					state.tr.setSelection(TextSelection.create(state.doc, getPos() + 1)),
				);

			toReference(inside, ({ selection }) =>
				view.dispatch(
					state.tr
						.setSelection(TextSelection.create(state.doc, selection.from))
						.scrollIntoView(),
				),
			);
			view.focus();
		});
		this.dom.classList.add("heed");
		this.contentDOM.style.setProperty("flex", "1");
		this.dom.append(this.number, this.contentDOM, back);
		this.show(decorations);
	}

	show(decorations) {
		const n = numberOf(decorations);

		this.number.textContent = `${n}.`;
		this.dom.setAttribute("aria-label", t("footnoteN", { n }));
	}

	update(node, decorations) {
		if (node.type !== this.node.type) return false;
		this.node = node;
		this.show(decorations);
		return true;
	}
}

class CalloutView extends NoteView {
	constructor(node, view, getPos) {
		super(node, view, getPos);
		this.first = null; // the first change of this visit: what is typed in one visit is one step of undo
		this.kind = /** @type {HTMLSelectElement} */ (
			make("select", { class: "in auto in-place", "aria-label": t("calloutKind") })
		);
		this.title = /** @type {HTMLInputElement} */ (
			make("input", {
				class: "in in-place",
				"aria-label": t("calloutTitle"),
				placeholder: t("calloutTitle"),
			})
		);
		this.title.style.setProperty("font-weight", "600");
		this.kind.addEventListener("change", () => this.change("kind", this.kind.value));
		this.title.addEventListener("input", () => this.change("title", this.title.value || null));
		this.title.addEventListener("keydown", (event) => this.key(event));
		for (const control of [this.kind, this.title])
			control.addEventListener("focus", () => {
				this.title.readOnly = this.kind.disabled = !view.editable;
			});
		this.dom.addEventListener("focusout", () => {
			this.first = null;
		});
		this.dom.setAttribute("aria-label", t("callout"));
		this.dom.style.setProperty("display", "block");
		this.dom.append(
			make("div", { class: "pt-line", contenteditable: "false" }, this.kind, this.title),
			this.contentDOM,
		);
		this.show();
	}

	change(name, value) {
		const tr = this.view.state.tr.setNodeAttribute(this.getPos(), name, value);

		if (this.first) tr.setMeta("appendedTransaction", this.first);
		this.first ??= tr;
		this.view.dispatch(tr);
	}

	/** Enter, Escape and the arrow down lead into the text of the callout. */
	key(event) {
		if (event.isComposing || !["Enter", "Escape", "ArrowDown"].includes(event.key)) return;
		const { tr, doc } = this.view.state;

		event.preventDefault();
		event.stopPropagation();
		this.view.dispatch(tr.setSelection(TextSelection.create(doc, this.getPos() + 2)).scrollIntoView());
		this.view.focus();
	}

	show() {
		const { kind, title } = this.node.attrs,
			now = kind ?? "note",
			kinds = KINDS.includes(now) ? KINDS : [...KINDS, now];

		if (this.kind.options.length !== kinds.length || this.kind.value !== now) {
			this.kind.replaceChildren(
				...kinds.map((one) =>
					make("option", { value: one }, KINDS.includes(one) ? t(`callout-${one}`) : one),
				),
			);
			this.kind.value = now;
		}
		if (this.title.value !== (title ?? "")) this.title.value = title ?? "";
		this.dom.classList.toggle("wrong", ["danger", "warning", "caution", "error"].includes(now));
	}

	update(node) {
		if (node.type !== this.node.type) return false;
		this.node = node;
		this.show();
		return true;
	}
}

/** The numbers of references and footnotes. */
function numbersOf(doc) {
	const { references, notes, numbers } = notesOf(doc);
	const mark = ({ label, pos, size = 1 }) =>
		Decoration.node(pos, pos + size, {}, { number: numbers.get(label) ?? "?" });

	return references.length + notes.length === 0
		? DecorationSet.empty
		: DecorationSet.create(doc, [...references, ...notes].map(mark));
}

export const notes = () => [
	new Plugin({
		key,
		state: {
			init: (_, { doc }) => numbersOf(doc),
			apply: (tr, was) => (tr.docChanged ? numbersOf(tr.doc) : was),
		},
		props: {
			decorations: (state) => key.getState(state),
			handleKeyDown(view, event) {
				if (event.key !== "Escape" || !toReference(view.state, view.dispatch)) return false;
				event.stopPropagation();
				return true;
			},
			nodeViews: {
				object: (node, view, getPos, decorations) =>
					new ObjectView(node, view, getPos, decorations),
				footnote: (node, view, getPos, decorations) =>
					new FootnoteView(node, view, getPos, decorations),
				callout: (node, view, getPos) => new CalloutView(node, view, getPos),
			},
		},
	}),
	keymap({
		Enter: (state, dispatch) => leaveCallout(state, dispatch) || toFootnote(state, dispatch),
		Backspace: backwardAtEdge,
		"Mod-Backspace": backwardAtEdge,
		Delete: forwardAtEdge,
		"Mod-Delete": forwardAtEdge,
		"Mod-Shift-Backspace": removeFootnote,
		"Mod-End": toEndOfText,
	}),
];
