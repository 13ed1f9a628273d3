// reading.mjs - the reads of a web site: lists, items, related records, search, previews, files.
import {
	createClient,
	StetError,
	bylinesOf,
	mediaOf,
	reference,
	references,
	termsOf,
	translationsOf,
} from "@stet/client";
import assert from "node:assert/strict";
import { NOTES } from "./site.mjs";

const slugs = (page) => page.items.map((one) => one.slug);
const refused = async (promise, status, code) => {
	const error = await promise.then(
		() => assert.fail(`${code} was expected`),
		(reason) => reason,
	);

	assert.ok(error instanceof StetError, error.stack);
	assert.deepEqual([error.status, error.code], [status, code]);
	return error;
};

async function lists(test, { editor, reader }) {
	await test("a list has its page, its total and where it goes on", async () => {
		const page = await editor.list("posts", {
			limit: 2,
			includeTotal: true,
			locale: "en",
			orderBy: "createdAt",
			order: "asc",
		});
		assert.deepEqual(slugs(page), ["hello", "second"]);
		assert.equal(page.total, 4);
		const rest = await editor.list("posts", {
			limit: 2,
			locale: "en",
			orderBy: "createdAt",
			order: "asc",
			cursor: page.nextCursor,
		});
		assert.deepEqual(slugs(rest), ["third", "unfinished"]);
		assert.equal(rest.nextCursor, undefined);
	});
	await test("who may not read drafts gets none", async () => {
		assert.deepEqual(slugs(await reader.list("posts", { locale: "en" })).sort(), [
			"hello",
			"second",
			"third",
		]);
	});
	await test("conditions and groups are those of the server", async () => {
		const asked = async (fieldFilters) =>
			slugs(await editor.list("posts", { fieldFilters, locale: "en", orderBy: "year" })).reverse();
		assert.deepEqual(await asked({ kind: "essay" }), ["second", "third"]);
		assert.deepEqual(await asked({ year: { between: [2000, 2010] } }), ["hello", "third"]);
		assert.deepEqual(await asked({ year: { gt: 1999, lte: 2010 }, kind: { ne: "note" } }), ["third"]);
		assert.deepEqual(await asked({ or: [{ seen: true }, { title: { startsWith: "Un" } }] }), [
			"hello",
			"unfinished",
		]);
		assert.deepEqual(await asked({ not: { year: { in: [1999, 2010] } } }), ["hello", "unfinished"]);
		assert.deepEqual(await asked({ createdAt: { lt: new Date(0) } }), []);
		assert.deepEqual(await asked({ tags: { has: "a" } }), ["hello"]);
		assert.deepEqual(await asked({ title: { contains: "THIRD" } }), ["third"]);
		assert.deepEqual(await asked({ tags: { has: "a" }, not: { title: { contains: "third" } } }), ["hello"]);
		assert.deepEqual(await asked({ kind: "essay", not: { related: { isNull: true } } }), ["second"]);
	});
	await test("terms of two taxonomies, excluded ones and trees are asked by an object", async () => {
		const asked = async (terms) => slugs(await reader.list("posts", { terms, locale: "en", order: "asc" }));
		assert.deepEqual(await asked({ topic: "news" }), ["hello", "third"]);
		assert.deepEqual(await asked({ topic: ["news", "world"] }), ["hello", "second", "third"]);
		assert.deepEqual(await asked({ topic: ["news", "!sport"] }), ["hello"]);
		assert.deepEqual(await asked({ topic: "news/*" }), ["hello", "second", "third"]);
		assert.deepEqual(await asked("topic:world"), ["second"]);
	});
	await test("an order of two keys is a list of them", async () => {
		const page = await reader.list("posts", { orderBy: ["kind:asc", "year:desc"], locale: "en" });
		assert.deepEqual(slugs(page), ["third", "second", "hello"]);
	});
	await test("a locale falls back where it is asked to", async () => {
		assert.deepEqual(slugs(await reader.list("posts", { locale: "fr" })), ["bonjour"]);
		assert.deepEqual(
			slugs(await reader.list("posts", { locale: "fr", localeFallback: true, order: "asc" })),
			["second", "third", "bonjour"],
		);
	});
	await test("parts of an item are all that is sent", async () => {
		const { item } = await reader.get("posts", "hello", { fields: ["slug", "title", "year"] });
		assert.deepEqual({ ...item, id: "" }, { id: "", slug: "hello", data: { title: "Hello", year: 2001 } });
		const { item: marked } = await reader.get("posts", "hello", { markdown: true });
		assert.equal(marked.data.body.trim(), "A journal about margins begins");
	});
}

