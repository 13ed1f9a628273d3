// lan.mjs - a site at http and a name of the LAN, where no browser has passkeys and the server lets nobody in: the pages
// say what the administrator has to do.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";

const HOME = "/_cms/admin";

export async function runLan({ report, browser, newSite }) {
	const { daemon, origin, end } = await newSite("lan", "site.lan");
	const bo = await Person.sit(browser, origin);

	await report.test("where nobody can sign in, setup says why", async () => {
		await bo.open(daemon.stet("setup-link"));
		await bo.reads("form", /needs https.*set up https \(tls-listen/s);
		await bo.looks();
	});
	await report.test("where nobody can sign in, the page says why, and what to set up", async () => {
		await bo.open(`${HOME}/signin`);
		await bo.reads("main", /Sign-in is not possible here.*set up https \(tls-listen.*ssh -L/s);
		await bo.has('[data-way="passkey"]', 0);
		await bo.looks();
	});
	await report.test("a link is refused there in the same words", async () => {
		daemon.stet("user", "add", "bo@example.org", "--name", "Bo", "--role", "admin");
		await bo.open(daemon.link("bo@example.org"));
		await bo.press("[data-use]");
		await bo.reads(".note.wrong", /others can read what is sent by http: set up https/);
	});
	await report.test("with httpInLan a link signs them in there", async () => {
		daemon.stet("call", "plugin_settings_put", "id=signin", 'values={"httpInLan": true}');
		await bo.open(`${HOME}/signin`);
		await bo.reads("main", /This browser does not support passkeys.*stet user recover/s);
		await bo.looks();
		await bo.open(daemon.link("bo@example.org"));
		await bo.press("[data-use]");
		await bo.reads("main", /Start|Home|Bo/);
	});
	assert.deepEqual(bo.faults, []);
	await bo.leave();
	await end();
}
