// writing.mjs - writes, their conflicts, idempotency keys of writes that are sent twice, and the feed of changes.
import { createClient, ConflictError, ExpiredError, StetError } from "@stet/client";
import assert from "node:assert/strict";

const rejected = (promise) =>
	promise.then(
		() => assert.fail("it was not refused"),
		(reason) => reason,
	);

async function items(test, { editor }) {
	await test("an item is created, changed, published, scheduled and deleted", async () => {
		const made = await editor.create("posts", {
			data: { title: "In the works", kind: "note" },
			taxonomies: { topic: ["news"] },
		});
		assert.equal(made.item.status, "draft");
		const { id } = made.item;
		const changed = await editor.update("posts", id, {
			_rev: made._rev,
			data: { kind: "essay", year: 2026 },
		});
		assert.deepEqual([changed.item.data.kind, changed.item.data.title], ["essay", "In the works"]);
		const longer = await editor.patch("posts", id, {
			_rev: changed._rev,
			field: "body",
			blocks: [{ op: "insert_after", value: "A paragraph" }],
		});
		const published = await editor.publish("posts", id, { _rev: longer._rev });
		assert.equal(published.item.status, "published");
		assert.match(JSON.stringify(published.item.data.body), /A paragraph/);
		await editor.update("posts", id, { data: { title: "Staged" } });
		assert.equal((await editor.get("posts", id)).item.liveData.title, "In the works");
		assert.equal((await editor.discardDraft("posts", id)).item.data.title, "In the works");
		assert.equal((await editor.unpublish("posts", id)).item.status, "draft");
		const at = new Date("2099-01-01T00:00:00Z");
		assert.equal((await editor.schedule("posts", id, at)).item.scheduledAt, at.toISOString());
		assert.equal((await editor.unschedule("posts", id)).item.scheduledAt, null);
		assert.equal((await editor.delete("posts", id)).deleted, true);
		assert.equal((await rejected(editor.get("posts", id))).code, "NOT_FOUND");
		await editor.restore("posts", id);
		assert.equal((await editor.get("posts", id)).item.id, id);
		await editor.delete("posts", id);
	});
	await test("an item in another language is named by its locale", async () => {
		const { item } = await editor.update(
			"posts",
			"bonjour",
			{ data: { summary: "Salut" } },
			{ locale: "fr" },
		);
		assert.equal(item.locale, "fr");
		await editor.discardDraft("posts", "bonjour", { locale: "fr" });
		assert.equal(
			(await rejected(editor.update("posts", "bonjour", { data: {} }, { locale: "en" }))).code,
			"NOT_FOUND",
		);
	});
	await test("who comes too late has a ConflictError with what a merge needs, and nothing is written", async () => {
		const { item, _rev } = await editor.create("posts", { data: { title: "Mine" } });
		const theirs = await editor.update("posts", item.id, { _rev, data: { title: "Theirs" } });
		const error = await rejected(editor.update("posts", item.id, { _rev, data: { title: "Too late" } }));
		assert.ok(error instanceof ConflictError && error instanceof StetError, error.stack);
		assert.deepEqual([error.name, error.status, error.code], ["ConflictError", 409, "CONFLICT"]);
		assert.equal(error.currentRev, theirs._rev);
		assert.ok(error.baseRevisionId === undefined || typeof error.baseRevisionId === "string");
		assert.equal((await editor.get("posts", item.id)).item.data.title, "Theirs");
		await editor.update("posts", item.id, { _rev: error.currentRev, data: { title: "Merged" } });
		await editor.delete("posts", item.id);
	});
	await test("all that is wrong with a write is told at once", async () => {
		const error = await rejected(
			editor.create("posts", { data: { title: "x", kind: "poem", year: "then", colour: 1 } }),
		);
		assert.deepEqual([error.status, error.code, error.name], [400, "VALIDATION_ERROR", "StetError"]);
		assert.deepEqual(error.issues.map((one) => one.path).sort(), ["data.colour", "data.kind", "data.year"]);
	});
}

async function keys(test, { editor, url, token }) {
	const count = async (title) => (await editor.list("notes", { q: title, includeTotal: true })).total;

	await test("a write whose answer is lost is carried out once", async () => {
		let sent = 0;
		const client = createClient({
			url,
			token,
			fetch: async (...args) => {
				const answer = await fetch(...args);
				if (sent++ === 0) {
					await answer.text();
					throw new TypeError("the connection is gone");
				}
				return answer;
			},
		});
		const { item } = await client.create("notes", { data: { title: "Lost and found", n: 1000 } });
		assert.equal(sent, 2);
		assert.equal(item.data.n, 1000);
		assert.equal(await count("Lost and found"), 1);
	});
	await test("a key of one's own makes two calls one write", async () => {
		const write = () =>
			editor.create("notes", { data: { title: "Only once", n: 1001 } }, { idempotencyKey: "my-key" });
		const [a, b] = [await write(), await write()];
		assert.equal(a.item.id, b.item.id);
		assert.equal(await count("Only once"), 1);
	});
}

