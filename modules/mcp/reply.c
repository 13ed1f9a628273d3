/* reply.c - JSON-RPC responses, gathered in the exchange until transport.c sends them. */
#include "mcp.h"

struct stet_json *
reply_open(struct stet_call *call, struct exchange *x, const json_t *id)
{
	struct stet_json *out = stet_json_new(call);

	if (x->reply == NULL)
		x->reply = stet_alloc(call, (x->in.count + 1) * sizeof(struct stet_json *));
	x->reply[x->replies++] = out;
	stet_object(out, NULL);
	stet_put_str(out, "jsonrpc", "2.0");
	stet_put_json(out, "id", id);
	return out;
}

void
reply_close(struct stet_json *out)
{
	stet_close(out);
}

void
reply_server(struct stet_json *out, const char *key)
{
	stet_object(out, key);
	stet_put_str(out, "name", "stet");
	stet_put_str(out, "title", "stet");
	stet_put_str(out, "version", stet_version());
	stet_close(out);
}

void
reply_result(struct stet_json *out, const struct exchange *x)
{
	stet_object(out, "result");
	if (x->era.modern)
		stet_put_str(out, "resultType", "complete");
}

void
reply_cached(struct stet_json *out, const struct exchange *x)
{
	if (!x->era.modern)
		return;
	stet_put_int(out, "ttlMs", 60000);
	stet_put_str(out, "cacheScope", "private");
	stet_object(out, "_meta");
	reply_server(out, META "serverInfo");
	stet_close(out);
}

void
reply_error(struct stet_call *call, struct exchange *x, const json_t *id, int code,
    const char *text, json_t *data)
{
	struct stet_json *out = reply_open(call, x, id);

	stet_object(out, "error");
	stet_put_int(out, "code", code);
	stet_put_str(out, "message", text);
	if (data != NULL)
		stet_put_json(out, "data", data);
	stet_close(out);
	reply_close(out);
}

bool
list_refused(struct stet_call *call, struct exchange *x, const struct message *m)
{
	if (json_object_get(m->params, "cursor") == NULL)
		return false;
	reply_error(call, x, m->id, RPC_INVALID_PARAMS, "Invalid params: unknown cursor", NULL);
	return true;
}
