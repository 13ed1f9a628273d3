// site-imports.mjs - the pages for imports: an export is checked in a dry run, imported, and imported again; a file
// that is no export; the report.
import assert from "node:assert/strict";
import { fileOf } from "./files.mjs";
import { HOSTILE } from "./site.mjs";

const HOME = "/_cms/admin";
const rows = "tbody tr";

const cdata = (text) => `<![CDATA[${text}]]>`;
const post = (
	n,
	title,
) => `<item><title>${cdata(title)}</title><link>https://old.example/${n}/</link><dc:creator>ann</dc:creator>
	<content:encoded>${cdata("<p>The text.</p>")}</content:encoded><wp:post_id>${n}</wp:post_id><wp:post_date_gmt>2020-01-0${n} 00:00:00</wp:post_date_gmt>
	<wp:post_name>imported-${n}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;
const EXPORT = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Old</title>
	<link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>${post(1, "Imported one")}${post(2, `Two ${HOSTILE}`)}</channel></rss>`;

export async function runImports({ report, ann, api, told, work }) {
	const { page } = ann,
		IMPORTS = `${HOME}/imports`;
	const jobs = async () => (await api("GET", "/import/jobs")).items;
	const begin = async (file, ticks = []) => {
		await ann.open(IMPORTS);
		await ann.press("[data-make]");
		await ann.has("dialog[open]", 1);
		await (await page.$('dialog[open] [name="file"]')).uploadFile(file);
		for (const name of ticks) await page.locator(`dialog[open] [name="${name}"]`).click();
		await page.locator("dialog[open] [data-save]").click();
	};
	const ends = (word) => ann.reads("[aria-labelledby=how-h] .mark", word);
	const file = fileOf(work, "export.xml", Buffer.from(EXPORT));

	await report.test("imports: none yet; without a file nothing begins", async () => {
		await ann.open(IMPORTS);
		await ann.reads(".state", /No imports yet/);
		await ann.press("[data-make]");
		await page.locator("dialog[open] [data-save]").click();
		await ann.has('dialog[open] [name="file"][aria-invalid="true"]', 1);
		await ann.looks();
		assert.deepEqual(await jobs(), []);
	});
	await report.test("imports: one is tried, and nothing is written", async () => {
		await begin(file, ["dryRun"]);
		await ann.until("its page is open", () => /\/imports\/[0-9A-Z]{26}$/.test(page.url()));
		await ends(/^Done$/);
		await ann.reads(`[data-types] ${rows}`, /post.*posts/);
		await ann.has(`[data-items] ${rows}`, 2);
		await ann.reads("[data-items]", /Result.*Created.*Imported one/s);
		await ann.reads("[aria-labelledby=how-h] .facts", /test run/);
		await ann.looks();
		assert.equal((await ann.api("GET", "/content/posts")).status, 404);
	});
	await report.test("imports: one is made, and its items are found by its page", async () => {
		await begin(file, ["importMedia"]);
		await told(/Import (started|finished)/);
		await ends(/^Done$/);
		await told(/Import finished/);
		await ann.reads("[data-sum]", /^2 items$/);
		await ann.has(`[data-items] ${rows}`, 2);
		await ann.reads("[data-items]", /Result.*Item.*Imported one/s);
		await ann.reads(`[data-account] ${rows}`, /Items.*post.*2.*2.*0.*0/s);
		assert.equal((await api("GET", "/content/posts")).items.length, 2);
		const report = await page.$eval(".head a[download]", (one) =>
			fetch(one.href).then((answer) => answer.text()),
		);
		assert.match(report, /^[^\n]*outcome/);
		assert.equal(report.trim().split("\n").length, 3);
		await page.select("[data-filter=outcome]", "failed");
		await ann.reads("[data-items] .state", /Nothing to report/);
		await ann.looks();
		await page.select("[data-filter=outcome]", "created");
		await page.locator('[data-items] a[href*="/collections/posts/"]').click();
		await ann.until("the item is open", () => /\/collections\/posts\/[0-9A-Z]{26}$/.test(page.url()));
	});
	await report.test("imports: again, nothing is made twice", async () => {
		await begin(file, ["importMedia"]);
		await ends(/^Done$/);
		await ann.has(`[data-items] ${rows}`, 2);
		assert.equal((await api("GET", "/content/posts")).items.length, 2);
		await ann.open(IMPORTS);
		await ann.has(rows, 3);
		await ann.looks();
	});
	await report.test("imports: a file that is none fails, with the reason", async () => {
		await begin(fileOf(work, "broken.xml", Buffer.from(EXPORT.slice(0, EXPORT.length / 2))));
		await ends(/^Failed$/);
		await ann.reads("[aria-labelledby=how-h] .note.wrong", /./);
		await ann.looks();
		await page.locator(".head button[aria-haspopup]").click();
		await page.locator('[role="menuitem"].out').click();
		await page.locator("dialog[open] [data-yes]").click();
		await ann.arrives(IMPORTS);
		await ann.has(rows, 3);
	});
	await runRows({ report, ann, api, told, work, begin, ends });
	await api("DELETE", "/schema/collections/posts?force=true");
	for (const { id } of await jobs()) await api("DELETE", `/import/jobs/${id}`);
}

// A table from a program that writes decimal commas and uses other column names than ours.
const TABLE = `\ufeffSKU;Name;Price in EUR;Keywords;Internal note;Publish date
1;"Pen; ""blue""";1,50;office, blue;not for readers;2024-05-01T10:00:00Z
2;"${HOSTILE.replaceAll('"', '""')}";n/a;;;
`;
const LINES = '{"sku":"1","title":"Pen, red","price":"2"}\n{"sku":"3","title":"Ruler","more":{"a":1}}\nno JSON\n';

