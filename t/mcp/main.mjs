// main.mjs - tests of the tool server with public tools: conformance suites, SDK clients, Inspector.
// STET_BUILD names the build tree; `npm` has copied this directory into it and installed the packages.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDaemon } from "./daemon.mjs";
import { runElicitation } from "./elicit.mjs";
import { runInspector } from "./inspector.mjs";
import { openProxy } from "./proxy.mjs";
import { newReport } from "./report.mjs";
import { runSessions } from "./session.mjs";
import { runSuites } from "./suites.mjs";
import { runWeek } from "./week.mjs";

const report = newReport();
const here = import.meta.dirname;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-mcp-"));
const door = await openProxy();
const daemon = await startDaemon({ build: process.env.STET_BUILD, work, origin: door.origin });

try {
	door.daemon = daemon.port;
	door.token = daemon.token("admin");
	const context = { here, work, report, url: `${door.origin}/_cms/api/mcp`, token: daemon.token };

	await runSuites(context);
	await runInspector(context);
	await runSessions(context);
	await runElicitation(context);
	await runWeek(context);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	door.close();
	await report.test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
