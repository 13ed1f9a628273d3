// account.mjs - setup, the account and all ways of signing in.
import assert from "node:assert/strict";

const ACCOUNT = "/_cms/account";
const SIGNIN = "/_cms/signin";

export async function runAccount({ report, daemon, ann, bob }) {
	let laptop, code;

	await report.test("a new site is set up from its link", async () => {
		laptop = await ann.plugIn("internal");
		await ann.open(/https?:\S+/.exec(daemon.stet("setup-link"))[0]);
		await ann.looks();
		await ann.type("#title", "The <b>Site");
		await ann.type("#name", "Ann");
		await ann.type("#email", "ann@example.org");
		await ann.press("#setup button");
		await ann.arrives(ACCOUNT);
		await ann.has("#passkeys li", 1);
		await ann.has("#sessions li", 1);
		await ann.looks();
	});
	await report.test("the site is set up once", async () => {
		await bob.open("/_cms/setup");
		await bob.reads("h1", /already set up/);
		await bob.looks();
	});
	await report.test("recovery codes are shown once", async () => {
		await ann.press("#codes");
		await ann.has(".codes", 10);
		code = await ann.text(".codes");
		await ann.page.reload();
		await ann.reads("#left", /10/);
		assert.equal(await ann.count(".codes"), 0);
	});
	await report.test("an API token is made, works, and is revoked", async () => {
		await ann.type("#token-name", "build");
		await ann.press('#token [value="content:read"]');
		await ann.page.$eval("#token", (form) => form.requestSubmit());
		await ann.has("#tokens li", 1);
		const token = /cms_pat_[\w-]+/.exec(await ann.text("#new-token"))[0];
		const status = async () =>
			(
				await fetch(`${ann.origin}/_cms/api/content/nothing`, {
					headers: { Authorization: `Bearer ${token}` },
				})
			).status;
		assert.equal(await status(), 404);
		await ann.press("#tokens li button");
		await ann.has("#tokens li", 0);
		assert.equal(await status(), 401);
	});
	await report.test("a passkey is renamed", async () => {
		ann.answer = "Laptop";
		await ann.press("#passkeys li button");
		await ann.reads("#passkeys", /Laptop/);
	});
	await report.test("a device has one passkey of a user", async () => {
		await ann.press("#add button");
		await ann.reads("#wrong", /already has a passkey of yours/);
	});
	await report.test("a second passkey, of another device", async () => {
		await ann.unplug(laptop);
		await ann.plugIn("usb");
		await ann.type("#passkey-name", "Key");
		await ann.press("#add button");
		await ann.has("#passkeys li", 2);
		await ann.looks();
	});
	await report.test("signing out and in again by a passkey", async () => {
		await ann.press("#out");
		await ann.arrives(SIGNIN);
		await ann.looks();
		await ann.press("#passkey");
		await ann.arrives(ACCOUNT);
		await ann.has("#passkeys li", 2);
	});
	await report.test("with the passkey in use its session goes, too", async () => {
		await ann.press("#passkeys li:last-child button.end");
		await ann.arrives(SIGNIN);
	});
	await report.test("a recovery code signs in once", async () => {
		const use = async () => {
			await ann.open(SIGNIN);
			await ann.press("summary");
			await ann.type("#recover", "ann@example.org");
			await ann.type("#code", code);
			await ann.press("#recovery button");
		};
		await use();
		await ann.arrives(ACCOUNT);
		await ann.has("#passkeys li", 1);
		await ann.press("#out");
		await ann.arrives(SIGNIN);
		await use();
		await ann.reads("#wrong", /./);
		assert.equal(ann.path(), SIGNIN);
	});
	await report.test("the link of stet user recover signs in by its button, once", async () => {
		const link = daemon.link();
		await ann.open(link);
		await ann.looks();
		await ann.page.reload(); // opening the link does not use it up
		await ann.press("#use");
		await ann.arrives(ACCOUNT);
		await bob.open(link);
		await bob.press("#use");
		await bob.reads("#wrong", /used already|already been used|of this site|another site/);
		await bob.looks();
	});
	await report.test(
		"an invitation without a mail server is a link, which makes a user with a passkey",
		async () => {
			const { data } = await ann.api("POST", "/auth/invite", { email: "bob@example.org", role: 30 });
			await bob.plugIn("internal");
			await bob.open(data.inviteUrl);
			await bob.reads("#invited", /bob@example\.org/);
			await bob.looks();
			await bob.type("#name", "Bob");
			await bob.press("#invite button");
			await bob.arrives(ACCOUNT);
			await bob.has("#passkeys li", 1);
			assert.equal(await bob.count("#token"), 0); // tokens are for administrators
			await bob.looks();
		},
	);
}
