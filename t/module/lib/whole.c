/* whole.c - all data that a site shows, for comparing two sites. */
#include "whole.h"
#include "plain.h"
#include <stdio.h>
#include <stdlib.h>

static bool
is_id(const char *text)
{
	return strlen(text) == 26 && strspn(text, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == 26;
}

/* Definitions of terms, and lists without marks, are not compared; nor is when an item that refers
 * to others (`friends`) was changed. */
static bool items_only;

static bool
is_beside(const json_t *object, const char *name)
{
	/* An import sets references to other items at last, which changes the item. */
	if (json_object_get(json_object_get(object, "data"), "friends") != NULL)
		return strcmp(name, "updatedAt") == 0 || strcmp(name, "liveRevisionId") == 0;
	if (strcmp(name, "marks") == 0)
		return json_array_size(json_object_get(object, name)) == 0;
	return json_object_get(object, "label") != NULL &&
	       (strcmp(name, "description") == 0 || strcmp(name, "parentId") == 0);
}

static bool
is_dropped(const json_t *object, const char *name)
{
	static const char *const own[] = { "_rev", "version", "authorId" };

	for (size_t i = 0; i < 3; i++)
		if (strcmp(own[i], name) == 0)
			return true;
	if (items_only && is_beside(object, name))
		return true;
	if (strcmp(name, "source") == 0 && json_object_get(object, "keywords") != NULL)
		return true;
	/* Bylines, menus and sections get the time of the import. */
	return (strcmp(name, "createdAt") == 0 || strcmp(name, "updatedAt") == 0) &&
	       json_object_get(object, "data") == NULL && json_object_get(object, "body") == NULL;
}

/* A group has the id of its first row, which differs between sites, so groups are numbered
 * apart. */
static bool
names_group(const char *member)
{
	return strcmp(member, "translationGroup") == 0 || strcmp(member, "parentId") == 0;
}

static json_t *
number_of(const char *id, const char *member, json_t *ids)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "%s%s", names_group(member) ? "group " : "", id);
	if (json_object_get(ids, name) == NULL)
		(void)json_object_set_new(ids, name, json_sprintf("#%zu", json_object_size(ids)));
	return json_incref(json_object_get(ids, name));
}

/* Returns the value with each id replaced by a number in order of first use. A new reference. */
static json_t *
renamed(const json_t *value, const char *of, json_t *ids)
{
	json_t *out, *member;
	const char *name;
	size_t i;

	if (json_is_string(value) && is_id(json_string_value(value)))
		return number_of(json_string_value(value), of, ids);
	if (json_is_array(value)) {
		out = json_array();
		json_array_foreach(value, i, member)(void)
		    json_array_append_new(out, renamed(member, of, ids));
		return out;
	}
	if (!json_is_object(value))
		return json_incref((json_t *)(uintptr_t)value);
	out = json_object();
	json_object_foreach((json_t *)(uintptr_t)value, name, member)
	{
		if (!is_dropped(value, name))
			(void)json_object_set_new(out, name, renamed(member, name, ids));
	}
	return out;
}

static json_t *
get(struct harness *h, const char *request)
{
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return json_deep_copy(o->data);
}

static int
by_slug(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;

	return strcmp(json_string_value(json_object_get(*x, "slug")),
	    json_string_value(json_object_get(*y, "slug")));
}

/* Sorts the terms of an item by slug; the API returns them in the order of creation. */
static json_t *
terms_of(struct harness *h, const char *request)
{
	json_t *reply = get(h, request), *terms = json_object_get(reply, "terms"), *sorted[100];
	size_t count = json_array_size(terms);

	assert_true(count <= 100);
	for (size_t i = 0; i < count; i++)
		sorted[i] = json_incref(json_array_get(terms, i));
	qsort(sorted, count, sizeof(sorted[0]), by_slug);
	(void)json_array_clear(terms);
	for (size_t i = 0; i < count; i++)
		(void)json_array_append_new(terms, sorted[i]);
	return reply;
}

static void
add_items(struct harness *h, json_t *to, const char *collection, const json_t *taxonomies)
{
	char request[400];
	json_t *list, *item;
	const json_t *taxonomy;
	size_t i, n;

	(void)snprintf(request, sizeof(request), "GET /content/%s?limit=100&orderBy=slug&order=asc",
	    collection);
	list = get(h, request);
	assert_null(json_object_get(list, "nextCursor"));
	(void)json_array_append_new(to, list);
	json_array_foreach(json_object_get(list, "items"), i, item)
	{
		/* The single read shows the item with its draft. */
		(void)snprintf(request, sizeof(request), "GET /content/%s/%s", collection,
		    json_string_value(json_object_get(item, "id")));
		(void)json_array_append_new(to, get(h, request));
	}
	json_array_foreach(json_object_get(list, "items"), i, item)
	    json_array_foreach(taxonomies, n, taxonomy)
	{
		(void)snprintf(request, sizeof(request), "GET /content/%s/%s/terms/%s", collection,
		    json_string_value(json_object_get(item, "id")),
		    json_string_value(json_object_get(taxonomy, "name")));
		(void)json_array_append_new(to, terms_of(h, request));
	}
}

