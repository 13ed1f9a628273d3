/* args - a request's query and body against a shape: arguments are of their type, or there is an
 * error. */
#include "op/args.h"
#include "base/log.h"
#include "call/call.h"
#include "http/http1.h"
#include "module/oprow.h"
#include "op/reply.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const struct stet_member inner[] = {
	{ "label", STET_STRING, STET_REQUIRED, STET_RANGE(1, 5) },
	{ "n", STET_NUMBER, STET_NULLABLE, STET_RANGE(-1, 1) },
	{ 0 },
};
static const struct stet_member in[] = {
	{ "limit", STET_INTEGER, STET_QUERY, STET_RANGE(1, 100), .fallback = "50" },
	{ "order", STET_STRING, STET_QUERY, STET_CHOICES("asc", "desc") },
	{ "flag", STET_BOOLEAN, STET_QUERY },
	{ "ids", STET_ARRAY, STET_QUERY, .item = STET_INTEGER, STET_RANGE(0, 3) },
	{ "at", STET_TIME },
	{ "name", STET_STRING, .pattern = "^[a-z]+$" },
	{ "list", STET_ARRAY, .of = inner },
	{ "object", STET_OBJECT, .of = inner },
	{ "any", STET_ANY },
	{ 0 },
};
static struct op op = {
	.row = { .name = "x", .in = in }, .name = (char *)(uintptr_t) "x", .method = HTTP_PUT
};

static void
hold(struct stet_call *call)
{
	struct stet_json *j = stet_json_new(call);

	stet_assert(stet_arg_int(call, "limit") >= 1 && stet_arg_int(call, "limit") <= 100);
	if (stet_arg(call, "order") != NULL)
		stet_assert(strcmp(stet_arg(call, "order"), "asc") == 0 ||
			    strcmp(stet_arg(call, "order"), "desc") == 0);
	stet_assert(json_array_size(stet_arg_json(call, "ids")) <= 3);
	if (stet_arg(call, "at") != NULL)
		stet_assert(strlen(stet_arg(call, "at")) == 24);
	stet_put_json(j, NULL, stet_arg_json(call, "any"));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = memchr(data, '\n', size);
	size_t query_len = cut != NULL ? (size_t)(cut - data) : 0,
	       body_len = size - query_len - (cut != NULL);
	struct stet_call *call = call_new();
	struct rendered r;

	oprow_compile(&op);
	call->op = &op;
	call->head = stet_alloc(call, sizeof(*call->head));
	call->head->query = stet_strndup(call, (const char *)data, query_len);
	/* The parser of request heads accepts only these bytes in a target. */
	for (char *p = call->head->query; *p != '\0'; p++)
		*p = (char)(*p >= 33 && *p < 127 ? *p : '%');
	if (args_http(call, stet_strndup(call, (const char *)data + size - body_len, body_len),
		body_len) == STET_OK)
		hold(call);
	else
		stet_assert(call->error.status != STET_OK && call->error.status != STET_FAULT);
	reply_render(call, &r);
	call_free(call);
	return 0;
}