async function walks(test, { editor, reader }) {
	await test(`an iterator gives each of ${NOTES} items once, whatever is written meanwhile`, async () => {
		const seen = [];
		for await (const note of reader.all("notes", { limit: 30, orderBy: "n", order: "asc" })) {
			seen.push(note.data.n);
			if (seen.length === 45)
				await editor.create("notes", {
					status: "published",
					data: { title: "Between", n: -1 },
				});
		}
		assert.deepEqual(
			seen,
			Array.from({ length: NOTES }, (_, i) => i),
		);
	});
	await test("pages come as the server made them, and stop when nobody wants more", async () => {
		const sizes = [];
		for await (const page of reader.pages("notes", { limit: 100, fieldFilters: { n: { gte: 0 } } }))
			sizes.push(page.items.length);
		assert.deepEqual(sizes, [100, 100, NOTES - 200]);
		for await (const page of reader.pages("notes", { limit: 10 })) {
			assert.equal(page.items.length, 10);
			break;
		}
	});
}

async function beside(test, { reader, editor, site }) {
	await test("what belongs to items is reached from them", async () => {
		const page = await editor.list("posts", {
			locale: "en",
			order: "asc",
			status: "published",
			include: {
				terms: true,
				bylines: true,
				media: true,
				translations: true,
				references: { author: 1, related: 2 },
			},
		});
		const [hello, second] = page.items;
		assert.equal(reference(page, "people", hello.data.author).data.name, "Ann");
		assert.equal(reference(page, "posts", hello.data.author), null); // the author is an item of another collection
		assert.equal(reference(page, "people", undefined), null);
		assert.equal(reference(page, "people", "constructor"), null);
		assert.deepEqual(
			references(page, "posts", second.data.related).map((one) => one.data.title),
			["Hello"],
		);
		assert.deepEqual(references(page, "posts", hello.data.related), []);
		assert.deepEqual(
			termsOf(page, second, "topic").map((term) => term.label),
			["World"],
		);
		assert.deepEqual(
			termsOf(page, second).map((term) => term.slug),
			["world"],
		);
		assert.deepEqual(termsOf(page, second, "tag"), []);
		assert.deepEqual(
			mediaOf(page, hello).map((one) => one.id),
			[site.picture.id],
		);
		assert.deepEqual(
			translationsOf(page, hello).map((one) => one.slug),
			["bonjour"],
		);
		assert.deepEqual(bylinesOf(page, hello), []);
		assert.equal(page.included.truncated, false);
	});
	await test("an item has neighbours and relatives", async () => {
		const { previous, next } = await reader.neighbors("posts", "second", {
			orderBy: "year",
			order: "asc",
			locale: "en",
			fields: ["slug"],
		});
		assert.deepEqual([previous, next.slug], [null, "hello"]);
		const along = await reader.neighbors("posts", "second", {
			orderBy: ["kind:asc", "year:desc"],
			locale: "en",
		});
		assert.deepEqual(
			[along.previous.slug, along.next.slug, along.next.bylines],
			["third", "hello", undefined],
		);
		const related = await reader.related("posts", "hello", { limit: 5 });
		assert.deepEqual(slugs(related), ["third"]);
	});
	await test("search finds words, and suggests titles", async () => {
		const found = await reader.search("margins", { collections: ["posts"] });
		assert.deepEqual(
			found.items.map((one) => [one.collection, one.slug]),
			[["posts", "hello"]],
		);
		assert.match(found.items[0].snippet, /<mark>margins<\/mark>/);
		assert.deepEqual(
			(await reader.suggest("sec")).items.map((one) => one.title),
			["Second thoughts"],
		);
	});
}

async function previews(test, { editor, reader, url }) {
	await test("a preview shows the newest values to whoever has its token, and nothing else", async () => {
		const anonymous = createClient({ url });
		const { token, url: link } = await editor.previewUrl("posts", "unfinished", {
			expiresIn: "10m",
			pathPattern: "/p/{slug}",
		});
		assert.match(link, /\/p\/unfinished\?_preview=/);
		const { item } = await anonymous.preview("posts", "unfinished", token, { fields: ["title"] });
		assert.equal(item.data.title, "Unfinished");
		await refused(anonymous.preview("posts", "hello", token), 404, "NOT_FOUND");
		await refused(anonymous.preview("posts", "unfinished", `${token}x`), 401, "UNAUTHORIZED");
		await refused(anonymous.get("posts", "unfinished"), 401, "UNAUTHORIZED");
	});
	await test("a release is previewed by whoever has its token, with the rights that they have", async () => {
		const add = [{ type: "item", collection: "posts", item: "unfinished" }];
		const { release } = await editor.call("POST /releases", { name: "Soon", add });
		const { token } = await editor.call("POST /releases/:id/preview-links", { id: release.id });
		const asked = [{ op: "content_list", arguments: { collection: "posts", slug: "unfinished" } }];
		const { name, changes, results } = await reader.previewRelease(token, asked);

		assert.equal(name, "Soon");
		assert.equal(changes[0].does, "publish");
		assert.equal(results[0].data.items[0].data.title, "Unfinished");
		const [nobody] = (await createClient({ url }).previewRelease(token, asked)).results;
		assert.equal(nobody.error.code, "UNAUTHORIZED");
		await refused(reader.previewRelease(`${token}x`), 404, "NOT_FOUND");
		await editor.call("DELETE /releases/:id", { id: release.id });
	});
}

