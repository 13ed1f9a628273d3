// pictures.mjs - takes the pictures of README, of the demo in Chromium: make -C build pictures. They are files of
// etc/journal/looks, each below 150 KB.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import puppeteer from "puppeteer-core";

const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-pictures-"));
const to = path.join(process.env.STET_SOURCE, "etc/journal/looks");

// The site's base URL contains the port, so the port must be known before the start.
const port = await new Promise((resolve) => {
	const server = net.createServer().listen(0, "127.0.0.1", () => {
		const { port } = server.address();
		server.close(() => resolve(port));
	});
});
const demo = spawn("sh", [path.join(process.env.STET_SOURCE, "etc/demo")], {
	env: { ...process.env, DEMO: path.join(work, "demo"), PORT: String(port) },
	stdio: ["ignore", "pipe", "inherit"],
});
const link = await new Promise((resolve, reject) => {
	let said = "";
	demo.on("close", () => reject(new Error(`the demo has ended: ${said}`)));
	demo.stdout.on("data", (bytes) => {
		said += bytes;
		const at = /Sign in {2}(\S+)/.exec(said);
		if (at && said.includes("Control-C")) resolve(at[1]);
	});
});
const home = `http://localhost:${port}/_cms/admin`;

const browser = await puppeteer.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: [
		"--no-sandbox",
		"--disable-dev-shm-usage",
		"--disable-background-networking",
		"--host-resolver-rules=MAP localhost 127.0.0.1",
	],
	userDataDir: path.join(work, "profile"),
});

try {
	const page = await browser.newPage();

	await page.setViewport({ width: 1280, height: 860 });
	await page.goto(link, { waitUntil: "networkidle0" });
	await page.click("button[type=submit], button");
	await page.waitForNavigation({ waitUntil: "networkidle0" });
	for (const [name, where, ready, theme] of [
		["editor-light", "/collections/posts/from-draft-to-page", ".galley img", "light"],
		["editor-dark", "/collections/posts/from-draft-to-page", ".galley img", "dark"],
		["media-light", "/media", ".grid li img", "light"],
	]) {
		const file = path.join(to, `${name}.webp`);

		await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
		await page.goto(home + where, { waitUntil: "networkidle0" });
		await page.waitForSelector(ready);
		await page.screenshot({ path: file, type: "webp", quality: 82 });
		assert.ok(fs.statSync(file).size < 150_000, `${file} is too large`);
		console.log(file);
	}
} finally {
	await browser.close();
	demo.removeAllListeners("close");
	demo.kill();
	await new Promise((resolve) => demo.on("close", resolve));
	fs.rmSync(work, { recursive: true, force: true });
}
