// main.mjs - the starters of etc/starters, built with the demo site (etc/site) on a daemon of the build tree (web.mjs), and
// looked at in Chromium.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startDaemon } from "../mcp/daemon.mjs";
import { newReport } from "../mcp/report.mjs";
import { startAuditor } from "./audit.mjs";
import { Built } from "./built.mjs";
import { testImported } from "./imported.mjs";
import { administrator, buildStarter, fillDemo, makeComments, serve, starters } from "./web.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const report = newReport();
const test = (name, run) => report.test(name, run);

const web = await serve();
const auditor = await startAuditor(report);
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

/** A block of a type that the site defines. */
const recipe = (also) => ({
	_type: "recipe",
	_key: "own",
	portions: 4,
	hot: false,
	hint: "Stir <slowly>",
	also,
	steps: [{ step: "Peel" }, { step: "Cook" }],
});

async function defineRecipe(ask) {
	const field = (slug, label, type, more) => ({ slug, label, type, ...more });

	await ask("POST", "/schema/blocks", {
		slug: "recipe",
		label: "Recipe",
		fields: [
			field("portions", "Portions & more", "integer"),
			field("hot", "Hot", "boolean"),
			field("hint", "Hint", "string"),
			field("also", "See also", "reference", { options: { collection: "posts" } }),
			field("steps", "Steps", "repeater", {
				validation: { subFields: [{ slug: "step", label: "Step", type: "string" }] },
			}),
		],
	});
}

// A collection with a field of each type, and one that has no pages.
async function makeThings(ask) {
	const text = (words) => [{ _type: "block", _key: "k", children: [{ _type: "span", text: words }] }];
	const fields = [
		["name", "string", "The <thing>"],
		["teaser", "text", "More words"],
		["body", "portableText", [...text("The body"), recipe(posts[0].id)]],
		["notes", "portableText", text("Some notes")],
		["count", "integer", 12],
		["weight", "number", 1.5],
		["done", "boolean", false],
		["day", "datetime", "2024-02-29T10:00:00.000Z"],
		["kind", "select", "round", { validation: { options: ["round", "flat"] } }],
		["tones", "multiSelect", ["red", "blue"], { validation: { options: ["red", "blue"] } }],
		["web", "url", "https://example.net/thing"],
		["also", "reference", posts[0].id, { options: { collection: "posts" } }],
		[
			"picture",
			"image",
			{ id: "", provider: "external", src: "https://pictures.example/1.jpg", alt: "One" },
		],
		[
			"second",
			"image",
			{ id: "", provider: "external", src: "https://pictures.example/2.jpg", alt: "Two" },
		],
		[
			"sheet",
			"file",
			{ id: "", provider: "external", src: "https://pictures.example/s.pdf", filename: "Sheet" },
		],
		["extra", "json", { a: 1 }],
		[
			"steps",
			"repeater",
			[{ what: "First step" }],
			{ validation: { subFields: [{ slug: "what", label: "What", type: "string" }] } },
		],
	];

	for (const slug of ["things", "hints"])
		await ask("POST", "/schema/collections", { slug, label: slug, routable: slug === "things" });
	await ask("POST", "/schema/collections/hints/fields", { slug: "title", label: "Title", type: "string" });
	for (const [slug, type, , more] of fields)
		await ask("POST", "/schema/collections/things/fields", {
			slug,
			label: `Label of ${slug}`,
			type,
			...more,
		});
	const data = Object.fromEntries(fields.map(([slug, , value]) => [slug, value]));
	await ask("POST", "/content/things", { slug: "one", status: "published", data });
	await ask("POST", "/content/hints", { slug: "hint", status: "published", data: { title: "A hint" } });
}

let posts, draft;

// Waits for the page's own script, which shows the form.
const WRITER = `
	const wait = setInterval(() => {
		const form = document.querySelector("form[data-comments]");
		const values = { authorName: "Di", authorEmail: "di@example.net", body: "From a browser" };
		if (form.hidden) return;
		clearInterval(wait);
		for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
		document.querySelector("button[data-reply]").click();
		form.requestSubmit();
	}, 50);`;

// Checks the comments that readers see, and sends one from a browser.
async function testComments(starter, built) {
	const page = built.read(`posts/${posts[0].slug}/index.html`);
	const { sendComment } = await import(
		pathToFileURL(path.join(starter.room, "node_modules/@stet/model/dist/browser.js"))
	);
	const action = /<form data-comments[^>]* action="([^"]*)"/.exec(page)[1];
	const good = { authorName: "Cy", authorEmail: "cy@example.net", body: "Sent" };

	assert.match(built.read(`posts/${posts[1].slug}/index.html`), /<h2 id="comments">Write a comment<\/h2><form/);
	for (const text of ["2 comments", "<b>Ann</b>", "First &lt;b&gt;", "<b>Bo</b>", "An answer"])
		assert.ok(page.includes(text), text);
	assert.ok(page.indexOf("First &lt;b&gt;") < page.indexOf("An answer"));
	assert.doesNotMatch(page, /ann@example|Waits/);
	assert.equal((await sendComment(action, good)).state, "stored");
	assert.equal((await sendComment(action, { ...good, website_url: "https://spam.example" })).state, "stored");
	assert.deepEqual(await sendComment(action, { ...good, authorName: "" }), {
		state: "refused",
		message: "Please give your name.",
		field: "authorName",
	});
	assert.match((await sendComment(`${action}x`, good)).message, /takes no comments any more/);
	assert.match((await sendComment("http://127.0.0.1:9/posts/1", good)).message, /could not be sent/);
}

