// readable.js - the words of blocks and objects that have no form here, such as callouts, definitions and formulas.

const WORDS_SHOWN = 2000; // characters

/** The members with words, in the order in which they are read. Members of other names hold no text. */
const members = ["title", "label", "term", "text", "tex", "source", "html", "alt", "caption", "citation", "filename"];
const holders = ["children", "content", "items", "columns", "buttons", "rows", "cells", "images"];

function* linesOf(value, depth) {
	if (depth > 8) return;
	if (Array.isArray(value)) {
		const isText = value.length > 0 && value.every((one) => one?._type === "span" || isInline(one?._type));
		if (isText) yield value.map((one) => one.text ?? labelOf(one)).join("");
		else for (const one of value) yield* linesOf(one, depth + 1);
	} else if (value !== null && typeof value === "object") {
		for (const name of members)
			if (typeof value[name] === "string") yield value[name];
			else if (name === "term") yield* linesOf(value.term, depth + 1);
		for (const name of holders) yield* linesOf(value[name], depth + 1);
	}
}

/** The words of a block, a line for each text in it; "": it has none. */
export function wordsOf(json) {
	const lines = [];
	let length = 0;

	for (const line of linesOf(json, 0)) {
		if (length > WORDS_SHOWN) break;
		length += line.length;
		if (line.trim() !== "") lines.push(line);
	}
	return lines.join("\n").slice(0, WORDS_SHOWN);
}

const isInline = (type) => ["math", "footnoteReference", "html", "shortcode"].includes(type);

/** What stands for an object in a text. */
export function labelOf(json) {
	const { _type: type, tex, label, html, source, alt } = json ?? {};
	const words = { math: tex, footnoteReference: `[${label}]`, html, shortcode: source, image: alt }[type];

	return typeof words === "string" && words !== "" ? words.slice(0, 200) : String(type ?? "?");
}
