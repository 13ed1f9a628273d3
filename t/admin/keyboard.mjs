// keyboard.mjs - ten tasks by the keyboard alone: Tab, Shift Tab, arrow keys, Enter, Space, Escape and typing. At every
// stop the focus is visible and on the screen; after dialogs, deletions and new pages an element has it.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";
import { fileOf, png } from "./files.mjs";

const HOME = "/_cms/admin";
const STOPS = 150; // presses of the Tab key on a page

/* ---- a person without a mouse ---- */

// Runs in the page: returns the element with the focus, and what is wrong with that.
const lookAtFocus = (selector) => {
	const at = document.activeElement,
		name =
			at &&
			`${at.localName}${at.id && `#${at.id}`}${at.className && `.${String(at.className).replace(/ /g, ".")}`} “${(at.getAttribute("aria-label") ?? at.textContent).slice(0, 30)}”`;
	const outlined = (one) => {
		const style = getComputedStyle(one);
		return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
	};
	// Elements that may show the focus: the control, or one around it if the control is invisible or in a group.
	const frames = [
		at,
		...(at
			? [at.parentElement, at.parentElement?.parentElement, at.closest("label, .chips, .opt, .item")]
			: []),
	].filter(Boolean);
	// If the element that had the focus is gone, a heading or dialog gets it; these are no controls.
	const isPlace = at?.tabIndex === -1 || at?.localName === "dialog";
	let wrong = "";

	if (!at || at === document.body) wrong = "the focus is nowhere";
	else if (!isPlace) {
		const shows =
			frames.some(outlined) ||
			getComputedStyle(at).boxShadow !== "none" ||
			(at.id && [...document.querySelectorAll(`label[for="${CSS.escape(at.id)}"]`)].some(outlined)) ||
			[...(at.parentElement?.children ?? [])].some((one) => one !== at && outlined(one));
		const box = frames.find((one) => one.getBoundingClientRect().width > 1)?.getBoundingClientRect();

		if (!shows) wrong = `the focus is not shown at ${name}`;
		else if (!box || box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth)
			wrong = `the focus is outside of the screen at ${name}`;
	}
	return { wrong, isThere: Boolean(at?.matches(selector)), name };
};

class Fingers {
	constructor(ann) {
		Object.assign(this, { ann, page: ann.page });
	}

	async see(selector = "*") {
		const seen = await this.page.evaluate(lookAtFocus, selector);

		assert.equal(seen.wrong, "", this.page.url());
		return seen;
	}

	async press(...keys) {
		for (const key of keys.slice(0, -1)) await this.page.keyboard.down(key);
		await this.page.keyboard.press(keys.at(-1));
		for (const key of keys.slice(0, -1).reverse()) await this.page.keyboard.up(key);
	}

	type = (text) => this.page.keyboard.type(text);

	// Presses one key until the element has the focus.
	async walk(selector, ...keys) {
		await this.page.waitForSelector(selector);
		const passed = [];
		for (let i = 0, ends = 0; i < STOPS; i++) {
			await this.press(...keys);
			// After the last stop, Tab goes through the browser's own bar to the first stop.
			if (
				keys.includes("Tab") &&
				ends === 0 &&
				(await this.page.evaluate(() => document.activeElement === document.body))
			) {
				ends++;
				continue;
			}
			const { isThere, name } = await this.see(selector);
			if (isThere) return;
			passed.push(name);
		}
		assert.fail(`${keys.join(" ")} does not reach ${selector}: ${passed.slice(0, 60).join(", ")}`);
	}
	to = (selector) => this.walk(selector, "Tab");
	back = (selector) => this.walk(selector, "Shift", "Tab");

	async enter(selector) {
		await this.to(selector);
		await this.press("Enter");
	}

	// Waits until the element has the focus.
	async isAt(selector) {
		await this.ann.until(`the focus is at ${selector}`, () =>
			this.page.evaluate((s) => document.activeElement?.matches(s), selector),
		);
		await this.see(selector);
	}
	// Waits until any element has the focus.
	rests = () =>
		this.ann.until("the focus is somewhere", () =>
			this.page.evaluate(
				() => document.activeElement !== null && document.activeElement !== document.body,
			),
		);
}

