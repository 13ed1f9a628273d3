// corpus.mjs - calls in the shapes in which hosts and models send them, written after their logs and bug reports, with
// names of ours. `$notes`, `$id` and `$rev` are filled in. `gives` is what the result has, `refused` its error.
import assert from "node:assert/strict";

const json = JSON.stringify;

export const CORPUS = [
	// Claude: objects and lists as JSON texts, above all if they are long; null and "" for what is left out.
	{
		by: "Claude",
		tool: "content_create",
		args: { collection: "$notes", data: json({ title: "A" }) },
		gives: "A",
	},
	{
		by: "Claude",
		tool: "content_create",
		args: { collection: "$notes", data: { title: "B" }, bylines: "[]", taxonomies: "{}", seo: "" },
		gives: "B",
	},
	{
		by: "Claude",
		tool: "content_update",
		args: { collection: "$notes", id: "$id", _rev: "$rev", data: json({ title: "C" }), status: "" },
		gives: "C",
	},
	{
		by: "Claude",
		tool: "content_list",
		args: { collection: "$notes", fieldFilters: json({ stars: { gte: 1 } }), limit: "5", cursor: "" },
	},
	{
		by: "Claude",
		tool: "batch",
		args: {
			calls: json([{ op: "content_get", arguments: { collection: "$notes", id: "$id" } }]),
			atomic: "false",
		},
	},
	{
		by: "Claude",
		tool: "batch",
		args: { calls: [{ op: "content_get", arguments: json({ collection: "$notes", id: "$id" }) }] },
	},
	// GPT in strict mode: every property is there, null for what is left out. Numbers may have fractions of zero.
	{
		by: "GPT",
		tool: "content_list",
		args: {
			collection: "$notes",
			cursor: null,
			limit: 5.0,
			status: null,
			orderBy: null,
			order: null,
			locale: null,
			localeFallback: null,
			authorId: null,
			slug: null,
			q: null,
			search: null,
			dateField: null,
			dateFrom: null,
			dateTo: null,
			fieldFilters: null,
			terms: null,
			bylines: null,
			includeInferredBylines: null,
			includeTotal: true,
			facets: null,
			fields: null,
			markdown: null,
			include: null,
		},
	},
	{
		by: "GPT",
		tool: "content_create",
		args: {
			collection: "$notes",
			data: { title: "D" },
			slug: null,
			status: null,
			locale: null,
			translationOf: null,
			bylines: null,
			taxonomies: null,
			seo: null,
			publishedAt: null,
			createdAt: null,
			fields: null,
			dry_run: null,
		},
		gives: "D",
	},
	{
		by: "GPT",
		tool: "content_update",
		args: {
			collection: "$notes",
			id: "$id",
			_rev: "$rev",
			data: { title: "E" },
			publishedAt: null,
			seo: null,
		},
		gives: "E",
	},
	{ by: "GPT", tool: "settings_get", args: { random_string: "dummy" } },
	// Gemini: numbers as texts or with a fraction, booleans as texts, enums beside "".
	{
		by: "Gemini",
		tool: "content_list",
		args: { collection: "$notes", limit: "10.0", includeTotal: "True", order: "" },
	},
	{
		by: "Gemini",
		tool: "content_create",
		args: { collection: "$notes", data: { title: "F" }, dry_run: "true" },
		gives: "F",
	},
	{
		by: "Gemini",
		tool: "content_create",
		args: { collection: "$notes", data: { title: "G", stars: 4.0 } },
		gives: "G",
	},
	{ by: "Gemini", tool: "taxonomy_list", args: { locale: "" } },
	// Cursor: flags as "1" and numbers as texts, an argument for tools without any.
	{ by: "Cursor", tool: "media_list", args: { includeUsage: "true", limit: "3" } },
	{ by: "Cursor", tool: "media_list", args: { includeUsage: true, unused: false } },
	{ by: "Cursor", tool: "content_list", args: { collection: "$notes", includeTotal: "1", markdown: 1 } },
	{ by: "Cursor", tool: "schema_list_collections", args: { random_string: "" } },
	{ by: "Cursor", tool: "menu_list", args: { locale: null } },
	// VS Code: `arguments` is null or missing if there are none; unions come in any of their types.
	{ by: "VS Code", tool: "schema_list_collections", args: null },
	{ by: "VS Code", tool: "settings_get", args: undefined },
	{
		by: "VS Code",
		tool: "schema_update_field",
		args: {
			collection: "$notes",
			fieldSlug: "stars",
			validation: json({ min: 1, max: 5 }),
			sortOrder: "3",
			dry_run: true,
		},
	},
	{
		by: "VS Code",
		tool: "content_patch",
		args: { collection: "$notes", id: "$id", _rev: "$rev", set: json({ title: "H" }), blocks: null },
		gives: "H",
	},
	// What has two meanings is refused by name.
	{ by: "all", tool: "content_list", args: { collection: "$notes", limit: "many" }, refused: "limit" },
	{
		by: "all",
		tool: "content_list",
		args: { collection: "$notes", includeTotal: "maybe" },
		refused: "includeTotal",
	},
	{ by: "all", tool: "content_create", args: { collection: "$notes", data: "just a text" }, refused: "data" },
	{ by: "all", tool: "content_create", args: { collection: "$notes", data: "[1]" }, refused: "data" },
	{ by: "all", tool: "content_create", args: { collection: null, data: { title: "x" } }, refused: "collection" },
	{ by: "all", tool: "content_list", args: { collection: "$notes", pageSize: 3 }, refused: "pageSize" },
];

// Fills in the values, also inside JSON texts.
function fill(value, values) {
	if (typeof value === "string") return value.replace(/\$(notes|id|rev)\b/g, (_, name) => values[name]);
	if (Array.isArray(value)) return value.map((v) => fill(v, values));
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fill(v, values)]));
}

// Sends the calls without a client of an SDK, which would refuse some of them.
export async function runCorpus({ post, notes, id, rev }) {
	const wrong = [];

	for (const { by, tool, args, gives, refused } of CORPUS) {
		const { result, error } = await post("tools/call", {
			name: tool,
			arguments: fill(args, { notes, id, rev: await rev() }),
		});
		const text = result?.content[0].text ?? json(error);
		const title = result?.structuredContent?.item?.data?.title ?? result?.structuredContent?.item?.title;
		const right =
			refused !== undefined
				? result?.isError === true && text.includes(refused)
				: result !== undefined && !result.isError && (gives === undefined || title === gives);

		if (!right) wrong.push(`${by}: ${tool} ${json(args)}: ${text}`);
	}
	assert.deepEqual(wrong, []);
	return `${CORPUS.length} calls`;
}
