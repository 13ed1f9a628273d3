// tour.mjs - from the setup link of a new site to an article that is published, illustrated, translated and found by
// search: the tasks of a first day, done with the pages alone. TOURS is the number of tours, each on a site of its own.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";
import { fileOf, png } from "./files.mjs";

const HOME = "/_cms/admin",
	LIST = `${HOME}/collections/articles`;
const TOURS = Number(process.env.TOURS ?? 1);
const LONGEST = 60; // s

const picture = png(320, 200, [
	[30, 60, 120],
	[240, 240, 250],
]);

export async function setUp(ann, daemon) {
	await ann.plugIn("internal");
	await ann.open(daemon.stet("setup-link"));
	await ann.arrives(`${HOME}/setup`);
	await ann.type("#title", "Slipstream");
	await ann.type("#name", "Ann Okafor");
	await ann.type("#email", "ann@slipstream.example");
	await ann.press("[data-begin]");
	await ann.arrives(HOME);
}

// The first door of a new site makes a blog, and leads to the draft of its first article.
export async function startBlog(ann) {
	const { page } = ann;
	let left = 2; // attempts that fail, at the menu

	// What fails half-way goes on where it stopped, by the door, and after the page was loaded again.
	await page.setRequestInterception(true);
	const fail = (request) =>
		request.method() === "POST" && request.url().endsWith("/menus") && left-- > 0
			? request.respond({
					status: 503,
					contentType: "application/json",
					body: '{"success": false, "error": {"code": "BUSY", "message": "The server is busy"}}',
				})
			: request.continue();
	page.on("request", fail);
	await ann.press("[data-blog]");
	await ann.reads(".note.wrong", /The server is busy/);
	await ann.press("[data-blog]");
	await ann.until("it has failed again", () => left === 0);
	await ann.open(HOME);
	await ann.reads(".note.heed:has([data-blog])", /not set up completely/);
	await ann.looks();
	// What somebody has done since stays.
	await ann.api("PUT", "/taxonomies/category", { collections: ["pages"] });
	await ann.api("POST", "/menus", { name: "main", label: "Main" });
	await ann.api("PUT", "/menus/main/items", {
		items: ["One", "Two"].map((label) => ({ type: "custom", label, customUrl: "/" })),
	});
	await ann.press("[data-blog]");
	await ann.until("the first article is open", () => /posts\/[0-9A-Z]{26}$/.test(ann.page.url()));
	await ann.has(".title", 1);
	page.off("request", fail);
	await page.setRequestInterception(false);
	assert.equal((await ann.api("GET", "/content/posts")).data.items.length, 1);
	const get = async (where) => (await ann.api("GET", where)).data;
	const { items } = await get("/schema/collections");
	assert.deepEqual(items.map((one) => one.slug).sort(), ["pages", "posts"]);
	assert.deepEqual(
		(await get("/menus/main")).items.map((one) => one.label),
		["One", "Two"],
	);
	assert.deepEqual((await get("/taxonomies/category")).taxonomy.collections.sort(), ["pages", "posts"]);
	assert.equal((await get("/taxonomies/category/terms")).terms.length, 1);
	assert.deepEqual(Object.keys((await get("/search/stats")).collections).sort(), ["pages", "posts"]);
	await ann.open(HOME);
	await ann.has(".due-list", 2);
	// What one writes most stands first.
	assert.deepEqual(
		await ann.page.$$eval('.side a[href*="/collections/"]', (all) => all.map((one) => one.textContent.trim())),
		["Posts", "Pages"],
	);
	await ann.has("[data-safe]", 1);
}

async function makeCollection(ann) {
	const { page } = ann;
	const fill = (name, text) => page.locator(`dialog[open] [name="${name}"]`).fill(text);
	const tick = (name) => page.locator(`dialog[open] [name="${name}"]`).click();
	const send = async () => {
		await ann.press('dialog[open] button[type="submit"]');
		await ann.has("dialog[open]", 0);
	};
	const add = async (label, type, ...ticks) => {
		await ann.press("[data-add]");
		await fill("label", label);
		await page.select('dialog[open] [name="type"]', type);
		for (const one of ticks) await tick(one);
		await send();
	};

	await ann.press('[data-fold="site"]');
	await ann.press(`.side a[href="${HOME}/schema"]`);
	await ann.press("[data-make]");
	await fill("label", "Articles");
	await fill("labelSingular", "Article");
	await send();
	await ann.arrives(`${HOME}/schema/articles`);
	// Title, text and search are there; a further field is added.
	await ann.has("[data-search-end]", 1);
	await add("Lead", "text", "searchable");
}

