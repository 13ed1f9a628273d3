/* answers.c - describes replies: the envelope around a result, and the errors. */
#include "openapi.h"
#include <string.h>

/* The statuses that each operation lists; all others are its default response. */
static const struct {
	int http;
	const char *about;
} failures[] = {
	{ 400, "The request is not valid, or not possible" },
	{ 401, "Nobody is signed in" },
	{ 403, "The role, or the scope of the token, does not allow it" },
	{ 404, "There is no such thing, or not for this caller" },
	{ 409, "What is stored has changed, or is in the way" },
	{ 413, "The body is too large" },
	{ 422, "A plugin rejected it" },
	{ 429, "Too many requests; Retry-After says when" },
	{ 500, "Something went wrong here; nothing was changed" },
	{ 503, "The site is not available" },
	{ 507, "The storage is full; nothing was saved" },
};
#define FAILURES (sizeof(failures) / sizeof(failures[0]))

/* ---- components ---- */

/* The envelope of an error; http 0: of any error. */
static void
put_failure(struct document *d, const char *key, int http)
{
	const struct stet_status_def *const *codes;
	size_t count = stet_codes(d->call, &codes);
	struct stet_json *out = d->out;

	stet_object(out, key);
	stet_put_str(out, "type", "object");
	stet_object(out, "properties");
	stet_object(out, "success");
	stet_put_bool(out, "const", false);
	stet_close(out);
	stet_object(out, "error");
	stet_put_str(out, "type", "object");
	stet_object(out, "properties");
	stet_object(out, "code");
	stet_put_str(out, "type", "string");
	stet_array(out, "enum");
	for (size_t i = 0; i < count; i++)
		if (http == 0 || codes[i]->http == http)
			stet_put_str(out, NULL, codes[i]->name);
	stet_close(out);
	stet_close(out);
	put_json(out, "message", "{\"type\":\"string\"}");
	stet_object(out, "details");
	stet_put_str(out, "$ref", REF "ErrorDetails");
	stet_close(out);
	stet_close(out);
	put_json(out, "required", "[\"code\",\"message\"]");
	stet_put_bool(out, "additionalProperties", false);
	stet_close(out);
	stet_close(out);
	put_json(out, "required", "[\"success\",\"error\"]");
	stet_put_bool(out, "additionalProperties", false);
	stet_close(out);
}

static const struct stet_member issue_shape[] = {
	{ "path", STET_STRING, STET_REQUIRED, "What it is about: \"data.title\"" },
	{ "message", STET_STRING, STET_REQUIRED },
	{ 0 },
};

void
answers_put_schemas(struct document *d)
{
	put_failure(d, "Error", 0);
	for (size_t i = 0; i < FAILURES; i++)
		put_failure(d, stet_printf(d->call, "Error%d", failures[i].http), failures[i].http);
	stet_object(d->out, "ErrorDetails");
	stet_put_str(d->out, "type", "object");
	stet_object(d->out, "properties");
	stet_object(d->out, "issues");
	stet_put_str(d->out, "type", "array");
	stet_put_str(d->out, "description", "All that is wrong with the arguments");
	stet_put_schema_as(d->out, "items", issue_shape, &d->style);
	stet_close(d->out);
	stet_object(d->out, "field");
	stet_put_str(d->out, "type", "string");
	stet_put_str(d->out, "description", "The argument or field that it is about");
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
}

static void
put_response(struct document *d, const char *key, const char *about, const char *schema)
{
	stet_object(d->out, key);
	stet_put_str(d->out, "description", about);
	stet_object(d->out, "content");
	stet_object(d->out, "application/json");
	stet_object(d->out, "schema");
	stet_put_str(d->out, "$ref", stet_printf(d->call, REF "%s", schema));
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
}

void
answers_put_components(struct document *d)
{
	stet_object(d->out, "responses");
	for (size_t i = 0; i < FAILURES; i++) {
		const char *name = stet_printf(d->call, "Error%d", failures[i].http);

		put_response(d, name, failures[i].about, name);
	}
	put_response(d, "Error", "Any other failure", "Error");
	stet_object(d->out, "NotModified");
	stet_put_str(d->out, "description", "It is what If-None-Match says");
	stet_close(d->out);
	stet_close(d->out);
}

/* ---- the replies of an op ---- */

static void
put_result(struct document *d, const struct stet_op *op)
{
	const char *ref = d->style.ref(d->style.arg, op->out);

	if ((op->flags & STET_OUT_LIST) != 0) {
		stet_object(d->out, "data");
		stet_put_str(d->out, "type", "array");
	}
	if (ref != NULL) {
		stet_object(d->out, (op->flags & STET_OUT_LIST) != 0 ? "items" : "data");
		stet_put_str(d->out, "$ref", ref);
		stet_close(d->out);
	} else
		stet_put_schema_as(d->out, (op->flags & STET_OUT_LIST) != 0 ? "items" : "data",
		    op->out, &d->style);
	if ((op->flags & STET_OUT_LIST) != 0)
		stet_close(d->out);
}

