// voices.mjs - what a screen reader says during six tasks, as text: title, landmarks and headings of a page, the name,
// role and state of what gets the focus, and live messages. voices.txt has it as it is expected; UPDATE_VOICES=1 writes
// that file. Read it as somebody would who hears the pages only.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Person } from "../browser/people.mjs";
import { fileOf, png } from "./files.mjs";
import { fillSite, maker } from "./site.mjs";
import { setUp } from "./tour.mjs";

const HOME = "/_cms/admin",
	LIST = `${HOME}/collections/papers`;
const EXPECTED = path.join(process.env.STET_SOURCE, "t/admin/voices.txt");
const CALM = 200; // ms without a change until a live region is read

// Runs in each page: collects what live regions say. A region that is still changing is read when it has come to rest.
const listen = (calm) => {
	const regions = "[aria-live], [role=status], [role=alert], [role=log]";
	const heard = new Map(), // region: its last text
		timers = new Map();
	const read = (region) => {
		const raw = region.textContent,
			text = raw.replace(/[\s\u200b]+/g, " ").trim();

		timers.delete(region);
		if (!region.isConnected || heard.get(region) === raw) return;
		heard.set(region, raw);
		if (text === "") return;
		window.__said.push(`${region.getAttribute("role") === "alert" ? "says at once" : "says"} “${text}”`);
	};

	window.__said = [];
	new MutationObserver((changes) => {
		for (const { target } of changes) {
			const one = target.nodeType === 1 ? target : target.parentElement;
			const found = [one?.closest(regions), ...(one?.querySelectorAll(regions) ?? [])].filter(
				Boolean,
			);

			for (const region of new Set(found)) {
				clearTimeout(timers.get(region));
				timers.set(
					region,
					setTimeout(() => read(region), calm),
				);
			}
		}
	}).observe(document, { subtree: true, childList: true, characterData: true });
	window.__isCalm = () => timers.size === 0;
};

const AROUND = ["dialog", "alertdialog", "menu", "toolbar", "group", "listbox", "search", "region", "complementary"];

// Names that differ from run to run.
const steady = (text) =>
	text
		.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, "ID")
		.replace(/\d+:\d\d(:\d\d)?( [AP]M)?/g, "TIME")
		.replace(/\b(this minute|just now|\d+ (s|min\.?) ago)\b/g, "RECENTLY");

/** The role, name, states and description of a node of the accessibility tree. */
function spoken({ role, name, description, value, properties = [] }) {
	const states = properties
		.map(({ name: what, value: { value: is } }) => {
			if (what === "expanded") return is ? "expanded" : "collapsed";
			if (what === "checked" || what === "pressed") return `${is === "false" ? "not " : ""}${what}`;
			if (what === "invalid") return is === "true" ? "invalid entry" : "";
			if (what === "required" || what === "disabled" || what === "readonly" || what === "multiline")
				return is ? what : "";
			if (what === "hasPopup") return is === "false" ? "" : `opens a ${is}`;
			return "";
		})
		.filter(Boolean);

	return steady(
		[
			`${role.value} “${name?.value ?? ""}”`,
			...states,
			...(value?.value ? [`value “${String(value.value).slice(0, 60)}”`] : []),
			...(description?.value ? [`description “${description.value}”`] : []),
		].join(", "),
	);
}

class Ear {
	constructor(person) {
		this.person = person;
		this.page = person.page;
		this.lines = [];
		this.around = [];
	}

