// site-frames.mjs - pages and field widgets of plugins: they are shown, look like the rest, work and save; and the
// attempts of a hostile one fail.
import assert from "node:assert/strict";
import http from "node:http";

const HOME = "/_cms/admin",
	DESK = `${HOME}/plugins/pager/desk`;
const FRAME = "iframe.plugin-frame";

export async function runFrames(context) {
	const { report, ann, api } = context,
		{ page } = ann;
	/** Waits until a plugin's file is loaded in a frame and its script has run; returns the frame. */
	const inside = async (file, isReady = () => globalThis.stet !== undefined) => {
		let found = null;

		await ann.until(`${file} is there`, async () => {
			found = page.frames().find((one) => one.url().includes(`/plugin-files/${file}`)) ?? null;
			return found !== null && (await found.evaluate(isReady));
		});
		return found;
	};
	const desk = async (query = "") => {
		await ann.open(`${DESK}${query}`);
		await ann.until("it is ready", () => page.$eval(FRAME, (one) => !one.hasAttribute("aria-busy")));
		return inside("pager/desk.html", () => globalThis.start !== undefined);
	};
	/** Checks the console for refusals by the policy; other tests expect an empty console. */
	const wereRefused = (pattern) => {
		const faults = ann.faults.splice(0);

		for (const fault of faults) assert.match(fault, pattern);
		return faults.length;
	};
	const shared = { ...context, inside, desk, wereRefused };

	await api("POST", "/admin/plugins/pager/enable");
	await runPage(shared);
	await runHostile(shared);
	await runWidgets(shared);
	await api("POST", "/admin/plugins/pager/disable");
	await report.test("frames: a page of a plugin that is off is not here, and not in the menu", async () => {
		await ann.open(DESK);
		await ann.reads("h1", /Page not found/);
		await ann.has(`.side a[href="${DESK}"]`, 0);
		await ann.looks();
	});
}

/* ---- a page ---- */

