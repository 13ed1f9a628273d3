// editor-refused.mjs - the editor when the user lacks a right, or a request fails.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";

const HOME = "/_cms/admin/collections/articles";

export async function runRefused({ report, ann, desk, browser }) {
	const { page } = desk;

	await report.test("editor: dropping a draft that fails forgets nothing", async () => {
		const { item } = await desk.call("POST", "/content/articles", {
			data: { title: "Kept" },
			status: "published",
		});
		const own = desk.at(item.id);

		await own.open();
		await own.fill("#field-standfirst", "One");
		await own.says(/^Saved/);
		await page.setOfflineMode(true);
		await own.fill("#field-standfirst", "Two");
		await page.locator(".panel ::-p-text(Discard the changes)").click();
		await page.locator("[data-yes]").click();
		await own.until("told", () => page.$eval(".notices", (e) => /cannot be reached/.test(e.textContent)));
		await page.setOfflineMode(false);
		await own.stored("what was typed", (data) => data.standfirst === "Two");
	});
	await report.test("editor: Undo of Unpublish publishes nothing that waited", async () => {
		const { item } = await desk.call("POST", "/content/articles", { data: { title: "Later" } });
		const own = desk.at(item.id),
			at = new Date(Date.now() + 30 * 86400000).toISOString();

		await desk.call("POST", `${own.path}/schedule`, { scheduledAt: at });
		await own.open();
		await page.click('[popovertarget="more-ways"]');
		await page.locator("#more-ways ::-p-text(Unpublish)").click();
		await own.until("a draft", async () => (await own.item()).status === "draft");
		await page.locator("[data-undo]").click();
		await own.until("scheduled again", async () => (await own.item()).scheduledAt === at);
		assert.equal((await own.item()).status, "scheduled");
	});
	await report.test(
		"editor: what is somebody else's is to be read by who may change only their own",
		async () => {
			const { inviteUrl } = await desk.call("POST", "/auth/invite", {
				email: "reader@slipstream.example",
				role: 30,
			});
			const rita = await Person.sit(browser, ann.origin);

			await rita.plugIn("internal");
			await rita.open(inviteUrl);
			await rita.type("#name", "Rita");
			await rita.press("[data-accept]");
			await rita.arrives("/_cms/admin");
			await rita.open(`${HOME}/${desk.id}`);
			await rita.has("[data-read]", 1);
			await rita.has("#field-extra", 1);
			await rita.has(".toolbar", 0);
			await rita.looks();
			assert.deepEqual(
				await rita.page.$$eval("#more-ways button", (all) => all.map((one) => one.textContent)),
				["Preview", "Copy as a new draft", "Focus mode", "Keys"],
			);
			assert.equal(await rita.page.$eval(".body", (e) => e.isContentEditable), false);
			assert.equal(await rita.page.$eval("#field-extra", (e) => e.matches(":disabled")), true);
			await rita.open(HOME);
			await rita.page.locator("tbody tr .c-more button").click();
			await rita.has('[role="menuitem"]', 2);
			await rita.page.keyboard.press("Escape");
			await rita.page.click("tbody tr .pick");
			await rita.has(".bulk", 1);
			await rita.has("[data-act]", 0);
			await rita.looks();
			// The author may write an article of her own.
			const { data } = await rita.api("POST", "/content/articles", { data: { title: "By Rita" } });
			const refused = [];

			rita.page.on("response", (answer) => answer.status() >= 400 && refused.push(answer.url()));
			await rita.open(`${HOME}/${data.item.id}`);
			await rita.has(".toolbar", 1);
			await rita.has("[data-read]", 0);
			// She chooses a reference, a term and a byline; nothing that her editor asks for is refused.
			await rita.has("#bylines-add", 1);
			await rita.page.click("#field-related");
			await rita.page.keyboard.type("near");
			await rita.page.waitForSelector("#field-related-list li");
			await rita.page.keyboard.press("Enter");
			await rita.until("the reference is stored", async () =>
				(
					await desk.call("GET", `/content/articles/${data.item.id}`)
				).item.data.related?.includes(desk.id),
			);
			await rita.page.$eval("#schedule-at", (e) => e.closest("details").setAttribute("open", ""));
			await rita.page.click("#tax-tags");
			await rita.page.keyboard.type("nac");
			await rita.page.waitForSelector("#tax-tags-list li");
			// The list does not open above what the focus has moved to.
			await rita.page.keyboard.type("a");
			await rita.page.click(".title");
			await new Promise((then) => setTimeout(then, 600));
			await rita.has("#tax-tags-list li", 0);
			assert.deepEqual(refused, []);
			await rita.open(HOME);
			await rita.page.locator(`tr:has(a[href$="${data.item.id}"]) .pick`).click();
			await rita.has("[data-act]", 4);
			assert.deepEqual(
				await rita.page.$$eval("[data-act]", (all) => all.map((one) => one.dataset.act)),
				["publish", "field", "release", "trash"],
			);
			await rita.leave();
		},
	);
	await report.test("editor: who may change nothing that is stored says when a new item is ready", async () => {
		const { inviteUrl } = await desk.call("POST", "/auth/invite", {
			email: "writer@slipstream.example",
			role: 20,
		});
		const cora = await Person.sit(browser, ann.origin);
		const stored = async () =>
			(await desk.call("GET", "/content/articles?limit=100")).items.filter(
				(one) => one.data.title === "By Cora",
			);
		const save = async () => {
			await cora.press(".store");
			await cora.has("dialog[open]", 1);
		};

		await cora.plugIn("internal");
		await cora.open(inviteUrl);
		await cora.type("#name", "Cora");
		await cora.press("[data-accept]");
		await cora.arrives("/_cms/admin");
		await cora.open(`${HOME}/new`);
		await cora.has("#field-year", 1);
		await cora.page.click(".title");
		await cora.page.keyboard.type("By Cora");
		await cora.reads("#saved", /until you save it/);
		await cora.looks();
		// When she leaves the page, her text is kept. It is offered when she begins a new article.
		await cora.page.click(".where a");
		await cora.arrives(HOME);
		await cora.open(`${HOME}/new`);
		await cora.reads(".notes .note", /not saved\. In this browser, .*Title/);
		await cora.page.click(".notes .note .b");
		await cora.until(
			"it is taken in",
			async () => (await cora.page.$eval(".title", (e) => e.value)) === "By Cora",
		);
		await cora.has(".notes .note", 0);
		assert.equal((await stored()).length, 0);
		// A refused save leaves all values in the page.
		await cora.page.type("#field-year", "1000");
		await save();
		await cora.looks();
		await cora.page.keyboard.press("Escape");
		await cora.has("dialog[open]", 0);
		await save();
		await cora.press("[data-yes]");
		await cora.reads("#field-year-p", /at least 1900/);
		assert.equal((await stored()).length, 0);
		await cora.page.click("#field-year", { count: 3 });
		await cora.page.keyboard.type("1960");
		await cora.page.focus(".body");
		await cora.page.keyboard.type("All of it.");
		await cora.page.keyboard.down("Control");
		await cora.page.keyboard.press("s");
		await cora.page.keyboard.up("Control");
		await cora.press("[data-yes]");
		await cora.has("[data-read]", 1);
		await cora.reads(".notices .note", /saved, as a draft/);
		await cora.until("it has an address", () => /articles\/[0-9A-Z]{26}$/.test(cora.page.url()));
		await cora.has(".toolbar", 0);
		assert.equal(await cora.page.$eval(".body", (e) => e.isContentEditable), false);
		assert.equal(await cora.page.$eval("#field-year", (e) => e.matches(":disabled")), true);
		await cora.looks();
		const [item, more] = await stored();
		assert.equal(more, undefined);
		assert.equal(item.data.year, 1960);
		assert.match(JSON.stringify(item.data.body), /All of it/);
		await cora.open(`${HOME}/new`);
		await cora.has("#field-year", 1);
		await cora.has(".notes .note", 0);
		await cora.leave();
	});
	await report.test("editor: who signs in again in the page is saved, and who types on after", async () => {
		const { item } = await desk.call("POST", "/content/articles", { data: { title: "Signed out" } });
		const { inviteUrl } = await desk.call("POST", "/auth/invite", {
			email: "rosa@slipstream.example",
			role: 40,
		});
		const rosa = await Person.sit(browser, ann.origin),
			{ page } = rosa,
			own = new desk.constructor(rosa, page, desk.call, item.id);
		const signOut = async () => {
			const all = await page.cookies();

			await page.deleteCookie(...all);
			return all;
		};

		await page.setViewport({ width: 1280, height: 900 });
		await rosa.plugIn("internal");
		await rosa.open(inviteUrl);
		await rosa.type("#name", "Rosa");
		await rosa.press("[data-accept]");
		await rosa.arrives("/_cms/admin");
		await own.open();
		const kept = await signOut();
		await own.fill("#field-standfirst", "One");
		await own.says(/signed out/);
		await page.setCookie(...kept);
		await page.focus("#field-standfirst");
		await own.type(" and more");
		await own.stored("what was typed on", (data) => data.standfirst === "One and more");
		await own.says(/^Saved/);
		await signOut();
		await own.fill("#field-standfirst", "Two");
		await own.says(/signed out/);
		await page.click(".panel fieldset .tick input");
		await page.locator('dialog[open] [data-way="passkey"]').click();
		await own.stored("what was typed before", (data) => data.standfirst === "Two");
		await own.says(/^Saved/);
		await desk.call("DELETE", own.path);
		await rosa.leave();
	});
}