/* ---- an article ---- */

const isStored = (ann) => ann.until("it is stored", () => /articles\/[0-9A-Z]{26}$/.test(ann.page.url()));
const isSaved = (ann) => ann.reads("#saved", /^Saved/);
const idOf = (ann) => ann.page.url().split("/").at(-1);
const item = async (ann, id) => (await ann.api("GET", `/content/articles/${id}`)).data.item;

async function publish(ann, id) {
	await isSaved(ann);
	await ann.press(".publish");
	await ann.until(
		"it is live",
		async () =>
			(await item(ann, id)).status === "published" && (await item(ann, id)).liveData === undefined,
	);
}

async function write(ann) {
	const { page } = ann;

	await ann.press(`.side a[href="${LIST}"]`);
	await ann.arrives(LIST);
	await ann.press(".head a.go");
	await page.waitForSelector(".title");
	await page.click(".title");
	await page.keyboard.type("The noise of a jet");
	await page.keyboard.press("Enter");
	await page.keyboard.type("Stand beside a running engine and the noise seems to come from the nozzle.");
	await isStored(ann);
	return idOf(ann);
}

async function illustrate(ann, id, file) {
	const { page } = ann;

	await page.click('.toolbar button[aria-label="Picture"]');
	await (await page.waitForSelector('dialog[open] input[type="file"]')).uploadFile(file);
	await page.waitForSelector(".pt-atom .pt-alt");
	await ann.has("dialog[open]", 0);
	await ann.until("the text has it", async () =>
		(await item(ann, id)).data.content.some((one) => one._type === "image"),
	);
	const { data } = await ann.api("GET", "/media");
	assert.equal(data.items.length, 1);
	await ann.until("readers' browsers can show it", () =>
		page.$eval(".body img", (one) => one.complete && one.naturalWidth > 0),
	);
}

async function translate(ann, id) {
	const { page } = ann;

	await page.locator(".panel button ::-p-text(Translate)").click();
	await ann.until("the page of the translation", () => new URL(page.url()).searchParams.get("of") === id);
	await page.waitForSelector(".title");
	await page.click(".title", { count: 3 });
	await page.keyboard.type("Der Lärm eines Strahls");
	await page.click(".body > p", { count: 3 });
	await page.keyboard.type("Neben einem laufenden Triebwerk scheint er aus der Düse zu kommen.");
	await isStored(ann);
	const other = idOf(ann),
		{ data } = await ann.api("GET", `/content/articles/${id}/translations`);
	assert.notEqual(other, id);
	assert.deepEqual(data.translations.map((one) => [one.locale, one.id]).sort(), [
		["de", other],
		["en", id],
	]);
	return other;
}

async function find(ann, words, title) {
	await ann.open(LIST);
	await ann.has("tbody tr", 2);
	await ann.page.type("[data-search]", words);
	await ann.has("tbody tr", 1);
	await ann.reads("tbody .c-title", new RegExp(title));
	// Clients of the API find it, too.
	const { data } = await ann.api(
		"GET",
		`/search?q=${encodeURIComponent(words)}&locale=${title.startsWith("Der") ? "de" : "en"}`,
	);
	assert.equal(data.items.length, 1, JSON.stringify(data));
}

/* ---- all of it ---- */

/** `newSite(name, settings)` begins a daemon with a new site: { daemon, origin, work, end }. */
export async function runTour({ report, browser, newSite }) {
	for (let i = 1; i <= TOURS; i++)
		await report.test(
			`tour ${i}: from the setup link to a translated, illustrated article that search finds`,
			async () => {
				const { daemon, origin, work, end } = await newSite(`tour-${i}`),
					ann = await Person.sit(browser, origin);

				try {
					const begun = performance.now();

					await ann.page.setViewport({ width: 1280, height: 900 });
					await setUp(ann, daemon);
					await makeCollection(ann);
					const id = await write(ann);
					await illustrate(ann, id, fileOf(work, "jet.png", picture));
					await publish(ann, id);
					const other = await translate(ann, id);
					await publish(ann, other);
					await find(ann, "nozzle", "The noise of a jet");
					await find(ann, "Düse", "Der Lärm eines Strahls");
					const seconds = (performance.now() - begun) / 1000;
					report.note(`the tour took ${seconds.toFixed(1)} s`);
					assert.deepEqual(ann.faults, []);
					if (TOURS > 1)
						// A single tour has no limit, since it may run beside other work.
						assert.ok(seconds < LONGEST, `${seconds} s`);
				} finally {
					await ann.leave();
					await end();
				}
			},
		);
}