// The texts that pages have of their own: what is not in the table of a language would be seen in another one.
async function testPhrases(starter) {
	const module = (name) => import(pathToFileURL(path.join(starter.room, "node_modules/@stet/model/dist", name)));
	const { commentsHtml, day, directionOf, phrasesOf, put } = await module("index.js");
	const english = phrasesOf("en");

	await test("texts of pages are in the language of the page, or else in English", () => {
		for (const locale of ["de", "fr", "es"]) {
			const own = phrasesOf(locale);
			assert.equal(own.lang, locale);
			assert.deepEqual(Object.keys(own), Object.keys(english));
			const braces = (all) => Object.values(all).map((one) => one.match(/\{\w+\}/g)?.sort());
			assert.deepEqual(braces(own), braces(english));
		}
		assert.equal(phrasesOf("de-AT").search, "Suche");
		assert.equal(phrasesOf("pt").search, "Search");
		assert.equal(phrasesOf("constructor").lang, "en");
		assert.equal(put(phrasesOf("fr").pageOf, { n: 2, count: 3 }), "Page 2 sur 3");
		assert.deepEqual(["ar", "he-IL", "arn", "en"].map(directionOf), ["rtl", "rtl", "ltr", "ltr"]);
		assert.equal(day("2024-03-01T10:00:00.000Z", "de"), "1. März 2024");
	});
	await test("so are those of comments and scripts", async () => {
		const comments = { open: true, count: 1234, threads: [], action: "https://a.example/1" };
		assert.match(commentsHtml(comments, "de"), />1\.234 Kommentare<.* lang="de"[^]*>Absenden</);
		assert.match(commentsHtml({ ...comments, count: 1 }, "pt"), />1 comment<.* lang="en"/);
		const { resultsText, sendComment } = await module("browser.js");
		const said = async (lang) => {
			globalThis.document = { documentElement: { lang } };
			return [
				resultsText(1),
				resultsText(0),
				(await sendComment("http://127.0.0.1:9/a/1", {})).message,
			];
		};
		assert.deepEqual(await said("fr-CA"), [
			"1 résultat",
			"0 résultat",
			"Le commentaire n’a pas pu être envoyé. Réessayez plus tard.",
		]);
		assert.match((await said("it")).join(), /^1 result,0 results,The comment/);
		delete globalThis.document;
	});
}

