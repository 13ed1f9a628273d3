// theme.js - sends a plugin's frame the design tokens of the admin pages (style/tokens.css), so that it can look alike.
import { theme } from "../lib/kept.js";
import { language } from "../lib/words.js";

// Plugins rely on these names: never remove one or change its meaning.
const NAMES = [
	"desk",
	"sunk",
	"paper",
	"field",
	"ink",
	"ink-2",
	"ink-3",
	"rule",
	"edge",
	"blue",
	"blue-press",
	"blue-wash",
	"on-blue",
	"red",
	"red-wash",
	"on-red",
	"serif",
	"sans",
	"mono",
	"t-1",
	"t-2",
	"t-3",
	"t-4",
	"t-5",
	"t-6",
	"l-tight",
	"l-tool",
	"l-read",
	"measure",
	"s-1",
	"s-2",
	"s-3",
	"s-4",
	"s-5",
	"s-6",
	"s-7",
	"control",
	"control-small",
	"r-1",
	"r-2",
	"r-3",
	"quick",
	"calm",
	"ease",
];
const QUERIES = [
	"(prefers-color-scheme: dark)",
	"(prefers-contrast: more)",
	"(prefers-reduced-motion: reduce)",
	"(pointer: coarse)",
].map((query) => matchMedia(query));

/**
 * Colours hold both schemes, light-dark(…); `scheme` is the one in use.
 * @param {string} surface the colour token behind the frame
 */
function themeOf(surface) {
	const style = getComputedStyle(document.documentElement),
		chosen = theme.peek();

	return {
		scheme: chosen === "ink" || (chosen === "auto" && QUERIES[0].matches) ? "dark" : "light",
		dir: document.documentElement.dir || "ltr",
		language: document.documentElement.lang,
		variables: Object.fromEntries(
			[...NAMES.map((name) => [name, name]), ["surface", surface]].map(([name, token]) => [
				`--${name}`,
				style.getPropertyValue(`--${token}`).trim(),
			]),
		),
	};
}

/**
 * Calls `tell` now and after each change. Returns a function that ends this.
 * @param {string} surface
 * @param {(theme: any) => void} tell
 */
export function followTheme(surface, tell) {
	const say = () => tell(themeOf(surface)),
		ends = [theme.subscribe(say), language.subscribe(say)];

	for (const query of QUERIES) query.addEventListener("change", say);
	return () => {
		for (const end of ends) end();
		for (const query of QUERIES) query.removeEventListener("change", say);
	};
}
