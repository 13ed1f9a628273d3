// blockview.js - what the views of blocks share whose members are edited in a form or frame that stands in the text.
import { render } from "preact";
import { isEqual } from "../save/json.js";
import { make } from "./dom.js";

const VISIT = 2000; // ms without a change, after which the next one is another step of undo

/** The value of the form: the members of the block without those that make it a block. */
export function valueOf({ _type, _key, ...members }) {
	return members;
}

export class BlockView {
	/** @param {import("./view.js").TextView} text */
	constructor(node, view, getPos, text) {
		this.node = node;
		this.view = view;
		this.getPos = getPos;
		this.text = text;
		this.first = null; // the first change of this visit
		this.last = 0; // when it was changed
		this.dom = make("div", { class: "pt-atom atom", "data-type": node.attrs.json._type });
		this.dom.style.setProperty("background", "var(--paper)"); // as forms and frames
	}

	/** Stores the value that the form has now. */
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
