// direct.mjs - the loader with a stand-in for Astro (store.mjs): what it asks of the daemon, and what it stores.
import assert from "node:assert/strict";
import http from "node:http";
import { stetCollections, stetLoader } from "@stet/astro";
import { newContext, requests, schemaOf } from "./store.mjs";

const slugs = (context) =>
	context.store
		.values()
		.map((entry) => entry.data.slug)
		.sort();
const text = (words) => [
	{
		_type: "block",
		_key: "k1",
		style: "normal",
		markDefs: [],
		children: [{ _type: "span", _key: "s", text: words }],
	},
];

export async function testSync(test, { url, token, editor, site }) {
	const options = { url, token, collection: "posts", include: { terms: true, references: { author: true } } };
	const { ask } = site;
	const log = [];
	const context = newContext("posts", log),
		loader = stetLoader(options);
	const sync = () => requests(() => context.load(stetLoader(options)));
	const reads = (list) => list.filter((one) => one !== "GET /schema");

	await test("the first sync has all that is published, with what belongs to it", async () => {
		await context.load(loader);
		assert.deepEqual(slugs(context), ["bonjour", "hello", "second", "third"]);
		const hello = context.slug("hello");
		assert.equal(hello.id, site.first.id);
		assert.equal(hello.data.author, site.ann.id);
		assert.deepEqual(
			hello.data.included.terms.topic.map((term) => term.slug),
			["news"],
		);
		assert.equal(hello.data.included.references[site.ann.id].data.name, "Ann");
		assert.match(hello.rendered.html, /<p>A journal about margins begins<\/p>/);
	});
	await test("a second sync without changes asks only the feed", async () => {
		assert.deepEqual(reads(await sync()), ["GET /changes"]);
		assert.deepEqual(context.parsed, []);
	});
	await test("after an edit only the item is read and rendered", async () => {
		const before = context.slug("second");
		await ask("PUT", "/content/posts/hello", { data: { title: "Hello again", body: text("New <words>") } });
		await ask("POST", "/content/posts/hello/publish", {});
		assert.deepEqual(reads(await sync()), ["GET /changes", `GET /content/posts/${site.first.id}`]);
		assert.deepEqual(context.parsed, [site.first.id]);
		assert.equal(context.slug("hello").data.title, "Hello again");
		assert.match(context.slug("hello").rendered.html, /<p>New &lt;words&gt;<\/p>/);
		assert.equal(context.slug("second"), before);
	});
	await test("a staged edit changes nothing until it is published, also with a token that reads drafts", async () => {
		const own = newContext("posts");
		await ask("PUT", "/content/posts/hello", { slug: "staged", data: { title: "Staged" } });
		await sync();
		await own.load(stetLoader({ ...options, token: editor }));
		for (const one of [context, own]) assert.equal(one.slug("hello").data.title, "Hello again");
		assert.deepEqual(slugs(own), slugs(context));
		await ask("POST", `/content/posts/${site.first.id}/discard-draft`, {});
		await own.load(stetLoader({ ...options, token: editor, status: "draft" }));
		assert.deepEqual(slugs(own), ["unfinished"]);
	});
	await test("items that are withdrawn or deleted go, a new one comes", async () => {
		await ask("POST", "/content/posts/second/unpublish", {});
		await ask("DELETE", "/content/posts/third");
		await ask("POST", "/content/posts", { slug: "fourth", status: "published", data: { title: "Fourth" } });
		await sync();
		assert.deepEqual(slugs(context), ["bonjour", "fourth", "hello"]);
		await ask("POST", "/content/posts/second/publish", {});
		await sync();
		assert.deepEqual(slugs(context), ["bonjour", "fourth", "hello", "second"]);
	});
	await test("what an entry shows is up to date: a picture, an author, a term", async () => {
		await ask("PUT", `/media/${site.picture.id}`, { alt: "Blue" });
		const list = reads(await sync());
		assert.deepEqual(list, ["GET /changes", `GET /content/posts/${site.first.id}`]);
		assert.equal(context.slug("hello").data.cover.alt, "Blue");
		await ask("PUT", `/content/people/${site.ann.id}`, { data: { name: "Anna" } });
		await sync();
		assert.equal(context.slug("hello").data.included.references[site.ann.id].data.name, "Anna");
		await ask("PUT", "/taxonomies/topic/terms/news", { label: "Newest" });
		await sync();
		assert.equal(context.slug("hello").data.included.terms.topic[0].label, "Newest");
	});
	await test("a new field is there after the next sync, in entries and in the schema", async () => {
		await ask("POST", "/schema/collections/posts/fields", { slug: "mood", label: "Mood", type: "string" });
		await ask("POST", "/content/posts", {
			slug: "fifth",
			status: "published",
			data: { title: "5", mood: "good" },
		});
		await sync();
		assert.equal(context.slug("fifth").data.mood, "good");
		const schema = await schemaOf(stetLoader(options));
		assert.equal(schema.safeParse({ ...context.slug("fifth").data, mood: 1 }).success, false);
	});
	await test("many changes are read as pages", async () => {
		const notes = newContext("notes");
		const own = { url, token, collection: "notes" };
		await notes.load(stetLoader(own));
		assert.equal(notes.entries.size, 250);
		const ids = notes.store.keys().slice(0, 40);
		for (const id of ids) await ask("PUT", `/content/notes/${id}`, { data: { title: "Other" } });
		const list = await requests(() => notes.load(stetLoader(own)));
		assert.equal(list.filter((one) => one.startsWith("GET /content/notes/")).length, 0);
		assert.deepEqual(notes.parsed.sort(), ids.sort());
	});
	await test("with a locale, entries of that locale alone", async () => {
		const french = newContext("posts");
		await french.load(stetLoader({ ...options, locale: "fr" }));
		assert.deepEqual(slugs(french), ["bonjour"]);
		await ask("POST", "/content/posts", { slug: "sixth", status: "published", data: { title: "6" } });
		await french.load(stetLoader({ ...options, locale: "fr" }));
		assert.deepEqual(slugs(french), ["bonjour"]);
	});
	await test("other options make the entries anew", async () => {
		const before = context.entries.size;
		const list = await requests(() => context.load(stetLoader({ ...options, render: { top: 3 } })));
		assert.ok(list.includes("GET /content/posts"));
		assert.equal(context.entries.size, before + 1);
		assert.equal(context.parsed.length, before + 1);
	});
	await test("after a cursor that expired all is read again, and only what differs is made", async () => {
		await sync();
		await ask("POST", "/admin/plugins/changes/disable", {});
		await ask("DELETE", "/content/posts/fourth");
		await ask("PUT", "/content/posts/second", { data: { title: "2" } });
		await ask("POST", "/content/posts/second/publish", {});
		await ask("POST", "/admin/plugins/changes/enable", {});
		log.length = 0;
		await sync();
		assert.ok(!slugs(context).includes("fourth"));
		assert.equal(context.slug("second").data.title, "2");
		assert.deepEqual(context.parsed, [context.slug("second").id]);
		assert.match(log.join("\n"), /does not reach back/);
		assert.deepEqual(reads(await sync()), ["GET /changes"]);
	});
	await test("a cursor of another site is no error", async () => {
		const { of } = JSON.parse(context.meta.get("stet"));
		context.meta.set("stet", JSON.stringify({ cursor: "nonsense", of }));
		await sync();
		assert.notEqual(JSON.parse(context.meta.get("stet")).cursor, "nonsense");
	});
	await test("all collections of the site have a loader", async () => {
		const all = await stetCollections({
			url,
			token,
			collections: { notes: false, posts: { locale: "fr" } },
		});
		assert.deepEqual(Object.keys(all).sort(), ["people", "posts", "things"]);
		const french = newContext("posts");
		await french.load(all.posts.loader);
		assert.deepEqual(slugs(french), ["bonjour"]);
	});
}

