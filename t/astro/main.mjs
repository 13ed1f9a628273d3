// main.mjs - the packed package of etc/astro with a daemon of the build tree: its loader by itself, and in a site that
// Astro builds. t/astro/run has put both here. STET_BUILD names the build tree, STET_SOURCE the source.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeSite } from "../client/site.mjs";
import { startDaemon } from "../mcp/daemon.mjs";
import { newReport } from "../mcp/report.mjs";
import { testErrors, testHostile, testKilled, testSync } from "./direct.mjs";
import { testFields } from "./fields.mjs";
import { testWhole } from "./whole.mjs";

const MOST = 12_500; // bytes of the module
const report = newReport();
const test = (name, run) => report.test(name, run);
const packed = "node_modules/@stet/astro";

await test(`the package is one module of at most ${MOST} bytes beside client, render and Astro`, () => {
	const { dependencies, peerDependencies, scripts } = JSON.parse(
		fs.readFileSync(`${packed}/package.json`, "utf8"),
	);
	const text = fs.readFileSync(`${packed}/dist/index.js`, "utf8");

	assert.ok(text.length <= MOST, `${text.length} bytes`);
	report.note(`${text.length} bytes`);
	assert.equal(dependencies, undefined);
	assert.deepEqual(Object.keys(peerDependencies).sort(), ["@stet/client", "@stet/render", "astro"]);
	assert.deepEqual(Object.keys(scripts), ["build"]);
	const imported = [...text.matchAll(/\bfrom\s*"([^"]+)"/g)].map((one) => one[1]);
	assert.deepEqual([...new Set(imported)].sort(), ["@stet/client", "@stet/render", "astro/zod"]);
	assert.deepEqual(fs.readdirSync(packed).sort(), ["LICENSE", "README.md", "dist", "package.json"]);
});

const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-astro-"));
const daemon = await startDaemon({
	build: process.env.STET_BUILD,
	work,
	origin: "http://127.0.0.1",
	more: `    locales = { "en", "fr" }\n`,
});

try {
	const editor = daemon.token("admin"),
		url = daemon.url;
	const site = await makeSite(url, editor);
	const token = daemon.stet("token", "add", "--delivery", "--name", "site").split("\n").at(-1);
	const least = daemon.stet(
		"token",
		"add",
		"ann@example.org",
		"--name",
		"least",
		"--scope",
		"content:read,schema:read",
	);
	const context = { url, token, editor, least, site, daemon };

	await testFields(test, context);
	await testSync(test, context);
	await testHostile(test, context);
	await testErrors(test, context);
	await testWhole(test, context);
	await testKilled(test, context);
} finally {
	await daemon.stop();
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
