// list.mjs - expectations of hosts and models on the list of tools, beyond the protocol's schema.
import assert from "node:assert/strict";

export function checkList(tools) {
	const names = tools.map((tool) => tool.name);

	assert.deepEqual(
		names,
		[...new Set(names)].sort(),
		"each name once, in order: prompts that hold the list stay in caches",
	);
	for (const tool of tools) {
		assert.match(tool.name, /^[A-Za-z0-9_.-]{1,64}$/);
		assert.ok(tool.description, `${tool.name} says what it is for`);
		assert.equal(tool.inputSchema.type, "object");
		assert.ok(
			tool.annotations?.readOnlyHint === true ||
				typeof tool.annotations?.destructiveHint === "boolean",
			`${tool.name} says whether it only reads or adds`,
		);
		if (/_(get|list|compare|translations)$|^search$/.test(tool.name))
			assert.equal(tool.annotations?.readOnlyHint, true, `${tool.name} only reads`);
		if (/_delete$|_delete_/.test(tool.name))
			assert.equal(tool.annotations?.destructiveHint, true, `${tool.name} destroys`);
	}
}
