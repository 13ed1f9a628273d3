// ownblocks.js - blocks whose type the site defines: a form of its fields stands in the text.
import { render } from "preact";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ownTypes } from "../../lib/owntypes.js";
import { manifest } from "../../lib/site.js";
import { AtomView } from "./atoms.js";
import { BlockView, valueOf } from "./blockview.js";
import { make } from "./dom.js";
import { fresh } from "./kinds.js";

/** @typedef {import("../../lib/owntypes.js").Type} Type */

/** The types; a new block has the default values of their fields from then on. */
async function types() {
	const all = await ownTypes();

	for (const { slug, fields } of all)
		fresh[slug] = {
			_type: slug,
			...Object.fromEntries(
				fields.filter((f) => f.defaultValue !== undefined).map((f) => [f.slug, f.defaultValue]),
			),
		};
	return all;
}

/** Reads the types when a text opens. */
export const readOwnTypes = () => void types().catch(() => {});

/** A field of the block: the widget of a plugin that it names, or the control of its type. */
function Member({ parts, field, value, set, locale }) {
	const { Cell, Widget, widgetOf } = parts,
		isOff = useSignal(false),
		from = isOff.value ? undefined : widgetOf(field);

	return from
		? html`<div class="repeat-cell wide"><span class="label">${field.label}</span>
			<${Widget} field=${field} from=${from} locale=${locale} value=${value} set=${set}
				onStop=${() => {
					isOff.value = true;
				}} /></div>`
		: html`<${Cell} sub=${field} value=${value} set=${set} />`;
}

/** @param {{parts: any, type: Type, value: any, locale: string, isToRead: boolean, set: (value: any) => void}} props */
const Form = ({ parts, type, value, locale, isToRead, set }) => html`<fieldset class="own-block" disabled=${isToRead}>
	<legend><strong>${type.label}</strong></legend>
	${type.description && html`<p class="help">${type.description}</p>`}
	<div class="repeat-cells">${type.fields.map(
		(field) => html`<${Member} key=${field.slug} parts=${parts} field=${field} locale=${locale}
			value=${value[field.slug] ?? null} set=${(v) => set({ ...value, [field.slug]: v })} />`,
	)}</div></fieldset>`;

/** The members that have a value: an empty control takes its member out of the block. */
const filled = (value) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== null && v !== undefined));

class OwnBlockView extends BlockView {
	constructor(node, view, getPos, text) {
		super(node, view, getPos, text);
		void this.load().catch(() => this.stop());
	}

	async load() {
		const [all, parts] = await Promise.all([types(), import("../../pages/editor/fields.js")]);

		this.type = all.find(({ slug }) => slug === this.node.attrs.json._type);
		this.parts = parts;
		if (this.type) this.show();
		else this.stop();
	}

	show() {
		if (!this.type || this.isOver) return;
		const value = valueOf(this.node.attrs.json);

		render(
			html`<${Form} parts=${this.parts} type=${this.type} value=${value} isToRead=${!this.view.editable}
				locale=${this.text.options.attributes.lang ?? ""}
				set=${(next) => this.take(filled(next))} />`,
			this.dom,
		);
	}

	/** Shows the words of the block: its form cannot be loaded, or its type was deleted meanwhile. */
	stop() {
		this.isOver = true;
		render(null, this.dom);
		this.dom.replaceChildren(
			make("div", {}, new AtomView(this.node, this.view, this.getPos, () => {}).dom),
		);
	}

	update(node) {
		if (node.attrs.json?._type !== this.node.attrs.json._type || (this.isOver && node !== this.node))
			return false;
		this.node = node;
		this.show();
		return true;
	}

	destroy() {
		this.isOver = true;
		super.destroy();
	}
}

/** Makes the view of a block that the site defines; of others, null. */
export const ownView = (node, view, getPos, text) =>
	manifest.value?.blocks?.some(({ slug }) => slug === node.attrs.json?._type)
		? new OwnBlockView(node, view, getPos, text)
		: null;
