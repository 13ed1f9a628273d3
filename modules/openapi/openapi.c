/*
 * openapi.c - describes the API of a site as an OpenAPI 3.1 document. It contains the operations
 * that the caller may call.
 */
#include "openapi.h"
#include <stdlib.h>
#include <string.h>

/* ---- the operations ---- */

/* The path of a route as a template: "GET /_cms/api/menus/:name" is "/menus/{name}". */
static const char *template(struct stet_call *call, const char *route, bool *at_root)
{
	const char *from = strchr(route, '/');
	char *out, *to;

	*at_root = strncmp(from, API_ROOT "/", sizeof(API_ROOT)) != 0;
	if (!*at_root)
		from += sizeof(API_ROOT) - 1;
	out = to = stet_alloc(call, 2 * strlen(from) + 1);
	while (*from != '\0') {
		size_t len;

		*to++ = *from++;
		if (to[-1] != '/' || *from != ':')
			continue;
		len = strcspn(++from, "/");
		*to++ = '{';
		memcpy(to, from, len);
		to += len;
		from += len;
		*to++ = '}';
	}
	return out;
}

/* The order of methods in the document: reads before writes. */
static int
rank(const char *method)
{
	static const char *const methods[] = { "get", "post", "put", "patch", "delete" };
	int i = 0;

	while (i < 4 && strcmp(methods[i], method) != 0)
		i++;
	return i;
}

/* Compares paths; names of parameters do not count. */
static int
path_order(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++) {
		if (*a == '{' && *b == '{') {
			a += strcspn(a, "}");
			b += strcspn(b, "}");
		} else if (*a != *b)
			break;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static int
order(const void *x, const void *y)
{
	const struct operation *a = x, *b = y;
	int by_path = path_order(a->path, b->path);

	return by_path != 0 ? by_path : rank(a->method) - rank(b->method);
}

static const char *
method(struct stet_call *call, const char *route)
{
	char *word = stet_strndup(call, route, strcspn(route, " "));

	for (char *c = word; *c != '\0'; c++)
		*c += 'a' - 'A';
	return word;
}

/* A path with a slash at its end leads to the one without: no client asks for it. */
static bool
only_leads_on(const char *route)
{
	size_t len = strlen(route);

	return len > 2 && route[len - 1] == '/' && route[len - 2] != ' ';
}

static void
collect(struct document *d)
{
	const struct stet_op_info *const *all;
	size_t count = stet_ops(d->call, &all);

	d->op = stet_alloc(d->call, (count + 1) * sizeof(*d->op));
	for (size_t i = 0; i < count; i++) {
		struct operation *o = &d->op[d->op_count];

		if (all[i]->route == NULL || only_leads_on(all[i]->route) ||
		    !stet_op_open(d->call, all[i], NULL))
			continue;
		o->info = all[i];
		o->method = method(d->call, all[i]->route);
		o->path = template(d->call, all[i]->route, &o->at_root);
		d->op_count++;
	}
	qsort(d->op, d->op_count, sizeof(*d->op), order);
	for (size_t i = 1; i < d->op_count; i++)
		if (path_order(d->op[i - 1].path, d->op[i].path) == 0)
			d->op[i].path = d->op[i - 1].path;
}

/* ---- collections ---- */

/* Only callers who may read the schema see the fields. */
static enum stet_status
find_collections(struct document *d)
{
	const struct stet_principal *who = stet_principal(d->call);
	const struct stet_schema_1 *schema = stet_service(d->call, STET_SCHEMA_1);

	if (schema == NULL || who == NULL || !stet_may(d->call, "schema:read") ||
	    !stet_scope_allows(who->scopes, "schema:read"))
		return STET_OK;
	return schema->collections(d->call, &d->collection, &d->collection_count);
}

/* ---- the document ---- */

static void
put_info(struct document *d)
{
	stet_put_str(d->out, "openapi", "3.1.0");
	stet_object(d->out, "info");
	stet_put_str(d->out, "title", "stet");
	stet_put_str(d->out, "version", stet_version());
	stet_put_str(d->out, "description",
	    "The API of this site, as far as who asked for this document may use it.");
	put_json(d->out, "license", "{\"name\":\"MIT\",\"identifier\":\"MIT\"}");
	stet_close(d->out);
	stet_array(d->out, "servers");
	stet_object(d->out, NULL);
	stet_put_str(d->out, "url", stet_printf(d->call, "%s" API_ROOT, stet_base_url(d->call)));
	stet_close(d->out);
	stet_close(d->out);
}

static int
by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static enum stet_status
put_tags(struct document *d)
{
	const char **name = stet_alloc(d->call, (d->op_count + 1) * sizeof(*name));
	const struct stet_module_info *const *modules;
	size_t count;

	STET_TRY(stet_modules(d->call, &modules, &count));
	for (size_t i = 0; i < d->op_count; i++)
		name[i] = d->op[i].info->module;
	qsort(name, d->op_count, sizeof(*name), by_name);
	stet_array(d->out, "tags");
	for (size_t i = 0; i < d->op_count; i++) {
		if (i > 0 && strcmp(name[i - 1], name[i]) == 0)
			continue;
		stet_object(d->out, NULL);
		stet_put_str(d->out, "name", name[i]);
		for (size_t k = 0; k < count; k++)
			if (strcmp(modules[k]->module->name, name[i]) == 0)
				stet_put_str(d->out, "description", modules[k]->module->summary);
		stet_close(d->out);
	}
	stet_close(d->out);
	return STET_OK;
}

static void
put_components(struct document *d)
{
	stet_object(d->out, "components");
	stet_object(d->out, "schemas");
	answers_put_schemas(d);
	shapes_put(d);
	stet_close(d->out);
	answers_put_components(d);
	paths_put_headers(d);
	stet_object(d->out, "headers");
	put_json(d->out, "ETag",
	    "{\"description\":\"For If-None-Match\",\"schema\":{\"type\":\"string\"}}");
	stet_close(d->out);
	stet_object(d->out, "securitySchemes");
	stet_object(d->out, "token");
	stet_put_str(d->out, "type", "http");
	stet_put_str(d->out, "scheme", "bearer");
	stet_put_str(d->out, "description",
	    "A personal access token: POST /admin/api-tokens, or stet token add. What an operation "
	    "needs is the scope listed with it.");
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
}

static enum stet_status
openapi_get(struct stet_call *call)
{
	struct document d = { .call = call, .out = stet_json_new(call) };
	const char *text;
	size_t len;

	collect(&d);
	STET_TRY(find_collections(&d));
	shapes_collect(&d);
	stet_object(d.out, NULL);
	put_info(&d);
	STET_TRY(put_tags(&d));
	paths_put(&d);
	put_components(&d);
	stet_close(d.out);
	text = stet_json_text(d.out, &len);
	stet_reply_type(call, "application/json");
	return stet_write(call, text, len);
}

static const struct stet_op ops[] = {
	{ "openapi_get", "Describe the API",
	    .about =
		"This document: what the caller may call, as OpenAPI 3.1. Callers who may read "
		"the schema find the fields of each collection in it.",
	    .route = "GET /openapi.json", .flags = STET_PUBLIC, .lane = STET_READ,
	    .run = openapi_get, .answers = "application/json" },
};

static const char *const needs[] = { "auth", "schema", NULL };

STET_MODULE(openapi) = {
	STET_MODULE_HEAD(openapi),
	.version = "1.0",
	.summary = "The API as an OpenAPI document",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
};
