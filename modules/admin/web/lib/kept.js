// kept.js - small preferences that are stored in this browser: theme, language, columns.
import { signal, effect } from "@preact/signals";

/** @param {string} name @param {any} fallback */
export function recall(name, fallback) {
	try {
		return JSON.parse(localStorage.getItem(`stet.${name}`) ?? "null") ?? fallback;
	} catch {
		return fallback; // storage is blocked, or the stored text is not JSON
	}
}

/** @param {string} name @param {any} value undefined: forget it */
export function keep(name, value) {
	try {
		if (value === undefined) localStorage.removeItem(`stet.${name}`);
		else localStorage.setItem(`stet.${name}`, JSON.stringify(value));
	} catch {
		// Storage is blocked: the choice is kept until the page is closed.
	}
}

/** "auto" follows the system. */
export const theme = signal(/** @type {"auto" | "paper" | "ink"} */ (recall("theme", "auto")));

effect(() => {
	if (theme.value === "auto") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme.value;
	keep("theme", theme.value === "auto" ? undefined : theme.value);
});
