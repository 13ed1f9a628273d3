// atoms.js - shows blocks that are not text within the text: galleries, HTML, embeds, and unknown types. Pictures and
// code are edited in place (inplace.js).
//
// A block's content is shown as text, or as a picture from a safe address; its HTML is never run. The arrow keys or a
// click select a block; Enter, or its button, opens its form.
import { NodeSelection } from "prosemirror-state";
import { t } from "../words.js";
import { make } from "./dom.js";
import { forms } from "./kinds.js";
import { wordsOf } from "./readable.js";
import { pictureOf } from "./safe.js";

const LINES_SHOWN = 12;

function picture(json) {
	const src = pictureOf(json);
	const { width, height } = json?.asset ?? {};

	if (src === null) return make("p", { class: "help" }, t("noPicture"));
	const size =
		Number.isInteger(width) && Number.isInteger(height)
			? { width: String(width), height: String(height) }
			: {};
	return make("img", {
		src,
		alt: typeof json.alt === "string" ? json.alt : "",
		loading: "lazy",
		draggable: "false",
		...size,
	});
}

function firstLines(text) {
	const lines = String(text ?? "").split("\n");

	return lines.slice(0, LINES_SHOWN).join("\n") + (lines.length > LINES_SHOWN ? "\n…" : "");
}

function titled(title, ...more) {
	return make("div", { class: "atom" }, make("p", {}, make("strong", {}, title)), ...more);
}

const shown = {
	gallery: (json) =>
		titled(
			t("gallery"),
			make(
				"div",
				{ class: "gallery" },
				...(Array.isArray(json.images) ? json.images : []).slice(0, 24).map(picture),
			),
		),
	htmlBlock: (json) => titled(t("html"), make("pre", { class: "mono" }, firstLines(json.html))),
	embed: (json) => titled(t("embed"), make("p", { class: "mono" }, make("bdi", {}, String(json.url ?? "")))),
	break: () => make("hr", { class: "break" }),
};

/** A block of an unknown type: a notice and its words, with the JSON in a part that can be unfolded. */
function unknown(json) {
	const type = typeof json?._type === "string" ? json._type : "?";

	const words = wordsOf(json);

	return make(
		"div",
		{ class: "atom" },
		make("p", {}, make("span", { class: "stet" }, type), make("span", {}, t("unknownBlock"))),
		words && make("pre", {}, words),
		make(
			"details",
			{},
			make("summary", {}, t("lookInside")),
			make("pre", { class: "mono" }, JSON.stringify(json, null, 1).slice(0, 20000)),
		),
	);
}

export class AtomView {
	/** @param {(pos: number) => void} onOpen opens the form of the block at this position */
	constructor(node, view, getPos, onOpen) {
		const { json } = node.attrs;
		const type = json?._type;

		this.node = node;
		this.dom = make("div", { class: "pt-atom", "data-type": String(type) });
		this.dom.append((Object.hasOwn(shown, type) ? shown[type] : unknown)(json));
		if (Object.hasOwn(forms, type)) {
			const button = make("button", { type: "button", class: "b small pt-open" }, t("change"));

			button.setAttribute("aria-label", t("changeBlock", { block: t(type) }));
			button.addEventListener("click", () => {
				view.dispatch(
					view.state.tr.setSelection(NodeSelection.create(view.state.doc, getPos())),
				);
				onOpen(getPos());
			});
			this.dom.append(button);
		}
	}

	update(node) {
		return node === this.node;
	}

	stopEvent(event) {
		return (
			event.target instanceof Element &&
			event.target.closest("button, summary, details") !== null &&
			!/^(drag|drop)/.test(event.type)
		);
	}

	ignoreMutation() {
		return true;
	}
}
