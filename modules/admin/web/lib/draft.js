// draft.js - values of a form that are not saved yet: which differ, and a question before the page is left with them.
//
//	const draft = useDraft(stored);          what the server has
//	draft.value("title"), draft.set("title", text), draft.changes.value, draft.reset()
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { beforeLeaving } from "./router.js";
import { wordsOf } from "./words.js";
import { ask } from "../ui/dialog.js";

const t = wordsOf("shared");
/** A text that is not set is as good as an empty one. @param {any} value */
const plain = (value) => JSON.stringify(value ?? "");

/** Asks before the page is left while `isDirty` says so. @param {() => boolean} isDirty */
export function useLeaving(isDirty) {
	useEffect(() => {
		const unload = (event) => {
			if (isDirty())
				event.preventDefault();
		};
		const stay = beforeLeaving(() => !isDirty() || ask({ title: t("leaveTitle"), text: t("leaveText"), yes: t("leaveYes"), isFinal: true }));

		addEventListener("beforeunload", unload);
		return () => {
			stay();
			removeEventListener("beforeunload", unload);
		};
	}, []);
}

/**
 * @param {Record<string, any>} stored
 */
export function useDraft(stored) {
	const changes = useSignal(/** @type {Record<string, any>} */ ({}));

	useLeaving(() => Object.keys(changes.peek()).length > 0);
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
