// media.mjs - the library: uploads by button, drag and paste, folders, texts and focal point, usage before a delete.
import assert from "node:assert/strict";
import { fileOf, png } from "./files.mjs";

const MEDIA = "/_cms/admin/media";
const HOSTILE = `<img src=x onerror="window.hacked=1">'{{7*7}}.png`;
const tiles = ".grid li";

export async function runMedia({ report, ann, work }) {
	const { page } = ann;
	const choose = async (...files) => (await page.$('.upload input[type="file"]')).uploadFile(...files);
	// Simulates a drag or a paste of a file.
	const bring = (kind, name, text) =>
		page.evaluate(
			(k, n, x) => {
				const data = new DataTransfer();
				data.items.add(new File([x], n, { type: "application/pdf" }));
				document.getElementById("main").dispatchEvent(
					k === "paste"
						? new ClipboardEvent("paste", {
								clipboardData: data,
								bubbles: true,
								cancelable: true,
							})
						: new DragEvent(k, {
								dataTransfer: data,
								bubbles: true,
								cancelable: true,
							}),
				);
			},
			kind,
			name,
			text,
		);
	const item = async (name) =>
		(await ann.api("GET", "/media?limit=100")).data.items.find((one) => one.filename === name);

	await report.test("media: an empty library says how to fill it", async () => {
		await ann.open(MEDIA);
		await ann.reads(".state", /No media yet.*Drag files here/s);
		await ann.looks();
	});
	await report.test("media: files come by the button, by drag and by paste, whatever their names", async () => {
		await choose(
			fileOf(
				work,
				"wing.png",
				png(400, 300, [
					[40, 60, 120],
					[240, 240, 250],
				]),
			),
			fileOf(
				work,
				HOSTILE,
				png(300, 300, [
					[200, 120, 60],
					[250, 240, 200],
				]),
			),
		);
		await ann.has(tiles, 2);
		await bring("dragenter", "notes.pdf", "%PDF-1.4 wake");
		await ann.has(".shelf.over .drop", 1);
		await bring("drop", "notes.pdf", "%PDF-1.4 wake");
		await ann.has(tiles, 3);
		await ann.has(".shelf.over", 0);
		await bring("paste", "pasted.pdf", "%PDF-1.4 shed");
		await ann.has(tiles, 4);
		await ann.reads(".notices .note", /1 file uploaded/);
		assert.equal(await page.evaluate(() => window.hacked), undefined);
	});
	await report.test(
		"media: what is there already is told, and what may not come, in the server's words",
		async () => {
			await choose(
				fileOf(
					work,
					"wing.png",
					png(400, 300, [
						[40, 60, 120],
						[240, 240, 250],
					]),
				),
			);
			await ann.reads(".notices .note", /wing\.png is already in the library/);
			await choose(fileOf(work, "evil.svg.html", "<script>window.hacked=1</script>"));
			await ann.reads(".uploads .problem", /./);
			await ann.looks();
			await page.locator(".up .b:last-child").click();
			await ann.has(".up", 0);
			await choose(fileOf(work, "fake.png", "no png"));
			await ann.reads(".uploads .problem", /png|image|type/i);
			await page.locator(".up .b:last-child").click();
			await ann.has(".up", 0);
			// What is too large is not sent at all.
			const sent = [],
				note = (request) => request.method() === "POST" && sent.push(request.url());
			page.on("request", note);
			await page.evaluate(() => {
				const data = new DataTransfer();
				data.items.add(
					new File([new Uint8Array(60 << 20)], "large.png", { type: "image/png" }),
				);
				document.querySelector(".shelf").dispatchEvent(
					new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
				);
			});
			await ann.reads(".uploads .problem", /^The file is larger than 50 MB$/);
			page.off("request", note);
			assert.deepEqual(sent, []);
			await page.locator(".up .b:last-child").click();
			await ann.has(".up", 0);
			// A picture that cannot be shown is no broken tile.
			await page.$eval(`${tiles} img`, (one) => one.dispatchEvent(new Event("error")));
			await ann.until("it says so", async () =>
				(await page.$$eval(".tile", (all) => all.map((one) => one.textContent))).some((one) =>
					/not a picture/.test(one),
				),
			);
			await ann.has(tiles, 4);
		},
	);
	await report.test("media: an upload shows how far it is, and is stopped", async () => {
		// Uses puppeteer's own session: with a second one, the conditions of one session would override those of the
		// other.
		await page.emulateNetworkConditions({ download: -1, upload: 30000, latency: 0 }); // bytes a second
		await choose(
			fileOf(
				work,
				"long.png",
				png(
					1000,
					1000,
					[
						[0, 0, 0],
						[0, 0, 0],
					],
					true,
				),
			),
		);
		await ann.has(".up progress", 1);
		await ann.until("it moves", () =>
			page.evaluate(() => {
				const { value } = document.querySelector(".up progress");
				return value > 0 && value < 100;
			}),
		);
		await ann.looks();
		await page.locator(".up .b").click();
		await ann.has(".up", 0);
		await page.emulateNetworkConditions(null);
		assert.equal(await item("long.png"), undefined);
	});
	await report.test("media: a file is told of, and found by its name", async () => {
		await ann.open(MEDIA);
		await ann.has(tiles, 4);
		await page.evaluate(() =>
			[...document.querySelectorAll(".tile")]
				.find((one) => one.textContent.includes("wing.png"))
				.click(),
		);
		await ann.reads("#media-h", /^wing\.png$/);
		await ann.until("its heading is focused", () =>
			page.evaluate(() => document.activeElement.id === "media-h"),
		);
		await page.locator("#media-alt").fill("A wing at nine degrees");
		await page.keyboard.press("Tab");
		await ann.reads(".item-panel .saved", /Saved/);
		await ann.looks();
		assert.equal((await item("wing.png")).alt, "A wing at nine degrees");
		await page.locator('input[type="search"]').fill("wing");
		await ann.has(tiles, 1);
	});
	await report.test("media: the focal point is set by the mouse and by the keyboard", async () => {
		const box = await (await page.$(".focal img")).boundingBox();
		await page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.75);
		await ann.until("it is kept", async () => Math.abs((await item("wing.png")).focalX - 0.25) < 0.02);
		await page.focus(".xy input");
		await page.keyboard.press("End");
		await page.keyboard.press("Tab");
		await ann.until("it is kept", async () => {
			const one = await item("wing.png");
			return one.focalX === 1 && Math.abs(one.focalY - 0.75) < 0.02;
		});
		await page.keyboard.press("Escape");
		await ann.has(".item-panel", 0);
		await ann.until("the tile is focused", () =>
			page.evaluate(() => document.activeElement.classList.contains("tile")),
		);
	});
	await report.test("media: a folder is made, files are moved there, it is renamed and deleted", async () => {
		await ann.open(MEDIA);
		await ann.has(tiles, 4);
		await ann.press("[data-folder]");
		await page.locator("dialog[open] input").fill("Wind tunnels <b>");
		await ann.looks();
		await page.keyboard.press("Enter");
		await ann.reads("h1", /^Wind tunnels <b>$/);
		await ann.reads(".state", /This folder is empty/);
		await page.locator(".folders li:first-child a").click();
		await ann.has(tiles, 4);
		for (const n of [1, 2]) await page.locator(`.grid li:nth-child(${n}) .pick`).click();
		await ann.reads(".bulk", /2 selected/);
		await ann.looks();
		await page.select(
			"[data-move]",
			await page.$eval("[data-move] option:nth-child(3)", (one) => one.value),
		);
		await ann.reads(".notices .note", /2 files moved to Wind tunnels <b>/);
		await page.locator(".folders li:nth-child(2) a").click();
		await ann.has(tiles, 2);
		// A file that is uploaded while a folder is open goes into the folder.
		await bring("paste", "third.pdf", "%PDF-1.4 here");
		await ann.has(tiles, 3);
		await page.locator(".head button[aria-haspopup]").click();
		await page.locator('[role="menuitem"]').click();
		await page.locator("dialog[open] input").fill("Tunnels");
		await page.keyboard.press("Enter");
		await ann.reads("h1", /^Tunnels$/);
		await page.locator(".head button[aria-haspopup]").click();
		await page.locator('[role="menuitem"].out').click();
		await ann.press("[data-yes]");
		await ann.reads("h1", /^Media$/);
		await ann.has(tiles, 5);
	});
	await report.test("media: where a file is used is found, and named before it is deleted", async () => {
		const wing = await item("wing.png");
		const made = await ann.api("POST", "/schema/collections/papers/fields", {
			slug: "cover",
			label: "Cover",
			type: "image",
		});
		assert.equal(made.status, 201, JSON.stringify(made));
		const put = await ann.api("PUT", "/content/papers/article-51", { data: { cover: { id: wing.id } } });
		assert.equal(put.status, 200, JSON.stringify(put));
		await ann.open(`${MEDIA}?item=${wing.id}`);
		await ann.press("[data-index]");
		await ann.reads("[data-uses]", /1 place/);
		await ann.reads(".use", /Near noise field/);
		await ann.looks();
		await ann.press("[data-delete]");
		await ann.reads("dialog[open]", /missing from 1 place.*Near noise field/s);
		await ann.looks();
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		assert.notEqual(await item("wing.png"), undefined);
		await ann.press("[data-delete]");
		await ann.press("[data-yes]");
		await ann.reads(".notices .note", /1 file deleted/);
		await ann.has(".item-panel", 0);
		assert.equal(await item("wing.png"), undefined);
	});
	await report.test("media: files that nothing uses are found, and some are deleted together", async () => {
		await page.evaluate(() => document.querySelector('.folders a[href*="unused"]').click());
		await ann.has(tiles, 4);
		await page.locator(".grid li:nth-child(1) .pick").click();
		await page.locator(".grid li:nth-child(2) .pick").click();
		await ann.press("[data-remove]");
		await ann.reads("dialog[open]", /Delete 2 files permanently/);
		await ann.press("[data-yes]");
		await ann.has(tiles, 2);
		await page.evaluate(() => window.hacked).then((hacked) => assert.equal(hacked, undefined));
	});
	// Takes screenshots of the library.
	await ann.open(MEDIA);
	await choose(
		fileOf(
			work,
			"smoke-tunnel-1951.png",
			png(640, 400, [
				[20, 20, 20],
				[200, 200, 200],
			]),
		),
		fileOf(
			work,
			"near-field.png",
			png(300, 400, [
				[250, 220, 180],
				[120, 40, 40],
			]),
		),
	);
	await ann.has(tiles, 4);
}
