// editor-writing.mjs - Markdown as it is typed, links, code and pictures edited in place, tasks, the menu of blocks.
import assert from "node:assert/strict";
import http from "node:http";
import { paragraph, upload } from "./articles.mjs";

/** Blocks in short: style or list, and the spans with their marks. */
const brief = (data) =>
	data.body.map((b) =>
		b._type !== "block"
			? b._type
			: [
					b.listItem
						? `${b.listItem}${b.checked === undefined ? "" : b.checked ? " x" : " o"}`
						: b.style,
					...b.children.map((c) => {
						const marks = (c.marks ?? []).map(
							(m) => b.markDefs?.find((d) => d._key === m)?.href ?? m,
						);

						return marks.length > 0 ? [c.text, ...marks] : c.text;
					}),
				],
	);

export async function runWriting({ report, desk }) {
	const { page } = desk;
	/** Opens an article whose text is these blocks, with the cursor at its end. */
	const begin = async (body) => {
		const { item } = await desk.call("POST", "/content/articles", { data: { title: "Typed", body } });
		const own = desk.at(item.id);

		await own.open();
		await own.toEnd();
		// What comes after the first key is there.
		await own.until("the rules are there", async () => (await page.$(".text .slash")) !== null);
		return own;
	};
	const lines = async (own, ...all) => {
		for (const line of all) {
			await own.type(line);
			await own.keys("Enter");
		}
	};
	const paste = (text, kind = "text/plain") =>
		page.evaluate(
			(data, type) => {
				const clip = new DataTransfer();

				clip.setData(type, data);
				document.querySelector(".body").dispatchEvent(
					new ClipboardEvent("paste", {
						clipboardData: clip,
						bubbles: true,
						cancelable: true,
					}),
				);
			},
			text,
			kind,
		);

	await report.test("editor: Markdown turns into formats while it is typed", async () => {
		const own = await begin([paragraph("p", "")]);

		await lines(own, "a **b** *c* __d__ _e_ `f` ~~g~~ 2*3*4", "#### four");
		await own.type("---");
		await lines(own, "after the rule", "> quote", "see [the page](example.org/x) now");
		await lines(own, "at https://example.org/y, and https://example.org/z");
		await own.type("[ ] not a task here");
		await own.stored("all of it", (data) => JSON.stringify(data.body).includes("not a task here"));
		assert.deepEqual(brief((await own.item()).data), [
			[
				"normal",
				"a ",
				["b", "strong"],
				" ",
				["c", "em"],
				" ",
				["d", "strong"],
				" ",
				["e", "em"],
				" ",
				["f", "code"],
				" ",
				["g", "strike-through"],
				" 2*3*4",
			],
			["h4", "four"],
			"break",
			["normal", "after the rule"],
			["blockquote", "quote"],
			["normal", "see ", ["the page", "https://example.org/x"], " now"],
			[
				"normal",
				"at ",
				["https://example.org/y", "https://example.org/y"],
				", and ",
				["https://example.org/z", "https://example.org/z"],
			],
			["normal", "[ ] not a task here"],
		]);
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: code is typed where it stands, with one step of undo", async () => {
		const own = await begin([paragraph("p", "Before")]);

		await own.keys("Enter");
		await own.type("```");
		await own.until("the cursor is in the code", () =>
			page.evaluate(() => document.activeElement.matches("textarea.pt-code")),
		);
		await own.type("if (a)");
		await own.keys("Enter");
		await own.keys("Tab");
		await own.type("b();");
		await own.stored("the code", (data) => data.body[1]?.code === "if (a)\n\tb();");
		await own.looks();
		await own.keys("ArrowDown");
		await own.type("After");
		await own.stored("the text after it", (data) => JSON.stringify(data.body[2] ?? "").includes("After"));
		assert.deepEqual(brief((await own.item()).data), [["normal", "Before"], "code", ["normal", "After"]]);
		await own.keys("Control", "z");
		await own.keys("Control", "z");
		await own.stored("undone", (data) => !data.body[1] || data.body[1].code === "");
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: a pasted address links the selection, and redirects are unwrapped", async () => {
		const own = await begin([paragraph("p", "some words")]);

		await own.keys("Shift", "Control", "ArrowLeft");
		// The browser tells the editor of a selection a moment later.
		await new Promise((then) => setTimeout(then, 200));
		await paste("https://example.org/pasted");
		await own.stored("linked", (data) => JSON.stringify(data.body).includes("https://example.org/pasted"));
		await own.keys("End");
		await own.type(" ");
		await paste("https://www.google.com/url?q=https://example.org/found&sa=D");
		await own.keys("Enter");
		await paste(
			'<p><a href="https://www.google.com/url?q=https://example.org/html&amp;sa=D">in HTML</a></p>',
			"text/html",
		);
		await own.stored("the last", (data) => JSON.stringify(data.body).includes("https://example.org/html"));
		assert.deepEqual(brief((await own.item()).data), [
			[
				"normal",
				"some ",
				["words", "https://example.org/pasted"],
				" ",
				["https://example.org/found", "https://example.org/found"],
			],
			["normal", ["in HTML", "https://example.org/html"]],
		]);
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: tasks where the text has tasks: a new one, and one that is done", async () => {
		const own = await begin([paragraph("t", "First", { listItem: "bullet", level: 1, checked: false })]);

		await own.keys("Enter");
		await own.type("Second");
		await own.keys("Control", "Enter");
		await own.keys("Enter");
		await own.keys("Enter");
		await own.type("[ ] Third");
		await own.stored(
			"three",
			(data) => data.body.length === 3 && JSON.stringify(data.body).includes("Third"),
		);
		const box = await page.$eval(".body > [data-checked]", (e) => {
			const { left, top } = e.getBoundingClientRect();

			return { x: left + 8, y: top + 12 };
		});
		await page.mouse.click(box.x, box.y);
		await own.stored("the first is done", (data) => data.body[0].checked === true);
		assert.deepEqual(brief((await own.item()).data), [
			["bullet x", "First"],
			["bullet x", "Second"],
			["bullet o", "Third"],
		]);
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: the menu of blocks", async () => {
		const own = await begin([paragraph("p", "Some words")]);

		await own.keys("Enter");
		await own.type("/");
		await page.waitForSelector(".text .slash:not([hidden]) li:nth-child(10)");
		await own.looks();
		await own.type("head");
		await own.until("five are left", async () => (await page.$$(".text .slash li")).length === 5);
		await own.keys("ArrowDown");
		await own.keys("Enter");
		await own.type("A heading");
		await own.keys("Enter");
		await own.type("/quo");
		await own.keys("Escape");
		await own.type(" stays");
		await own.keys("Enter");
		await own.type("and/or, 1/2");
		assert.equal(await page.$eval(".text .slash", (e) => e.hidden), true);
		await own.keys("Enter");
		await own.type("/tab");
		await own.keys("Enter");
		await own.type("in a cell");
		await own.stored("the table", (data) => JSON.stringify(data.body).includes("in a cell"));
		assert.deepEqual(brief((await own.item()).data).slice(0, 5), [
			["normal", "Some words"],
			["h3", "A heading"],
			["normal", "/quo stays"],
			["normal", "and/or, 1/2"],
			"table",
		]);
		await desk.call("DELETE", own.path);
	});
	await report.test(
		"editor: footnotes are written where they stand, with the numbers of their order",
		async () => {
			const own = await begin([
				paragraph("p", "First"),
				{
					_type: "block",
					_key: "s",
					style: "normal",
					children: [
						{ _type: "span", _key: "1", text: "Second" },
						{ _type: "footnoteReference", _key: "2", label: "a" },
					],
				},
				{
					_type: "footnote",
					_key: "f",
					label: "a",
					content: [{ _type: "span", _key: "1", text: "Old note" }],
				},
			]);
			const numbers = () => page.$$eval(".body sup", (all) => all.map((e) => e.textContent));

			assert.deepEqual(await numbers(), ["1"]);
			await own.keys("Control", "Home");
			await own.keys("End");
			await own.type("[^New note");
			assert.deepEqual(await numbers(), ["1", "2"]);
			await own.keys("Escape");
			await own.type(", after it.");
			await own.stored("both", (data) => JSON.stringify(data.body).includes(", after it."));
			await own.looks();
			const { body } = (await own.item()).data,
				{ label } = body[2];
			assert.match(label, /^[0-9a-f]{12}$/);
			assert.deepEqual(
				body.map((b) => [
					b._type,
					b.label,
					...(b.content ?? b.children).map((c) => c.text ?? c.label),
				]),
				[
					["block", undefined, "First", label, ", after it."],
					["block", undefined, "Second", "a"],
					["footnote", label, "New note"],
					["footnote", "a", "Old note"],
				],
			);
			// An empty footnote goes with its reference.
			await own.keys("Control", "End");
			await own.type("/foot");
			await own.keys("Enter");
			await own.keys("Backspace");
			await own.type(" third");
			await own.stored("no footnote more", (data) => JSON.stringify(data.body).includes(" third"));
			assert.equal((await own.item()).data.body.length, 4);
			// So does one that the toolbar removes.
			await page.locator(".body ::-p-text(Old note)").click();
			await page.locator('.text [role="toolbar"] ::-p-text(Insert)').click();
			await page.locator('[role="menuitem"] ::-p-text(Remove block)').click();
			await own.stored("no note a", (data) => !/"label":"a"/.test(JSON.stringify(data.body)));
			assert.equal((await own.item()).data.body.length, 3);
			await desk.call("DELETE", own.path);
		},
	);
	await report.test("editor: callouts are written where they stand", async () => {
		const inner = paragraph("q", "Stet means: let it stand."),
			own = await begin([
				{ _type: "callout", _key: "c", kind: "house", content: [inner], "data-x": 1 },
				paragraph("p", "Last"),
			]);

		await own.keys("Enter");
		await own.type("/call");
		await own.keys("Enter");
		await own.type("In it");
		await own.keys("Enter");
		await own.type("- one");
		for (let i = 0; i < 3; i++) await own.keys("Enter");
		await own.type("Behind it");
		await page.select(".body [data-type=callout]:nth-of-type(2) select", "warning");
		await page.click(".body [data-type=callout]:first-of-type input");
		await own.type("By the way");
		await own.stored("the title", (data) => data.body[0].title === "By the way");
		await own.looks();
		const { body } = (await own.item()).data;
		assert.deepEqual(body[0].content, [inner]);
		assert.deepEqual([body[0].kind, body[0]["data-x"]], ["house", 1]);
		assert.equal(body[2].kind, "warning");
		assert.deepEqual(brief({ body: body[2].content }), [
			["normal", "In it"],
			["bullet", "one"],
		]);
		assert.deepEqual(brief({ body: body.slice(3, 4) }), [["normal", "Behind it"]]);
		// What is typed in one visit is one step of undo; Backspace at its start takes a callout apart.
		await own.keys("Enter");
		await own.keys("Control", "z");
		await own.stored("no title", (data) => data.body[0].title === undefined);
		await own.keys("Control", "Home");
		await own.keys("Home");
		await own.keys("Backspace");
		await own.stored("taken apart", (data) => JSON.stringify(data.body[0]) === JSON.stringify(inner));
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: blocks are moved, copied and changed by their menu, and dragged", async () => {
		const own = await begin(["First", "Second", "Third"].map((text, i) => paragraph(`k${i}`, text)));
		const menu = async (steps) => {
				await own.keys("Alt", "Enter");
				await own.until("the menu is open", () =>
					page.evaluate(() => document.activeElement.matches("[role=menuitem]")),
				);
				for (let i = 0; i < steps; i++) await own.keys("ArrowDown");
			},
			texts = (data) => data.body.map((b) => `${b.style} ${b.children[0].text}`).join(", ");

		await own.keys("Control", "Home");
		await menu(0);
		await own.looks();
		// Escape leads back to the text.
		await own.keys("Escape");
		await own.until("in the text", () => page.evaluate(() => document.activeElement.matches(".body")));
		await menu(1);
		await own.keys("Enter");
		await menu(2);
		await own.keys("Enter");
		await menu(5);
		await own.keys("Enter");
		await own.stored(
			"moved down, copied, made a heading",
			(data) => texts(data) === "normal Second, normal First, h2 First, normal Third",
		);
		const box = (selector) =>
			page.$eval(selector, (e) => {
				const { left, top, width, height } = e.getBoundingClientRect();

				return { x: left + width / 2, y: top + height / 2, top };
			});
		const last = await box(".body > :nth-child(4)"),
			first = await box(".body > :first-child");
		await page.mouse.move(last.x, last.y);
		await own.until(
			"the handle is there",
			async () => Math.abs((await box("[draggable] > button")).y - last.y) < 20,
		);
		const grip = await box("[draggable] > button");
		await page.mouse.move(grip.x, grip.y);
		await page.mouse.down();
		await page.mouse.move(grip.x + 20, grip.y - 20, { steps: 3 });
		await page.mouse.move(first.x, first.top + 3, { steps: 6 });
		await page.mouse.up();
		await own.stored("dragged to the top", (data) =>
			texts(data).startsWith("normal Third, normal Second, normal First, h2"),
		);
		const { body } = (await own.item()).data;
		assert.deepEqual([body[0]._key, body[1]._key, body[2]._key], ["k2", "k1", "k0"]);
		assert.equal(new Set(body.map((b) => b._key)).size, 4);
		await own.keys("Control", "z");
		await own.stored("one step back", (data) => texts(data).endsWith("normal Third"));
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: focus mode hides all but the text, and is remembered", async () => {
		const own = await begin([paragraph("p", "Some words")]),
			isHidden = (selector) => page.$eval(selector, (e) => !e.checkVisibility()),
			until = (is) => own.until(`focus mode is ${is}`, async () => (await isHidden(".side")) === is);

		await own.keys("Control", "Shift", "F");
		await until(true);
		for (const one of [".panel", ".more-fields", ".toolbar", ".top .split"])
			assert.equal(await isHidden(one), true, one);
		assert.equal(await isHidden("#saved"), false);
		await own.type(" more");
		await own.stored("typed", (data) => JSON.stringify(data.body).includes("words more"));
		await own.looks();
		await page.reload();
		await until(true);
		await page.focus(".body");
		await own.keys("Escape");
		await until(false);
		await page.click(".split > [popovertarget]");
		await page.locator("::-p-text(Focus mode)").click();
		await until(true);
		await page.locator("::-p-text(Leave focus mode)").click();
		await until(false);
		assert.equal(await page.evaluate(() => document.activeElement.matches(".body")), true);
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: a block of a plugin is edited by its widget, and moved", async () => {
		const old = { _type: "colourSample", _key: "x", text: "Old", more: [1] },
			own = await begin([paragraph("p", "First"), old, paragraph("q", "Last")]),
			frames = (n) =>
				own.until(
					`${n} frames are ready`,
					async () => (await page.$$(".body iframe:not([aria-busy])")).length === n,
				);

		await frames(1);
		await own.keys("Enter");
		await own.type("/colour");
		await own.keys("Enter");
		await frames(2);
		await own.keys("Enter");
		await own.until("in the frame", () => page.evaluate(() => document.activeElement.tagName === "IFRAME"));
		await own.keys("Tab");
		await own.keys("Tab");
		await own.type("Deep");
		await own.stored("the words", (data) => data.body[3]?.text === "Deep");
		await own.looks();
		assert.deepEqual((await own.item()).data.body[1], old);
		await page.focus(".body");
		await own.keys("Control", "Home");
		await own.keys("Alt", "ArrowDown");
		await own.stored("moved", (data) => data.body[0]._type === "colourSample");
		await frames(2);
		assert.equal(
			await page.$eval(".body > :first-child iframe", (e) => e.title),
			"Colour sample",
			"the frame is gone",
		);
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: a block that the site defines is inserted by the menu, and has a form", async () => {
		await desk.call("POST", "/schema/blocks", {
			slug: "card",
			label: "Card of ours",
			description: "A headline with a number",
			fields: [
				{ slug: "head", label: "Headline", type: "string", required: true },
				{ slug: "stars", label: "Stars", type: "integer", defaultValue: 3 },
			],
		});
		const own = await begin([paragraph("p", "First")]);

		await own.keys("Enter");
		await own.type("/card of");
		await own.keys("Enter");
		await page.waitForSelector(".body .own-block input");
		await own.looks();
		await page.click(".body .own-block input");
		await own.type("Hello");
		await own.stored("the headline", (data) =>
			data.body.some((b) => b._type === "card" && b.head === "Hello"),
		);
		assert.equal((await own.item()).data.body.find((b) => b._type === "card").stars, 3);
		await desk.call("DELETE", own.path);
		await desk.call("DELETE", "/schema/blocks/card?force=true");
	});
	await report.test("editor: words are found and replaced by the keyboard, all of them in one step", async () => {
		const own = await begin([
			paragraph("p", "The nozzle and the noise of the nozzle"),
			{
				_type: "block",
				_key: "h",
				style: "h2",
				children: [
					{ _type: "span", _key: "1", text: "no" },
					{ _type: "span", _key: "2", text: "zzle", marks: ["strong"] },
				],
			},
			{ _type: "code", _key: "c", code: "let nozzle = Nozzle;" },
			paragraph("q", "Last"),
		]);
		const before = (await own.item()).data.body,
			tells = (text) =>
				own.until(`it says ${text}`, async () =>
					(await page.$eval("#live", (e) => e.textContent)).startsWith(text),
				),
			tab = async (n) => {
				for (let i = 0; i < n; i++) await own.keys("Tab");
			};

		await own.keys("Control", "Home");
		// What is typed before the bar is there does not go into the text.
		await own.keys("Control", "f");
		await own.type("nozzle");
		await tells("1 of 5");
		await own.looks();
		await own.keys("Enter");
		await tells("2 of 5");
		await own.keys("Shift", "Enter");
		await tells("1 of 5");
		await tab(5);
		await own.type("jet");
		await own.keys("Enter");
		await tells("Replaced 1 1 of 4");
		await own.stored("the first", (data) => JSON.stringify(data.body[0]).includes("The jet and"));
		await tab(2);
		await own.keys("Enter");
		await tells("Replaced 4 No matches");
		await own.stored("all", (data) => data.body[2].code === "let jet = jet;");
		const [first, second, , last] = (await own.item()).data.body;
		assert.deepEqual(brief({ body: [first, second] }), [
			["normal", "The jet and the noise of the jet"],
			["h2", "jet"],
		]);
		assert.deepEqual(last, before[3]);
		await own.keys("Escape");
		assert.equal(await page.evaluate(() => document.activeElement.matches(".body")), true);
		await own.keys("Control", "z");
		await own.stored("one step back", (data) => data.body[2].code === "let nozzle = Nozzle;");
		await own.keys("Control", "z");
		await own.stored("both", (data) => JSON.stringify(data.body) === JSON.stringify(before));
		// Escape leaves the cursor at the place that was found.
		// The key is where F is, whatever it types.
		await page.$eval(".body", (body) =>
			body.dispatchEvent(
				new KeyboardEvent("keydown", {
					key: "\u0430",
					code: "KeyF",
					ctrlKey: true,
					bubbles: true,
					cancelable: true,
				}),
			),
		);
		await own.type("noise");
		await tells("1 of 1");
		await own.keys("Escape");
		assert.equal(await page.evaluate(() => getSelection().toString()), "noise");
		await own.type("sound");
		await own.stored("typed there", (data) => JSON.stringify(data.body).includes("the sound of"));
		await desk.call("DELETE", own.path);
	});
	await report.test("editor: a picture of another host is brought into the library", async () => {
		const file = await upload(desk.call, "far.png"),
			bytes = Buffer.from(await (await fetch(new URL(file.url, desk.person.origin))).arrayBuffer());
		const host = http.createServer((_, response) => {
			response.setHeader("Content-Type", "image/png");
			response.end(bytes);
		});

		try {
			await new Promise((then) => host.listen(0, "127.0.0.1", then));
			const own = await begin([paragraph("p", "Picture")]);
			await own.keys("Enter");
			await paste(
				`<p><img src="http://127.0.0.1:${host.address().port}/a/far.png" alt="Far"></p>`,
				"text/html",
			);
			await page.waitForSelector(".pt-picture .help");
			await own.looks();
			await page.locator("::-p-text(Bring into the library)").click();
			await page.waitForSelector(".pt-picture img");
			await own.stored("it is of the library", (data) =>
				data.body.some((b) => b.asset?._ref === file.id),
			);
			assert.equal((await own.item()).data.body.find((b) => b._type === "image").alt, "Far");
			await desk.call("DELETE", own.path);
		} finally {
			host.close();
			host.closeAllConnections();
		}
	});
}
