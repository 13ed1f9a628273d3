// week.mjs - a week of editorial work in 24 tasks, by a scripted client, in both eras of the protocol: how many calls,
// errors, bytes and tokens each takes. week.json has the numbers, which may not grow: UPDATE_WEEK=1 writes it anew.
// MAIN=week.mjs t/npm mcp runs it alone.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDaemon } from "./daemon.mjs";
import { newReport } from "./report.mjs";

const ERAS = ["2025-11-25", "2026-07-28"];
const EXPECTED = "week.json";
const BYTES_OF_TOKEN = 4.2; // of tools and answers in o200k, about
const SLACK = 1.02; // ids and times differ from run to run
const META = "io.modelcontextprotocol/";
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

// A client without an SDK: what it counts is what goes over the wire.
function newClient(url, token, era) {
	const isModern = era > "2026",
		count = { calls: 0, errors: 0, sent: 0, received: 0 };
	let id = 0;

	async function post(method, params = {}, isCounted = true) {
		const meta = {
			[`${META}protocolVersion`]: era,
			[`${META}clientInfo`]: { name: "week", version: "1" },
			[`${META}clientCapabilities`]: {},
		};
		const body = JSON.stringify({
			jsonrpc: "2.0",
			id: ++id,
			method,
			params: isModern ? { ...params, _meta: meta } : params,
		});
		const response = await fetch(url, {
			method: "POST",
			headers: {
				Authorization: `Bearer ${token}`,
				"Content-Type": "application/json",
				Accept: "application/json, text/event-stream",
				"MCP-Protocol-Version": era,
				"Mcp-Method": method,
				"Mcp-Name": params.name ?? params.uri ?? "",
			},
			body,
		});
		const text = await response.text(),
			{ result, error } = JSON.parse(text);

		if (isCounted) {
			count.calls++;
			count.sent += body.length;
			count.received += text.length;
		}
		if (error || result?.isError) count.errors++;
		if (error) throw new Error(`${method}: ${error.message}`);
		return result;
	}
	return {
		count,
		post,
		async call(name, args = {}, isCounted = true) {
			const result = await post("tools/call", { name, arguments: args }, isCounted);
			assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
			return result.structuredContent;
		},
		start: () =>
			isModern
				? post("server/discover")
				: post("initialize", {
						protocolVersion: era,
						capabilities: {},
						clientInfo: { name: "week", version: "1" },
					}),
	};
}

const entry = (id, slug, title) =>
	`<item><title>${title}</title><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type>` +
	`<wp:post_name>${slug}</wp:post_name><wp:status>publish</wp:status>` +
	`<content:encoded><![CDATA[<p>${title}, long ago.</p>]]></content:encoded></item>`;
const EXPORT =
	`<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"` +
	` xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Old site</title>` +
	`<wp:wxr_version>1.2</wp:wxr_version>${entry(1, "first", "First")}${entry(2, "second", "Second")}</channel></rss>`;

