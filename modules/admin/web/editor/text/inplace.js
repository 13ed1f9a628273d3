// inplace.js - blocks whose members are edited where they are shown: code, and pictures with their words.
//
// The controls are the browser's own, so ProseMirror handles no event in them. What is typed in one visit of the block
// is one step of undo.
import { NodeSelection, Selection } from "prosemirror-state";
import { t } from "../words.js";
import { newKey } from "./blocks.js";
import { make } from "./dom.js";
import { hostOf, isForeign, pictureOf } from "./safe.js";
import { schema } from "./schema.js";

const { block } = schema.nodes;

/** By type: the members with a control, and the names of texts: its label, and the hint in it while it is empty. */
const members = {
	code: [
		{ name: "language", tag: "input", label: "code-language" },
		{ name: "code", tag: "textarea", label: "code", isMain: true },
	],
	image: [
		{ name: "caption", tag: "input", hint: "noCaption" },
		{ name: "alt", tag: "input", hint: "wantsAlt", isMain: true },
	],
};

export const isInPlace = (json) => Object.hasOwn(members, json?._type);

export class InPlaceView {
	/** @param {import("./view.js").TextView} text */
	constructor(node, view, getPos, text) {
		const { _type: type } = node.attrs.json;

		this.node = node;
		this.view = view;
		this.getPos = getPos;
		this.text = text;
		this.type = type;
		this.first = null; // the first change of this visit
		/** @type {Map<string, HTMLInputElement | HTMLTextAreaElement>} */
		this.controls = new Map(members[type].map((member) => [member.name, this.control(member)]));
		this.picture = type === "image" ? make("div", { class: "pt-picture" }) : null;
		this.dom = make(
			"div",
			{ class: "pt-atom", "data-type": type },
			make(
				type === "image" ? "figure" : "div",
				{ class: type === "image" ? "" : "atom" },
				this.picture,
				...[...this.controls].map(([name, control]) =>
					type === "image"
						? make(
								"label",
								{ class: "pt-line" },
								make("span", {}, t(`image-${name}`)),
								control,
							)
						: control,
				),
			),
		);
		this.dom.addEventListener("focusout", () => {
			this.first = null;
		});
		this.show();
	}

	control({ name, tag, label = "", hint = label, isMain }) {
		const control = /** @type {HTMLInputElement} */ (
			make(tag, { class: `in in-place pt-${name}`, placeholder: t(hint) })
		);

		if (isMain) control.dataset.main = "";
		if (this.type === "code") {
			control.setAttribute("aria-label", t(label));
			control.spellcheck = false;
			if (isMain) control.setAttribute("aria-description", t("codeLeave"));
		}
		control.addEventListener("input", () => this.change(name, control.value));
		control.addEventListener("focus", () => {
			control.readOnly = !this.view.editable;
		});
		control.addEventListener("keydown", (event) => this.key(event, control));
		return control;
	}

	/** Stores what was typed. All of one visit belongs to the same step of undo. */
	change(name, value) {
		const { view, first } = this,
			json = { ...this.node.attrs.json, [name]: value };

		if (value === "" && name !== "code") delete json[name];
		const tr = view.state.tr.setNodeAttribute(this.getPos(), "json", json);

		if (first) tr.setMeta("appendedTransaction", first);
		this.first = first ?? tr;
		view.dispatch(tr);
	}

	key(event, control) {
		const { key } = event,
			isCode = control.dataset.main !== undefined && this.type === "code",
			{ selectionStart: from, selectionEnd: to, value } = control;

		if (event.isComposing) return;
		if (key === "Escape") this.select();
		else if (key === "Enter" && (!isCode || event.ctrlKey || event.metaKey)) this.leave(1);
		else if (key === "ArrowDown" && from === value.length) this.leave(1);
		else if (key === "ArrowUp" && to === 0) this.leave(-1);
		else if (key === "Backspace" && isCode && value === "" && this.view.editable) this.remove();
		else if (key === "Tab" && isCode && !event.shiftKey && this.view.editable) {
			control.setRangeText("\t", from, to, "end");
			this.change("code", control.value);
		} else return;
		event.preventDefault();
		event.stopPropagation();
	}

	/** Selects the block, with the focus in the text. */
	select() {
		const { state } = this.view;

		this.view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, this.getPos())));
		this.view.focus();
	}

	/** Moves the cursor into the text behind (1) or before (-1) the block; behind it there may be none yet. */
	leave(direction) {
		const { tr, doc } = this.view.state,
			pos = this.getPos(),
			at = direction > 0 ? pos + this.node.nodeSize : pos;

		if (direction > 0 && at === doc.content.size) {
			if (!this.view.editable) return;
			tr.insert(at, block.create({ key: newKey() }));
		}
		this.view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at), direction)).scrollIntoView());
		this.view.focus();
	}

	/** An empty paragraph in place of the block. */
	remove() {
		const { tr } = this.view.state,
			pos = this.getPos();

		tr.replaceWith(pos, pos + this.node.nodeSize, block.create({ key: newKey() }));
		this.view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(pos + 1))));
		this.view.focus();
	}

	/** Shows the node. A control that already has the value keeps its cursor. */
	show() {
		const { json } = this.node.attrs;

		for (const [name, control] of this.controls) {
			const value = typeof json[name] === "string" ? json[name] : "";

			if (control.value !== value) control.value = value;
		}
		if (this.picture !== null) this.showPicture(json);
	}

	showPicture(json) {
		const src = pictureOf(json),
			shown = JSON.stringify([json.asset, json.url]);

		this.dom.classList.toggle("wants-alt", !json.alt);
		if (shown === this.shown) return;
		this.shown = shown;
		const { width, height } = json.asset ?? {},
			isFar = isForeign(json);
		const button = (name, run) => {
			const one = make("button", { type: "button", class: "b small" }, t(name));

			one.addEventListener("click", () => run(this.getPos()));
			return one;
		};
		const change = button("change", (pos) => this.text.options.onChoose(pos));

		change.setAttribute("aria-label", t("changeBlock", { block: t("image") }));
		this.picture.replaceChildren(
			src === null || isFar
				? make(
						"p",
						{ class: "help" },
						src === null ? t("noPicture") : t("farPicture", { host: hostOf(src) }),
					)
				: make("img", {
						src,
						alt: typeof json.alt === "string" ? json.alt : "",
						loading: "lazy",
						draggable: "false",
						...(Number.isInteger(width) && Number.isInteger(height)
							? { width: String(width), height: String(height) }
							: {}),
					}),
			make(
				"div",
				{ class: "bs pt-open" },
				isFar && button("intoLibrary", (pos) => this.text.options.onBring(pos)),
				change,
			),
		);
	}

	update(node) {
		if (node.type !== schema.nodes.atom || node.attrs.json?._type !== this.type) return false;
		this.node = node;
		this.show();
		return true;
	}

	stopEvent(event) {
		return (
			event.target instanceof Element &&
			event.target.closest("input, textarea, button") !== null &&
			!/^(drag|drop)/.test(event.type)
		);
	}

	ignoreMutation() {
		return true;
	}
}
