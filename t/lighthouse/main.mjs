// main.mjs - the pages of the built starter and of the admin, scored by Lighthouse in Chromium (README). Ends with a
// table and "N passed, N failed".
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { newReport } from "../mcp/report.mjs";
import { judge, launch, look, middle, STARTER } from "./scores.mjs";
import { administrator, buildStarter, fillDemo, serve, starters } from "../starter/web.mjs";

const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3);
const HOME = "/_cms/admin";
// The admin is for people who are signed in: search engines are kept away from it.
const ADMIN = { performance: 0.95, accessibility: 1, "best-practices": 1 };

const report = newReport();
const rows = [];
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-lighthouse-"));
const web = await serve();
const door = await openProxy();
const origin = door.origin.replace("127.0.0.1", "localhost"); // passkeys need a name; an IP address does not work
const daemon = await startDaemon({
	build: process.env.STET_BUILD,
	work,
	origin,
	environment: { STET_ADMIN_PATH: path.join(process.env.STET_SOURCE, "modules/admin/web/bundle") },
	more: `    cors-origins = { "${web.origin}" }\n`,
});
let browser;

// Scores one page RUNS times.
async function score(name, url, goals) {
	if (!name.includes(process.env.LIGHTHOUSE_PAGE ?? "")) return;
	await report.test(`${name} has the scores that are its goal`, async () => {
		const results = [];

		for (let i = 0; i < RUNS; i++) results.push(await look(browser, url, goals));
		const { scores, missed } = judge(results, goals);
		const metric = (id) => middle(results.map((one) => one.audits[id].numericValue));
		const bytes = middle(
			results.map((one) =>
				one.audits["network-requests"].details.items.reduce(
					(sum, item) => sum + item.transferSize,
					0,
				),
			),
		);

		rows.push([
			name,
			...["performance", "accessibility", "best-practices", "seo"].map(
				(one) => scores[one]?.toFixed(2) ?? "-",
			),
			`${metric("largest-contentful-paint").toFixed(0)} ms`,
			`${metric("total-blocking-time").toFixed(0)} ms`,
			metric("cumulative-layout-shift").toFixed(3),
			`${(bytes / 1024).toFixed(0)} KiB`,
		]);
		assert.deepEqual(missed, []);
	});
}

// Sets the cookie of an administrator's session in the browser.
async function signIn() {
	const token = new URL(daemon.link()).hash.slice(1);
	const answer = await fetch(`${origin}/_cms/api/auth/magic-link/verify`, {
		method: "POST",
		headers: { "Content-Type": "application/json", "X-CMS-Request": "1" },
		body: JSON.stringify({ token }),
	});
	const [, name, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0]);

	assert.equal(answer.status, 200);
	await browser.setCookie({ name, value, domain: "localhost", path: "/", httpOnly: true, sameSite: "Lax" });
}

function tell() {
	const head = ["page", "performance", "accessibility", "best practices", "SEO", "LCP", "TBT", "CLS", "transfer"];
	const width = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));

	for (const row of [head, ...rows])
		console.log(
			row.map((cell, i) => (i === 0 ? cell.padEnd(width[i]) : cell.padStart(width[i]))).join("  "),
		);
}

try {
	door.daemon = daemon.port;
	const ask = administrator(daemon);
	buildStarter(starters[0], daemon, await fillDemo(daemon, ask), web.origin);
	browser = await launch(work, "MAP localhost 127.0.0.1");
	const {
		items: [post],
	} = await ask("GET", "/content/posts?status=published&limit=1&orderBy=publishedAt");

	await score("starter: front page", `${web.origin}/`, STARTER);
	await score("starter: article", `${web.origin}/posts/${post.slug}/`, STARTER);
	await score("starter: term", `${web.origin}/category/marks/`, STARTER);
	await score("admin: sign-in", `${origin}${HOME}/signin`, ADMIN);
	await signIn();
	await score("admin: start", `${origin}${HOME}`, ADMIN);
	await score("admin: list", `${origin}${HOME}/collections/posts`, ADMIN);
	await score("admin: editor", `${origin}${HOME}/collections/posts/${post.id}`, ADMIN);
	tell();
} catch (error) {
	report.fail("the pages are scored to the end", error.stack);
} finally {
	await browser?.close();
	web.close();
	door.close();
	await report.test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
