// when.js - converts between times of an input control (local, without a zone) and of the API (UTC).

const two = (n) => String(n).padStart(2, "0");

/** An ISO time as the value of a datetime-local control, in the zone of this browser. */
export function toLocal(iso) {
	const at = new Date(iso ?? NaN);

	if (Number.isNaN(at.getTime())) return "";
	const seconds = at.getSeconds() === 0 ? "" : `:${two(at.getSeconds())}`;
	return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** The ISO time of a datetime-local value; null if it is not a time. */
export function fromLocal(text) {
	const at = new Date(text);

	return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The offset of a zone from UTC at a time, in ms. */
function offset(zone, time) {
	const parts = new Intl.DateTimeFormat("en-US", {
		timeZone: zone,
		hourCycle: "h23",
		year: "numeric",
		month: "numeric",
		day: "numeric",
		hour: "numeric",
		minute: "numeric",
		second: "numeric",
	}).formatToParts(time);
	const n = Object.fromEntries(parts.map((p) => [p.type, Number(p.value)]));

	return Date.UTC(n.year, n.month - 1, n.day, n.hour, n.minute, n.second) - Math.floor(time / 1000) * 1000;
}

/** The ISO time of a local time in a zone. A repeated hour means its first occurrence, a skipped hour the next hour. */
export function fromZone(text, zone) {
	const wall = Date.parse(`${text}Z`);

	if (Number.isNaN(wall)) return null;
	const first = wall - offset(zone, wall - 86400000),
		second = wall - offset(zone, wall + 86400000);
	const fits = [first, second].filter((time) => offset(zone, time) === wall - time);
	return new Date(fits.length > 0 ? Math.min(...fits) : Math.max(first, second)).toISOString();
}

/** The local time of an ISO time in a zone. */
export function toZone(iso, zone) {
	const time = Date.parse(iso ?? "");

	return Number.isNaN(time) ? "" : new Date(time + offset(zone, time)).toISOString().slice(0, 16);
}
