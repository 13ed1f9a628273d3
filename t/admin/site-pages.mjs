// site-pages.mjs - the pages for the site: each does its main task, which the API confirms; errors are shown at their
// fields.
import assert from "node:assert/strict";
import { fileOf, png } from "./files.mjs";
import { runForms } from "./site-forms.mjs";
import { runFrames } from "./site-frames.mjs";
import { runImports } from "./site-imports.mjs";
import { runAssistants, runWebhooks } from "./site-programs.mjs";
import { runAudit, runBackups, runHealth, runSchema } from "./site-schema.mjs";
import { HOSTILE } from "./site.mjs";

const HOME = "/_cms/admin";
const rows = "tbody tr";

export async function runSitePages(context) {
	const { report, ann } = context,
		{ page } = ann;
	// Calls the API; the call must succeed.
	const api = async (method, where, body) => {
		const answer = await ann.api(method, where, body);
		assert.ok(answer.status < 300, `${method} ${where}: ${JSON.stringify(answer)}`);
		return answer.data;
	};
	const told = (pattern) => ann.reads(".notices .note", pattern);
	// Clears a field like the keyboard does: fill("") changes the text without an event.
	const clear = async (selector) => {
		await page.$eval(selector, (one) => one.select());
		await page.focus(selector);
		await page.keyboard.press("Backspace");
	};
	const shared = { ...context, api, told, clear };

	await runComments(shared);
	await runSettings(shared);
	await runPlugins(shared);
	await runWebhooks(shared);
	await runAssistants(shared);
	await runSchema(shared);
	await runAudit(shared);
	await runHealth(shared);
	await runBackups(shared);
	await runImports(shared);
	await runForms(shared);
	await runFrames(shared);
	await report.test("site: nothing that somebody wrote was run", async () =>
		assert.equal(await page.evaluate(() => window.hacked), undefined),
	);
}

/* ---- comments ---- */

