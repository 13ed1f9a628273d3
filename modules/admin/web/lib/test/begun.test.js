// begun.test.js - requests that are started before the page sends them.
import assert from "node:assert/strict";
import test from "node:test";

/** @type {string[]} */
const sent = [];

globalThis.fetch = /** @type {any} */ (
	async (/** @type {string} */ url, /** @type {{method?: string}} */ { method = "GET" }) => {
		sent.push(`${method} ${url}`);
		return new Response(JSON.stringify({ data: { n: sent.length } }));
	}
);
const { api, begin } = await import("../api.js");

test("a request takes over what was begun, once", async () => {
	sent.length = 0;
	begin("/things");
	assert.deepEqual(await api.get("/things"), { n: 1 });
	assert.deepEqual(await api.get("/things"), { n: 2 });
	assert.deepEqual(await api.get("/things", { query: { q: "x" } }), { n: 3 });
	assert.equal(sent.length, 3);
});

test("what was begun before a change is asked again", async () => {
	sent.length = 0;
	begin("/things");
	await api.post("/things", { name: "new" });
	assert.deepEqual(await api.get("/things"), { n: 3 });
	assert.deepEqual(sent, ["GET /_cms/api/things", "POST /_cms/api/things", "GET /_cms/api/things"]);
});

test("so is what was begun too long ago", async (t) => {
	sent.length = 0;
	t.mock.timers.enable({ apis: ["Date"] });
	begin("/things");
	t.mock.timers.tick(5000);
	assert.deepEqual(await api.get("/things"), { n: 2 });
});
