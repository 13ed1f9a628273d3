// main.mjs - etc/starters/astro, built with the demo site (etc/site) on a daemon of the build tree (web.mjs), and
// looked at in Chromium.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startDaemon } from "../mcp/daemon.mjs";
import { newReport } from "../mcp/report.mjs";
import { administrator, buildStarter, dist, fillDemo, room, serve } from "./web.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const report = newReport();
const test = (name, run) => report.test(name, run);
const files = (ending) => fs.readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(ending));
const read = (name) => fs.readFileSync(path.join(dist, name), "utf8");

const web = await serve();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-starter-"));
const daemon = await startDaemon({
	build: process.env.STET_BUILD,
	work,
	origin: "http://127.0.0.1",
	more: `    cors-origins = { "${web.origin}" }\n`,
});

// Returns the HTML of a page after its scripts have run.
async function look(where) {
	const words = [
		"--headless=new",
		"--no-sandbox",
		"--disable-gpu",
		"--disable-dev-shm-usage",
		"--no-first-run",
		"--disable-background-networking",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		`--user-data-dir=${path.join(work, "browser")}`,
		"--virtual-time-budget=20000",
		"--dump-dom",
		`${web.origin}${where}`,
	];
	return (await promisify(execFile)(CHROMIUM, words, { timeout: 60_000, maxBuffer: 1 << 24 })).stdout;
}

// What Markdown and imports have beside the blocks of the editor, and a text that ends with its HTML.
const words = (text, ...marks) => ({ _type: "span", text, marks });
const paragraph = (text) => ({ _type: "block", style: "normal", children: [words(text)] });
const BLOCKS = [
	{ _type: "block", listItem: "number", level: 1, start: 3, checked: true, children: [words("Done")] },
	{
		_type: "block",
		style: "normal",
		children: [
			words("x", "superscript"),
			{ _type: "footnoteReference", label: "n" },
			{ _type: "math", tex: "a<b" },
		],
	},
	{
		_type: "table",
		hasHeaderRow: true,
		rows: [
			{ cells: [{ content: [words("H")] }] },
			{ cells: [{ align: "right", content: [words("c", "strong")] }] },
		],
	},
	{ _type: "callout", kind: "note", title: "Mind", content: [paragraph("In it")] },
	{ _type: "definitionList", items: [{ term: [paragraph("T")], content: [paragraph("D")] }] },
	{ _type: "footnote", label: "n", content: [words("Note")] },
	{ _type: "math", tex: "e = mc^2" },
	{ _type: "htmlBlock", html: "<p onclick='x'>Hi <script>bad()</script></p>" },
];
const BLOCKS_HTML =
	'<ol start="3"><li>☑ Done</li></ol><p><sup>x</sup><sup><a href="#note-n">n</a></sup><code>a&lt;b</code></p>' +
	'<table><tr><th>H</th></tr><tr><td align="right"><strong>c</strong></td></tr></table>' +
	'<aside class="note"><p><strong>Mind</strong></p><p>In it</p></aside><dl><dt>T</dt><dd><p>D</p></dd></dl>' +
	'<p id="note-n"><sup>n</sup> Note</p><pre><code>e = mc^2</code></pre><p> Hi   </p>';

let posts, draft;
try {
	const ask = administrator(daemon),
		token = await fillDemo(daemon, ask);
	draft = (await ask("POST", "/content/posts", { data: { title: "Not yet <b>", summary: "Secret", body: [] } }))
		.item;
	await ask("POST", "/content/posts", {
		slug: "blocks",
		status: "published",
		data: { title: "Blocks", summary: "All of them", body: BLOCKS },
	});
	({ items: posts } = await ask("GET", "/content/posts?status=published&limit=100&orderBy=publishedAt"));

	await test("the starter builds with the demo site", () =>
		buildStarter(daemon, token, "https://www.example.org"));
	await test("its modules are typed", () => {
		const tsc = path.join(process.env.STET_BUILD, "client/node_modules/typescript/bin/tsc");
		const checked = spawnSync(process.execPath, [tsc, "--noEmit", "-p", room], { encoding: "utf8" });
		assert.equal(checked.status, 0, checked.stdout);
	});
	await test("it has a page for each post, and the token is in none of its files", () => {
		assert.ok(posts.length > 2);
		for (const post of posts)
			assert.ok(
				read(`posts/${post.slug}/index.html`).includes(
					post.data.title.replaceAll("&", "&amp;").replaceAll("'", "&#39;").slice(0, 5),
				),
				post.slug,
			);
		for (const name of [...files(".html"), ...files(".js"), ...files(".xml")]) {
			assert.ok(!read(name).includes(token), name);
			assert.ok(!read(name).includes("Not yet"), name);
		}
	});
	await test("it shows the blocks of Markdown, and no HTML of an editor", () => {
		const page = read("posts/blocks/index.html");
		assert.ok(page.includes(BLOCKS_HTML), page);
	});
	await test("each link of the site leads to a page of it", () => {
		const seen = new Set();
		for (const name of files(".html"))
			for (const [, to] of read(name).matchAll(/href="(\/[^"#?]*)/g)) seen.add(to);
		assert.ok(seen.size > posts.length + 3, [...seen].join(" "));
		for (const to of seen) {
			const file = path.join(dist, to);
			assert.ok(fs.existsSync(path.extname(file) ? file : path.join(file, "index.html")), to);
		}
	});
	await test("its feed has each post, as escaped HTML", () => {
		const feed = read("feed.xml");
		assert.equal(feed.match(/<entry>/g).length, posts.length);
		assert.match(feed, /<id>https:\/\/www\.example\.org\/posts\//);
		assert.match(feed, /<content type="html">&lt;p&gt;/);
	});
	if (!fs.existsSync(CHROMIUM))
		report.note("skipped: what is looked at in Chromium, which is not there (CHROMIUM names another)");
	else {
		await test("search finds a post in the browser", async () => {
			const page = await look("/search/?q=backwards");
			assert.match(page, /<a href="\/posts\/read-it-backwards\/">/);
			assert.match(page, /role="status"[^>]*>\d+ results?</);
		});
		await test("a preview link shows a draft, and a wrong one does not", async () => {
			const { url: link } = await ask("POST", `/content/posts/${draft.id}/preview-url`, {
				pathPattern: "/preview/?collection={collection}&id={id}",
			});
			const { pathname, search } = new URL(link);
			assert.match(await look(pathname + search), /<h1[^>]*>Not yet &lt;b&gt;<\/h1>/);
			assert.match(
				await look(`${pathname}${search}x`),
				/<h1[^>]*>This preview is not valid any more/,
			);
		});
	}
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	web.close();
	await test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
