// rich.js - a rich text in a form that is saved by a button (a section, a widget): the editor's text without an item.
import { signal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { Field } from "../../ui/field.js";
import { TextField } from "./text.js";

/** What an item is for the text of the editor: where it begins, and who is told that it changed. */
export class Rich {
	/** @param {any[]} blocks @param {() => void} onChange @param {string} [locale] */
	constructor(blocks, onChange, locale) {
		this.first = signal(blocks);
		this.touch = onChange;
		this.locale = locale;
		/** @type {{value: () => any} | null} */
		this.text = null;
	}

	cell() {
		return this.first;
	}

	/** @param {string} name @param {any} text null: it is closed */
	open(name, text) {
		if (text === null)
			this.first.value = this.value();
		this.text = text;
	}

	/** The blocks as they are now. */
	value() {
		return this.text?.value() ?? this.first.peek();
	}
}

/** @param {{rich: Rich, name: string, label: string, problem?: string}} props */
export const RichField = ({ rich, name, label, problem }) => html`<${Field} label=${label} isGroup problem=${problem}>${() => html`
	<div class="inner-text"><${TextField} item=${rich} name=${name} label=${label} /></div>`}<//>`;
