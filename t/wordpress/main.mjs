// main.mjs - a real WordPress is imported twice, from its own export file and through our exporter, and both
// imports have the same result. STET_BUILD names the build tree.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startDaemon } from "../mcp/daemon.mjs";
import { openProxy } from "../mcp/proxy.mjs";
import { newReport } from "../mcp/report.mjs";
import { missing, startWordPress } from "./wordpress.mjs";

if (missing) {
	console.log(`1..0 # SKIP ${missing} is not there: apt-get install wordpress mariadb-server php-cli`);
	process.exit(0);
}

const here = path.dirname(fileURLToPath(import.meta.url));
const report = newReport();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-wp-"));
const wordpress = await startWordPress({ work, here, exporter: `${here}/../../etc/wordpress/stet-exporter` });

// ---- sites ----

async function newSite(name) {
	const proxy = await openProxy(),
		room = `${work}/${name}`;
	fs.mkdirSync(room);
	const daemon = await startDaemon({
		build: process.env.STET_BUILD,
		work: room,
		origin: proxy.origin,
		more: `    fetch-allow = { "127.0.0.0/8" }\n`,
	});
	proxy.daemon = daemon.port;
	const token = daemon.token("admin");

	async function must(status, method, route, body) {
		const response = await fetch(`${proxy.origin}/_cms/api${route}`, {
			method,
			body: body === undefined ? undefined : JSON.stringify(body),
			headers: {
				Authorization: `Bearer ${token}`,
				"X-CMS-Request": "1",
				"Content-Type": "application/json",
			},
		});
		const text = await response.text();
		assert.equal(response.status, status, `${method} ${route}: ${text.slice(0, 2000)}`);
		return JSON.parse(text).data;
	}
	return { name, daemon, must, stop: () => daemon.stop().then(() => proxy.close()) };
}

async function all(site, route) {
	const items = [];
	for (let cursor = ""; cursor !== undefined; ) {
		const page = await site.must(
			200,
			"GET",
			`${route}${route.includes("?") ? "&" : "?"}limit=100${cursor}`,
		);
		items.push(...page.items);
		cursor = page.nextCursor === undefined ? undefined : `&cursor=${encodeURIComponent(page.nextCursor)}`;
	}
	return items;
}

// Returns the members of an item that both imports must agree on: without ids, and without times that the source lacks.
function bare(item) {
	return {
		slug: item.slug,
		status: item.status,
		data: item.data,
		createdAt: item.createdAt,
		publishedAt: item.publishedAt,
		bylines: (item.bylines ?? []).map((one) => one.byline.displayName),
	};
}

async function items(site, collection) {
	const found = new Map();
	for (const item of await all(site, `/content/${collection}`)) {
		const { item: one } = await site.must(200, "GET", `/content/${collection}/${item.id}`);
		const terms = {};
		for (const taxonomy of collection === "posts" ? ["category", "tag"] : [])
			terms[taxonomy] = (
				await site.must(200, "GET", `/content/${collection}/${item.id}/terms/${taxonomy}`)
			).terms
				.map((term) => term.slug)
				.sort();
		const same = { ...bare(one), terms };
		// Items that WordPress would publish later are created when they are imported.
		same.scheduledAt = one.scheduledAt ?? null;
		if (same.scheduledAt !== null) delete same.createdAt;
		found.set(item.slug, same);
	}
	return found;
}

const terms = async (site, taxonomy) =>
	JSON.parse(
		JSON.stringify(await site.must(200, "GET", `/taxonomies/${taxonomy}/terms`), (key, value) =>
			["id", "parentId", "translationGroup", "createdAt", "updatedAt"].includes(key)
				? undefined
				: value,
		),
	);

const comments = async (site) =>
	(await all(site, "/admin/comments?status=approved"))
		.concat(await all(site, "/admin/comments?status=pending"))
		.map(({ authorName, authorEmail, body, status, createdAt, parentId }) => ({
			authorName,
			authorEmail,
			body,
			status,
			createdAt,
			isReply: parentId !== null && parentId !== undefined,
		}))
		.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

async function menu(site) {
	const text = JSON.stringify(await site.must(200, "GET", "/menus/main-menu"));
	return [...text.matchAll(/"(label|customUrl|target|cssClasses|type)":("(?:[^"\\]|\\.)*"|null)/g)].map(
		(m) => m[0],
	);
}

// ---- both ways ----

const types = [
	["post", "posts"],
	["page", "pages"],
];

