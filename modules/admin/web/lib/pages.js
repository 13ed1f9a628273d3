// pages.js - requests while the person types (debounced), and lists that load page by page.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";

const QUIET = 250; // ms after the last key press until the request is sent

/** Returns a function that calls `run` with the text once typing has paused. @param {(text: string) => any} run */
export function useQuiet(run) {
	const timer = useRef(/** @type {any} */ (null));

	useEffect(() => () => clearTimeout(timer.current), []);
	return (/** @type {string} */ text) => {
		clearTimeout(timer.current);
		timer.current = setTimeout(() => run(text), QUIET);
	};
}

/**
 * Props of an input that runs a request with the typed text. Enter runs it at once. A new `value` (after Back) replaces
 * the text, but not while the person types.
 * @param {string} value @param {(text: string) => any} run
 */
export function useTyped(value, run) {
	const text = useSignal(value),
		input = useRef(/** @type {HTMLInputElement | null} */ (null)),
		later = useQuiet((typed) => run(typed.trim()));

	useEffect(() => {
		if (document.activeElement !== input.current) text.value = value;
	}, [value]);
	return {
		ref: input,
		value: text.value,
		onInput: (/** @type {any} */ event) => {
			text.value = event.currentTarget.value;
			later(text.value);
		},
		onKeyDown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && run(text.value.trim()),
	};
}

/**
 * A list that grows page by page: {items, error, cursor, more}.
 * @param {(cursor: string | undefined, signal: AbortSignal) => Promise<any>} load
 * @param {any[]} inputs
 */
export function usePages(load, inputs) {
	const items = useSignal(/** @type {any[] | null} */ (null)),
		cursor = useSignal(/** @type {string | undefined} */ (undefined)),
		error = useSignal(/** @type {any} */ (null)),
		abort = useRef(/** @type {any} */ (null));
	const more = async (isFirst = false) => {
		const control = new AbortController();

		abort.current?.abort();
		abort.current = control;
		try {
			const page = await load(isFirst ? undefined : cursor.peek(), control.signal);

			items.value = isFirst ? page.items : [...items.peek(), ...page.items];
			cursor.value = page.nextCursor;
			error.value = null;
		} catch (problem) {
			if (!control.signal.aborted) error.value = problem;
		}
	};

	useEffect(() => {
		void more(true);
		return () => abort.current?.abort();
	}, inputs);
	return { items, cursor, error, more };
}

/**
 * All pages of a short list, up to `most` rows.
 * @param {(cursor: string | undefined) => Promise<{items: any[], nextCursor?: string}>} load
 */
export async function allPages(load, most = 2000) {
	let page = await load(undefined);
	const all = [...page.items];

	while (page.nextCursor && all.length < most) {
		page = await load(page.nextCursor);
		all.push(...page.items);
	}
	return all;
}
