// pluginblocks.js - blocks that a plugin's widget edits, in a frame that stands in the text.
import { render } from "preact";
import { html } from "../../lib/html.js";
import { isEqual } from "../save/json.js";
import { AtomView } from "./atoms.js";
import { make } from "./dom.js";
import { pluginBlocks } from "./kinds.js";

const VISIT = 2000; // ms without a change, after which the next one is another step of undo

/** The value of the widget: the members of the block without those that make it a block. */
function valueOf({ _type, _key, ...members }) {
	return members;
}

class PluginBlockView {
	/** @param {import("./view.js").TextView} text @param {import("../../lib/site.js").FieldWidget} from */
	constructor(node, view, getPos, text, from) {
		this.node = node;
		this.view = view;
		this.getPos = getPos;
		this.text = text;
		this.from = from;
		this.turn = 0; // of the frame: the browser loads it again when the block is moved
		this.first = null; // the first change of this visit
		this.last = 0; // when it was changed
		this.dom = make("div", { class: "pt-atom atom", "data-type": from.block });
		this.dom.style.setProperty("background", "var(--paper)"); // as the frame
		this.at = this.index();
		// Without its code, the words of the block are shown.
		void this.load().catch(() => this.stop(""));
	}

	index() {
		return this.view.state.doc.resolve(this.getPos()).index();
	}

	async load() {
		this.Widget = (await import("../../pages/editor/widget.js")).Widget;
		this.show();
	}

	show() {
		const { from, Widget, text } = this;

		if (!Widget || this.isOver) return;
		render(
			html`<${Widget} key=${this.turn} field=${{ slug: from.block, label: from.label, type: "block", required: false }}
				from=${from} locale=${text.options.attributes.lang ?? ""}
				value=${valueOf(this.node.attrs.json)} set=${(value) => this.take(value)}
				onStop=${(said, hadFocus, why) => this.stopped(said, why)} />`,
			this.dom,
		);
	}

	/** Stores the value that the widget sends. */
	take(value) {
		const { view } = this,
			{ _type, _key } = this.node.attrs.json;

		if (!view.editable || value === null || typeof value !== "object" || Array.isArray(value)) return;
		const json = { _type, ...(_key === undefined ? {} : { _key }), ...valueOf(value) };
		if (isEqual(json, this.node.attrs.json)) return;
		const tr = view.state.tr.setNodeAttribute(this.getPos(), "json", json),
			now = performance.now();

		if (now - this.last > VISIT) this.first = null;
		if (this.first) tr.setMeta("appendedTransaction", this.first);
		this.first ??= tr;
		this.last = now;
		view.dispatch(tr);
	}

	stopped(said, why) {
		const at = this.index();

		if (why !== "left" || at === this.at) return this.stop(said);
		this.at = at;
		this.turn++;
		this.show();
	}

	/** Shows the words of the block, and why its widget is not there. */
	stop(why) {
		this.isOver = true;
		render(null, this.dom);
		this.dom.replaceChildren(
			make("p", { class: "help" }, why),
			new AtomView(this.node, this.view, this.getPos, () => {}).dom,
		);
	}

	update(node) {
		if (node.attrs.json?._type !== this.from.block) return false;
		const isOther = this.isOver && node !== this.node;

		this.node = node;
		if (isOther) return false;
		this.show();
		return true;
	}

	stopEvent(event) {
		return event.target !== this.dom && !/^(drag|drop)/.test(event.type);
	}

	ignoreMutation() {
		return true;
	}

	destroy() {
		render(null, this.dom);
	}
}

/** Makes the view of a block that a plugin edits; of other blocks, null. @param {import("./view.js").TextView} text */
export const pluginViews = (text) => (node, view, getPos) => {
	const from = pluginBlocks().find(({ block }) => block === node.attrs.json?._type);

	return from === undefined ? null : new PluginBlockView(node, view, getPos, text, from);
};
