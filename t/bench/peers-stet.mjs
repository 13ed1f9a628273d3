// peers-stet.mjs - stet with the posts: search, audit, drafts and revisions as they ship, without the response cache.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { caller, COMMON, each, newPost, OFF, posts, RARE, TAGS, TERMS } from "./peers-data.mjs";

const build = process.env.STET_BUILD;
const env = {
	...process.env,
	LD_LIBRARY_PATH: `${build}/.libs`,
	STET_MODULE_PATH: `${build}/modules/.libs`,
	STET_PLUGIN_PATH: "",
};
const ROOT = "/_cms/api";

export const name = "stet";
export const version = () =>
	execFileSync(`${build}/.libs/stet`, ["--version"], { env, encoding: "utf8" }).trim().split(/\s+/).at(-1);

let token, ask;

export function prepare({ work, port }) {
	const stet = (...words) =>
		execFileSync(`${build}/.libs/stet`, ["--config", `${work}/conf`, ...words], {
			env,
			encoding: "utf8",
		}).trim();

	fs.writeFileSync(
		`${work}/conf`,
		`answer-cache = "0"\nlisten = { "127.0.0.1:${port}" }\nworkers = 1\nlog-level = "warning"\nsite "main" { data = "${work}/site" }\n`,
	);
	stet("init");
	stet("user", "add", "bench@example.org", "--name", "Bench", "--role", "admin");
	token = stet("token", "add", "bench@example.org", "--name", "bench", "--scope", "admin");
	stet("call", "plugin_settings_put", "id=mcp", 'values={"callsPerMinute":0}');
}

export const command = ({ work }) => ({
	program: `${build}/.libs/stetd`,
	words: ["--config", `${work}/conf`, "--foreground"],
	env,
});

export async function fill({ origin }) {
	ask = caller(origin, { Authorization: `Bearer ${token}`, "X-CMS-Request": "1" });
	const create = ({ slug, title, kind, year, text, terms, tags }, near) =>
		ask("POST", `${ROOT}/content/posts`, {
			slug,
			status: "published",
			taxonomies: { category: terms, tag: tags },
			data: { title, kind, year, text, ...(near && { near }) },
		});

	await ask("POST", `${ROOT}/schema/collections`, {
		slug: "posts",
		label: "Posts",
		supports: ["drafts", "revisions", "search"],
	});
	for (const field of [
		{ slug: "title", type: "string", searchable: true },
		{ slug: "kind", type: "select", indexed: true, validation: { options: ["news", "note"] } },
		{ slug: "year", type: "integer", indexed: true },
		{ slug: "text", type: "text", searchable: true },
		{ slug: "near", type: "reference", options: { collection: "posts" } },
	])
		await ask("POST", `${ROOT}/schema/collections/posts/fields`, { label: field.slug, ...field });
	await ask("POST", `${ROOT}/schema/collections`, { slug: "rows", label: "Rows", supports: [] });
	for (const [slug, type] of [
		["title", "string"],
		["kind", "string"],
		["year", "integer"],
		["text", "text"],
	])
		await ask("POST", `${ROOT}/schema/collections/rows/fields`, {
			label: slug,
			slug,
			type,
			indexed: slug === "kind",
		});
	await ask("PUT", `${ROOT}/schema/collections/rows`, { indexes: ["year:desc,kind:asc"] });
	await ask("PUT", `${ROOT}/schema/collections/posts`, { indexes: ["year:desc,kind:asc"] });
	for (const [taxonomy, slugs] of [
		["category", TERMS],
		["tag", TAGS],
	]) {
		const { data } = await ask("GET", `${ROOT}/taxonomies/${taxonomy}`);
		await ask("PUT", `${ROOT}/taxonomies/${taxonomy}`, {
			collections: [...new Set([...(data.taxonomy ?? data).collections, "posts"])],
		});
		for (const slug of slugs)
			await ask("POST", `${ROOT}/taxonomies/${taxonomy}/terms`, { slug, label: slug });
	}
	await ask("POST", `${ROOT}/search/enable`, { collection: "posts", enabled: true });
	const all = posts(),
		ids = [];
	for (const one of all.slice(0, 100)) ids.push((await create(one)).data.item.id);
	await each(all.slice(100), (one) => create(one, ids[one.near - all[0].number]));
}

export function rows() {
	const list = (query = "") => ({ path: `${ROOT}/content/posts?status=published&limit=50${query}` });
	const search = (word) => ({ path: `${ROOT}/search?q=${word}&limit=20` });

	return {
		token,
		item: { path: `${ROOT}/content/posts/item-%d#10000+10000` },
		list: list(),
		total: list("&includeTotal=1"),
		filter: list(`&fieldFilters=${encodeURIComponent('{"kind":"news"}')}`),
		term: list("&terms=category:t1"),
		terms: list("&terms=category:t1;tag:g1"),
		include: list("&include=terms,author,references"),
		order: list("&orderBy=year:desc,kind:asc"),
		common: search(COMMON),
		rare: search(RARE),
		create: { method: "POST", path: `${ROOT}/content/posts`, body: { status: "published", data: newPost } },
		update: {
			method: "PUT",
			path: `${ROOT}/content/posts/item-%d#10000+10000`,
			body: { data: { title: "Changed %d" } },
		},
		mcp: {
			method: "POST",
			path: `${ROOT}/mcp`,
			body: {
				jsonrpc: "2.0",
				id: 1,
				method: "tools/call",
				params: { name: "content_get", arguments: { collection: "posts", id: "item-10007" } },
			},
		},
		row: {
			before: async () => {
				for (const id of OFF) await ask("POST", `${ROOT}/admin/plugins/${id}/disable`);
			},
			method: "POST",
			path: `${ROOT}/content/rows`,
			body: { status: "published", data: newPost },
		},
	};
}
