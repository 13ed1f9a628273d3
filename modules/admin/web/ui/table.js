// table.js - rows with columns that may be sorted, and a box to choose each.
//
//	<${Table} caption="Tokens" rows=${rows} id=${(row) => row.id} columns=${[
//		{ name: "title", label: "Name", isHead: true, cell: (row) => row.name, sort: "name" },
//		{ name: "up", label: "Changed", class: "c-up meta", cell: (row) => html`<${Time} at=${row.updatedAt} />` } ]} />
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";

const t = wordsOf("shared");

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {any} label
 * @property {boolean} [isHidden] the label is for screen readers only
 * @property {boolean} [isHead] the cell names its row
 * @property {string} [class]
 * @property {(row: any) => any} cell
 * @property {string} [sort] what onSort gets
 *
 * @param {{caption: string, rows: any[], id: (row: any) => string, columns: Column[], sort?: {by: string, isDown: boolean},
 *   onSort?: (by: string, isDown: boolean) => void, chosen?: Set<string>, onChoose?: (chosen: Set<string>) => void,
 *   nameOf?: (row: any) => string, isBusy?: boolean}} props chosen: ids; nameOf: for the boxes' labels
 */
export function Table({ caption, rows, id, columns, sort, onSort, chosen, onChoose, nameOf = id, isBusy = false }) {
	const isAll = chosen && rows.length > 0 && rows.every((row) => chosen.has(id(row)));
	const choose = (ids, isOn) => {
		const next = new Set(chosen);

		for (const one of ids)
			isOn ? next.add(one) : next.delete(one);
		onChoose(next);
	};
	const head = (c) => {
		const is = sort && c.sort && sort.by === c.sort;
		const direction = is ? (sort.isDown ? "descending" : "ascending") : undefined;
		const words = c.isHidden ? html`<span class="sr">${c.label}</span>` : c.label;

		return html`<th key=${c.name} scope="col" class=${c.class} aria-sort=${direction}>
			${c.sort && onSort ? html`<button type="button" onClick=${() => onSort(c.sort, is ? !sort.isDown : true)}>${words}</button>` : words}
		</th>`;
	};
	const cell = (c, row) =>
		c.isHead ? html`<th key=${c.name} scope="row" class=${c.class}>${c.cell(row)}</th>` : html`<td key=${c.name} class=${c.class}>${c.cell(row)}</td>`;

	return html`<div class="scroll"><table class="table" aria-busy=${isBusy ? "true" : undefined}>
		<caption class="sr">${caption}</caption>
		<thead><tr>
			${chosen && html`<th scope="col" class="c-pick"><label class="hit"><input type="checkbox" checked=${isAll} onChange=${(e) => choose(rows.map(id), e.currentTarget.checked)} /><span class="sr">${t("chooseAll")}</span></label></th>`}
			${columns.map(head)}
		</tr></thead>
		<tbody>${rows.map((row) => html`<tr key=${id(row)} data-id=${id(row)}>
			${chosen && html`<td class="c-pick"><label class="hit"><input type="checkbox" class="pick" checked=${chosen.has(id(row))} onChange=${(e) => choose([id(row)], e.currentTarget.checked)} /><span class="sr">${t("choose", { name: nameOf(row) })}</span></label></td>`}
			${columns.map((c) => cell(c, row))}
		</tr>`)}</tbody>
	</table></div>`;
}