	/** Reads live messages until the page has come to rest. */
	async hears() {
		await this.page
			.waitForFunction(() => window.__isCalm?.() && !document.querySelector("[aria-busy=true]"))
			.catch(() => {});
		for (const line of await this.page.evaluate(() => window.__said.splice(0)))
			this.lines.push(`  ${steady(line)}`);
	}
	/** What has the focus now, and the dialogs, menus and groups around it that the focus has entered. */
	async focus() {
		const { result } = await this.person.devtools.send("Runtime.evaluate", {
			expression: "document.activeElement",
		});
		const { nodes } = await this.person.devtools.send("Accessibility.getPartialAXTree", {
			objectId: result.objectId,
			fetchRelatives: true,
		});
		const { node } = await this.person.devtools.send("DOM.describeNode", { objectId: result.objectId });
		const byId = new Map(nodes.map((one) => [one.nodeId, one])),
			at = nodes.find((one) => one.backendDOMNodeId === node.backendNodeId),
			around = [];

		for (let one = byId.get(at?.parentId); one; one = byId.get(one.parentId))
			if (!one.ignored && AROUND.includes(one.role.value)) around.unshift(spoken(one));
		const entered = around.filter((one) => !this.around.includes(one));
		this.around = around;
		this.lines.push(`  focus: ${[...entered, at ? spoken(at) : "nothing"].join("; ")}`);
	}
	/** Does something, and listens to what follows: at least to `words`, if something is to be said. */
	async does(what, run, words) {
		this.lines.push(`> ${what}`);
		await run();
		if (words)
			await this.page.waitForFunction((w) => window.__said.some((one) => one.includes(w)), {}, words);
		await this.hears();
		await this.focus();
	}
	/** Title, landmarks and headings, in their order. */
	async overview() {
		await this.hears();
		const { nodes } = await this.person.devtools.send("Accessibility.getFullAXTree"),
			byId = new Map(nodes.map((one) => [one.nodeId, one]));
		const places = [
			"banner",
			"navigation",
			"main",
			"complementary",
			"contentinfo",
			"search",
			"region",
			"form",
		];
		const visit = (node, depth) => {
			const { role, name, properties = [], childIds = [], ignored } = node,
				level = properties.find((one) => one.name === "level")?.value.value,
				isPlace = !ignored && places.includes(role.value);

			if (isPlace || (!ignored && role.value === "heading"))
				this.lines.push(
					`${"  ".repeat(depth)}${role.value}${level ? ` ${level}` : ""} “${steady(name?.value ?? "")}”`,
				);
			for (const id of childIds) if (byId.has(id)) visit(byId.get(id), depth + (isPlace ? 1 : 0));
		};

		this.lines.push(`  page: “${steady(await this.page.title())}”`);
		visit(nodes[0], 2);
	}
}