async function runPage({ report, ann, api, told, inside, desk }) {
	const { page } = ann;

	await report.test("frames: a plugin's page stands in the menu and is shown", async () => {
		await ann.open(HOME);
		await page.locator(`.side a[href="${DESK}"]`).click();
		await ann.reads("h1", /^Desk$/);
		const frame = await inside("pager/desk.html", () => globalThis.start !== undefined);
		assert.deepEqual(await frame.evaluate(() => ({ ...globalThis.start })), {
			type: "start",
			kind: "page",
			plugin: "pager",
			name: "desk",
			query: {},
			value: null,
		});
		await ann.has('.side [aria-current="page"]', 1);
		assert.deepEqual(
			await page.$eval(FRAME, (one) => [one.getAttribute("sandbox"), one.getAttribute("allow")]),
			["allow-scripts allow-forms", ""],
		);
		await ann.looks();
	});
	await report.test("frames: it has the look of the pages around it, and follows when that changes", async () => {
		await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
		const frame = await desk();
		const look = () =>
			frame.evaluate(() => ({
				scheme: globalThis.theme.scheme,
				ink: getComputedStyle(document.body).color,
				blue: document.documentElement.style.getPropertyValue("--blue"),
			}));
		const choose = async (theme) => {
			await page.keyboard.down("Control");
			await page.keyboard.press("k");
			await page.keyboard.up("Control");
			await page.keyboard.type(theme);
			await page.keyboard.press("Enter");
			await ann.has("dialog.palette", 0);
		};
		const ink = () => page.$eval(".head h1", (one) => getComputedStyle(one).color);

		await ann.until("it is light", async () => (await look()).scheme === "light");
		assert.equal((await look()).ink, await ink());
		await choose("dark");
		await ann.until("it is dark", async () => (await look()).scheme === "dark");
		assert.equal((await look()).ink, await ink());
		assert.notEqual((await look()).blue, "");
		await choose("theme: system");
		await ann.until("it is light again", async () => (await look()).scheme === "light");
		await ann.open(`${DESK}?language=xb`);
		const other = await inside("pager/desk.html", () => globalThis.theme !== undefined);
		assert.equal(await other.evaluate(() => document.documentElement.dir), "rtl");
	});
	await report.test(
		"frames: it is given the query of its address, is as high as it says, and names itself",
		async () => {
			const frame = await desk("?q=wings");

			assert.equal(await frame.evaluate(() => document.querySelector("#said").textContent), "wings");
			await frame.evaluate(() => (document.body.style.minBlockSize = "900px"));
			await ann.until("it is as high", () =>
				page.$eval(FRAME, (one) => one.clientHeight >= 900 && one.clientHeight < 1000),
			);
			await frame.evaluate(() => stet.title("Desk, \u202enumber\n7"));
			await ann.reads("h1", /^Desk, number 7$/);
			await frame.evaluate(() => stet.title(""));
			await ann.reads("h1", /^Desk$/);
		},
	);
	await report.test("frames: it asks its plugin in the name of the person, and says what it did", async () => {
		const frame = await desk();

		assert.deepEqual(await frame.evaluate(() => stet.post("/plugins/pager/echo", { text: "hello" })), {
			text: "hello",
			role: 50,
		});
		const refused = await frame.evaluate(() =>
			stet
				.post("/plugins/pager/echo", {})
				.catch(({ status, code, details }) => ({ status, code, path: details.issues[0].path })),
		);
		assert.deepEqual(refused, { status: 400, code: "VALIDATION_ERROR", path: "text" });
		const all = await frame.evaluate(() =>
			Promise.all(
				Array.from({ length: 12 }, (_, i) =>
					stet.post("/plugins/pager/echo", { text: `${i}` }),
				),
			),
		);
		assert.deepEqual(
			all.map(({ text }) => text),
			Array.from({ length: 12 }, (_, i) => `${i}`),
		);
		await frame.evaluate(() => stet.toast("  It is <b>done</b>\nnow "));
		await told(/pager: It is <b>done<\/b> now/);
	});
	await report.test("frames: it opens another page when somebody works in it", async () => {
		const frame = await desk();

		await frame.evaluate(() => (globalThis.onWork = () => stet.navigate("/media?type=image")));
		await (await frame.$("button")).click();
		await ann.arrives(`${HOME}/media`);
		assert.equal(new URL(page.url()).search, "?type=image");
	});
	await report.test("frames: the example keeps colours on its page", async () => {
		await ann.open(`${HOME}/plugins/swatches/colours`);
		const frame = await inside("swatches/colours.html");
		await frame.locator('[name="name"]').fill("Sea");
		await frame.evaluate(() => (document.querySelector('[name="value"]').value = "#2648b4"));
		await frame.locator("button.go").click();
		await told(/swatches: Sea is kept/);
		await ann.reads("h1", /Colours \(1\)/);
		assert.deepEqual((await api("GET", "/plugins/swatches/colours")).items, [
			{ name: "Sea", value: "#2648b4" },
		]);
		await ann.looks();
		assert.deepEqual(await ann.violations(frame), []);
	});
}

/* ---- a hostile one ---- */

