// main.mjs - the packed package of etc/client, used by tests as a site uses it: types, a daemon of the build tree, a
// server that fails, the examples of the README. t/client/run has unpacked it into node_modules here. STET_BUILD
// names the build tree.
import { createClient } from "@stet/client";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { startDaemon } from "../mcp/daemon.mjs";
import { newReport } from "../mcp/report.mjs";
import { openPages, testBrowser } from "./browser.mjs";
import { examplesOf, moduleOf, testExamples } from "./examples.mjs";
import { testHostile } from "./hostile.mjs";
import { testReading } from "./reading.mjs";
import { makeSite } from "./site.mjs";
import { testWriting } from "./writing.mjs";

const READER = "ray@example.org";
const MOST = 10_500; // bytes of the module
const report = newReport();
const test = (name, run) => report.test(name, run);
const packed = "node_modules/@stet/client";
const readme = fs.readFileSync("README.md", "utf8");
const examples = examplesOf(readme);

await test(`the package is one module of at most ${MOST} bytes that needs no other`, () => {
	const { dependencies, peerDependencies, license, scripts } = JSON.parse(
		fs.readFileSync(`${packed}/package.json`, "utf8"),
	);
	const text = fs.readFileSync(`${packed}/dist/index.js`, "utf8");

	assert.ok(text.length <= MOST, `${text.length} bytes`);
	report.note(`${text.length} bytes`);
	assert.deepEqual([dependencies, peerDependencies, license], [undefined, undefined, "MIT"]);
	assert.deepEqual(
		Object.keys(scripts).filter((name) => /install|prepare/.test(name)),
		[],
	);
	assert.doesNotMatch(text, /\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|\beval\b|\bnew Function\b/);
	for (const file of ["LICENSE", "README.md", "dist/index.d.ts"])
		assert.ok(fs.existsSync(`${packed}/${file}`), file);
	assert.deepEqual(fs.readdirSync(packed).sort(), ["LICENSE", "README.md", "dist", "package.json"]);
});
await testHostile(test);

const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-client-"));
const pages = await openPages();
const daemon = await startDaemon({
	build: process.env.STET_BUILD,
	work,
	origin: "http://127.0.0.1",
	more: `    locales = { "en", "fr" }\n    cors-origins = { "${pages.origin}" }\n`,
});
const url = `http://127.0.0.1:${daemon.port}`;

function compile() {
	fs.writeFileSync("site.ts", daemon.types());
	fs.writeFileSync("readme.ts", moduleOf(examples, url));
	fs.rmSync("made", { recursive: true, force: true });
	const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], {
		encoding: "utf8",
	});
	assert.equal(tsc.status, 0, tsc.stdout);
}

try {
	const token = daemon.token("admin");
	const site = await makeSite(url, token);
	daemon.stet("user", "add", READER, "--name", "Ray", "--role", "subscriber");
	const least = daemon.stet("token", "add", READER, "--name", "site", "--scope", "content:read,media:read");
	const context = {
		url,
		token,
		site,
		work,
		editor: createClient({ url, token }),
		reader: createClient({ url, token: least }),
	};

	await test("types let through what is right, and nothing else; the README's examples compile", compile);
	await testExamples(test, context, examples, pathToFileURL(path.resolve("made/readme.js")).href);
	await testReading(test, context);
	await testWriting(test, context);
	await testBrowser(test, context, pages, report);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	await test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	await pages.close();
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
