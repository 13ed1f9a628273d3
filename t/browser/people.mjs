// people.mjs - a person at a browser.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const PATIENCE = Number(process.env.PATIENCE ?? 30000); // ms
// axe-core rules whose result depends on the colour scheme
const COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };
const axe = fs.readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export class Person {
	// Opens a page in a browser profile of its own.
	static async sit(browser, origin) {
		const context = await browser.createBrowserContext();
		const page = await context.newPage();
		const person = Object.assign(new Person(), {
			context,
			page,
			origin,
			faults: [],
			answer: "",
			scripts: true,
		});

		page.setDefaultTimeout(PATIENCE);
		page.on("pageerror", (error) => person.faults.push(String(error)));
		page.on("console", (message) => {
			if (/content security policy|refused to/i.test(message.text()))
				person.faults.push(message.text());
		});
		page.on("dialog", (dialog) =>
			dialog.type() === "prompt" ? dialog.accept(person.answer) : dialog.accept(),
		);
		// A virtual authenticator answers autofill at once or not at all: passkeys are used by the button.
		await page.evaluateOnNewDocument(() => {
			if (window.PublicKeyCredential)
				window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
		});
		person.devtools = await page.createCDPSession();
		await person.devtools.send("WebAuthn.enable", { enableUI: false });
		return person;
	}

	// A security key or a device that makes and uses passkeys without being touched.
	async plugIn(transport) {
		const options = {
			protocol: "ctap2",
			transport,
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		};
		return (await this.devtools.send("WebAuthn.addVirtualAuthenticator", { options })).authenticatorId;
	}

	unplug = (authenticatorId) => this.devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });

	open = (where) => this.page.goto(where.startsWith("/") ? this.origin + where : where);
	type = async (selector, text) => this.page.locator(selector).fill(text);
	// Presses a control. While scripts are off, puppeteer cannot use the mouse, so it presses Enter.
	async press(selector) {
		if (!this.scripts) {
			await this.tabTo(selector);
			await this.page.keyboard.press("Enter");
			return;
		}
		try {
			await this.page.locator(selector).click();
		} catch (error) {
			throw new Error(`${selector} cannot be pressed\n${await this.shown()}`, { cause: error });
		}
	}
	// What the page shows, for the reason of a failure.
	shown = async () =>
		`${this.page.url()}\n${await this.page.evaluate(() => document.body.innerText.slice(0, 4000)).catch(String)}`;
	text = (selector) => this.page.$eval(selector, (element) => element.textContent);
	count = async (selector) => (await this.page.$$(selector)).length;
	path = () => new URL(this.page.url()).pathname;

	// Moves the focus to an element with the Tab key alone.
	async tabTo(selector) {
		for (let i = 0; i < 60; i++) {
			await this.page.keyboard.press("Tab");
			if (await this.page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector))
				return;
		}
		assert.fail(`the Tab key does not reach ${selector}`);
	}

	// Waits until a check returns true.
	async until(what, check) {
		const end = Date.now() + PATIENCE;

		for (;;) {
			let last = "";
			try {
				if (await check()) return;
			} catch (error) {
				last = error.message; // the page is loading another document
			}
			if (Date.now() > end)
				assert.fail(`${what}: not after ${PATIENCE} ms ${last}\n${await this.shown()}`);
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
	}
	arrives = (where) =>
		this.until(
			`arrives at ${where}`,
			async () => this.path() === where && (await this.page.$("main")) !== null,
		);
	has = (selector, number) =>
		this.until(`${number} of ${selector}`, async () => (await this.count(selector)) === number);
	reads = (selector, pattern) =>
		this.until(`${pattern} in ${selector}`, async () => pattern.test(await this.text(selector)));

	// Checks that axe-core finds no problems in both colour schemes, and that the Content-Security-Policy has refused
	// nothing so far.
	async looks() {
		await this.page.setJavaScriptEnabled(true); // for axe-core; the page itself was loaded without script
		for (const value of ["light", "dark"]) {
			// Without reduced motion, axe-core would see colours in the middle of a transition.
			await this.page.emulateMediaFeatures([
				{ name: "prefers-color-scheme", value },
				{ name: "prefers-reduced-motion", value: "reduce" },
			]);
			// Waits until all transitions have ended.
			await this.page.evaluate(() =>
				Promise.allSettled(
					document
						.getAnimations()
						.filter((one) => one instanceof CSSTransition)
						.map((one) => one.finished),
				),
			);
			assert.deepEqual(
				await this.violations(this.page, value === "dark" ? COLOURS : {}),
				[],
				`${value} ${this.page.url()}`,
			);
		}
		await this.page.setJavaScriptEnabled(this.scripts);
		assert.deepEqual(this.faults, []);
	}

	// Checks looks() at two widths, and that the page does not scroll sideways. Stores pictures of it in both themes, if
	// `shots` names a directory.
	async looksEverywhere(name, shots) {
		const { page } = this,
			before = page.viewport();

		for (const [width, height] of [
			[1280, 900],
			[390, 844],
		]) {
			await page.setViewport({ width, height });
			await this.looks();
			for (const value of shots ? ["light", "dark"] : []) {
				await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
				await page.screenshot({ path: path.join(shots, `${name}-${width}-${value}.png`) });
			}
			const { scrollWidth, clientWidth } = await page.$eval(
				"html",
				({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }),
			);
			assert.ok(scrollWidth <= clientWidth + 1, `${name} is too wide at ${width}`);
		}
		await page.setViewport(before ?? { width: 1280, height: 900 });
	}

	// Returns the problems that axe-core finds in a document. In a frame, the rules about landmarks and the heading
	// are off, since those are in the page around it; and axe must not preload styles, since a frame may fetch nothing.
	async violations(where, which = {}) {
		const options =
			where === this.page
				? which
				: {
						preload: false,
						rules: Object.fromEntries(
							["landmark-one-main", "page-has-heading-one", "region"].map(
								(name) => [name, { enabled: false }],
							),
						),
					};

		await where.evaluate(axe);
		const { violations } = await where.evaluate((o) => window.axe.run(document, o), options);
		return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html).join(" ")}`);
	}

	// Turns scripts on or off, from the next page on.
	async useScripts(scripts) {
		this.scripts = scripts;
		await this.page.setJavaScriptEnabled(scripts);
	}

	// Calls the API as the user of the page; returns the response.
	api = (method, where, body) =>
		this.page.evaluate(
			async (m, w, b) => {
				const answer = await fetch(`/_cms/api${w}`, {
					method: m,
					headers: {
						"X-CMS-Request": "1",
						...(b ? { "Content-Type": "application/json" } : {}),
					},
					body: b && JSON.stringify(b),
				});
				return { status: answer.status, ...(await answer.json()) };
			},
			method,
			where,
			body,
		);

	leave = () => this.context.close();
}
