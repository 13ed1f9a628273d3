// marks.js - marks in the margin of the text: how many notes a block has, and who is there. They are a layer of their
// own over the text, which the text field knows nothing of.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { html } from "../../../lib/html.js";
import { manifest } from "../../../lib/site.js";
import { initialsOf } from "./people.js";
import { keyOf, togetherOf } from "./state.js";
import { t } from "./words.js";

/** What is to be shown at blocks: Map of "field block" to {notes, names}. */
function wantedOf(threads, people) {
	const all = new Map();
	const at = (field, block) => {
		const name = `${field} ${block}`;

		if (!all.has(name)) all.set(name, { notes: [], names: [] });
		return all.get(name);
	};

	for (const one of threads ?? []) if (one.block && !one.resolvedAt) at(one.field, one.block).notes.push(one.id);
	for (const one of people)
		if (one.id !== manifest.value?.user.id)
			for (const place of one.places)
				if (place.block && !at(place.field, place.block).names.includes(one.name))
					at(place.field, place.block).names.push(one.name);
	return all;
}

/** The marks of blocks that are on the page, each with its distance from the top of the layer. */
function measure(item, wanted, layer) {
	const top = layer.getBoundingClientRect().top,
		out = [];

	for (const [field, text] of item.texts) {
		const view = text.view;

		view?.state.doc.forEach((node, offset) => {
			const one = wanted.get(`${field} ${keyOf(node)}`),
				dom = one && view.nodeDOM(offset);

			if (dom instanceof Element)
				out.push({
					name: `${field} ${keyOf(node)}`,
					...one,
					at: dom.getBoundingClientRect().top - top,
				});
		});
	}
	return out;
}

function show(id) {
	const thread = document.getElementById(`note-${id}`),
		part = /** @type {HTMLDetailsElement | null} */ (document.getElementById("notes"));

	if (part) part.open = true;
	thread?.scrollIntoView({ block: "center" });
	thread?.focus();
}

const Mark = ({ one }) => html`<div class="note-mark" style=${{ insetBlockStart: `${one.at}px` }}>
	${
		one.notes.length > 0 &&
		html`<button type="button" class="b small" onClick=${() => show(one.notes[0])}
			aria-label=${t("marks", { n: one.notes.length })}
			title=${t("marks", { n: one.notes.length })}>${one.notes.length}</button>`
	}
	${one.names.map(
		(name) => html`<span class="here" key=${name} title=${t("hereAt", { name })}>
		<span aria-hidden="true">${initialsOf(name)}</span><span class="sr">${t("hereAt", { name })}</span></span>`,
	)}</div>`;

/** @param {{item: any}} props */
export function Marks({ item }) {
	const state = togetherOf(item),
		layer = useRef(/** @type {HTMLElement | null} */ (null)),
		wanted = wantedOf(state.threads.value, state.people.value),
		key = JSON.stringify([...wanted]);

	useEffect(() => {
		const place = document.createElement("div");

		place.className = "note-marks";
		document.querySelector(".galley")?.append(place);
		layer.current = place;
		return () => {
			render(null, place);
			place.remove();
		};
	}, []);
	useEffect(() => {
		const place = layer.current;
		let shown = "";
		const look = () => {
			const marks = measure(item, wanted, place),
				text = JSON.stringify(marks);

			if (text === shown) return;
			shown = text;
			render(
				marks.map((one) => html`<${Mark} key=${one.name} one=${one} />`),
				place,
			);
		};
		const watch = new ResizeObserver(look);

		for (const text of item.texts.values()) if (text.view) watch.observe(text.view.dom);
		if (place.parentElement) watch.observe(place.parentElement);
		shown = " ";
		look();
		return () => watch.disconnect();
	}, [key]);
	return null;
}
