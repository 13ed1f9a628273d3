// uses.test.js - where items are used that go to the trash together.
import assert from "node:assert/strict";
import test from "node:test";

let status = 200;

globalThis.fetch = /** @type {any} */ (
	async () =>
		new Response(
			JSON.stringify({
				data: {
					items: ["a", "c"].map((id) => ({
						id,
						collection: "posts",
						title: `Title ${id}`,
					})),
				},
			}),
			{ status },
		)
);
const { usesOfItems } = await import("../uses.js");

test("what goes, too, does not miss it", async () => {
	const { uses, isWhole } = await usesOfItems("posts", ["a", "b"]);

	assert.deepEqual(
		uses.map((one) => one.name),
		["Title c"],
	);
	assert.equal(isWhole, true);
});

test("what cannot be asked is not unused", async () => {
	status = 503;
	assert.deepEqual(await usesOfItems("posts", ["a"]), { uses: [], isWhole: false });
});
