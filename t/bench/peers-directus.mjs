// peers-directus.mjs - Directus on SQLite with the posts: author and near are many-to-one, terms and tags many-to-many.
// As it ships: a revision and a line of activity for each write, no index of words.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { caller, COMMON, newPost, PEOPLE, posts, RARE, TAGS, TERMS } from "./peers-data.mjs";

const TOKEN = "bench".repeat(8);
const cli = (dir) => `${dir}/directus/node_modules/directus/cli.js`;
const environment = ({ work, port }) => ({
	...process.env,
	DB_CLIENT: "sqlite3",
	DB_FILENAME: `${work}/data.db`,
	SECRET: TOKEN,
	ADMIN_EMAIL: "bench@example.org",
	ADMIN_PASSWORD: "benchbench1",
	ADMIN_TOKEN: TOKEN,
	HOST: "127.0.0.1",
	PORT: String(port),
	PUBLIC_URL: `http://127.0.0.1:${port}`,
	TELEMETRY: "false",
	LOG_LEVEL: "error",
	PRESSURE_LIMITER_ENABLED: "false", // a busy server would refuse requests
	EXTENSIONS_PATH: `${work}/extensions`,
	STORAGE_LOCAL_ROOT: `${work}/uploads`,
	NODE_ENV: "production",
});

export const name = "Directus";
export const version = ({ dir }) =>
	JSON.parse(fs.readFileSync(`${dir}/directus/node_modules/directus/package.json`, "utf8")).version;

export function prepare(room) {
	execFileSync(room.node, [cli(room.dir), "bootstrap"], {
		cwd: room.work,
		env: environment(room),
		stdio: "pipe",
		timeout: 300_000,
	});
}

export const command = (room) => ({
	program: room.node,
	words: [cli(room.dir), "start"],
	cwd: room.work,
	env: environment(room),
});

const key = { field: "id", type: "string", schema: { is_primary_key: true, length: 40 } };
const number = { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true } };
const field = (name, type, schema = {}) => ({ field: name, type, schema });

async function many(ask, collection, other, alias) {
	const junction = `${collection}_${other}`;

	await ask("POST", "/collections", {
		collection: junction,
		schema: {},
		fields: [
			number,
			field(`${collection}_id`, "integer", { is_indexed: true }),
			field(`${other}_id`, "string", { is_indexed: true }),
		],
	});
	await ask("POST", `/fields/${collection}`, { field: alias, type: "alias", meta: { special: ["m2m"] } });
	await ask("POST", "/relations", {
		collection: junction,
		field: `${collection}_id`,
		related_collection: collection,
		meta: { one_field: alias, junction_field: `${other}_id` },
		schema: {},
	});
	await ask("POST", "/relations", {
		collection: junction,
		field: `${other}_id`,
		related_collection: other,
		meta: { junction_field: `${collection}_id` },
		schema: {},
	});
}

export async function fill({ origin }) {
	const ask = caller(origin, { Authorization: `Bearer ${TOKEN}` });

	for (const [collection, words] of Object.entries({ terms: TERMS, tags: TAGS, people: PEOPLE })) {
		await ask("POST", "/collections", { collection, schema: {}, fields: [key, field("label", "string")] });
		await ask(
			"POST",
			`/items/${collection}`,
			words.map((id) => ({ id, label: id })),
		);
	}
	await ask("POST", "/collections", {
		collection: "posts",
		schema: {},
		fields: [
			number,
			field("title", "string"),
			field("kind", "string", { is_indexed: true }),
			field("year", "integer", { is_indexed: true }),
			field("text", "text"),
			field("author", "string"),
			field("near", "integer"),
		],
	});
	for (const [one, other] of [
		["author", "people"],
		["near", "posts"],
	])
		await ask("POST", "/relations", {
			collection: "posts",
			field: one,
			related_collection: other,
			schema: {},
		});
	await many(ask, "posts", "terms", "terms");
	await many(ask, "posts", "tags", "tags");
	await insert(ask);
}

// Inserts the rows of relations by separate requests: nested in the posts they would take minutes.
async function insert(ask) {
	const some = async (collection, all) => {
		for (let i = 0; i < all.length; i += 200)
			await ask("POST", `/items/${collection}?fields=id`, all.slice(i, i + 200));
	};

	await some(
		"posts",
		posts().map(({ number: id, title, kind, year, text, author, near }) => ({
			id,
			title,
			kind,
			year,
			text,
			author,
			near: near === id ? null : near,
		})),
	);
	await some(
		"posts_terms",
		posts().flatMap(({ number: id, terms }) => terms.map((term) => ({ posts_id: id, terms_id: term }))),
	);
	await some(
		"posts_tags",
		posts().flatMap(({ number: id, tags }) => tags.map((tag) => ({ posts_id: id, tags_id: tag }))),
	);
}

export function rows() {
	const list = (query = "") => ({
		path: `/items/posts?limit=50&fields=id,title,kind,year,text,author,near${query}`,
	});
	const where = (filter) => `&filter=${encodeURIComponent(JSON.stringify(filter))}`;
	const search = (word) => ({ path: `/items/posts?limit=20&search=${word}` });
	const term = { terms: { terms_id: { _eq: "t1" } } },
		tag = { tags: { tags_id: { _eq: "g1" } } };

	return {
		token: TOKEN,
		item: { path: "/items/posts/%d?fields=id,title,kind,year,text,author,near#10000+10000" },
		list: list(),
		total: list("&meta=filter_count"),
		filter: list(where({ kind: { _eq: "news" } })),
		term: list(where(term)),
		terms: list(where({ _and: [term, tag] })),
		include: list(",terms.terms_id.*,tags.tags_id.*,author.*,near.*"),
		order: list("&sort=-year,kind"),
		common: search(COMMON),
		rare: search(RARE),
		create: { method: "POST", path: "/items/posts", body: newPost },
		update: { method: "PATCH", path: "/items/posts/%d#10000+10000", body: { title: "Changed %d" } },
	};
}
