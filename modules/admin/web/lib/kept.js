// kept.js - small choices of a person that this browser keeps: theme, language, columns.
import { signal, effect } from "@preact/signals";

/** @param {string} name @param {any} fallback */
export function recall(name, fallback) {
	try {
		return JSON.parse(localStorage.getItem(`stet.${name}`) ?? "null") ?? fallback;
	} catch {
		return fallback; // storage is off, or holds something else
	}
}

/** @param {string} name @param {any} value undefined: forget it */
export function keep(name, value) {
	try {
		if (value === undefined)
			localStorage.removeItem(`stet.${name}`);
		else
			localStorage.setItem(`stet.${name}`, JSON.stringify(value));
	} catch {
		// It holds until the page is closed.
	}
}

/** "auto" follows the system. */
export const theme = signal(/** @type {"auto" | "paper" | "ink"} */ (recall("theme", "auto")));

effect(() => {
	if (theme.value === "auto")
		delete document.documentElement.dataset.theme;
	else
		document.documentElement.dataset.theme = theme.value;
	keep("theme", theme.value === "auto" ? undefined : theme.value);
});