async function listened({ report, host, browser, work }) {
	const person = await Person.sit(browser, host.origin),
		{ page } = person,
		ear = new Ear(person),
		made = maker(host);
	const press = (key) => page.keyboard.press(key),
		type = (text) => page.keyboard.type(text);
	const task = (name, run) =>
		report.test(`heard: ${name}`, async () => {
			ear.lines.push("", `## ${name}`);
			await run();
		});
	const titled = async (title) =>
		(await made("GET", "/content/papers?limit=100")).items.find((one) => one.data.title === title);

	await page.bringToFront();
	await page.setViewport({ width: 1280, height: 900 });
	await page.evaluateOnNewDocument(listen, CALM);
	await person.devtools.send("Accessibility.enable");
	const { inviteUrl } = await made("POST", "/auth/invite", { email: "eve@slipstream.example", role: 50 });
	await person.plugIn("internal");
	await person.open(inviteUrl);
	await person.type("#name", "Eve Listener");
	await person.press("[data-accept]");
	await person.arrives(HOME);
	await person.api("POST", "/auth/logout", {});

	await task("Sign in", async () => {
		await person.open(`${HOME}/signin`);
		await page.waitForSelector('[data-way="passkey"]');
		await ear.overview();
		await ear.does("Tab to the passkey", () => page.focus('[data-way="passkey"]'));
		await ear.does("Enter", async () => {
			await press("Enter");
			await person.arrives(HOME);
			await page.waitForSelector(".due-list");
		});
		await ear.overview();
	});
	await task("Write an article", async () => {
		await person.open(`${LIST}/new`);
		await page.waitForSelector(".title:focus");
		await ear.overview();
		await ear.focus();
		await ear.does("type the title, Enter", async () => {
			await type("Heard");
			await press("Enter");
			await page.waitForSelector(".body:focus");
		});
		await ear.does("type the text, wait until it is saved", async () => {
			await type("Words that somebody hears.");
			await person.until("it is stored", () => /papers\/[0-9A-Z]{26}$/.test(page.url()));
			await person.reads("#saved", /^Saved/);
		});
		await ear.does("a heading by the list of styles", () => page.focus(".toolbar select"));
	});
	await task("Publish it", async () => {
		await ear.does("Tab to Publish", () => page.focus(".publish"));
		await ear.does(
			"Enter",
			async () => {
				await press("Enter");
				await person.until(
					"it is live",
					async () => (await titled("Heard"))?.status === "published",
				);
				await page.waitForSelector(".publish[aria-disabled], .publish:disabled");
			},
			"It is live",
		);
		await ear.does("the other actions", async () => {
			await page.focus('[popovertarget="more-ways"]');
			await press("Enter");
		});
		await press("Escape");
	});
	await task("Find it in a list", async () => {
		await person.open(LIST);
		await page.waitForSelector("tbody tr:nth-child(50)");
		await ear.overview();
		await ear.does(
			"the status filter: Live",
			async () => {
				await page.focus('[data-filter="status"]');
				await page.select('[data-filter="status"]', "published");
				await person.has("tbody tr", 31);
			},
			"31 items shown",
		);
		await ear.does(
			"search for its title",
			async () => {
				await page.focus("[data-search]");
				await type("Heard");
				await person.has("tbody tr", 1);
			},
			"1 item shown",
		);
		await ear.does(
			"sort by title",
			async () => {
				await page.focus("thead .c-title button");
				await press("Enter");
				await page.waitForSelector("thead .c-title[aria-sort]");
			},
			"1 item shown",
		);
		await ear.does(
			"choose it",
			async () => {
				await page.focus("tbody .c-pick input");
				await press("Space");
				await page.waitForSelector(".bulk");
			},
			"1 selected",
		);
		await ear.does("its menu", async () => {
			await page.focus("tbody .c-more button");
			await press("Enter");
			await page.waitForSelector('[role="menu"]');
		});
		await press("Escape");
	});
	await task("Upload a picture", async () => {
		const file = fileOf(
			work,
			"heard.png",
			png(60, 40, [
				[10, 90, 30],
				[200, 210, 220],
			]),
		);

		await person.open(`${HOME}/media`);
		await page.waitForSelector(".grid li, .state");
		await ear.overview();
		await ear.does(
			"Upload",
			async () => {
				await page.focus(".upload input");
				await (await page.$(".upload input")).uploadFile(file);
				await page.waitForSelector(".tile ::-p-text(heard.png)");
			},
			"uploaded",
		);
		await ear.does("open it", async () => {
			await page.focus(".grid .tile");
			await press("Enter");
			await page.waitForSelector(".item-panel h2:focus");
		});
		await ear.does(
			"alternative text, Tab",
			async () => {
				await page.focus("#media-alt");
				await type("A green field");
				await press("Tab");
				await person.reads(".item-panel .saved", /Saved/);
			},
			"Saved",
		);
	});
	await task("Delete what is used elsewhere", async () => {
		const { id } = await titled("Heard");

		await made("POST", "/menus", { name: "heard", label: "Footer" });
		await made("PUT", "/menus/heard/items", {
			items: [{ type: "post", label: "It", referenceCollection: "papers", referenceId: id }],
		});
		await person.open(`${LIST}/${id}`);
		await page.waitForSelector(".body");
		await ear.does("Move to trash", async () => {
			await page.focus('[popovertarget="more-ways"]');
			await press("Enter");
			await page.focus("#more-ways .out");
			await press("Enter");
			await page.waitForSelector("dialog[open]");
		});
		await ear.does(
			"Tab, Enter",
			async () => {
				await press("Tab");
				await press("Enter");
				await person.arrives(LIST);
				await page.waitForSelector("[data-undo]");
			},
			"trash",
		);
		await ear.does(
			"Undo",
			async () => {
				await page.focus("[data-undo]");
				await press("Enter");
				await person.until("it is back", async () => Boolean(await titled("Heard")));
			},
			"Undone",
		);
		await made("DELETE", "/menus/heard");
		await made("DELETE", `/content/papers/${id}`);
	});
	await report.test("heard: names and messages are those of voices.txt", () => {
		const text = `What a screen reader says during six tasks (voices.mjs). UPDATE_VOICES=1 writes this file.\n${ear.lines.join("\n")}\n`;

		if (process.env.UPDATE_VOICES) fs.writeFileSync(EXPECTED, text);
		assert.equal(text, fs.readFileSync(EXPECTED, "utf8"));
	});
	assert.deepEqual(person.faults, []);
	await person.leave();
}

/** On a site of its own, so that what other parts have left there is not heard. */
export async function runVoices({ report, browser, newSite }) {
	const { daemon, origin, work, end } = await newSite("voices"),
		host = await Person.sit(browser, origin),
		began = performance.now();

	try {
		await setUp(host, daemon);
		await fillSite(host);
		await listened({ report, host, browser, work });
		report.note(`the voices took ${Math.round((performance.now() - began) / 1000)} s`);
	} finally {
		await host.leave();
		await end();
	}
}
