// structure.mjs - terms and menus as trees, by keyboard and by mouse; sections, widget areas, bylines. What is shown is
// what the API has, after a reload too; what it refuses stands at its field.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";
import { HOSTILE } from "./site.mjs";

const HOME = "/_cms/admin";
const names = "[data-row] > .tree-row .tree-name";

export async function runStructure({ report, ann, browser, origin }) {
	const { page } = ann;
	const get = async (where) => (await ann.api("GET", where)).data;
	const submit = () => page.locator("dialog[open] [data-save]").click();
	const closed = () => ann.has("dialog[open]", 0);
	// Returns the control with this label, in the dialog if one is open.
	const control = async (label) =>
		(
			await page.waitForFunction(
				(text) => {
					const labels = [
						...(
							document.querySelector("dialog[open]") ??
							document.getElementById("main")
						).querySelectorAll("label"),
					];
					return document.getElementById(
						labels.find(
							(one) =>
								one.checkVisibility() &&
								one.firstChild?.textContent.trim() === text,
						)?.htmlFor,
					);
				},
				{},
				label,
			)
		).asElement();
	const fill = async (label, text) => {
		const at = await control(label);
		await at.evaluate((one) => {
			one.focus();
			one.select?.();
		});
		await page.keyboard.press("Backspace");
		await at.type(text);
	};
	const choose = async (label, value) => {
		const at = await control(label);
		await page.waitForFunction((one, v) => [...one.options].some((o) => o.value === v), {}, at, value);
		await at.select(value);
	};
	/** Checks that the form was refused: the field of this label has these words and the focus. */
	const refused = async (label, pattern) => {
		const at = await control(label);
		await ann.until(`${label} is refused`, () =>
			at.evaluate(
				(one, p) =>
					one.getAttribute("aria-invalid") === "true" &&
					new RegExp(p).test(
						one
							.getAttribute("aria-describedby")
							.split(" ")
							.map((id) => document.getElementById(id)?.textContent)
							.join(" "),
					),
				pattern.source,
			),
		);
		await ann.until(`${label} has the focus`, () => at.evaluate((one) => document.activeElement === one));
	};
	const pick = (text) =>
		page.waitForFunction(
			(t) => {
				const one = [...document.querySelectorAll('[role="option"]')].find((o) =>
					o.textContent.includes(t),
				);
				one?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
				return Boolean(one);
			},
			{},
			text,
		);
	const row = (name) =>
		page
			.waitForFunction(
				(n) =>
					[...document.querySelectorAll("[data-row]")].find(
						(one) => one.querySelector(".tree-name").textContent === n,
					),
				{},
				name,
			)
			.then((handle) => handle.asElement());
	const focusRow = async (name) => (await (await row(name)).$(".tree-name")).focus();
	const isAt = (name) =>
		ann.until(`the focus is at ${name}`, () =>
			page.evaluate(
				(n) =>
					document.activeElement?.matches(".tree-name") &&
					document.activeElement.textContent === n,
				name,
			),
		);
	const alt = async (key) => {
		await page.keyboard.down("Alt");
		await page.keyboard.press(key);
		await page.keyboard.up("Alt");
	};
	const act = async (name, label) => {
		await (await (await row(name)).$(".tree-row [aria-haspopup]")).click();
		await page.waitForFunction(
			(text) => {
				const one = [...document.querySelectorAll('.pop:popover-open [role="menuitem"]')].find(
					(item) => item.textContent.startsWith(text),
				);
				one?.click();
				return Boolean(one);
			},
			{},
			label,
		);
	};
	/** Returns the tree on the page as text: "Wings(Slender) Wakes". */
	const shown = () =>
		page.evaluate(() => {
			const of = (list) =>
				[...(list?.children ?? [])]
					.map(
						(one) =>
							one.querySelector(".tree-name").textContent +
							(one.querySelector(":scope > ul")
								? `(${of(one.querySelector(":scope > ul"))})`
								: ""),
					)
					.join(" ");
			return of(document.querySelector(".tree > ul"));
		});
	const written = (terms) =>
		terms.map((one) => one.label + (one.children?.length ? `(${written(one.children)})` : "")).join(" ");
	const terms = async (locale = "en") =>
		written((await get(`/taxonomies/subjects/terms?locale=${locale}`)).terms);
	const becomes = async (tree, read) => {
		await ann.until(`${tree} on the page`, async () => (await shown()) === tree);
		await ann.until(`${tree} in the API`, async () => (await read()) === tree);
	};
	/** Drags a row by its handle to the upper (0) or lower (1) edge of another row, indented by `deep` levels. */
	const drag = async (name, to, edge, deep = 0, isDropped = true) => {
		const grip = await (await (await row(name)).$(".grip")).boundingBox(),
			target = await (await (await row(to)).$(".tree-row")).boundingBox();
		const x = grip.x + grip.width / 2,
			y = target.y + (edge ? target.height - 3 : 3);
		await page.mouse.move(x, grip.y + grip.height / 2);
		await page.mouse.down();
		await page.mouse.move(x + 8, y - 4, { steps: 4 });
		await page.mouse.move(x + deep * 22, y, { steps: 4 });
		await ann.has(".drop-line", 1);
		if (isDropped) return page.mouse.up();
		await page.keyboard.press("Escape");
		await ann.has(".drop-line", 0);
		await page.mouse.up();
	};

	await report.test("taxonomies: one is made; a name that is taken is refused at its field", async () => {
		await ann.open(`${HOME}/taxonomies`);
		await ann.has("tbody tr", 3);
		await ann.press("[data-make]");
		await fill("Name (plural)", "Subjects");
		await ann.until("the short name follows", async () =>
			(await control("API name")).evaluate((one) => one.value === "subjects"),
		);
		await fill("API name", "category");
		await page.locator('dialog[open] [name="hierarchical"]').click();
		await page.locator('dialog[open] [value="papers"]').click();
		await submit();
		await refused("API name", /already exists/);
		await ann.looks();
		await fill("API name", "subjects");
		await submit();
		await ann.arrives(`${HOME}/taxonomies/subjects/en`);
		await ann.reads(".state", /No terms yet/);
		assert.deepEqual((await get("/taxonomies/subjects")).taxonomy.collections, ["papers"]);
	});
	await report.test("taxonomies: terms are made; a slug that is taken is refused at its field", async () => {
		for (const label of ["Wings", "Wakes", "History", HOSTILE]) {
			await ann.press("[data-add]");
			await fill("Name", label);
			await submit();
			await closed();
		}
		await ann.has(names, 4);
		await ann.press("[data-add]");
		await fill("Name", "Wings again");
		await fill("Slug", "wings");
		await submit();
		await refused("Slug", /already exists/);
		await fill("Slug", "slender");
		await fill("Name", "Slender");
		await (await control("Parent")).type("win");
		await pick("Wings");
		await submit();
		await closed();
		await becomes(`Wings(Slender) Wakes History ${HOSTILE}`, terms);
		assert.equal(await page.evaluate(() => window.hacked), undefined);
		await ann.looks();
	});
	await report.test(
		"taxonomies: a term is moved by Alt and the arrow keys, keeps the focus, and says where it is",
		async () => {
			await focusRow("History");
			await alt("ArrowUp");
			await becomes(`Wings(Slender) History Wakes ${HOSTILE}`, terms);
			await isAt("History");
			await ann.reads("#live", /^History: 2 of 4 at the top level/);
			await alt("ArrowRight");
			await becomes(`Wings(Slender History) Wakes ${HOSTILE}`, terms);
			await isAt("History");
			await ann.reads("#live", /^History: 2 of 2 under “Wings”/);
			await alt("ArrowUp");
			await becomes(`Wings(History Slender) Wakes ${HOSTILE}`, terms);
			await alt("ArrowUp");
			await ann.reads("#live", /cannot be moved further/);
			await alt("ArrowLeft");
			await becomes(`Wings(Slender) History Wakes ${HOSTILE}`, terms);
			await isAt("History");
			await alt("ArrowLeft");
			await ann.reads("#live", /cannot be moved further/);
			assert.equal(ann.path(), `${HOME}/taxonomies/subjects/en`, "the browser did not go back");
		},
	);
	await report.test("taxonomies: arrow keys alone go from row to row, and open and close", async () => {
		await focusRow("Wings");
		await page.keyboard.press("ArrowLeft");
		await ann.has(names, 4);
		await page.keyboard.press("ArrowDown");
		await isAt("History");
		await page.keyboard.press("ArrowUp");
		await page.keyboard.press("ArrowRight");
		await ann.has(names, 5);
		await page.keyboard.press("ArrowRight");
		await isAt("Slender");
		await page.keyboard.press("ArrowLeft");
		await isAt("Wings");
		await page.keyboard.press("End");
		await isAt(HOSTILE);
	});
	await report.test(
		"taxonomies: a term is moved by the mouse, in and out, and Escape leaves it where it was",
		async () => {
			await drag("Wakes", "Slender", 1, 1);
			await becomes(`Wings(Slender Wakes) History ${HOSTILE}`, terms);
			await drag("Wakes", "History", 1, -1);
			await becomes(`Wings(Slender) History Wakes ${HOSTILE}`, terms);
			await drag("Wakes", "Wings", 0);
			await becomes(`Wakes Wings(Slender) History ${HOSTILE}`, terms);
			await drag("History", "Wakes", 0, 0, false);
			await becomes(`Wakes Wings(Slender) History ${HOSTILE}`, terms);
		},
	);
	await report.test("taxonomies: the menu of a row moves it, and what is reloaded is the same", async () => {
		await act("Wakes", "Move down");
		await becomes(`Wings(Slender) Wakes History ${HOSTILE}`, terms);
		await act("History", "Move under “Wakes”");
		await becomes(`Wings(Slender) Wakes(History) ${HOSTILE}`, terms);
		await ann.open(`${HOME}/taxonomies/subjects/en`);
		await becomes(`Wings(Slender) Wakes(History) ${HOSTILE}`, terms);
	});
	await report.test("taxonomies: from right to left, inwards is to the left, for keys and mouse", async () => {
		await ann.open(`${HOME}/taxonomies/subjects/en?language=xb`);
		await focusRow("History");
		await alt("ArrowRight");
		await becomes(`Wings(Slender) Wakes History ${HOSTILE}`, terms);
		await isAt("History");
		await alt("ArrowLeft");
		await becomes(`Wings(Slender) Wakes(History) ${HOSTILE}`, terms);
		await isAt("History");
		await drag("History", "Wakes", 1, 1);
		await becomes(`Wings(Slender) Wakes History ${HOSTILE}`, terms);
		await drag("History", "Wakes", 1, -1);
		await becomes(`Wings(Slender) Wakes(History) ${HOSTILE}`, terms);
		await ann.open(`${HOME}/taxonomies/subjects/en?language=en`);
		await ann.has(names, 5);
	});
	await report.test(
		"taxonomies: a move that somebody else made impossible is told, and what is there is shown",
		async () => {
			await ann.api("DELETE", "/taxonomies/subjects/terms/slender");
			await focusRow("Slender");
			await alt("ArrowLeft");
			await ann.reads(".notices .note.wrong", /not found|not in this group/i);
			await becomes(`Wings Wakes(History) ${HOSTILE}`, terms);
		},
	);
	await report.test("taxonomies: a term is translated, in the same place", async () => {
		await ann.open(`${HOME}/taxonomies/subjects/de`);
		await ann.has(".tree .mark.draft", 4);
		await ann.looks();
		await (await (await row("Wings")).$(".tree-name")).click();
		await ann.reads("dialog[open] h2", /“Wings” in German/);
		await fill("Name", "Flügel");
		await submit();
		await closed();
		await ann.until("it is there", async () => (await terms("de")) === "Flügel");
		await ann.until("and is shown", async () => (await shown()) === `Flügel Wakes(History) ${HOSTILE}`);
		await act("Flügel", "Delete");
		await ann.reads("dialog[open] .lead", /Only the German version/);
		await ann.press("[data-yes]");
		await ann.until(
			"it is gone there alone",
			async () => (await terms("de")) === "" && (await terms()).startsWith("Wings "),
		);
	});
	await report.test("taxonomies: what a delete takes along is said before", async () => {
		await ann.open(`${HOME}/taxonomies/subjects/en`);
		await act("Wakes", "Delete");
		await ann.reads(".notices .note", /“Wakes” has 1 term under it/);
		await act(HOSTILE, "Delete");
		await ann.reads("dialog[open] .lead", /No published item uses it/);
		await ann.looks();
		await ann.press("[data-yes]");
		await becomes("Wings Wakes(History)", terms);
		await ann.until("the focus is in the tree", () =>
			page.evaluate(() => document.activeElement.matches(".tree-name")),
		);
		await page.locator(".head [aria-haspopup]").click();
		await page.locator('.pop:popover-open [role="menuitem"]:last-child').click();
		await ann.reads("dialog[open] .lead", /All its terms are deleted permanently/);
		await ann.press("[data-yes]");
		await ann.arrives(`${HOME}/taxonomies`);
		assert.equal((await ann.api("GET", "/taxonomies/subjects")).status, 404);
	});

	const links = async () => {
		const { items } = await get("/menus/main?locale=en");
		const of = (parent) =>
			items
				.filter((one) => one.parentId === parent)
				.map(
					(one) =>
						one.label +
						(items.some((o) => o.parentId === one.id) ? `(${of(one.id)})` : ""),
				)
				.join(" ");
		return of(null);
	};
	const saveMenu = () => ann.press(".form-foot [data-save]");

	await report.test(
		"menus: one is made; a link that the server refuses is marked, and refused at its field",
		async () => {
			await ann.open(`${HOME}/menus`);
			await ann.press("[data-make]");
			await fill("Name", "Main");
			await submit();
			await ann.arrives(`${HOME}/menus/main/en`);
			await ann.press("[data-add]");
			await fill("Address", "javascript:window.hacked=1");
			await fill("Link text", "Blog");
			await submit();
			await closed();
			await ann.reads(".form-foot .saved", /Not saved yet/);
			await saveMenu();
			await ann.has(".tree .mark.bad", 1);
			await ann.looks();
			await (await (await row("Blog")).$(".tree-name")).click();
			const at = await control("Address");
			assert.equal(await at.evaluate((one) => one.getAttribute("aria-invalid")), "true");
			await fill("Address", "https://example.org/blog");
			await submit();
			await closed();
			await ann.has(".tree .mark.bad", 0);
		},
	);
	await report.test(
		"menus: an item is found by the server's search and nested by the keyboard; all is saved at once",
		async () => {
			await ann.press("[data-add]");
			await page.locator("dialog[open] label::-p-text(Item)").click();
			await choose("Collection", "papers");
			await (await control("Choose")).type("Paper 20");
			await pick("Paper 20");
			await ann.reads("dialog[open] .tag", /Paper 20/);
			await ann.looks();
			await submit();
			await closed();
			await ann.press("[data-add]");
			await page.locator("dialog[open] label::-p-text(Term)").click();
			await choose("Taxonomy", "fields");
			await (await control("Choose")).type("aero");
			await pick("Aerodynamics");
			await submit();
			await closed();
			await focusRow("Paper 20");
			await alt("ArrowRight");
			await ann.until("it is nested", async () => (await shown()) === "Blog(Paper 20) Aerodynamics");
			await isAt("Paper 20");
			assert.equal(await links(), "", "not before it is saved");
			await saveMenu();
			await ann.reads(".form-foot .saved", /Saved/);
			await becomes("Blog(Paper 20) Aerodynamics", links);
			const { items } = await get("/menus/main");
			assert.deepEqual(
				items.map((one) => one.url),
				["https://example.org/blog", "/papers/article-20", "/fields/aerodynamics"],
			);
			await ann.open(`${HOME}/menus/main/en`);
			await becomes("Blog(Paper 20) Aerodynamics", links);
		},
	);
	await report.test("menus: by the mouse; what is not saved is not left without a question", async () => {
		await drag("Aerodynamics", "Blog", 0);
		await ann.until("it is first", async () => (await shown()) === "Aerodynamics Blog(Paper 20)");
		await page.locator('.side a[href$="/taxonomies"]').click();
		await ann.reads("dialog[open] h2", /Leave without saving/);
		await page.keyboard.press("Escape");
		await closed();
		assert.equal(ann.path(), `${HOME}/menus/main/en`);
		await saveMenu();
		await becomes("Aerodynamics Blog(Paper 20)", links);
		await act("Blog", "Remove “Blog”");
		await ann.until("it is out, with what stands below", async () => (await shown()) === "Aerodynamics");
		await ann.press("[data-undo]");
		await ann.until("it is back", async () => (await shown()) === "Aerodynamics Blog(Paper 20)");
	});
	await report.test(
		"menus: what somebody else saved meanwhile is not written over without a question",
		async () => {
			await ann.api("POST", "/menus/main/items", {
				type: "custom",
				label: "Other",
				customUrl: "/other",
			});
			await saveMenu();
			await ann.reads("dialog[open] h2", /Somebody else has saved/);
			await page.keyboard.press("Escape");
			await closed();
			assert.equal(await links(), "Aerodynamics Blog(Paper 20) Other");
			await saveMenu();
			await ann.press("[data-yes]");
			await becomes("Aerodynamics Blog(Paper 20)", links);
			await ann.reads(".form-foot .saved", /Saved/);
		},
	);
	await report.test("menus: another language begins with a copy, and goes alone", async () => {
		await page.locator(".locales a:not([aria-current])").click();
		await ann.arrives(`${HOME}/menus/main/de`);
		await ann.reads(".state", /does not exist in German/);
		await ann.press("[data-copy]");
		await ann.until("it is copied", async () => (await shown()) === "Aerodynamics Blog(Paper 20)");
		assert.equal((await get("/menus/main/translations")).translations.length, 2);
		await page.locator(".head [aria-haspopup]").click();
		await page.locator('.pop:popover-open [role="menuitem"]:last-child').click();
		await ann.reads("dialog[open] .lead", /Its 3 links in German are/);
		await ann.press("[data-yes]");
		await ann.arrives(`${HOME}/menus`);
		assert.equal((await get("/menus/main/translations")).translations.length, 1);
	});

	await report.test(
		"sections: one is made, written and saved by Ctrl S; refusals stand at their fields",
		async () => {
			await ann.open(`${HOME}/sections`);
			await ann.has("tbody tr", 1);
			await ann.press("[data-make]");
			await fill("Title", "Prices");
			await fill("Slug", "call");
			await submit();
			await refused("Slug", /already exists/);
			await fill("Slug", "prices");
			await submit();
			await ann.arrives(`${HOME}/sections/prices`);
			await page.waitForSelector(".body");
			await page.focus(".body");
			await page.keyboard.type("Ten a month.");
			await ann.reads(".form-foot .saved", /Not saved yet/);
			await fill("Keywords", "money, offer");
			await fill("Title", "  ");
			await saveMenu();
			await refused("Title", /./);
			await fill("Title", "All prices");
			await ann.looks();
			await page.keyboard.down("Control");
			await page.keyboard.press("s");
			await page.keyboard.up("Control");
			await ann.reads(".form-foot .saved", /Saved/);
			await ann.reads("h1", /^All prices$/);
			const section = await get("/sections/prices");
			assert.equal(section.content[0].children[0].text, "Ten a month.");
			assert.deepEqual(section.keywords, ["money", "offer"]);
			await ann.open(`${HOME}/sections?search=money`);
			await ann.has("tbody tr", 1);
			await page.locator("tbody a").click();
			await ann.reads(".body", /Ten a month/);
			await ann.press("[data-remove]");
			await ann.press("[data-yes]");
			await ann.arrives(`${HOME}/sections`);
			assert.equal((await ann.api("GET", "/sections/prices")).status, 404);
		},
	);

	const area = async () =>
		(await get("/widget-areas/aside")).widgets.map((one) => one.title ?? one.type).join(" ");

	await report.test(
		"widgets: an area with a text, a menu and a component, in the order that keyboard and mouse give",
		async () => {
			await ann.open(`${HOME}/widgets`);
			await ann.has("[data-area]", 2);
			await ann.press("[data-make]");
			await fill("Name", "Aside");
			await fill("API name", "bottom");
			await submit();
			await refused("API name", /already exists|taken/);
			await fill("API name", "aside");
			await submit();
			await closed();
			const add = async (kind, title) => {
				await ann.press('[data-area="aside"] [data-add]');
				await page.locator(`dialog[open] label::-p-text(${kind})`).click();
				await fill("Title", title);
			};
			await add("Menu", "Links");
			await choose("Menu", "footer");
			await submit();
			await closed();
			await add("Component", "Newest");
			await fill("Component", "recent");
			await submit();
			await closed();
			await add("Text", "About");
			await submit();
			await page.waitForSelector(".body");
			await page.focus(".body");
			await page.keyboard.type("Of air.");
			await saveMenu();
			await ann.reads(".form-foot .saved", /Saved/);
			assert.equal(
				(await get("/widget-areas/aside")).widgets[2].content[0].children[0].text,
				"Of air.",
			);
			await page.locator('.where a[href$="/widgets"]').click();
			await ann.arrives(`${HOME}/widgets`);
			await focusRow("About");
			await alt("ArrowUp");
			await ann.until("it is second", async () => (await area()) === "Links About Newest");
			await ann.reads("#live", /^About: 2 of 3/);
			await isAt("About");
			await drag("Newest", "Links", 0);
			await ann.until("it is first", async () => (await area()) === "Newest Links About");
			await ann.looks();
		},
	);
	await report.test(
		"widgets: a move is one write, and none where somebody else has changed the area meanwhile",
		async () => {
			const asked = [],
				note = (request) =>
					request.method() !== "GET" &&
					request.url().includes("/_cms/api/") &&
					asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
			page.on("request", note);
			await focusRow("About");
			await alt("ArrowUp");
			await ann.until("it is second", async () => (await area()) === "Newest About Links");
			page.off("request", note);
			assert.deepEqual(asked, ["PUT /_cms/api/widget-areas/aside"]);
			const { data } = await ann.api("POST", "/widget-areas/aside/widgets", {
				type: "menu",
				title: "Theirs",
				menuName: "footer",
			});
			await alt("ArrowUp");
			await ann.reads(".notices .note", /Somebody else has changed this area/);
			await row("Theirs");
			assert.equal(await area(), "Newest About Links Theirs");
			await isAt("About");
			await alt("ArrowDown");
			await ann.until("it is third", async () => (await area()) === "Newest Links About Theirs");
			assert.equal((await ann.api("DELETE", `/widget-areas/aside/widgets/${data.id}`)).status, 200);
			await ann.open(`${HOME}/widgets`);
		},
	);
	await report.test(
		"widgets: settings that are no JSON are refused at their field; a widget and an area go",
		async () => {
			await (await (await row("Newest")).$(".tree-name")).click();
			await page.waitForFunction(() => /widgets\/./.test(location.pathname));
			await fill("Component settings", "{ n: ");
			await saveMenu();
			await refused("Component settings", /not a JSON object/);
			await fill("Component settings", '{"n": 3}');
			await saveMenu();
			await ann.reads(".form-foot .saved", /Saved/);
			await ann.open(`${HOME}/widgets`);
			await act("Links", "Remove");
			await ann.press("[data-yes]");
			await ann.until(
				"it is out",
				async () => (await area()) === "Newest About" || (await area()) === "About Newest",
			);
			/* Opens the dialog from the term's own page. It takes over the text that was typed there. */
			await (await (await row("Newest")).$(".tree-name")).click();
			await page.waitForFunction(() => /widgets\/./.test(location.pathname));
			await fill("Component settings", "{ n: ");
			await ann.press("[data-remove]");
			await ann.press("[data-yes]");
			await ann.arrives(`${HOME}/widgets`);
			await ann.until("it is out as well", async () => (await area()) === "About");
			await page.locator('[data-area="aside"] > .head [aria-haspopup]').click();
			await page.locator('.pop:popover-open [role="menuitem"]').click();
			await ann.reads("dialog[open] .lead", /1 widget in it is deleted/);
			await ann.press("[data-yes]");
			await ann.has("[data-area]", 2);
		},
	);

	await report.test(
		"bylines: one is made, belongs to a user found by search, and is refused at its fields",
		async () => {
			await ann.open(`${HOME}/bylines`);
			await ann.has("tbody tr", 2);
			await ann.press("[data-make]");
			await fill("Name", "Ann Byline");
			await submit();
			await page.waitForFunction(() => /bylines\/./.test(location.pathname));
			await fill("Website", "ftp://example.org/");
			await fill("Slug", "Ann!");
			await saveMenu();
			await refused("Slug", /./);
			assert.equal(
				await (await control("Website")).evaluate((one) => one.getAttribute("aria-invalid")),
				"true",
			);
			await ann.looks();
			await fill("Slug", "ann");
			await fill("Website", "https://example.org/ann");
			await (await control("User")).type("ann");
			await pick("ann@");
			await saveMenu();
			await ann.reads(".form-foot .saved", /Saved/);
			const id = ann.path().split("/").at(-1),
				byline = await get(`/bylines/${id}`),
				me = (await get("/auth/me")).id;
			assert.deepEqual([byline.slug, byline.isGuest, byline.userId], ["ann", false, me]);
			await page.locator(".below button").click();
			await ann.until("another language is open", () => ann.path().split("/").at(-1) !== id);
			await ann.reads(".head .quiet", /Deutsch/);
			await ann.press("[data-remove]");
			await ann.reads("dialog[open] .lead", /Only the German version/);
			await ann.press("[data-yes]");
			await ann.arrives(`${HOME}/bylines`);
			await page.locator('input[type="search"]').fill("ida");
			await ann.has("tbody tr", 1);
			await ann.open(`${HOME}/bylines?search=nobody`);
			await ann.reads(".state", /No matches/);
		},
	);

	await report.test(
		"releases: filled from a list, published as a whole, undone; the calendar moves one by keys",
		async () => {
			await ann.open(`${HOME}/releases`);
			await ann.press("[data-make]");
			await fill("Name", "Spring");
			await submit();
			await page.waitForFunction(() => /releases\/./.test(location.pathname));
			const id = ann.path().split("/").at(-1),
				release = async () => (await get(`/releases/${id}`)).release;
			await ann.reads(".state", /Nothing in it yet/);
			await ann.open(`${HOME}/collections/papers?status=draft`);
			await page.waitForSelector("tbody .pick");
			for (const box of (await page.$$("tbody .pick")).slice(0, 2)) await box.click();
			await ann.press('[data-act="release"]');
			await control("Release");
			await submit();
			await closed();
			await ann.open(`${HOME}/releases/${id}`);
			await ann.has("tbody tr", 2);
			await ann.looks();
			await ann.press("[data-check]");
			await ann.reads(".notices .note", /No problems found/);
			await ann.press("[data-preview]");
			await ann.press("dialog[open] [data-make-link]");
			await ann.reads("dialog[open] [data-made] code", /\/preview\/\?_preview=/);
			await ann.press("dialog[open] [data-cancel]");
			await closed();
			await ann.press("[data-publish]");
			await ann.press("[data-yes]");
			await ann.has("[data-undo]", 1);
			const [first] = (await release()).changes;
			assert.equal(first.live.status, "published");
			await ann.press("[data-undo]");
			await ann.press("[data-yes]");
			await ann.has("[data-publish]", 1);
			assert.equal((await release()).changes[0].live.status, "draft");
			// A later edit is told, and taken by choice.
			await ann.api("PUT", `/content/papers/${first.item}`, { data: { year: 1999 } });
			await ann.open(`${HOME}/releases/${id}`);
			await ann.reads("[data-problem]", /changed since it was added/);
			await ann.press("[data-publish]");
			await ann.press("[data-yes]");
			await ann.reads("[data-against]", /changed since it was added/);
			await page.locator("tbody tr:has([data-problem]) [aria-haspopup]").click();
			await page.locator('.pop:popover-open [role="menuitem"]').click();
			await ann.has("[data-problem]", 0);
			// The calendar: a day later by the keyboard, where the focus stays.
			const at = new Date();
			at.setMonth(at.getMonth() + 1, 10);
			await ann.api("POST", `/releases/${id}/schedule`, { scheduledAt: at.toISOString() });
			await ann.open(`${HOME}/calendar?month=${at.toISOString().slice(0, 7)}`);
			await page.waitForSelector(".entry.release");
			await ann.looks();
			await page.focus(".entry.release");
			await alt("ArrowRight");
			await ann.until("it is a day later", async () => {
				const { scheduledAt } = await release();
				return Date.parse(scheduledAt) - at.getTime() > 80000000;
			});
			await ann.until("it has the focus", () =>
				page.evaluate(() => document.activeElement?.matches(".entry.release")),
			);
		},
	);

	await report.test("structure: who may not change it is offered none of it", async () => {
		const { data } = await ann.api("POST", "/auth/invite", { email: "ole@slipstream.example", role: 30 });
		const ole = await Person.sit(browser, origin);
		await ole.plugIn("internal");
		await ole.open(data.inviteUrl);
		await ole.arrives(`${HOME}/invite`);
		await ole.type("#name", "Ole");
		await ole.press("[data-accept]");
		await ole.arrives(HOME);
		for (const name of ["taxonomies", "menus", "sections", "widgets", "bylines"])
			assert.equal(await ole.count(`.side a[href$="/${name}"]`), 0, name);
		await ole.open(`${HOME}/menus/footer/en`);
		await ole.reads(".state", /no access/);
		await ole.leave();
	});
}
