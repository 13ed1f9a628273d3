// editor-people.mjs - several people in one article and its history, schedules, and words that an input method composes.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";
import { paragraph } from "./articles.mjs";

const HOME = "/_cms/admin/collections/articles";
const DAY = 86400000;

/** Invites a person, who sits down at a browser of their own. */
async function invite({ ann, desk, browser }, name, role) {
	const { inviteUrl } = await desk.call("POST", "/auth/invite", {
		email: `${name.toLowerCase()}@slipstream.example`,
		role,
	});
	const person = await Person.sit(browser, ann.origin);

	await person.page.setViewport({ width: 1280, height: 900 });
	await person.plugIn("internal");
	await person.open(inviteUrl);
	await person.type("#name", name);
	await person.press("[data-accept]");
	await person.arrives("/_cms/admin");
	return person;
}

/** An article of one paragraph. */
async function article(desk, title, more = {}) {
	const { item } = await desk.call("POST", "/content/articles", {
		data: { title, body: [paragraph("p", "One paragraph.")] },
		...more,
	});

	return desk.at(item.id);
}

async function conflicts({ report, desk }, otto) {
	const { page } = desk;

	await report.test(
		"editor: who saved first is said, with the time, and mine can be kept as a copy",
		async () => {
			const own = await article(desk, "Two at once");

			await own.open();
			await otto.api("PUT", own.path, {
				data: { title: "Two at once, by Otto", body: [paragraph("p", "Of Otto.")] },
			});
			await page.focus(".body");
			await own.keys("Control", "End");
			await own.type(" Of Ann.");
			await page.waitForSelector("#merge");
			await own.says(/^Otto saved first, at \d+:\d\d:\d\d/);
			const words = await page.$eval("#merge", (e) => e.textContent);
			assert.match(words, /Otto saved first, at \d+:\d\d:\d\d[^.]*\. Which version should stand\?/);
			await own.looks();
			await page.locator("#merge ::-p-text(Keep mine as a copy)").click();
			await own.until("the merge is gone", async () => (await page.$("#merge")) === null);
			assert.match(await page.$eval(".notices", (e) => e.textContent), /Two at once.*\(copy\)/);
			assert.match(await page.$eval(".body", (e) => e.textContent), /^Of Otto\.$/);
			const { items } = await own.call("GET", "/content/articles?limit=100"),
				copy = items.find((one) => /\(copy\)$/.test(one.data.title));
			assert.match(JSON.stringify(copy.data.body), /One paragraph\. Of Ann\./);
			await own.says(/^Saved/);
			assert.match(JSON.stringify((await own.item()).data.body), /Of Otto\./);
			await own.call("DELETE", `/content/articles/${copy.id}`);
			await own.call("DELETE", own.path);
		},
	);
	await report.test("editor: the history is a line of time with people, and what each has changed", async () => {
		const own = await article(desk, "History");
		const put = (who, text) => who("PUT", own.path, { data: { body: [paragraph("p", text)] } });
		const api = (method, path, body) => otto.api(method, path, body);

		for (const text of ["One paragraph and", "One paragraph and more", "One paragraph and more of it."])
			await put(api, text);
		await put(desk.call, "One paragraph of it.");
		await own.open();
		await page.$eval("#about details:last-of-type", (e) => {
			e.open = true;
		});
		await page.waitForSelector(".timeline li:nth-child(2)");
		const rows = await page.$$eval(".timeline li", (all) => all.map((one) => one.innerText));
		assert.match(rows[0], /\d+:\d\d:\d\d.*You/s);
		assert.match(rows[0], /−2/);
		assert.match(rows[1], /\d+:\d\d:\d\d.*Otto.*3 saves since \d+:\d\d:\d\d/s);
		assert.match(rows[1], /\+4/);
		await page.click(".timeline li:nth-child(2) a");
		await page.waitForSelector(".compare .pair.changed");
		assert.match(await page.$eval(".between", (e) => e.innerText), /Otto/);
		assert.match(await page.$eval(".side-b", (e) => e.innerText), /and more of it/);
		assert.equal(await page.$eval('.timeline [aria-current="true"] time', (e) => e !== null), true);
		assert.doesNotMatch(await page.$eval(".cmp-foot", (e) => e.innerText), /\b0 /);
		await own.looks();
		await page.click(".timeline li:nth-child(2) .since");
		await own.until("compared with now", async () =>
			/Now/.test(await page.$eval(".between", (e) => e.innerText)),
		);
		await own.call("DELETE", own.path);
	});
}

