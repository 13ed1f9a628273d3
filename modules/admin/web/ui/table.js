// table.js - a table with sortable columns, and a checkbox to choose each row.
//
//	<${Table} caption="Tokens" rows=${rows} id=${(row) => row.id} columns=${[
//		{ name: "title", label: "Name", isHead: true, cell: (row) => row.name, sort: "name" },
//		{ name: "up", label: "Changed", class: "c-up meta", cell: (row) => html`<${Time} at=${row.updatedAt} />` } ]} />
//
// A row with unchanged props is not rendered again (by signals). So the page of a long list must memoize its columns.
import { useMemo, useRef } from "preact/hooks";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";

const t = wordsOf("shared");

/**
 * The checkbox that chooses a row, or all rows.
 * @param {{class?: string, isOn: boolean, label: string, onChange: (isOn: boolean) => void}} props
 */
const Pick = ({ class: kind, isOn, label, onChange }) =>
	html`<label class="hit">
		<input type="checkbox" class=${kind} checked=${isOn} aria-label=${label}
			onChange=${(e) => onChange(e.currentTarget.checked)} /></label>`;

/**
 * @param {{id: string, row: any, columns: Column[], name: string, isChosen: boolean | undefined, choose: (ids:
 * string[], isOn: boolean) => void}} props isChosen: undefined: no checkbox
 */
function Row({ id, row, columns, name, isChosen, choose }) {
	return html`<tr data-id=${id}>
		${
			isChosen !== undefined &&
			html`<td class="c-pick">
				<${Pick} class="pick" isOn=${isChosen} label=${t("choose", { name })}
					onChange=${(isOn) => choose([id], isOn)} /></td>`
		}
		${columns.map((c) =>
			c.isHead
				? html`<th key=${c.name} scope="row" class=${c.class}>${c.cell(row)}</th>`
				: html`<td key=${c.name} class=${c.class}>${c.cell(row)}</td>`,
		)}
	</tr>`;
}

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {any} label
 * @property {boolean} [isHidden] the label is for screen readers only
 * @property {boolean} [isHead] the cell names its row
 * @property {string} [class]
 * @property {(row: any) => any} cell
 * @property {string} [sort] the value that onSort gets; absent: not sortable
 *
 * @param {{caption: string, rows: any[], id: (row: any) => string, columns: Column[], sort?: {by: string, isDown: boolean},
 *   onSort?: (by: string, isDown: boolean) => void, chosen?: Set<string>, onChoose?: (chosen: Set<string>) => void,
 *   nameOf?: (row: any) => string, isBusy?: boolean}} props chosen: ids; nameOf: for the boxes' labels
 */
export function Table({ caption, rows, id, columns, sort, onSort, chosen, onChoose, nameOf = id, isBusy = false }) {
	const isAll = chosen && rows.length > 0 && rows.every((row) => chosen.has(id(row)));
	const latest = useRef({ chosen, onChoose });
	const choose = useMemo(
		() => (/** @type {string[]} */ ids, /** @type {boolean} */ isOn) => {
			const next = new Set(latest.current.chosen);

			for (const one of ids) isOn ? next.add(one) : next.delete(one);
			latest.current.onChoose(next);
		},
		[],
	);

	latest.current = { chosen, onChoose };
	const head = (c) => {
		const is = sort && c.sort && sort.by === c.sort;
		const direction = is ? (sort.isDown ? "descending" : "ascending") : undefined;
		const words = c.isHidden ? html`<span class="sr">${c.label}</span>` : c.label;

		return html`<th key=${c.name} scope="col" class=${c.class} aria-sort=${direction}>
			${
				c.sort && onSort
					? html`<button type="button"
					onClick=${() => onSort(c.sort, is ? !sort.isDown : true)}>${words}</button>`
					: words
			}
		</th>`;
	};

	return html`<div class="scroll"><table class="table" aria-busy=${isBusy ? "true" : undefined}>
		<caption class="sr">${caption}</caption>
		<thead><tr>
			${
				chosen &&
				html`<th scope="col"
				class="c-pick">
				<${Pick} isOn=${isAll} label=${t("chooseAll")}
					onChange=${(isOn) => choose(rows.map(id), isOn)} /></th>`
			}
			${columns.map(head)}
		</tr></thead>
		<tbody>${rows.map(
			(row) => html`<${Row} key=${id(row)} id=${id(row)} row=${row} columns=${columns}
			name=${nameOf(row)} isChosen=${chosen?.has(id(row))} choose=${choose} />`,
		)}</tbody>
	</table></div>`;
}
