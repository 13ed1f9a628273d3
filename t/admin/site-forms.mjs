// site-forms.mjs - a field type and an importer of a plugin (t/plugins/diary.c) appear in the pages with a name and a
// form, and are gone while it is off.
import assert from "node:assert/strict";
import { fileOf } from "./files.mjs";

const HOME = "/_cms/admin",
	SCHEMA = `${HOME}/schema/moods`,
	IMPORTS = `${HOME}/imports`;

export async function runForms(context) {
	const { api } = context;

	await api("POST", "/schema/collections", {
		slug: "moods",
		label: "Moods",
		labelSingular: "Mood",
		supports: ["drafts"],
	});
	await api("POST", "/schema/collections/moods/fields", {
		slug: "title",
		label: "Title",
		type: "string",
		required: true,
	});
	await api("POST", "/admin/plugins/diary/enable");
	await runType(context);
	await runImporter(context);
	await runOff(context);
	for (const { id } of (await api("GET", "/import/jobs")).items) await api("DELETE", `/import/jobs/${id}`);
	for (const slug of ["moods", "day"]) await api("DELETE", `/schema/collections/${slug}?force=true`);
}

const optionsOf = (page, name) =>
	page.$$eval(`dialog[open] [name="${name}"] option`, (all) => all.map((one) => one.textContent));
const helpOf = (page, name) => page.$eval(`dialog[open] .f:has([name="${name}"])`, (one) => one.innerText);

/* ---- a field type ---- */

async function runType({ report, ann, api, told }) {
	const { page } = ann;
	const control = (name) => `dialog[open] [name="${name}"]`;
	const field = async () =>
		(await api("GET", "/schema/collections/moods?includeFields=true")).item.fields.find(
			(one) => one.slug === "mood",
		);

	await report.test(
		"forms: a field type of a plugin is offered by its name, with its options as a form",
		async () => {
			await ann.open(SCHEMA);
			await ann.press("[data-add]");
			await ann.has("dialog[open]", 1);
			assert.deepEqual(await optionsOf(page, "type"), [
				"Short text",
				"Long text",
				"Rich text",
				"Slug",
				"Link",
				"Number",
				"Whole number",
				"Yes or no",
				"Date and time",
				"Choice",
				"Multiple choice",
				"Picture",
				"File",
				"Reference",
				"Repeater",
				"JSON",
				"Mood of a day",
			]);
			await page.locator(control("label")).fill("Mood");
			await page.select(control("type"), "mood");
			await ann.has(control("most"), 1);
			assert.match(await helpOf(page, "type"), /How a day was, in a few words\./);
			assert.match(await helpOf(page, "most"), /^Most\s+Most characters of a mood\. From 1 to 40\.$/);
			assert.deepEqual(await optionsOf(page, "scale"), ["–", "sun", "sea"]);
			assert.deepEqual(
				await page.$$eval('dialog[open] .ticks [type="checkbox"]', (all) =>
					all.map((one) => one.name),
				),
				["required", "unique", "indexed", "translatable"],
			);
			await ann.has(control("minLength"), 0);
			await ann.has(control("defaultValue"), 1);
			await ann.looks();
		},
	);
	await report.test(
		"forms: what the type refuses stands at its control, and the field is stored as the form says",
		async () => {
			await page.locator(control("most")).fill("0");
			await page.locator(control("shared")).click();
			await page.select(control("scale"), "sea");
			await page.locator(control("indexed")).click();
			await page.locator("dialog[open] [data-send]").click();
			await ann.has(`${control("most")}[aria-invalid="true"]`, 1);
			assert.match(await helpOf(page, "most"), /must be a whole number of at least 1/);
			await ann.looks();
			await page.locator(control("most")).fill("10");
			await page.locator("dialog[open] [data-send]").click();
			await told(/Field “Mood” added/);
			const { type, indexed, options } = await field();
			assert.deepEqual(
				{ type, indexed, options },
				{ type: "mood", indexed: true, options: { most: 10, shared: true, scale: "sea" } },
			);
			await ann.reads('[data-id="mood"]', /Mood of a day/);
		},
	);
	await report.test("forms: options are changed, and taken out again", async () => {
		await ann.open(`${SCHEMA}?field=mood`);
		await ann.has(control("most"), 1);
		assert.deepEqual(
			await page.$$eval(`${control("most")}, ${control("scale")}`, (all) =>
				all.map((one) => one.value),
			),
			["10", "sea"],
		);
		await page.locator(control("shared")).click();
		await page.select(control("scale"), "");
		await page.locator("dialog[open] [data-send]").click();
		await told(/Field “Mood” saved/);
		assert.deepEqual((await field()).options, { most: 10 });
	});
	await report.test(
		"forms: its values have the control of their kind in the editor, and are a column and a filter of the list",
		async () => {
			const {
				item: { id },
			} = await api("POST", "/content/moods", { data: { title: "Monday" } });

			await ann.open(`${HOME}/collections/moods/${id}`);
			await ann.has('input[type="text"]#field-mood', 1);
			await page.locator("#field-mood").fill("far too long a mood");
			await ann.reads("#field-mood-p", /must be a mood of at most 10 characters/);
			await page.locator("#field-mood").fill("fine");
			await ann.until(
				"it is saved",
				async () => (await api("GET", `/content/moods/${id}`)).item.data.mood === "fine",
			);
			await ann.has("#field-mood-p", 0);
			await ann.looks();
			await api("POST", "/content/moods", { data: { title: "Tuesday", mood: "poor" } });
			await ann.open(`${HOME}/collections/moods?f.mood=fine`);
			await ann.has("tbody tr", 1);
			await ann.reads("tbody tr", /Monday.*fine/s);
		},
	);
}

