// handle.js - the handle beside a block: it is dragged to move the block, and opens the block's menu (Alt Enter).
import { render } from "preact";
import { NodeSelection, Plugin, Selection } from "prosemirror-state";
import { html } from "../../lib/html.js";
import { Menu } from "../../ui/menu.js";
import "../morewords.js";
import { t } from "../words.js";
import { keyOf } from "./blocks.js";
import { moveBlock, removeBlock, setStyle, toggleList, topBlock } from "./commands.js";
import { make } from "./dom.js";
import { duplicate, moveTo } from "./moves.js";
import { fromCallout, removeFootnote, toCallout } from "./notes.js";
import { schema } from "./schema.js";

const { block, callout, footnote } = schema.nodes;
const SIZE = 24; // px
let count = 0; // of texts

/** What a block can become: names of texts, and commands. */
function kindsOf(node) {
	if (node.type === callout) return [["style-normal", fromCallout]];
	if (node.type !== block) return [];
	return [
		["style-normal", setStyle("normal")],
		...[2, 3, 4].map((n) => [`style-h${n}`, setStyle(`h${n}`)]),
		["bullet", toggleList("bullet")],
		["number", toggleList("number")],
		["style-blockquote", setStyle("blockquote")],
		["callout", toCallout],
	];
}

class Handle {
	/** @param {import("./view.js").TextView} text */
	constructor(view, text) {
		this.view = view;
		this.text = text;
		this.node = null; // the block that it stands beside
		this.isOver = false; // the pointer has chosen it
		this.last = -1; // where the cursor's block was
		this.dragged = null;
		this.to = -1;
		this.box = make("div", { draggable: "true" });
		this.line = make("div", { hidden: "" });
		this.place = view.dom.parentElement;
		for (const dom of [this.box, this.line]) {
			dom.style.setProperty("position", "absolute");
			dom.style.setProperty("z-index", "1");
		}
		this.line.style.setProperty("border-block-start", "2px solid var(--blue)");
		this.line.style.setProperty("pointer-events", "none");
		view.dom.after(this.box, this.line);
		render(
			html`<${Menu} label=${t("blockMenu")} kind="bare square" isAtStart id=${`block-menu-${++count}`} items=${() => this.items()}>
				<span aria-hidden="true">⋮⋮</span><//>`,
			this.box,
		);
		this.button = /** @type {HTMLButtonElement} */ (this.box.querySelector("button"));
		this.button.tabIndex = -1; // Alt Enter opens it
		this.button.title = t("blockMenu");
		for (const [name, value] of Object.entries({
			"inline-size": `${SIZE}px`,
			"min-block-size": `${SIZE}px`,
			cursor: "grab",
			"letter-spacing": "-0.4em",
		}))
			this.button.style.setProperty(name, value);
		// A menu that was closed without a choice leaves the cursor in the text.
		this.box.querySelector("[popover]").addEventListener("toggle", (/** @type {ToggleEvent} */ event) => {
			if (event.newState === "closed" && document.activeElement === this.button) view.focus();
		});
		this.listeners = {
			mousemove: (event) => this.over(event),
			mouseleave: () => this.leave(),
			dragstart: (event) => this.start(event),
			dragend: () => this.end(),
		};
		for (const [name, listener] of Object.entries(this.listeners))
			this.place.addEventListener(name, listener);
		this.sizes = new ResizeObserver(() => this.show());
		this.sizes.observe(this.place);
		this.show();
	}

	/** The element of the block at this height, and its node. */
	at(y) {
		const { left, right } = this.view.dom.getBoundingClientRect(),
			dom = document
				.elementsFromPoint((left + right) / 2, y)
				.find((one) => one.parentElement === this.view.dom);

		return dom ? this.nodeOf(dom) : null;
	}

	nodeOf(dom) {
		const pos = this.view.posAtDOM(this.view.dom, [...this.view.dom.childNodes].indexOf(dom));

		return this.view.state.doc.nodeAt(pos);
	}

	/** The position of a node of the top level; it may have changed since it was found. */
	posOf(node) {
		let found = null;

		this.view.state.doc.forEach((one, pos) => {
			if (one === node || (keyOf(node) !== null && keyOf(one) === keyOf(node))) found ??= pos;
		});
		return found;
	}

	over(event) {
		if (event.target instanceof Node && this.box.contains(event.target)) return;
		const node = event.buttons === 0 ? this.at(event.clientY) : null;

		if (!node || node === this.node) return;
		this.node = node;
		this.isOver = true;
		this.show();
	}

	leave() {
		this.isOver = false;
		this.show();
	}

	/** Beside the block under the pointer, or the one with the cursor. Layout is read once a frame. */
	show() {
		this.isWaiting ??= requestAnimationFrame(() => {
			this.isWaiting = undefined;
			this.put();
		});
	}

