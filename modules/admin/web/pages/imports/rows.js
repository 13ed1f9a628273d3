// rows.js - the part of an import's form for rows: the collection, and the mapping of columns.
import { useEffect } from "preact/hooks";
import { html } from "../../lib/html.js";
import { useLoad } from "../../lib/load.js";
import { MEMBERS, matchColumns } from "../../lib/rows.js";
import { definitionOf } from "../../lib/schema.js";
import { manifest } from "../../lib/site.js";
import { wordsOf } from "../../lib/words.js";
import { Field, Problem, SelectField, TextField } from "../../ui/index.js";

const t = wordsOf("imports");

/** The kind of content that rows are, in the import's table of kinds and collections. */
const ROW = "row";
const STATES = ["draft", "published"];

/**
 * @typedef {{collection: string, status: string, source: string, fields: Record<string, string>}} Rows
 */

/** @returns {Rows} */
export const newRows = () => ({ collection: "", status: "draft", source: "", fields: {} });

/** Reads the configuration of a job. @param {any} config @returns {Rows} */
export const rowsOf = (config) => ({
	collection: config.postTypeMappings?.[ROW]?.collection ?? "",
	status: config.options?.status ?? "draft",
	source: config.source ?? "",
	fields: config.options?.fields ?? {},
});

/** Makes the configuration of a job. @param {Rows} rows */
export const configOf = (rows) => ({
	postTypeMappings: { [ROW]: { collection: rows.collection, enabled: true } },
	options: { fields: rows.fields, status: rows.status },
	// The source keeps row numbers of different collections apart: each file has a row 1.
	source: rows.source || rows.collection,
});

/**
 * The names of other columns that map to the same target, or "".
 * @param {Record<string, string>} fields
 * @param {string} name
 */
function rivalOf(fields, name) {
	return fields[name]
		? Object.keys(fields).find((other) => other !== name && fields[other] === fields[name])
		: undefined;
}

/** Why the form cannot be sent: the name of a text; "": it can. @param {Rows} rows @param {any[]} columns */
export function wrongOf(rows, columns) {
	if (!rows.collection) return "collectionWanted";
	if (columns.length === 0) return "columnsNone";
	if (columns.every(({ name }) => !rows.fields[name])) return "columnsWanted";
	return columns.some(({ name }) => rivalOf(rows.fields, name)) ? "columnsTwice" : "";
}

/**
 * @param {{column: import("../../lib/rows.js").Column, options: any[], value: string, rival?: string, onChange: (to:
 * string) => void}} props
 */
const Match = ({ column, options, value, rival, onChange }) => html`<${SelectField}
	label=${html`<bdi>${column.name || t("nameless")}</bdi>`} value=${value} options=${options} onChange=${onChange}
	data-column=${column.name}
	help=${column.samples.length > 0 && html`<bdi>${column.samples.join(" · ")}</bdi>`}
	problem=${rival === undefined ? undefined : t("rival", { name: rival })} />`;

/**
 * @param {{columns: import("../../lib/rows.js").Column[], rows: Rows, wrong: string, given?: Rows, onChange: (rows: Rows) => void}} props
 *   given: the earlier mapping, which is kept while its collection is chosen
 */
export function RowsForm({ columns, rows, wrong, given, onChange }) {
	const collections = manifest.value.collections.filter((one) => !one.hidden && one.rights.create);
	const definition = useLoad(
			() => (rows.collection ? definitionOf(rows.collection) : Promise.resolve(null)),
			[rows.collection],
		),
		fields = definition.data.value?.fields ?? [];

	useEffect(() => {
		const from = definition.data.value;

		if (from && from.slug === rows.collection)
			onChange({
				...rows,
				fields:
					from.slug === given?.collection
						? given.fields
						: matchColumns(
								columns.map((one) => one.name),
								from.fields,
							),
			});
	}, [definition.data.value, columns]);
	const members = MEMBERS.filter((name) => !fields.some((one) => one.slug === name));
	const options = [
		{ value: "", label: String(t("leftOut")) },
		...fields.map((one) => ({ value: one.slug, label: one.label })),
		...members.map((name) => ({ value: name, label: String(t(`to_${name}`)) })),
	];
	const hasId = Object.values(rows.fields).includes("id");

	return html`
		<${SelectField} label=${t("collection")} name="collection" value=${rows.collection}
			onChange=${(to) => onChange({ ...rows, collection: to })}
			problem=${wrong === "collectionWanted" ? t(wrong) : undefined}
			options=${[
				{ value: "", label: String(t("choose")) },
				...collections.map((one) => ({ value: one.slug, label: one.label })),
			]} />
		<${Problem} error=${definition.error.value} />
		${
			rows.collection &&
			html`<${Field} label=${t("columns")} isGroup help=${columns.length > 0 && t("columnsHelp")}
				problem=${
					["columnsNone", "columnsWanted", "columnsTwice"].includes(wrong)
						? t(wrong)
						: undefined
				}>${(props) => html`<div class="fields" data-match ...${props}>
			${columns.map(
				(column) => html`<${Match} key=${column.name} column=${column} options=${options}
				value=${rows.fields[column.name] ?? ""} rival=${rivalOf(rows.fields, column.name)}
				onChange=${(to) =>
					onChange({ ...rows, fields: { ...rows.fields, [column.name]: to } })} />`,
			)}</div>`}<//>
		<${SelectField} label=${t("status")} help=${t("statusHelp")} name="status" value=${rows.status}
			onChange=${(to) => onChange({ ...rows, status: to })}
			options=${STATES.map((value) => ({ value, label: String(t(`as_${value}`)) }))} />
		${
			hasId &&
			html`<${TextField} label=${t("sourceName")} help=${t("sourceHelp")} name="source"
			maxlength="200" placeholder=${rows.collection} value=${rows.source}
			onInput=${(to) => onChange({ ...rows, source: to })} />`
		}`
		}`;
}
