/* rpc.c - JSON-RPC 2.0: reads the messages of a body. */
#include "mcp.h"
#include <string.h>

static bool
refuse(struct rpc_error *error, int code, const char *text)
{
	*error = (struct rpc_error){ 400, code, text, NULL };
	return false;
}

static bool
is_id(const json_t *id)
{
	return json_is_string(id) || json_is_integer(id);
}

/* A request has an id, a notification has none, a response has no method. */
static bool
read_message(const json_t *value, struct message *m)
{
	const char *version = json_string_value(json_object_get(value, "jsonrpc"));
	const json_t *params = json_object_get(value, "params");

	if (version == NULL || strcmp(version, "2.0") != 0)
		return false;
	*m = (struct message){ .method = json_string_value(json_object_get(value, "method")),
		.id = json_object_get(value, "id"),
		.params = params };
	if (m->id != NULL && !is_id(m->id))
		return false;
	if (m->method == NULL) {
		m->kind = RESPONSE;
		return json_object_get(value, "method") == NULL && m->id != NULL &&
		       (json_object_get(value, "result") != NULL) !=
			   (json_object_get(value, "error") != NULL);
	}
	m->kind = m->id != NULL ? REQUEST : NOTIFICATION;
	return params == NULL || json_is_object(params);
}

static bool
read_all(struct stet_call *call, const json_t *body, struct inbox *in, struct rpc_error *error)
{
	size_t count = in->batch ? json_array_size(body) : 1;

	if (count == 0)
		return refuse(error, RPC_INVALID_REQUEST, "Invalid Request: the batch is empty");
	if (count > MESSAGES_MAX)
		return refuse(error, RPC_INVALID_REQUEST,
		    "Invalid Request: a batch holds at most 50 messages");
	in->message = stet_alloc(call, count * sizeof(*in->message));
	for (size_t i = 0; i < count; i++) {
		const json_t *value = in->batch ? json_array_get(body, i) : body;

		if (!json_is_object(value) || !read_message(value, &in->message[i])) {
			if (!in->batch && is_id(json_object_get(value, "id")))
				in->id = json_object_get(value, "id");
			return refuse(
			    error, RPC_INVALID_REQUEST, "Invalid Request: not a JSON-RPC message");
		}
		if (count > 1 && in->message[i].method != NULL &&
		    strcmp(in->message[i].method, "initialize") == 0)
			return refuse(error, RPC_INVALID_REQUEST,
			    "Invalid Request: Only one initialization request is allowed");
	}
	in->count = count;
	if (!in->batch)
		in->id = in->message[0].id;
	return true;
}

/* Removes the arguments of a tool, which the op itself checks, so that only the rest is
 * searched. */
static void
drop_arguments(json_t *message)
{
	const char *method = json_string_value(json_object_get(message, "method"));

	if (method != NULL && strcmp(method, "tools/call") == 0)
		json_object_del(json_object_get(message, "params"), "arguments");
}

/* Returns true if U+0000 occurs only in arguments of tools: the op then refuses it, and names
 * the path. */
static bool
nul_is_argument(struct stet_call *call, const json_t *body)
{
	json_t *rest = stet_json_own(call, json_deep_copy(body)), *message;
	bool good;
	size_t i;

	drop_arguments(rest);
	json_array_foreach(rest, i, message) drop_arguments(message);
	good = stet_json_check_nul(call, "", rest);
	stet_error_clear(call);
	return good;
}

bool
rpc_read(
    struct stet_call *call, const char *text, size_t len, struct inbox *in, struct rpc_error *error)
{
	const char *why;
	json_t *body;

	*in = (struct inbox){ 0 };
	body = text != NULL ? stet_json_parse(call, text, len, &why) : NULL;
	if (body == NULL && text != NULL) {
		body = stet_json_parse_nul(call, text, len, &why);
		if (body != NULL && !nul_is_argument(call, body))
			return refuse(
			    error, RPC_INVALID_REQUEST, "Invalid Request: a text holds U+0000");
	}
	if (body == NULL)
		return refuse(error, RPC_PARSE, "Parse error: Invalid JSON");
	in->batch = json_is_array(body);
	if (!in->batch && !json_is_object(body))
		return refuse(
		    error, RPC_INVALID_REQUEST, "Invalid Request: not a JSON-RPC message");
	return read_all(call, body, in, error);
}
