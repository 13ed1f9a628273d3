// plain.ts - the text of blocks without marks.
import { objects } from "./spans.js";

const DEPTH = 50;
const texts = "text title caption code tex".split(" ");
const parts = "children content columns rows cells items term images buttons".split(" ");

/** The text of blocks without marks, for descriptions. */
export function textOf(blocks: unknown, depth = 0): string {
	const list = objects(blocks);
	const found = list.map((block) => [
		...texts.map((name) => block[name]).filter((one) => typeof one === "string"),
		...(depth < DEPTH ? parts.map((name) => textOf(block[name], depth + 1)) : []),
	]);

	return found.map((one) => one.filter(Boolean).join(" ")).join(list[0]?._type === "span" ? "" : " ");
}

/** The beginning of a text in whole words, of at most `most` characters. */
export function summaryOf(blocks: unknown, most = 155): string {
	const all = textOf(blocks).replace(/\s+/g, " ").trim();

	return all.length <= most ? all : `${all.slice(0, most).replace(/\s+\S*$/, "")}…`;
}