	put() {
		const { view, box } = this;

		if (view.isDestroyed || this.menuIsOpen) return;
		const pos =
				this.isOver && this.node
					? this.posOf(this.node)
					: view.hasFocus()
						? topBlock(view.state).pos
						: null,
			dom = pos === null ? null : view.nodeDOM(pos);

		box.hidden = !(dom instanceof HTMLElement) || !view.editable;
		if (box.hidden) return;
		this.node = view.state.doc.nodeAt(pos);
		const at = dom.getBoundingClientRect(),
			frame = this.place.getBoundingClientRect(),
			isRtl = getComputedStyle(view.dom).direction === "rtl",
			first = Math.min(at.height, Number.parseFloat(getComputedStyle(dom).lineHeight) || SIZE);

		box.style.setProperty("top", `${at.top - frame.top + (first - SIZE) / 2}px`);
		box.style.setProperty("left", `${(isRtl ? at.right : at.left - SIZE) - frame.left}px`);
	}

	get menuIsOpen() {
		return this.box.querySelector(":popover-open") !== null;
	}

	/** The cursor comes into the block, so that the commands are for it. */
	select() {
		const { state } = this.view,
			pos = this.node ? this.posOf(this.node) : null;

		if (pos === null || topBlock(state).pos === pos) return;
		const node = state.doc.nodeAt(pos);
		this.view.dispatch(
			state.tr.setSelection(
				node.isAtom
					? NodeSelection.create(state.doc, pos)
					: Selection.near(state.doc.resolve(pos + 1)),
			),
		);
	}

	items() {
		this.select();
		const { node } = topBlock(this.view.state),
			item = (name, command) => ({ label: t(name), onClick: () => this.text.run(command) }),
			kinds = node ? kindsOf(node) : [];

		return [
			item("moveUp", moveBlock(-1)),
			item("moveDown", moveBlock(1)),
			node?.type !== footnote && item("duplicate", duplicate),
			{ ...item("removeBlock", node?.type === footnote ? removeFootnote : removeBlock), isOut: true },
			kinds.length > 0 && { label: t("turnInto"), isHead: true },
			...kinds.map(([name, command]) => item(name, command)),
		];
	}

	/** Opens the menu of the block with the cursor. */
	open() {
		this.isOver = false;
		this.put();
		if (!this.box.hidden) this.button.click();
	}

	start(event) {
		const pos = this.node ? this.posOf(this.node) : null,
			dom = pos === null ? null : this.view.nodeDOM(pos);

		if (!this.box.contains(event.target) || !(dom instanceof Element)) return;
		this.dragged = this.node;
		event.dataTransfer.effectAllowed = "move";
		event.dataTransfer.setData("text/plain", "");
		event.dataTransfer.setDragImage(dom, 0, 0);
	}

	/** Shows between which blocks the dragged one would come. */
	drag(event) {
		if (this.dragged === null) return false;
		event.preventDefault();
		const rows = [];

		this.view.state.doc.forEach((_, pos) => {
			const dom = this.view.nodeDOM(pos);

			rows.push(dom instanceof Element ? dom.getBoundingClientRect() : null);
		});
		const found = rows.findIndex((row) => row && event.clientY < row.top + row.height / 2),
			frame = this.place.getBoundingClientRect(),
			row = rows[found] ?? rows.at(-1);

		this.to = found < 0 ? rows.length : found;
		this.line.hidden = row === null;
		if (row === null) return true;
		this.line.style.setProperty("top", `${(found < 0 ? row.bottom + 4 : row.top - 6) - frame.top}px`);
		this.line.style.setProperty("left", `${row.left - frame.left}px`);
		this.line.style.setProperty("width", `${row.width}px`);
		return true;
	}

	drop(event) {
		this.drag(event);
		const { dragged, to } = this,
			{ doc } = this.view.state,
			pos = dragged === null ? null : this.posOf(dragged);

		if (pos === null) return false;
		event.preventDefault();
		this.end();
		this.text.run(moveTo(doc.resolve(pos).index(0), to));
		return true;
	}

	end() {
		this.dragged = null;
		this.line.hidden = true;
	}

	/** A key in the same block moves nothing; if the height of the text changes, `sizes` tells. */
	update(view, old) {
		const { pos } = topBlock(view.state),
			wasOver = this.isOver;

		if (view.state.doc !== old.doc) this.isOver = false;
		if (pos === this.last && this.isOver === wasOver) return;
		this.last = pos;
		this.show();
	}

	destroy() {
		for (const [name, listener] of Object.entries(this.listeners))
			this.place.removeEventListener(name, listener);
		this.sizes.disconnect();
		render(null, this.box);
		this.box.remove();
		this.line.remove();
	}
}

/** @param {import("./view.js").TextView} text */
export function handles(text) {
	/** @type {Handle} */
	let handle;
	const shown = () => (handle.show(), false);

	return new Plugin({
		view: (view) => (handle = new Handle(view, text)),
		props: {
			handleKeyDown(view, event) {
				if (
					event.key !== "Enter" ||
					!event.altKey ||
					event.ctrlKey ||
					event.metaKey ||
					event.isComposing
				)
					return false;
				handle.open();
				return true;
			},
			handleDOMEvents: {
				focus: shown,
				blur: shown,
				dragover: (_, event) => handle.drag(event),
				drop: (_, event) => handle.drop(event),
			},
		},
	});
}
