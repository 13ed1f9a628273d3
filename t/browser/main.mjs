// main.mjs - the pages for people, in Chromium.
// STET_BUILD names the build tree; `npm` has copied this directory into it and installed the packages.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import puppeteer from "puppeteer-core";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { newReport } from "../mcp/report.mjs";
import { runAccount } from "./account.mjs";
import { runFiles } from "./files.mjs";
import { runForeign } from "./foreign.mjs";
import { Person } from "./people.mjs";
import { runPrograms } from "./programs.mjs";

const report = newReport();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-browser-"));
const door = await openProxy();
const origin = door.origin.replace("127.0.0.1", "localhost"); // passkeys need a name; an IP address does not work
const daemon = await startDaemon({ build: process.env.STET_BUILD, work, origin, isNew: true });
let browser;

try {
	door.daemon = daemon.port;
	browser = await puppeteer.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		// Chromium cannot use its sandbox as root, and /dev/shm is small in containers.
		args: [
			"--no-sandbox",
			"--disable-dev-shm-usage",
			"--disable-background-networking",
			"--host-resolver-rules=MAP localhost 127.0.0.1",
		],
		userDataDir: path.join(work, "profile"),
		protocolTimeout: 60000,
	});
	const ann = await Person.sit(browser, origin);
	const bob = await Person.sit(browser, origin);
	const context = { report, daemon, ann, bob };

	await runAccount(context);
	await runForeign(context);
	await runFiles(context);
	await runPrograms(context);
	await report.test("no page had a fault of script or policy", () =>
		assert.deepEqual([...ann.faults, ...bob.faults], []),
	);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	await browser?.close();
	door.close();
	await report.test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
