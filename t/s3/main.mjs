// main.mjs - a site whose files are in a bucket of s3rver. A proxy checks the signature of each request with
// @smithy/signature-v4. STET_BUILD names the build tree; `npm` has copied this directory into it and
// installed the packages.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { newReport } from "../mcp/report.mjs";
import { openChecker } from "./checker.mjs";

const ID = "S3RVER"; // the store has only this key, and does not check signatures
const SECRET = "a/secret+of=our_own~";
const REGION = "eu-test-1",
	BUCKET = "files",
	PREFIX = "sites/main";

const report = newReport();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-s3-"));
const store = new S3rver({
	address: "127.0.0.1",
	port: 0,
	silent: true,
	directory: `${work}/store`,
	configureBuckets: [{ name: BUCKET }],
});
const door = await openChecker({ id: ID, secret: SECRET, region: REGION, store: (await store.run()).port });
const proxy = await openProxy();

fs.writeFileSync(`${work}/s3-key`, `${ID}\n${SECRET}\n`, { mode: 0o600 });
const daemon = await startDaemon({
	build: process.env.STET_BUILD,
	work,
	origin: proxy.origin,
	// The cache is so small that it keeps only files that are being sent; every other file is fetched again.
	more: `    files = "s3"
    s3-endpoint = "http://127.0.0.1:${door.port}"
    s3-bucket = "${BUCKET}"
    s3-region = "${REGION}"
    s3-prefix = "${PREFIX}"
    s3-credentials-file = "${work}/s3-key"
    s3-timeout = "60s"
    s3-redirect = true
    file-cache = "64KiB"
`,
});
proxy.daemon = daemon.port;
const token = daemon.token("admin");

// ---- the site ----

async function api(method, route, body, more = {}) {
	const response = await fetch(`${proxy.origin}/_cms/api${route}`, {
		method,
		body: body instanceof FormData || body === undefined ? body : JSON.stringify(body),
		headers: {
			Authorization: `Bearer ${token}`,
			"X-CMS-Request": "1",
			...(body instanceof FormData || body === undefined
				? {}
				: { "Content-Type": "application/json" }),
		},
		redirect: "manual",
		...more,
	});
	return response;
}

async function must(status, ...words) {
	const response = await api(...words);
	const text = await response.text();
	assert.equal(response.status, status, text);
	return JSON.parse(text).data;
}

// A PNG of one pixel. Bytes after it make each a different file.
const PIXEL = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
	"base64",
);
const png = (tail) => Buffer.concat([PIXEL, Buffer.from(tail)]);

