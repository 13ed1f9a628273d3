// days.js - the days of a month's calendar, and the days of entries, in the browser's time zone.
const DAY = 86400000;

const two = (n) => String(n).padStart(2, "0");

/** A day as "2026-06-01". @param {Date} at */
export const dayOf = (at) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** A month as "2026-06". @param {Date} at */
export const monthOf = (at) => dayOf(at).slice(0, 7);

/** The month `n` months later. @param {string} month @param {number} n */
export function monthAfter(month, n) {
	const [year, number] = month.split("-").map(Number);

	return monthOf(new Date(year, number - 1 + n, 1));
}

const AHEAD = 14; // days after today that the present month shows at least

/**
 * The weeks of a month, each of seven days; of the present month also those of the two weeks after today.
 * @param {string} month @param {number} first day of the week, 0: Sunday @param {Date} [now]
 */
export function weeksOf(month, first, now = new Date()) {
	const [year, number] = month.split("-").map(Number),
		start = new Date(year, number - 1, 1);
	const before = (start.getDay() - first + 7) % 7,
		count = Math.max(
			new Date(year, number, 0).getDate(),
			month === monthOf(now) ? now.getDate() + AHEAD : 0,
		);

	return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
		Array.from({ length: 7 }, (_, i) => new Date(year, number - 1, 1 - before + week * 7 + i)),
	);
}

/** The same time of day, on another day. @param {string} iso @param {string} day */
export function onDay(iso, day) {
	const at = new Date(iso),
		[year, month, date] = day.split("-").map(Number);

	return new Date(
		year,
		month - 1,
		date,
		at.getHours(),
		at.getMinutes(),
		at.getSeconds(),
		at.getMilliseconds(),
	).toISOString();
}

/** @param {string} day @param {number} n days later */
export const dayAfter = (day, n) => dayOf(new Date(new Date(`${day}T12:00`).getTime() + n * DAY));
