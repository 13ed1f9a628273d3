// imported.mjs - sites that "stet import" has made, built by the starters: no block and no link of theirs may be lost.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDaemon } from "../mcp/daemon.mjs";
import { Built } from "./built.mjs";
import * as exports from "./exports.mjs";
import { administrator, buildStarter, builderToken, makeComments, starters } from "./web.mjs";

const given = process.env.STARTER_WXR ?? path.join(process.env.STET_SOURCE, "../shared/data/theme-unit-test.wxr.xml");

// A token without the right to read definitions.
const readerToken = (daemon) => daemon.token("content:read,media:read");

// Lines that the build has to print for each site, as patterns.
const sites = [
	{
		name: "WordPress",
		words: exports.wordpress,
		says: [
			/leads to no page of the site: \/gone/,
			/item of the menu leads nowhere: Lost/,
			/taken out of HTML: <script>/,
			/the address \/search\/ is taken/,
		],
	},
	{ name: "Ghost", words: exports.ghost, says: [] },
	{
		name: "Markdown",
		words: exports.markdown,
		says: [
			/leads to no page of the site: \/posts\/gone/,
			/shortcode chart/,
			/schema: the token may not read this/,
		],
		token: readerToken,
	},
	{
		name: "a theme's test data",
		words: () => ["wxr", given, "--no-media"],
		says: [],
		loses: true, // a gallery names a picture that the export does not have
		isThere: fs.existsSync(given),
	},
];

// Returns the keys of the blocks in a value, and of everything else that has an element of its own.
function keysOf(value, name = "") {
	if (Array.isArray(value)) return value.flatMap((one) => keysOf(one, name));
	if (
		value === null ||
		typeof value !== "object" ||
		["children", "markDefs", "links", "rows", "asset"].includes(name)
	)
		return [];
	const isOfText = ["footnote", "tableCell"].includes(value._type);
	return [
		...(value._type && value._key ? [value._key] : []),
		...Object.entries(value).flatMap(([member, one]) =>
			isOfText && member === "content" ? [] : keysOf(one, member),
		),
	];
}

async function itemsOf(ask) {
	const { items: collections } = await ask("GET", "/schema/collections");
	const all = [];

	for (const { slug } of collections)
		for (let cursor = ""; cursor !== undefined; ) {
			const more = cursor && `&cursor=${encodeURIComponent(cursor)}`;
			const page = await ask("GET", `/content/${slug}?status=published&limit=100${more}`);
			all.push(...page.items);
			cursor = page.nextCursor;
		}
	return all;
}

