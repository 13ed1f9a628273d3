// manuals.mjs - runs the examples of the manual that no other test runs, as they are printed: in a shell, as requests,
// as configuration, against a daemon of the build tree. A path or an address of the reader's machine is replaced by one
// of the test.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { startDaemon } from "../mcp/daemon.mjs";
import { examplesOf } from "./examples.mjs";
import { runCommands, runConfiguration, runMcp } from "./commands.mjs";
import { fill } from "./site.mjs";

// A server that keeps the requests it gets.
async function startTarget() {
	const got = [];
	const server = http.createServer(async (request, response) => {
		const parts = [];

		for await (const part of request) parts.push(part);
		got.push({ headers: request.headers, body: Buffer.concat(parts) });
		response.end();
	});

	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		close: () => server.close(),
		async next(event) {
			for (const until = Date.now() + 60000; Date.now() < until; ) {
				const found = got.find(({ headers }) => headers["x-stet-event"] === event);

				if (found) return found;
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			throw new Error(`${event} was not sent`);
		},
	};
}

// Programs that examples call, in a directory for PATH: stet with the test's configuration; sudo and ssh, which run
// the command here; pkg-config, which answers for the SDK of the source tree.
function makePrograms({ build, source, work }) {
	const bin = path.join(work, "bin");
	const script = (name, text) => fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

	fs.mkdirSync(bin);
	script(
		"stet",
		`case $1 in --data | --config) exec '${build}/.libs/stet' "$@" ;; esac\n` +
			`exec '${build}/.libs/stet' --config '${work}/stet.conf' "$@"`,
	);
	script("stetd", `exec '${build}/.libs/stetd' "$@"`);
	script("sudo", 'shift 2\nexec "$@"');
	script("ssh", 'shift\nexec sh -c "$*"');
	script(
		"pkg-config",
		`echo "-I${source}/plugin-sdk/include -I${build}/plugin-sdk/include -L${build}/.libs -lstet"`,
	);
	return bin;
}

// Runs the examples, and calls report.test for each. Returns the keys of those that were run.
export async function runManuals({ build, source, work, report }) {
	const bin = makePrograms({ build, source, work });
	const target = await startTarget();
	const plugins = path.join(work, "none");
	const ran = new Set();
	const env = {
		...process.env,
		PATH: `${bin}:${process.env.PATH}`,
		LD_LIBRARY_PATH: `${build}/.libs`,
		STET_MODULE_PATH: `${build}/modules/.libs`,
		STET_HELPER_PATH: `${build}/helpers/image`,
	};
	const sh = (text, more = {}) => {
		try {
			return execFileSync("sh", ["-ec", text], {
				cwd: work,
				env: { ...env, ...more },
				encoding: "utf8",
				stdio: ["ignore", "pipe", "pipe"],
				timeout: 120_000,
			});
		} catch (error) {
			throw new Error(`${text}\nends with ${error.status}\n${error.stdout}${error.stderr}`);
		}
	};
	const of = (page, first) => {
		const found = examplesOf(source).filter((one) => one.page === page && one.first.startsWith(first));

		assert.notEqual(found.length, 0, `${page}: ${first}`);
		return found;
	};
	// Runs all examples of a page whose first line begins like this.
	const run = async (page, first, what) => {
		for (const example of of(page, first)) {
			await report.test(`docs: ${page} "${example.first}"`, () => what(example.text));
			ran.add(`${page}\t${example.first}`);
		}
	};

	fs.mkdirSync(plugins);
	await run("stet-plugin.7", "cc ", (text) => {
		fs.copyFileSync(`${source}/plugin-sdk/template/hello.c`, `${work}/hello.c`);
		sh(text);
		fs.copyFileSync(`${work}/hello.so`, `${plugins}/hello.so`);
	});

	const daemon = await startDaemon({
		build,
		work,
		origin: "http://127.0.0.1",
		more: `    locales = { "en", "fr" }\n    fetch-allow = { "${new URL(target.url).hostname}/32" }\n`,
	});
	const { url } = daemon;
	const token = daemon.token("admin");
	const ask = async (method, to, body, bearer = token) => {
		const answer = await fetch(`${url}${to}`, {
			method,
			headers: {
				Authorization: `Bearer ${bearer}`,
				"X-CMS-Request": "1",
				...(body === undefined ? {} : { "Content-Type": "application/json" }),
			},
			body: typeof body === "object" ? JSON.stringify(body) : body,
		});

		return { status: answer.status, ...(await answer.json()) };
	};
	const good = async (...words) => {
		const { status, data, error } = await ask(...words);

		assert.ok(status < 300, `${words[0]} ${words[1]}: ${status} ${JSON.stringify(error)}`);
		return data;
	};
	// A request as the manual prints it: method, path and perhaps a body.
	const request = (text) => {
		const [, method, to, body] = /^(\w+) (\S+)\n?([\s\S]*)$/.exec(text);

		return good(method, to, body || undefined);
	};

	try {
		await run("stet-plugin.7", "stet module enable", async (text) => {
			const [command, post] = text.split("\n");

			sh(command);
			sh("stet module disable hello");
			await request(post);
			assert.match(sh("stet module list"), /hello .* yes /);
		});
		const ids = await fill({ good });
		const list = async (query) =>
			await good(
				"GET",
				`/_cms/api/content/finds?limit=100&${new URLSearchParams(
					query.split("&").map((one) => /^(\w+)=([\s\S]*)$/.exec(one).slice(1)),
				)}`,
			);
		const slugs = async (query) => (await list(query)).items.map((item) => item.slug).sort();

		await runContent({ run, list, slugs, ids, good, request });
		await runWebhooks({ run, target, good, sh, work, source });
		await runMcp({ run, sh, ask, url, token });
		await runCommands({ run, sh, env, daemon, work, url, token, good, source, bin });
		await runConfiguration({ run, sh, work, source, url });
	} finally {
		const { how } = await daemon.stop();

		target.close();
		report.note(`the daemon ended with ${how}`);
	}
	return ran;
}