async function runHostile({ report, ann, api, browser, desk, wereRefused }) {
	const { page } = ann;
	const stopped = async (pattern) => {
		await ann.reads(".note.wrong", pattern);
		await ann.has(FRAME, 0);
	};

	await report.test(
		"frames: a page has an origin of its own: no parent, no cookie, no storage, no request, no window",
		async () => {
			const frame = await desk();
			const got = await frame.evaluate(async () => {
				const tried = async (fn) => {
					try {
						return String(await fn());
					} catch (error) {
						return `refused: ${error.name}`;
					}
				};
				return {
					origin: self.origin,
					parent: await tried(() => parent.document.title),
					top: await tried(() => top.location.href),
					frame: await tried(() => frameElement?.id ?? "none"),
					cookie: await tried(() => document.cookie),
					storage: await tried(() => localStorage.length),
					database: await tried(
						() =>
							new Promise((resolve, reject) => {
								const ask = indexedDB.open("x");
								ask.onsuccess = () => resolve("open");
								ask.onerror = () => reject(ask.error);
							}),
					),
					api: await tried(() =>
						fetch("/_cms/api/admin/manifest", { credentials: "include" }).then(
							(answer) => answer.status,
						),
					),
					socket: await tried(
						() =>
							new Promise((resolve, reject) => {
								const one = new WebSocket("ws://localhost:1/");
								one.onopen = () => resolve("open");
								one.onerror = () =>
									reject(new DOMException("", "NoSocket"));
							}),
					),
					picture: await tried(
						() =>
							new Promise((resolve, reject) => {
								const one = new Image();
								one.onload = () => resolve("shown");
								one.onerror = () =>
									reject(new DOMException("", "NoPicture"));
								one.src = "/_cms/api/none.png";
							}),
					),
					window: await tried(() => open("/") === null),
					code: await tried(() => eval("1")),
				};
			});

			assert.equal(got.origin, "null");
			for (const name of [
				"parent",
				"top",
				"cookie",
				"storage",
				"database",
				"api",
				"socket",
				"picture",
				"code",
			])
				assert.match(got[name], /^refused/, `${name}: ${got[name]}`);
			assert.equal(got.frame, "none");
			assert.equal(got.window, "true");
			assert.ok(wereRefused(/Content Security Policy|Refused to/i) >= 3);
		},
	);
	await report.test(
		"frames: a page leads the window nowhere, not even to another admin page unless somebody works in it",
		async () => {
			const frame = await desk();
			const tried = await frame.evaluate(() => {
				stet.navigate("/media");
				try {
					top.location.href = "/_cms/admin/media";
					return "led";
				} catch (error) {
					return error.name;
				}
			});

			assert.equal(tried, "SecurityError");
			// A response means that the page has read all earlier messages.
			assert.equal(
				(await frame.evaluate(() => stet.post("/plugins/pager/echo", { text: "still here" })))
					.text,
				"still here",
			);
			assert.equal(ann.path(), DESK);
			await frame.evaluate(
				() =>
					(globalThis.onWork = () =>
						[
							"https://example.org/",
							"//example.org/",
							"/../api/users",
							"/%2e%2e/%2e%2e/",
							"javascript:alert(1)",
							7,
							null,
						].forEach((where) => stet.navigate(where))),
			);
			await (await frame.$("button")).click();
			await frame.evaluate(() => stet.post("/plugins/pager/echo", { text: "still here" }));
			assert.equal(ann.path(), DESK);
			ann.faults.splice(0);
		},
	);
	await report.test("frames: a page that takes the focus leads nowhere either", async () => {
		// Scripts that puppeteer evaluates count as user activation, so none is evaluated here.
		const answered = page.waitForResponse((answer) => answer.url().endsWith("/plugins/pager/echo"));

		await ann.open(`${DESK}?q=steal`);
		await answered;
		assert.equal(ann.path(), DESK);
	});
	await report.test("frames: of many toasts a few are shown", async () => {
		const frame = await desk();

		await frame.evaluate(() => {
			for (let i = 1; i <= 100; i++) stet.toast(`toast ${i}`);
		});
		assert.equal(
			(await frame.evaluate(() => stet.post("/plugins/pager/echo", { text: "still here" }))).text,
			"still here",
		);
		await ann.reads(".notices .note", /toast ([5-9]|1\d)(?!\d)/);
	});
	await report.test("frames: a page has nothing requested but its plugin's routes", async () => {
		const frame = await desk();
		const codes = await frame.evaluate(() =>
			Promise.all(
				[
					["GET", "/users"],
					["GET", "/admin/plugins/pager"],
					["GET", "/admin/manifest"],
					["POST", "/admin/plugins/pager/disable"],
					["GET", "/plugins/swatches/colours"],
					["GET", "/plugins/pager/../swatches/colours"],
					["GET", "/plugins/pager/..%2f..%2fusers"],
					["GET", "/plugins/pager/%2e%2e/%2e%2e/users"],
					["GET", "//example.org/plugins/pager/x"],
					["TRACE", "/plugins/pager/echo"],
					[{}, []],
				].map(([method, path]) =>
					stet.request(method, path).then(
						() => "done",
						({ code }) => code,
					),
				),
			),
		);

		assert.deepEqual([...new Set(codes)], ["NOT_FOR_FRAMES"]);
		const large = await frame.evaluate(() =>
			stet.post("/plugins/pager/echo", { text: "x".repeat(300000) }).catch(({ code }) => code),
		);
		assert.equal(large, "PAYLOAD_TOO_LARGE");
	});
	await report.test("frames: a page that asks past its helper gets so many answers at once", async () => {
		const frame = await desk();
		// Uses the message channel directly, without the helper script.
		const codes = await frame.evaluate(async () => {
			const taken = [],
				send = MessagePort.prototype.postMessage;
			let port = null;

			MessagePort.prototype.postMessage = function (...all) {
				port = this;
				return send.apply(this, all);
			};
			await stet.post("/plugins/pager/echo", { text: "x" });
			port.onmessage = ({ data }) =>
				data.type === "answer" && taken.push(data.ok ? "done" : data.error.code);
			for (let i = 0; i < 40; i++)
				send.call(port, {
					type: "request",
					id: 1000 + i,
					method: "POST",
					path: "/plugins/pager/echo",
					body: { text: "x" },
				});
			while (taken.length < 40)
				await new Promise((resolve) => {
					const one = new MessageChannel();
					one.port1.onmessage = resolve;
					one.port2.postMessage(0);
				});
			return taken;
		});

		assert.ok(codes.filter((code) => code === "TOO_MANY_REQUESTS").length >= 20, codes.join());
		assert.ok(codes.filter((code) => code === "done").length >= 4, codes.join());
	});
	await report.test(
		"frames: a page that sends without end is stopped, and shown again when somebody wants it",
		async () => {
			const frame = await desk();

			await frame
				.evaluate(() => {
					for (let i = 0; i < 5000; i++) stet.toast(`message ${i}`);
				})
				.catch(() => {});
			await stopped(/pager was stopped because it sent too many messages/);
			await ann.looks();
			await ann.press(".note.wrong button");
			await ann.until("it is ready", () =>
				page.$eval(FRAME, (one) => !one.hasAttribute("aria-busy")),
			);
		},
	);
	await report.test("frames: also one that sends past its channel", async () => {
		const frame = await desk();

		await frame
			.evaluate(() => {
				for (let i = 0; i < 5000; i++)
					parent.postMessage({ stet: "hello", nonce: "guessed", versions: [1] }, "*");
			})
			.catch(() => {});
		await stopped(/it sent too many messages/);
	});
	await report.test("frames: a page that goes to another document is stopped", async () => {
		const frame = await desk();

		await (await frame.$("a")).click().catch(() => {});
		await stopped(/pager was stopped because it left its page/);
		const again = await desk();
		await again.evaluate(() => (location.href = "http://127.0.0.1:9/?what=was-read")).catch(() => {});
		await stopped(/it left its page/);
		assert.ok(wereRefused(/frame-src|Content Security Policy/i) >= 1);
	});
	await report.test(
		"frames: nor does one stay that goes to the address of the site, where previews are shown",
		async () => {
			const site = http.createServer((request, response) =>
				response
					.setHeader("Content-Type", "text/html")
					.end("<!doctype html><title>Site</title><p>Not the page of the plugin"),
			);

			await new Promise((then) => site.listen(0, "127.0.0.1", then));
			const address = `http://127.0.0.1:${site.address().port}/`;
			await api("POST", "/settings", { url: address });
			const frame = await desk();
			await frame
				.evaluate((to) => {
					location.href = to;
				}, address)
				.catch(() => {});
			await stopped(/it left its page/);
			await ann.has(FRAME, 0);
			await api("POST", "/settings", { url: "" });
			site.close();
			site.closeAllConnections();
		},
	);
	await report.test("frames: heights and titles have bounds, and nonsense is passed over", async () => {
		const frame = await desk();

		await frame.evaluate(async () => {
			const send = MessagePort.prototype.postMessage;
			let port = null;

			// Drops the page's own resize messages, which would follow the one that is sent below.
			MessagePort.prototype.postMessage = function (...all) {
				port = this;
				return all[0].type === "resize" ? undefined : send.apply(this, all);
			};
			stet.title("x".repeat(100000));
			for (const message of [
				null,
				7,
				"resize",
				[],
				{},
				{ type: null },
				{ type: "constructor" },
				{ type: "__proto__" },
				{ type: "start" },
				{ type: "value", value: 7 },
				{ type: "resize" },
				{ type: "resize", height: "1e9" },
				{ type: "resize", height: NaN },
				{ type: "toast", text: {} },
				{ type: "navigate", path: {} },
				{ type: "request" },
				{ type: "request", id: "x", method: "GET", path: "/" },
				{ type: "resize", height: 1e12 },
			])
				send.call(port, message);
		});
		await ann.until("it is as high as it may be", () =>
			page.$eval(FRAME, (one) => one.getBoundingClientRect().height === 10000),
		);
		await ann.reads("h1", /^x{120}$/);
		assert.equal(
			(await frame.evaluate(() => stet.post("/plugins/pager/echo", { text: "still here" }))).text,
			"still here",
		);
	});
	await report.test("frames: messages of other windows are not taken for a frame's", async () => {
		await desk();
		await page.evaluate(() => {
			const nonce = document.querySelector("iframe.plugin-frame").src.split("#")[1];

			for (let i = 0; i < 2000; i++) postMessage({ stet: "hello", nonce, versions: [1] }, "*");
		});
		assert.equal(await ann.count(FRAME), 1);
		assert.equal(
			(
				await (
					await page.$(FRAME)
				)
					.contentFrame()
					.then((one) =>
						one.evaluate(() =>
							stet.post("/plugins/pager/echo", { text: "still here" }),
						),
					)
			).text,
			"still here",
		);
	});
	await report.test("frames: the file of a page in a tab of its own has no origin, and asks nobody", async () => {
		const tab = await ann.context.newPage();

		try {
			await tab.goto(`${ann.origin}/_cms/admin/plugin-files/pager/desk.html`);
			assert.equal(await tab.evaluate(() => self.origin), "null");
			assert.match(
				await tab.evaluate(() =>
					fetch("/_cms/api/admin/manifest", { credentials: "include" }).then(
						(answer) => String(answer.status),
						(error) => error.name,
					),
				),
				/Error/,
			);
			assert.match(
				await tab.evaluate(() => {
					try {
						return document.cookie;
					} catch (error) {
						return error.name;
					}
				}),
				/SecurityError/,
			);
		} finally {
			await tab.close();
		}
		// Another site may not show the page in a frame.
		const other = await browser.newPage();
		try {
			await other.setContent(
				`<iframe src="${ann.origin}/_cms/admin/plugin-files/pager/desk.html"></iframe>`,
			);
			await ann.until("it is refused there", async () =>
				(
					await Promise.all(
						other
							.frames()
							.slice(1)
							.map((one) => one.evaluate(() => location.href)),
					)
				).every((where) => where.startsWith("chrome-error:")),
			);
		} finally {
			await other.close();
		}
	});
}