async function runComments({ report, ann, api, told }) {
	const { page } = ann,
		COMMENTS = `${HOME}/comments`;
	const { items } = await api("GET", "/content/papers?status=published&limit=1");
	const [{ id }] = items;
	// Sends a comment as a reader who is not signed in.
	const write = async (body) => {
		const answer = await fetch(`${ann.origin}/_cms/api/comments/papers/${id}`, {
			method: "POST",
			headers: { "Content-Type": "application/json", "X-CMS-Request": "1" },
			body: JSON.stringify(body),
		});
		assert.equal(answer.status, 201, await answer.clone().text());
		return (await answer.json()).data;
	};
	const counts = () => api("GET", "/admin/comments/counts");
	const inbox = async (status) => (await api("GET", `/admin/comments?status=${status}`)).items;

	await report.test("comments: nothing waits", async () => {
		await ann.open(COMMENTS);
		await ann.reads(".state", /No comments to review/);
		await ann.looks();
	});
	await api("PUT", "/schema/collections/papers", { commentsEnabled: true, commentsModeration: "all" });
	await api("PUT", "/admin/plugins/comments/settings", { values: { limitCount: 1000 } });
	for (let i = 1; i <= 5; i++)
		await write({
			authorName: `Reader ${i}`,
			authorEmail: `reader${i}@example.org`,
			body: i === 3 ? HOSTILE : `Comment number ${i}, on the wake.\nA second line.`,
		});
	await report.test("comments: those that wait are listed with their item, and counted", async () => {
		await ann.open(COMMENTS);
		await ann.has(rows, 5);
		await ann.reads(".tabs [aria-current]", /Pending 5/);
		await ann.until("the item's title is there", () =>
			page.evaluate(() => /Paper \d\d/.test(document.querySelector(".c-said .sub").textContent)),
		);
		await ann.looks();
	});
	await report.test("comments: one is approved by its button, and that is undone", async () => {
		await page.locator(`[aria-label="Approve the comment by Reader 1"]`).click();
		await told(/1 comment approved/);
		await ann.has(rows, 4);
		assert.equal((await counts()).approved, 1);
		await ann.press("[data-undo]");
		await ann.has(rows, 5);
		assert.equal((await counts()).approved, 0);
	});
	await report.test("comments: some are chosen and moderated together, and that is undone", async () => {
		await page.locator("tbody tr:nth-child(1) .pick").click();
		await page.locator("tbody tr:nth-child(2) .pick").click();
		await ann.reads(".bulk", /2 selected/);
		await ann.looks();
		await ann.press('[data-act="spam"]');
		await told(/2 comments marked as spam/);
		await ann.has(rows, 3);
		assert.equal((await inbox("spam")).length, 2);
		await ann.press("[data-undo]");
		await ann.has(rows, 5);
		await page.locator("thead input").click();
		await ann.reads(".bulk", /5 selected/);
		await ann.press('[data-act="approved"]');
		await told(/5 comments approved/);
		await ann.reads(".state", /No comments to review/);
		assert.equal((await counts()).approved, 5);
	});
	await report.test("comments: one is shown in its thread, and put into the trash from there", async () => {
		const first = (await inbox("approved")).find((one) => one.authorName === "Reader 1");
		const answer = await write({
			authorName: "Reader 6",
			authorEmail: "six@example.org",
			body: "An answer to the first.",
			parentId: first.id,
		});
		await ann.open(`${COMMENTS}?comment=${answer.id}`);
		await ann.reads("dialog[open]", /In reply to.*Reader 1.*An answer to the first/s);
		await ann.reads("dialog[open] .facts", /six@example\.org/);
		await ann.looks();
		await ann.press('dialog[open] [data-to="approved"]');
		await ann.has("dialog[open]", 0);
		await ann.open(`${COMMENTS}?status=approved&comment=${first.id}`);
		await ann.reads("dialog[open] .replies", /Reader 6.*An answer/s);
		await ann.press('dialog[open] [data-to="trash"]');
		await told(/1 comment moved to the trash/);
		assert.equal((await api("GET", `/admin/comments/${first.id}`)).status, "trash");
	});
	await report.test(
		"comments: they are searched on the server, and deleted for good after a question",
		async () => {
			await ann.open(`${COMMENTS}?status=approved`);
			await ann.has(rows, 5);
			await page.locator('input[type="search"]').fill("number 4");
			await ann.has(rows, 1);
			await page.locator("tbody .c-act button[aria-haspopup]").click();
			await page.locator('[role="menuitem"]:last-child').click();
			await ann.looks();
			await ann.press("[data-yes]");
			await told(/1 comment deleted/);
			await ann.reads(".state", /No comments found/);
			assert.equal((await inbox("approved")).length, 4);
		},
	);
	await report.test("comments: the keyboard alone approves one", async () => {
		await write({ authorName: "Reader 7", authorEmail: "seven@example.org", body: "By keyboard." });
		await ann.open(COMMENTS);
		await ann.has(rows, 1);
		await ann.tabTo("[data-do=approved]");
		await page.keyboard.press("Enter");
		await told(/1 comment approved/);
		assert.equal((await inbox("pending")).length, 0);
	});
	await write({
		authorName: `Mira ${HOSTILE}`.slice(0, 90),
		authorEmail: "mira@slipstream.example",
		body: "The smoke pictures of 1951 are the other way round: what is called the upper side is the lower one. I have the plates here, and would gladly send a scan.\n\nIs there an address for such things?",
	});
	await write({ authorName: "A. Reader", authorEmail: "a@example.org", body: "Thank you!" });
}

/* ---- settings ---- */