// Values that editors can write, and addresses that lead to other places.
export async function testHostile(test, { url, token, site }) {
	const { ask } = site;
	const context = newContext("odd");
	const odd = ["über-straße-日本", "a".repeat(200)];
	const IMAGE = "__ASTRO_IMAGE_../../../etc/secret.png";

	await test("items with odd slugs and values are entries like others", async () => {
		await ask("POST", "/schema/collections", { slug: "odd", label: "Odd" });
		for (const [slug, type] of [
			["constructor", "string"],
			["body", "portableText"],
			["extra", "json"],
		])
			await ask("POST", "/schema/collections/odd/fields", { slug, label: slug, type });
		const body = [
			...text(`__ASTRO_IMAGE_="x" <script>alert(1)</script> \u2028 ${"long ".repeat(100_000)}`),
			{ _type: "htmlBlock", _key: "h", html: `<p>__ASTRO_IMAGE_="y"</p><script>1</script>` },
			{ _type: "image", _key: "i", asset: { _type: "reference", _ref: "__proto__" } },
			{ _type: "__proto__", _key: "p" },
			{
				_type: "block",
				_key: "e",
				style: "h1",
				children: [{ _type: "span", text: '"><b onclick=x>' }],
			},
			{ _type: "block", _key: "f", style: "h1", children: [] },
		];
		const extra = JSON.parse('{"__proto__":{"a":1},"b":[{"__proto__":1}],"constructor":{"prototype":1}}');
		for (const slug of odd)
			await ask("POST", "/content/odd", {
				slug,
				status: "published",
				data: { constructor: IMAGE, body, extra },
			}).catch((error) => assert.match(error.message, /slug/));
		await ask("POST", "/content/odd", {
			slug: "plain",
			status: "published",
			data: { constructor: IMAGE, body, extra },
		});
		await context.load(stetLoader({ url, token, collection: "odd" }));
		assert.ok(context.entries.size > 0);
		for (const { id, data, rendered } of context.store.values()) {
			assert.match(id, /^[0-9A-Z]{26}$/);
			assert.equal(data.constructor, ` ${IMAGE}`);
			assert.deepEqual(data.extra, { b: [{}], constructor: { prototype: 1 } });
			assert.doesNotMatch(rendered.html, /__ASTRO_IMAGE_=|<script|<b onclick/);
			assert.deepEqual(
				rendered.metadata.headings.map((one) => one.slug),
				["b-onclick-x", "section"],
			);
		}
		assert.equal({}.a, undefined);
	});
}