/* ---- widgets ---- */

async function runWidgets({ report, ann, api, inside }) {
	const { page } = ann,
		WALLS = `${HOME}/collections/walls`;

	await api("POST", "/schema/collections", {
		slug: "walls",
		label: "Walls",
		labelSingular: "Wall",
		supports: ["drafts"],
	});
	for (const field of [
		{ slug: "title", label: "Title", type: "string", required: true },
		{
			slug: "accent",
			label: "Accent",
			type: "string",
			widget: "swatches:colour",
			validation: { pattern: "^#[0-9a-f]{6}$" },
		},
		{
			slug: "stars",
			label: "Stars",
			type: "integer",
			widget: "pager:rate",
			validation: { min: 1, max: 3 },
		},
		{ slug: "note", label: "Note", type: "string", widget: "pager:silent" },
		{ slug: "other", label: "Other", type: "integer", widget: "pager:silent" },
		{ slug: "plain", label: "Plain", type: "string", widget: "colour" },
	])
		await api("POST", "/schema/collections/walls/fields", field);
	const {
		item: { id },
	} = await api("POST", "/content/walls", { data: { title: "North", accent: "#ad2419" } });
	const stored = async () => (await api("GET", `/content/walls/${id}`)).item.data;
	const open = async () => {
		await ann.open(`${WALLS}/${id}`);
		return {
			colour: await inside("swatches/colour.html"),
			rate: await inside("pager/rate.html", () => globalThis.start !== undefined),
		};
	};

	await report.test("widgets: one edits the value of a field, which is saved", async () => {
		const { colour, rate } = await open();

		await ann.until(
			"the colours of the house are there",
			async () => (await colour.$$(".chip")).length === 1,
		);
		assert.equal(await colour.$eval("code", (one) => one.textContent), "#ad2419");
		assert.deepEqual(
			(({ slug, type, required, validation }) => ({ slug, type, required, validation }))(
				await rate.evaluate(() => globalThis.start.field),
			),
			{ slug: "stars", type: "integer", required: false, validation: { min: 1, max: 3 } },
		);
		assert.equal(await page.$eval("#field-accent", (one) => one.title), "Accent");
		await (await colour.$(".chip")).click();
		await (await rate.$('[value="3"]')).click();
		await ann.until("it is saved", async () => {
			const { accent, stars } = await stored();
			return accent === "#2648b4" && stars === 3;
		});
		await ann.looks();
		assert.deepEqual(await ann.violations(colour), []);
	});
	await report.test(
		"widgets: a value of another shape is refused by the server, at the field and in the frame",
		async () => {
			const { rate } = await open();

			await rate.evaluate(() => stet.setValue("three"));
			await ann.reads("#field-stars-p", /./);
			await ann.until(
				"the frame is told",
				async () => (await rate.$eval(".problem", (one) => one.textContent)) !== "",
			);
			assert.equal((await stored()).stars, 3);
			await rate.evaluate(() => stet.setValue(7));
			await ann.reads("#field-stars-p", /3/);
			await ann.until("the frame is told", async () =>
				/3/.test(await rate.$eval(".problem", (one) => one.textContent)),
			);
			assert.equal((await stored()).stars, 3);
			// An invalid value is not sent out of the frame.
			await rate.evaluate(() => stet.setValue("x".repeat(300000)));
			await ann.until("the frame is told", async () =>
				/too long/.test(await rate.$eval(".problem", (one) => one.textContent)),
			);
			await (await rate.$('[value="2"]')).click();
			await ann.until("it is saved", async () => (await stored()).stars === 2);
			await ann.has("#field-stars-p", 0);
			await ann.looks();
		},
	);
	await report.test("widgets: one that says nothing gives way to the ordinary control, in words", async () => {
		await open();
		await ann.reads("[data-instead]", /The plugin pager does not respond/);
		await ann.has("input#field-note", 1);
		await ann.looks();
		await page.locator("#field-note").fill("by hand");
		await ann.until("it is saved", async () => (await stored()).note === "by hand");
		// The frame is loaded again, fails again, and the plain field replaces it.
		await ann.press("[data-instead] button");
		await ann.has("iframe#field-note", 1);
		await ann.has("input#field-note", 1);
		assert.equal(await page.$eval("input#field-note", (one) => one.value), "by hand");
	});
	await report.test("widgets: one that edits no such values is not shown, nor what is no plugin's", async () => {
		await open();
		await ann.has("input#field-other", 1);
		await ann.reads(".f:has(#field-other) [data-instead]", /“pager:silent” is not in use here/);
		assert.equal(await page.$(".f:has(#field-plain) [data-instead]"), null);
	});
	await report.test("widgets: who defines a field chooses one for it", async () => {
		await ann.open(`${HOME}/schema/walls?field=plain`);
		await ann.has('[name="widget"]', 1);
		assert.deepEqual(await page.$$eval('[name="widget"] option', (all) => all.map((one) => one.value)), [
			"",
			"colour",
			"pager:silent",
			"swatches:colour",
		]);
		await page.select('[name="widget"]', "swatches:colour");
		await ann.looks();
		await ann.press("[data-send]");
		await ann.until(
			"it is stored",
			async () =>
				(await api("GET", "/admin/manifest/walls")).item.fields.find(
					(one) => one.slug === "plain",
				).widget === "swatches:colour",
		);
	});
	await report.test("widgets: with the plugin off a field has its ordinary control, and its value", async () => {
		await api("POST", "/admin/plugins/swatches/disable");
		await ann.open(`${WALLS}/${id}`);
		await ann.has("input#field-accent", 1);
		assert.equal(await page.$eval("#field-accent", (one) => one.value), "#2648b4");
		await ann.reads(".f:has(#field-accent) [data-instead]", /“swatches:colour” is not in use here/);
		await ann.looks();
		await api("POST", "/admin/plugins/swatches/enable");
	});
	await api("DELETE", "/schema/collections/walls?force=true");
}
