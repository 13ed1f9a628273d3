// whole.mjs - a site (site/) that Astro builds with the loader, twice, and then serves while the content changes.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const room = path.resolve("site");
// The place of its program depends on its version.
const { bin } = JSON.parse(fs.readFileSync("node_modules/astro/package.json", "utf8"));
const astro = path.resolve("node_modules/astro", bin.astro);
const page = (name) => fs.readFileSync(path.join(room, "dist", name, "index.html"), "utf8");
const environment = (url, token) => ({
	...process.env,
	STET_URL: url,
	STET_TOKEN: token,
	ASTRO_TELEMETRY_DISABLED: "1",
	NO_COLOR: "1",
});

// Forwards requests to the daemon, and records them.
async function between(target) {
	const seen = [];
	const server = http.createServer(async (request, response) => {
		seen.push(`${request.method} ${request.url.replace(/^\/_cms\/api|\?.*/g, "")}`);
		const { authorization = "", "if-none-match": tag } = request.headers;
		const answer = await fetch(target + request.url, {
			headers: { authorization, ...(tag && { "if-none-match": tag }) },
		});
		const type = answer.headers.get("content-type");
		response.writeHead(answer.status, type ? { "content-type": type } : {});
		response.end(Buffer.from(await answer.arrayBuffer()));
	});

	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => server.close() };
}

async function build(url, token) {
	const child = spawn(process.execPath, [astro, "build"], { cwd: room, env: environment(url, token) });
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
	const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
	const status = await new Promise((resolve) => child.on("close", resolve));
	clearTimeout(timer);
	return { status, said };
}

// Runs "astro dev", and waits until a page has the expected content.
async function develop(url, token, run) {
	const child = spawn(process.execPath, [astro, "dev", "--port", "0", "--host", "127.0.0.1"], {
		cwd: room,
		env: environment(url, token),
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
	const until = async (what, ready) => {
		for (const end = Date.now() + 60_000; ; ) {
			const found = await Promise.resolve(ready()).catch(() => undefined);
			if (found) return found;
			if (Date.now() > end) throw new Error(`${what} did not come\n${said.slice(-3000)}`);
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
	};
	try {
		const at = await until("the server", () => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]);
		const shows = (where, text) =>
			until(`"${text}" at ${where}`, async () =>
				(await (await fetch(at + where)).text()).includes(text),
			);
		await run(shows);
	} finally {
		child.kill();
		await new Promise((resolve) =>
			child.exitCode === null && !child.signalCode ? child.on("close", resolve) : resolve(),
		);
	}
}

// The examples of the README: their configurations are compiled, and their page is part of the site.
function putExamples() {
	const readme = fs.readFileSync("README.md", "utf8");
	const examples = (language) =>
		[...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map((one) => one[1]);
	const pages = examples("astro");

	for (const [i, text] of [...examples("ts"), ...examples("js")].entries())
		fs.writeFileSync(
			path.join(room, `src/example${i}.ts`),
			text.replace("process.env.STET_TOKEN", '"token"'),
		);
	assert.equal(pages.length, 1);
	fs.mkdirSync(path.join(room, "src/pages/readme"));
	fs.writeFileSync(path.join(room, "src/pages/readme/[slug].astro"), pages[0]);
}

export async function testWhole(test, { url, token, site }) {
	const { ask } = site;
	const proxy = await between(url);

	putExamples();

	await test("Astro builds a site with it", async () => {
		const { status, said } = await build(proxy.url, token);
		assert.equal(status, 0, said.slice(-4000));
		assert.match(page(""), /The &lt;thing&gt; &quot;é&quot;: .*null,/);
		assert.match(page(""), /<p id="counts"[^>]*>[1-9]\d* 250<\/p>/);
		const html = page("posts/hello");
		assert.match(html, /<h1[^>]*>Hello again<\/h1>/);
		assert.match(html, /<address[^>]*>Anna<\/address>/);
		assert.match(html, /<p>New &lt;words&gt;<\/p>/);
		assert.doesNotMatch(page("odd"), /<script|<b onclick/);
		assert.match(
			page("readme/hello"),
			/<p[^>]*>Anna<\/p>\s*<img src="http[^"]+" srcset="http[^"]+ 900w" alt="Blue"/,
		);
	});
	await test("the token is in none of the files", () => {
		for (const directory of ["dist", ".astro", "node_modules/.astro"])
			for (const name of fs.readdirSync(path.join(room, directory), { recursive: true })) {
				const file = path.join(room, directory, name);
				if (fs.statSync(file).isFile())
					assert.ok(!fs.readFileSync(file, "utf8").includes(token), file);
			}
	});
	await test("its entries are typed", () => {
		const types = fs.readFileSync(path.join(room, ".astro/content.d.ts"), "utf8");
		assert.match(types, /"things": Record<string/);
		const tsc = path.resolve("node_modules/typescript/bin/tsc");
		const checked = spawnSync(process.execPath, [tsc, "--noEmit", "-p", room], { encoding: "utf8" });
		assert.equal(checked.status, 0, checked.stdout.slice(0, 4000));
	});
	await test("a second build asks for definitions and the feed, and reads what has changed", async () => {
		await ask("PUT", "/content/posts/hello", {
			data: {
				body: [
					{
						_type: "block",
						_key: "h",
						style: "h1",
						markDefs: [],
						children: [{ _type: "span", _key: "s", text: "On seas" }],
					},
				],
			},
		});
		await ask("POST", "/content/posts/hello/publish", {});
		proxy.seen.length = 0;
		const { status, said } = await build(proxy.url, token);
		assert.equal(status, 0, said.slice(-4000));
		const others = proxy.seen.filter((one) => !/^GET \/(schema|changes)$/.test(one));
		assert.deepEqual(others, [`GET /content/posts/${site.first.id}`]);
		assert.match(page("posts/hello"), /<h2 id="on-seas">On seas<\/h2>/);
		assert.match(page("posts/hello"), /<nav[^>]*><a href="#on-seas"[^>]*>On seas<\/a><\/nav>/);
	});
	await test("while developing, a change is shown when it is published", async () => {
		await develop(url, token, async (shows) => {
			await shows("/posts/hello", "On seas");
			await ask("PUT", "/content/people/" + site.ann.id, { data: { name: "Anneliese" } });
			await shows("/posts/hello", "Anneliese");
		});
	});
	await test("without the daemon a build fails, and says why", async () => {
		const { status, said } = await build("http://127.0.0.1:9", token);
		assert.notEqual(status, 0);
		assert.match(said, /stet: no answer from http:\/\/127\.0\.0\.1:9: does stetd run there/);
	});
	proxy.close();
}