// Returns the bytes of a file that is recognised as a video.
const film = (size) =>
	Buffer.concat([Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2", "latin1"), crypto.randomBytes(size)]);

function form(bytes, name, type = "image/png") {
	const data = new FormData();
	data.append("file", new Blob([bytes], { type }), name);
	return data;
}
const upload = async (bytes, name, type) => (await must(201, "POST", "/media", form(bytes, name, type))).item;
const count = async () => (await must(200, "GET", "/media?page=1")).totalCount;

// Fails if the checker refuses a request while `run` runs. Refusals of earlier tests do not count.
async function unrefused(run) {
	const before = door.refused.length;
	await run();
	assert.deepEqual(door.refused.slice(before), []);
}

// Waits until the log from `from` on matches: log lines come through a pipe, perhaps after the response.
async function logged(from, words) {
	const until = Date.now() + 10000;
	while (!words.test(daemon.said().slice(from)) && Date.now() < until)
		await new Promise((resolve) => setTimeout(resolve, 10));
	assert.match(daemon.said().slice(from), words);
}

function files(directory) {
	if (!fs.existsSync(directory)) return [];
	return fs
		.readdirSync(directory, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith("_object"))
		.map((entry) => entry.name);
}

function clearCache() {
	fs.rmSync(`${work}/data/file-cache`, { recursive: true, force: true });
}

// ---- tests ----

const NAMES = [
	"plain.png",
	"two words.png",
	"plus+and&equals=.png",
	"100%25.png",
	"Ünïcödé ☃ 猫.png",
	"a'b(c)*d!.png",
	'quote".png',
	"semi;colon.png",
	"tilde~under_score-.png",
	"question?hash#.png",
	"comma,at@.png",
	"e\u0301.png",
];

try {
	await report.test("the bucket is there, says stet doctor", async () => {
		// Other checks may fail on this machine, so the exit status is ignored.
		const said = await daemon.stetBeside("doctor").catch((error) => error.stdout);
		assert.match(said, /the bucket files/);
	});

	await report.test("uploads, many at once, are signed as the other implementation signs", () =>
		unrefused(async () => {
			const items = await Promise.all(NAMES.map((name, i) => upload(png(`file ${i}`), name)));
			assert.equal(new Set(items.map((item) => item.id)).size, NAMES.length);
			assert.equal(files(`${work}/store/${BUCKET}/${PREFIX}/media`).length, NAMES.length);
			assert.ok(door.headers >= 2 * NAMES.length); // two requests each: HEAD, then PUT
		}),
	);

	await report.test("files with any name are read by URLs that are signed, with that name", () =>
		unrefused(async () => {
			const { items } = await must(200, "GET", "/media?limit=50");
			const before = door.urls;
			assert.equal(items.length, NAMES.length);
			for (const item of items) {
				const first = await api("GET", `/media/file/${item.storageKey}`);
				assert.equal(first.status, 302);
				assert.equal(first.headers.get("cache-control"), "no-store");
				const to = first.headers.get("location");
				assert.ok(!to.includes(SECRET));
				const there = await fetch(to);
				assert.equal(there.status, 200, await there.clone().text());
				assert.equal(there.headers.get("content-type"), "image/png");
				assert.match(there.headers.get("content-disposition"), /^inline;/);
				const bytes = Buffer.from(await there.arrayBuffer());
				assert.ok(bytes.subarray(0, PIXEL.length).equals(PIXEL));
				const part = await fetch(to, { headers: { Range: "bytes=1-3" } });
				assert.equal(part.status, 206);
				assert.equal(await part.text(), "PNG");
			}
			assert.equal(door.urls, before + 2 * NAMES.length);
		}),
	);

	await report.test("a URL for reading is for nothing else, and for no other file", async () => {
		const { items } = await must(200, "GET", "/media?limit=50");
		const to = (await api("GET", `/media/file/${items[0].storageKey}`)).headers.get("location");
		assert.equal((await fetch(to, { method: "PUT", body: "x" })).status, 403);
		assert.equal((await fetch(to, { method: "DELETE" })).status, 403);
		assert.equal((await fetch(to.replace(items[0].storageKey, items[1].storageKey))).status, 403);
		assert.equal((await fetch(to.replace("inline", "attachment"))).status, 403);
		assert.equal((await fetch(to.replace("Expires=3600", "Expires=36000"))).status, 403);
		door.skew = 3700 * 1000;
		assert.equal((await fetch(to)).status, 403);
		door.skew = 0;
		assert.equal((await fetch(to)).status, 200);
	});

	await report.test("what can run scripts is a download there, too", () =>
		unrefused(async () => {
			const item = await upload(
				Buffer.from("%PDF-1.4\n%\xe2\xe3\n1 0 obj<<>>endobj\n"),
				"a.pdf",
				"application/pdf",
			);
			const there = await api("GET", `/media/file/${item.storageKey}`, undefined, {
				redirect: "follow",
			});
			assert.equal(there.status, 200);
			assert.match(there.headers.get("content-disposition"), /^attachment;/);
			await must(200, "DELETE", `/media/${item.id}`);
		}),
	);

	await report.test("HEAD and conditions go through a redirect", async () => {
		const { items } = await must(200, "GET", "/media?limit=50");
		const route = `/media/file/${items[0].storageKey}`;
		const head = await api("HEAD", route);
		assert.equal(head.status, 302);
		const there = await fetch(head.headers.get("location"), { method: "HEAD" });
		assert.equal(there.status, 200);
		assert.equal(Number(there.headers.get("content-length")), items[0].size);
		assert.equal((await fetch(head.headers.get("location"))).status, 403); // the URL is signed for HEAD only
		const to = (await api("GET", route)).headers.get("location");
		const known = await fetch(to, { headers: { "If-None-Match": there.headers.get("etag") } });
		assert.equal(known.status, 304);
		const stale = await api("GET", route, undefined, { headers: { "If-None-Match": '"ours"' } });
		assert.equal(stale.status, 302);
	});

	await report.test("40 MB go in parts, and come back", () =>
		unrefused(async () => {
			const bytes = film(40 << 20);
			const item = await upload(bytes, "film.mp4", "video/mp4");
			clearCache();
			assert.match(await daemon.stetBeside("media", "verify"), /13 files, all as they should be/);
			const to = (await api("GET", `/media/file/${item.storageKey}`)).headers.get("location");
			assert.ok(Buffer.from(await (await fetch(to)).arrayBuffer()).equals(bytes));
			await must(200, "DELETE", `/media/${item.id}`);
		}),
	);

	await report.test(
		"a target takes the type and the length that it was asked for, and is confirmed once",
		async () => {
			const bytes = png("by the client");
			const target = await must(200, "POST", "/media/upload-url", {
				filename: "a b.png",
				contentType: "image/png",
				size: bytes.length,
			});
			// fetch would set the length to that of the body
			const put = (type, body) =>
				new Promise((resolve, reject) => {
					const request = http.request(
						target.uploadUrl,
						{
							method: "PUT",
							headers: {
								"Content-Type": type,
								"Content-Length": body.length,
							},
						},
						(response) => {
							response.resume();
							resolve(response.statusCode);
						},
					);
					request.on("error", reject);
					request.end(body);
				});

			assert.equal(await put("text/html", bytes), 403);
			assert.equal(await put("image/png", Buffer.concat([bytes, Buffer.from("more")])), 403);
			assert.equal((await api("POST", `/media/${target.mediaId}/confirm`, {})).status, 400);
			assert.equal(await put("image/png", bytes), 200);
			assert.equal((await api("POST", `/media/${target.mediaId}/confirm`, { size: 1 })).status, 400);
			const { item } = await must(200, "POST", `/media/${target.mediaId}/confirm`, {});
			assert.equal(item.status, "ready");
			assert.notEqual(item.storageKey, target.storageKey);
			// The URL stays valid for an hour, also after the confirmation.
			assert.equal(await put("image/png", png("another one!!")), 200);
			await must(200, "POST", `/media/${target.mediaId}/confirm`, {});
			clearCache();
			assert.match(await daemon.stetBeside("media", "verify"), /all as they should be/);
		},
	);

	await report.test("a service that is out of order for a moment is asked again", async () => {
		door.faults = [{ method: "PUT", kind: "answer", status: 500, code: "InternalError", times: 2 }];
		const item = await upload(png("second attempt"), "a.png");
		assert.equal(door.faults[0].times, 0);
		door.faults = [{ method: "PUT", kind: "answer", status: 503, code: "SlowDown", times: 1 }];
		await upload(png("another"), "b.png");
		await must(200, "DELETE", `/media/${item.id}`);
	});

	const FAILURES = [
		["403", { kind: "answer", status: 403, code: "AccessDenied" }, /403 AccessDenied/],
		["500", { kind: "answer", status: 500, code: "InternalError" }, /500 InternalError/],
		["silence", { kind: "silence" }, /said nothing for 1 seconds/],
	];
	// Only some tests get a timeout of a second. For the others it would be too short, since store and checker run in
	// this process, on a machine that may be busy.
	const patience = (from, to) => daemon.change(`s3-timeout = "${from}"`, `s3-timeout = "${to}"`, "s3-timeout");
	for (const [name, fault, said] of FAILURES)
		await report.test(`an upload ends well with ${name}: no item, and the log says why`, async () => {
			const before = await count(),
				from = daemon.said().length,
				began = Date.now();
			if (name === "silence") await patience("60s", "1s");
			door.faults = [{ method: "PUT", times: 3, ...fault }];
			const response = await api("POST", "/media", form(png(`with ${name}`), "a.png"));
			door.faults = [];
			if (name === "silence") await patience("1s", "60s");
			assert.ok(response.status === 500 || response.status === 503, String(response.status));
			assert.doesNotMatch(await response.text(), /S3RVER|InternalError|AccessDenied/);
			assert.ok(Date.now() - began < 45000);
			assert.equal(await count(), before);
			await logged(from, said);
		});

	await report.test("an answer that ends in the middle is gone on with", () =>
		unrefused(async () => {
			const bytes = film(3 << 20);
			const item = await upload(bytes, "half.mp4", "video/mp4");
			clearCache();
			door.faults = [{ method: "GET", kind: "half", times: 2 }];
			assert.match(await daemon.stetBeside("media", "verify"), /all as they should be/);
			assert.equal(door.faults[0].times, 0);
			door.faults = [];
			await must(200, "DELETE", `/media/${item.id}`);
		}),
	);

	await report.test("a clock that is 20 minutes off is told in minutes", async () => {
		const before = await count();
		for (const [skew, words] of [
			[20, "19|20|21) minutes behind"],
			[-20, "19|20|21) minutes before"],
		]) {
			const from = daemon.said().length;
			door.skew = skew * 60000;
			const response = await api("POST", "/media", form(png(`skew ${skew}`), "a.png"));
			door.skew = 0;
			assert.equal(response.status, 500);
			await logged(from, new RegExp(`clock of this machine is (${words}`));
		}
		assert.equal(await count(), before);
	});

	await report.test("files move into the data directory, and stay where the site reads them", () =>
		unrefused(async () => {
			const all = await count();
			const said = await daemon.stetBeside("media", "move", "--to", "directory");
			assert.match(
				said,
				new RegExp(`^${all} files are in "directory", ${all} of them copied now`, "m"),
			);
			assert.match(said, /originals stay/);
		}),
	);

	await report.test("deleted items leave the bucket", () =>
		unrefused(async () => {
			const { items } = await must(200, "GET", "/media?limit=50");
			for (const item of items) await must(200, "DELETE", `/media/${item.id}`);
			const until = Date.now() + 20000;
			// The file that is left was uploaded to a target; the sweep deletes it later.
			while (files(`${work}/store/${BUCKET}/${PREFIX}/media`).length > 1 && Date.now() < until)
				await new Promise((resolve) => setTimeout(resolve, 20));
			assert.ok(files(`${work}/store/${BUCKET}/${PREFIX}/media`).length <= 1);
		}),
	);

	report.note(`${door.headers} signatures in headers and ${door.urls} in URLs are right`);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	proxy.close();
	await report.test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	door.close();
	await store.close();
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
