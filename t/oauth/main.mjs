// main.mjs - tests of the authorization server with public client libraries, and of sign-in by external providers.
// STET_BUILD names the build tree; `npm` has copied this directory into it and installed the packages.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { newReport } from "../mcp/report.mjs";
import { runClient } from "./client.mjs";
import { openDocuments } from "./documents.mjs";
import { Person } from "./person.mjs";
import { runRules } from "./rules.mjs";
import { runSdks } from "./sdk.mjs";
import { runSignIn } from "./signin.mjs";
import { runSuite } from "./suite.mjs";

const report = newReport();
const here = import.meta.dirname;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-oauth-"));
const door = await openProxy();
const documents = await openDocuments(work);
const build = process.env.STET_BUILD;
const daemon = await startDaemon({
	build,
	work,
	origin: door.origin,
	more: `    fetch-allow = { "127.0.0.0/8" }\n    fetch-ca = "${documents.authority}"\n`,
});

try {
	door.daemon = daemon.port;
	const person = new Person();
	const context = { here, work, build, report, documents, daemon, person, origin: door.origin };

	await report.test("an administrator signs in by the link of stet user recover, once", async () => {
		const link = daemon.link();
		await person.signIn(link);
		await assert.rejects(new Person().signIn(link));
		assert.equal((await person.api(`${door.origin}/_cms/api/auth/me`)).data.email, "ann@example.org");
	});
	await runRules(context);
	await runClient(context);
	await runSdks(context);
	await runSuite(context);
	await runSignIn(context);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	documents.close();
	door.close();
	await report.test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
