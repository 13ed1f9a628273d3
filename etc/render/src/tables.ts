// tables.ts - tables, and lists from blocks with a level.
import { element, escape, text } from "./address.js";
import { isObject, objects } from "./spans.js";
import type { Block, Context } from "./types.js";

/** A <table> without a caption. */
export function tableHtml(context: Context, table: Block): string {
	const parts = { thead: "", tbody: "", tfoot: "" };
	const cellsOf = (row: Block): unknown[] => (Array.isArray(row.cells) ? row.cells : []);
	const isHead = (row: Block): boolean =>
		row.isFooter !== true &&
		cellsOf(row).length > 0 &&
		cellsOf(row).every((cell) => isObject(cell) && cell.isHeader === true);
	let isInHead = true;

	objects(table.rows).forEach((row, i) => {
		isInHead &&= isHead(row) || (i === 0 && table.hasHeaderRow === true);
		const cells = cellsOf(row).map((cell) => {
			const one = isObject(cell) ? cell : ({ _type: "tableCell" } as Block);
			// Tables of other systems have texts for cells.
			const html = isObject(cell)
				? context.spans(one.content ?? one.children, one.markDefs)
				: escape(cell);
			const name = isInHead || one.isHeader === true ? "th" : "td";
			const align = /^(left|center|right)$/.test(text(one.align)) && `text-align:${one.align}`;
			return element(
				name,
				{ scope: name === "th" && (isInHead ? "col" : "row"), style: align },
				html || escape(text(one.text)),
			);
		});
		parts[isInHead ? "thead" : row.isFooter === true ? "tfoot" : "tbody"] += `<tr>${cells.join("")}</tr>`;
	});
	const html = Object.entries(parts).map(([name, rows]) => rows && element(name, {}, rows));
	return element("table", {}, html.join(""));
}

const LEVELS = 20; // deeper items get this level

const levelOf = (item: Block): number => Math.min(Math.max(1, Math.trunc(item.level) || 1), LEVELS);

/** Lists of items that follow each other. `content` writes the text of an item. */
export function listsHtml(context: Context, items: Block[], content: (item: Block) => string): string {
	let at = 0;

	// Reads the items of the present level, and deeper ones into them.
	function read(): string {
		const first = items[at] as Block,
			level = levelOf(first),
			isTasks = typeof first.checked === "boolean";
		const name = first.listItem === "number" ? "ol" : "ul";
		const start = name === "ol" && Number.isInteger(first.start) && first.start !== 1 && first.start;
		let out = "";

		while (
			at < items.length &&
			levelOf(items[at] as Block) === level &&
			items[at]?.listItem === first.listItem
		) {
			const item = items[at++] as Block;
			let html = content(item);

			if (typeof item.checked === "boolean")
				html = `<label>${element("input", { type: "checkbox", disabled: true, checked: item.checked })} ${html}</label>`;

			while (at < items.length && levelOf(items[at] as Block) > level) html += read();
			out += `<li${context.attributes(item)}>${html}</li>`;
		}
		return element(name, { class: isTasks && "tasks", start }, out);
	}
	let html = "";
	while (at < items.length) html += read();
	return html;
}
