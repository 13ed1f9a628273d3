// json.js - JSON whose numbers come back as they were written, where the browser can do that.
//
// A foreign member such as 12345678901234567890 or 1.0 has to leave an untouched block as it came. JSON.rawJSON keeps
// its text. Values that go into the browser's database are stored as text, since a raw number is no plain object there.

/** @type {any} what newer browsers have beyond the types of today */
const json = JSON;
const isRaw = json.isRawJSON ?? (() => false);

/** Reads JSON. */
export function readJson(text) {
	if (json.rawJSON === undefined)
		return JSON.parse(text);
	return json.parse(text, (name, value, context) => (
		typeof value === "number" && context?.source !== undefined && String(value) !== context.source ? json.rawJSON(context.source) : value));
}

/** True if two JSON values are equal, whatever the order of their members. Nothing and null are equal. */
export function isEqual(a, b) {
	if (a === b || ((a ?? null) === null && (b ?? null) === null))
		return true;
	if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b))
		return false;
	if (isRaw(a) || isRaw(b))
		return isRaw(a) && isRaw(b) && a.rawJSON === b.rawJSON;
	if (Array.isArray(a))
		return a.length === b.length && a.every((v, i) => isEqual(v, b[i]));
	const names = Object.keys(a);
	return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]));
}