async function runSettings({ report, ann, api, told, clear, work }) {
	const { page } = ann,
		SETTINGS = `${HOME}/settings`;
	const fill = (name, text) => page.locator(`[name="${name}"]`).fill(text);
	const settings = () => api("GET", "/settings");

	await report.test("settings: what is changed is counted, saved, and shown in the menu", async () => {
		await ann.open(SETTINGS);
		await ann.has("form.form", 1);
		await fill("siteTitle", "Slipstream Quarterly");
		await fill("tagline", "Old papers on moving air, read again");
		await fill("timezone", "Europe/London");
		await fill("twitter", "slipstream");
		await fill("titleSeparator", "·");
		await ann.reads(".form-foot", /5 unsaved changes/);
		await ann.looks();
		await ann.press("[data-save]");
		await told(/Settings saved/);
		await ann.until(
			"nothing is left to save",
			async () => (await ann.text(".form-foot .saved")) === "No changes",
		);
		const now = await settings();
		assert.deepEqual(
			[now.siteTitle, now.tagline, now.timezone, now.social, now.seo],
			[
				"Slipstream Quarterly",
				"Old papers on moving air, read again",
				"Europe/London",
				{ twitter: "slipstream" },
				{ titleSeparator: "·" },
			],
		);
		await ann.reads(".side .site", /Slipstream Quarterly/);
	});
	await report.test("settings: what is refused stands at its field, and nothing is written", async () => {
		await fill("url", "not an address");
		await fill("dateFormat", "jjjj");
		await ann.press("[data-save]");
		await ann.has('[aria-invalid="true"]', 2);
		await ann.until("the first is focused", () =>
			page.evaluate(() => document.activeElement.name === "url"),
		);
		await fill("url", "https://slipstream.example");
		await fill("dateFormat", "d MMMM yyyy");
		await fill("timezone", "Nowhere/Land");
		await ann.press("[data-save]");
		await ann.until("the zone says why", () =>
			page.$eval('[name="timezone"]', (one) =>
				one.closest(".stack").querySelector(".problem").textContent.includes("IANA time zone"),
			),
		);
		await ann.until("it is focused", () => page.evaluate(() => document.activeElement.name === "timezone"));
		await ann.looks();
		assert.equal((await settings()).timezone, "Europe/London");
	});
	await report.test("settings: leaving with what is not saved asks, and goes back to what was", async () => {
		await page.locator(`.side a[href="${HOME}/tokens"]`).click();
		await ann.reads("dialog[open]", /Leave without saving/);
		await ann.looks();
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		assert.equal(ann.path(), SETTINGS);
		await ann.press("[data-reset]");
		assert.equal(await page.$eval('[name="timezone"]', (one) => one.value), "Europe/London");
		await page.locator(`.side a[href="${HOME}/tokens"]`).click();
		await ann.arrives(`${HOME}/tokens`);
	});
	await report.test(
		"settings: a picture is chosen from the library and taken away, and a text is cleared",
		async () => {
			await ann.open(SETTINGS);
			await ann.press('[aria-label="Choose a picture: Logo"]');
			await ann.has("dialog[open]", 1);
			await (await page.$('dialog[open] input[type="file"]')).uploadFile(
				fileOf(
					work,
					"logo.png",
					png(200, 80, [
						[30, 60, 160],
						[250, 250, 250],
					]),
				),
			);
			await ann.has("dialog[open]", 0);
			await ann.has(".media-field img", 1);
			await clear('[name="tagline"]');
			await ann.press("[data-save]");
			await told(/saved/);
			const { logo, tagline } = await settings();
			assert.equal(logo.contentType, "image/png");
			assert.equal(tagline, undefined);
			await ann.press('[aria-label="Remove: Logo"]');
			await ann.press("[data-save]");
			await ann.until("it is gone", async () => (await settings()).logo === undefined);
		},
	);
}

/* ---- modules and plugins ---- */