async function schedules({ report, desk }) {
	const { page } = desk;

	await report.test("editor: a schedule says when, and a cancelled one leaves a draft", async () => {
		const own = await article(desk, "Not yet"),
			at = new Date(Math.floor(Date.now() / 60000) * 60000 + 30 * DAY).toISOString();
		const panel = () => page.$eval("#about", (e) => e.innerText);

		await desk.call("POST", "/settings", { timezone: "Europe/Berlin" });
		await desk.call("POST", `${own.path}/schedule`, { scheduledAt: at });
		await own.open();
		assert.match(await panel(), /Goes live \w{3},? [^\n]*\d:\d\d[^\n]* \(Berlin\)/);
		await page.click("[data-unschedule]");
		await own.until("a draft", async () => (await own.item()).status === "draft");
		await own.until("it says so", async () =>
			/Schedule cancelled/.test(await page.$eval(".notices", (e) => e.textContent)),
		);
		assert.equal(await page.$eval("#about .mark", (e) => e.className), "mark draft");
		assert.doesNotMatch(await panel(), /Goes live/);
		const { items } = await desk.call("GET", "/content/articles?status=scheduled");
		assert.equal(
			items.some((one) => one.id === own.id),
			false,
		);
		await page.click("[data-undo]");
		await own.until("scheduled again", async () => (await own.item()).scheduledAt === at);
		await own.until("it says so again", async () => /Goes live/.test(await panel()));
		await desk.call("POST", "/settings", { timezone: "" }).catch(() => {});
		await desk.call("DELETE", own.path);
	});
}

