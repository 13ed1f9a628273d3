// words.ts - times and languages as readers want them.

/** A day: March 1, 2024. "": it is no time. */
export function day(time: string | null | undefined, locale: string): string {
	if (!time || Number.isNaN(Date.parse(time))) return "";
	try {
		return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(time));
	} catch {
		return time.slice(0, 10);
	}
}

/** The name of a language in itself: Deutsch. */
export function languageName(locale: string): string {
	try {
		return new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
	} catch {
		return locale;
	}
}

/** The direction of the writing of a language, for the attribute dir. */
export const directionOf = (locale: string): "ltr" | "rtl" =>
	/^(ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)(?![a-z])|[-_](arab|hebr)(?![a-z])/i.test(locale) ? "rtl" : "ltr";

/** What was told as lines, what happened most often first. */
export const toldLines = (told: Map<string, Set<string>>): string[] =>
	[...told]
		.sort((a, b) => b[1].size - a[1].size)
		.map(([what, where]) => {
			const [first] = where;
			return `${what}: ${where.size === 1 ? first : `${where.size} times, first in ${first}`}`;
		});
