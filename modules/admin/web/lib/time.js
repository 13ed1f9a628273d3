// time.js - formats times for people.
import { clock, formatter } from "./words.js";

const DAY = 86400000;

/** @param {Date} a @param {Date} b */
const isSameDay = (a, b) => a.toDateString() === b.toDateString();

/** "now", "2 min ago", "09:12", "yesterday", "20 Nov", "20 Nov 2024". @param {string} iso */
export function shortTime(iso, now = new Date()) {
	const at = new Date(iso);
	const gone = now.getTime() - at.getTime();

	if (Number.isNaN(at.getTime())) return iso;
	if (gone >= 0 && gone < 60000) return formatter("RelativeTimeFormat", { numeric: "auto" }).format(0, "second");
	if (gone >= 0 && gone < 3600000)
		return formatter("RelativeTimeFormat", { numeric: "auto", style: "short" }).format(
			-Math.floor(gone / 60000),
			"minute",
		);
	if (isSameDay(at, now)) return clock().format(at);
	if (isSameDay(at, new Date(now.getTime() - DAY)))
		return formatter("RelativeTimeFormat", { numeric: "auto" }).format(-1, "day");
	if (gone < 0)
		return clock({
			day: "numeric",
			month: "short",
			...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
		}).format(at);
	return formatter("DateTimeFormat", {
		day: "numeric",
		month: "short",
		...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
	}).format(at);
}

/** Date, time and zone. @param {string} iso */
export const longTime = (iso) =>
	formatter("DateTimeFormat", { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