static int
by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Adds the comments sorted by text, since comments of one time have no order. */
static void
add_comments(struct harness *h, json_t *to)
{
	static const char *const statuses[] = { "pending", "approved", "spam", "trash" };
	const char *texts[400];
	size_t count = 0, i;

	for (size_t s = 0; s < 4; s++) {
		char request[100];
		json_t *list, *comment, *parent;

		(void)snprintf(request, sizeof(request), "GET /admin/comments?limit=100&status=%s",
		    statuses[s]);
		list = get(h, request);
		json_array_foreach(json_object_get(list, "items"), i, comment)
		{
			const char *id = json_string_value(json_object_get(comment, "parentId"));
			json_t *kept = json_pack("{sO sO sO sO sO}", "author",
			    json_object_get(comment, "authorName"), "email",
			    json_object_get(comment, "authorEmail"), "body",
			    json_object_get(comment, "body"), "status",
			    json_object_get(comment, "status"), "at",
			    json_object_get(comment, "createdAt"));

			if (id != NULL) {
				(void)snprintf(
				    request, sizeof(request), "GET /admin/comments/%s", id);
				parent = get(h, request);
				(void)json_object_set(kept, "to", json_object_get(parent, "body"));
				json_decref(parent);
			}
			assert_true(count < 400);
			texts[count++] = json_dumps(kept, JSON_SORT_KEYS);
			json_decref(kept);
		}
		json_decref(list);
	}
	qsort(texts, count, sizeof(texts[0]), by_text);
	for (i = 0; i < count; i++) {
		(void)json_array_append_new(to, json_string(texts[i]));
		free((void *)(uintptr_t)texts[i]);
	}
}

static void
add_menus(struct harness *h, json_t *to)
{
	json_t *list = get(h, "GET /menus"), *menu;
	char request[400];
	size_t i;

	json_array_foreach(list, i, menu)
	{
		(void)snprintf(request, sizeof(request), "GET /menus/%s?locale=%s",
		    json_string_value(json_object_get(menu, "name")),
		    json_string_value(json_object_get(menu, "locale")));
		(void)json_array_append_new(to, get(h, request));
	}
	json_decref(list);
}

/* Returns the values as text, and drops the references. */
static char *
told(json_t *all, json_t *schema, json_t *taxonomies)
{
	json_t *ids = json_object(), *plain;
	char *text;

	plain_make(all);
	plain = renamed(all, "", ids);
	text = json_dumps(plain, JSON_INDENT(1) | JSON_SORT_KEYS);
	json_decref(all);
	json_decref(schema);
	json_decref(taxonomies);
	json_decref(ids);
	json_decref(plain);
	return text;
}

char *
site_told(struct harness *h)
{
	json_t *all = json_array(), *schema = get(h, "GET /schema/collections"),
	       *taxonomies = get(h, "GET /taxonomies"), *one_of;
	const json_t *list = json_object_get(taxonomies, "taxonomies");
	char request[400];
	size_t i;

	json_array_foreach(json_object_get(schema, "items"), i, one_of)
	    add_items(h, all, json_string_value(json_object_get(one_of, "slug")), list);
	json_array_foreach(list, i, one_of)
	{
		(void)snprintf(request, sizeof(request), "GET /taxonomies/%s/terms",
		    json_string_value(json_object_get(one_of, "name")));
		(void)json_array_append_new(all, get(h, request));
	}
	add_comments(h, all);
	add_menus(h, all);
	(void)json_array_append_new(all, get(h, "GET /sections"));
	items_only = false;
	return told(all, schema, taxonomies);
}

char *
site_items_told(struct harness *h)
{
	json_t *all = json_array(), *schema = get(h, "GET /schema/collections"),
	       *taxonomies = get(h, "GET /taxonomies"), *one_of;
	size_t i;

	json_array_foreach(json_object_get(schema, "items"), i, one_of)
	    add_items(h, all, json_string_value(json_object_get(one_of, "slug")),
		json_object_get(taxonomies, "taxonomies"));
	items_only = true;
	return told(all, schema, taxonomies);
}
