// rich.js - uses the editor's text field without an item, in a form with a save button (a section, a widget).
import { signal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { Field } from "../../ui/field.js";
import { TextField } from "./text.js";

/** Replaces class Item for a TextField: holds the initial blocks, and reports changes to onChange. */
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

	/** @param {string} name @param {any} text null: the text is closed */
	open(name, text) {
		if (text === null) this.first.value = this.value();
		this.text = text;
	}

	/** The blocks as they are now. */
	value() {
		return this.text?.value() ?? this.first.peek();
	}
}

/** @param {{rich: Rich, name: string, label: string, problem?: string}} props */
export const RichField = ({ rich, name, label, problem }) => html`<${Field} label=${label} isGroup
	problem=${problem}>${() => html`
	<div class="inner-text"><${TextField} item=${rich} name=${name} label=${label} /></div>`}<//>`;