static void
put_envelope(struct document *d, const struct stet_op *op)
{
	bool bare = (op->flags & STET_DATA_ONLY) != 0;

	stet_object(d->out, "application/json");
	stet_object(d->out, "schema");
	stet_put_str(d->out, "type", "object");
	stet_object(d->out, "properties");
	if (!bare) {
		stet_object(d->out, "success");
		stet_put_bool(d->out, "const", true);
		stet_close(d->out);
	}
	if (op->out != NULL)
		put_result(d, op);
	else
		put_json(d->out, "data", "{}");
	stet_close(d->out);
	put_json(d->out, "required", bare ? "[\"data\"]" : "[\"success\",\"data\"]");
	stet_put_bool(d->out, "additionalProperties", false);
	stet_close(d->out);
	stet_close(d->out);
}

/* Replies in place of the envelope have only a content type. */
static void
put_contents(struct document *d, const struct stet_op *op)
{
	bool file = (op->flags & STET_FILE) != 0;
	const char *types = file && op->answers == NULL ? "application/octet-stream" : op->answers;

	bool envelope = op->out != NULL || types == NULL;

	stet_object(d->out, "content");
	if (envelope)
		put_envelope(d, op);
	for (const char *t = types; t != NULL && *t != '\0';) {
		size_t len = strcspn(t, " ");
		const char *type = stet_strndup(d->call, t, len);

		/* An op may write the envelope itself. */
		if (!envelope || strcmp(type, "application/json") != 0)
			put_json(d->out, type, "{\"schema\":{}}");
		t += len;
		t += strspn(t, " ");
	}
	stet_close(d->out);
}

static bool
is_tagged(const struct operation *o)
{
	if ((o->info->op->flags & STET_FILE) != 0)
		return true;
	return strcmp(o->method, "get") == 0 && o->info->op->lane == STET_READ &&
	       (o->info->op->flags & STET_STREAM) == 0;
}

static bool
may_fail(const struct operation *o, int http)
{
	uint32_t flags = o->info->op->flags;

	switch (http) {
	case 400:
		return o->info->op->in != NULL;
	case 401:
	case 403:
		return (flags & STET_PUBLIC) == 0;
	case 413:
		return place_has_body(o);
	case 409:
	case 422:
	case 507:
		return o->info->op->lane != STET_READ;
	default:
		return true;
	}
}

static void
put_response_ref(struct document *d, const char *key, const char *name)
{
	stet_object(d->out, key);
	stet_put_str(d->out, "$ref", stet_printf(d->call, "#/components/responses/%s", name));
	stet_close(d->out);
}

/* Writes the other replies of an operation that sends a file: a part (Range), and failed
 * conditions. */
static void
put_parts(struct document *d, const struct stet_op *op)
{
	stet_object(d->out, "206");
	stet_put_str(d->out, "description", "The part that Range asks for");
	put_json(d->out, "headers",
	    "{\"Content-Range\":{\"schema\":{\"type\":\"string\"}},"
	    "\"ETag\":{\"$ref\":\"#/components/headers/ETag\"}}");
	put_contents(d, op);
	stet_close(d->out);
	put_response_ref(d, "412", "Error");
	put_response_ref(d, "416", "Error");
}

void
answers_put(struct document *d, const struct operation *o)
{
	const struct stet_op *op = o->info->op;

	stet_object(d->out, "responses");
	stet_object(d->out, (op->flags & STET_CREATED) != 0 ? "201" : "200");
	stet_put_str(d->out, "description", "The result");
	if (is_tagged(o))
		put_json(d->out, "headers", "{\"ETag\":{\"$ref\":\"#/components/headers/ETag\"}}");
	put_contents(d, op);
	stet_close(d->out);
	if ((op->flags & STET_CREATED_OR_FOUND) != 0) {
		stet_object(d->out, "201");
		stet_put_str(d->out, "description", "The result, which was made");
		put_contents(d, op);
		stet_close(d->out);
	}
	if (is_tagged(o))
		put_response_ref(d, "304", "NotModified");
	if ((op->flags & STET_FILE) != 0)
		put_parts(d, op);
	if (op->refuse != NULL) { /* in the format of another protocol */
		put_json(d->out, "4XX", "{\"description\":\"Refused, or failed\"}");
		put_json(d->out, "default", "{\"description\":\"A failure\"}");
		stet_close(d->out);
		return;
	}
	for (size_t i = 0; i < FAILURES; i++)
		if (may_fail(o, failures[i].http))
			put_response_ref(d, stet_printf(d->call, "%d", failures[i].http),
			    stet_printf(d->call, "Error%d", failures[i].http));
	put_response_ref(d, "default", "Error");
	stet_close(d->out);
}
