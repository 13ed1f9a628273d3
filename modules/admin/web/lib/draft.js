// draft.js - values of a form that are not saved yet: which differ, and a question before the page is left with them.
//
//	const draft = useDraft(stored);          what the server has
//	draft.value("title"), draft.set("title", text), draft.changes.value, draft.reset()
import { useSignal } from "@preact/signals";
import { useUnsaved } from "./unsaved.js";

/** A text that is not set is as good as an empty one. @param {any} value */
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

			if (plain(value) === plain(stored[name]))
				delete next[name];
			else
				next[name] = value;
			changes.value = next;
		},
		reset: () => void (changes.value = {}),
	};
}
