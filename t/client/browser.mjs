// browser.mjs - the packed module in a page of another origin than the site, in Chromium: what CORS lets a script send
// and read. The page posts its results to the server that it was loaded from.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PATIENCE = 60_000;

const page = (url, token) => `<!doctype html><meta charset="utf-8"><title>client</title><script type="module">
import { createClient, ConflictError, StetError } from "/client.js";
const seen = {};
try {
	const statuses = [];
	const client = createClient({ url: ${JSON.stringify(url)}, token: ${JSON.stringify(token)}, cache: 10, fetch: async (...args) => {
		const answer = await fetch(...args);
		statuses.push(answer.status);
		return answer;
	} });
	const { item, _rev } = await client.create("people", { data: { name: "Eve" } });
	await client.update("people", item.id, { data: { name: "Eve B." } });
	await client.update("people", item.id, { _rev, data: { name: "Late" } }).catch((error) => (seen.conflict = error instanceof ConflictError));
	seen.name = (await client.get("people", item.id)).item.data.name;
	seen.again = (await client.get("people", item.id)).item.data.name;
	await client.delete("people", item.id);
	await client.get("people", item.id).catch((error) => (seen.error = [error instanceof StetError, error.code, error.requestId !== ""]));
	const plain = createClient({ url: ${JSON.stringify(url)} }); // the browser's own fetch
	seen.found = (await plain.search("margins")).items.map((one) => one.slug);
	seen.statuses = statuses;
} catch (error) {
	seen.failed = String(error.stack);
}
await fetch("/seen", { method: "POST", body: JSON.stringify(seen) });
</script>`;

// Starts a server whose pages have an origin of their own. `seen` resolves with what the page has posted.
export async function openPages() {
	let told;
	const pages = { html: "", seen: new Promise((resolve) => (told = resolve)) };
	const server = http.createServer((request, response) => {
		if (request.url === "/client.js")
			response.writeHead(200, { "Content-Type": "text/javascript" }).end(
				fs.readFileSync("node_modules/@stet/client/dist/index.js"),
			);
		else if (request.url === "/seen") {
			let body = "";
			request.on("data", (bytes) => (body += bytes)).on("end", () => {
				response.end();
				told(JSON.parse(body));
			});
		} else response.writeHead(200, { "Content-Type": "text/html" }).end(pages.html);
	});

	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	pages.origin = `http://127.0.0.1:${server.address().port}`;
	pages.close = () => new Promise((resolve) => (server.closeAllConnections?.(), server.close(resolve)));
	return pages;
}

export async function testBrowser(test, { url, token, work, site }, pages, report) {
	if (!fs.existsSync(CHROMIUM)) {
		report.note("skipped: there is no Chromium (CHROMIUM names another)");
		return;
	}
	await test("a page of another origin reads and writes with the module as it is packed", async () => {
		// This collection is public, for the search without a token.
		await site.ask("PUT", "/schema/collections/posts", { publicRead: true });
		pages.html = page(url, token);
		const browser = spawn(
			CHROMIUM,
			[
				"--headless=new",
				"--no-sandbox",
				"--disable-gpu",
				"--disable-dev-shm-usage",
				"--no-first-run",
				"--disable-background-networking",
				"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
				`--user-data-dir=${path.join(work, "browser")}`,
				`${pages.origin}/`,
			],
			{ stdio: "ignore" },
		);
		const ended = new Promise((resolve) => browser.on("close", resolve));
		const timer = setTimeout(() => browser.kill("SIGKILL"), PATIENCE);
		const seen = await Promise.race([
			pages.seen,
			ended.then(() => ({ failed: "Chromium ended before the page was done" })),
		]);

		clearTimeout(timer);
		browser.kill();
		await ended;
		assert.deepEqual(seen, {
			conflict: true,
			name: "Eve B.",
			again: "Eve B.",
			error: [true, "NOT_FOUND", true],
			found: ["hello"],
			statuses: [201, 200, 409, 200, 304, 200, 404],
		});
	});
}
