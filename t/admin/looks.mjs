// looks.mjs - every page in both themes, narrow and wide, from right to left and with longer words: axe-core finds
// nothing, nothing is cut off, the element with the focus is visible, and every text is translated. With SHOTS, takes
// pictures of all.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const HOME = "/_cms/admin";
const SIZES = [
	[1280, 900],
	[768, 1024],
	[390, 844],
];

// Pages by name; `ready` exists when the page is complete. PAGES="menus menu" checks only these.
export const pages = [
	{ name: "start", path: "", ready: ".due-list" },
	{ name: "list", path: "/collections/papers", ready: "tbody tr", data: true },
	{ name: "trash", path: "/collections/papers?status=trash", ready: "tbody tr, .state", data: true },
	{ name: "empty", path: "/collections/reviews", ready: ".state", data: true },
	{ name: "media", path: "/media", ready: ".grid li, .state" },
	{ name: "taxonomies", path: "/taxonomies", ready: "tbody tr" },
	{ name: "taxonomy", path: "/taxonomies/fields/en", ready: ".tree li", data: true },
	{ name: "menus", path: "/menus", ready: "tbody tr" },
	{ name: "menu", path: "/menus/footer/en", ready: ".tree li", data: true },
	{ name: "releases", path: "/releases", ready: "tbody tr" },
	{
		name: "release",
		path: async (get) => `/releases/${(await get("/releases")).items.at(-1).id}`,
		ready: "tbody tr",
		data: true,
	},
	{ name: "calendar", path: "/calendar", ready: "table.calendar" },
	{ name: "sections", path: "/sections", ready: "tbody tr" },
	{ name: "section", path: "/sections/call", ready: ".body", data: true },
	{ name: "widgets", path: "/widgets", ready: ".tree li" },
	{
		name: "widget",
		path: async (get) =>
			`/widgets/sidebar/${(await get("/widget-areas")).items.find((one) => one.name === "sidebar").widgets[2].id}`,
		ready: ".form",
		data: true,
	},
	{ name: "bylines", path: "/bylines", ready: "tbody tr" },
	{
		name: "byline",
		path: async (get) => `/bylines/${(await get("/bylines")).items.find((one) => one.slug === "x").id}`,
		ready: ".form",
		data: true,
	},
	{ name: "tokens", path: "/tokens", ready: "tbody tr, .state" },
	{ name: "users", path: "/users", ready: "tbody tr" },
	{ name: "me", path: "/me", ready: ".things" },
	{ name: "comments", path: "/comments", ready: "tbody tr, .state" },
	{ name: "reviews", path: "/reviews", ready: "tbody tr, .state" },
	{ name: "settings", path: "/settings", ready: "form.form" },
	{ name: "plugins", path: "/plugins", ready: ".plug" },
	{ name: "plugin", path: "/plugins/comments", ready: "form.form", data: true },
	{ name: "frame", path: "/plugins/swatches/colours", ready: "iframe.plugin-frame:not([aria-busy])", data: true },
	{ name: "webhooks", path: "/webhooks", ready: "tbody tr, .state" },
	{ name: "imports", path: "/imports", ready: "tbody tr, .state" },
	{ name: "activity", path: "/activity", ready: ".list > *" },
	{ name: "assistants", path: "/assistants", ready: "[data-clients] .list > *" },
	{ name: "schema", path: "/schema", ready: "tbody tr" },
	{ name: "collection", path: "/schema/papers", ready: "form.form", data: true },
	{ name: "field", path: "/schema/papers?field=topic", ready: ".plan", data: true },
	{ name: "blocks", path: "/blocks", ready: "tbody tr" },
	{ name: "block", path: "/blocks/price", ready: "form.form", data: true },
	{ name: "audit", path: "/audit", ready: "tbody tr" },
	{ name: "health", path: "/health", ready: ".things li" },
	{ name: "backups", path: "/backups", ready: "[data-archives]" },
	{ name: "operation", path: "/do/content_schedule_at", ready: "form.form", data: true },
	{ name: "editor", path: "/collections/papers/article-51", ready: ".galley", data: true },
	{ name: "missing", path: "/nothing", ready: ".state" },
].filter((one) => !process.env.PAGES || process.env.PAGES.split(" ").includes(one.name));

// Checks that the page does not scroll sideways, and that no control lies outside of it.
const overflow = () => {
	const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
	const isOut = (one) => {
		const { left, right } = one.getBoundingClientRect();
		return left < -1 || right > document.documentElement.clientWidth + 1;
	};
	return wide > 1
		? `the page is ${wide} px too wide: ${[...document.querySelectorAll("main *")]
				.filter(isOut)
				.map((one) => `${one.localName} ${one.textContent.slice(0, 30)}`)
				.slice(-3)
				.join("; ")}`
		: "";
};

// Words of controls, labels and headings that do not fit into their place.
const cut = () =>
	[...document.querySelectorAll("button, a.b, label, legend, th, h1, h2, summary, .mark, .side a, option, dt")]
		.filter((one) => {
			const { overflowX, textOverflow } = getComputedStyle(one);

			return (
				one.scrollWidth > one.clientWidth + 1 &&
				(overflowX === "hidden" || overflowX === "clip" || textOverflow === "ellipsis") &&
				!one.closest(".sr, .skip")
			);
		})
		.map((one) => `${one.localName}.${one.className} ${one.textContent.trim()}`);

