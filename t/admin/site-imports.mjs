// site-imports.mjs - the pages for imports: an export is tried, imported, imported again; a file that is none; the report.
import assert from "node:assert/strict";
import { fileOf } from "./files.mjs";
import { HOSTILE } from "./site.mjs";

const HOME = "/_cms/admin";
const rows = "tbody tr";

const cdata = (text) => `<![CDATA[${text}]]>`;
const post = (n, title) => `<item><title>${cdata(title)}</title><link>https://old.example/${n}/</link><dc:creator>ann</dc:creator>
	<content:encoded>${cdata("<p>The text.</p>")}</content:encoded><wp:post_id>${n}</wp:post_id><wp:post_date_gmt>2020-01-0${n} 00:00:00</wp:post_date_gmt>
	<wp:post_name>imported-${n}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;
const EXPORT = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Old</title>
	<link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>${post(1, "Imported one")}${post(2, `Two ${HOSTILE}`)}</channel></rss>`;

export async function runImports({ report, ann, api, told, work }) {
	const { page } = ann, IMPORTS = `${HOME}/imports`;
	const jobs = async () => (await api("GET", "/import/jobs")).items;
	const begin = async (file, ticks = []) => {
		await ann.open(IMPORTS);
		await ann.press("[data-make]");
		await ann.has("dialog[open]", 1);
		await (await page.$('dialog[open] [name="file"]')).uploadFile(file);
		for (const name of ticks)
			await page.locator(`dialog[open] [name="${name}"]`).click();
		await page.locator("dialog[open] [data-save]").click();
	};
	const ends = (word) => ann.reads("[aria-labelledby=how-h] .mark", word);
	const file = fileOf(work, "export.xml", Buffer.from(EXPORT));

	await report.test("imports: none yet; without a file nothing begins", async () => {
		await ann.open(IMPORTS);
		await ann.reads(".state", /Nothing was imported yet/);
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
		await ann.has("[data-items]", 0);
		await ann.reads("[aria-labelledby=how-h] .facts", /only looked at/);
		await ann.looks();
		assert.equal((await ann.api("GET", "/content/posts")).status, 404);
	});
	await report.test("imports: one is made, and its items are found by its page", async () => {
		await begin(file, ["importMedia"]);
		await told(/The import begins/);
		await ends(/^Done$/);
		await ann.has(`[data-items] ${rows}`, 2);
		await ann.reads("[data-items]", /Outcome.*Item.*Imported one/s);
		assert.equal((await api("GET", "/content/posts")).items.length, 2);
		const report = await page.$eval(".head a[download]", (one) => fetch(one.href).then((answer) => answer.text()));
		assert.match(report, /^[^\n]*outcome/);
		assert.equal(report.trim().split("\n").length, 3);
		await page.select("[data-filter=outcome]", "failed");
		await ann.reads("[data-items] .state", /Nothing to tell of/);
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
	await api("DELETE", "/schema/collections/posts?force=true");
	for (const { id } of await jobs())
		await api("DELETE", `/import/jobs/${id}`);
}