// Asks for the progress of an import until it has ended. How often is no matter of the client: it is not counted.
async function finished(call, id) {
	for (;;) {
		const { job } = await call("import", { action: "progress", job: id }, false);
		if (job.state === "done") return job;
		assert.ok(["queued", "running"].includes(job.state), JSON.stringify(job));
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

const op = (name, args) => ({ op: name, arguments: args });
const image = (i) => Buffer.concat([Buffer.from(PNG, "base64"), Buffer.from(`${i}`)]);

// ---- the tasks. `s` has the values that later ones need. ----

const TASKS = {
	"meets the site": async ({ start, post, call }) => {
		await start();
		assert.ok((await post("tools/list")).tools.length > 80);
		assert.match((await post("resources/read", { uri: "stet://guide" })).contents[0].text, /Sentence case/);
		assert.equal((await call("schema_list_collections")).items.length, 0);
		assert.deepEqual((await post("prompts/get", { name: "weekly_review" })).messages.length, 1);
	},
	"a collection with fields, in one call": async ({ call }) => {
		const field = (slug, type, rest) =>
			op("schema_create_field", { collection: "news", slug, label: slug, type, ...rest });
		const { failed } = await call("batch", {
			atomic: true,
			calls: [
				op("schema_create_collection", {
					slug: "news",
					label: "News",
					supports: ["drafts", "revisions", "scheduling", "search", "seo"],
					hasSeo: true,
				}),
				field("title", "string", { required: true, searchable: true }),
				field("body", "portableText", { searchable: true }),
				field("cover", "image"),
				field("place", "string", { indexed: true }),
				field("related", "reference", { options: { collection: "news", allowMultiple: true } }),
				field("mood", "select", { validation: { options: ["calm", "cross"] } }),
			],
		});
		assert.equal(failed, 0);
		await call("search_enable", { collection: "news", enabled: true });
	},
	"five small images": async ({ call, s }) => {
		s.media = [];
		for (let i = 0; i < 5; i++) {
			const { item } = await call("media_upload", {
				filename: `quay-${i}.png`,
				contentType: "image/png",
				base64: image(i).toString("base64"),
				alt: `The quay at ${i} o'clock`,
			});
			s.media.push(item);
		}
	},
	"one larger image by its upload address": async ({ call, s, here }) => {
		const bytes = Buffer.concat([image("large"), Buffer.alloc(300000, 7)]);
		const target = await call("media_get_upload_url", {
			filename: "harbour.png",
			contentType: "image/png",
			size: bytes.length,
		});
		const answer = await fetch(here(target.uploadUrl), {
			method: target.method ?? "PUT",
			headers: { "Content-Type": "image/png", ...(target.headers ?? {}) },
			body: bytes,
		});
		assert.ok(answer.ok, `${answer.status} ${await answer.text()}`);
		await call("media_confirm_upload", { id: target.mediaId });
		s.large = target.mediaId;
	},
	"a taxonomy, a byline and four articles": async ({ call, s }) => {
		const { results } = await call("batch", {
			atomic: true,
			calls: [
				op("taxonomy_create", {
					name: "topics",
					label: "Topics",
					hierarchical: true,
					collections: ["news"],
				}),
				op("taxonomy_create_term", { taxonomy: "topics", slug: "city", label: "City" }),
				op("taxonomy_create_term", { taxonomy: "topics", slug: "harbour", label: "Harbour" }),
				op("taxonomy_create_term", { taxonomy: "topics", slug: "market", label: "Market" }),
				op("byline_create", { displayName: "Ann Quay", isGuest: true }),
			],
		});
		s.terms = results.slice(1, 4).map(({ data }) => (data.term ?? data).id);
		s.byline = results[4].data.id;
		s.articles = [];
		for (const title of ["The quay opens", "Fish market moves", "A new bridge", "Trams at night"]) {
			const { item } = await call("content_create", {
				collection: "news",
				data: {
					title,
					body: `# ${title}\n\nOn Monday the *city* said so.\n\n- first\n- second\n`,
					cover: s.media[0].id,
					place: "Quay",
					related: s.articles.map(({ id }) => id),
				},
				taxonomies: { topics: ["city"] },
				bylines: [{ bylineId: s.byline }],
				seo: { title: `${title} - News` },
			});
			s.articles.push(item);
		}
	},
	"a picture inside a text": async ({ call, s }) => {
		const where = { collection: "news", id: s.articles[0].id };
		const { item, _rev } = await call("content_get", { ...where, fields: "body", markdown: true });
		await call("content_update", {
			...where,
			_rev,
			data: { body: `${item.data.body}\n\n![The quay](${s.media[1].url})\n` },
		});
		assert.equal((await call("media_get", { id: s.media[1].id, includeUsage: true })).usage?.count ?? 1, 1);
	},
	"four are published together": async ({ call }) => {
		const { items } = await call("content_list", { collection: "news", fields: "_rev" });
		const { failed } = await call("batch", {
			atomic: true,
			calls: items.map(({ id, _rev }) => op("content_publish", { collection: "news", id, _rev })),
		});
		assert.equal(failed, 0);
	},
	"one is translated, and scheduled": async ({ call, s }) => {
		const { item } = await call("content_create", {
			collection: "news",
			locale: "de",
			translationOf: s.articles[0].id,
			data: { title: "Der Kai öffnet", body: "Am Montag sagte es die *Stadt*." },
		});
		await call("content_schedule", {
			collection: "news",
			id: item.id,
			scheduledAt: "2099-01-01T08:00:00Z",
		});
	},
	"a typo in thirty published items": async ({ call }) => {
		await call("batch", {
			atomic: true,
			calls: Array.from({ length: 30 }, (_, i) =>
				op("content_create", {
					collection: "news",
					status: "published",
					data: { title: `Tide table ${i}`, body: "High watre at noon." },
				}),
			),
		});
		const change = { collection: "news", find: "watre", with: "water" };
		assert.equal((await call("content_replace", { ...change, dry_run: true })).items.length, 30);
		const { items } = await call("content_replace", change);
		const { failed } = await call("batch", {
			atomic: true,
			calls: items.map(({ id, _rev }) => op("content_publish", { collection: "news", id, _rev })),
		});
		assert.equal(failed, 0);
	},
	"terms are moved, renamed and ordered": async ({ call, s }) => {
		const [city, harbour, market] = s.terms;
		const { failed } = await call("batch", {
			atomic: true,
			calls: [
				op("taxonomy_update_term", { taxonomy: "topics", termSlug: "harbour", parentId: city }),
				op("taxonomy_update_term", { taxonomy: "topics", termSlug: "market", parentId: city }),
				op("taxonomy_update_term", { taxonomy: "topics", termSlug: "city", label: "The city" }),
			],
		});
		assert.equal(failed, 0);
		await call("term_reorder", { taxonomy: "topics", parentId: city, ids: [market, harbour] });
	},
	"a menu of four": async ({ call, s }) => {
		await call("menu_create", { name: "main", label: "Main" });
		await call("menu_set_items", {
			name: "main",
			items: [
				{ label: "Home", type: "custom", customUrl: "/" },
				{ label: "News", type: "custom", customUrl: "/news" },
				{
					label: "Quay",
					type: "collection",
					referenceCollection: "news",
					referenceId: s.articles[0].id,
					parentIndex: 1,
				},
				{ label: "About", type: "custom", customUrl: "/about" },
			],
		});
	},
	"an edit is compared and taken back": async ({ call, s }) => {
		const where = { collection: "news", id: s.articles[1].id };
		const { _rev } = await call("content_get", { ...where, fields: "title" });
		const written = await call("content_update", { ...where, _rev, data: { title: "Market moves again" } });
		assert.equal((await call("content_compare", where)).hasChanges, true);
		await call("content_discard_draft", { ...where, _rev: written._rev });
	},
	"one is thrown away and comes back": async ({ call, s }) => {
		const where = { collection: "news", id: s.articles[2].id };
		await call("content_delete", where);
		assert.equal((await call("content_list_trashed", { collection: "news" })).items.length, 1);
		await call("content_restore", where);
		await call("revision_list", { ...where, limit: 5 });
	},
	"images that nobody uses": async ({ call, s }) => {
		await call("media_usage_repair", { scope: "all" });
		assert.ok((await call("media_list", { unused: true })).items.some(({ id }) => id === s.media[4].id));
		await call("media_delete", { id: s.media[4].id, ifUnused: true });
		const used = await call("media_delete", { id: s.media[0].id, dry_run: true });
		assert.equal(used.dryRun, true);
	},
	"questions of a reader": async ({ call }) => {
		const { items } = await call("content_answer_context", {
			q: "When is high water?",
			collections: "news",
		});
		assert.ok(items[0].text.includes("noon"), items[0].text);
		assert.ok((await call("search", { query: "market", limit: 5 })).items.length > 0);
	},
	"comments of readers": async ({ call, s, comment }) => {
		await comment(s.articles[0].id, "What a lovely quay");
		await comment(s.articles[0].id, "Buy cheap watches");
		const { items } = await call("comment_list", { status: "pending" });
		assert.equal(items.length, 2);
		const id = (text) => items.find(({ body }) => body.includes(text)).id;
		await call("comment_moderate", { ids: [id("lovely")], status: "approved" });
		await call("comment_moderate", { ids: [id("watches")], status: "spam" });
	},
	"what a deletion would take": async ({ call }) => {
		const whole = await call("schema_delete_collection", { slug: "news", force: true, dry_run: true });
		assert.ok(whole.removes.items > 30, JSON.stringify(whole));
		const terms = await call("taxonomy_delete", { name: "topics", dry_run: true });
		assert.equal(terms.removes.terms, 3);
		assert.ok((await call("schema_list_collections")).items.length === 1);
	},
	"a preview for a colleague": async ({ call, s }) => {
		const { url } = await call("content_preview_url", { collection: "news", id: s.articles[3].id });
		assert.ok(url.includes("_preview="), url);
		await call("note_write", { collection: "news", id: s.articles[3].id, body: "Is the date right?" });
	},
	"an article is read, and described": async ({ call, post, s }) => {
		const uri = `stet://item/news/${s.articles[0].id}`;
		const { contents } = await post("resources/read", { uri });
		assert.match(contents[0].text, /On Monday the \*city\* said so/);
		await call("media_update", { id: s.media[2].id, alt: "Boats at the quay, seen from the bridge" });
	},
	"an old site is imported": async ({ call }) => {
		const { analysis, analysisId } = await call("import", { action: "analyze", text: EXPORT });
		assert.deepEqual(
			analysis.postTypes.map(({ name, count }) => [name, count]),
			[["post", 2]],
		);
		const run = async (action) => {
			const { job } = await call("import", { action, analysisId, config: { importMedia: false } });
			return finished(call, job.id);
		};
		assert.equal((await run("plan")).result.items.created, 2);
		const done = await run("start");
		assert.equal(done.result.items.created, 2);
		const { items } = await call("import", { action: "report", job: done.id });
		assert.deepEqual(
			items.map(({ outcome }) => outcome),
			["created", "created"],
		);
		assert.equal((await call("content_list", { collection: "posts", fields: "slug" })).items.length, 2);
	},
	"the library is put in order": async ({ call, s }) => {
		const { item } = await call("media_folders", { action: "create", name: "Quay" });
		await call("media_update", { id: s.media[2].id, folderId: item.id });
		assert.equal((await call("media_list", { folderId: item.id })).items.length, 1);
	},
	"the schema is planned, and applied": async ({ call }) => {
		const change = {
			collections: [
				{ slug: "news", fields: [{ slug: "tide", label: "Tide", type: "string" }] },
				{
					slug: "boats",
					label: "Boats",
					fields: [{ slug: "name", label: "Name", type: "string" }],
				},
			],
		};
		const planned = await call("schema_apply", { ...change, dry_run: true });
		assert.equal(planned.steps.length, 3);
		assert.deepEqual((await call("schema_apply", change)).steps, planned.steps);
	},
	"what has been done": async ({ call }) => {
		assert.ok((await call("audit_log", { limit: 20 })).items.length === 20);
	},
	"the last hour is looked at again": async ({ call }) => {
		const { dryRun, items } = await call("session_undo", { max_bytes: 8000 });
		assert.equal(dryRun, true);
		assert.ok(items.length > 0);
	},
};

// ---- the run ----

async function runEra(report, era) {
	const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-week-"));
	const daemon = await startDaemon({
		build: process.env.STET_BUILD,
		work,
		origin: "http://127.0.0.1",
		more: `    locales = { "en", "de" }\n`,
	});
	const rows = {};

	try {
		const api = `${daemon.url}/_cms/api`,
			token = daemon.token("admin"),
			client = newClient(`${api}/mcp`, token, era),
			s = {};
		const ask = (method, url, body, who = token) =>
			fetch(`${api}${url}`, {
				method,
				headers: {
					"Content-Type": "application/json",
					"X-CMS-Request": "1",
					...(who && { Authorization: `Bearer ${who}` }),
				},
				body: JSON.stringify(body),
			});
		// An address of the site, as this process reaches it.
		const here = (address) => address.replace(/^http:\/\/127\.0\.0\.1(?=\/)/, daemon.url);
		const comment = async (id, body) => {
			await ask("PUT", "/schema/collections/news", { commentsEnabled: true });
			const answer = await ask(
				"POST",
				`/comments/news/${id}`,
				{ authorName: "Rita", authorEmail: "rita@example.org", body },
				null,
			);
			assert.ok(answer.ok, await answer.text());
		};

		await ask("PUT", "/guide", { text: "Sentence case in titles. No exclamation marks.\n" });
		for (const [name, task] of Object.entries(TASKS)) {
			const before = { ...client.count };
			await report.test(`week, ${era}: ${name}`, () => task({ ...client, s, here, comment }));
			const row = {};
			for (const key of Object.keys(before)) row[key] = client.count[key] - before[key];
			row.tokens = Math.ceil((row.sent + row.received) / BYTES_OF_TOKEN);
			rows[name] = row;
		}
	} finally {
		await daemon.stop();
		fs.rmSync(work, { recursive: true, force: true });
	}
	return rows;
}

const sum = (rows, key) => Object.values(rows).reduce((n, row) => n + row[key], 0);

function compare(rows, expected) {
	for (const [name, row] of Object.entries(rows)) {
		const was = expected?.[name];

		assert.ok(was, `${name} is not in ${EXPECTED}: UPDATE_WEEK=1`);
		for (const [key, n] of Object.entries(row))
			assert.ok(
				n <= Math.ceil(was[key] * (key === "calls" ? 1 : SLACK)),
				`${name}: ${key} ${was[key]} -> ${n}`,
			);
	}
}

export async function runWeek({ report }) {
	const here = import.meta.dirname,
		source = process.env.STET_SOURCE ?? path.join(process.env.STET_BUILD, ".."),
		all = {};

	for (const era of ERAS) {
		all[era] = await runEra(report, era);
		const [calls, errors, sent, received, tokens] = ["calls", "errors", "sent", "received", "tokens"].map(
			(key) => sum(all[era], key),
		);
		report.note(`${era}: ${calls} calls, ${errors} errors, ${sent} + ${received} bytes, ${tokens} tokens`);
	}
	if (process.env.UPDATE_WEEK) {
		fs.writeFileSync(path.join(source, "t/mcp", EXPECTED), `${JSON.stringify(all, null, "\t")}\n`);
		return;
	}
	const expected = JSON.parse(fs.readFileSync(path.join(here, EXPECTED), "utf8"));
	for (const era of ERAS)
		await report.test(`week, ${era}: no task costs more than it did`, () =>
			compare(all[era], expected[era]),
		);
}

if (process.env.MAIN === "week.mjs") {
	const report = newReport();
	await runWeek({ report });
	report.end();
}
