// main.mjs - runs create-stet as people and scripts do, against a server that answers as stet does.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { newReport } from "../mcp/report.mjs";

const report = newReport();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-create-"));
const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "stet-create-"));
const program = path.resolve("node_modules/create-stet/index.mjs");
const server = http.createServer((request, response) => {
	const good = request.headers.authorization === "Bearer cms_pat_good";

	response.writeHead(good ? 200 : 401, { "Content-Type": "application/json" });
	response.end(
		JSON.stringify(
			good
				? { openapi: "3.1.0" }
				: { error: { code: "UNAUTHORIZED", message: "Authentication required" } },
		),
	);
});

const run = (...words) =>
	new Promise((resolve) => {
		const child = spawn(process.execPath, [program, ...words], {
			cwd: work,
			stdio: ["ignore", "pipe", "pipe"],
		});
		let said = "";

		child.stdout.on("data", (bytes) => (said += bytes));
		child.stderr.on("data", (bytes) => (said += bytes));
		child.on("close", (status) => resolve({ status, said }));
	});

await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;

try {
	await report.test("a site is made of a starter", async () => {
		const { status, said } = await run("My Journal", "--url", `${url}/`, "--token", "cms_pat_good");
		const target = path.join(work, "My Journal");
		const description = JSON.parse(fs.readFileSync(path.join(target, "package.json"), "utf8"));

		assert.equal(status, 0, said);
		assert.match(said, /stet answers at/);
		assert.match(said, /cd My Journal\n {2}npm install/);
		assert.match(
			said,
			/npm run build {4}writes it into dist\/[^]*cors-origins = \{ "http:\/\/localhost:4321" \}/,
		);
		assert.equal(description.name, "my-journal");
		for (const name of ["@stet/client", "@stet/render", "@stet/model"]) {
			const file = description.dependencies[name];
			assert.match(file, /^file:packages\//);
			assert.ok(fs.existsSync(path.join(target, file.slice("file:".length))));
		}
		assert.equal(
			fs.readFileSync(path.join(target, ".env"), "utf8"),
			`STET_URL=${url}\nSTET_TOKEN=cms_pat_good\nPUBLIC_STET_URL=${url}\n`,
		);
		assert.equal(fs.statSync(path.join(target, ".env")).mode & 0o777, 0o600);
		assert.match(fs.readFileSync(path.join(target, ".gitignore"), "utf8"), /^\.env$/m);
		for (const name of ["README.md", "src", "astro.config.mjs", ".npmrc"])
			assert.ok(fs.existsSync(path.join(target, name)), name);
	});
	await report.test("the starter can be chosen", async () => {
		const target = path.join(elsewhere, "next-site");
		const { status, said } = await run(target, "--url", url, "--starter", "next");
		const description = JSON.parse(fs.readFileSync(path.join(target, "package.json"), "utf8"));

		assert.equal(status, 0, said);
		assert.ok(said.includes(`\n  cd ${target}\n`), said);
		assert.match(said, /localhost:3000[^]*into out\/[^]*cors-origins = \{ "http:\/\/localhost:3000" \}/);
		assert.ok(description.dependencies.next && description.dependencies["@stet/model"]);
		for (const name of [
			"next.config.mjs",
			"start.mjs",
			"finish.mjs",
			".npmrc",
			"src/app/[[...path]]/page.tsx",
		])
			assert.ok(fs.existsSync(path.join(target, name)), name);
		assert.match(fs.readFileSync(path.join(target, ".gitignore"), "utf8"), /^\.next\/$/m);
	});
	await report.test("the starter without a framework is whole: it needs no other packages", async () => {
		const target = path.join(work, "plain");
		const { status, said } = await run(
			"plain",
			"--url",
			url,
			"--token",
			"cms_pat_good",
			"--starter",
			"plain",
		);
		assert.equal(status, 0, said);
		const npm = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
		execFileSync("npm", npm, { cwd: target, stdio: "pipe" });
		execFileSync(process.execPath, ["--input-type=module", "-e", "await import('./pages.mjs')"], {
			cwd: target,
		});
	});
	await report.test("a wrong token and a server that is not there are told, and the site is made", async () => {
		const wrong = await run("wrong", "--url", url, "--token", "cms_pat_bad");
		assert.equal(wrong.status, 0);
		assert.match(wrong.said, /401 Authentication required/);
		const gone = await run("gone", "--url", "127.0.0.1:9");
		assert.equal(gone.status, 0);
		assert.match(gone.said, /http:\/\/127\.0\.0\.1:9 does not answer/);
		assert.ok(fs.existsSync(path.join(work, "gone/package.json")));
	});
	await report.test("what cannot be is refused, and nothing is written", async () => {
		for (const [words, why] of [
			[["My Journal"], /there already, and not empty/],
			[["a", "b"], /one directory/],
			[["new", "--starter", "none"], /no starter none: astro/],
			[["new", "--url", "http://"], /is no address/],
			[["new", "--url", url, "--token", "a\nSTET_URL=b"], /letters, digits/],
			[["new", "--colour", "red"], /colour[\s\S]*usage: create-stet/],
		]) {
			const { status, said } = await run(...words);
			assert.equal(status, 1, words.join(" "));
			assert.match(said, why);
		}
		assert.ok(!fs.existsSync(path.join(work, "new")));
	});
	await report.test("--help says what there is", async () => {
		const { status, said } = await run("--help");
		assert.equal(status, 0);
		assert.match(said, /usage: create-stet \[DIR\][\s\S]*--delivery/);
	});
} finally {
	server.close();
	for (const one of [work, elsewhere]) fs.rmSync(one, { recursive: true, force: true });
}
report.end();
