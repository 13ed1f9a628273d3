/* used.c - a site whose items refer to media items, for tests of their usage. */
#include "used.h"
#include <stdio.h>
#include <stdlib.h>

int
used_begin(void **state)
{
	struct harness *h;

	posts_begin(state);
	h = *state;
	field(h, "posts", "hero", "image", "");
	field(h, "posts", "other", "image", "'translatable':false");
	field(h, "posts", "manual", "file", "");
	field(h, "posts", "shots", "repeater",
	    "'validation':{'subFields':[{'slug':'photo','label':'P','type':'image'},"
	    "{'slug':'note','label':'N','type':'text'}]}");
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'plain','label':'Plain','supports':[]}"));
	field(h, "plain", "title", "string", "");
	field(h, "plain", "hero", "image", "");
	return 0;
}

static size_t
put(char *text, size_t len, size_t size, const char *more)
{
	return len + (size_t)snprintf(text + len, size - len, "%s", more);
}

/* Appends text like "columns hero, body[0].asset._ref; draft_overlay hero". */
static size_t
put_sources(char *text, size_t len, size_t size, const json_t *sources)
{
	for (size_t i = 0; i < json_array_size(sources); i++) {
		const json_t *source = json_array_get(sources, i);
		const json_t *list = json_object_get(source, "occurrences");

		len = put(text, len, size, i > 0 ? "; " : "");
		len = put(text, len, size, json_string_value(json_object_get(source, "variant")));
		for (size_t k = 0; k < json_array_size(list); k++) {
			len = put(text, len, size, k > 0 ? ", " : " ");
			len = put(text, len, size,
			    json_string_value(
				json_object_get(json_array_get(list, k), "fieldPath")));
		}
	}
	return len;
}

const char *
places(struct harness *h, const char *media)
{
	static char text[65536];
	char sql[400];
	json_t *all;
	size_t len = 0;

	(void)snprintf(sql, sizeof(sql),
	    "SELECT json_group_array(json_object('active', active, 'sources', json(sources)))"
	    " FROM (SELECT * FROM media_use WHERE media_id = '%s' ORDER BY content_id) AS u",
	    media);
	all = json_loads(inside_ask(h, sql), 0, NULL);
	text[0] = '\0';
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *use = json_array_get(all, i);

		len = put(text, len, sizeof(text), i > 0 ? "\n" : "");
		if (json_integer_value(json_object_get(use, "active")) == 0)
			len = put(text, len, sizeof(text), "trash: ");
		len = put_sources(text, len, sizeof(text), json_object_get(use, "sources"));
	}
	json_decref(all);
	return text;
}

int64_t
uses(struct harness *h, const char *media)
{
	char sql[200];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT sum(active) FROM media_use_count WHERE media_id = '%s'", media);
	return strtoll(inside_ask(h, sql), NULL, 10);
}

/* ---- administration ---- */

struct outcome *
progress(struct harness *h)
{
	return say(h, admin, "POST " USAGE "/progress", "{}");
}

void
activate(struct harness *h)
{
	struct outcome *o;
	int steps = 0;

	assert_ok(say(h, admin, "POST " USAGE "/activation", "{'writersDrained':true}"));
	do
		harness_ok(o, progress(h));
	while (harness_int(o->data, "nextRequestInMs") == 0 && ++steps < 1000);
	assert_string_equal(harness_text(o->data, "progress.status"), "ready");
}

struct outcome *
repair(struct harness *h, const char *collection)
{
	if (*collection == '\0')
		return say(h, admin, "POST " USAGE "/repair", "{'scope':'all'}");
	return say(h, admin, "POST " USAGE "/repair", "{'scope':'collection','collection':'%s'}",
	    collection);
}

const char *
state_of(struct harness *h, const char *collection)
{
	char sql[300];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT CASE WHEN run IS NULL THEN state ELSE 'running' END FROM media_coverage m JOIN "
	    "collection c ON c.id = m.collection_id WHERE c.slug = '%s'",
	    collection);
	return inside_ask(h, sql);
}

const char *
collection_id(struct harness *h, const char *slug)
{
	static char id[27];
	char sql[100];

	(void)snprintf(sql, sizeof(sql), "SELECT id FROM collection WHERE slug = '%s'", slug);
	(void)snprintf(id, sizeof(id), "%s", inside_ask(h, sql));
	return id;
}
