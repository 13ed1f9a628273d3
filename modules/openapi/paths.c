/* paths.c - describes operations by path and method: parameters, bodies, required rights. */
#include "openapi.h"
#include <string.h>

/* ---- parameters ---- */

static const char *
nth_parameter(struct stet_call *call, const char *path, int n)
{
	const char *p = strchr(path, '{');

	while (n-- > 0)
		p = strchr(p + 1, '{');
	return stet_strndup(call, p + 1, strcspn(p + 1, "}"));
}

static void
put_parameter(struct document *d, const struct operation *o, const struct stet_member *m)
{
	bool path = place_of(o, m) == IN_PATH;
	int index;

	place_in_path(o->info->route, m->name, &index);
	stet_object(d->out, NULL);
	stet_put_str(d->out, "name", path ? nth_parameter(d->call, o->path, index) : m->name);
	stet_put_str(d->out, "in", path ? "path" : "query");
	if (path || (m->flags & STET_REQUIRED) != 0)
		stet_put_bool(d->out, "required", true);
	if (m->about != NULL)
		stet_put_str(d->out, "description", m->about);
	if (m->type == STET_ARRAY) { /* separated by commas */
		stet_put_str(d->out, "style", "form");
		stet_put_bool(d->out, "explode", false);
	}
	if (m->type == STET_OBJECT || m->type == STET_ANY) { /* JSON text */
		stet_object(d->out, "content");
		stet_object(d->out, "application/json");
		stet_put_member_schema_as(d->out, "schema", m, &d->style);
		stet_close(d->out);
		stet_close(d->out);
	} else
		stet_put_member_schema_as(d->out, "schema", m, &d->style);
	stet_close(d->out);
}

/* Headers that are components. */
static const struct {
	const char *key, *name, *schema, *about;
} headers[HEADERS] = {
	[IF_MATCH] = { "IfMatch", "If-Match", "{\"type\":\"string\"}",
	    "Entity tags as GET of this path (of an action: of the path above) answers them, or the "
	    "_rev of an item: 412 when it has none of them any more" },
	[IDEMPOTENCY_KEY] = { "IdempotencyKey", "Idempotency-Key",
	    "{\"type\":\"string\",\"minLength\":1,\"maxLength\":255}",
	    "The request is carried out once, however often it is sent" },
	[RANGE] = { "Range", "Range", "{\"type\":\"string\"}",
	    "bytes=FIRST-LAST: a part of the file, answered with 206" },
	[X_CMS_REQUEST] = { "XCmsRequest", "X-CMS-Request", "{\"const\":\"1\"}",
	    "No page of another site can send it: required here" },
};

static void
put_header(struct document *d, enum header header)
{
	d->used[header] = true;
	stet_object(d->out, NULL);
	stet_put_str(d->out, "$ref",
	    stet_printf(d->call, "#/components/parameters/%s", headers[header].key));
	stet_close(d->out);
}

void
paths_put_headers(struct document *d)
{
	stet_object(d->out, "parameters");
	for (int i = 0; i < HEADERS; i++) {
		if (!d->used[i])
			continue;
		stet_object(d->out, headers[i].key);
		stet_put_str(d->out, "name", headers[i].name);
		stet_put_str(d->out, "in", "header");
		stet_put_str(d->out, "description", headers[i].about);
		put_json(d->out, "schema", headers[i].schema);
		stet_close(d->out);
	}
	stet_close(d->out);
}

static void
put_headers(struct document *d, const struct operation *o)
{
	if (strcmp(o->method, "get") != 0 && o->info->op->lane == STET_WRITE) {
		put_header(d, IF_MATCH);
		put_header(d, IDEMPOTENCY_KEY);
	}
	if ((o->info->op->flags & STET_FILE) != 0)
		put_header(d, RANGE);
	if (o->info->csrf)
		put_header(d, X_CMS_REQUEST);
}

static void
put_parameters(struct document *d, const struct operation *o)
{
	stet_array(d->out, "parameters");
	for (const struct stet_member *m = o->info->op->in; m != NULL && m->name != NULL; m++)
		if ((m->flags & STET_IGNORED) == 0 && place_of(o, m) != IN_BODY)
			put_parameter(d, o, m);
	put_headers(d, o);
	stet_close(d->out);
}

/* ---- bodies ---- */

