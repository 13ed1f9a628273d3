// address.test.js - where a published item is found.
import assert from "node:assert/strict";
import { test } from "node:test";
import { liveAt, pathOf } from "../address.js";

const HERE = "https://cms.example.org",
	posts = { slug: "posts", urlPattern: "/{locale}/posts/{slug}" },
	item = { id: "01A", slug: "a b/c", locale: "en" };

test("it is the page of the site, if the settings and the collection say where", () => {
	for (const site of ["https://www.example.org", "https://www.example.org/", "https://www.example.org/blog?x#y"])
		assert.deepEqual(liveAt(posts, item, site, HERE), {
			href: "https://www.example.org/en/posts/a%20b%2Fc",
			isPage: true,
		});
});
test("otherwise it is the item over the API", () => {
	const api = { href: `${HERE}/_cms/api/content/posts/01A`, isPage: false };

	for (const site of [undefined, "", "javascript:alert(1)", "https://", "www.example.org"])
		assert.deepEqual(liveAt(posts, item, site, HERE), api, site);
	for (const urlPattern of [undefined, null, "", "posts/{slug}", "/{unknown}/{slug}"])
		assert.deepEqual(
			liveAt({ ...posts, urlPattern }, item, "https://www.example.org", HERE),
			api,
			urlPattern,
		);
	assert.deepEqual(liveAt(posts, { ...item, slug: null }, "https://www.example.org", HERE), api);
});
test("a pattern cannot lead to another host", () => {
	assert.equal(
		liveAt(
			{ slug: "p", urlPattern: "//evil.example/{slug}" },
			{ ...item, slug: "x" },
			"https://www.example.org",
			HERE,
		).href,
		"https://www.example.org//evil.example/x",
	);
	assert.equal(pathOf({ slug: "p", urlPattern: "/{slug}" }, { slug: "//x" }), "/%2F%2Fx");
});
test("a pattern may have a date, and a locale one of its own", () => {
	const dated = { slug: "p", urlPattern: "/{year}/{month}/{day}/{slug}", urlPatterns: { de: "/de/{slug}" } };

	assert.equal(pathOf(dated, { ...item, slug: "x", publishedAt: "2026-06-01T23:59:00.000Z" }), "/2026/06/01/x");
	assert.equal(pathOf(dated, { ...item, slug: "x", publishedAt: null }), null);
	assert.equal(pathOf(dated, { ...item, slug: "x", locale: "de" }), "/de/x");
});