async function byPlugin(site) {
	const source = { url: wordpress.address, token: wordpress.token };
	const { analysis } = await site.must(200, "POST", "/import/platform-plugin/analyze", source);
	await site.must(200, "POST", "/import/platform/prepare", {
		postTypes: analysis.postTypes.map((type) => ({
			name: type.name,
			collection: type.suggestedCollection,
			fields: type.requiredFields,
		})),
	});
	const config = {
		postTypeMappings: Object.fromEntries(
			types.map(([type, collection]) => [type, { collection, enabled: true }]),
		),
		skipExisting: true,
	};
	const total = { imported: 0, skipped: 0, failed: 0, errors: [] };
	let maps = {};
	for (const phase of ["content", "comments", "finalize"]) {
		for (let at = { done: false, cursor: undefined }; !at.done; ) {
			at = await site.must(200, "POST", "/import/platform-plugin/execute", {
				...source,
				config,
				phase,
				cursor: at.cursor,
				...maps,
			});
			maps = { ...maps, ...at.chunk };
			total.imported += at.result.imported ?? 0;
			total.skipped += at.result.skipped ?? 0;
			total.failed += at.result.failed ?? 0;
			total.errors.push(...(at.result.errors ?? []));
		}
	}
	return { analysis, total };
}

const file = `${work}/export.xml`;
const one = await newSite("file"),
	two = await newSite("plugin");

await report.test("WordPress's own export is imported, and again makes nothing", async () => {
	fs.writeFileSync(file, wordpress.export());
	const said = one.daemon.stet("import", "wxr", file, "--no-media");
	assert.match(said, /^items\t124 imported\t0 skipped\t0 failed$/m);
	assert.match(
		one.daemon.stet("import", "wxr", file, "--no-media"),
		/^items\t0 imported\t124 skipped\t0 failed$/m,
	);
});

// WordPress's exports and ours have the same elements, in the same order and namespaces.
await report.test("our own export has the shape of WordPress's", () => {
	execFileSync(`${process.env.STET_BUILD}/t/module/export/shape.t`, {
		env: { ...process.env, STET_WORDPRESS_EXPORT: file },
		stdio: "pipe",
	});
});

await report.test("the exporter says what is there, to who may export alone", async () => {
	const { result } = await two.must(200, "POST", "/import/probe", { url: wordpress.address });
	assert.equal(result.bestMatch.sourceId, "platform-plugin");
	await two.must(502, "POST", "/import/platform-plugin/analyze", {
		url: wordpress.address,
		token: Buffer.from("ann:wrong").toString("base64"),
	});
	for (const route of [
		"analyze",
		"content&post_type=post",
		"media",
		"taxonomies",
		"menus",
		"options",
		"comments",
	]) {
		const { status } = await fetch(`${wordpress.address}/?rest_route=/stet/v1/${route}`);
		assert.equal(status, 401, route);
	}
});

await report.test("a site is imported through the exporter, and again makes nothing", async () => {
	const { analysis, total } = await byPlugin(two);
	assert.equal(analysis.postTypes.find((type) => type.name === "post").count, 122);
	assert.equal(analysis.attachments.count, 1);
	assert.deepEqual(total, { imported: 124, skipped: 0, failed: 0, errors: [] });
	assert.deepEqual((await byPlugin(two)).total, { imported: 0, skipped: 124, failed: 0, errors: [] });
	assert.equal((await two.must(200, "GET", "/settings")).title ?? "Old & true", "Old & true");
});

for (const [, collection] of types)
	await report.test(`both ways give the same ${collection}`, async () => {
		const [a, b] = [await items(one, collection), await items(two, collection)];
		assert.deepEqual([...a.keys()].sort(), [...b.keys()].sort());
		for (const [slug, item] of a) assert.deepEqual(b.get(slug), item, slug);
		if (collection === "posts") {
			const scheduled = [...a.values()].filter((item) => item.scheduledAt !== null);
			assert.ok(scheduled.length > 0);
			for (const item of scheduled) assert.match(item.scheduledAt, /^2099-01-01T/);
		}
	});

await report.test("both ways give the same terms", async () => {
	for (const taxonomy of ["category", "tag"])
		assert.deepEqual(await terms(two, taxonomy), await terms(one, taxonomy));
});

await report.test("both ways give the same comments", async () => {
	const said = await comments(one);
	assert.equal(said.length, 24);
	assert.deepEqual(await comments(two), said);
});

await report.test("both ways give the same menu and the same reusable block", async () => {
	const entries = await menu(one);
	assert.ok(entries.length >= 4, entries.join());
	assert.deepEqual(await menu(two), entries);
	const [a, b] = [await one.must(200, "GET", "/sections/footer"), await two.must(200, "GET", "/sections/footer")];
	assert.deepEqual((b.section ?? b).content, (a.section ?? a).content);
});

wordpress.stop();
for (const site of [one, two]) await site.stop();
fs.rmSync(work, { recursive: true, force: true });
report.end();