// With LANGUAGES="de fr": every page in these languages, and nothing else.
async function inLanguages({ report, ann, shots }, languages) {
	const { page } = ann;

	for (const one of pages)
		for (const language of languages)
			await report.test(`${one.name}: in ${language}`, async () => {
				for (const [width, height] of [SIZES[0], SIZES[2]]) {
					await page.setViewport({ width, height });
					await ann.open(
						`${HOME}${one.path}${one.path.includes("?") ? "&" : "?"}language=${language}`,
					);
					await page.waitForSelector(one.ready);
					if (shots)
						await page.screenshot({
							path: path.join(shots, `${one.name}-${language}-${width}.png`),
							fullPage: one.name !== "list",
						});
					assert.equal(await page.evaluate(overflow), "", `${width}`);
					assert.deepEqual(await page.evaluate(cut), [], `${width}`);
					await ann.looks();
				}
			});
	await page.setViewport({ width: 1280, height: 900 });
}

/** Returns nothing if at least a part of the focused element is visible, or else the element (WCAG 2.2, 2.4.11). */
const covered = () => {
	const one = document.activeElement,
		{ left, top, right, bottom } = one.getBoundingClientRect();
	const sees = (x, y) => {
		const hit = document.elementFromPoint(x, y);
		return (
			hit !== null &&
			(hit.contains(one) || one.contains(hit) || hit.closest("label")?.control === one)
		);
	};
	const seen =
		sees((left + right) / 2, (top + bottom) / 2) || sees(left + 3, top + 3) || sees(right - 3, bottom - 3);

	const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
	const told = (it) =>
		`${it?.localName} ${it?.className} ${it?.getAttribute("name") ?? it?.getAttribute("aria-label") ?? it?.textContent.slice(0, 30)}`;

	return one === document.body || seen ? "" : `${told(one)} at ${Math.round(top)} is below ${told(over)}`;
};

export async function runLooks({ report, ann, shots }) {
	const { page } = ann,
		languages = process.env.LANGUAGES?.split(" ");

	if (shots) fs.mkdirSync(shots, { recursive: true });
	await ann.api("POST", "/schema/blocks", {
		slug: "price",
		label: "Price",
		fields: [{ slug: "amount", label: "Amount", type: "number", required: true }],
	});
	for (const one of pages)
		if (typeof one.path === "function")
			one.path = await one.path(async (where) => (await ann.api("GET", where)).data);
	if (languages) return inLanguages({ report, ann, shots }, languages);
	for (const one of pages)
		await report.test(`${one.name}: usable by everybody in both themes, wide and narrow`, async () => {
			for (const [width, height] of SIZES) {
				await page.setViewport({ width, height });
				await ann.open(`${HOME}${one.path}`);
				await page.waitForSelector(one.ready);
				if (width !== 768)
					// the same elements as on the wide screen
					await ann.looks();
				assert.equal(await page.evaluate(overflow), "", `${width}`);
				for (const [theme, value] of [
					["paper", "light"],
					["ink", "dark"],
				])
					if (shots) {
						await page.emulateMediaFeatures([
							{ name: "prefers-color-scheme", value },
							{ name: "prefers-reduced-motion", value: "reduce" },
						]);
						await page.screenshot({
							path: path.join(shots, `${one.name}-${theme}-${width}.png`),
							fullPage: true,
						});
					}
			}
			await page.setViewport({ width: 1280, height: 900 });
		});
	// The last size is a window of 1280 x 1024 pixels, magnified four times. Bars are higher on a narrow page.
	const bars = pages.filter((one) => ["editor", "compare", "list", "field"].includes(one.name));
	for (const [one, width, height] of [
		...pages.map((one) => [one, 1280, 500]),
		...bars.map((one) => [one, 390, 500]),
		...bars.map((one) => [one, 320, 256]),
	])
		await report.test(`${one.name}: what has the focus is never covered, ${width} px wide`, async () => {
			await page.setViewport({ width, height });
			await ann.open(`${HOME}${one.path}`);
			await page.waitForSelector(one.ready);
			await page.focus("#main");
			for (const [key, turns] of [
				["Tab", 40],
				["Shift+Tab", 40],
			])
				for (let i = 0; i < turns; i++) {
					if (key === "Tab") {
						await page.keyboard.press("Tab");
					} else {
						await page.keyboard.down("Shift");
						await page.keyboard.press("Tab");
						await page.keyboard.up("Shift");
					}
					let what = await page.evaluate(covered);
					// The layout of the page may still change.
					for (let turn = 0; what !== "" && turn < 20; turn++) {
						await new Promise((resolve) => setTimeout(resolve, 50));
						what = await page.evaluate(covered);
					}
					assert.equal(what, "", `${key} ${i}`);
				}
			await page.setViewport({ width: 1280, height: 900 });
		});
	for (const one of pages)
		await report.test(`${one.name}: from right to left and with longer words`, async () => {
			for (const [width, height] of SIZES) {
				await page.setViewport({ width, height });
				await ann.open(`${HOME}${one.path}${one.path.includes("?") ? "&" : "?"}language=xb`);
				await page.waitForSelector(one.ready);
				assert.equal(await page.evaluate(() => document.documentElement.dir), "rtl");
				assert.equal(await page.evaluate(overflow), "", `${width}`);
				if (shots)
					await page.screenshot({
						path: path.join(shots, `${one.name}-rtl-${width}.png`),
						fullPage: true,
					});
				if (!one.data)
					// the heading is a text that the site's users wrote
					assert.match(
						await ann.text("h1"),
						/^\[.*~\]$/,
						"a heading that no language has",
					);
			}
			await page.setViewport({ width: 1280, height: 900 });
		});
}
