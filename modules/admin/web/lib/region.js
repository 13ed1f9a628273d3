// region.js - the locale that decides about the form of dates and numbers.

/** "de" of "de-AT". @param {string} locale */
export const baseOf = (locale) => locale.split("-")[0];

/** "AT" of "de-AT" or "de-Latn-AT". @param {string} locale */
function regionOf(locale) {
	try {
		return new Intl.Locale(locale).region;
	} catch {
		return undefined; // not a language tag
	}
}

/**
 * The locale for Intl: the language of the pages, with a region, which decides about the order of dates and the
 * separators of numbers. The region is the chosen one, else that of the browser's entry for this language, else that of
 * any of its entries: ["de-AT"] makes English dates those of Austria, and not those of the United States.
 * @param {string} lang of the pages @param {string} chosen @param {readonly string[]} asked languages of the browser
 */
export function localeOf(lang, chosen, asked) {
	if (/^[A-Z]{2}$/.test(chosen)) return `${lang}-${chosen}`;
	const own = asked.filter((one) => baseOf(one) === lang);
	const exact = own.find(regionOf);
	const any = exact ? undefined : asked.map(regionOf).find(Boolean);

	return exact ?? (any ? `${lang}-${any}` : (own[0] ?? lang));
}

const NINE = new Date(2026, 0, 1, 9);

/**
 * How the region writes an hour below ten: 9:05 AM in the United States, 09:05 in Germany. Intl knows it of the style
 * "short", which cannot be joined with single parts of a date.
 * @param {Intl.DateTimeFormat} short @returns {"numeric" | "2-digit"}
 */
export const hourOf = (short) =>
	short.formatToParts(NINE).find((part) => part.type === "hour")?.value.length === 2 ? "2-digit" : "numeric";
