// web.mjs - the demo site (etc/site) in a daemon, the starters of etc/starters built from it, and a web server of the
// built pages. etc/starters/make has put the starters and their packages into STET_BUILD.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript",
	".css": "text/css",
	".xml": "application/xml",
	".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8",
};

const roomOf = (name) => path.join(process.env.STET_BUILD, name);
// only: the one imported site that it is built with, unless AUDIT=all: Next takes longest.
const all = [
	{ name: "astro", room: roomOf("starter"), out: "dist" },
	{ name: "plain", room: roomOf("starter-plain"), out: "dist" },
	{ name: "next", room: roomOf("starter-next"), out: "out", only: "WordPress" },
];
/** STARTERS="plain" builds some of them. */
export const starters = all
	.filter(({ name }) => (process.env.STARTERS ?? "astro plain").split(" ").includes(name))
	.map(({ only, ...one }) => ({
		...one,
		...(only && process.env.AUDIT !== "all" && { only }),
		dist: path.join(one.room, one.out),
	}));

// Serves a built site at an origin of its own, as a static web server would. `shown` selects the starter.
export async function serve() {
	const web = { shown: starters[0] };
	const server = http.createServer((request, response) => {
		let file = path.join(
			web.shown.dist,
			path.normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)),
		);
		if (fs.existsSync(file) && fs.statSync(file).isDirectory()) file = path.join(file, "index.html");
		const status = fs.existsSync(file) ? 200 : 404;
		if (status === 404) file = path.join(web.shown.dist, "404.html");
		const type = TYPES[path.extname(file)],
			headers = { "Content-Type": type ?? "application/octet-stream", Vary: "Accept-Encoding" };
		// File names in this directory contain a digest of the file.
		headers["Cache-Control"] = /\/_astro\/|\/_next\/static\//.test(file)
			? "public, max-age=31536000, immutable"
			: "no-cache";
		let body = fs.readFileSync(file);
		if (type && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) {
			headers["Content-Encoding"] = "gzip";
			body = gzipSync(body);
		}
		return response.writeHead(status, headers).end(body);
	});

	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return Object.assign(web, {
		origin: `http://127.0.0.1:${server.address().port}`,
		close: () => (server.closeAllConnections?.(), server.close()),
	});
}

// Returns a function that calls the API with the rights of an administrator.
export function administrator(daemon) {
	const token = daemon.token("admin");

	return async (method, where, body) => {
		const headers = {
			Authorization: `Bearer ${token}`,
			"X-CMS-Request": "1",
			"Content-Type": "application/json",
		};
		const answer = await fetch(`${daemon.url}/_cms/api${where}`, {
			method,
			headers,
			body: body && JSON.stringify(body),
		});
		const { data, error } = await answer.json();

		assert.ok(answer.ok, `${method} ${where}: ${JSON.stringify(error)}`);
		return data;
	};
}

// Fills the demo site and enables search. Returns the token with which the site is built.
export async function fillDemo(daemon, ask) {
	daemon.stet("import", "site", path.join(process.env.STET_SOURCE, "etc/site"));
	await ask("POST", "/search/enable", { collection: "posts", enabled: true });
	daemon.stet("search", "public", "all");
	return builderToken(daemon);
}

// Two comments in a thread, and one that waits for a moderator.
export async function makeComments(daemon, ask, post) {
	const where = `${daemon.url}/_cms/api/comments/${post.type}/${post.id}`;
	const write = async (authorName, body, parentId) => {
		const answer = await fetch(where, {
			method: "POST",
			headers: { "Content-Type": "application/json", "X-CMS-Request": "1" },
			body: JSON.stringify({ authorName, authorEmail: "ann@example.net", body, parentId }),
		});
		const { data, error } = await answer.json();
		assert.ok(answer.ok, JSON.stringify(error));
		return data.id;
	};
	const approve = (id) => ask("PUT", `/admin/comments/${id}/status`, { status: "approved" });

	await ask("PUT", "/admin/plugins/comments/settings", { values: { limitCount: 100 } });
	await ask("PUT", `/schema/collections/${post.type}`, {
		commentsEnabled: true,
		commentsModeration: "all",
		commentsClosedAfterDays: 0,
	});
	const first = await write("Ann", "First <b>\nand a line");
	await approve(first);
	await approve(await write("Bo", "An answer", first));
	await write("Cy", "Waits");
}

// Returns a token as the README of the starter describes it: a delivery token, which can read what a site needs.
export function builderToken(daemon) {
	return daemon.stet("token", "add", "--delivery", "--name", "site").split("\n").at(-1);
}

// Builds a starter from the daemon; `site` is the origin that it will have. Returns what the build prints.
export function buildStarter({ room, dist }, daemon, token, site, more = {}) {
	fs.rmSync(dist, { recursive: true, force: true });
	fs.writeFileSync(path.join(room, ".env"), `SITE_URL=${site}\n`);
	const built = spawnSync("npm", ["run", "--silent", "build"], {
		cwd: room,
		encoding: "utf8",
		timeout: 300_000,
		env: {
			...process.env,
			STET_URL: daemon.url,
			STET_TOKEN: token,
			PUBLIC_STET_URL: daemon.url,
			SITE_NAME: "The Margin",
			ASTRO_TELEMETRY_DISABLED: "1",
			NO_COLOR: "1",
			...more,
		},
	});
	assert.equal(built.status, 0, `${built.stdout}\n${built.stderr}`.slice(-4000));
	return `${built.stdout}\n${built.stderr}`;
}
