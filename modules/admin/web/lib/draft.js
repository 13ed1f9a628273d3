// draft.js - unsaved values of a form: tells which differ from the stored ones, and asks before the page is left.
//
//	const draft = useDraft(stored);          the server's values
//	draft.value("title"), draft.set("title", text), draft.changes.value, draft.reset()
import { useSignal } from "@preact/signals";
import { useUnsaved } from "./unsaved.js";

/** For comparing: a missing text equals an empty one. @param {any} value */
const plain = (value) => JSON.stringify(value ?? "");

/**
 * @param {Record<string, any>} stored
 */
export function useDraft(stored) {
	const changes = useSignal(/** @type {Record<string, any>} */ ({}));

	useUnsaved(() => Object.keys(changes.peek()).length > 0);
	return {
		changes,
		/** @param {string} name */
		value: (name) => (name in changes.value ? changes.value[name] : stored[name]),
		/** @param {string} name @param {any} value */
		set(name, value) {
			const next = { ...changes.value };

			if (plain(value) === plain(stored[name])) delete next[name];
			else next[name] = value;
			changes.value = next;
		},
		reset: () => void (changes.value = {}),
	};
}
