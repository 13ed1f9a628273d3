/* definitions.c - fields of a collection "a". */
#include "definitions.h"
#include <stdio.h>

int
definitions_begin(void **state)
{
	struct harness *h;

	inside_begin(state);
	h = *state;
	assert_ok(harness_op(h, admin, "collection_create", "{\"slug\":\"a\",\"label\":\"A\"}"));
	return 0;
}

struct outcome *
field_add(struct harness *h, const char *slug, const char *type, const char *rest)
{
	return harness_send(h, admin, "POST /schema/collections/a/fields",
	    "{\"slug\":\"%s\",\"label\":\"L\",\"type\":\"%s\"%s}", slug, type, rest);
}

struct outcome *
field_change(struct harness *h, const char *slug, const char *body)
{
	char request[128];

	snprintf(request, sizeof(request), "PUT /schema/collections/a/fields/%s", slug);
	return harness_request(h, admin, request, NULL, body);
}

struct outcome *
field_get(struct harness *h, const char *slug)
{
	char request[128];

	snprintf(request, sizeof(request), "GET /schema/collections/a/fields/%s", slug);
	return harness_request(h, admin, request, NULL, NULL);
}

bool
has_index(struct harness *h, const char *name)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = '%s'", name);
	return strcmp(inside_ask(h, sql), "1") == 0;
}

/* Returns true if the stored CREATE TABLE statement names the column. */
bool
has_column(struct harness *h, const char *name)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM sqlite_schema WHERE name = 'c_a' AND instr(sql, '\"%s\"') > 0",
	    name);
	return strcmp(inside_ask(h, sql), "1") == 0;
}
