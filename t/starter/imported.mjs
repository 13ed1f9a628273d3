// imported.mjs - sites that "stet import" has made, built by the starter: no block and no link of theirs may be lost.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDaemon } from "../mcp/daemon.mjs";
import * as exports from "./exports.mjs";
import { administrator, buildStarter, builderToken, dist } from "./web.mjs";

const given = process.env.STARTER_WXR ?? path.join(process.env.STET_SOURCE, "../shared/data/theme-unit-test.wxr.xml");

// A token that reads no definitions.
const readerToken = (daemon) => daemon.token("content:read,media:read");

// What the build has to say of each: patterns of lines.
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

export const pages = () => fs.readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".html"));
export const read = (name) => fs.readFileSync(path.join(dist, name), "utf8");

// The keys of the blocks in a value: of all that has an element of its own.
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

/** Each link inside the site leads to a page or a file of it, and each anchor of a text is there. */
export function assertLinks() {
	const broken = [];
	let count = 0;

	for (const name of pages())
		for (const [, to] of read(name).matchAll(/ (?:href|src)="([^"]*)"/g)) {
			const href = to.replaceAll("&amp;", "&");
			if (href.startsWith("#") && href.length > 1) {
				if (!read(name).includes(` id="${href.slice(1)}"`) && /^#(fn|main)/.test(href))
					broken.push(`${name}: ${href}`);
				continue;
			}
			if (!/^\/(?!\/)/.test(href)) continue;
			const file = path.join(dist, decodeURIComponent(href.split(/[?#]/)[0]));
			count++;
			if (
				!fs.existsSync(
					path.extname(file) && !file.endsWith("/")
						? file
						: path.join(file, "index.html"),
				)
			)
				broken.push(`${name}: ${href}`);
		}
	assert.deepEqual(broken, []);
	return count;
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

async function testSite(test, report, { name, words, says, loses, token = builderToken }) {
	const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-starter-"));
	const daemon = await startDaemon({
		build: process.env.STET_BUILD,
		work,
		origin: "http://127.0.0.1",
		more: '    locales = { "en", "fr" }\n',
	});

	try {
		const ask = administrator(daemon);
		let output = "";

		await test(`${name}: is imported, and the starter builds it`, () => {
			try {
				daemon.stet("import", ...words(work));
			} catch (error) {
				// The status 1 of an import that tells of a loss.
				assert.ok(loses && error.status === 1, error.stderr);
			}
			output = buildStarter(daemon, token(daemon), "https://www.example.org", {
				STET_KEYS: "yes",
				OLD_HOSTS: "old.example",
			});
		});
		const items = await itemsOf(ask);
		const texts = new Map(
			pages().map((page) => [/<article data-item="(\w+)"/.exec(read(page))?.[1], read(page)]),
		);
		await test(`${name}: no block of ${items.length} items is lost`, () => {
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
		await test(`${name}: no link inside the site is broken`, () => report.note(`${assertLinks()} links`));
		if (name === "Markdown")
			await test(`${name}: the other language has its front page`, () => {
				assert.match(read("fr/index.html"), /<html lang="fr">[^]*href="\/posts\/deux\/">Deux/);
				assert.doesNotMatch(read("fr/index.html"), />Two</);
				assert.doesNotMatch(read("index.html"), />Deux</);
			});
		await test(`${name}: the build says what it could not show`, () => {
			const lines = output.split("\n").filter((line) => line.includes("[told]"));
			report.note(lines.join("\n") || "nothing");
			for (const pattern of says)
				assert.ok(
					lines.some((line) => pattern.test(line)),
					`${pattern}`,
				);
		});
	} finally {
		await daemon.stop();
		fs.rmSync(work, { recursive: true, force: true });
	}
}

export async function testImported(test, report) {
	for (const site of sites)
		if (site.isThere === false)
			report.note(`skipped: ${site.name}, which is not there (STARTER_WXR names it)`);
		else await testSite(test, report, site);
}