/* Writes the schema of a body; values of an item are those of a collection. */
static void
put_body_of(struct document *d, const struct stet_member *body)
{
	struct stet_json *draft = stet_json_new(d->call);
	const char *text, *why;
	json_t *schema;
	size_t len;

	stet_put_schema_as(draft, NULL, body, &d->style);
	text = stet_json_text(draft, &len);
	schema = stet_json_parse(d->call, text, len, &why);
	for (const struct stet_member *m = body; m->name != NULL; m++)
		if ((m->flags & STET_VALUES) != 0 && d->collection_count > 0)
			json_object_set(json_object_get(schema, "properties"), m->name,
			    shapes_values(d, m->about));
	stet_put_json(d->out, "schema", schema);
}

static void
put_json_body(struct document *d, const struct operation *o)
{
	size_t n = 0;
	struct stet_member *body = stet_alloc(d->call, (place_body_count(o) + 1) * sizeof(*body));

	for (const struct stet_member *m = o->info->op->in; m->name != NULL; m++)
		if ((m->flags & STET_IGNORED) == 0 && place_of(o, m) == IN_BODY) {
			body[n] = *m;
			if ((m->flags & STET_HEADER) != 0) /* it can come from the header instead */
				body[n].flags &= ~STET_REQUIRED;
			n++;
		}
	put_body_of(d, body);
}

static void
put_content(struct document *d, const struct operation *o, const char *type, bool json)
{
	stet_object(d->out, type);
	if (json)
		put_json_body(d, o);
	else
		put_json(d->out, "schema", "{}");
	stet_close(d->out);
}

static void
put_body(struct document *d, const struct operation *o)
{
	uint32_t flags = o->info->op->flags;
	bool json = (flags & (STET_RAW | STET_SPOOL | STET_MULTIPART)) == 0;

	if (!place_has_body(o))
		return;
	stet_object(d->out, "requestBody");
	if ((flags & STET_BODY_OPTIONAL) == 0)
		stet_put_bool(d->out, "required", true);
	stet_object(d->out, "content");
	put_content(d, o,
	    (flags & STET_MULTIPART) != 0 ? "multipart/form-data"
	    : (flags & STET_SPOOL) != 0   ? "application/octet-stream"
					  : "application/json",
	    json);
	if ((flags & STET_OR_JSON) != 0)
		put_content(d, o, "application/json", true);
	stet_close(d->out);
	stet_close(d->out);
}

/* ---- required rights ---- */

static void
put_security(struct document *d, const struct stet_op *op)
{
	stet_array(d->out, "security");
	if ((op->flags & STET_FOR_ALL) != 0) {
		stet_close(d->out);
		return;
	}
	if ((op->flags & (STET_PUBLIC | STET_ANONYMOUS)) != 0 || op->open != NULL) {
		stet_object(d->out, NULL);
		stet_close(d->out);
	}
	stet_object(d->out, NULL);
	stet_array(d->out, "token");
	if ((op->flags & (STET_PUBLIC | STET_ANY_SCOPE)) == 0)
		stet_put_str(d->out, NULL, op->scope != NULL ? op->scope : "admin");
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
}

/* ---- operations ---- */

static void
put_operation(struct document *d, const struct operation *o)
{
	const struct stet_op_info *info = o->info;

	stet_object(d->out, o->method);
	stet_put_str(d->out, "operationId", info->name);
	stet_array(d->out, "tags");
	stet_put_str(d->out, NULL, info->module);
	stet_close(d->out);
	if (info->op->title != NULL)
		stet_put_str(d->out, "summary", info->op->title);
	if (info->op->about != NULL)
		stet_put_str(d->out, "description", info->op->about);
	put_security(d, info->op);
	put_parameters(d, o);
	put_body(d, o);
	answers_put(d, o);
	stet_close(d->out);
}

void
paths_put(struct document *d)
{
	const char *open = NULL;

	stet_object(d->out, "paths");
	for (size_t i = 0; i < d->op_count; i++) {
		const struct operation *o = &d->op[i];

		if (open == NULL || strcmp(open, o->path) != 0) {
			if (open != NULL)
				stet_close(d->out);
			open = o->path;
			stet_object(d->out, open);
			if (o->at_root)
				put_json(d->out, "servers", "[{\"url\":\"/\"}]");
		}
		put_operation(d, o);
	}
	if (open != NULL)
		stet_close(d->out);
	stet_close(d->out);
}
