// shell.mjs - the frame: menu, theme, keys, palette, paths that are no page.
import assert from "node:assert/strict";

const HOME = "/_cms/admin";

export async function runShell({ report, ann }) {
	const { page } = ann;

	await report.test("every page whose data cannot be read has a heading above the error", async () => {
		for (const where of [
			"approvals/none",
			"blocks/none",
			"bylines/none",
			"collections/none",
			"collections/papers/none",
			"collections/papers/none/compare",
			"do/none",
			"imports/none",
			"menus/none/en",
			"plugins/none",
			"plugins/none/none",
			"releases/none",
			"schema/none",
			"sections/none",
			"taxonomies/none/en",
			"webhooks/none",
			"widgets/none/none",
		]) {
			await ann.open(`${HOME}/${where}`);
			await ann.page.waitForSelector("main .note.wrong, main .state");
			const said = await ann.page.$$eval("main h1", (all) =>
				all.map((one) => one.textContent.trim()),
			);
			assert.equal(said.length, 1, where);
			assert.match(said[0], /\S/, where);
		}
	});
	await report.test("a path that is no page says so", async () => {
		await ann.open(`${HOME}/nothing/here`);
		await ann.reads("h1", /Page not found/);
		await ann.looks();
	});
	await report.test("? lists the keys, Escape closes, and the focus returns", async () => {
		await ann.open(HOME);
		await ann.has(".side .me", 1);
		await page.focus(".goto");
		await page.keyboard.press("?");
		await ann.has("dialog[open] .keys", 1);
		await ann.looks();
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		assert.equal(await page.evaluate(() => document.activeElement.matches(".goto")), true);
	});
	await report.test("Ctrl K finds a page by typing and opens it by the keyboard alone", async () => {
		await page.keyboard.down("Control");
		await page.keyboard.press("k");
		await page.keyboard.up("Control");
		await ann.has("dialog.palette[open]", 1);
		assert.match(await ann.text('.palette [role="option"]'), /^Home/);
		await ann.looks();
		await page.keyboard.type("dark");
		await ann.reads('.palette [aria-selected="true"]', /Theme: Dark/);
		await page.keyboard.press("Enter");
		await ann.until("the theme is ink", () =>
			page.evaluate(() => document.documentElement.dataset.theme === "ink"),
		);
		await ann.has("dialog.palette", 0);
	});
	await report.test(
		"Ctrl K finds items by title, slug, id and address, before pages; keys count at once",
		async () => {
			const { id, slug, data } = (await ann.api("GET", "/content/papers?q=Near+noise&limit=1")).data
				.items[0];
			const top = () => ann.text('.palette [aria-selected="true"]');

			for (const typed of ["near noise", slug, id, `https://site.example/papers/${slug}?a=b`]) {
				await page.keyboard.down("Control");
				await page.keyboard.press("k");
				await page.keyboard.up("Control");
				await page.keyboard.type(typed);
				await ann.until(`${typed} is the first`, async () =>
					(await top()).startsWith(data.title),
				);
				assert.equal(await page.$eval(".palette input", (one) => one.value), typed);
				if (typed !== id) await page.keyboard.press("Escape");
				await ann.has("dialog.palette", typed === id ? 1 : 0);
				if (typed === id) {
					await page.keyboard.press("Enter");
					await ann.arrives(`${HOME}/collections/papers/${id}`);
					await ann.has(".title", 1);
				}
			}
			await ann.open(HOME);
			await ann.has(".side .me", 1);
			await page.keyboard.down("Control");
			await page.keyboard.press("k");
			await page.keyboard.up("Control");
			await page.keyboard.type("confirm upload");
			await ann.until(
				"nothing is found",
				async () => (await ann.count('.palette [role="option"]')) === 0,
			);
			await page.keyboard.press("Escape");
			await ann.has("dialog.palette", 0);
		},
	);
	await report.test("the theme stays, and Auto follows the system again", async () => {
		await page.reload();
		await ann.until("the theme is ink", () =>
			page.evaluate(() => document.documentElement.dataset.theme === "ink"),
		);
		await ann.open(`${HOME}/me`);
		await page.locator('.seg input[value="auto"]').click();
		await ann.until("the theme is auto", () =>
			page.evaluate(() => document.documentElement.dataset.theme === undefined),
		);
	});
	await report.test("the first Tab leads to the page, past the menu", async () => {
		await ann.open(HOME);
		await ann.has(".side .me", 1);
		await page.keyboard.press("Tab");
		assert.equal(await page.evaluate(() => document.activeElement.className), "skip b");
		await page.keyboard.press("Enter");
		assert.equal(await page.evaluate(() => document.activeElement.id), "main");
	});
	await report.test("on a phone the menu opens over the page and closes again", async () => {
		await page.setViewport({ width: 390, height: 800 });
		await ann.press("button.menu");
		await ann.until("the menu is open", () =>
			page.evaluate(() => document.getElementById("side").matches(":popover-open")),
		);
		await page.keyboard.press("Escape");
		await ann.until("the menu is closed", () =>
			page.evaluate(() => !document.getElementById("side").matches(":popover-open")),
		);
		// The button of the palette is in the menu, since the bar of a phone has no room for it.
		await ann.press("button.menu");
		await ann.press(".goto-side");
		await ann.has("dialog.palette[open]", 1);
		await ann.looks();
		await page.keyboard.press("Escape");
		await ann.has("dialog.palette", 0);
		assert.equal(await page.evaluate(() => document.activeElement.matches("button.menu")), true);
		await page.setViewport({ width: 1280, height: 900 });
		assert.equal(await page.$eval(".goto-side", (one) => one.checkVisibility()), false);
	});
	await report.test("who stays at what is not saved keeps the way on", async () => {
		const walk = (way) => page.evaluate((name) => history[name](), way),
			at = () => page.evaluate(() => navigation.currentEntry.index);

		await ann.open(HOME);
		await page.locator(`.side a[href="${HOME}/settings"]`).click();
		await ann.has("form.form", 1);
		await page.evaluate(() => {
			location.hash = "main";
		});
		await page.locator(`.side a[href="${HOME}/tokens"]`).click();
		await ann.arrives(`${HOME}/tokens`);
		await walk("back");
		await ann.arrives(`${HOME}/settings`);
		await ann.has("form.form", 1);
		await page.type("form.form input", "x");
		const before = await page.evaluate(() => history.length),
			here = await at();
		for (const way of ["back", "forward"]) {
			if (way === "back") await walk("back"); // the first step back stays on the page: the entry that keeps unsaved text
			await walk(way);
			await ann.has("dialog[open]", 1);
			await page.keyboard.press("Escape");
			await ann.has("dialog[open]", 0);
			await ann.arrives(`${HOME}/settings`);
			if (way === "back") await walk("forward");
			await ann.until("where one was", async () => (await at()) === here);
		}
		assert.equal(await page.evaluate(() => history.length), before);
		assert.match(await page.$eval("form.form input", (one) => one.value), /x$/);
		await walk("forward");
		await ann.press("[data-yes]");
		await ann.arrives(`${HOME}/tokens`);
		await ann.reads("h1", /token/i);
	});
	await report.test("the start page asks all collections, however many there are", async () => {
		const slugs = Array.from({ length: 26 }, (_, i) => `shelf_${String(i + 1).padStart(2, "0")}`);
		const call = async (method, path, body) => {
			const answer = await ann.api(method, path, body);
			assert.ok(answer.status < 300, JSON.stringify(answer));
			return answer.data;
		};
		const asked = [],
			note = (request) => request.url().endsWith("/_cms/api/batch") && asked.push(request.url());

		for (const slug of slugs) {
			await call("POST", "/schema/collections", {
				slug,
				label: `Shelf ${Number(slug.slice(-2))}`,
				supports: ["drafts"],
			});
			await call("POST", `/schema/collections/${slug}/fields`, {
				slug: "title",
				label: "Title",
				type: "string",
			});
		}
		for (const slug of [slugs[0], slugs.at(-1)])
			await call("POST", `/content/${slug}`, { data: { title: `On ${slug}` } });
		page.on("request", note);
		await ann.open(HOME);
		for (const slug of [slugs[0], slugs.at(-1)])
			await ann.until(slug, async () =>
				(await ann.text('[aria-labelledby="h-drafts"]')).includes(`On ${slug}`),
			);
		page.off("request", note);
		assert.equal(asked.length, 4);
		// So many have a group and a filter of their own, in natural order.
		const inMenu = () =>
			page.$$eval("#group-collections a", (all) => all.map((one) => one.textContent.trim()));
		assert.deepEqual((await inMenu()).slice(-26).slice(0, 3), ["Shelf 1", "Shelf 2", "Shelf 3"]);
		assert.equal((await inMenu()).at(-1), "Shelf 26");
		await page.type("[data-filter-menu]", "26");
		await ann.until("one is left", async () => (await inMenu()).join() === "Shelf 26");
		await ann.open(`${HOME}/collections/${slugs.at(-1)}`);
		await ann.until("the open one is in sight", () =>
			page.$eval("#group-collections [aria-current]", (one) => {
				const { top, bottom } = one.getBoundingClientRect(),
					box = one.closest(".pages").getBoundingClientRect();
				return top >= box.top && bottom <= box.bottom + 1;
			}),
		);
		await ann.looks();
		await ann.open(`${HOME}/webhooks`);
		await ann.press("[data-make]");
		await ann.has("dialog[open] [data-filter-picks]", 1);
		await page.type("dialog[open] [data-filter-picks]", "shelf 26");
		await ann.has('dialog[open] [name="collection"]', 1);
		await ann.looks();
		await ann.press("dialog[open] [data-cancel]");
		await ann.has("dialog[open]", 0);
		await page.click('[data-fold="collections"]');
		assert.equal(await page.$eval("#group-collections", (one) => one.checkVisibility()), false);
		await page.click('[data-fold="collections"]');
		for (const slug of slugs) await call("DELETE", `/schema/collections/${slug}?force=true`);
	});
}
