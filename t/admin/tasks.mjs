// tasks.mjs - twenty tasks of an editor's day, done as a person does them, on a blog of its own: the steps of each (a
// click, a key or shortcut, a typed text), requests, bytes and time, as a table. tasks.txt has the steps, which may only
// become fewer: UPDATE_TASKS=1 writes smaller numbers into it; then correct the table of
// modules/admin/README.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Person } from "../browser/people.mjs";
import { fileOf, png } from "./files.mjs";
import { maker } from "./site.mjs";
import { setUp, startBlog } from "./tour.mjs";

const HOME = "/_cms/admin";
const SOURCE = process.env.STET_SOURCE;
const STEPS = path.join(SOURCE, "t/admin/tasks.txt");
const QUIET = 300; // ms without a request until the requests of a task are counted

const paragraph = (text) => ({ _type: "block", style: "normal", children: [{ _type: "span", text }] });

/** A person whose steps are counted. A step waits for its control, as a person does. */
class Hand {
	constructor(ann) {
		this.ann = ann;
		this.page = ann.page;
		this.steps = 0;
	}

	async click(selector) {
		this.steps++;
		await this.ann.press(selector);
	}
	/** A key, or a shortcut: press("Control", "k"). */
	async press(...keys) {
		this.steps++;
		for (const key of keys.slice(0, -1)) await this.page.keyboard.down(key);
		await this.page.keyboard.press(keys.at(-1));
		for (const key of keys.slice(0, -1).reverse()) await this.page.keyboard.up(key);
	}
	/** A text at the cursor. */
	async type(text) {
		this.steps++;
		await this.page.keyboard.type(text);
	}
	/** A text into a field, which is clicked. */
	async fill(selector, text) {
		await this.click(selector);
		await this.type(text);
	}
	/** Opens a list of choices and chooses one: two clicks. */
	async choose(selector, value) {
		this.steps += 2;
		await this.page.waitForSelector(selector);
		await this.page.select(selector, value);
	}
	/** The button of a file field, and the file in the window of the system. */
	async upload(selector, file) {
		this.steps += 2;
		await (await this.page.waitForSelector(selector)).uploadFile(file);
	}
}

/** Counts the requests that reach the server, those to the API, and bytes, heads included. */
async function counted(ann) {
	const sums = { calls: 0, requests: 0, bytes: 0 },
		cached = new Set(),
		own = new Set();

	await ann.devtools.send("Network.enable");
	ann.devtools.on("Network.requestServedFromCache", ({ requestId }) => void cached.add(requestId));
	ann.devtools.on("Network.responseReceived", ({ requestId, response }) => {
		if (cached.delete(requestId) || response.fromDiskCache || response.url.startsWith("data:")) return;
		own.add(requestId);
		sums.requests++;
		if (response.url.includes("/_cms/api/")) sums.calls++;
	});
	ann.devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
		if (own.delete(requestId)) sums.bytes += encodedDataLength;
	});
	return sums;
}

/* ---- the site ---- */

const picture = (seed) =>
	png(160, 120, [
		[seed, 60, 120],
		[240, 240, 250 - seed],
	]);

