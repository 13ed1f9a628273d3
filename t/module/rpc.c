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

json_t *
rpc_call(struct harness *h, const struct harness_user *user, const char *tool,
    const char *arguments, ...)
{
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
