// large.mjs - how long the list of a collection of a million items takes from a click to its rows, painted (make bench-admin).
// BENCH_ITEMS (1,000,000) is how many; each way of showing 50 rows is gone TIMES times, and its 95th percentile has a goal.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Person } from "../browser/people.mjs";
import { maker } from "./site.mjs";
import { setUp } from "./tour.mjs";

const HOME = "/_cms/admin", LIST = `${HOME}/collections/articles`;
const ITEMS = Number(process.env.BENCH_ITEMS ?? 1_000_000), TIMES = 20;
const GOAL = 100; // ms

/** The file that `stet import jsonl` takes: the oldest eighth, 1,250 at most, are news. */
function writeItems(file) {
	const out = fs.openSync(file, "w"), old = Math.min(ITEMS / 8, 1250);
	let lines = [];

	for (let i = 0; i < ITEMS; i++) {
		lines.push(JSON.stringify({ slug: `item-${i}`, status: "published", data: { title: `Item ${(i * 7919) % ITEMS}`, kind: i < old ? "news" : "note", year: 1950 + (i % 70) } }));
		if (lines.length === 10_000 || i === ITEMS - 1) {
			fs.writeSync(out, `${lines.join("\n")}\n`);
			lines = [];
		}
	}
	fs.closeSync(out);
}

async function fill(ann, { daemon, work }) {
	const made = maker(ann);
	const file = path.join(work, "items.jsonl");

	await made("POST", "/schema/collections", { slug: "articles", label: "Articles", labelSingular: "Article", supports: ["drafts"] });
	for (const field of [{ slug: "title", type: "string", indexed: true }, { slug: "kind", type: "select", indexed: true, validation: { options: ["news", "note"] } }, { slug: "year", type: "integer", indexed: true }])
		await made("POST", "/schema/collections/articles/fields", { label: field.slug, ...field });
	writeItems(file);
	await daemon.stetBeside("import", "jsonl", file, "--collection", "articles");
	fs.rmSync(file);
}

// In the page: clicks, and says after how many ms other rows than before are there and painted.
const showRows = async ({ click, href, rows }) => {
	const first = () => document.querySelector("tbody tr .c-title a")?.getAttribute("href") ?? "";
	const before = first();
	let link = click && document.querySelector(click);

	if (href) {
		link = document.body.appendChild(Object.assign(document.createElement("a"), { href }));
		link.hidden = true;
	}
	// Who clicks has seen a page that stands still.
	for (let i = 0; i < 3; i++)
		await new Promise((then) => { requestIdleCallback(then); });
	const begun = performance.now();
	link.click();
	while (document.querySelectorAll("tbody tr").length !== rows || first() === before)
		await new Promise((then) => { requestAnimationFrame(then); });
	const channel = new MessageChannel();
	await new Promise((then) => {
		channel.port1.onmessage = then;
		requestAnimationFrame(() => channel.port2.postMessage(0));
	});
	if (href)
		link.remove();
	return performance.now() - begun;
};

export async function runLarge({ report, browser, newSite }) {
	const site = await newSite("large"), ann = await Person.sit(browser, site.origin), { page } = ann;
	const asked = [];
	const home = async () => {
		await page.click(".side .brand");
		await ann.arrives(HOME);
		await ann.has("tbody tr .c-title", 0);
	};
	const list = async () => {
		await home();
		await page.evaluate(showRows, { click: `.side a[href="${LIST}"]`, rows: 50 });
	};

	try {
		await page.setViewport({ width: 1280, height: 900 });
		await setUp(ann, site.daemon);
		await fill(ann, site);
		await ann.open(HOME);
		await ann.has(".side .brand", 1);
		page.on("request", (request) => request.url().includes("/_cms/api/") && asked.push(request.url()));
		for (const [name, from, act] of [
			["the list, from the menu", home, { click: `.side a[href="${LIST}"]` }],
			["its next page", list, { click: "[data-next]" }],
			["in the order of its titles", list, { click: "thead .c-title button" }],
			["of one kind, which the oldest 1,250 are", list, { href: `${LIST}?f.kind=news` }],
			["of a year", list, { href: `${LIST}?f.year.gte=1960&f.year.lte=1960` }],
			["with words of a title", list, { href: `${LIST}?q=Item+77`, isSlow: true }],
		])
			await report.test(`large: 50 rows of ${ITEMS} items, ${name}`, async () => {
				const times = [];

				for (let i = 0; i < TIMES; i++) {
					await from();
					asked.length = 0;
					times.push(await page.evaluate(showRows, { rows: 50, ...act }));
				}
				times.sort((a, b) => a - b);
				const at = (p) => times[Math.ceil(TIMES * p) - 1];
				report.note(`p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, most ${at(1).toFixed(0)} ms; ${asked.length} requests to the API`);
				assert.ok(act.isSlow || at(0.95) <= GOAL, `more than ${GOAL} ms`);
			});
	} finally {
		await ann.leave();
		await site.end();
	}
}
