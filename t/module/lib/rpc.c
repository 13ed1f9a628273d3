/* rpc.c - messages to the tool server, for its tests. */
#include "rpc.h"
#include <stdlib.h>

struct outcome *
rpc_post(
    struct harness *h, const struct harness_user *user, const char *headers, const char *body, ...)
{
	struct outcome *o;
	va_list ap;
	char *text;

	va_start(ap, body);
	text = quoted(body, ap);
	va_end(ap);
	o = harness_request(h, user, "POST /mcp", headers != NULL ? headers : RPC_HEADERS, text);
	free(text);
	return o;
}

/* ---- results against the listed schemas ---- */

static bool
is_type(const json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type first, last;
	} types[] = { { "object", JSON_OBJECT, JSON_OBJECT }, { "array", JSON_ARRAY, JSON_ARRAY },
		{ "string", JSON_STRING, JSON_STRING }, { "integer", JSON_INTEGER, JSON_INTEGER },
		{ "number", JSON_INTEGER, JSON_REAL }, { "boolean", JSON_TRUE, JSON_FALSE } };

	for (size_t i = 0; i < COUNT(types); i++)
		if (strcmp(type, types[i].name) == 0)
			return json_typeof(value) >= types[i].first &&
			       json_typeof(value) <= types[i].last;
	return false;
}

void
rpc_conforms(const json_t *schema, const json_t *value)
{
	const json_t *property;
	const char *name;

	assert_true(is_type(value, "object"));
	json_object_foreach(json_object_get(schema, "properties"), name, property)
	{
		const json_t *member = json_object_get(value, name);
		const char *type = json_string_value(json_object_get(property, "type"));

		if (member != NULL && type != NULL && !is_type(member, type))
			fail_msg("%s is not %s", name, type);
		if (member == NULL && strcmp(name, "nextCursor") != 0)
			fail_msg("%s is not there", name);
	}
}

/* Returns the output schema of a tool; owned by the caller. */
static json_t *
schema_of(struct harness *h, const char *tool)
{
	struct outcome *o =
	    rpc_post(h, admin, NULL, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");
	json_t *tools = harness_at(o->body, "result.tools"), *one;
	size_t i;

	json_array_foreach(
	    tools, i, one) if (strcmp(harness_text(one, "name"), tool) ==
			       0) return json_incref(harness_at(one, "outputSchema"));
	return NULL;
}

json_t *
rpc_call(struct harness *h, const struct harness_user *user, const char *tool,
    const char *arguments, ...)
{
	json_t *schema = schema_of(h, tool);
	struct outcome *o;
	va_list ap;
	char *text;

	va_start(ap, arguments);
	text = quoted(arguments, ap);
	va_end(ap);
	o = rpc_post(h, user, NULL,
	    "{'jsonrpc':'2.0','id':7,'method':'tools/call','params':{'name':'%s',"
	    "'arguments':%s}}",
	    tool, text);
	free(text);
	if (o->http != 200 || harness_int(o->body, "id") != 7 ||
	    !json_is_object(harness_at(o->body, "result")))
		fail_msg("%d %s", o->http, o->text);
	if (schema != NULL && harness_at(o->body, "result.isError") == NULL)
		rpc_conforms(schema, harness_at(o->body, "result.structuredContent"));
	json_decref(schema);
	return harness_at(o->body, "result");
}

const char *
rpc_code(json_t *result)
{
	const char *code = harness_text(result, "_meta.code");

	assert_int_equal(json_is_true(harness_at(result, "isError")), *code != '\0');
	return code;
}

const char *
rpc_text(json_t *result)
{
	return harness_text(result, "content[0].text");
}