/** Posts and other things that tasks need, made over the API. */
async function fill({ ann, call, work }) {
	const posts = {};
	const post = async (name, title, text, more = {}) => {
		const { item } = await call("POST", "/content/posts", {
			data: { title, content: [paragraph(text)] },
			...more,
		});
		posts[name] = item.id;
	};
	await post("typo", "A walk along the canal", "The lock keper waves.", { status: "published" });
	await post("later", "Winter timetable", "From December on.");
	await post("old", "Summer timetable", "Until September.", { status: "published" });
	await post("two", "Opening hours", "We open at nine.", { status: "published" });
	await post("noted", "The new bridge", "It opens in spring.");
	for (const n of [1, 2, 3]) await post(`bulk-${n}`, `Report ${n}`, "In short.");
	for (const n of [1, 2]) await post(`together-${n}`, `Festival ${n}`, "In June.");
	await call("POST", `/content/posts/${posts.noted}/notes`, { body: "Is the date right?" });
	await call("POST", "/settings", { url: ann.origin });
	const upload = (name) =>
		ann.page.evaluate(
			async (file, bytes) => {
				const form = new FormData();
				form.append("file", new File([new Uint8Array(bytes)], file, { type: "image/png" }));
				const answer = await fetch("/_cms/api/media", {
					method: "POST",
					headers: { "X-CMS-Request": "1" },
					body: form,
				});
				return (await answer.json()).data.item;
			},
			name,
			[...picture(name.length)],
		);
	const used = await upload("bridge.png");
	await upload("nobody-uses-it.png");
	await call("PUT", `/content/posts/${posts.noted}`, {
		data: { picture: { id: used.id, url: used.url, alt: "" } },
	});
	await call("POST", "/admin/media-usage/activation", { writersDrained: true });
	for (;;) {
		const step = await call("POST", "/admin/media-usage/progress");
		if (step.nextRequestInMs === null) break;
		await new Promise((then) => setTimeout(then, step.nextRequestInMs));
	}
	await call("PUT", "/menus/main/items", {
		items: [
			{ type: "custom", label: "Posts", customUrl: "/posts" },
			{ type: "custom", label: "About", customUrl: "/about" },
			{ type: "custom", label: "Contact", customUrl: "/contact" },
		],
	});
	return { posts, file: fileOf(work, "cover.png", picture(77)) };
}

/** An author, with a post for review and posts that the administrator has changed. */
async function author(ann, browser, call, posts) {
	const { inviteUrl } = await call("POST", "/auth/invite", { email: "tom@tasks.example", role: 30 }),
		tom = await Person.sit(browser, ann.origin);

	await tom.page.setViewport({ width: 1280, height: 900 });
	await tom.plugIn("internal");
	await tom.open(inviteUrl);
	await tom.type("#name", "Tom Author");
	await tom.press("[data-accept]");
	await tom.arrives(HOME);
	const { data } = await tom.api("POST", "/content/posts", {
		data: { title: "By an author", content: [paragraph("Please read it.")] },
	});
	posts.mine = data.item.id;
	for (const [name, title, before, after] of [
		["restored", "The boat house", "It was built in 1901 of oak.", "It was built."],
		["pages", "The ferry", "It runs on Sundays.", "It runs on Saturdays and Sundays."],
	]) {
		const made = await tom.api("POST", "/content/posts", { data: { title, content: [paragraph(before)] } });
		posts[name] = made.data.item.id;
		await call("PUT", `/content/posts/${posts[name]}`, { data: { content: [paragraph(after)] } });
	}
	return tom;
}

/* ---- the tasks ---- */

const side = (where) => `.side a[href="${HOME}${where}"]`;
const text = (what, words) => `${what} ::-p-text(${words})`;

/** The group of the menu that is folded at first. The browser remembers it; here each task opens it. */
async function openSite(hand) {
	if (await hand.page.$('[data-fold="site"][aria-expanded="true"]')) hand.steps++;
	else await hand.click('[data-fold="site"]');
}

/** Opens a post by its title, with the palette. */
async function open(hand, title) {
	await hand.press("Control", "k");
	await hand.page.waitForSelector("dialog.palette[open]");
	await hand.type(title);
	await hand.ann.reads('.palette [aria-selected="true"]', new RegExp(title));
	await hand.press("Enter");
	await hand.page.waitForSelector(".body");
}

