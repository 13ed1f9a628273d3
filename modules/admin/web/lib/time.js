// time.js - times as people read them.
import { intlLocale } from "./words.js";

const DAY = 86400000;

/** @param {Date} a @param {Date} b */
const isSameDay = (a, b) => a.toDateString() === b.toDateString();

/** "2 min ago", "09:12", "yesterday", "20 Nov", "20 Nov 2024". @param {string} iso */
export function shortTime(iso, now = new Date()) {
	const at = new Date(iso), locale = intlLocale();
	const gone = now.getTime() - at.getTime();

	if (Number.isNaN(at.getTime()))
		return iso;
	if (gone >= 0 && gone < 3600000)
		return new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }).format(-Math.floor(gone / 60000), "minute");
	const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(at);
	if (isSameDay(at, now))
		return time;
	if (isSameDay(at, new Date(now.getTime() - DAY)))
		return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-1, "day");
	if (gone < 0)
		return new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", ...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) }).format(at);
	return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", ...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) }).format(at);
}

/** Date, time and zone. @param {string} iso */
export const longTime = (iso) => new Intl.DateTimeFormat(intlLocale(), { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
