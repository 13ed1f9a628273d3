// search.js - a field that searches on the server while the person types, with the results below it.
import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { useQuiet } from "../lib/pages.js";
import { wordsOf } from "../lib/words.js";
import { say } from "./live.js";
import { explain } from "./problem.js";

const t = wordsOf("shell");

/**
 * Arrow keys, Enter and Escape work in the results.
 * @param {{id: string, label: string, find: (words: string, signal: AbortSignal) => Promise<{id: string, title: string}[]>,
 *   onChoose: (one: any) => void, props?: any}} props props: of the input
 */
export function Search({ id, label, find, onChoose, props = {} }) {
	const found = useSignal(/** @type {any[]} */ ([])),
		at = useSignal(-1),
		words = useSignal(""),
		problem = useSignal(""),
		input = useRef(/** @type {HTMLInputElement | null} */ (null)),
		abort = useRef(/** @type {any} */ (null)),
		list = `${id}-list`;
	const look = async (text) => {
		abort.current?.abort();
		abort.current = new AbortController();
		const { signal } = abort.current;

		// The person has gone on to another control, so a list would cover it.
		if (document.activeElement !== input.current) return;
		try {
			const items = await find(text, signal);

			if (signal.aborted) return;
			problem.value = "";
			found.value = items;
			at.value = items.length > 0 && text !== "" ? 0 : -1;
			say(t("found", { n: items.length }));
		} catch (error) {
			// The next key press searches again.
			if (!signal.aborted) problem.value = explain(error);
		}
	};
	const quiet = useQuiet(look);
	const close = () => {
		abort.current?.abort();
		found.value = [];
		at.value = -1;
	};
	const choose = (one) => {
		words.value = "";
		close();
		onChoose(one);
	};
	const key = (e) => {
		const { length } = found.value,
			step = { ArrowDown: 1, ArrowUp: -1 }[e.key];

		if (step !== undefined) {
			e.preventDefault();
			if (length === 0) void look(words.value);
			else at.value = (at.value + step + length) % length;
		} else if (e.key === "Enter" && at.value >= 0) {
			e.preventDefault();
			choose(found.value[at.value]);
		} else if (e.key === "Escape" && length > 0) {
			e.preventDefault();
			e.stopPropagation();
			close();
		}
	};

	return html`<span class="search">
		<input class="in" id=${id} ref=${input} role="combobox" autocomplete="off" aria-autocomplete="list"
			aria-label=${label} placeholder=${label} ...${props}
			aria-expanded=${String(found.value.length > 0)} aria-controls=${list}
			aria-activedescendant=${at.value >= 0 ? `${list}-${at.value}` : undefined} value=${words.value}
			onKeyDown=${key} onBlur=${close}
			onInput=${(e) => {
				words.value = e.currentTarget.value;
				quiet(words.value.trim());
			}} />
		<ul class="pop results" id=${list} role="listbox" aria-label=${label}
			hidden=${found.value.length === 0}>
			${found.value.map(
				(one, i) => html`<li key=${one.id} id=${`${list}-${i}`} role="option"
					aria-selected=${String(i === at.value)}
					onMouseDown=${(e) => {
						e.preventDefault();
						choose(one);
					}}><bdi>${one.title}
					</bdi></li>`,
			)}
		</ul>
		${problem.value && html`<span class="problem" role="alert">${problem}</span>`}</span>`;
}