/** Name and what is done. Each begins at the start page. `by`: who does it, if not the administrator. */
const tasks = ({ posts, file, item, call }) => {
	const isLive = async (id) => {
		const one = await item(id);
		return one.status === "published" && one.liveData === undefined;
	};

	return [
		[
			"Write and publish an article with a cover",
			async (hand) => {
				await hand.click('.head [aria-haspopup="menu"]');
				await hand.click(text('[role="menuitem"]', "New Post"));
				await hand.page.waitForSelector(".title:focus");
				await hand.type("Swans on the canal");
				await hand.press("Enter");
				await hand.type("A pair has come back to the upper lock.");
				await hand.click(text(".more-fields .f", "Choose a picture"));
				await hand.upload('dialog[open] input[type="file"]', file);
				await hand.ann.has(".media-field img", 1);
				await hand.ann.reads("#saved", /^Saved/);
				await hand.click(".publish");
				const id = hand.page.url().split("/").at(-1);
				await hand.ann.until("it is live", () => isLive(id));
			},
		],
		["Find an article by its title", (hand) => open(hand, "Opening hours")],
		[
			"Correct a typo in a published article",
			async (hand) => {
				await open(hand, "A walk along the canal");
				await hand.page.evaluate(() => {
					// A double click on the word "keper": the browser selects it.
					const { firstChild } = document.querySelector(".body p span, .body p");
					const node = firstChild.nodeType === 3 ? firstChild : firstChild.firstChild;
					const range = document.createRange();
					range.setStart(node, 9);
					range.setEnd(node, 14);
					document.querySelector(".body").focus();
					getSelection().removeAllRanges();
					getSelection().addRange(range);
				});
				hand.steps++;
				await hand.type("keeper");
				await hand.ann.reads("#saved", /^Saved/);
				await hand.click(".publish");
				await hand.ann.until(
					"it is corrected",
					async () =>
						(await isLive(posts.typo)) &&
						JSON.stringify(await item(posts.typo)).includes("lock keeper waves"),
				);
			},
		],
		[
			"Schedule an article",
			async (hand) => {
				await open(hand, "Winter timetable");
				await hand.click('[popovertarget="more-ways"]');
				await hand.click(text("#more-ways .b", "Schedule"));
				await hand.click('dialog[open] [value="atMonday"]');
				await hand.click("dialog[open] [data-save]");
				await hand.ann.has("dialog[open]", 0);
				await hand.ann.reads(".due-at", /Goes live/);
			},
		],
		[
			"Unpublish an article",
			async (hand) => {
				await open(hand, "Summer timetable");
				await hand.click('[popovertarget="more-ways"]');
				await hand.click(text("#more-ways .b", "Unpublish"));
				await hand.ann.until(
					"it is a draft",
					async () => (await item(posts.old)).status === "draft",
				);
			},
		],
		[
			"Translate an article",
			async (hand) => {
				await open(hand, "Opening hours");
				await hand.click(text(".panel .b", "Translate"));
				await hand.ann.until("the page of the translation", () => /of=/.test(hand.page.url()));
				await hand.page.waitForSelector(".title:focus");
				await hand.press("Control", "a");
				await hand.type("Öffnungszeiten");
				await hand.press("Enter");
				await hand.press("Control", "a");
				await hand.type("Wir öffnen um neun.");
				await hand.ann.reads("#saved", /^Saved/);
				await hand.click(".publish");
				await hand.ann.until(
					"it is live",
					async () =>
						(
							await call("GET", `/content/posts/${posts.two}/translations`)
						).translations.find((one) => one.locale === "de")?.status ===
						"published",
				);
			},
		],
		[
			"Add a category",
			async (hand) => {
				await hand.click(side("/taxonomies"));
				await hand.click(`a[href^="${HOME}/taxonomies/category/"]`);
				await hand.click("[data-add]");
				await hand.page.waitForSelector("dialog[open] input:focus");
				await hand.type("Boats");
				await hand.press("Enter");
				await hand.ann.has("dialog[open]", 0);
				await hand.ann.reads(".tree", /Boats/);
			},
		],
		[
			"Move an entry of a menu",
			async (hand) => {
				await hand.click(side("/menus"));
				await hand.click(`a[href^="${HOME}/menus/main/"]`);
				await hand.page.waitForSelector("[data-row]:nth-child(3)");
				// A drag: from the grip of the third row to the first one.
				hand.steps++;
				const grip = await (await hand.page.$("[data-row]:nth-child(3) .grip")).boundingBox(),
					first = await (await hand.page.$("[data-row]:nth-child(1)")).boundingBox();
				await hand.page.mouse.move(grip.x + 8, grip.y + 8);
				await hand.page.mouse.down();
				await hand.page.mouse.move(grip.x + 8, first.y + 10, { steps: 8 });
				await hand.page.mouse.move(grip.x + 8, first.y + 3, { steps: 3 });
				await hand.page.mouse.up();
				await hand.ann.reads("[data-row]:nth-child(1)", /Contact/);
				await hand.click('.form-foot [type="submit"], .form-foot .go');
				await hand.ann.until(
					"it is stored",
					async () => (await call("GET", "/menus/main")).items[0].label === "Contact",
				);
			},
		],
		[
			"Ask for a review",
			async (hand) => {
				await hand.click(text(".due-list .what a", "By an author"));
				await hand.click("#review [data-ask]");
				await hand.page.waitForSelector("dialog[open] textarea");
				await hand.fill("dialog[open] textarea", "Ready to go out?");
				await hand.click("dialog [data-yes]");
				await hand.ann.has('#review [data-state="open"]', 1);
			},
			"tom",
		],
		[
			"Answer a note",
			async (hand) => {
				await open(hand, "The new bridge");
				await hand.click(text(".thread .b", "Reply"));
				await hand.page.waitForSelector(".thread textarea:focus");
				await hand.type("It is.");
				await hand.click(".thread .writing [data-send]");
				await hand.ann.has(".reply", 1);
			},
		],
		[
			"Restore an older revision",
			async (hand) => {
				await open(hand, "The boat house");
				await hand.click("#about details:last-of-type > summary");
				await hand.click(".timeline li:first-child a");
				await hand.click(".cmp-foot .b");
				await hand.click("dialog[open] [data-yes]");
				await hand.ann.reads(".body", /built in 1901 of oak/);
			},
		],
		[
			"Change the alternative text of a picture",
			async (hand) => {
				await hand.click(side("/media"));
				await hand.click(text(".tile", "bridge.png"));
				await hand.fill("#media-alt", "The new bridge at dawn");
				await hand.press("Tab");
				await hand.ann.reads(".item-panel .saved", /Saved/);
			},
		],
		[
			"Find media that nothing uses",
			async (hand) => {
				await hand.click(side("/media"));
				await hand.click('.folders a[href*="unused"]');
				await hand.ann.until(
					"only those",
					async () =>
						/unused/.test(hand.page.url()) &&
						(
							await hand.page.$$eval(".tile .name", (all) =>
								all.map((one) => one.textContent),
							)
						)
							.join()
							.startsWith("nobody-uses-it"),
				);
			},
		],
		[
			"Publish three drafts at once",
			async (hand) => {
				await hand.click(side("/collections/posts"));
				await hand.fill("[data-search]", "Report");
				await hand.ann.has("tbody tr", 3);
				await hand.click("thead .c-pick input");
				await hand.click('[data-act="publish"]');
				await hand.ann.until("they are live", () => isLive(posts["bulk-3"]));
			},
		],
		[
			"Make a collection with three fields",
			async (hand) => {
				await openSite(hand);
				await hand.click(side("/schema"));
				await hand.click("[data-make]");
				await hand.page.waitForSelector('dialog[open] [name="label"]:focus');
				await hand.type("Events");
				await hand.press("Enter");
				// Title and text are there; the third field is a date.
				await hand.ann.arrives(`${HOME}/schema/events`);
				await hand.click("[data-add]");
				await hand.page.waitForSelector('dialog[open] [name="label"]:focus');
				await hand.type("Begins");
				await hand.choose('dialog[open] [name="type"]', "datetime");
				await hand.click("dialog[open] [data-send]");
				await hand.ann.has("dialog[open]", 0);
				const { items } = await call("GET", "/schema/collections/events/fields");
				assert.deepEqual(items.map((one) => one.slug).sort(), ["begins", "content", "title"]);
			},
		],
		[
			"Invite a person",
			async (hand) => {
				await openSite(hand);
				await hand.click(side("/users"));
				await hand.click("[data-invite]");
				await hand.page.waitForSelector("dialog[open] input:focus");
				await hand.type("kim@tasks.example");
				await hand.press("Enter");
				await hand.ann.has("[data-link]", 1);
			},
		],
		[
			"Publish two articles together (a release)",
			async (hand) => {
				await hand.click(side("/collections/posts"));
				await hand.fill("[data-search]", "Festival");
				await hand.ann.has("tbody tr", 2);
				await hand.click("thead .c-pick input");
				await hand.click('[data-act="release"]');
				await hand.page.waitForSelector('dialog[open] input[maxlength="200"]');
				await hand.fill('dialog[open] input[maxlength="200"]', "Spring");
				await hand.press("Enter");
				await hand.ann.has("dialog[open]", 0);
				await hand.click(side("/releases"));
				await hand.click(text("tbody .c-title a", "Spring"));
				await hand.click("[data-publish]");
				await hand.click("dialog[open] [data-yes]");
				await hand.ann.has("[data-undo]", 1);
			},
		],
		[
			"Undo a release",
			async (hand) => {
				await hand.click(side("/releases"));
				await hand.click(text("tbody .c-title a", "Spring"));
				await hand.click(".head [data-undo]");
				await hand.click("dialog[open] [data-yes]");
				await hand.ann.has("[data-publish]", 1);
			},
		],
		[
			"Compare two versions",
			async (hand) => {
				await open(hand, "The ferry");
				await hand.click("#about details:last-of-type > summary");
				await hand.click(".timeline li:first-child a");
				await hand.ann.has(".compare ins", 1);
			},
		],
		[
			"Preview at the width of a phone",
			async (hand) => {
				await open(hand, "The new bridge");
				await hand.click("button.preview");
				await hand.click('.preview-pane label:has([value="390"])');
				await hand.ann.until("it is narrow", () =>
					hand.page.$eval(".preview-frame", (one) => one.style.inlineSize === "390px"),
				);
			},
		],
	];
};

