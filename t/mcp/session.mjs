// session.mjs - an editor's day at a site, through the official TypeScript SDKs: version 1, which shakes hands,
// and version 2, whose requests stand alone. The SDKs validate what a tool answers against its outputSchema.
import * as two from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";
import { runCorpus } from "./corpus.mjs";
import { checkDialect, checkList } from "./list.mjs";

const ME = { name: "stet-mcp-test", version: "1.0" };

const SDKS = [
	{
		name: "SDK 1, 2025-11-25",
		prefix: "one",
		connect: async (url, requestInit) => {
			const client = new Client(ME);
			await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
			return client;
		},
	},
	{
		name: "SDK 2, 2026-07-28",
		prefix: "two",
		connect: async (url, requestInit) => {
			const client = new two.Client(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
			await client.connect(new two.StreamableHTTPClientTransport(url, { requestInit }));
			return client;
		},
	},
];

// One client, with a token of its own; remembers which tools were called.
async function open(sdk, url, token) {
	const client = await sdk.connect(new URL(url), { headers: { Authorization: `Bearer ${token}` } });
	const { tools } = await client.listTools();
	const called = new Set();
	const run = (name, args) => {
		called.add(name);
		return client.callTool({ name, arguments: args });
	};

	return {
		tools,
		called,
		close: () => client.close(),
		server: () => client.getServerVersion(),
		raw: run,
		// Calls a tool and returns its structured result; checks that the text has the same content.
		async call(name, args) {
			const result = await run(name, args);
			const [{ text }] = result.content;

			assert.ok(!result.isError, `${name}: ${text}`);
			const said = JSON.parse(text);
			assert.deepEqual(result.structuredContent, Array.isArray(said) ? { items: said } : said, name);
			return result.structuredContent;
		},
		async refused(code, name, args) {
			const result = await run(name, args);
			const [{ text }] = result.content;

			assert.equal(result.isError, true, `${name} is not refused: ${text}`);
			assert.equal(result._meta.code, code, text);
			assert.ok(text.startsWith(`[${code}] `), text);
			return text;
		},
	};
}

// ---- the steps, in order. `s` has the values that later steps need. A step may return a note for the report. ----

const STEPS = {
	"the server says who it is": async ({ client }) => {
		assert.equal(client.server().name, "stet");
	},
	"the list is one that hosts take": async ({ client }) => {
		checkList(client.tools);
		checkDialect(client.tools, false);
	},
	"each tool is described in the strictest dialect": async ({ client, post }) => {
		const described = [];

		for (const { name } of client.tools) {
			const params = { name: "tools_describe", arguments: { name } };
			const { result } = await post("tools/call", params, "?tools=compact");
			described.push(result.structuredContent);
		}
		checkDialect(described, true);
	},
	"a collection with fields": async ({ client, s }) => {
		const field = (slug, type, rest) =>
			client.call("schema_create_field", { collection: s.notes, slug, label: slug, type, ...rest });

		await client.call("schema_create_collection", {
			slug: s.notes,
			label: "Notes",
			labelSingular: "Note",
			supports: ["drafts", "revisions", "scheduling", "search"],
		});
		await field("title", "string", { required: true, searchable: true });
		await field("body", "text", { searchable: true });
		await field("stars", "integer", { indexed: true, validation: { min: 1, max: 5 } });
		await field("mood", "select", { validation: { options: ["calm", "cross"] } });
		await field("spare", "string");
		await client.call("schema_update_field", { collection: s.notes, fieldSlug: "spare", label: "Spare" });
		await client.call("schema_delete_field", { collection: s.notes, fieldSlug: "spare" });
		await client.call("schema_update_collection", { slug: s.notes, description: "What came to mind" });

		const { fields } = await client.call("schema_get_collection", { slug: s.notes });
		assert.deepEqual(fields.map((f) => f.slug).sort(), ["body", "mood", "stars", "title"]);
		const { items } = await client.call("schema_list_collections");
		assert.ok(items.some((c) => c.slug === s.notes));
	},
	drafts: async ({ client, s }) => {
		const create = (title, data) =>
			client.call("content_create", { collection: s.notes, data: { title, ...data } });

		s.first = (await create("Quince jelly", { body: "Boil the quinces.", stars: 4, mood: "calm" })).item;
		s.second = (await create("Second thoughts", { stars: 2 })).item;
		assert.equal(s.first.status, "draft");
		assert.equal(s.first.slug, "quince-jelly");

		const page = await client.call("content_list", {
			collection: s.notes,
			status: "draft",
			limit: 1,
			orderBy: "stars",
			order: "desc",
		});
		assert.deepEqual(
			page.items.map((i) => i.id),
			[s.first.id],
		);
		const rest = await client.call("content_list", {
			collection: s.notes,
			status: "draft",
			limit: 1,
			orderBy: "stars",
			order: "desc",
			cursor: page.nextCursor,
		});
		assert.deepEqual(
			rest.items.map((i) => i.id),
			[s.second.id],
		);
		const { included } = await client.call("content_list", {
			collection: s.notes,
			include: "terms,translations",
		});
		assert.deepEqual(included, { terms: {}, items: {}, links: {}, truncated: false });
	},
	"arguments in the shapes that hosts send": async ({ client, post, s }) => {
		const { item } = await client.call("content_create", {
			collection: s.notes,
			data: { title: "Shapes" },
		});
		const where = { collection: s.notes, id: item.id };
		const rev = async () => (await client.call("content_get", where))._rev;

		return runCorpus({ post, notes: s.notes, id: item.id, rev });
	},
	"what is wrong is told by its name, all at once": async ({ client, s }) => {
		const text = await client.refused("VALIDATION_ERROR", "content_create", {
			collection: s.notes,
			data: { title: "", stars: 9, mood: "odd", colour: "red" },
		});

		for (const member of ["title", "stars", "mood", "colour"]) assert.ok(text.includes(member), text);
		await client.refused("NOT_FOUND", "content_list", { collection: "nowhere" });
		await client.refused("VALIDATION_ERROR", "content_list", { collection: s.notes, limit: 101 });
		await client.refused("VALIDATION_ERROR", "content_publish", { collection: s.notes, id: s.first.id });
		await assert.rejects(client.raw("no_such_tool", {}), (error) => error.code === -32602);
	},
	"a text is replaced in many items": async ({ client, s }) => {
		const { items } = await client.call("content_replace", {
			collection: s.notes,
			find: "quinces",
			with: "quinces",
			dry_run: true,
		});

		assert.equal(items.length, 1);
		assert.equal(items[0].places[0].before, "Boil the ");
	},
	"edited and published": async ({ client, s }) => {
		const where = { collection: s.notes, id: s.first.id };
		const { _rev } = await client.call("content_get", where);
		const updated = await client.call("content_update", {
			...where,
			_rev,
			data: { body: "Boil them gently." },
		});

		await client.refused("CONFLICT", "content_update", { ...where, _rev, data: { body: "Too late" } });
		const { item } = await client.call("content_publish", { ...where, _rev: updated._rev });
		assert.equal(item.status, "published");
		assert.equal(item.data.body, "Boil them gently.");
	},
	"a draft of what is published": async ({ client, s }) => {
		const where = { collection: s.notes, id: s.first.id };
		const rev = async () => (await client.call("content_get", where))._rev;

		const thread = await client.call("note_write", { ...where, body: "Is it ripe?" });

		await client.call("note_write", { ...where, threadId: thread.id, body: "It is", resolved: true });
		assert.equal(
			(await client.call("note_list", { ...where, state: "resolved" })).items[0].replies.length,
			1,
		);
		await client.call("review_decide", { ...where, action: "ask" });
		assert.equal((await client.call("review_list", { for: "all" })).items.length, 1);
		await client.call("review_decide", { ...where, action: "return", message: "Riper" });
		await client.call("content_update", { ...where, _rev: await rev(), data: { title: "Quince cheese" } });
		const compared = await client.call("content_compare", where);
		assert.equal(compared.hasChanges, true);
		assert.equal(compared.live.title, "Quince jelly");
		assert.equal(compared.draft.title, "Quince cheese");
		await client.call("content_discard_draft", { ...where, _rev: await rev() });
		await client.call("content_update", { ...where, _rev: await rev(), data: { title: "Quince paste" } });
		const { item } = await client.call("content_publish", { ...where, _rev: await rev() });
		assert.equal(item.data.title, "Quince paste");
	},
	revisions: async ({ client, s }) => {
		const where = { collection: s.notes, id: s.first.id };
		const { items } = await client.call("revision_list", where);

		assert.ok(items.length >= 2);
		await client.call("revision_restore", { revisionId: items.at(-1).id });
		const compared = await client.call("content_compare", where);
		assert.equal(compared.live.title, "Quince paste");
		assert.equal(compared.draft.title, "Quince jelly");
	},
	"scheduled, and not; published, and not": async ({ client, s }) => {
		const where = { collection: s.notes, id: s.second.id };
		const { item } = await client.call("content_schedule", {
			...where,
			scheduledAt: "2099-01-01T00:00:00Z",
		});

		assert.equal(item.scheduledAt, "2099-01-01T00:00:00.000Z");
		assert.equal((await client.call("content_unschedule", where)).item.scheduledAt ?? null, null);
		const published = await client.call("content_publish", {
			...where,
			_rev: (await client.call("content_get", where))._rev,
		});
		const back = await client.call("content_unpublish", { ...where, _rev: published._rev });
		assert.equal(back.item.status, "draft");
	},
	"released with others, and undone": async ({ client, s }) => {
		const add = [{ type: "item", collection: s.notes, item: s.second.id }];
		const { release } = await client.call("release_save", { name: `Spring of ${s.notes}`, add });

		assert.equal(release.changes[0].does, "publish");
		assert.ok((await client.call("release_get")).items.length > 0);
		await client.call("release_publish", { id: release.id });
		assert.equal((await client.call("release_get", { id: release.id })).release.status, "published");
		await client.call("release_undo", { id: release.id });
	},
	"copied, trashed, restored, gone": async ({ client, s }) => {
		const { item } = await client.call("content_duplicate", { collection: s.notes, id: s.second.id });
		const where = { collection: s.notes, id: item.id };
		const trashed = async () =>
			(await client.call("content_list_trashed", { collection: s.notes })).items.map((i) => i.id);

		await client.call("content_translations", where);
		await client.call("content_delete", where);
		assert.deepEqual(await trashed(), [item.id]);
		await client.call("content_restore", where);
		assert.deepEqual(await trashed(), []);
		await client.call("content_delete", where);
		await client.call("content_permanent_delete", where);
		await client.refused("NOT_FOUND", "content_get", where);
	},
	credits: async ({ client, s }) => {
		const byline = await client.call("byline_create", { displayName: `Ann ${s.prefix}`, isGuest: true });
		const where = { collection: s.notes, id: s.second.id };
		const { _rev } = await client.call("content_get", where);

		await client.call("content_update", {
			...where,
			_rev,
			bylines: [{ bylineId: byline.id, roleLabel: "Words" }],
		});
		const { item } = await client.call("content_get", where);
		assert.equal(item.bylines[0].byline.id, byline.id);
		assert.equal((await client.call("byline_get", { id: byline.id })).displayName, `Ann ${s.prefix}`);
		await client.call("byline_update", { id: byline.id, bio: "Cooks." });
		assert.equal((await client.call("byline_list", { search: s.prefix })).items.length, 1);
		await client.call("byline_translations", { id: byline.id });
		await client.call("byline_delete", { id: byline.id });
	},
	"many calls in one": async ({ client, s, has }) => {
		if (!has("batch")) return "there is no batch here";
		const where = { collection: s.notes, id: s.second.id };
		const { item, _rev } = await client.call("content_get", where);
		const rename = (title) => ({ op: "content_update", arguments: { ...where, _rev, data: { title } } });
		const lost = { op: "content_get", arguments: { collection: s.notes, id: "nothing" } };

		// The second call has an old _rev, so the atomic batch changes nothing.
		await client.refused("CONFLICT", "batch", { atomic: true, calls: [rename("One"), rename("Two")] });
		assert.equal((await client.call("content_get", where)).item.title, item.title);
		const { results, failed } = await client.call("batch", {
			calls: [lost, { op: "content_get", arguments: where }],
		});
		assert.equal(failed, 1);
		assert.equal(results[0].error.code, "NOT_FOUND");
		assert.equal(results[1].data.item.id, s.second.id);
	},
	"found by its words": async ({ client, s }) => {
		await client.call("search_enable", { collection: s.notes, enabled: true });
		const { items } = await client.call("search", { query: "quince paste", collections: [s.notes] });
		assert.deepEqual(
			items.map((i) => i.id),
			[s.first.id],
		);
		assert.deepEqual(
			(await client.call("search", { query: "thoughts", collections: [s.notes] })).items,
			[],
		);
	},
	"passages for a question, and items like one": async ({ client, s }) => {
		const { items } = await client.call("content_answer_context", {
			q: "How are quinces boiled?",
			collections: s.notes,
		});

		assert.equal(items[0].id, s.first.id);
		assert.ok(items[0].text.includes("Boil"), items[0].text);
		const like = await client.call("search_similar", { collection: s.notes, id: s.first.id });
		assert.deepEqual(
			like.items.filter((i) => i.id === s.first.id),
			[],
		);
		const { url } = await client.call("content_preview_url", {
			collection: s.notes,
			id: s.second.id,
			pathPattern: "/{slug}",
		});
		assert.ok(url.includes("_preview="), url);
	},
	"an answer within a budget": async ({ client, s }) => {
		const page = await client.call("content_list", { collection: s.notes, max_bytes: 1000 });
		assert.ok(JSON.stringify(page).length <= 1000);
		const { items } = await client.call("content_list", { collection: s.notes, fields: "title,_rev" });
		const { _rev } = await client.call("content_get", { collection: s.notes, id: items[0].id });
		assert.equal(items[0]._rev, _rev);
	},
	"pictures and the log": async ({ client, s }) => {
		const png =
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
		const { item } = await client.call("media_upload", {
			filename: `${s.prefix}.png`,
			contentType: "image/png",
			base64: png,
		});

		const { content, isError } = await client.raw("media_get", { id: item.id, image: true });
		// Without the program that decodes images there is none.
		if (!isError)
			assert.deepEqual(
				content.map((block) => block.type),
				["text", "image"],
			);
		const { items } = await client.call("audit_log", { op: "media_upload", limit: 1 });
		assert.equal(items.length, 1);
		assert.equal((await client.call("comment_list", {})).untrusted, true);
	},
	"a menu": async ({ client, s }) => {
		const name = `${s.prefix}_main`;

		await client.call("menu_create", { name, label: "Main" });
		await client.call("menu_set_items", {
			name,
			items: [
				{ label: "Notes", type: "custom", customUrl: "/notes" },
				{
					label: "Quinces",
					type: "collection",
					referenceCollection: s.notes,
					referenceId: s.first.id,
					parentIndex: 0,
				},
			],
		});
		const menu = await client.call("menu_get", { name });
		const [top, below] = menu.items;
		assert.equal(below.label, "Quinces");
		assert.equal(below.parentId, top.id);
		await client.call("menu_update", { name, label: "Top" });
		assert.ok((await client.call("menu_list", {})).items.some((m) => m.label === "Top"));
		await client.call("menu_translations", { id: menu.id });
		await client.call("menu_delete", { name });
	},
	"a taxonomy": async ({ client, s, has }) => {
		if (!has("taxonomy_create")) return "there are no taxonomies here";
		const taxonomy = `${s.prefix}_shelf`;
		const term = (slug, rest) =>
			client.call("taxonomy_create_term", { taxonomy, slug, label: slug, ...rest });

		await client.call("taxonomy_create", {
			name: taxonomy,
			label: "Shelves",
			hierarchical: true,
			collections: [s.notes],
		});
		const fruit = await term("fruit");
		await term("quinces", { parentId: (fruit.term ?? fruit).id });
		const { items } = await client.call("taxonomy_list_terms", { taxonomy });
		assert.deepEqual(items.map((t) => t.slug).sort(), ["fruit", "quinces"]);
		const nuts = await term("nuts");
		const order = [nuts, fruit].map((t) => (t.term ?? t).id);
		await client.call("term_reorder", { taxonomy, ids: order });
		const [first] = (await client.call("taxonomy_list_terms", { taxonomy })).items;
		assert.equal(first.slug, "nuts");
		await client.call("taxonomy_delete_term", { taxonomy, termSlug: "nuts" });

		const where = { collection: s.notes, id: s.second.id };
		const { _rev } = await client.call("content_get", where);
		await client.call("content_update", { ...where, _rev, taxonomies: { [taxonomy]: ["quinces"] } });
		await client.call("taxonomy_update_term", { taxonomy, termSlug: "quinces", label: "Quinces" });
		await client.call("taxonomy_update", { name: taxonomy, label: "Shelf" });
		await client.call("taxonomy_get", { name: taxonomy });
		await client.call("taxonomy_list", {});
		await client.call("taxonomy_delete_term", { taxonomy, termSlug: "quinces" });
		await client.call("taxonomy_delete", { name: taxonomy });
	},
	"sections and widgets": async ({ client, s }) => {
		const slug = `${s.prefix}-call`,
			name = `${s.prefix} side`;
		const content = [
			{
				_type: "block",
				_key: "a",
				style: "normal",
				children: [{ _type: "span", _key: "b", text: "Call us." }],
			},
		];

		await client.call("section_create", { slug, title: "Call us", content });
		await client.call("section_update", { section: slug, title: "Call" });
		assert.deepEqual((await client.call("section_get", { section: slug })).content, content);
		assert.equal((await client.call("section_list", {})).items.length, 1);
		await client.call("section_delete", { section: slug });

		await client.call("widget_area_create", { name, label: "Side" });
		const first = await client.call("widget_create", { name, type: "content", content });
		const second = await client.call("widget_create", { name, type: "menu", menuName: "main" });
		await client.call("widget_update", { name, id: first.id, title: "Us" });
		await client.call("widget_reorder", { name, widgetIds: [second.id] });
		const { widgets } = await client.call("widget_area_get", { name });
		assert.deepEqual(
			widgets.map((w) => w.id),
			[second.id, first.id],
		);
		await client.call("widget_delete", { name, id: first.id });
		assert.equal((await client.call("widget_area_list", {})).items[0].widgetCount, 1);
		await client.call("widget_area_delete", { name });
	},
	"an import, a folder and a schema": async ({ client, s }) => {
		const slug = `${s.prefix}_boats`,
			name = `${s.prefix} boats`;
		const { analysisId } = await client.call("import", {
			action: "analyze",
			text: `slug,title\n${s.prefix}-a,First\n`,
			config: { format: "csv" },
		});
		const { job } = await client.call("import", {
			action: "plan",
			analysisId,
			config: { format: "csv", options: { type: s.notes } },
		});
		await client.raw("import", { action: "cancel", job: job.id }); // it may have ended already
		const { item } = await client.call("media_folders", { action: "create", name });
		await client.call("media_folders", { action: "delete", id: item.id });
		const { steps } = await client.call("schema_apply", {
			collections: [
				{ slug, label: "Boats", fields: [{ slug: "name", label: "Name", type: "string" }] },
			],
		});
		assert.equal(steps.length, 2);
		await client.call("schema_delete_collection", { slug });
		const undo = await client.call("session_undo", {});
		assert.equal(undo.dryRun, true);
	},
	settings: async ({ client, s }) => {
		assert.equal(
			(await client.call("settings_update", { title: s.prefix, postsPerPage: 7 })).postsPerPage,
			7,
		);
		assert.equal((await client.call("settings_get")).title, s.prefix);
	},
	// Tools that no step calls: an error about missing or invalid arguments is fine, but no server error.
	"each other tool answers": async ({ client }) => {
		const filler = { string: "x", integer: 1, number: 1, boolean: true, object: {}, array: [] };
		const others = client.tools.filter(
			(tool) => !client.called.has(tool.name) && !tool.name.startsWith("test_"),
		);

		for (const { name, inputSchema } of others) {
			const members = Object.entries(inputSchema.properties ?? {});
			const args = Object.fromEntries(
				members
					.filter(([key]) => inputSchema.required?.includes(key))
					.map(([key, { type, enum: one }]) => [
						key,
						one?.[0] ?? filler[[type].flat()[0]] ?? "x",
					]),
			);
			const result = await client.raw(name, args);

			assert.ok(
				!result.isError ||
					!/INTERNAL|_ERROR$/.test(result._meta.code.replace("VALIDATION_ERROR", "")),
				`${name}: ${result.content[0].text}`,
			);
		}
		if (others.length > 0) return `no step calls ${others.map((tool) => tool.name).join(" ")}`;
	},
	"several at once": async ({ client, s }) => {
		const where = { collection: s.notes, id: s.first.id };
		const results = await Promise.all(Array.from({ length: 14 }, () => client.call("content_get", where)));

		assert.equal(new Set(results.map((r) => r._rev)).size, 1);
	},
	"images, sounds and resources": async ({ client }) => {
		const { content } = await client.raw("test_multiple_content_types", {});

		assert.deepEqual(
			content.map((block) => block.type),
			["text", "image", "resource"],
		);
	},
	"a token that reads sees and does less": async ({ reader, s }) => {
		const names = reader.tools.map((t) => t.name);

		assert.ok(
			names.includes("content_get") &&
				!names.includes("content_create") &&
				!names.includes("settings_get"),
		);
		assert.equal(
			(await reader.call("content_get", { collection: s.notes, id: s.first.id })).item.id,
			s.first.id,
		);
		const text = await reader.refused("INSUFFICIENT_SCOPE", "content_create", {
			collection: s.notes,
			data: { title: "No" },
		});
		assert.ok(text.includes("content:write"), text);
	},
	"nothing is left": async ({ client, s }) => {
		await client.refused("COLLECTION_HAS_CONTENT", "schema_delete_collection", { slug: s.notes });
		await client.call("schema_delete_collection", { slug: s.notes, force: true });
		await client.refused("NOT_FOUND", "schema_get_collection", { slug: s.notes });
	},
};

async function runSession({ url, report, token }, sdk) {
	const all = token("admin");
	const clients = await report.test(`${sdk.name}: connected`, async () => ({
		client: await open(sdk, url, all),
		reader: await open(sdk, url, token("content:read")),
	}));
	if (clients === undefined) return;

	const { client, reader } = clients;
	const has = (name) => client.tools.some((tool) => tool.name === name);
	// Without an SDK, which would refuse to send some of what hosts send.
	const post = async (method, params, query = "") => {
		const response = await fetch(url + query, {
			method: "POST",
			headers: {
				Authorization: `Bearer ${all}`,
				"Content-Type": "application/json",
				Accept: "application/json, text/event-stream",
			},
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
		});
		return response.json();
	};
	const s = { prefix: sdk.prefix, notes: `${sdk.prefix}_notes` };
	for (const [name, step] of Object.entries(STEPS)) {
		const note = await report.test(`${sdk.name}: ${name}`, () => step({ client, reader, s, has, post }));
		if (note !== undefined) report.note(note);
	}
	await client.close();
	await reader.close();
}

export async function runSessions(context) {
	for (const sdk of SDKS) await runSession(context, sdk);
}