async function feed(test, { editor, reader, site }) {
	await test("the feed tells of a write, and goes on where it was left", async () => {
		const since = await reader.cursor();
		const { item } = await editor.create("notes", {
			status: "published",
			data: { title: "News", n: 2000 },
		});
		await editor.update("notes", item.id, { status: "published", data: { title: "Newer" } });
		await editor.delete("notes", item.id);
		const seen = [];
		for await (const change of reader.changes({ since, wait: 0 })) seen.push(change);
		assert.deepEqual(
			seen.map((one) => [one.kind, one.collection, one.id, one.change]),
			["publish", "publish", "remove"].map((change) => ["content", "notes", item.id, change]),
		);
		const after = [];
		for await (const change of reader.changes({ since: seen.at(-1).cursor, wait: 0 })) after.push(change);
		assert.deepEqual(after, []);
	});
	await test("the feed of a term tells what has it, gets it or loses it", async () => {
		const since = await reader.cursor();
		const { item } = await editor.create("posts", {
			status: "published",
			data: { title: "Tagged" },
			taxonomies: { topic: ["sport"] },
		});
		await editor.create("notes", { status: "published", data: { title: "Other", n: 2001 } });
		await editor.update("posts", item.id, { taxonomies: { topic: [] }, status: "published" });
		await editor.delete("posts", item.id);
		const seen = [];
		for await (const change of reader.changes({
			since,
			wait: 0,
			term: { topic: ["sport"] },
			collection: "posts",
		}))
			seen.push([change.id, change.change]);
		assert.deepEqual(seen, [
			[item.id, "publish"],
			[item.id, "publish"],
		]);
	});
	await test("from any change on, the feed leaves none out", async () => {
		const since = await editor.cursor();
		for (let n = 0; n < 7; n++) await editor.create("notes", { data: { title: "Step", n: 3000 + n } });
		const all = [];
		for await (const change of editor.changes({ since, limit: 3, wait: 0 })) all.push(change);
		assert.equal(all.length, 7);
		for (const [i, { cursor }] of all.entries()) {
			const rest = [];
			for await (const change of editor.changes({ since: cursor, limit: 3, wait: 0 }))
				rest.push(change.id);
			const wanted = all.slice(i + 1).map((one) => one.id);
			assert.deepEqual(rest.slice(rest.length - wanted.length), wanted);
			assert.ok(rest.length - wanted.length < 3, "only changes of the page come again");
		}
	});
	await test("the feed waits for a change, and ends quietly by its signal", async () => {
		const stop = new AbortController(),
			began = Date.now();
		const changes = reader.changes({ since: await reader.cursor(), signal: stop.signal, wait: 20 });
		const first = changes.next();
		const { item } = await editor.create("people", { status: "published", data: { name: "Ben" } });
		const { value, done } = await first;
		assert.deepEqual([value.collection, value.id, done], ["people", item.id, false]);
		const next = changes.next();
		stop.abort();
		assert.deepEqual(await next, { value: undefined, done: true });
		assert.ok(Date.now() - began < 15_000, "it did not wait for the end of the time");
		for await (const _ of reader.changes({ signal: AbortSignal.timeout(100), wait: 20 }))
			assert.fail("nothing has changed");
	});
	await test("a cursor from before a gap is an ExpiredError", async () => {
		const since = await reader.cursor();
		await site.ask("POST", "/admin/plugins/changes/disable");
		await editor.create("notes", { data: { title: "Unheard", n: 4000 } });
		await site.ask("POST", "/admin/plugins/changes/enable");
		const error = await rejected(reader.changes({ since, wait: 0 }).next());
		assert.ok(error instanceof ExpiredError && error instanceof StetError, error.stack);
		assert.deepEqual([error.status, error.code], [410, "CURSOR_EXPIRED"]);
		for await (const _ of reader.changes({ since: await reader.cursor(), wait: 0 }))
			assert.fail("a new cursor begins now");
	});
}

export async function testWriting(test, context) {
	for (const part of [items, keys, feed]) await part(test, context);
}