/* ---- an importer ---- */

async function runImporter({ report, ann, api, told, work }) {
	const { page } = ann,
		control = (name) => `dialog[open] [name="${name}"]`;
	const openForm = async () => {
		await ann.open(IMPORTS);
		await ann.press("[data-make]");
		await ann.has("dialog[open] [name=format]", 1);
	};

	await report.test(
		"forms: importers are offered by their names; that of a file is found by its ending",
		async () => {
			await openForm();
			assert.deepEqual(await optionsOf(page, "format"), [
				"WordPress (XML)",
				"Ghost (JSON)",
				"Markdown: Hugo, Jekyll, Astro (zip)",
				"Table (CSV)",
				"Lines of JSON",
				"Sanity (dataset, zip)",
				"Contentful (JSON, zip)",
				"Strapi (zip)",
				"Directus (JSON, zip)",
				"Payload (lines of JSON, zip)",
				"Notion (zip)",
				"Blogger (feed, zip)",
				"Substack (zip)",
				"Medium (zip)",
				"Drupal (JSON:API, zip)",
				"Diary of somebody",
			]);
			await page.select(control("format"), "ghost");
			assert.match(
				await helpOf(page, "url"),
				/^Address of the site\s+Address of its site, as https:\/\/blog\.example\.org\.$/,
			);
			await (await page.$(control("file"))).uploadFile(
				fileOf(work, "week.diary", Buffer.from("1|One|*a*\n2|Two|b|1\n")),
			);
			await ann.until("it is a diary", () =>
				page.$eval(control("format"), (one) => one.value === "diary"),
			);
			await ann.has(control("url"), 0);
			assert.equal(await page.$eval(control("file"), (one) => one.accept), ".diary,text/plain");
			assert.match(await helpOf(page, "file"), /Days of a diary\./);
			assert.match(await helpOf(page, "title"), /^Title\s+What the diary is called\.$/);
			await ann.looks();
		},
	);
	await report.test("forms: an import by the importer of a plugin gets the options of its form", async () => {
		await page.locator(control("title")).fill("My days");
		await page.locator("dialog[open] [data-save]").click();
		await told(/Import (started|finished)/);
		await ann.reads("[aria-labelledby=how-h] .mark", /^Done$/);
		await ann.reads("h1", /^Import$/);
		const [job] = (await api("GET", "/import/jobs")).items;
		assert.deepEqual([job.config.format, job.config.options], ["diary", { title: "My days" }]);
		assert.deepEqual(
			(await api("GET", "/content/day?orderBy=title&order=asc")).items.map((one) => one.data.title),
			["One", "Two"],
		);
		await ann.until("its title says what it was", async () => /Diary of somebody/.test(await page.title()));
		await ann.open(IMPORTS);
		await ann.reads("tbody tr", /Diary of somebody/);
	});
}

/* ---- without the plugin ---- */

async function runOff({ report, ann, api }) {
	const { page } = ann;

	await report.test(
		"forms: with the plugin off neither is offered, and what is left is called by its name",
		async () => {
			await api("POST", "/admin/plugins/diary/disable");
			await ann.open(IMPORTS);
			await ann.reads("tbody tr", /diary/);
			await ann.press("[data-make]");
			await ann.has("dialog[open] [name=format]", 1);
			assert.equal((await optionsOf(page, "format")).includes("Diary of somebody"), false);
			await ann.open(SCHEMA);
			await ann.reads('[data-id="mood"]', /mood/);
			await ann.press("[data-add]");
			await ann.has("dialog[open] [name=type]", 1);
			assert.equal((await optionsOf(page, "type")).includes("Mood of a day"), false);
			await page.keyboard.press("Escape");
			const {
				items: [{ id }],
			} = await api("GET", "/content/moods?orderBy=title&order=asc");
			await ann.open(`${HOME}/collections/moods/${id}`);
			await ann.has('input[type="text"]#field-mood', 1);
			assert.equal(await page.$eval("#field-mood", (one) => one.value), "fine");
			await ann.looks();
		},
	);
}
