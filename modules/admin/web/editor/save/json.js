// json.js - reads and writes JSON without changing how numbers are written, if the browser supports that.
//
// A member that we do not know, such as 12345678901234567890 or 1.0, must be sent back exactly as it was received.
// JSON.rawJSON keeps its text. The browser's database cannot store raw numbers, so values are stored there as text.

/** @type {any} newer browsers have members that the type definitions lack */
const json = JSON;
const isRaw = json.isRawJSON ?? (() => false);

/** Reads JSON. */
export function readJson(text) {
	if (json.rawJSON === undefined) return JSON.parse(text);
	return json.parse(text, (name, value, context) =>
		typeof value === "number" && context?.source !== undefined && String(value) !== context.source
			? json.rawJSON(context.source)
			: value,
	);
}

/** True if two JSON values are equal. The order of members does not matter; null and undefined are equal. */
export function isEqual(a, b) {
	if (a === b || ((a ?? null) === null && (b ?? null) === null)) return true;
	if (
		typeof a !== "object" ||
		typeof b !== "object" ||
		a === null ||
		b === null ||
		Array.isArray(a) !== Array.isArray(b)
	)
		return false;
	if (isRaw(a) || isRaw(b)) return isRaw(a) && isRaw(b) && a.rawJSON === b.rawJSON;
	if (Array.isArray(a)) return a.length === b.length && a.every((v, i) => isEqual(v, b[i]));
	const names = Object.keys(a);
	return (
		names.length === Object.keys(b).length &&
		names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
	);
}