async function runContent({ run, list, slugs, ids, good, request }) {
	const page = "stet-content.7";

	// Each of them has items that pass and items that do not: site.mjs has the reasons beside the items.
	await run(page, "terms=", async (text) => assert.deepEqual(await slugs(text), ["basin", "marsh"]));
	await run(page, 'fieldFilters={"kind"', async (text) =>
		assert.deepEqual(await slugs(text), ["basin", "marsh"]),
	);
	await run(page, 'fieldFilters={"tags"', async (text) => assert.deepEqual(await slugs(text), ["marsh"]));
	await run(page, 'fieldFilters={"body"', async (text) => assert.deepEqual(await slugs(text), ["marsh"]));
	await run(page, "facets=", async (text) => {
		const { facets } = await list(text);

		assert.deepEqual(Object.keys(facets).sort(), ["category", "month", "status"]);
		assert.equal(facets.category.values.find(({ value }) => value === "news").count, 2);
	});
	let answer;
	await run(page, "include=", async (text) => {
		answer = await list(text);
		assert.deepEqual(Object.keys(answer.included).sort(), ["items", "links", "terms", "truncated"]);
		assert.ok(answer.included.items[ids.home], "what an author names comes along");
	});
	await run(page, "const author", (text) => {
		const post = answer.items.find(({ slug }) => slug === "marsh");
		const author = new Function("included", "post", `${text}\nreturn author;`)(answer.included, post);

		assert.equal(author.data.name, "Ann");
	});
	await run(page, "POST /_cms/api/schema/blocks", async (text) => {
		await request(text);
		assert.equal((await good("GET", "/_cms/api/schema/blocks")).items[0].slug, "card");
	});
	await run(page, "GET /_cms/api/changes", async (text) => {
		const { cursor } = await request(text);

		await good("PUT", `/_cms/api/content/posts/${ids.post}`, { data: { title: "Changed" } });
		await good("PUT", `/_cms/api/content/people/${ids.author}`, { data: { name: "Ann" } });
		const { items } = await request(`${text}&since=${cursor}`);

		assert.deepEqual([...new Set(items.map(({ id }) => id))], [ids.post]);
	});
}

// Compares the members of what is shown with those of what came, at every depth.
function sameMembers(shown, got, at = "") {
	if (Array.isArray(shown) || typeof shown !== "object" || shown === null) return;
	assert.deepEqual(Object.keys(got).sort(), Object.keys(shown).sort(), at);
	for (const name of Object.keys(shown)) sameMembers(shown[name], got[name], `${at}/${name}`);
}

async function runWebhooks({ run, target, good, sh, work, source }) {
	const page = "stet-webhooks.7";
	const here = (text) => text.replaceAll("https://example.net", target.url);
	let secret;

	await run(page, "$ stet webhook add", (text) => {
		secret = /whsec_[\w-]+/.exec(sh(here(text).replace(/^\$ /, "")))[0];
	});
	await run(page, "POST /_cms/api/admin/webhooks", async (text) => {
		const { item } = await good(
			"POST",
			"/_cms/api/admin/webhooks",
			here(text).split("\n").slice(1).join("\n"),
		);

		assert.deepEqual(item.collections, ["posts"]);
		await good("DELETE", `/_cms/api/admin/webhooks/${item.id}`);
	});
	await good("POST", "/_cms/api/admin/webhooks", { url: `${target.url}/caches`, events: ["cache.purge"] });
	await good("POST", "/_cms/api/content/posts", { data: { title: "Hello" }, slug: "hello", status: "published" });

	const { headers, body } = await target.next("content.publish");

	await run(page, '{"id": "01...", "event"', (text) => {
		const shown = JSON.parse(text);
		const got = JSON.parse(body);

		sameMembers(shown, got);
		assert.deepEqual([got.event, got.data.slug], [shown.event, shown.data.slug]);
	});
	await run(page, "const { createHmac", (text) => {
		const verify = new Function("require", `${text}\nreturn verify;`)(createRequire(import.meta.url));

		assert.equal(verify(secret, headers, body), true);
		assert.equal(verify(secret, headers, Buffer.concat([body, Buffer.from(" ")])), false);
		assert.equal(verify(secret, { ...headers, "x-stet-timestamp": "1" }, body), false);
		assert.equal(verify(secret, {}, body), false);
	});
	await run(page, "{ printf", (text) => {
		fs.writeFileSync(`${work}/body`, body);
		const said = sh(text, { time: headers["x-stet-timestamp"], secret });

		assert.equal(`sha256=${/[0-9a-f]{64}/.exec(said)[0]}`, headers["x-stet-signature"]);
	});
	await run(page, '"data": {"keys"', async (text) => {
		const shown = JSON.parse(`{${text}}`);
		const got = JSON.parse((await target.next("cache.purge")).body);

		sameMembers(shown.data, got.data);
		for (const key of shown.data.keys)
			assert.ok(
				got.data.keys.some((one) => one.startsWith(key.slice(0, 2))),
				key,
			);
	});
}
