// rows.js - reads the columns of a CSV or JSON Lines file from its first bytes, and maps them to fields and members.
// The server reads such files in the same way (modules/import/sources/rows.c).

const HEAD = 1 << 18; // bytes that are read
const ROWS = 100; // rows that are read, at most
const SAMPLES = 3,
	SAMPLE_LENGTH = 60; // samples shown of a column; their length in characters
const SEPARATORS = [",", ";", "\t"];

/** Members of an item that a column may map to, besides the fields of the collection. */
export const MEMBERS = [
	"title",
	"slug",
	"status",
	"published",
	"created",
	"id",
	"locale",
	"authors",
	"tags",
	"categories",
	"excerpt",
	"html",
	"markdown",
	"picture",
	"parent",
	"link",
];

/** Other names of columns, and the members that they map to. */
const ALSO = {
	name: "title",
	headline: "title",
	heading: "title",
	permalink: "link",
	url: "link",
	date: "published",
	publishedat: "published",
	publishdate: "published",
	createdat: "created",
	author: "authors",
	byline: "authors",
	tag: "tags",
	keywords: "tags",
	category: "categories",
	language: "locale",
	lang: "locale",
	image: "picture",
	featuredimage: "picture",
	summary: "excerpt",
	description: "excerpt",
	body: "html",
	content: "html",
	text: "html",
	state: "status",
	key: "id",
};

/** @typedef {{name: string, samples: string[]}} Column */

/** The most frequent separator of the first line, outside of quotes. @param {string} text */
export function separatorOf(text) {
	const counts = [0, 0, 0];
	let isQuoted = false;

	for (const c of text) {
		if (c === '"') isQuoted = !isQuoted;
		else if (!isQuoted && (c === "\n" || c === "\r")) break;
		else if (!isQuoted && SEPARATORS.includes(c)) counts[SEPARATORS.indexOf(c)]++;
	}
	return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

/**
 * The first rows. The last row is left out if it is incomplete, unless isWhole: the text is the whole file.
 * @param {string} text @param {boolean} isWhole @returns {string[][]}
 */
export function parseCsv(text, isWhole) {
	const separator = separatorOf(text);
	/** @type {string[][]} */
	const rows = [];
	let row = /** @type {string[]} */ ([]),
		cell = "",
		at = 0;
	const endCell = () => {
		row.push(cell.trim());
		cell = "";
	};
	const endRow = () => {
		endCell();
		if (row.some((one) => one !== "")) rows.push(row);
		row = [];
	};

	while (at < text.length && rows.length < ROWS) {
		const c = text[at++];

		if (c === '"' && cell.trim() === "") {
			let quoted = "",
				isOpen = true;

			while (isOpen && at < text.length) {
				const end = text.indexOf('"', at);

				quoted += text.slice(at, end < 0 ? text.length : end);
				at = end < 0 ? text.length : end + 1;
				isOpen = end >= 0 && text[at] === '"';
				if (isOpen) {
					quoted += '"';
					at++;
				}
			}
			cell = quoted;
		} else if (c === separator) endCell();
		else if (c === "\n" || c === "\r") endRow();
		else cell += c;
	}
	if (isWhole && rows.length < ROWS && (cell !== "" || row.length > 0)) endRow();
	return rows;
}

/** A value as one short line. @param {unknown} value */
const sampleOf = (value) =>
	[...(typeof value === "string" ? value : JSON.stringify(value))]
		.slice(0, SAMPLE_LENGTH)
		.join("")
		.replace(/\s+/g, " ");

/** @param {string[]} names @param {unknown[][]} rows values in the order of names @returns {Column[]} */
const columnsOf = (names, rows) =>
	[...new Set(names)].map((name) => {
		const at = names.lastIndexOf(name);

		return {
			name,
			samples: [
				...new Set(
					rows
						.map((row) => row[at])
						.filter(
							(value) =>
								value !== undefined && value !== null && value !== "",
						)
						.map(sampleOf),
				),
			].slice(0, SAMPLES),
		};
	});

/** @param {string} text @param {boolean} isWhole @returns {Column[]} */
export function columnsOfLines(text, isWhole) {
	const lines = text.split("\n");
	/** @type {Record<string, unknown>[]} */
	const rows = [];

	if (!isWhole) lines.pop();
	for (const line of lines.slice(0, ROWS))
		try {
			const value = JSON.parse(line);

			if (value && typeof value === "object" && !Array.isArray(value)) rows.push(value);
		} catch {
			// Skip the line: the server reports lines that it cannot read.
		}
	const names = [...new Set(rows.flatMap(Object.keys))];

	return columnsOf(
		names,
		rows.map((row) => names.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))),
	);
}

/**
 * The columns of a file; empty if it has no column names.
 * @param {Blob} file
 * @param {string} format csv or jsonl
 * @returns {Promise<Column[]>}
 */
export async function readColumns(file, format) {
	const text = new TextDecoder().decode(await file.slice(0, HEAD).arrayBuffer()),
		isWhole = file.size <= HEAD;

	if (format === "jsonl") return columnsOfLines(text, isWhole);
	const [names = [], ...rows] = parseCsv(text, isWhole);

	return columnsOf(names, rows);
}

/** @param {string} text */
const bare = (text) => text.toLocaleLowerCase("en").replace(/[^\p{L}\p{N}]+/gu, "");

/**
 * Maps each column by its name: to a field of the collection by slug or label, else to a member; "": not imported. No
 * target gets two columns.
 * @param {string[]} names @param {{slug: string, label: string}[]} fields @returns {Record<string, string>}
 */
export function matchColumns(names, fields) {
	const taken = new Set();
	/** @type {Record<string, string>} */
	const match = Object.create(null);
	/** @type {((name: string) => string | undefined)[]} the surest first */
	const ways = [
		(name) => fields.find((one) => one.slug === name)?.slug ?? MEMBERS.find((one) => one === name),
		(name) => fields.find((one) => bare(one.slug) === bare(name) || bare(one.label) === bare(name))?.slug,
		(name) => MEMBERS.find((one) => one === bare(name)),
		(name) => (Object.hasOwn(ALSO, bare(name)) ? ALSO[bare(name)] : undefined),
	];

	for (const way of ways)
		for (const name of names) {
			const to = bare(name) !== "" && !match[name] ? way(name) : undefined;

			if (to && !taken.has(to)) {
				taken.add(to);
				match[name] = to;
			}
		}
	return Object.fromEntries(names.map((name) => [name, match[name] ?? ""]));
}