/* ---- the table ---- */

/** "12  Write and publish ..." of tasks.txt, by name. */
const readSteps = () =>
	new Map(
		fs.existsSync(STEPS)
			? [...fs.readFileSync(STEPS, "utf8").matchAll(/^ *(\d+) {2}(.+)$/gm)].map(([, n, name]) => [
					name,
					Number(n),
				])
			: [],
	);

function writeSteps(rows) {
	fs.writeFileSync(
		STEPS,
		`The steps of each task of tasks.mjs: clicks, keys and typed texts. They may only become fewer.\n\n${rows
			.map(({ name, steps }) => `${String(steps).padStart(3)}  ${name}\n`)
			.join("")}`,
	);
}

const line = (...cells) =>
	`${cells[0].padEnd(44)}${cells
		.slice(1)
		.map((one) => String(one).padStart(10))
		.join("")}`;

export async function runTasks({ report, browser, newSite }) {
	const { daemon, origin, work, end } = await newSite("tasks"),
		ann = await Person.sit(browser, origin),
		call = maker(ann);
	const rows = [],
		known = readSteps();

	try {
		await ann.page.setViewport({ width: 1280, height: 900 });
		await setUp(ann, daemon);
		await startBlog(ann);
		const { posts, file } = await fill({ ann, call, work });
		const people = { ann, tom: await author(ann, browser, call, posts) };
		const sums = { ann: await counted(ann), tom: await counted(people.tom) };
		const item = async (id) => (await call("GET", `/content/posts/${id}`)).item;

		for (const [name, run, by = "ann"] of tasks({ posts, file, item, call }))
			await report.test(`task: ${name}`, async () => {
				const person = people[by],
					hand = new Hand(person);

				await person.page.bringToFront();
				await person.open(HOME);
				await person.page.waitForSelector(".due-list, .state");
				await person.page.waitForNetworkIdle({ idleTime: QUIET, concurrency: 1 });
				const before = { ...sums[by] },
					began = performance.now();
				await run(hand);
				const ms = performance.now() - began;
				await person.page.waitForNetworkIdle({ idleTime: QUIET, concurrency: 1 });
				rows.push({
					name,
					steps: hand.steps,
					...Object.fromEntries(
						Object.entries(sums[by]).map(([what, n]) => [what, n - before[what]]),
					),
					ms,
				});
				if (!process.env.UPDATE_TASKS)
					assert.equal(
						hand.steps,
						known.get(name),
						"steps (UPDATE_TASKS=1 stores fewer)",
					);
				else if (known.has(name))
					assert.ok(hand.steps <= known.get(name), "more steps than before");
			});
		report.note(line("task", "steps", "API calls", "requests", "KiB", "ms"));
		for (const { name, steps, calls, requests, bytes, ms } of rows)
			report.note(line(name, steps, calls, requests, (bytes / 1024).toFixed(0), ms.toFixed(0)));
		if (process.env.UPDATE_TASKS && rows.length === tasks({}).length) writeSteps(rows);
		for (const person of Object.values(people)) assert.deepEqual(person.faults, []);
		await people.tom.leave();
	} finally {
		await ann.leave();
		await end();
	}
}
