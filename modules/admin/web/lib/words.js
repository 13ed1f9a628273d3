// words.js - the texts of the pages, in the language of the person.
//
// A text is a string with {names}, or {"one": ..., "other": ...}, chosen by the number {n} (Intl.PluralRules). English
// is the fallback: text/en.json has shared texts, pages/en.json the names of pages, pages/NAME/en.json the texts of a
// page, which the page adds when it is loaded:
//
//	import en from "./en.json";
//	const t = addWords("tokens", en);
//	t("made", { name })
//
// Another language is one file, text/LANGUAGE.json, with the same names: {"tokens": {"made": ...}}. It is a row of
// LANGUAGES and of LOADERS, and is loaded only by those who use it. Two languages are for tests: xa has longer words
// with accents, xb runs from right to left as well.
import { signal } from "@preact/signals";
import en from "../text/en.json";
import pages from "../pages/en.json";
import { baseOf, hourOf, localeOf } from "./region.js";

/** @typedef {string | Record<string, string>} Text */

/** @type {Record<string, Record<string, Text>>} */
const english = { ...en, pages };
/** @type {Record<string, Record<string, Text>>} */
let translated = {};

/** Languages that people may choose, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", fr: "Français" };
/** @type {Record<string, () => Promise<{default: any}>>} */
const LOADERS = {
	de: () => import("../text/de.json"),
	es: () => import("../text/es.json"),
	fr: () => import("../text/fr.json"),
};
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur", "xb"];

export const language = signal("en");

/** The browser's first language that these pages speak. */
export const browserLanguage = () =>
	navigator.languages.map(baseOf).find((one) => Object.hasOwn(LANGUAGES, one)) ?? "en";

/** The region whose dates and numbers the person has chosen: "GB". "": that of the browser. */
export const region = signal("");

/** The two test languages use English. */
const intlLocale = () =>
	language.value.startsWith("x") ? "en-GB" : localeOf(language.value, region.value, navigator.languages);

/** @type {Map<string, any>} */
const formatters = new Map();

/**
 * An Intl formatter in the person's language. Each is cached: creating one takes as long as a hundred uses.
 * @template {"DateTimeFormat" | "DisplayNames" | "NumberFormat" | "PluralRules" | "RelativeTimeFormat"} Kind
 * @param {Kind} kind @param {Record<string, any>} [options] @returns {InstanceType<typeof Intl[Kind]>}
 */
export function formatter(kind, options) {
	const locale = intlLocale(),
		key = `${kind} ${locale} ${options ? JSON.stringify(options) : ""}`;
	let made = formatters.get(key);

	if (!made) {
		made = new /** @type {any} */ (Intl)[kind](locale, options);
		formatters.set(key, made);
	}
	return made;
}

/**
 * Formats a time of day, with more of the date if `options` say so.
 * @param {Intl.DateTimeFormatOptions} [options] @returns {Intl.DateTimeFormat}
 */
export const clock = (options) =>
	formatter("DateTimeFormat", {
		...options,
		hour: hourOf(formatter("DateTimeFormat", { timeStyle: "short" })),
		minute: "2-digit",
	});

/** @param {string} locale @param {() => Intl.DisplayNames} names */
function nameOf(locale, names) {
	try {
		return names().of(locale) ?? locale;
	} catch {
		return locale;
	}
}

/** A language by its own name, as a label: "Deutsch". @param {string} locale */
export const languageName = (locale) => nameOf(locale, () => new Intl.DisplayNames([locale], { type: "language" }));

/** A language in a sentence, by its name in the person's language: "German". @param {string} locale */
export const languageSaid = (locale) => nameOf(locale, () => formatter("DisplayNames", { type: "language" }));

/** @param {string} text */
const lengthen = (text) =>
	`[${text.replace(/\{\w+\}|[aceinouyACEINOUY]/g, (c) => (c.length > 1 ? c : "àçéîñöüýÀÇÉÎÑÖÜÝ"["aceinouyACEINOUY".indexOf(c)]))}${"~".repeat(Math.ceil(text.length / 4))}]`;

/** @param {Text} text @param {Record<string, any>} values */
function choose(text, values) {
	if (typeof text === "string") return text;
	const form = formatter("PluralRules").select(Number(values.n));
	return (values.n === 0 ? text.zero : undefined) ?? text[form] ?? text.other;
}

/**
 * The text of this name. If there is none, the name itself; a test looks for those.
 * @param {string} group
 * @param {string} name
 * @param {Record<string, any>} [values]
 * @param {Text} [fallback] what the server says in English, where the pages have no text of their own
 */
export function word(group, name, values = {}, fallback) {
	const lang = language.value;
	const text = translated[group]?.[name] ?? english[group]?.[name] ?? fallback;

	if (text === undefined) return `${group}.${name}`;
	let said = choose(text, values);
	if (lang.startsWith("x")) said = lengthen(said);
	return said.replace(/\{(\w+)\}/g, (whole, key) => {
		const value = values[key];
		if (value === undefined) return whole;
		return typeof value === "number" ? formatter("NumberFormat").format(value) : String(value);
	});
}

/** Is there such a text? @param {string} group @param {string} name */
export const hasWord = (group, name) => english[group]?.[name] !== undefined;

/**
 * Adds the texts of a page. Returns a function that looks them up.
 * @param {string} group
 * @param {Record<string, Text>} texts
 * @returns {(name: string, values?: Record<string, any>) => string}
 */
export function addWords(group, texts) {
	english[group] = texts;
	return (name, values) => word(group, name, values);
}

/** @param {string} group @returns {(name: string, values?: Record<string, any>) => string} */
export const wordsOf = (group) => (name, values) => word(group, name, values);

let choices = 0;

/**
 * Shows the pages in a language. Of two choices, the later one counts. @param {string} lang
 * @returns {Promise<boolean | null>} false: its texts cannot be loaded, the language stays; null: another was chosen
 */
export async function setLanguage(lang) {
	const mine = ++choices,
		isKnown = Object.hasOwn(LANGUAGES, lang) || lang === "xa" || lang === "xb",
		known = isKnown ? lang : "en",
		texts = Object.hasOwn(LOADERS, known) ? await LOADERS[known]().catch(() => null) : { default: {} };

	if (mine !== choices) return null;
	if (texts === null) return false;
	translated = texts.default;
	language.value = known;
	document.documentElement.lang = known.startsWith("x") ? "en" : known;
	document.documentElement.dir = RIGHT_TO_LEFT.includes(known) ? "rtl" : "ltr";
	return true;
}
