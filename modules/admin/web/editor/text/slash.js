// slash.js - the menu of blocks that "/" opens at the start of a paragraph or after a space.
//
// The words after "/" filter it. Arrow keys, Enter and Tab choose, Escape closes it and leaves what was typed.
import { Plugin, PluginKey } from "prosemirror-state";
import { say } from "../../ui/live.js";
import { t } from "../words.js";
import { setStyle, toggleList } from "./commands.js";
import { make } from "./dom.js";
import { moreBlocks } from "./kinds.js";
import { insertFootnote, toCallout } from "./notes.js";
import { schema } from "./schema.js";

let count = 0; // of texts
const BLOCKS = ["image", "gallery", "code", "htmlBlock", "embed", "table", "break"];

/** @param {import("./view.js").TextView} text @returns {{label: string, run: () => void}[]} */
function entries(text) {
	const command = (name, run) => ({ label: t(name), run: () => text.run(run) });

	return [
		command("style-normal", setStyle("normal")),
		...["h2", "h3", "h4", "h5", "h6"].map((style) => command(`style-${style}`, setStyle(style))),
		command("bullet", toggleList("bullet")),
		command("number", toggleList("number")),
		command("style-blockquote", setStyle("blockquote")),
		command("callout", toCallout),
		command("footnote", insertFootnote),
		...BLOCKS.map((type) => ({ label: t(type), run: () => text.options.onInsert(type) })),
		...moreBlocks().map(({ block, label }) => ({ label, run: () => text.options.onInsert(block) })),
	];
}

/** The typed "/words" before the cursor: their range and the words; null if there is none. */
function typedAt({ selection, doc }) {
	const { $cursor } = selection;

	if (!$cursor || $cursor.depth !== 1 || $cursor.parent.type !== schema.nodes.block) return null;
	const before = $cursor.parent.textBetween(0, $cursor.parentOffset, null, "\ufffc"),
		found = /(?:^|\s)\/([\p{L}\p{N}]*(?: [\p{L}\p{N}]+)?)$/u.exec(before);
	const from = $cursor.pos - (found?.[1].length ?? 0) - 1;

	if (found === null || doc.rangeHasMark(from, $cursor.pos, schema.marks.code)) return null;
	return { from, to: $cursor.pos, words: found[1].toLowerCase() };
}

const key = new PluginKey("slash");

class Menu {
	constructor(view, text, id) {
		this.id = id;
		this.view = view;
		this.text = text;
		this.list = make("ul", {
			class: "pop results slash",
			id,
			role: "listbox",
			tabindex: "0", // what scrolls can have the focus
			"aria-label": t("insert"),
			hidden: "",
		});
		this.list.addEventListener("mousedown", (event) => {
			const one = event.target instanceof Element ? event.target.closest("li") : null;

			event.preventDefault();
			if (one) this.choose(Number(one.dataset.at));
		});
		view.dom.after(this.list);
		this.shown = "";
	}

	/** Shows what the state says. */
	update(view) {
		const { at, found } = key.getState(view.state),
			isOpen = found.length > 0 && view.hasFocus();

		this.list.hidden = !isOpen;
		if (!isOpen) {
			this.shown = "";
			return;
		}
		const shown = found.map(({ label }) => label).join();
		if (shown !== this.shown) say(t("found", { n: found.length }));
		this.shown = shown;
		this.list.replaceChildren(
			...found.map(({ label }, i) =>
				make(
					"li",
					{
						id: `${this.id}-${i}`,
						role: "option",
						"aria-selected": String(i === at),
						"data-at": String(i),
					},
					label,
				),
			),
		);
		this.list.children[at].scrollIntoView({ block: "nearest" });
		this.place();
	}

	/** Below the cursor, or above it if there is no room; within the window. */
	place() {
		const { from } = key.getState(this.view.state),
			cursor = this.view.coordsAtPos(from),
			frame = this.list.offsetParent.getBoundingClientRect(),
			{ offsetHeight: height, offsetWidth: width } = this.list;
		const isAbove = cursor.bottom + height > innerHeight && cursor.top > height;
		const top = isAbove
			? cursor.top - height - 4
			: Math.max(0, Math.min(cursor.bottom + 4, innerHeight - height));

		this.list.style.setProperty("inset", "auto");
		this.list.style.setProperty("top", `${top - frame.top}px`);
		this.list.style.setProperty(
			"left",
			`${Math.max(0, Math.min(cursor.left, innerWidth - width - 8) - frame.left)}px`,
		);
	}

	choose(n) {
		const { found, from, to } = key.getState(this.view.state);

		this.view.dispatch(this.view.state.tr.delete(from, to));
		found[n].run();
	}

	destroy() {
		this.list.remove();
	}
}

const CLOSED = { found: [], at: 0, from: 0, to: 0 };

/** @param {import("./view.js").TextView} text */
export function slashMenu(text) {
	const all = entries(text),
		id = `slash-${++count}`;
	/** @type {Menu} */
	let menu;

	return new Plugin({
		key,
		state: {
			init: () => ({ ...CLOSED, isOff: false }),
			apply(tr, was, _, state) {
				const typed = typedAt(state),
					meta = tr.getMeta(key);

				if (typed === null) return { ...CLOSED, isOff: false };
				// It opens when "/" is typed, not when the cursor comes to one, and stays closed after Escape.
				const isOff =
					meta === "close" || (was.found.length === 0 && (was.isOff || !tr.docChanged));
				if (isOff || tr.getMeta("theirs")) return { ...CLOSED, isOff };
				const found = all.filter(({ label }) =>
					label
						.toLowerCase()
						.split(/[\s,]+/)
						.some((_w, i, words) =>
							words.slice(i).join(" ").startsWith(typed.words),
						),
				);
				const at =
					typeof meta === "number"
						? meta
						: typed.from === was.from && found.length === was.found.length
							? was.at
							: 0;
				return { found, at, from: typed.from, to: typed.to, isOff: false };
			},
		},
		view: (view) => (menu = new Menu(view, text, id)),
		props: {
			attributes: (state) => {
				const { found, at } = key.getState(state);

				return found.length > 0
					? { "aria-controls": id, "aria-activedescendant": `${id}-${at}` }
					: {};
			},
			handleKeyDown(view, event) {
				const { found, at } = key.getState(view.state),
					step = { ArrowDown: 1, ArrowUp: -1 }[event.key];

				if (found.length === 0 || event.isComposing) return false;
				if (step !== undefined)
					view.dispatch(
						view.state.tr.setMeta(key, (at + step + found.length) % found.length),
					);
				else if (event.key === "Enter" || event.key === "Tab") menu.choose(at);
				else if (event.key === "Escape") {
					view.dispatch(view.state.tr.setMeta(key, "close"));
					event.stopPropagation();
				} else return false;
				return true;
			},
			handleDOMEvents: {
				blur: (view) => {
					view.dispatch(view.state.tr.setMeta(key, "close"));
					return false;
				},
			},
		},
	});
}
