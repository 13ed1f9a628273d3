// blocks.js - shows Portable Text for comparing and merging: the content of a block, not the look that a site gives it.
import { html } from "../../lib/html.js";
import { ownLabel, ownLines } from "../../lib/owntypes.js";
import { wordsOf } from "../../editor/text/readable.js";
import { pictureOf } from "../../editor/text/safe.js";
import { t } from "../../editor/words.js";

/** The text of a block. */
export function textOf(block) {
	const own = ownLines(block);

	if (own !== null) return own;
	if (Array.isArray(block?.children))
		return block.children.map((c) => (typeof c?.text === "string" ? c.text : "◆")).join("");
	if (block?._type === "table" && Array.isArray(block.rows))
		return block.rows
			.map((r) =>
				(r.cells ?? [])
					.map((c) => (c.content ?? []).map((s) => s.text ?? "").join(""))
					.join(" | "),
			)
			.join("\n");
	for (const name of ["caption", "alt", "code", "html", "url", "text"])
		if (typeof block?.[name] === "string" && block[name] !== "") return block[name];
	return wordsOf(block);
}

export const isText = (block) => block?._type === "block" && Array.isArray(block.children);

/** The name of a block's kind, for blocks that are not shown. */
export function kindOf(block) {
	const known = ["image", "gallery", "code", "htmlBlock", "embed", "break", "table", "callout", "footnote"];

	if (!isText(block))
		return known.includes(block?._type) ? t(block._type) : (ownLabel(block) ?? String(block?._type ?? "?"));
	if (block.listItem) return t("item");
	return /^h[1-6]$/.test(block.style)
		? t("heading")
		: block.style === "blockquote"
			? t("style-blockquote")
			: t("style-normal");
}

/** One block; `inner` replaces its text. */
export function Block({ block, inner }) {
	const words = inner ?? textOf(block),
		src = pictureOf(block);

	if (!isText(block))
		return html`<div
			class="block-other"><span class="tagline">${kindOf(block)}</span>
			${
				block?._type === "image" &&
				src &&
				html`<img src=${src} width="120" height="90" alt=${block.alt ?? ""} />`
			}
			${
				words !== "" &&
				html`<p class=${
					["code", "htmlBlock", "embed"].includes(block._type) ? "mono" : undefined
				}>${words}</p>`
			}</div>`;
	if (/^h[1-6]$/.test(block.style ?? "")) return html`<p class="block-head">${words}</p>`;
	if (block.style === "blockquote") return html`<blockquote>${words}</blockquote>`;
	return html`<p class=${block.listItem ? "block-item" : undefined}>${words}</p>`;
}

export const Blocks = ({ value }) =>
	(Array.isArray(value) ? value : []).map(
		(block, i) => html`<${Block}
	key=${block?._key ?? i} block=${block} />`,
	);