async function files(test, { reader, site, url }) {
	await test("a picture has absolute URLs, the smallest copy that is wide enough, and a srcset", async () => {
		const { item } = await reader.call("GET /media/:id", { id: site.picture.id });
		const whole = reader.mediaUrl(item);
		assert.equal(whole, `${url}/_cms/api/media/file/${item.storageKey}`);
		assert.equal(reader.mediaUrl(item.storageKey), whole);
		const srcset = reader.srcset(item);
		const widths = [...srcset.matchAll(/ (\d+)w/g)].map((found) => Number(found[1]));
		assert.ok(
			widths.length > 1 &&
				srcset.split(", ").every((one) => one.startsWith(`${url}/_cms/api/media/file/`)),
			srcset,
		);
		const small = reader.mediaUrl(item, { width: Math.min(...widths) - 1 });
		assert.ok(srcset.includes(`${small} ${Math.min(...widths)}w`), small);
		assert.equal(reader.mediaUrl(item, { width: 100_000 }), whole);
		assert.match(reader.mediaUrl(item, { preset: "x" }), /\?preset=x$/);
		for (const address of [
			whole,
			small,
			await reader.rendition(item.id, { w: 64, h: 64, fit: "cover", format: "webp" }),
		]) {
			const answer = await fetch(address);
			assert.equal(answer.status, 200, address);
			assert.match(answer.headers.get("content-type"), /^image\//);
		}
	});
	await test("an address that a page must not use is none", () => {
		for (const address of [
			"javascript:alert(1)",
			"data:text/html,x",
			"",
			{ url: null },
			{},
			"http://[",
			{ srcset: "javascript:x 100w" },
		])
			assert.equal(reader.mediaUrl(address, { width: 10 }), "");
		assert.equal(reader.srcset({ srcset: "javascript:x 100w" }), "");
		assert.equal(
			reader.mediaUrl({ src: "https://images.example.org/a.png" }),
			"https://images.example.org/a.png",
		);
		assert.equal(
			createClient({ url: "https://example.org/cms/" }).mediaUrl("KEY"),
			"https://example.org/cms/_cms/api/media/file/KEY",
		);
	});
}

async function calls(test, { reader, editor }) {
	await test("any operation is called by its route or by its name", async () => {
		const menu = await reader.call("GET /menus/:name", { name: "main" });
		assert.equal(menu.items[0].label, "Home");
		assert.deepEqual(await reader.call("menu_get", { name: "main" }), menu);
		const { term } = await editor.call("POST /taxonomies/:taxonomy/terms", {
			taxonomy: "topic",
			slug: "food",
			label: "Food",
		});
		assert.equal(
			(
				await editor.call("DELETE /taxonomies/:taxonomy/terms/:termSlug", {
					taxonomy: "topic",
					termSlug: term.slug,
				})
			).deleted,
			true,
		);
		assert.match(await editor.call("GET /schema", { format: "typescript" }), /interface|type /);
	});
	await test("what is refused says what, in the class of errors", async () => {
		const missing = await refused(reader.get("posts", "nothing"), 404, "NOT_FOUND");
		assert.match(missing.requestId, /\S/);
		await refused(reader.call("GET /nothing"), 404, "NOT_FOUND");
		const wrong = await refused(
			reader.list("posts", { limit: 1000, status: "gone" }),
			400,
			"VALIDATION_ERROR",
		);
		assert.deepEqual(wrong.issues.map((one) => one.path).sort(), ["limit", "status"]);
		const named = await refused(
			editor.call("content_create", { collection: "posts", data: { title: "x", colour: 1 } }),
			400,
			"VALIDATION_ERROR",
		);
		assert.deepEqual(
			named.issues.map((one) => one.path),
			["data.colour"],
		);
		assert.ok(!named.message.includes("calls["), named.message);
		assert.equal(named.message, `${named.summary}: data.colour: ${named.issues[0].message}`);
		assert.equal(
			wrong.message,
			`${wrong.summary}: ${wrong.issues[0].path}: ${wrong.issues[0].message} (and 1 more)`,
		);
		await refused(reader.call("menu_create", { name: "x", label: "X" }), 403, "INSUFFICIENT_SCOPE");
	});
}

async function kept(test, { url, token, editor }) {
	await test("an answer that is kept is used while the server says that it is right", async () => {
		const statuses = [];
		const client = createClient({
			url,
			token,
			cache: 10,
			fetch: async (...args) => {
				const answer = await fetch(...args);
				statuses.push(answer.status);
				return answer;
			},
		});
		const { item } = await client.get("posts", "hello");
		const again = await client.get("posts", "hello");
		assert.deepEqual(again.item, item);
		again.item.data.title = "changed by the caller";
		assert.equal((await client.get("posts", "hello")).item.data.title, "Hello");
		assert.deepEqual(statuses, [200, 304, 304]);
		await editor.update("posts", "hello", { data: { summary: "Another" }, status: "published" });
		assert.equal((await client.get("posts", "hello")).item.data.summary, "Another");
		assert.deepEqual(statuses, [200, 304, 304, 200]);
	});
}

export async function testReading(test, context) {
	for (const part of [lists, walks, beside, previews, files, calls, kept]) await part(test, context);
}
