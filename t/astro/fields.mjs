// fields.mjs - a collection with a field of each type, two items of it, and what their entries have to be.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { stetLoader } from "@stet/astro";
import { newContext, schemaOf } from "./store.mjs";

const text = (words, style = "normal") => ({
	_type: "block",
	_key: `k${words.length}`,
	style,
	markDefs: [],
	children: [{ _type: "span", _key: "s", text: words, marks: [] }],
});
const options = ["round", "flat"];
const subFields = [
	["string", "One"],
	["text", "Two\nlines"],
	["url", "https://example.net/"],
	["number", 1.5],
	["integer", 3],
	["boolean", true],
	["datetime", "2024-02-29T10:00:00.000Z"],
	["select", "a"],
	["image"],
];

// Each row: slug, type, value, and further members of the definition.
const fields = ({ first, picture }) => [
	["title", "string", 'The <thing> "é"', { required: true }],
	["teaser", "text", "More\nwords"],
	["body", "portableText", [text("A heading", "h2"), text("Words"), text("A heading", "h2")]],
	["address", "slug", "the-thing"],
	["web", "url", "https://example.net/thing?a=1&b=2"],
	["weight", "number", -1.5e-7],
	["count", "integer", 9007199254740991],
	["done", "boolean", false],
	["day", "datetime", "2024-02-29T10:00:00.000Z"],
	["kind", "select", "round", { validation: { options } }],
	["tones", "multiSelect", ["flat", "round"], { validation: { options } }],
	["cover", "image", { id: picture.id, alt: "Sky" }],
	["other", "image", { id: "", provider: "external", src: "https://pictures.example/1.jpg" }],
	["sheet", "file", { id: picture.id }],
	["post", "reference", first.id, { options: { collection: "posts" } }],
	["posts", "reference", [first.id], { options: { collection: "posts", allowMultiple: true } }],
	[
		"rows",
		"repeater",
		[Object.fromEntries(subFields.map(([type, value]) => [`a_${type}`, value ?? { id: picture.id }])), {}],
		{
			validation: {
				subFields: subFields.map(([type]) => ({
					slug: `a_${type}`,
					label: type,
					type,
					...(type === "select" && { options: ["a", "b"] }),
				})),
			},
		},
	],
	["extra", "json", { a: [1, null, { b: true }], "": "x" }],
];

export async function makeThings(site) {
	await site.ask("POST", "/schema/collections", { slug: "things", label: "Things" });
	for (const [slug, type, , more] of fields(site))
		await site.ask("POST", "/schema/collections/things/fields", { slug, label: slug, type, ...more });
	const data = Object.fromEntries(fields(site).map(([slug, , value]) => [slug, value]));
	const full = await site.ask("POST", "/content/things", { slug: "full", status: "published", data });
	await site.ask("POST", "/content/things", { slug: "bare", status: "published", data: { title: "Bare" } });
	return full.item;
}

export async function testFields(test, { url, token, site }) {
	const full = await makeThings(site);
	const loader = stetLoader({ url, token, collection: "things" });
	const context = newContext("things");

	await test("there is a field of each type that the daemon has", () => {
		const source = fs.readFileSync(`${process.env.STET_SOURCE}/modules/schema/types.c`, "utf8");
		const types = [...source.matchAll(/\{ \.name = "(\w+)"/g)].map((one) => one[1]);
		assert.ok(types.length >= 16, types.join());
		assert.deepEqual([...new Set(fields(site).map(([, type]) => type))].sort(), types.sort());
	});
	await test("the schema accepts what the API answers, and leaves nothing out", async () => {
		await context.load(loader);
		const { data } = context.slug("full");
		for (const [slug, type, value] of fields(site))
			if (!["image", "file", "repeater", "portableText"].includes(type))
				assert.deepEqual(data[slug], value, slug);
		assert.deepEqual(
			data.body.map((block) => block.children[0].text),
			["A heading", "Words", "A heading"],
		);
		assert.deepEqual(
			[data.id, data.slug, data.locale, data.status, data.publishedAt],
			[full.id, "full", "en", "published", full.publishedAt],
		);
		assert.equal(context.slug("bare").data.title, "Bare");
	});
	await test("pictures and files have absolute addresses and sizes", () => {
		const { cover, other, sheet, rows } = context.slug("full").data;
		for (const picture of [cover, rows[0].a_image]) {
			assert.ok(picture.url.startsWith(`${url}/_cms/api/media/file/`), picture.url);
			assert.deepEqual([picture.width, picture.height], [900, 600]);
			assert.match(picture.srcset, / 640w, http\S+ 900w$/);
			assert.ok(picture.srcset.startsWith(url), picture.srcset);
		}
		assert.equal(other.url, "https://pictures.example/1.jpg");
		assert.ok(sheet.url.startsWith(url) && sheet.size > 0, JSON.stringify(sheet));
	});
	await test("the body is HTML, whose headings have ids that differ", () => {
		const { html, metadata } = context.slug("full").rendered;
		assert.match(html, /^<h2 id="a-heading">A heading<\/h2>\n<p>Words<\/p>/);
		assert.deepEqual(metadata.headings, [
			{ depth: 2, slug: "a-heading", text: "A heading" },
			{ depth: 2, slug: "a-heading-1", text: "A heading" },
		]);
		assert.equal(context.slug("bare").rendered, undefined);
	});
	await test("a schema refuses what no field can have", async () => {
		const schema = await schemaOf(loader);
		const { data } = context.slug("full");
		const wrong = {
			title: null,
			body: "text",
			count: "1",
			done: 1,
			cover: "x",
			posts: "x",
			rows: [1],
			tones: [1],
		};
		for (const [slug, value] of Object.entries(wrong))
			assert.equal(schema.safeParse({ ...data, [slug]: value }).success, false, slug);
	});
	await test("a choice that was taken away stays in what has it", async () => {
		await site.ask("PUT", "/schema/collections/things/fields/kind", { validation: { options: ["flat"] } });
		await context.load(stetLoader({ url, token, collection: "things" }));
		assert.equal(context.slug("full").data.kind, "round");
	});
	await test("with zod 4, as Astro 6 and later have it, types come as text", async () => {
		const module = `${process.cwd()}/node_modules/@stet/astro/dist/four.js`;
		const source = fs.readFileSync(module.replace("four", "index"), "utf8");
		assert.ok(source.includes('"astro/zod"'));
		fs.writeFileSync(module, source.replace('"astro/zod"', '"zod/v4"'));
		const four = (await import(module)).stetLoader({ url, token, collection: "things" });
		fs.rmSync(module);
		assert.equal(four.schema, undefined);
		const { schema, types } = await four.createSchema();
		const again = newContext("things");
		await again.load({ schema: () => schema, load: four.load });
		assert.deepEqual(again.slug("full").data, context.slug("full").data);
		assert.match(types, /^export type Entry = \{ /);
		fs.writeFileSync(
			"entry.ts",
			`${types}export const first = (of: Entry): string => of.body?.[0]?._type ?? of.title;\n`,
		);
		const tsc = ["node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "entry.ts"];
		const checked = spawnSync(process.execPath, tsc, { encoding: "utf8" });
		assert.equal(checked.status, 0, checked.stdout);
	});
}
