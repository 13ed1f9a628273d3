// owntypes.test.js - the words of a block whose type the site defines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest } from "../site.js";
import { ownLabel, ownLines, ownTypes } from "../owntypes.js";

const type = {
	slug: "recipe",
	label: "Recipe",
	fields: [
		{ slug: "dish", label: "Dish", type: "string" },
		{ slug: "minutes", label: "Minutes", type: "integer" },
		{ slug: "photo", label: "Photo", type: "image" },
		{ slug: "tags", label: "Tags", type: "multiSelect" },
	],
};
let asked = 0;
globalThis.fetch = async () => {
	asked++;
	return new Response(JSON.stringify({ success: true, data: { items: [type] } }), {
		headers: { "Content-Type": "application/json" },
	});
};

test("a site without own blocks asks nothing", async () => {
	manifest.value = /** @type {any} */ ({});
	assert.deepEqual(await ownTypes(), []);
	assert.equal(asked, 0);
});
test("a block is its fields by name, in the order of the form, and what is left of others", async () => {
	manifest.value = /** @type {any} */ ({ blocks: [{ slug: "recipe", label: "Recipe" }] });
	await Promise.all([ownTypes(), ownTypes()]);
	assert.equal(asked, 1);
	const block = {
		_type: "recipe",
		_key: "a",
		old: 1,
		tags: ["hot", "red"],
		minutes: 0,
		dish: "Soup",
		photo: { id: "P", url: "/p.jpg", alt: "A pot" },
	};
	assert.equal(ownLines(block), "Dish: Soup\nMinutes: 0\nPhoto: A pot\nTags: hot, red\nold: 1");
	assert.equal(ownLabel(block), "Recipe");
	assert.equal(ownLines({ _type: "other" }), null);
	assert.equal(ownLabel({ _type: "other" }), undefined);
});
test("after a change of the manifest the types are read again", async () => {
	manifest.value = /** @type {any} */ ({ blocks: [{ slug: "recipe", label: "Recipe" }] });
	await ownTypes();
	assert.equal(asked, 2);
});
