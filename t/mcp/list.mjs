// list.mjs - expectations of hosts and models on the list of tools, beyond the protocol's schema.
import assert from "node:assert/strict";

// Members that a schema may have in the strictest dialect in use, Gemini's.
const KNOWN = "type description properties required items anyOf enum format default minimum maximum".split(" ");

// Checks a schema of arguments against that dialect: one type, no object without properties, no array without items,
// and nothing beside anyOf. `described`: each member has a description.
function checkSchema(at, schema, described) {
	const kinds = schema.anyOf;

	for (const member of Object.keys(schema)) assert.ok(KNOWN.includes(member), `${at}: ${member}`);
	if (kinds !== undefined) assert.deepEqual(Object.keys(schema), ["anyOf"], `${at}: members beside anyOf`);
	else assert.equal(typeof schema.type, "string", `${at}: one type`);
	if (schema.type === "object")
		assert.ok(Object.keys(schema.properties ?? {}).length > 0, `${at}: an object without properties`);
	if (schema.type === "array") checkSchema(`${at}[]`, schema.items, described);
	if (schema.format !== undefined) assert.equal(schema.format, "date-time", at);
	for (const value of schema.enum ?? []) assert.ok(typeof value === "string" && value !== "", `${at}: enum`);
	for (const name of schema.required ?? []) assert.ok(schema.properties[name], `${at}: requires ${name}`);
	for (const [i, kind] of (kinds ?? []).entries()) checkSchema(`${at}|${i}`, kind, described && kind.properties);
	for (const [name, member] of Object.entries(schema.properties ?? {})) {
		checkSchema(`${at}.${name}`, member, described);
		// An example of a block among the kinds of a value has none.
		if (described && name !== "_type")
			assert.ok(member.description ?? member.anyOf?.[0].description, `${at}.${name}: no description`);
		if (name === "limit") assert.ok(member.maximum > 0, `${at}.${name}: no maximum`);
	}
}

// Checks the schemas of tools, as in the list, or as tools_describe returns them.
export function checkDialect(tools, described) {
	for (const { name, description, inputSchema } of tools) {
		assert.ok(name.length < 60, name);
		assert.ok(description, name);
		if (Object.keys(inputSchema).length > 1) checkSchema(name, inputSchema, described);
	}
}

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
