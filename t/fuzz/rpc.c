/*
 * rpc.c - a POST to the tool server: two lines for the headers MCP-Protocol-Version and Mcp-Method,
 * then the body. Accepted input is JSON-RPC in a supported version; a refusal has a reason.
 * fuzz: with modules/mcp/rpc.c
 * fuzz: with modules/mcp/era.c
 */
#include "../../modules/mcp/mcp.h"
#include "call/call.h"
#include "fuzz.h"
#include "http/http1.h"
#include <stdio.h>
#include <string.h>

static void
check_message(const struct message *m)
{
	must(m->id == NULL || json_is_string(m->id) || json_is_integer(m->id));
	must((m->kind == RESPONSE) == (m->method == NULL));
	must(m->kind == NOTIFICATION || m->id != NULL);
	must(m->kind == RESPONSE || m->params == NULL || json_is_object(m->params));
}

static void
check_refusal(const struct rpc_error *e)
{
	must(e->http == 400 && e->code <= RPC_SERVER && e->text != NULL);
}

/* Takes the next line of the input as the value of a header. */
static void
take_header(
    struct http1_head *head, char *name, char value[256], const uint8_t **data, size_t *size)
{
	size_t len = 0;

	while (len < *size && (*data)[len] != '\n')
		len++;
	(void)snprintf(value, 256, "%.*s", (int)len, (const char *)*data);
	if (len > 0)
		head->header[head->header_count++] = (struct http1_header){ name, value };
	len += len < *size;
	*data += len;
	*size -= len;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	static struct http1_head head;
	static char version_name[] = "mcp-protocol-version", method_name[] = "mcp-method";
	char version[256], method[256];
	const char *text;
	struct rpc_error error = { 0 };
	struct inbox in;
	struct era era;

	head.header_count = 0;
	take_header(&head, version_name, version, &data, &size);
	take_header(&head, method_name, method, &data, &size);
	call->head = &head;
	text = stet_strndup(call, (const char *)data, size);
	if (!rpc_read(call, text, size, &in, &error)) {
		check_refusal(&error);
	} else {
		must(in.count > 0 && in.count <= MESSAGES_MAX && (in.batch || in.count == 1));
		for (size_t i = 0; i < in.count; i++)
			check_message(&in.message[i]);
		if (!era_of(call, &in, &era, &error))
			check_refusal(&error);
		else
			must(era.version != NULL && (!era.modern || !in.batch));
	}
	call->head = NULL;
	call_free(call);
	return 0;
}
