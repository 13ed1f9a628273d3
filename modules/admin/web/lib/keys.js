// keys.js - keyboard shortcuts of the shell and of the open page. The help (?) lists them.
//
//	useKeys([{ keys: "Ctrl S", label: t("save"), run: save }, { keys: "n", label: t("new"), run: () => go("...") }]);
//
// Shortcuts without Ctrl are ignored while the person types, and can be turned off (WCAG 2.1.4).
import { useEffect } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import { keep, recall } from "./kept.js";
import { hasWord, word } from "./words.js";

/** @typedef {{keys: string, label: string, run: (event: KeyboardEvent) => any}} Key keys: "Ctrl K", "?", "Shift N" */

/** @type {import("@preact/signals").Signal<Key[]>} */
export const keys = signal([]);
export const singleKeys = signal(recall("singleKeys", true) !== false);
effect(() => keep("singleKeys", singleKeys.value ? undefined : false));

/** What stands on the key: "⌘", "Strg". @param {string} key */
export const keyName = (key) =>
	key === "Ctrl" && /Mac|iP/.test(navigator.platform)
		? "⌘"
		: hasWord("shell", `key${key}`)
			? word("shell", `key${key}`)
			: key;

/** @param {KeyboardEvent} event */
const nameOf = (event) =>
	`${event.ctrlKey || event.metaKey ? "Ctrl " : ""}${event.altKey ? "Alt " : ""}${event.shiftKey && /^[a-z]$/i.test(event.key) ? "Shift " : ""}${event.key.length === 1 ? event.key.toUpperCase() : event.key}`;

/** @param {EventTarget | null} target */
const isTyping = (target) =>
	target instanceof HTMLElement &&
	(target.isContentEditable ||
		/^(TEXTAREA|SELECT)$/.test(target.tagName) ||
		(target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit)$/.test(target.type)));

addEventListener("keydown", (event) => {
	if (event.defaultPrevented || event.isComposing) return;
	const name = nameOf(event);
	const isSingle = !/^(Ctrl|Alt) /.test(name);

	if (isSingle && (!singleKeys.value || isTyping(event.target) || document.querySelector("dialog[open]"))) return;
	// Newest first: the page's shortcuts come before the shell's.
	const key = [...keys.value].reverse().find((one) => one.keys.toUpperCase() === name.toUpperCase());
	if (key) {
		event.preventDefault();
		key.run(event);
	}
});

/** @param {Key[]} own the same number and names at each render; `run` may differ */
export function useKeys(own) {
	useEffect(
		() => {
			keys.value = [...keys.value, ...own];
			return () => (keys.value = keys.value.filter((one) => !own.includes(one)));
		},
		own.map((one) => one.run),
	);
}