/** Tables and lines of JSON: columns are matched, tried in a dry run, matched differently, imported, and imported
 * again. */
async function runRows({ report, ann, api, told, work, begin, ends }) {
	const { page } = ann,
		IMPORTS = `${HOME}/imports`,
		column = (name) => `dialog[open] [data-column="${name}"]`;
	const becomes = (name) => page.$eval(column(name), (one) => one.value);
	const items = async () => (await api("GET", "/content/goods?limit=10")).items;

	await api("POST", "/schema/collections", { slug: "goods", label: "Goods" });
	for (const [slug, label, type] of [
		["title", "Title", "string"],
		["price", "Price in EUR", "string"],
		["stock", "Stock", "integer"],
	])
		await api("POST", "/schema/collections/goods/fields", { slug, label, type });

	await report.test(
		"imports: columns of a table are matched by their names, and what is wrong is told before it is sent",
		async () => {
			const before = (await api("GET", "/import/jobs")).items.length;

			await begin(fileOf(work, "goods.csv", Buffer.from(TABLE)));
			await ann.has('dialog[open] [name="collection"][aria-invalid="true"]', 1);
			assert.equal(await page.$eval('dialog[open] [name="format"]', (one) => one.value), "csv");
			await page.select('dialog[open] [name="collection"]', "goods");
			await ann.has("dialog[open] [data-column]", 6);
			await ann.until("they are matched", async () => (await becomes("Name")) === "title");
			assert.deepEqual(
				await Promise.all(
					["SKU", "Price in EUR", "Keywords", "Internal note", "Publish date"].map(
						becomes,
					),
				),
				["", "price", "tags", "", "published"],
			);
			await ann.reads("dialog[open] [data-match]", /Pen; "blue".*1,50/s);
			await page.select(column("Internal note"), "title");
			await page.locator("dialog[open] [data-save]").click();
			await ann.has(`${column("Internal note")}[aria-invalid="true"]`, 1);
			await ann.looks();
			assert.equal((await api("GET", "/import/jobs")).items.length, before);
			await page.select(column("Internal note"), "");
		},
	);
	await report.test(
		"imports: a table is tried first: what is refused is told, and nothing is written",
		async () => {
			await api("POST", "/schema/collections/goods/fields", {
				slug: "code",
				label: "Code",
				type: "string",
				required: true,
			});
			await page.locator("dialog[open] [data-save]").click();
			await ann.until("its page is open", () => /\/imports\/[0-9A-Z]{26}$/.test(page.url()));
			await ends(/^Done$/);
			await ann.reads(`[data-types] ${rows}`, /row.*goods/);
			await ann.reads("[data-columns]", /Price in EUR.*price.*Internal note.*Skipped/s);
			await ann.has("[data-tried]", 1);
			await ann.has(`[data-items] ${rows}`, 2);
			await ann.reads("[data-items]", /Created as a draft, with problems.*Pen; "blue".*code/s);
			await ann.looks();
			await api("DELETE", "/schema/collections/goods/fields/code");
			assert.deepEqual(await items(), []);
		},
	);
	await report.test(
		"imports: the match is changed without sending the file again, and what was tried is imported",
		async () => {
			await ann.press("[data-change]");
			await ann.has("dialog[open] [data-column]", 6);
			await ann.until("it is as it was", async () => (await becomes("Price in EUR")) === "price");
			await page.select(column("SKU"), "id");
			await ann.has('dialog[open] [name="source"]', 1);
			await ann.looks();
			const from = page.url();
			await page.locator("dialog[open] [data-save]").click();
			await ann.until("another page is open", () => page.url() !== from);
			await ends(/^Done$/);
			await ann.reads("[data-columns]", /SKU.*id/s);
			await ann.press("[data-run]");
			await told(/Import (started|finished)/);
			await ann.has("[data-run]", 0);
			await ends(/^Done$/);
			await ann.has(`[data-items] ${rows}`, 2);
			await ann.looks();
			const goods = await items();
			assert.deepEqual(goods.map((one) => one.data.title).sort(), ['Pen; "blue"', HOSTILE].sort());
			assert.equal(goods.find((one) => one.data.title === 'Pen; "blue"').data.price, "1,50");
			assert.ok(goods.every((one) => one.status === "draft"));
		},
	);
	await report.test("imports: lines of JSON change what a table has brought, by their ids", async () => {
		await begin(fileOf(work, "goods.jsonl", Buffer.from(LINES)), ["update"]);
		assert.equal(await page.$eval('dialog[open] [name="format"]', (one) => one.value), "jsonl");
		await page.select('dialog[open] [name="collection"]', "goods");
		await ann.has("dialog[open] [data-column]", 4);
		await ann.until("they are matched", async () => (await becomes("title")) === "title");
		await page.select(column("sku"), "id");
		await page.locator("dialog[open] [data-save]").click();
		await ann.until("its page is open", () => /\/imports\/[0-9A-Z]{26}$/.test(page.url()));
		await ends(/^Done$/);
		await ann.press("[data-run]");
		await ann.has("[data-run]", 0);
		await ends(/^Done$/);
		await ann.reads(`[data-items]`, /line 3/);
		const goods = await items();
		assert.equal(goods.length, 3);
		assert.ok(goods.some((one) => one.data.title === "Pen, red"));
	});
	await report.test("imports: a file without columns is told of, and sends nothing", async () => {
		await begin(fileOf(work, "empty.csv", Buffer.from("")));
		await page.select('dialog[open] [name="collection"]', "goods");
		await page.locator("dialog[open] [data-save]").click();
		await ann.reads("dialog[open]", /The file has no columns/);
		await ann.open(IMPORTS);
	});
	await api("DELETE", "/schema/collections/goods?force=true");
}