async function publications({ report, desk }) {
	const { page } = desk;
	const schedule = async (name) => {
		await page.click('[popovertarget="more-ways"]');
		await page.locator("#more-ways ::-p-text(Schedule…)").click();
		await page.locator(`dialog[open] [value="${name}"]`).click();
	};
	const confirm = () => page.locator("dialog[open] [data-save]").click();

	await report.test("editor: the publish menu schedules in four presses, with Undo", async () => {
		const own = await article(desk, "Four presses");
		const { timezone } = await desk.call("GET", "/settings");

		await desk.call("POST", "/settings", { timezone: "Asia/Tokyo" });
		await own.open();
		await page.waitForSelector(".panel .in-panel");
		await schedule("atTomorrow");
		await own.looks();
		await confirm();
		await own.until("scheduled", async () => (await own.item()).scheduledAt !== null);
		const at = new Date((await own.item()).scheduledAt);
		assert.equal(at.toISOString().slice(11, 16), "00:00"); // 9:00 in Tokyo
		assert.ok(at > Date.now() && at - Date.now() <= 2 * DAY, at);
		assert.match(await page.$eval(".notices", (e) => e.textContent), /Goes live .*\(Tokyo\)/);
		assert.equal(await page.$("dialog[open]"), null);

		// Another time replaces it, and Undo brings the first one back.
		await schedule("atOther");
		const typed = '[name="schedule-other"]';
		const type = (time) =>
			page.$eval(
				typed,
				(e, value) => {
					e.value = value;
					e.dispatchEvent(new Event("input", { bubbles: true }));
				},
				time,
			);
		await page.waitForSelector(typed);
		assert.match(await page.$eval(typed, (e) => e.value), /T09:00$/);
		await type("2020-01-01T10:00");
		await confirm();
		await own.until("refused", async () =>
			/in the past/.test(await page.$eval("dialog[open]", (e) => e.textContent)),
		);
		await type("2040-01-02T10:00");
		await confirm();
		await own.until("changed", async () => (await own.item()).scheduledAt === "2040-01-02T01:00:00.000Z");
		await page.locator("[data-undo]").click();
		await own.until("as before", async () => (await own.item()).scheduledAt === at.toISOString());
		await desk.call("POST", "/settings", { timezone: timezone ?? "" }).catch(() => {});
		await own.call("DELETE", own.path);
	});
	await report.test("editor: a link leads to what is published: over the API, or its page", async () => {
		const own = await article(desk, "Seen by readers");
		const hrefs = () => page.$$eval("[data-live]", (all) => all.map((one) => one.href));
		const api = `${desk.person.origin}/_cms/api${own.path}`;
		const { url } = await desk.call("GET", "/settings");

		await desk.call("POST", "/settings", { url: "https://www.example.org/" });
		await own.open();
		await page.waitForSelector(".panel .in-panel");
		assert.deepEqual(await hrefs(), []);
		await page.click(".publish");
		await own.until("in the notice and in the panel", async () => (await hrefs()).length === 2);
		assert.deepEqual(await hrefs(), [api, api]);
		assert.match(await page.$eval(".notices", (e) => e.textContent), /It is live.*See it over the API/s);
		await own.looks();

		await desk.call("PUT", "/schema/collections/articles", { urlPattern: "/read/{slug}" });
		await own.open();
		await page.waitForSelector(".panel [data-live]");
		assert.deepEqual(await hrefs(), ["https://www.example.org/read/seen-by-readers"]);
		assert.match(await page.$eval(".address", (e) => e.textContent), /\/read\/seen-by-readers$/);
		await desk.call("PUT", "/schema/collections/articles", { urlPattern: null });
		await desk.call("POST", "/settings", { url: url ?? "" }).catch(() => {});
		await own.call("DELETE", own.path);
	});
}

async function composition({ report, ann, desk }) {
	const { page } = desk;

	await report.test("editor: a word composed in an empty text is there once", async () => {
		const text = () => page.$eval(".body", (e) => e.textContent);

		await desk.open("new");
		await desk.until("the cursor is in the title", () =>
			page.evaluate(() => document.activeElement.matches(".title")),
		);
		await page.focus(".body");
		assert.notEqual(await page.$eval(".body", (e) => getComputedStyle(e, "::before").content), "none");
		// What an input method does: it shows what it has so far, and replaces it by what the person chooses.
		for (const word of ["に", "にほ", "日本"])
			await ann.devtools.send("Input.imeSetComposition", {
				text: word,
				selectionStart: word.length,
				selectionEnd: word.length,
			});
		await ann.devtools.send("Input.insertText", { text: "日本" });
		assert.equal(await text(), "日本");
		assert.equal(await page.$eval(".body", (e) => getComputedStyle(e, "::before").content), "none");
		for (const word of ["ご", "語"])
			await ann.devtools.send("Input.imeSetComposition", {
				text: word,
				selectionStart: 1,
				selectionEnd: 1,
			});
		await ann.devtools.send("Input.insertText", { text: "語" });
		assert.equal(await text(), "日本語");
		await page.focus(".title");
		await desk.type("Composed");
		await desk.until("stored", () => /articles\/[0-9A-Z]{26}$/.test(page.url()));
		const own = desk.at(page.url().split("/").at(-1));
		await own.stored("the words", (data) => data.body[0].children[0].text === "日本語");
		// The address was made of what was typed first; it follows until the article is live.
		await page.focus(".title");
		await own.keys("End");
		await own.type(" words");
		await page.focus(".body");
		await own.until("the address follows", async () => (await own.item()).slug === "composed-words");
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: words of the last moment survive a reload", async () => {
		const own = await article(desk, "Reloaded");

		await own.open();
		await own.fill("#field-standfirst", "Typed at once");
		await page.reload();
		await page.waitForSelector(".notes .note");
		await page.click(".notes .note .b");
		await own.stored("taken in", (data) => data.standfirst === "Typed at once");
		await desk.call("DELETE", own.path);
		await desk.open("new");
		await page.focus(".title");
		await desk.type("Never stored");
		await page.reload();
		await page.waitForSelector(".notes .note");
		await page.click(".notes .note .b");
		await desk.until("the title is back", () => page.$eval(".title", (e) => e.value === "Never stored"));
		await desk.until("stored", () => /articles\/[0-9A-Z]{26}$/.test(page.url()));
		await desk.call("DELETE", desk.at(page.url().split("/").at(-1)).path);
	});
}

