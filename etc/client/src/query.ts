// query.ts - options as parameters of a URL.

type Options = { [name: string]: unknown };

/** A segment of a path. "." and ".." would be another path. */
export function segment(value: unknown): string {
	const text = String(value ?? "");

	if (text === "" || text === "." || text === "..") throw new TypeError(`"${text}" names nothing`);
	return encodeURIComponent(text);
}

/** A name inside a parameter that has a grammar: it must not become two. */
function word(value: unknown): string {
	const text = String(value);

	if (!/^[^,;:()\s]+$/.test(text)) throw new TypeError(`"${text}" is no slug or name`);
	return text;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const terms = (value: object): string =>
	Object.entries(value)
		.map(([taxonomy, slugs]) => `${word(taxonomy)}:${listOf(slugs).map(word).join(",")}`)
		.join(";");

const written: Record<string, (value: object) => string> = {
	terms,
	term: terms,
	include: (value) =>
		Object.entries(value)
			.filter(([, asked]) => asked)
			.map(([kind, asked]) =>
				typeof asked === "object" ? `${word(kind)}(${fields(asked)})` : word(kind),
			)
			.join(","),
	fieldFilters: (value) => JSON.stringify(value),
};

const fields = (asked: object): string =>
	Object.entries(asked)
		.filter(([, depth]) => depth)
		.map(([field, depth]) => word(field) + (depth === true ? "" : `:${depth}`))
		.join(",");

/** Members that are undefined or null, and the signal, are no parameters. */
export function queryOf(options: Options = {}): Record<string, string> {
	const query: Record<string, string> = {};

	for (const [name, value] of Object.entries(options)) {
		const write = Object.hasOwn(written, name) ? written[name] : undefined;
		if (value === undefined || value === null || name === "signal") continue;
		query[name] =
			value instanceof Date
				? value.toISOString()
				: Array.isArray(value)
					? value.join(",")
					: write && typeof value === "object"
						? write(value)
						: String(value);
	}
	return query;
}
