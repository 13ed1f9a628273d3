/* values.c - random collections and items, and values for them that refer to media items. */
#include "changes.h"
#include <stdio.h>
#include <stdlib.h>

#define ITEMS_MOST 12 /* maximum for a collection, including the trash */

const struct changing changing[] = {
	{ "hero", "image" },
	{ "other", "image" },
	{ "manual", "file" },
	{ "shots", "repeater" },
	{ "body", "portableText" },
};
const int changing_count = COUNT(changing);

/* ---- choosing ---- */

int
number(const char *sql)
{
	return (int)strtol(inside_ask(world.site, sql), NULL, 10);
}

const char *
a_collection(void)
{
	static char out[2][40];
	static int turn;
	int count = number("SELECT count(*) FROM collection");
	char sql[200];

	if (count == 0)
		return NULL;
	(void)snprintf(sql, sizeof(sql),
	    "SELECT slug FROM collection ORDER BY slug LIMIT 1 OFFSET %d", chosen(count));
	turn = !turn;
	(void)snprintf(out[turn], sizeof(out[0]), "%s", inside_ask(world.site, sql));
	return out[turn];
}

const char *
an_item(const char *collection, bool trashed)
{
	static char id[40];
	const char *which = trashed ? "NOT NULL" : "NULL";
	char sql[300];
	int count;

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM c_%s WHERE deleted_at IS %s",
	    collection, which);
	count = number(sql);
	if (count == 0)
		return NULL;
	(void)snprintf(sql, sizeof(sql),
	    "SELECT id FROM c_%s WHERE deleted_at IS %s ORDER BY slug, locale, id LIMIT 1 OFFSET %d",
	    collection, which, chosen(count));
	(void)snprintf(id, sizeof(id), "%s", inside_ask(world.site, sql));
	return id;
}

bool
is_full(const char *collection)
{
	char sql[100];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM c_%s", collection);
	return number(sql) >= ITEMS_MOST;
}

/* Returns an id for references, mostly of an existing item. */
static const char *
an_id(void)
{
	const char *id = world.media[chosen(SLOTS)];

	if (*id != '\0')
		return id;
	return *world.gone != '\0' ? world.gone : M1;
}

/* ---- values ---- */

static json_t *
an_image(void)
{
	json_t *v = json_pack("{s:s}", "id", an_id());

	switch (chosen(6)) {
	case 0:
		json_decref(v);
		return json_null();
	case 1:
		json_object_set_new(v, "provider", json_string("unsplash"));
		break;
	case 2:
	case 3:
		json_object_set_new(v, "darkVariant", json_pack("{s:s}", "id", an_id()));
		break;
	default:
		break;
	}
	return v;
}

const char *
a_path(void)
{
	static char path[200];
	char sql[200];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT '/_cms/api/media/file/' || kept_key FROM media_items WHERE id = '%s'", an_id());
	(void)snprintf(path, sizeof(path), "%s", inside_ask(world.site, sql));
	return path;
}

/* Returns a text, mostly with the URL of a file. */
static json_t *
a_text(const char *otherwise)
{
	const char *path = a_path();
	char text[300];

	if (chosen(3) == 0 || *path == '\0')
		return json_string(otherwise);
	(void)snprintf(text, sizeof(text), "see https://Example.org%s?w=1", path);
	return json_string(text);
}

static json_t *
a_file(void)
{
	switch (chosen(4)) {
	case 0:
		return json_null();
	case 1:
		return json_string(an_id());
	default:
		return json_pack("{s:s}", "id", an_id());
	}
}

static json_t *
some_rows(void)
{
	json_t *list = json_array();

	for (int n = chosen(3); n > 0; n--)
		json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "photo", an_image(),
						"plan", a_file(), "note", a_text("n")));
	return list;
}

static json_t *
an_asset(void)
{
	return json_pack("{s:{s:s}}", "asset", "_ref", an_id());
}

static json_t *
some_blocks(void)
{
	json_t *list = json_array();

	for (int n = chosen(4); n > 0; n--) {
		json_t *block = chosen(2) == 0 ? an_asset() : json_object();

		json_object_set_new(
		    block, "_type", json_string(json_object_size(block) > 0 ? "image" : "gallery"));
		if (strcmp(harness_text(block, "_type"), "gallery") == 0)
			json_object_set_new(
			    block, "images", json_pack("[o, o]", an_asset(), an_asset()));
		json_object_set_new(block, "html", a_text("none"));
		json_array_append_new(list, block);
	}
	return list;
}

bool
has_field(const char *collection, const char *slug)
{
	char sql[300];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM field f JOIN collection c ON c.id = f.collection_id WHERE "
	    "c.slug = '%s' AND f.slug = '%s'",
	    collection, slug);
	return number(sql) > 0;
}

static json_t *
a_value(const char *type)
{
	if (strcmp(type, "image") == 0)
		return an_image();
	if (strcmp(type, "file") == 0)
		return a_file();
	return strcmp(type, "repeater") == 0 ? some_rows() : some_blocks();
}

json_t *
some_values(const char *collection)
{
	json_t *data = json_pack("{s:o}", "title", a_text(chosen(2) == 0 ? "One" : "Two"));

	for (int i = 0; i < changing_count; i++)
		if (chosen(2) > 0 && has_field(collection, changing[i].slug))
			json_object_set_new(data, changing[i].slug, a_value(changing[i].type));
	return data;
}

/* ---- asking ---- */

struct outcome *
send_json(const char *request, json_t *body)
{
	char *text = json_dumps(body, 0);
	struct outcome *o = harness_request(world.site, admin, request, NULL, text);

	free(text);
	json_decref(body);
	return o;
}

bool
went(struct outcome *o)
{
	static const char *const fine[] = { "CONFLICT", "SLUG_CONFLICT", "NOT_FOUND",
		"TRANSLATION_EXISTS", "COLLECTION_NOT_FOUND", "COLLECTION_EXISTS" };

	if (*o->code == '\0')
		return true;
	for (size_t i = 0; i < COUNT(fine); i++)
		if (strcmp(o->code, fine[i]) == 0)
			return false;
	fail_msg("%d %s", o->http, o->text);
	return false;
}
