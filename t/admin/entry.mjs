// entry.mjs - sign-in by the setup link, a passkey, a link, an invitation and a recovery code; sign-out; and signing in
// again in the middle of other work.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";

const HOME = "/_cms/admin";

// The heading of the page that is open.
export const heading = (who, pattern) => who.reads("h1", pattern);

// At its end, Ann is signed in and has an empty authenticator; returns the authenticator's id.
export async function runEntry({ report, daemon, ann, browser, origin }) {
	let key, codes;

	await report.test("the setup link leads to the first administrator and the start page", async () => {
		key = await ann.plugIn("internal");
		await ann.open(daemon.stet("setup-link"));
		await ann.arrives(`${HOME}/setup`);
		await heading(ann, /Set up your site/);
		assert.equal(await ann.page.evaluate(() => location.hash), "", "the token stays in the address");
		await ann.type("#title", "Slipstream <b>Quarterly</b>");
		await ann.type("#name", "Ann Okafor");
		await ann.type("#email", "ann@slipstream.example");
		await ann.looks();
		await ann.press("[data-begin]");
		await ann.arrives(HOME);
		await ann.reads(".side .site small", /^Slipstream <b>Quarterly<\/b>$/);
		await ann.reads(".side .me", /Ann Okafor.*Administrator/);
		// A new site has three ways to begin.
		await ann.has(".doors-three > section", 3);
		await ann.looks();
		// Pages of the site are folded until somebody wants them; the browser remembers it.
		assert.equal(
			await ann.page.$eval(`.side a[href="${HOME}/tokens"]`, (one) => one.checkVisibility()),
			false,
		);
		await ann.press('[data-fold="site"]');
		assert.equal(
			await ann.page.$eval(`.side a[href="${HOME}/tokens"]`, (one) => one.checkVisibility()),
			true,
		);
	});
	await report.test("the setup page is over then", async () => {
		const other = await Person.sit(browser, origin);
		await other.open("/_cms/setup#something");
		await heading(other, /already set up/);
		await other.looks();
		await other.leave();
	});
	await report.test("without a session a page leads to sign-in, and back", async () => {
		assert.equal((await ann.api("POST", "/auth/logout", {})).status, 200);
		await ann.open(`${HOME}/tokens?sort=name`);
		await ann.arrives(`${HOME}/signin`);
		assert.equal(new URL(ann.page.url()).searchParams.get("next"), `${HOME}/tokens?sort=name`);
		await ann.has('[data-way="passkey"]', 1);
		await ann.looks();
		await ann.press('[data-way="passkey"]');
		await ann.arrives(`${HOME}/tokens`);
	});
	await report.test("another site is nowhere to go after sign-in", async () => {
		await ann.api("POST", "/auth/logout", {});
		for (const next of [
			"https://evil.example/",
			"//evil.example",
			"\\\\evil.example",
			"javascript:alert(1)",
		]) {
			await ann.open(`${HOME}/signin?next=${encodeURIComponent(next)}`);
			await ann.press('[data-way="passkey"]');
			await ann.arrives(HOME);
			await ann.reads(".side .me", /Ann/);
			await ann.api("POST", "/auth/logout", {});
		}
	});
	await report.test("what went wrong before is told in words, and an unknown word too", async () => {
		await ann.open("/_cms/signin?error=link_expired");
		await ann.arrives(`${HOME}/signin`);
		await ann.reads(".note.wrong", /This link has expired/);
		await ann.open("/_cms/signin?error=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E");
		await ann.reads(".note.wrong", /Signing in failed/);
	});
	await report.test("a link of a mail is used by its button alone, once", async () => {
		const link = daemon.link("ann@slipstream.example");
		await ann.open(link);
		await ann.arrives(`${HOME}/link`);
		await ann.looks();
		await ann.press("[data-use]");
		await ann.arrives(HOME);
		await ann.api("POST", "/auth/logout", {});
		await ann.open("about:blank");
		await ann.open(link);
		await ann.press("[data-use]");
		await ann.reads(".note.wrong", /./);
		assert.equal(ann.path(), `${HOME}/link`);
	});
	await report.test("a passkey that is not there is told in words", async () => {
		await ann.unplug(key);
		const empty = await ann.plugIn("internal");
		await ann.open(`${HOME}/signin`);
		await ann.press('[data-way="passkey"]');
		await ann.reads(".note.wrong", /passkey was not used/);
		await ann.unplug(empty);
	});
	await report.test("a recovery code lets in, and a wrong one does not", async () => {
		await ann.open(daemon.link("ann@slipstream.example"));
		await ann.press("[data-use]");
		await ann.arrives(HOME);
		({ codes } = (await ann.api("POST", "/auth/recovery-codes", {})).data);
		await ann.api("POST", "/auth/logout", {});
		await ann.open(`${HOME}/signin`);
		await ann.press("summary");
		await ann.type("#way-recover", "ann@slipstream.example");
		await ann.type("#way-code", "wrong-wrong");
		await ann.press('[data-way="code"] button');
		await ann.reads(".note.wrong", /address or the code/i);
		await ann.type("#way-code", codes[0]);
		await ann.press('[data-way="code"] button');
		await ann.arrives(HOME);
		key = await ann.plugIn("internal");
		const begun = await ann.api("GET", "/auth/passkey");
		assert.equal(begun.data.items.length, 1);
	});
	await report.test("an invitation makes a user with a passkey", async () => {
		const { data } = await ann.api("POST", "/auth/invite", { email: "jonas@slipstream.example", role: 30 });
		const jonas = await Person.sit(browser, origin);
		await jonas.plugIn("internal");
		await jonas.open(data.inviteUrl);
		await jonas.arrives(`${HOME}/invite`);
		await jonas.reads(".lead", /AUTHOR|Author.*jonas@slipstream\.example/);
		await jonas.type("#name", "Jonas Weidmann");
		await jonas.looks();
		await jonas.press("[data-accept]");
		await jonas.arrives(HOME);
		await jonas.reads(".side .me", /Jonas Weidmann.*Author/);
		await jonas.leave();
	});
	return key;
}
