// main.mjs - the admin pages in Chromium (README). STET_BUILD and STET_SOURCE name the trees; SHOTS a directory for
// pictures of the pages.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import puppeteer from "puppeteer-core";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { newReport } from "../mcp/report.mjs";
import { Person } from "../browser/people.mjs";
import { runActivity } from "./activity.mjs";
import { runApprovals } from "./approvals.mjs";
import { runBeside } from "./beside.mjs";
import { runBlocks } from "./blocks.mjs";
import { runBundle } from "./bundle.mjs";
import { runEditor } from "./editor.mjs";
import { runEntry } from "./entry.mjs";
import { putPager } from "./frames.mjs";
import { runHostile } from "./hostile.mjs";
import { runKeyboard } from "./keyboard.mjs";
import { runLan } from "./lan.mjs";
import { runLarge } from "./large.mjs";
import { runList } from "./list.mjs";
import { runLooks } from "./looks.mjs";
import { runMedia } from "./media.mjs";
import { runPeople } from "./people.mjs";
import { runShell } from "./shell.mjs";
import { runSitePages } from "./site-pages.mjs";
import { runStructure } from "./structure.mjs";
import { runTogether } from "./together.mjs";
import { fillSite } from "./site.mjs";
import { runTasks } from "./tasks.mjs";
import { runTour } from "./tour.mjs";
import { runUnits } from "./units.mjs";
import { runVoices } from "./voices.mjs";

const report = newReport();
if (process.env.SHOTS) fs.mkdirSync(process.env.SHOTS, { recursive: true });
const top = fs.mkdtempSync(path.join(os.tmpdir(), "stet-admin-"));
const bundle = path.join(process.env.STET_SOURCE, "modules/admin/web/bundle");
putPager(process.env.STET_BUILD, process.env.STET_SOURCE, path.join(top, "plugins"));
const plugins = [
	...["house-rules", "swatches", "word-count"].map((name) =>
		path.join(process.env.STET_BUILD, "plugin-sdk/examples", name, ".libs"),
	),
	path.join(process.env.STET_BUILD, "t/plugins/diary/.libs"),
	path.join(top, "plugins"),
].join(":");

// Makes a new site, and starts its daemon and the proxy that serves it at this host.
async function newSite(name, host = "localhost") {
	const work = path.join(top, name);

	fs.mkdirSync(work);
	const door = await openProxy();
	const origin = door.origin.replace("127.0.0.1", host); // passkeys need a name; an IP address does not work
	const daemon = await startDaemon({
		build: process.env.STET_BUILD,
		work,
		origin,
		isNew: true,
		environment: { STET_ADMIN_PATH: bundle, STET_PLUGIN_PATH: plugins },
		// fetch-allow lets webhooks of the tests reach this machine.
		more: '    fetch-allow = { "127.0.0.0/8" }\n    locales = { "en", "de" }\n',
	});

	door.daemon = daemon.port;
	return {
		daemon,
		origin,
		work,
		async end() {
			door.close();
			const { how, said } = await daemon.stop();
			assert.equal(how, 0, said.slice(-4000));
		},
	};
}

const { daemon, origin, work, end } = await newSite("site");
let browser;

try {
	browser = await puppeteer.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		// Chromium cannot use its sandbox as root, and /dev/shm is small in containers.
		args: [
			"--no-sandbox",
			"--disable-dev-shm-usage",
			"--disable-background-networking",
			"--host-resolver-rules=MAP localhost 127.0.0.1, MAP site.lan 127.0.0.1",
			"--lang=en-GB",
		],
		userDataDir: path.join(top, "profile"),
		protocolTimeout: 60000, // ms
	});
	const ann = await Person.sit(browser, origin);
	const context = { report, daemon, ann, bundle, browser, origin, top, work, newSite, shots: process.env.SHOTS };

	await ann.page.setViewport({ width: 1280, height: 900 });
	context.key = await runEntry(context);
	await fillSite(ann);
	let signedIn = Date.now();
	// Some actions ask for a sign-in of the last ten minutes, and all parts together may take longer.
	const signIn = async () => {
		if (Date.now() - signedIn < 180000) return;
		await ann.open(daemon.link("ann@slipstream.example"));
		await ann.press("[data-use]");
		await ann.arrives("/_cms/admin");
		signedIn = Date.now();
	};
	// PARTS="list looks" runs only these parts. Parts that take minutes run only if PARTS names them. A part that ends
	// early fails alone; the others are run.
	for (const [name, run] of Object.entries({
		large: runLarge,
		beside: runBeside,
		tasks: runTasks,
		bundle: runBundle,
		units: runUnits,
		shell: runShell,
		list: runList,
		people: runPeople,
		lan: runLan,
		media: runMedia,
		structure: runStructure,
		site: runSitePages,
		blocks: runBlocks,
		together: runTogether,
		activity: runActivity,
		approvals: runApprovals,
		editor: runEditor,
		keyboard: runKeyboard,
		voices: runVoices,
		looks: runLooks,
		tour: runTour,
		hostile: runHostile,
	}))
		if (
			process.env.PARTS
				? process.env.PARTS.split(" ").includes(name)
				: !["large", "beside", "tasks"].includes(name)
		)
			try {
				await signIn();
				await run(context);
			} catch (error) {
				report.fail(`${name}: the tests run to their end`, error.stack);
			}
	await report.test("no page had a fault of script or policy", () => assert.deepEqual(ann.faults, []));
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	await browser?.close();
	await report.test("the daemon ends when it is told to, and not before", end);
	fs.rmSync(top, { recursive: true, force: true });
}
report.end();
