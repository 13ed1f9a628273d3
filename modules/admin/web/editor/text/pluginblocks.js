// pluginblocks.js - blocks that a plugin's widget edits, in a frame that stands in the text.
import { render } from "preact";
import { html } from "../../lib/html.js";
import { AtomView } from "./atoms.js";
import { BlockView, valueOf } from "./blockview.js";
import { make } from "./dom.js";
import { pluginBlocks } from "./kinds.js";
import { ownView } from "./ownblocks.js";

class PluginBlockView extends BlockView {
	/** @param {import("./view.js").TextView} text @param {import("../../lib/site.js").FieldWidget} from */
	constructor(node, view, getPos, text, from) {
		super(node, view, getPos, text);
		this.from = from;
		this.turn = 0; // of the frame: the browser loads it again when the block is moved
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
}

/**
 * Makes the view of a block that a plugin or a form edits; of others, null.
 * @param {import("./view.js").TextView} text
 */
export const pluginViews = (text) => (node, view, getPos) => {
	const from = pluginBlocks().find(({ block }) => block === node.attrs.json?._type);

	return from === undefined
		? ownView(node, view, getPos, text)
		: new PluginBlockView(node, view, getPos, text, from);
};