async function runPlugins({ report, ann, api, told, clear }) {
	const { page } = ann,
		PLUGINS = `${HOME}/plugins`;
	const item = async (id) => (await api("GET", `/admin/plugins/${id}`)).item;
	const settings = async (id) => (await api("GET", `/admin/plugins/${id}/settings`)).values;

	await report.test("plugins: a stranger's is turned on after it was said what it may do", async () => {
		await ann.open(PLUGINS);
		await ann.has('.plug[data-id="word-count"] .mark.draft', 1);
		await ann.looks();
		await page.locator('.plug[data-id="word-count"] input').click();
		await ann.reads("dialog[open]", /Allow word-count 1\.0\.0\?/);
		await ann.reads("[data-rights]", /Read content, including drafts.*Change content/s);
		await ann.looks();
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		assert.equal((await item("word-count")).status, "inactive");
		await page.locator('.plug[data-id="word-count"] input').click();
		await ann.press("[data-agree]");
		await told(/word-count is on/);
		await ann.has('.plug[data-id="word-count"] .mark.live', 1);
		assert.equal((await item("word-count")).status, "active");
	});
	await report.test("plugins: its tools are let to assistants, and taken from them", async () => {
		await page.locator('.plug[data-id="word-count"] a').click();
		await ann.reads("h1", /^word-count$/);
		await page.locator("[data-tools]").click();
		await told(/Assistants can now use the tools of word-count/);
		assert.equal((await item("word-count")).mcpToolsEnabled, true);
		await ann.looks();
		await page.locator("[data-tools]").click();
		await told(/can no longer use the tools/);
		assert.equal((await item("word-count")).mcpToolsEnabled, false);
	});
	await report.test("plugins: one is turned off after a question, and that is undone", async () => {
		await ann.press("[data-turn]");
		await ann.reads("dialog[open]", /Turn word-count off\?/);
		await ann.press("[data-yes]");
		await told(/word-count is off/);
		assert.equal((await item("word-count")).status, "inactive");
		await ann.press("[data-undo]");
		await ann.until("it is on again", async () => (await item("word-count")).status === "active");
	});
	await report.test(
		"plugins: what cannot be turned off is not offered, and a refusal is told in the server's words",
		async () => {
			await ann.open(PLUGINS);
			await ann.has('.plug[data-id="auth"]', 1);
			await ann.has('.plug[data-id="auth"] input', 0);
			await page.locator('.plug[data-id="manifest"] input').click();
			await ann.press("[data-yes]");
			await told(/needs the module manifest/);
			assert.equal((await item("manifest")).status, "active");
			await ann.has('.plug[data-id="manifest"] input:checked', 1);
		},
	);
	await report.test("plugins: the menu follows what is on", async () => {
		await ann.has(`.side a[href="${HOME}/comments"]`, 1);
		await page.locator('.plug[data-id="comments"] input').click();
		await ann.press("[data-yes]");
		await ann.has(`.side a[href="${HOME}/comments"]`, 0);
		await ann.press("[data-undo]");
		await ann.has(`.side a[href="${HOME}/comments"]`, 1);
	});
	await report.test("plugins: settings of every kind are set by a form made from their table", async () => {
		await ann.open(`${PLUGINS}/house-rules`);
		await ann.has("form.form", 1);
		await page.locator('[name="minTitleLength"]').fill("3");
		await page.locator('[name="forbiddenWords"]').fill("synergy\nleverage");
		await page.locator('[name="summaryField"]').fill("abstract");
		await page.locator('[name="requireSummary"]').click();
		await ann.reads(".form-foot", /4 unsaved changes/);
		await ann.looks();
		await ann.press("[data-save]");
		await told(/Settings saved/);
		const now = await settings("house-rules");
		assert.deepEqual(
			[now.minTitleLength, now.forbiddenWords, now.summaryField, now.requireSummary],
			[3, ["synergy", "leverage"], "abstract", true],
		);
		await clear('[name="summaryField"]');
		await page.locator('[name="requireSummary"]').click();
		await ann.press("[data-save]");
		await ann.until(
			"what was taken back is as it was",
			async () => (await settings("house-rules")).summaryField === "summary",
		);
	});
	await report.test("plugins: a setting that is refused is told at its field", async () => {
		await ann.open(`${PLUGINS}/comments`);
		await ann.has("form.form", 1);
		await page.locator('[name="limitSeconds"]').fill("0");
		await ann.press("[data-save]");
		await ann.has('[name="limitSeconds"][aria-invalid="true"]', 1);
		await ann.reads(".form .problem", /./);
		await ann.looks();
		assert.equal((await settings("comments")).limitSeconds, 600);
		await ann.press("[data-reset]");
	});
}
