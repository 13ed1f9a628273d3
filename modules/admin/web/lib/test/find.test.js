// find.test.js - what a text that is typed into the palette may be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "../find.js";

const ID = "01KMFH50M085GP1JJNPZW64MGW";

test("words, ids, slugs of addresses", () => {
	assert.deepEqual(kindOf(" near noise "), { words: "near noise" });
	assert.deepEqual(kindOf(ID.toLowerCase()), { id: ID });
	assert.deepEqual(kindOf(`https://x.example/_cms/admin/collections/posts/${ID}?a=1`), { id: ID });
	assert.deepEqual(kindOf("https://x.example/blog/a-b/#top"), { slug: "a-b" });
	assert.deepEqual(kindOf("/blog/%C3%BCber"), { slug: "über" });
	assert.deepEqual(kindOf("/blog/%C3"), { slug: "%C3" });
});