export async function testErrors(test, { url, token, least }) {
	const fails = (loader, pattern) => assert.rejects(async () => newContext("x").load(loader()), pattern);
	const other = http.createServer((_, response) => response.end("<html>Hello"));

	await test("errors are words that tell what to do", async () => {
		await fails(
			() => stetLoader({ url, token, collection: "nope" }),
			/no collection "nope" at .*there are: .*posts/,
		);
		await fails(
			() => stetLoader({ url, token: "wrong", collection: "posts" }),
			/does not accept the token.*--delivery/,
		);
		await fails(() => stetLoader({ url, token: "", collection: "posts" }), /token is missing/);
		await fails(() => stetLoader({ token, collection: "posts" }), /url is missing/);
		await fails(() => stetLoader({ url: "cms", token, collection: "posts" }), /"cms", which is no address/);
		await fails(
			() => stetLoader({ url: "http://127.0.0.1:9", token, collection: "posts" }),
			/no answer from .*stetd/,
		);
		await assert.rejects(
			stetCollections({ url, token, collections: { nope: {} } }),
			/no collection "nope"/,
		);
		await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
		const elsewhere = `http://127.0.0.1:${other.address().port}`;
		await fails(
			() => stetLoader({ url: elsewhere, token, collection: "posts" }),
			/not stet, or a proxy/,
		).finally(() => other.close());
	});
	await test("a token without media:read has pictures of one size, and the log says so", async () => {
		const context = newContext("posts");
		await context.load(stetLoader({ url, token: least, collection: "posts" }));
		assert.ok(context.slug("hello").data.cover.url.startsWith(url));
		assert.equal(context.slug("hello").data.cover.srcset, undefined);
		assert.match(context.log.join("\n"), /warn: posts: the token may not read media/);
	});
}

export async function testKilled(test, { url, token, daemon }) {
	await test("a daemon that goes in the middle is an error, and what was there stays", async () => {
		const context = newContext("notes"),
			loader = stetLoader({ url, token, collection: "notes" });
		const others = newContext("people");
		await others.load(stetLoader({ url, token, collection: "people" }));
		const before = others.store.values();
		let lists = 0;
		await assert.rejects(
			requests(
				() => context.load(loader),
				async (what) => what === "GET /content/notes" && ++lists === 2 && (await daemon.stop()),
			),
			/no answer from .*does stetd run/,
		);
		assert.equal(context.meta.get("stet"), undefined);
		const again = stetLoader({ url, token, collection: "people" });
		await assert.rejects(again.load(others), /no answer from/);
		assert.deepEqual(others.store.values(), before);
	});
}
