// rules.test.js - messages and requests of a frame that are allowed or refused.
import assert from "node:assert/strict";
import { test } from "node:test";

// The router reads `location` when it is imported.
globalThis.location = /** @type {any} */ ({ pathname: "/_cms/admin", search: "", hash: "" });
const { MOST, Pace, heightOf, lineOf, placeOf, plain, requestOf } = await import("../rules.js");

const from = {
	plugin: "pager",
	requests: ["GET /content/:collection", "PUT /content/:collection/:id", "GET /settings"],
};

test("requests: the plugin's own routes and those that are listed, by their method", () => {
	for (const [method, path, sent = path] of [
		["GET", "/plugins/pager/echo"],
		["POST", "/plugins/pager/echo?a=b%2fc&d"],
		["DELETE", "/plugins/pager/a/b/c"],
		["PATCH", "/plugins/pager"],
		["GET", "/content/posts?limit=5"],
		["PUT", "/content/posts/01J"],
		["GET", "/settings"],
		["GET", "/content/a%20b"],
		["GET", "/plugins/./pager/x", "/plugins/pager/x"],
		["GET", "/users/../plugins/pager/x", "/plugins/pager/x"],
	])
		assert.equal(requestOf(method, path, from), sent, `${method} ${path}`);
});
test("requests: nothing else, however it is written", () => {
	for (const [method, path] of [
		["POST", "/content/posts"],
		["DELETE", "/content/posts/01J"],
		["PUT", "/settings"],
		["GET", "/content"],
		["GET", "/content/posts/01J/revisions"],
		["GET", "/users"],
		["GET", "/plugins/other/x"],
		["GET", "/plugins/pagers/x"],
		["GET", "/plugins"],
		["GET", "/admin/plugins/pager"],
		["GET", "/plugins/pager/../other/x"],
		["GET", "/plugins/pager/../../users"],
		["GET", "/plugins/pager/%2e%2e/other/x"],
		["GET", "/plugins/pager/.%2e/%2E./users"],
		["GET", "/plugins/pager/..%2f..%2fusers"],
		["GET", "/plugins/pager/..%5c..%5cusers"],
		["GET", "/plugins/pager\\..\\..\\users"],
		["GET", "/plugins/pager/%00"],
		["GET", "/plugins/pager/a%2fb"],
		["GET", "/plugins/pager/%zz"],
		["GET", "/plugins/pager//x"],
		["GET", "/content/%2e%2e%2fusers"],
		["GET", "/content/%2e%2e"],
		["GET", "/../../../signin"],
		["GET", "//example.org/x"],
		["GET", "http://example.org/"],
		["GET", "plugins/pager/x"],
		["GET", ""],
		["GET", "/plugins/pager/x#y"],
		["get", "/plugins/pager/x"],
		["CONNECT", "/plugins/pager/x"],
		["HEAD", "/plugins/pager/x"],
		["", "/plugins/pager/x"],
		[undefined, "/plugins/pager/x"],
		["GET", `/plugins/pager/${"x".repeat(MOST.path)}`],
		["GET", null],
		["GET", {}],
		["GET", ["/plugins/pager/x"]],
		[["GET"], "/plugins/pager/x"],
		["GET", "/plugins/pager/x\n/../../users"],
		["GET", "/plugins/pa\tger/../users"],
	])
		assert.equal(requestOf(method, path, from), null, `${method} ${path}`);
	assert.equal(requestOf("GET", "/settings", { plugin: "pager" }), null);
});
test("places: admin pages alone", () => {
	for (const [path, place] of [
		["/", "/_cms/admin"],
		["/collections/posts?status=draft", "/_cms/admin/collections/posts?status=draft"],
		["/a/../media", "/_cms/admin/media"],
	])
		assert.equal(placeOf(path), place, path);
	for (const path of [
		"",
		"media",
		"//example.org",
		"/..",
		"/../api/users",
		"/../../x",
		"/%2e%2e/api",
		"/a/%2e%2e/%2e%2e/api",
		"https://example.org/",
		"javascript:alert(1)",
		"/\\example.org",
		"/a%2f..%2fb",
		null,
		7,
		{},
	])
		assert.equal(placeOf(path), null, String(path));
});
test("values: what JSON has, up to a size", () => {
	const ring = {};

	ring.ring = ring;
	for (const value of [null, 0, "a", true, [1, { a: null }], {}]) assert.deepEqual(plain(value), { value });
	assert.deepEqual(plain(undefined), { value: null });
	assert.deepEqual(plain(NaN), { value: null });
	assert.deepEqual(plain(new Map([[1, 2]])), { value: {} });
	assert.equal(plain(ring), null);
	assert.equal(plain(10n), null);
	assert.equal(
		plain(() => 1),
		null,
	);
	assert.equal(plain("x".repeat(MOST.json)), null);
	let deep = [];
	for (let i = 0; i < 200000; i++) deep = [deep];
	assert.equal(plain(deep), null);
});
test("lines: short, of one direction, without line breaks", () => {
	assert.equal(lineOf(" a\n\tb\u0000c  d ", 100), "a b c d");
	assert.equal(lineOf("a\u202eb\u2066c", 100), "abc");
	assert.equal([...lineOf("😀".repeat(500), 120)].length, 120);
	for (const given of [null, undefined, 7, {}, ["a"], { toString: () => "a" }])
		assert.equal(lineOf(given, 100), "");
});
test("heights: within bounds", () => {
	assert.equal(heightOf(100.2, "widget"), 101);
	assert.equal(heightOf(1e9, "widget"), 800);
	assert.equal(heightOf(-5, "widget"), 24);
	assert.equal(heightOf(1e300, "page"), 10000);
	for (const given of [NaN, Infinity, -Infinity, "100", null, undefined, {}])
		assert.equal(heightOf(given, "page"), null);
});
test("pace: so many at once, and then one after the other", () => {
	const pace = new Pace(3, 10, 0);

	assert.deepEqual([pace.take(0), pace.take(0), pace.take(0), pace.take(0)], [true, true, true, false]);
	assert.equal(pace.take(9), false);
	assert.equal(pace.take(20), true);
	assert.deepEqual(
		[1e9, 1e9, 1e9, 1e9].map((now) => pace.take(now)),
		[true, true, true, false],
	);
});