async function details({ report, desk }) {
	const { page } = desk;

	await report.test(
		"editor: a new item has what it will have: search engines, a row that is not red at once",
		async () => {
			await desk.call("PUT", "/schema/collections/articles", { hasSeo: true });
			await desk.open("new");
			await page.waitForSelector("#seo-title");
			await page.$eval("#seo-title", (e) => {
				e.closest("details").open = true;
			});
			await page.focus(".title");
			await desk.type("With details");
			await page.focus("#seo-title");
			await desk.type("For engines");
			await desk.until("stored", () => /articles\/[0-9A-Z]{26}$/.test(page.url()));
			const own = desk.at(page.url().split("/").at(-1));
			await own.until(
				"the title for engines",
				async () => (await own.item()).seo.title === "For engines",
			);
			await page.click('[aria-labelledby="field-runs-l"] [data-add]');
			await page.focus('[aria-labelledby="field-runs-l"] fieldset input[type="number"]');
			await own.type("1.5");
			await new Promise((then) => setTimeout(then, 2600));
			assert.equal(await page.$(".problem"), null);
			await page.focus(".title");
			await page.waitForSelector('[aria-labelledby="field-runs-l"] .problem');
			assert.equal((await page.$$('[aria-labelledby="field-runs-l"] .problem')).length, 1);
			await page.type('[aria-labelledby="field-runs-l"] fieldset input', "round");
			await own.stored(
				"the row",
				(data) => data.runs?.[0]?.nozzle === "round" && data.runs[0].ratio === 1.5,
			);
			await page.focus(".body");
			await own.type("Four words and more");
			await own.keys("Shift", "Control", "ArrowLeft");
			await own.until("the words of the selection are counted", () =>
				page.$eval(".count", (e) => /1 of 4 words/.test(e.textContent)),
			);
			await desk.call("DELETE", own.path);
			await desk.call("PUT", "/schema/collections/articles", { hasSeo: false });
		},
	);
	await report.test("editor: a translation has the original beside it, and an address of its own", async () => {
		const own = await article(desk, "The original");

		await page.goto(`${desk.person.origin}${HOME}/new?locale=de&of=${own.id}`);
		await page.waitForSelector(".original[open]");
		const [text, original] = await page.$$eval(".galley, .original", (all) =>
			all.map((one) => one.getBoundingClientRect().toJSON()),
		);
		assert.ok(original.left >= text.right && Math.abs(original.top - text.top) < 4);
		await desk.looks();
		// It is stored when something is typed, not before.
		await new Promise((then) => setTimeout(then, 2600));
		assert.match(page.url(), /new\?/);
		await page.click(".title", { count: 3 });
		await desk.type("Die Fassung");
		await desk.until("stored", () => /articles\/[0-9A-Z]{26}$/.test(page.url()));
		const mine = desk.at(page.url().split("/").at(-1));
		await mine.until("its address", async () => (await mine.item()).slug === "die-fassung");
		assert.match(JSON.stringify((await mine.item()).data.body), /One paragraph/);
		await desk.call("DELETE", mine.path);
		await desk.call("DELETE", own.path);
	});
}

export async function runPeople(context) {
	const otto = await invite(context, "Otto", 40);

	await conflicts(context, otto);
	await otto.leave();
	await schedules(context);
	await publications(context);
	await composition(context);
	await details(context);
}