async function testStarter(starter, ask, token) {
	const built = new Built(starter.dist);
	const named = (name, run) => test(`${starter.name}: ${name}`, run);

	let output = "";
	web.shown = starter;
	await named("the starter builds with the demo site", () => {
		output = buildStarter(starter, daemon, token, "https://www.example.org");
	});
	// Next checks the types itself before it builds.
	if (starter.name === "astro")
		await named("its modules are typed", () => {
			const tsc = path.join(process.env.STET_BUILD, "client/node_modules/typescript/bin/tsc");
			const words = [tsc, "--noEmit", "-p", starter.room];
			const checked = spawnSync(process.execPath, words, { encoding: "utf8" });
			assert.equal(checked.status, 0, checked.stdout);
		});
	await named("it has a page for each post, and the token is in none of its files", () => {
		assert.ok(posts.length > 2);
		for (const post of posts)
			assert.ok(
				built
					.read(`posts/${post.slug}/index.html`)
					.includes(
						post.data.title
							.replaceAll("&", "&amp;")
							.replaceAll("'", "&#39;")
							.slice(0, 5),
					),
				post.slug,
			);
		for (const name of built.files(".html", ".js", ".xml")) {
			assert.ok(!built.read(name).includes(token), name);
			assert.ok(!built.read(name).includes("Not yet"), name);
		}
	});
	await named("it shows a field of each type, and says what it does not show", () => {
		const page = built.read("things/one/index.html").replace(/\s+/g, " ");
		const shown = [
			"<h1>The &lt;thing&gt;</h1>",
			"<p>The body</p>",
			"<h2>Label of notes</h2>",
			"<p>Some notes</p>",
			"<dt>Label of count</dt><dd>12",
			"1.5",
			"<dt>Label of done</dt><dd>No",
			"February 29, 2024",
			"round",
			"red, blue",
			'<a href="https://example.net/thing"',
			`<a href="/posts/${posts[0].slug}/">`,
			"https://pictures.example/1.jpg",
			"https://pictures.example/2.jpg",
			'<a href="https://pictures.example/s.pdf">Sheet</a>',
			"First step",
		];

		assert.deepEqual(
			shown.filter((one) => !page.includes(one)),
			[],
		);
		assert.match(output, /a field of JSON is not shown: things\.extra/);
		assert.match(output, /hints: items have no pages/);
		assert.ok(built.has("things/index.html"));
	});
	await named("a block of the site's own is shown with the names of its fields, in words of the page", () => {
		const page = built.read("things/one/index.html").replace(/\s+/g, " ");
		const [own] = page.match(/<dl class="own recipe".*?(?=<h2|<\/article|<\/main)/) ?? [];

		for (const one of [
			"<dt>Portions &amp; more</dt><dd>4</dd>",
			"<dt>Hot</dt><dd>No</dd>",
			"<dt>Hint</dt><dd>Stir &lt;slowly&gt;</dd>",
			`<dt>See also</dt><dd><a href="/posts/${posts[0].slug}/"`,
			"<dl><dt>Step</dt><dd>Peel</dd></dl><dl><dt>Step</dt><dd>Cook</dd></dl>",
		])
			assert.ok(own?.includes(one), `${one} in ${own}`);
		assert.doesNotMatch(output, /recipe/, "nothing about it is told as unknown");
	});
	await named("each link of the site leads to a page of it", () => {
		assert.ok(built.assertLinks() > posts.length * 3);
	});
	await named("it has a page for what does not exist, and loads nothing from others", () => {
		assert.match(built.read("404.html"), /<h1[^>]*>Page not found/);
		for (const page of ["404.html", "index.html", "search/index.html"])
			assert.doesNotMatch(
				built.read(page),
				/<(?:script|img|iframe|link rel="(?:stylesheet|preload|icon)")[^>]* (?:src|href)="(?:https?:)?\/\//,
			);
	});
	await named("it shows comments, and new ones can be sent", () => testComments(starter, built));
	await named("its feed has each post, as escaped HTML", () => {
		const feed = built.read("feed.xml");
		assert.equal(feed.match(/<entry>/g).length, posts.length);
		assert.match(feed, /<id>https:\/\/www\.example\.org\/posts\//);
		assert.match(feed, /<content type="html">&lt;p&gt;/);
	});
	if (!fs.existsSync(CHROMIUM))
		report.note("skipped: what is looked at in Chromium, which is not there (CHROMIUM names another)");
	else {
		await named("search finds a post in the browser", async () => {
			const page = await look("/search/?q=backwards");
			assert.match(page, /<a href="\/posts\/read-it-backwards\/">/);
			assert.match(page, /role="status"[^>]*>\d+ results?</);
		});
		await named("a comment is written where scripts run", async () => {
			const page = built.read(`posts/${posts[0].slug}/index.html`);
			assert.match(page, /<form data-comments[^>]* hidden/);
			// The same page, on which a reader fills in the form.
			fs.mkdirSync(path.join(starter.dist, "try"), { recursive: true });
			fs.writeFileSync(
				path.join(starter.dist, "try/index.html"),
				page.replace("</body>", `<script type="module">${WRITER}</script></body>`),
			);
			const after = await look("/try/");
			assert.match(after, /will be shown when it has been read/);
			assert.doesNotMatch(after, /<textarea/);
		});
		await named("a preview link shows a draft, and a wrong one does not", async () => {
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
		await named("the preview link of a release shows what it changes, with its items", async () => {
			const { release } = await ask("POST", "/releases", {
				name: "Spring <b>",
				add: [
					{ type: "item", collection: "posts", item: draft.id },
					{ type: "item", collection: "posts", item: posts[0].id, action: "unpublish" },
				],
			});
			const path = `/releases/${release.id}`;
			try {
				const { url: link } = await ask("POST", `${path}/preview-links`, {});
				const { pathname, search } = new URL(link);
				const page = await look(pathname + search);
				assert.match(page, /<h1[^>]*>Spring &lt;b&gt;<\/h1>/);
				assert.match(
					page,
					/<h2>Not yet &lt;b&gt;<\/h2><p class="meta">New<\/p>.*?Words of the draft/s,
				);
				assert.match(page, /<h2><del>[^<]+<\/del><\/h2><p class="meta">Removed<\/p>/);
				assert.match(
					await look(`${pathname}${search}x`),
					/<h1[^>]*>This preview is not valid any more/,
				);
			} finally {
				await ask("DELETE", path);
			}
		});
	}
}

try {
	const ask = administrator(daemon),
		token = await fillDemo(daemon, ask);
	const body = [{ _type: "block", _key: "d", children: [{ _type: "span", text: "Words of the draft" }] }];
	draft = (await ask("POST", "/content/posts", { data: { title: "Not yet <b>", summary: "Secret", body } })).item;
	({ items: posts } = await ask("GET", "/content/posts?status=published&limit=100&orderBy=publishedAt"));
	await defineRecipe(ask);
	await makeThings(ask);
	await makeComments(daemon, ask, posts[0]);

	await testPhrases(starters[0]);
	for (const starter of starters) await testStarter(starter, ask, token);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	await test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
if (process.env.STARTER_DEMO === undefined) await testImported(test, report, web, auditor);
await auditor?.close();
web.close();
report.end();
