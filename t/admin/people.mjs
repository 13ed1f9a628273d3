// people.mjs - tokens, users, one's own account; and signing in again in the middle of other work.
import assert from "node:assert/strict";
import { HOSTILE } from "./site.mjs";

const HOME = "/_cms/admin";

export async function runPeople({ report, ann, key }) {
	const { page } = ann;

	await report.test("a token is made, shown once, and opens the API", async () => {
		await ann.open(`${HOME}/tokens`);
		await ann.press('[data-make="title"]');
		await ann.has("dialog[open]", 1);
		await page.locator('dialog[open] button[type="submit"]').click();
		await ann.until("the name is missing", () =>
			page.evaluate(() => document.querySelector("dialog[open] input:invalid") !== null),
		);
		await page.locator("dialog[open] input[type=text]").fill(HOSTILE.slice(0, 100));
		await page.locator('dialog[open] button[type="submit"]').click();
		await ann.reads("dialog[open] .problem", /Select at least one/);
		await ann.looks();
		await page.locator('dialog[open] input[value="content:read"]').click();
		await page.$eval('dialog[open] button[type="submit"]', (button) => {
			button.click();
			button.click();
		});
		await ann.has("[data-token]", 1);
		await ann.looks();
		const token = await ann.text("[data-token]");
		const answer = await fetch(`${ann.origin}/_cms/api/content/papers?limit=1`, {
			headers: { Authorization: `Bearer ${token}` },
		});
		assert.equal(answer.status, 200);
		await ann.open(`${HOME}/tokens`);
		await ann.has("tbody tr", 1);
		await ann.has("[data-token]", 0);
		assert.equal(await page.evaluate(() => window.hacked), undefined);
	});
	await report.test("a token is revoked after a question", async () => {
		await page.locator("tbody .c-do button").click();
		await ann.has("dialog[open]", 1);
		await ann.press("[data-yes]");
		await ann.reads(".state", /No tokens yet/);
	});
	await report.test(
		"a delivery token is made, reads what is published and nothing else, and is revoked",
		async () => {
			const item = await ann.api("POST", "/content/papers", { data: { title: "Not yet published" } });
			await ann.press('[data-make="delivery"]');
			await ann.has("dialog[open]", 1);
			await ann.has('dialog[open] [name="scope"]', 0);
			await ann.looks();
			await page.locator("dialog[open] input[type=text]").fill("The site");
			await page.locator('dialog[open] button[type="submit"]').click();
			await ann.has("[data-token]", 1);
			await ann.looks();
			const token = await ann.text("[data-token]"),
				status = async (path) =>
					(
						await fetch(`${ann.origin}/_cms/api${path}`, {
							headers: { Authorization: `Bearer ${token}` },
						})
					).status;
			assert.equal(await status("/content/papers?limit=1"), 200);
			assert.equal(await status(`/content/papers/${item.data.item.id}`), 404);
			assert.equal(await status("/admin/users"), 403);
			await ann.has(".below tbody tr", 1);
			await page.locator(".below tbody .c-do button").click();
			await ann.has("dialog[open]", 1);
			await ann.press("[data-yes]");
			await ann.reads(".below .state", /No delivery tokens yet/);
			assert.equal(await status("/content/papers?limit=1"), 401);
			await ann.api("DELETE", `/content/papers/${item.data.item.id}`);
		},
	);
	await report.test("an invitation is made and withdrawn, and a role changed", async () => {
		await ann.open(`${HOME}/users`);
		await ann.has("tbody tr", 2);
		await ann.press("[data-invite]");
		await ann.press("dialog[open] [data-cancel]");
		await ann.has("dialog[open]", 0);
		await ann.press("[data-invite]");
		await page.locator("dialog[open] input[type=email]").fill("mira@slipstream.example");
		await page.locator("dialog[open] select").fill("20");
		await page.locator('dialog[open] button[type="submit"]').click();
		await ann.has("[data-link]", 1);
		await ann.has("dialog[open] [data-copy]", 1);
		await ann.looks();
		await page.keyboard.press("Escape");
		await ann.has("#invites-h", 1);
		await ann.looks();
		await page.locator(".below .c-do button").click();
		await ann.has("#invites-h", 0);
		await page.locator("tbody select").fill("40");
		await ann.reads(".notices .note", /is now Editor/);
	});
	await report.test("a user is disabled and let in again", async () => {
		await page.locator("tbody .c-more button").click();
		await page.locator('[role="menuitem"]').click();
		await ann.reads(".notices .note", /is disabled/);
		await ann.has("tbody .mark.bad", 1);
		await ann.looks();
		await page.locator("tbody .c-more button").click();
		await page.locator('[role="menuitem"]').click();
		await ann.has("tbody .mark.bad", 0);
	});
	await report.test("a passkey is added, named anew and deleted", async () => {
		await ann.open(`${HOME}/me`);
		await ann.has("[data-add]", 1);
		await ann.looks();
		const add = async (name) => {
			await ann.press("[data-add]");
			await page.locator("dialog[open] input").fill(name);
			await page.locator('dialog[open] button[type="submit"]').click();
			await ann.has(`[aria-label="Rename ${name}"]`, 1);
		};
		await ann.unplug(key);
		const usb = await ann.plugIn("usb");
		await add("Key at home");
		await page.locator('[aria-label="Rename Key at home"]').click();
		await page.locator("dialog[open] input").fill("Old key");
		await page.locator('dialog[open] button[type="submit"]').click();
		await ann.has('[aria-label="Delete Old key"]', 1);
		await page.locator('[aria-label="Delete Old key"]').click();
		await ann.press("[data-yes]");
		await ann.has('[aria-label="Delete Old key"]', 0);
		await ann.unplug(usb);
		await ann.plugIn("internal");
		await add("Phone");
	});
	await report.test("one's own name is changed", async () => {
		const change = async (name) => {
			await ann.press("[data-name]");
			await page.locator('dialog[open] [name="name"]').fill(name);
			await page.locator('dialog[open] button[type="submit"]').click();
			await ann.reads(".side .me", new RegExp(name.replace(".", "\\.")));
		};

		await change("Ann O.");
		assert.equal((await ann.api("GET", "/auth/me")).data.name, "Ann O.");
		await change("Ann Okafor");
	});
	await report.test("recovery codes are shown once", async () => {
		await ann.press("[data-codes]");
		await ann.press("[data-yes]");
		await ann.has(".codes li", 10);
		await ann.looks();
	});
	await report.test(
		"the pages speak the language that is chosen in the profile, and count and date in it",
		async () => {
			await page.select('[name="language"]', "de");
			await ann.reads("h1", /^Ihr Profil$/);
			await ann.open(`${HOME}/me`);
			await ann.reads("h1", /^Ihr Profil$/);
			await ann.reads(".side .me", /Administrator/);
			await ann.has(".things", 2);
			await ann.looks();
			assert.equal(await page.$eval("html", ({ lang, dir }) => `${lang} ${dir}`), "de ltr");
			await ann.open(`${HOME}/collections/papers`);
			await ann.press("[data-count]");
			await ann.has("[data-total]", 1);
			const total = await ann.text("[data-total]");
			assert.match(total, /^[\d.]+ insgesamt$/);
			assert.match(
				await page.$eval("tbody time", (one) => one.title),
				/^\p{Lu}\p{L}+tag|^Mittwoch|^Samstag/u,
			);
			assert.match(
				await page.$eval("tbody time", (one) => one.title),
				/, \d+\. \p{Lu}\p{L}+ \d{4} um \d\d:\d\d:\d\d/u,
			);
			await ann.open(`${HOME}/me`);
			// Another browser of the same person has not been told.
			await page.evaluate(() => localStorage.removeItem("stet.language"));
			await ann.open(`${HOME}/me`);
			await ann.reads("h1", /^Ihr Profil$/);
			assert.equal((await ann.api("GET", "/auth/me")).data.language, "de");
			await page.select('[name="language"]', "en");
			await ann.reads("h1", /^Your profile$/);
			await ann.until(
				"stored",
				async () => (await ann.api("GET", "/auth/me")).data.language === "en",
			);
			await ann.open(`${HOME}/me`);
			await ann.reads("h1", /^Your profile$/);
		},
	);
	await report.test("dates and numbers have the form of the region that is chosen in the profile", async () => {
		const title = async () => {
			await ann.open(`${HOME}/collections/papers`);
			await ann.has("tbody tr", 50);
			return page.$eval("tbody time", (one) => one.title);
		};

		const userAgent = await page.evaluate(() => navigator.userAgent);
		const asksFor = (acceptLanguage) =>
			ann.devtools.send("Emulation.setUserAgentOverride", { userAgent, acceptLanguage });

		await asksFor("en-GB,en");
		assert.match(await title(), /^\w+day,? \d+ \w+ \d{4}/);
		await ann.open(`${HOME}/me`);
		await ann.reads(
			'[name="region"] option:checked',
			/As in this browser: 30\/11\/2026,? 17:05 · 1,234\.5/,
		);
		await page.select('[name="region"]', "US");
		assert.match(await title(), /^\w+day, \w+ \d+, \d{4}/);
		await ann.open(`${HOME}/me`);
		await ann.reads('[name="region"] option:checked', /United States: 11\/30\/26, 5:05\sPM · 1,234\.5/);
		await page.select('[name="region"]', "");
		assert.match(await title(), /^\w+day,? \d+ \w+ \d{4}/);
		await asksFor("");
	});
	await report.test(
		"a session that ends in the middle is begun again in place, and what was asked is done",
		async () => {
			await ann.open(`${HOME}/collections/papers`);
			await ann.has("tbody tr", 50);
			await ann.api("POST", "/auth/logout", {});
			await page.locator("tbody tr:nth-child(2) .pick").click();
			await ann.press('[data-act="trash"]');
			await ann.has("dialog[open].again", 1);
			await ann.looks();
			await ann.press('dialog[open] [data-way="passkey"]');
			await ann.reads(".notices .note", /1 item moved to the trash/);
			await ann.press("[data-undo]");
			await ann.reads(".notices .note", /1 item kept/);
			assert.equal(ann.path(), `${HOME}/collections/papers`);
		},
	);
	await report.test("signing out leads to the door", async () => {
		await ann.open(`${HOME}/me`);
		await ann.press("[data-out]");
		await ann.arrives(`${HOME}/signin`);
		assert.equal((await ann.api("GET", "/auth/me")).status, 401);
		await ann.press('[data-way="passkey"]');
		await ann.arrives(HOME);
	});
}
