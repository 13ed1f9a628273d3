// list.mjs - the list of a collection: rows, filters, search, order, pages, many at once, the trash and back.
import assert from "node:assert/strict";

const LIST = "/_cms/admin/collections/papers";
const rows = "tbody tr";

export async function runList({ report, ann, shots }) {
	const { page } = ann;
	// With SHOTS, takes pictures of what is shown, in both themes and on a phone.
	const picture = async (name) => {
		if (!shots) return;
		for (const [theme, width] of [
			["light", 1280],
			["dark", 1280],
			["light", 390],
		]) {
			await page.setViewport({ width, height: 900 });
			await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
			await page.screenshot({ path: `${shots}/list-${name}-${theme}-${width}.png` });
		}
		await page.setViewport({ width: 1280, height: 900 });
	};
	const query = () => Object.fromEntries(new URL(page.url()).searchParams);
	const titles = () =>
		page.$$eval("tbody .c-title a, tbody .c-title .name-of", (all) => all.map((one) => one.textContent));
	const first = (pattern) =>
		ann.until(`${pattern} in the first row`, async () => pattern.test((await titles())[0]));

	await report.test("a list shows its rows after three requests to the API", async () => {
		const asked = [];
		const note = (request) =>
			request.url().includes("/_cms/api/") && asked.push(new URL(request.url()).pathname);
		page.on("request", note);
		await ann.open(LIST);
		await ann.has(rows, 50);
		page.off("request", note);
		const until = asked.indexOf("/_cms/api/content/papers");
		assert.ok(until >= 0 && until <= 2, asked.join());
	});
	await report.test("the press on a link asks its rows, which the click takes over", async () => {
		const asked = [];
		const note = (request) =>
			new URL(request.url()).pathname === "/_cms/api/content/papers" && asked.push(request.method());

		// The first visit also fetches the script of the page.
		await ann.open(LIST);
		await ann.has(rows, 50);
		await page.click(".side .brand");
		await ann.has(rows, 0);
		await page.hover(`.side a[href="${LIST}"]`);
		page.on("request", note);
		await page.mouse.down();
		await ann.until("a request at the press", () => asked.length === 1);
		await page.mouse.up();
		await ann.has(rows, 50);
		assert.deepEqual(asked, ["GET"]);
		page.off("request", note);
	});
	await report.test("text of the site runs nothing and stays text", async () => {
		assert.ok((await titles()).some((one) => one.startsWith("<img src=x onerror")));
		assert.equal(await page.evaluate(() => window.hacked), undefined);
		assert.equal(await page.$$eval("main img", (all) => all.length), 0);
	});
	await report.test("a filter is in the URL, and Back takes it away", async () => {
		await page.select('[data-filter="status"]', "published");
		await ann.has(rows, 30);
		assert.equal(query().status, "published");
		await page.goBack();
		await ann.has(rows, 50);
		assert.equal(await page.$eval('[data-filter="status"]', (one) => one.value), "");
	});
	await report.test("an item whose schedule was cancelled is found as a draft", async () => {
		const { id } = (await ann.api("POST", "/content/papers", { data: { title: "Cancelled" } })).data.item,
			scheduledAt = new Date(Date.now() + 30 * 86400000).toISOString();

		await ann.api("POST", `/content/papers/${id}/schedule`, { scheduledAt });
		await ann.api("DELETE", `/content/papers/${id}/schedule`);
		assert.equal((await ann.api("GET", `/content/papers/${id}`)).data.item.status, "scheduled");
		await ann.open(`${LIST}?status=draft`);
		await first(/Cancelled/);
		await ann.reads("tbody tr .c-state", /Draft/);
		await ann.press("[data-count]");
		await ann.reads("[data-total]", /28 in total/);
		await ann.api("DELETE", `/content/papers/${id}`);
		await ann.api("DELETE", `/content/papers/${id}/permanent`);
		await ann.open(LIST);
		await ann.has(rows, 50);
	});
	await report.test("a view with its filters is saved under a name, shown again and deleted", async () => {
		const views = async (item) => {
			await page.locator('.head [aria-label="Views"]').click();
			await page.locator(`[role="menuitem"] ::-p-text(${item})`).click();
		};

		await page.select('[data-filter="status"]', "published");
		await ann.has(rows, 30);
		await views("Save this view");
		await page.locator('dialog[open] [name="view"]').fill("On the site");
		await page.locator('dialog[open] [type="submit"]').click();
		await ann.reads(".notices .note", /View “On the site” saved/);
		await ann.open(LIST);
		await ann.has(rows, 50);
		await views("On the site");
		await ann.has(rows, 30);
		assert.equal(query().status, "published");
		// Without what this browser stores, it is still there.
		await page.evaluate(() => localStorage.clear());
		await ann.open(LIST);
		await ann.has(rows, 50);
		await views("On the site");
		await ann.has(rows, 30);
		await views("Delete view");
		await ann.reads(".notices .note", /deleted/);
		await ann.press("[data-undo]");
		await ann.reads(".notices .note", /Undone/);
		await views("Delete view");
		await ann.reads(".notices .note", /deleted/);
		// A view that an earlier version has kept in the browser moves to the server; one can be everybody's.
		await page.evaluate(() =>
			localStorage.setItem(
				"stet.views.papers",
				JSON.stringify([
					{ name: "Old one", query: { status: "published" }, columns: ["year"] },
				]),
			),
		);
		await ann.open(`${LIST}?f.year=1950`);
		await ann.has(rows, 5);
		await views("Save this view");
		await page.locator('dialog[open] [name="view"]').fill("Of 1950");
		await page.locator('dialog[open] [name="shared"]').click();
		await ann.looks();
		await picture("view");
		await page.locator('dialog[open] [type="submit"]').click();
		await ann.reads(".notices .note", /View “Of 1950” saved/);
		assert.deepEqual(
			(await ann.api("GET", "/views/papers")).data.items.map((one) => [one.name, one.shared]),
			[
				["Of 1950", true],
				["Old one", false],
			],
		);
		// One that the server has already under that name stays as it is there.
		await page.evaluate(() =>
			localStorage.setItem(
				"stet.views.papers",
				JSON.stringify([{ name: "Old one", query: { status: "draft" }, columns: [] }]),
			),
		);
		await views("Old one");
		await ann.has(rows, 30);
		assert.equal(await page.evaluate(() => localStorage.getItem("stet.views.papers")), null);
		for (const { id } of (await ann.api("GET", "/views/papers")).data.items)
			await ann.api("DELETE", `/views/papers/${id}`);
		await page.evaluate(() => localStorage.clear());
		await ann.open(LIST);
		await ann.has(rows, 50);
	});
	await report.test("an indexed field is a filter, which its tag takes away", async () => {
		await page.locator(".tools .b.bare.small").click();
		await page.locator('[role="menuitem"] ::-p-text(Year)').click();
		await ann.has("dialog[open]", 1);
		await ann.looks();
		const [from, to] = await page.$$("dialog[open] input");
		await from.type("1960");
		await to.type("1961");
		await page.keyboard.press("Enter");
		await ann.has(rows, 8);
		assert.deepEqual([query()["f.year.gte"], query()["f.year.lte"]], ["1960", "1961"]);
		await ann.has(".tag", 2);
		await page.locator(".tag button").click();
		await ann.has(".tag", 1);
		await page.locator(".tag button").click();
		await ann.has(rows, 50);
	});
	await report.test("a day of a filter is one of the person's, wherever that is", async () => {
		const { id } =
			(await ann.api("POST", "/schema/collections/papers/fields", {
				slug: "tested",
				label: "Tested",
				type: "datetime",
				indexed: true,
			}),
			(
				await ann.api("POST", "/content/papers", {
					data: { title: "Tested at night", tested: "2026-03-04T20:00:00.000Z" },
				})
			).data.item);
		const filter = async (i, day) => {
			await page.locator(".tools .b.bare.small").click();
			await page.locator('[role="menuitem"] ::-p-text(Tested)').click();
			await ann.has('dialog[open] input[type="date"]', 2);
			await page.$$eval(
				'dialog[open] input[type="date"]',
				(all, n, value) => {
					all[n].value = value;
					all[n].dispatchEvent(new Event("input", { bubbles: true }));
				},
				i,
				day,
			);
			await page.locator('dialog[open] [type="submit"]').click();
			await ann.has(".tag", 1);
		};

		// In this time zone it was nine in the morning of the next day.
		await page.emulateTimezone("Pacific/Auckland");
		await ann.open(LIST);
		await ann.has(rows, 50);
		await filter(0, "2026-03-05");
		await ann.has(rows, 1);
		await first(/Tested at night/);
		assert.equal(query()["f.tested.gte"], "2026-03-04T11:00:00.000Z");
		await ann.reads(".tag", /≥ 2026-03-05/);
		await page.locator(".tag button").click();
		await ann.has(rows, 50);
		await filter(1, "2026-03-04");
		await ann.reads(".state", /No matches/);
		assert.equal(query()["f.tested.lte"], "2026-03-04T10:59:59.999Z");
		await page.locator(".tag button").click();
		await ann.has(rows, 50);
		await filter(1, "2026-03-05");
		await ann.has(rows, 1);
		await page.emulateTimezone();
		await ann.api("DELETE", `/content/papers/${id}`);
		await ann.api("DELETE", `/content/papers/${id}/permanent`);
		assert.equal((await ann.api("DELETE", "/schema/collections/papers/fields/tested")).status, 200);
		await ann.open(LIST);
		await ann.has(rows, 50);
	});
	await report.test("a field of many items is edited at once, said before, and undone", async () => {
		const pick = async (...numbers) => {
			await ann.open(`${LIST}?by=title&down=no&q=Paper`);
			await ann.has(rows, 50);
			for (const n of numbers) await page.locator(`tbody tr[data-id="${ids[n]}"] .pick`).click();
			await ann.press('[data-act="field"]');
			await ann.has('dialog[open] [name="field"]', 1);
		};
		const found = await ann.api("GET", "/content/papers?q=Paper&limit=100&fields=title,topic,for,source");
		const ids = Object.fromEntries(
			found.data.items.map((one) => [Number(/^Paper (\d+)/.exec(one.data.title)?.[1]), one.id]),
		);
		const item = async (n) => (await ann.api("GET", `/content/papers/${ids[n]}`)).data;

		// 4 is a draft with the topic Wings, 11 and 12 are published.
		await pick(4, 11, 12);
		await page.select('dialog[open] [name="field"]', "topic");
		await page.select('dialog[open] [name="value"]', "1");
		await ann.reads(
			"[data-plan]",
			/2 of 3 items change\. 1 of them is published: its change stays a draft.*Paper 04: Wings → Wakes/s,
		);
		await ann.looks();
		await picture("bulk");
		await ann.press("[data-apply]");
		await ann.reads(".notices .note", /Topic.* changed in 2 items/);
		await ann.has("dialog[open]", 0);
		assert.equal((await item(4)).item.data.topic, "Wakes");
		assert.deepEqual(
			[(await item(12)).item.status, (await item(12)).item.data.topic],
			["published", "Wakes"],
		);
		assert.equal((await ann.api("GET", `/content/papers/${ids[12]}/compare`)).data.hasChanges, true);
		await ann.press("[data-undo]");
		await ann.reads(".notices .note", /Undone/);
		assert.equal((await item(4)).item.data.topic, "Wings");
		assert.equal((await item(12)).item.data.topic, "History");
		assert.equal((await ann.api("GET", `/content/papers/${ids[12]}/compare`)).data.hasChanges, false);

		// Somebody saves one of them in between: it is named, and neither the edit nor Undo overwrites it.
		await pick(5, 6);
		await page.select('dialog[open] [name="field"]', "for");
		await page.locator("dialog[open] .seg ::-p-text(Add)").click();
		await page.locator("dialog[open] .ticks ::-p-text(Pilots)").click();
		await ann.reads("[data-plan]", /2 of 2 items change/);
		await ann.api("PUT", `/content/papers/${ids[6]}`, { data: { source: "Somebody" } });
		await ann.press("[data-apply]");
		await ann.reads("[data-failed]", /1 item was not changed:\s*Paper 06: somebody has changed it/);
		await ann.looks();
		await picture("bulk-failed");
		await ann.press("[data-again]");
		await ann.reads("[data-plan]", /1 of 1 items change/);
		await ann.press("[data-apply]");
		await ann.reads(".notices .note", /“For” changed in 2 items/);
		assert.deepEqual((await item(5)).item.data.for, ["Students", "Pilots"]);
		assert.deepEqual((await item(6)).item.data.for, ["Pilots"]);
		await ann.api("PUT", `/content/papers/${ids[5]}`, { data: { source: "Later" } });
		await ann.press("[data-undo]");
		await ann.reads(".notices .note", /1 item was not changed back: somebody has changed it/);
		assert.deepEqual((await item(5)).item.data.for, ["Students", "Pilots"]);
		assert.deepEqual((await item(6)).item.data.for, []);
		for (const n of [5, 6])
			await ann.api("PUT", `/content/papers/${ids[n]}`, {
				data: { source: n % 2 ? "" : "NACA R-1338", for: n === 6 ? [] : ["Students"] },
			});
	});
	await report.test("a bulk edit takes all items that match, and terms", async () => {
		const tagged = async () =>
			(await ann.api("GET", "/content/papers?limit=1&includeTotal=true&terms=tag:bulk")).data.total;

		const { taxonomies } = (await ann.api("GET", "/taxonomies")).data,
			{ collections } = taxonomies.find((one) => one.name === "tag");

		await ann.api("PUT", "/taxonomies/tag", { collections: [...collections, "papers"] });
		const { term } = (await ann.api("POST", "/taxonomies/tag/terms", { label: "Bulk", slug: "bulk" })).data;
		await ann.open(LIST);
		await ann.has(rows, 50);
		await page.locator("tbody tr:nth-child(1) .pick").click();
		await ann.press('[data-act="field"]');
		await ann.has('dialog[open] [name="field"]', 1);
		await page.locator("dialog[open] .seg ::-p-text(All that match)").click();
		await page.select('dialog[open] [name="field"]', "source");
		await page.locator('dialog[open] [name="value"]').fill("All");
		await ann.reads("[data-plan]", /58 of 58 items change\. 30 of them are published/);
		await ann.looks();
		await ann.press("[data-apply]");
		await ann.reads(".notices .note", /“Source” changed in 58 items/);
		await ann.press("[data-undo]");
		await ann.reads(".notices .note", /Undone/);
		assert.equal(
			(
				await ann.api(
					"GET",
					"/content/papers?limit=100&fields=source,liveRevisionId,draftRevisionId",
				)
			).data.items.filter((one) => one.data.source === "All").length,
			0,
		);
		await ann.open(`${LIST}?by=title&down=no&q=Paper`);
		await ann.has(rows, 50);
		const first = await page.$eval("tbody tr", (row) => row.dataset.id);

		await page.click("tbody tr:nth-child(1) .pick");
		await page.click("tbody tr:nth-child(2) .pick");
		await ann.press('[data-act="field"]');
		await ann.has('dialog[open] [name="field"]', 1);
		await page.select('dialog[open] [name="field"]', ":tag");
		await page.locator("dialog[open] .chips input").fill("Bul");
		await ann.has('dialog[open] [role="option"]', 1);
		await page.keyboard.press("Enter");
		await ann.reads("[data-plan]", /2 of 2 items change\..*empty → Bulk/s);
		await ann.press("[data-apply]");
		await ann.reads(".notices .note", /changed in 2 items/);
		assert.equal(await tagged(), 2);
		await ann.press("[data-undo]");
		await ann.reads(".notices .note", /Undone/);
		assert.equal(await tagged(), 0);
		// Terms that an item has are said by their labels. The dialog goes with its page.
		await ann.api("POST", `/content/papers/${first}/terms/tag`, { termIds: [term.id] });
		await ann.open(`${LIST}?by=title&down=no&q=Paper`);
		await ann.has(rows, 50);
		await page.click("tbody tr:nth-child(1) .pick");
		await ann.press('[data-act="field"]');
		await ann.has('dialog[open] [name="field"]', 1);
		await page.select('dialog[open] [name="field"]', ":tag");
		await page.locator('dialog[open] [name="clear"]').click();
		await ann.reads("[data-plan]", /1 of 1 items changes?\..*Bulk → empty/s);
		await page.$eval('nav a[href$="/media"]', (link) => link.click());
		await ann.has("dialog[open]", 0);
		await ann.api("DELETE", "/taxonomies/tag/terms/bulk");
		await ann.api("PUT", "/taxonomies/tag", { collections });
		await ann.open(LIST);
		await ann.has(rows, 50);
	});
	await report.test("so is one of the choices of a field that has many", async () => {
		await page.locator(".tools .b.bare.small").click();
		await page.locator('[role="menuitem"] ::-p-text(For)').click();
		await ann.has("dialog[open] select", 1);
		await page.select("dialog[open] select", "Pilots");
		await page.locator('dialog[open] [type="submit"]').click();
		await ann.has(rows, 1);
		await first(/Paper 21/);
		assert.equal(query()["f.for"], "Pilots");
		await page.locator(".tag button").click();
		await ann.has(rows, 50);
	});
	await report.test("a searched text is a filter by its words, once search has them", async () => {
		await page.locator(".tools .b.bare.small").click();
		await page.locator('[role="menuitem"] ::-p-text(Title)').click();
		await ann.has('dialog[open] [name="words"]', 1);
		await ann.looks();
		await page.type('dialog[open] [name="words"]', "wing slipstream");
		await page.keyboard.press("Enter");
		await ann.reads(".note.wrong", /search/i); // the collection has no search index
		assert.equal(
			(await ann.api("POST", "/search/enable", { collection: "papers", enabled: true })).status,
			200,
		);
		await ann.open(`${LIST}?f.title.contains=wing+slipstream`);
		await ann.has(rows, 1);
		await first(/aerodynamics of a wing in a slipstream/);
		await ann.has(".tag", 1);
		await page.locator(".tag button").click();
		await ann.has(rows, 50);
	});
	await report.test("words are searched while one types, and nothing found says so", async () => {
		await page.type("[data-search]", "streamline");
		await ann.has(rows, 1);
		await first(/who first drew/);
		await page.locator("[data-search]").fill("no such words");
		await ann.reads(".state", /No matches/);
		await ann.looks();
		await page.locator(".state a").click();
		await ann.has(rows, 50);
		assert.equal(await page.$eval("[data-search]", (one) => one.value), "");
	});
	await report.test("a head of a column sorts, both ways, and says so", async () => {
		await page.locator("thead .c-title button").click();
		await ann.until(
			"descending",
			async () =>
				(await page.$eval("thead .c-title", (one) => one.getAttribute("aria-sort"))) ===
				"descending",
		);
		await page.locator("thead .c-title button").click();
		await ann.until(
			"ascending",
			async () =>
				(await page.$eval("thead .c-title", (one) => one.getAttribute("aria-sort"))) ===
				"ascending",
		);
		await ann.until("sorted", async () => {
			const all = await titles();
			return all.length === 50 && all.indexOf("Paper 01") < all.indexOf("Paper 02");
		});
		assert.deepEqual([query().by, query().down], ["title", "no"]);
	});
	await report.test("the next page has the rest, and the way back leads to the first", async () => {
		await ann.open(LIST);
		await ann.has(rows, 50);
		await ann.press("[data-next]");
		await ann.has(rows, 8);
		assert.ok(query().cursor);
		await page.locator(".pager ::-p-text(Previous page)").click();
		await ann.has(rows, 50);
		await ann.press("[data-count]");
		await ann.reads("[data-total]", /58 in total/);
	});
	await report.test("many are moved to the trash at once, and Undo brings them back", async () => {
		const before = await titles();
		for (const i of [2, 3, 4]) await page.locator(`tbody tr:nth-child(${i}) .pick`).click();
		await ann.reads(".bulk strong", /3 selected/);
		await ann.looks();
		await ann.press('[data-act="trash"]');
		await ann.reads(".notices .note", /3 items moved to the trash/);
		await ann.until("they are gone", async () => !(await titles()).includes(before[1]));
		await ann.looks();
		await ann.press("[data-undo]");
		await ann.reads(".notices .note", /3 items kept/);
		await ann.until("they are back", async () => (await titles()).includes(before[1]));
		assert.equal((await ann.api("GET", "/content/papers?limit=1&includeTotal=true")).data.total, 58);
	});
	await report.test("where an item is used is said before it goes to the trash", async () => {
		const made = async (method, path, body) => {
			const answer = await ann.api(method, path, body);
			assert.ok(answer.status < 300, JSON.stringify(answer));
			return answer.data;
		};
		const id = await page.$eval("tbody tr", (one) => one.dataset.id);

		await made("POST", "/schema/collections/reviews/fields", {
			slug: "about",
			label: "About",
			type: "reference",
			options: { collection: "papers" },
		});
		await made("POST", "/schema/collections/reviews/fields", {
			slug: "parts",
			label: "Parts",
			type: "json",
		});
		const part = (
			await made("POST", "/content/reviews", {
				data: { title: "A part with it", parts: [{ _type: "item", _ref: id }] },
			})
		).item.id;
		const { item } = await made("POST", "/content/reviews", {
			data: { title: "A review of it", about: id },
		});
		await made("POST", "/menus", { name: "uses", label: "Uses" });
		await made("PUT", "/menus/uses/items", {
			items: [{ type: "post", label: "It", referenceCollection: "papers", referenceId: id }],
		});
		await ann.open(LIST);
		await ann.has(rows, 50);
		await page.locator(`tr[data-id="${id}"] .pick`).click();
		await ann.press('[data-act="trash"]');
		await ann.reads(
			"dialog[open]",
			/It will be missing from:.*A part with it.*Reviews.*A review of it.*Uses.*Menu/s,
		);
		await ann.looks();
		await picture("used");
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		assert.equal((await ann.api("GET", `/content/papers/${id}`)).status, 200);
		await made("DELETE", "/menus/uses");
		await made("DELETE", `/content/reviews/${item.id}`);
		await made("DELETE", `/content/reviews/${item.id}/permanent`);
		await made("DELETE", `/content/reviews/${part}`);
		await made("DELETE", `/content/reviews/${part}/permanent`);
		await made("DELETE", "/schema/collections/reviews/fields/about");
		await made("DELETE", "/schema/collections/reviews/fields/parts");
		await ann.open(LIST);
		await ann.has(rows, 50);
	});
	await report.test("the trash has a way back and a way out for good, which asks", async () => {
		await page.locator("tbody tr:nth-child(1) .pick").click();
		await page.locator("tbody tr:nth-child(2) .pick").click();
		await ann.press('[data-act="trash"]');
		await ann.reads(".notices .note", /2 items moved to the trash/);
		await page.select('[data-filter="status"]', "trash");
		await ann.has(rows, 2);
		await ann.looks();
		await page.locator("tbody tr:nth-child(1) .pick").click();
		await ann.press('[data-act="delete"]');
		await ann.has("dialog[open]", 1);
		await ann.looks();
		assert.equal(await page.evaluate(() => document.activeElement.textContent), "Cancel");
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		await ann.has(rows, 2);
		await ann.press('[data-act="delete"]');
		await ann.press("[data-yes]");
		await ann.has(rows, 1);
		await page.locator("tbody tr:nth-child(1) .pick").click();
		await ann.press('[data-act="restore"]');
		await ann.reads(".state", /The trash is empty/);
	});
	await report.test("Undo makes live again what was live, and nothing else", async () => {
		const at = new Date(Date.now() + 30 * 86400000).toISOString(),
			ids = {};
		const make = async (title) =>
			(ids[title] = (
				await ann.api("POST", "/content/papers", { data: { title: `Undone ${title}` } })
			).data.item.id);
		const states = async () =>
			Object.fromEntries(
				await Promise.all(
					Object.entries(ids).map(async ([title, id]) => [
						title,
						(await ann.api("GET", `/content/papers/${id}`)).data.item.status,
					]),
				),
			);
		const act = async (name, said) => {
			await page.click("thead input[type=checkbox]");
			await ann.press(`[data-act="${name}"]`);
			await ann.reads(".notices .note", said);
		};
		const undo = async () => {
			await ann.press("[data-undo]");
			await ann.reads(".notices .note", /Undone/);
		};
		const before = { draft: "draft", live: "published", later: "scheduled" };

		for (const title of Object.keys(before)) await make(title);
		await ann.api("POST", `/content/papers/${ids.live}/publish`, {});
		await ann.api("POST", `/content/papers/${ids.later}/schedule`, { scheduledAt: at });
		await ann.open(`${LIST}?q=Undone`);
		await ann.has(rows, 3);
		await act("unpublish", /2 items unpublished/);
		assert.deepEqual(await states(), { draft: "draft", live: "draft", later: "draft" });
		await undo();
		assert.deepEqual(await states(), before);
		await act("publish", /2 items published/);
		assert.deepEqual(await states(), { draft: "published", live: "published", later: "published" });
		await undo();
		assert.deepEqual(await states(), before);
		assert.equal((await ann.api("GET", `/content/papers/${ids.later}`)).data.item.scheduledAt, at);
		// If a published item has a draft, Undo would publish the draft.
		await ann.api("PUT", `/content/papers/${ids.live}`, { data: { title: "Undone draft" } });
		await ann.open(`${LIST}?q=Undone&status=published`);
		await ann.has(rows, 1);
		await act("unpublish", /1 item unpublished/);
		await ann.has("[data-undo]", 0);
		for (const id of Object.values(ids)) {
			await ann.api("DELETE", `/content/papers/${id}`);
			await ann.api("DELETE", `/content/papers/${id}/permanent`);
		}
	});
	await report.test("a button that fails says why", async () => {
		await ann.open(LIST);
		await ann.has(rows, 50);
		await page.setOfflineMode(true);
		await ann.press("[data-count]");
		await ann.reads(".notices .note", /cannot be reached/);
		await page.setOfflineMode(false);
	});
	await report.test("what the server refuses is told in its words", async () => {
		await ann.open(`${LIST}?by=nonsense`);
		await ann.reads(".note.wrong", /./);
		await ann.looks();
		await ann.open("/_cms/admin/collections/nothing");
		await ann.reads(".note.wrong", /not found/i);
		await ann.looks();
	});
	await report.test("the menu of a row opens and moves by keys, and gives the focus back", async () => {
		await ann.open(LIST);
		await ann.has(rows, 50);
		await page.focus("tbody tr:nth-child(3) .c-more button");
		await page.keyboard.press("Enter");
		await ann.until("the first is focused", () =>
			page.evaluate(() => document.activeElement.getAttribute("role") === "menuitem"),
		);
		await ann.looks();
		await page.keyboard.press("End");
		assert.equal(await page.evaluate(() => document.activeElement.textContent), "Move to trash");
		await page.keyboard.press("Escape");
		await ann.until("the button is focused", () =>
			page.evaluate(
				() =>
					document.activeElement.closest(".c-more") !== null &&
					document.activeElement.tagName === "BUTTON",
			),
		);
	});
	await report.test("an operation without a page is found by typing, and its form runs it", async () => {
		await page.keyboard.down("Control");
		await page.keyboard.press("k");
		await page.keyboard.up("Control");
		await page.locator(".palette input").fill("> get collection");
		await ann.reads('.palette [aria-selected="true"]', /^Get Collection\s*schema$/);
		await page.keyboard.press("Enter");
		await ann.reads("h1", /^Get Collection$/);
		await ann.has("form.form", 1);
		await page.locator("form.form input").fill("nothing");
		await ann.press("[data-run]");
		await ann.reads(".note.wrong", /not found/i);
		await ann.looks();
		const asked = [],
			note = (request) =>
				request.url().endsWith("/schema/collections/papers") && asked.push(request.url());
		page.on("request", note);
		await page.locator("form.form input").fill("papers");
		await page.$eval("[data-run]", (button) => {
			button.click();
			button.click();
		});
		await ann.reads(".answer", /"labelSingular": "Article"/);
		page.off("request", note);
		assert.equal(asked.length, 1);
		await ann.looks();
	});
}