/* ---- the tasks ---- */

export async function runKeyboard({ report, ann: host, browser, origin, work }) {
	const ann = await Person.sit(browser, origin),
		{ page } = ann,
		hand = new Fingers(ann),
		began = performance.now();
	const get = async (where) => {
		const answer = await ann.api("GET", where);
		assert.equal(answer.status, 200, `${where}: ${JSON.stringify(answer)}`);
		return answer.data;
	};
	const menuTo = async (path) => {
		if (await page.$('.side [data-fold="site"][aria-expanded="false"]'))
			await hand.enter('[data-fold="site"]');
		await hand.enter(`.side a[href="${HOME}${path}"]`);
		await ann.arrives(`${HOME}${path}`);
		await hand.rests();
	};
	const titled = async (title) =>
		(await get("/content/papers?limit=100")).items.find((one) => one.data.title === title);
	const saved = () => ann.reads("#saved", /^Saved/);
	let id;

	await page.setViewport({ width: 1280, height: 900 });
	await report.test("keyboard: signing in", async () => {
		const { data } = await host.api("POST", "/auth/invite", { email: "kim@slipstream.example", role: 50 });

		await ann.plugIn("internal");
		await ann.open(data.inviteUrl);
		await hand.to("#name");
		await hand.type("Kim Castell");
		await hand.enter("[data-accept]");
		await ann.arrives(HOME);
		await ann.api("POST", "/auth/logout", {});
		await ann.open(`${HOME}/signin`);
		await hand.enter('[data-way="passkey"]');
		await ann.arrives(HOME);
	});
	await report.test("keyboard: an article with a text is made and published", async () => {
		await menuTo("/collections/papers");
		await hand.enter(".head a.go");
		await hand.to(".title");
		await hand.type("Written without a mouse");
		await hand.press("Enter");
		await hand.isAt(".body");
		await hand.type("All of it by keys.");
		await ann.until("it is stored", () => /papers\/[0-9A-Z]{26}$/.test(page.url()));
		await saved();
		await hand.back(".publish");
		await hand.press("Enter");
		await ann.until(
			"it is live",
			async () => (await titled("Written without a mouse"))?.status === "published",
		);
		id = (await titled("Written without a mouse")).id;
		await hand.see();
	});
	await report.test("keyboard: it is found in the list by filters", async () => {
		await hand.back(".where a");
		await hand.press("Enter");
		await ann.arrives(`${HOME}/collections/papers`);
		await hand.rests();
		await hand.to('[data-filter="status"]');
		await hand.type("L");
		await ann.until(
			"only what is live",
			() => new URL(page.url()).searchParams.get("status") === "published",
		);
		await hand.see('[data-filter="status"]');
		await hand.back("[data-search]");
		await hand.type("without a mouse");
		await ann.has("tbody tr", 1);
		await hand.enter("tbody .c-title a");
		await ann.arrives(`${HOME}/collections/papers/${id}`);
		await hand.rests();
	});
	await report.test("keyboard: it is edited, and what is changed is published", async () => {
		await hand.to(".title");
		await hand.press("End");
		await hand.type(", again");
		await saved();
		await hand.back(".publish");
		await hand.press("Enter");
		await ann.until(
			"it is live",
			async () => (await titled("Written without a mouse, again"))?.status === "published",
		);
	});
	await report.test("keyboard: a draft is scheduled", async () => {
		const draft = (await ann.api("POST", "/content/papers", { data: { title: "For later" } })).data.item;
		await ann.open(`${HOME}/collections/papers/${draft.id}`);
		await page.waitForSelector(".panel .in-panel");
		await hand.enter('[popovertarget="more-ways"]');
		await hand.to("#more-ways button:nth-of-type(3)");
		await hand.press("Enter");
		// The times stand in their order, which depends on the hour and the day.
		await hand.isAt("dialog[open] [value]");
		const isMonday = () => page.evaluate(() => document.activeElement?.matches('[value="atMonday"]'));
		for (let i = 0; i < 5 && !(await isMonday()); i++) await hand.press("ArrowDown");
		await hand.isAt('[value="atMonday"]');
		await hand.press("Enter");
		await ann.until("it is scheduled for a Monday", async () => {
			const at = (await get(`/content/papers/${draft.id}`)).item.scheduledAt;
			return at && new Date(at).getDay() === 1;
		});
		await ann.has("dialog[open]", 0);
		await hand.see();
	});
	await report.test("keyboard: a picture is uploaded and put into the text", async () => {
		const file = fileOf(
			work,
			"keys.png",
			png(60, 40, [
				[10, 20, 30],
				[200, 210, 220],
			]),
		);

		await ann.open(`${HOME}/collections/papers/${id}`);
		await hand.to(".body");
		await hand.press("ArrowDown");
		await hand.press("End");
		await hand.press("Shift", "Tab");
		await hand.press("Home");
		await hand.walk('.toolbar button[aria-label="Picture"]', "ArrowRight");
		await hand.press("Enter");
		await hand.to('dialog[open] input[type="file"]');
		// Closing the chooser leaves the dialog as it is. On a busy machine Chromium closes one by itself at
		// times.
		await page.$eval('dialog[open] input[type="file"]', (one) =>
			one.dispatchEvent(new Event("cancel", { bubbles: true })),
		);
		let chooser;
		for (let left = 3; !chooser && left > 0; left--) {
			await hand.isAt('dialog[open] input[type="file"]');
			[chooser] = await Promise.all([
				page.waitForFileChooser({ timeout: 10000 }).catch((error) => {
					if (left === 1) throw error;
				}),
				hand.press("Enter"),
			]);
		}
		await chooser.accept([file]);
		await hand.isAt(".pt-atom .pt-alt");
		await hand.type("Keys");
		await ann.until("the text has it", async () =>
			(await get(`/content/papers/${id}`)).item.data.body.some(
				(one) => one._type === "image" && one.alt === "Keys",
			),
		);
		await ann.has("dialog[open]", 0);
		await hand.press("Escape");
		await hand.isAt(".body");
		await hand.rests();
		await hand.see();
		await saved();
	});
	await report.test("keyboard: a menu gets links, one of them is moved", async () => {
		await ann.open(HOME);
		await menuTo("/menus");
		await hand.enter("[data-make]");
		await hand.isAt("dialog[open] input");
		await hand.type("Keys");
		await hand.press("Enter");
		await ann.arrives(`${HOME}/menus/keys/en`);
		await hand.rests();
		for (const label of ["First", "Second"]) {
			await hand.enter("[data-add]");
			await hand.to('dialog[open] input.mono[maxlength="2048"]');
			await hand.type(`/${label.toLowerCase()}`);
			await hand.to('dialog[open] input[maxlength="200"]');
			await hand.type(label);
			await hand.press("Enter");
			await ann.has("dialog[open]", 0);
			await hand.isAt("[data-add]");
		}
		await hand.back("[data-row]:nth-child(2) .tree-name");
		await hand.press("Alt", "ArrowUp");
		await ann.reads("#live", /^Second: 1 of 2/);
		await hand.isAt(".tree-name");
	});
	await report.test("keyboard: who goes on while a link moves keeps the focus", async () => {
		await hand.press("Alt", "ArrowDown");
		await hand.press("Tab");
		await ann.reads("#live", /^Second: 2 of 2/);
		await page.evaluate(async () => {
			for (let i = 0; i < 6; i++) await new Promise((then) => requestAnimationFrame(then));
		});
		await hand.isAt("[data-row]:nth-child(2) [aria-haspopup]");
		await hand.back(".tree-name");
		await hand.press("Alt", "ArrowUp");
		await ann.reads("#live", /^Second: 1 of 2/);
	});
	await report.test("keyboard: a menu is saved, and the focus stays at the new link", async () => {
		await hand.press("Control", "s");
		await ann.until(
			"it is stored",
			async () =>
				(await get("/menus/keys?locale=en")).items.map((one) => one.label).join() ===
				"Second,First",
		);
		await hand.isAt('[data-row]:not([data-row^="new-"]):nth-child(1) .tree-name');
	});
	await report.test("keyboard: what stays in a menu keeps its id", async () => {
		const before = (await get("/menus/keys?locale=en")).items.map((one) => one.id);
		await hand.walk(".tree-name", "Shift", "Tab");
		await hand.press("Home");
		await hand.press("Alt", "ArrowDown");
		await ann.reads("#live", /^Second: 2 of 2/);
		await hand.enter(".form-foot .go, .foot .go, form .go[type='submit']");
		await ann.until(
			"it is stored",
			async () =>
				(await get("/menus/keys?locale=en")).items.map((one) => one.label).join() ===
				"First,Second",
		);
		assert.deepEqual(
			(await get("/menus/keys?locale=en")).items.map((one) => one.id),
			before.reverse(),
		);
	});
	await report.test("keyboard: a term is added", async () => {
		await ann.open(HOME);
		await menuTo("/taxonomies");
		await hand.enter(`a[href^="${HOME}/taxonomies/tag/"]`);
		await ann.arrives(`${HOME}/taxonomies/tag/en`);
		await hand.rests();
		await hand.enter("[data-add]");
		await hand.isAt("dialog[open] input");
		await hand.type("By keys");
		await hand.press("Enter");
		await ann.has("dialog[open]", 0);
		await hand.isAt("[data-add]");
		assert.ok(
			(await get("/taxonomies/tag/terms?locale=en&search=by")).terms.some(
				(one) => one.label === "By keys",
			),
		);
	});
	await report.test("keyboard: somebody is invited", async () => {
		await menuTo("/users");
		await hand.enter("[data-invite]");
		await hand.to("dialog[open] input[type=email]");
		await hand.type("keys@slipstream.example");
		await hand.press("Enter");
		await ann.has("[data-link]", 1);
		await hand.rests();
		await hand.press("Escape");
		await ann.has("dialog[open]", 0);
		await hand.isAt("[data-invite]");
		assert.ok((await get("/auth/invite")).items.some((one) => one.email === "keys@slipstream.example"));
	});
	await report.test("keyboard: an article goes into the trash and comes back", async () => {
		await menuTo("/collections/papers");
		await hand.to("[data-search]");
		await hand.type("without a mouse");
		await ann.has("tbody tr", 1);
		await hand.enter("tbody .c-more button");
		await hand.walk('[role="menuitem"].out', "ArrowDown");
		await hand.press("Enter");
		await ann.has("tbody tr", 0);
		await hand.rests();
		await ann.open(`${HOME}/collections/papers`);
		await hand.to('[data-filter="status"]');
		await hand.type("Tr");
		await ann.until("the trash", () => new URL(page.url()).searchParams.get("status") === "trash");
		await ann.until("it is in it", () =>
			page.$$eval("tbody .name-of", (all) =>
				all.some((one) => one.textContent.startsWith("Written without")),
			),
		);
		await hand.to('[aria-label*="Written without"]:is(tbody .c-more button)');
		await hand.press("Enter");
		await hand.isAt('[role="menuitem"]');
		await hand.press("Enter");
		await ann.until("it is back", async () => Boolean(await titled("Written without a mouse, again")));
		await hand.rests();
	});
	await report.test("keyboard: the palette finds a page", async () => {
		await hand.back(".goto");
		await hand.press("Enter");
		await ann.has("dialog.palette[open]", 1);
		await hand.type("backups");
		await ann.reads('.palette [aria-selected="true"]', /Backups/);
		await hand.press("Enter");
		await ann.arrives(`${HOME}/backups`);
		await hand.rests();
		await hand.to("[data-now]");
	});
	await report.test("keyboard: no page had a fault of script or policy", () => assert.deepEqual(ann.faults, []));
	await ann.leave();
	console.log(`# the keyboard took ${Math.round((performance.now() - began) / 1000)} s`);
}
