// peers-emdash.mjs - EmDash with the posts, in an Astro site of its own that is built for production (Node's adapter).
//
// Its REST API does not filter by fields or terms: a site calls the function getEmDashCollection for
// that. So these rows request a route of the site (list.json) that returns the result of the function.
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import { COMMON, newPost, PEOPLE, posts, RARE, TAGS, TERMS } from "./peers-data.mjs";

const API = "/_emdash/api";
const TOKEN = `ec_pat_${crypto.randomBytes(24).toString("base64url")}`;
// EmDash's pages use this font family, which it would fetch from another host. Without it only these pages fail.
const FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
const FONTS = fs.existsSync(FONT)
	? `fonts: [{ provider: fontProviders.local(), name: "Sans", cssVariable: "--font-emdash", options: { variants: [{ src: ["${FONT}"], weight: "normal", style: "normal" }] } }],`
	: "";
const SITE = {
	// Of a package that lacks an export, the rest is built.
	"astro.config.mjs": `import node from "@astrojs/node";
import react from "@astrojs/react";
import { defineConfig, fontProviders } from "astro/config";
import emdash, { local } from "emdash/astro";
import { sqlite } from "emdash/db";

const bundle = { rolldownOptions: { shimMissingExports: true } };
export default defineConfig({
	output: "server",
	${FONTS}
	adapter: node({ mode: "standalone" }),
	vite: { build: bundle, optimizeDeps: { noDiscovery: true, ...bundle } },
	integrations: [
		react(),
		emdash({ fonts: false, database: sqlite({ url: "file:./data.db" }), storage: local({ directory: "./uploads", baseUrl: "/_emdash/api/media/file" }) }),
	],
});
`,
	"src/live.config.ts": `import { defineLiveCollection } from "astro:content";
import { emdashLoader } from "emdash/runtime";

export const collections = { _emdash: defineLiveCollection({ loader: emdashLoader() }) };
`,
	"src/pages/list.json.ts": `import { getEmDashCollection } from "emdash";

export const prerender = false;
export async function GET({ url }) {
	const { entries, error } = await getEmDashCollection("posts", { limit: 50, ...JSON.parse(url.searchParams.get("ask") ?? "{}") });

	return error ? new Response(String(error), { status: 500 }) : Response.json({ entries });
}
`,
};

export const name = "EmDash";
export const version = ({ dir }) =>
	JSON.parse(fs.readFileSync(`${dir}/emdash/node_modules/emdash/package.json`, "utf8")).version;

// Builds the site if it is missing, which takes half a minute.
function build({ dir, node }) {
	const room = `${dir}/emdash`,
		what = JSON.stringify([SITE, version({ dir })]),
		mark = `${room}/built.json`;

	if (fs.existsSync(mark) && fs.readFileSync(mark, "utf8") === what) return;
	fs.mkdirSync(`${room}/src/pages`, { recursive: true });
	for (const [file, text] of Object.entries(SITE)) fs.writeFileSync(`${room}/${file}`, text);
	execFileSync(node, ["node_modules/astro/bin/astro.mjs", "build"], {
		cwd: room,
		env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
		stdio: "pipe",
		timeout: 600_000,
	});
	fs.writeFileSync(mark, what);
}

// Fills the site by "emdash seed". Inserts the token by SQL, since the first user can only be made with a passkey in a
// browser.
export function prepare({ dir, work, node }) {
	const terms = (words) => words.map((slug) => ({ slug, label: slug }));
	const field = (slug, type, more) => ({ slug, label: slug, type, ...more });

	build({ dir, node });
	fs.writeFileSync(
		`${work}/seed.json`,
		JSON.stringify({
			version: "1",
			settings: { title: "Bench" },
			collections: [
				{
					slug: "posts",
					label: "Posts",
					labelSingular: "Post",
					supports: ["drafts", "revisions", "search"],
					fields: [
						field("title", "string", { searchable: true }),
						field("kind", "string"),
						field("year", "integer"),
						field("text", "text", { searchable: true }),
					],
				},
			],
			taxonomies: [
				{
					name: "category",
					label: "Categories",
					hierarchical: true,
					collections: ["posts"],
					terms: terms(TERMS),
				},
				{
					name: "tag",
					label: "Tags",
					hierarchical: false,
					collections: ["posts"],
					terms: terms(TAGS),
				},
			],
			bylines: PEOPLE.map((id) => ({ id, slug: id, displayName: id })),
			content: {
				posts: posts().map((one) => ({
					id: one.slug,
					slug: one.slug,
					status: "published",
					data: { title: one.title, kind: one.kind, year: one.year, text: one.text },
					taxonomies: { category: one.terms, tag: one.tags },
					bylines: [{ byline: one.author }],
				})),
			},
		}),
	);
	execFileSync(
		node,
		[
			`${dir}/emdash/node_modules/emdash/dist/cli/index.mjs`,
			"seed",
			`${work}/seed.json`,
			"--database",
			`${work}/data.db`,
			"--cwd",
			work,
		],
		{ stdio: "pipe", timeout: 600_000 },
	);
	execFileSync("sqlite3", [
		`${work}/data.db`,
		`
		INSERT INTO users (id, email, name, role, email_verified) VALUES ('01BENCH0000000000000000000', 'bench@example.org', 'Bench', 50, 1);
		INSERT INTO _emdash_api_tokens (id, name, token_hash, prefix, user_id, scopes) VALUES ('01BENCH0000000000000000001', 'bench',
			'${crypto.createHash("sha256").update(TOKEN).digest("base64url")}', '${TOKEN.slice(0, 11)}', '01BENCH0000000000000000000', '["admin"]');
		INSERT OR REPLACE INTO options (name, value) VALUES ('emdash:setup_complete', 'true')`,
	]);
}

export const command = ({ dir, work, port, node }) => ({
	program: node,
	words: [`${dir}/emdash/dist/server/entry.mjs`],
	cwd: work,
	env: { ...process.env, HOST: "127.0.0.1", PORT: String(port), NODE_ENV: "production" },
});

export async function fill() {}

export function rows() {
	const list = (query) => ({ path: `/list.json?ask=${encodeURIComponent(JSON.stringify(query))}` });
	const search = (word) => ({ path: `${API}/search?q=${word}&collections=posts&limit=20` });

	return {
		token: `${TOKEN}\r\nAccept: application/json, text/event-stream`,
		item: { path: `${API}/content/posts/item-%d#10000+10000` },
		list: { path: `${API}/content/posts?status=published&limit=50` },
		total: { path: `${API}/content/posts?status=published&limit=50` },
		filter: list({ where: { kind: "news" } }),
		term: list({ where: { category: "t1" } }),
		terms: list({ where: { category: "t1", tag: "g1" } }),
		include: list({}),
		order: list({ orderBy: { year: "desc", kind: "asc" } }),
		common: search(COMMON),
		rare: search(RARE),
		create: { method: "POST", path: `${API}/content/posts`, body: { data: newPost } },
		update: {
			method: "PUT",
			path: `${API}/content/posts/item-%d#10000+10000`,
			body: { data: { title: "Changed %d" } },
		},
		mcp: {
			method: "POST",
			path: `${API}/mcp`,
			body: {
				jsonrpc: "2.0",
				id: 1,
				method: "tools/call",
				params: { name: "content_get", arguments: { collection: "posts", id: "item-10007" } },
			},
		},
	};
}