async function testBuilt(test, report, { name, says }, starter, items, build) {
	const built = new Built(starter.dist);
	const of = `${name}, ${starter.name}`;
	let output = "";

	await test(`${of}: the starter builds it`, () => {
		output = build();
	});
	const texts = new Map(
		built.pages().map((page) => {
			const html = built.read(page);
			return [/<article data-item="(\w+)"/.exec(html)?.[1], html];
		}),
	);
	await test(`${of}: no block of ${items.length} items is lost`, () => {
		let count = 0;
		assert.ok(items.length > 2);
		for (const item of items) {
			const html = texts.get(item.id);
			assert.ok(html, `${item.type}/${item.slug} has no page`);
			const found = [...html.matchAll(/ data-key="([^"]*)"/g)].map((one) => one[1]);
			const wanted = keysOf(Object.values(item.data));
			assert.deepEqual(found.sort(), wanted.sort(), `${item.type}/${item.slug}`);
			count += wanted.length;
		}
		report.note(`${count} blocks`);
	});
	await test(`${of}: no link inside the site is broken`, () => report.note(`${built.assertLinks()} links`));
	if (name === "Ghost")
		await test(`${of}: headings of texts leave no step out`, () => {
			// An h4 of Ghost, below an h2.
			assert.match(built.read("blog/one/index.html"), /<h3 data-key="\w+">A question<\/h3>/);
		});
	if (name === "WordPress")
		await test(`${of}: the front page of another language has the name of the site, not words in the first`, () => {
			assert.match(built.read("index.html"), /<h1[^>]*>Twelve kinds of ink</);
			const front = built.read("fr/index.html");
			assert.match(front, /<html lang="fr"[^]*<h1[^>]*>Old &amp; good</);
			assert.doesNotMatch(front, /Twelve kinds/);
			// What is like an item is of its language.
			assert.doesNotMatch(built.read("blog/bonjour/index.html"), /<aside/);
		});
	if (name === "WordPress")
		await test(`${of}: what scrolls has the focus, and an empty cell is no heading`, () => {
			const page = built.read("blog/first/index.html");
			assert.match(page, /<pre tabindex="0"[^>]*><code>if \(a &lt; b\)/);
			assert.match(page, /<figure tabindex="0" class="table"[^>]*><table><thead><tr><td><\/td><th/);
		});
	if (name === "WordPress")
		await test(`${of}: old addresses lead to their pages`, () => {
			assert.match(built.read("_redirects"), /^\/2024\/05\/second\/ \/blog\/second\/ 301$/m);
			assert.match(built.read("2024/05/second/index.html"), /url=\/blog\/second\/"/);
			assert.doesNotMatch(built.read("_redirects"), /^\/about\//m);
			// An address with a name that no file can have, and one below a file, get no page, but a line
			// in the output.
			assert.match(built.read("plain.html"), /url=\/blog\/second\/"/);
			assert.match(built.read("_redirects"), /^\/plain\.html\/below\/ /m);
			assert.match(built.read("_redirects"), /^\/2024\/05\/(long-){60}\/ /m);
		});
	if (name === "Markdown")
		await test(`${of}: the other language has its front page`, () => {
			const front = built.read("fr/index.html");
			assert.match(front, /<html lang="fr"[^]*href="\/posts\/deux\/">Deux/);
			// In its language are the texts of the starter, too, and its menu leads to pages of it.
			for (const text of ["Aller au contenu", ">Recherche<", ">3 février 2024<", 'href="/fr/posts/"'])
				assert.ok(front.includes(text), text);
			assert.doesNotMatch(front, /href="\/posts\/">|>Search</);
			assert.doesNotMatch(front, />Two</);
			assert.doesNotMatch(built.read("index.html"), />Deux</);
			// It has its own search, which finds its items, and its part of the page for what is not there.
			assert.match(front, /href="\/fr\/search\/"/);
			assert.match(built.read("fr/search/index.html"), /<html lang="fr"[^]*>Recherche</);
			assert.match(built.read("404.html"), /lang="fr"[^]*href="\/fr\/search\/"/);
		});
	await test(`${of}: the build says what it could not show`, () => {
		const lines = output.split("\n").filter((line) => line.includes("[told]"));
		report.note(lines.join("\n") || "nothing");
		for (const pattern of says)
			assert.ok(
				lines.some((line) => pattern.test(line)),
				`${pattern}`,
			);
	});
}

const longest = (items) =>
	items.toSorted((a, b) => keysOf(Object.values(b.data)).length - keysOf(Object.values(a.data)).length);
const wordOf = (items) =>
	/\p{L}{4,}/u.exec(
		longest(items)
			.map((one) => one.data.title)
			.join(" "),
	)[0];

// What readers see of comments and search, in an imported site: comments of the item with most blocks.
async function prepare(daemon, ask, items) {
	const [item] = longest(items);

	await makeComments(daemon, ask, item);
	for (const collection of new Set(items.map((one) => one.type)))
		await ask("POST", "/search/enable", { collection, enabled: true });
	daemon.stet("search", "public", "all");
}

const buildersOf = (site) => starters.filter(({ only = site }) => only === site);

async function testSite(test, report, site, web, auditor) {
	const { name, words, loses, token = builderToken } = site;
	const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-starter-"));
	const daemon = await startDaemon({
		build: process.env.STET_BUILD,
		work,
		origin: "http://127.0.0.1",
		more: `    locales = { "en", "fr" }\n    cors-origins = { "${web.origin}" }\n`,
	});

	try {
		await test(`${name}: is imported`, () => {
			try {
				daemon.stet("import", ...words(work));
			} catch (error) {
				// An import that reports a loss exits with 1.
				assert.ok(loses && error.status === 1, error.stderr);
			}
		});
		const ask = administrator(daemon);
		const items = await itemsOf(ask);
		if (auditor) await prepare(daemon, ask, items);
		if (name === "WordPress") {
			const data = { title: "Bonjour" };
			await ask("POST", "/content/posts", {
				locale: "fr",
				slug: "bonjour",
				status: "published",
				data,
			});
		}
		const more = { STET_KEYS: "yes", OLD_HOSTS: "old.example" };
		for (const starter of buildersOf(name)) {
			await testBuilt(test, report, site, starter, items, () =>
				buildStarter(starter, daemon, token(daemon), "https://www.example.org", more),
			);
			web.shown = starter;
			await auditor?.look(test, {
				name: `${name}, ${starter.name}`,
				starter: starter.name,
				site: name,
				built: new Built(starter.dist),
				origin: web.origin,
				word: wordOf(items),
			});
		}
	} finally {
		await daemon.stop();
		fs.rmSync(work, { recursive: true, force: true });
	}
}

export async function testImported(test, report, web, auditor) {
	for (const site of sites)
		if (site.isThere === false)
			report.note(`skipped: ${site.name}, which is not there (STARTER_WXR names it)`);
		else if (buildersOf(site.name).length > 0) await testSite(test, report, site, web, auditor);
}
