/*
 * era.c - which revision of the Model Context Protocol a POST uses. Up to 2025-11-25, a client
 * first does a handshake and then names the version in a header. From 2026-07-28 on there is no
 * handshake: each request names the version and the client in its _meta, and headers repeat
 * them.
 */
#include "mcp.h"
#include <sodium.h>
#include <string.h>

const char *const era_versions[] = { "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26",
	"2024-11-05", NULL };
#define NEWEST_LEGACY "2025-11-25"
#define ASSUMED "2025-03-26" /* the version of a client that names none */
#define MODERN_FROM "2026"

static bool
spoken(const char *version)
{
	for (size_t i = 0; era_versions[i] != NULL; i++)
		if (strcmp(version, era_versions[i]) == 0)
			return true;
	return false;
}

static bool
is_modern(const char *version)
{
	return strcmp(version, MODERN_FROM) > 0;
}

const char *
era_agreed(const char *requested)
{
	if (requested != NULL && spoken(requested) && !is_modern(requested))
		return requested;
	return NEWEST_LEGACY;
}

static bool
refuse(struct rpc_error *error, int code, const char *text)
{
	*error = (struct rpc_error){ 400, code, text, NULL };
	return false;
}

static bool
refuse_version(struct stet_call *call, struct rpc_error *error, const char *version)
{
	json_t *supported = json_array();

	for (size_t i = 0; era_versions[i] != NULL; i++)
		json_array_append_new(supported, json_string(era_versions[i]));
	(void)refuse(error, RPC_VERSION, "Unsupported protocol version");
	error->data = stet_json_own(call, json_object());
	json_object_set_new(error->data, "supported", supported);
	json_object_set_new(error->data, "requested", json_string(version));
	return false;
}

/* Decodes a header value: names outside of ASCII come as =?base64?...?=. Returns NULL if it is
 * invalid. */
static const char *
plain(struct stet_call *call, const char *value)
{
	size_t len = strlen(value), out_len;
	char *out;

	if (len < 11 || strncmp(value, "=?base64?", 9) != 0 || strcmp(value + len - 2, "?=") != 0)
		return value;
	out = stet_alloc(call, len);
	if (sodium_base642bin((unsigned char *)out, len - 1, value + 9, len - 11, NULL, &out_len,
		NULL, sodium_base64_VARIANT_ORIGINAL) != 0)
		return NULL;
	out[out_len] = '\0';
	return out;
}

/* Returns true if a header has the same value as the body. */
static bool
repeats(struct stet_call *call, const char *header, const char *body)
{
	const char *said = stet_request_header(call, header);

	if (said != NULL)
		said = plain(call, said);
	return said != NULL && body != NULL && strcmp(said, body) == 0;
}

/* What the header Mcp-Name repeats: the name or URI of what a request is about. NULL: nothing. */
static const char *
named_by(const struct message *m)
{
	static const char *const methods[][2] = { { "tools/call", "name" },
		{ "prompts/get", "name" }, { "resources/read", "uri" } };

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(m->method, methods[i][0]) == 0)
			return methods[i][1];
	return NULL;
}

static bool
check_headers(struct stet_call *call, const struct message *m, struct rpc_error *error)
{
	const char *named = named_by(m);

	if (!repeats(call, "mcp-method", m->method))
		return refuse(error, RPC_HEADER_MISMATCH,
		    "The header Mcp-Method must be the method of the request");
	if (named != NULL &&
	    !repeats(call, "mcp-name", json_string_value(json_object_get(m->params, named))))
		return refuse(error, RPC_HEADER_MISMATCH,
		    stet_printf(call, "The header Mcp-Name must be the %s of the %s", named,
			strcmp(m->method, "tools/call") == 0    ? "tool"
			: strcmp(m->method, "prompts/get") == 0 ? "prompt"
								: "resource"));
	return true;
}

static bool
check_modern(struct stet_call *call, const struct message *m, const char *header, struct era *era,
    struct rpc_error *error)
{
	const json_t *meta = json_object_get(m->params, "_meta");
	const char *version = json_string_value(json_object_get(meta, META "protocolVersion"));

	if (header == NULL)
		return refuse(
		    error, RPC_HEADER_MISMATCH, "The header MCP-Protocol-Version is missing");
	if (m->kind == REQUEST &&
	    (version == NULL || !json_is_object(json_object_get(meta, META "clientCapabilities"))))
		return refuse(error, RPC_INVALID_PARAMS,
		    "Invalid params: _meta must have " META "protocolVersion and " META
		    "clientCapabilities");
	if (version != NULL && strcmp(version, header) != 0)
		return refuse(error, RPC_HEADER_MISMATCH,
		    "The header MCP-Protocol-Version must be the version in _meta");
	if (!spoken(header))
		return refuse_version(call, error, header);
	*era = (struct era){ true, header };
	return m->method == NULL || check_headers(call, m, error);
}

/* Returns true if the client uses a revision without a handshake, which a header or the body names.
 */
static bool
speaks_modern(const struct inbox *in, const char *header)
{
	const struct message *m = &in->message[0];
	const json_t *meta = json_object_get(m->params, "_meta");

	if (in->batch)
		return false;
	if (header != NULL && is_modern(header) && spoken(header))
		return true;
	return json_object_get(meta, META "protocolVersion") != NULL ||
	       (m->method != NULL && strcmp(m->method, "server/discover") == 0);
}

bool
era_of(struct stet_call *call, const struct inbox *in, struct era *era, struct rpc_error *error)
{
	const char *header = stet_request_header(call, "mcp-protocol-version");
	const struct message *first = &in->message[0];

	if (speaks_modern(in, header))
		return check_modern(call, first, header, era, error);
	*era = (struct era){ false, header != NULL ? header : ASSUMED };
	if (first->method != NULL && strcmp(first->method, "initialize") == 0)
		return true;
	if (!spoken(era->version) || is_modern(era->version))
		return refuse(error, RPC_SERVER,
		    stet_printf(call, "Bad Request: Unsupported protocol version: %.40s", header));
	return true;
}
