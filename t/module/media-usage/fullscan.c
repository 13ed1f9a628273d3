/*
 * fullscan.c - the expected index of uses. It is computed from the definitions of collections and
 * the items' values, published and staged, as a client reads them, without code of the module.
 */
#include "fullscan.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/content.h>

struct scan {
	struct harness *h;
	json_t *fields; /* fields of the collection */
	bool revisions;
	char slug[64]; /* slug of the collection */
	json_t *all;
};

/* The uses of one item while it is scanned: media id to sources. */
struct seen {
	json_t *uses;
	const char *variant;
};

/* ---- what values refer to ---- */

static int
by_path(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;

	return strcmp(json_string_value(json_object_get(*x, "fieldPath")),
	    json_string_value(json_object_get(*y, "fieldPath")));
}

/* Sorts the occurrences of a source by their paths. */
static void
insert(json_t *list, json_t *one)
{
	size_t at = 0;

	while (at < json_array_size(list)) {
		const json_t *other = json_array_get(list, at), *new = one;

		if (by_path(&new, &other) < 0)
			break;
		at++;
	}
	json_array_insert_new(list, at, one);
}

static void
note(struct seen *s, const json_t *id, const char *field, const char *path, const char *type)
{
	json_t *sources, *source;
	size_t last;

	if (json_string_length(id) == 0 || strpbrk(json_string_value(id), "/:") != NULL)
		return; /* a URL or a path, not an id */
	sources = json_object_get(s->uses, json_string_value(id));
	if (sources == NULL) {
		sources = json_array();
		json_object_set_new(s->uses, json_string_value(id), sources);
	}
	last = json_array_size(sources);
	source = last > 0 ? json_array_get(sources, last - 1) : NULL;
	if (source == NULL ||
	    strcmp(json_string_value(json_object_get(source, "variant")), s->variant) != 0) {
		source = json_pack("{s:s, s:[]}", "variant", s->variant, "occurrences");
		json_array_append_new(sources, source);
	}
	insert(json_object_get(source, "occurrences"),
	    json_pack("{s:s, s:s, s:i, s:s}", "fieldSlug", field, "fieldPath", path,
		"occurrenceIndex", 0, "referenceType", type));
}

static bool
is_here(const json_t *value)
{
	const char *provider = json_string_value(json_object_get(value, "provider"));

	return json_is_object(value) && (provider == NULL || strcmp(provider, "local") == 0);
}

static void
see_file(struct seen *s, const json_t *v, const char *field, const char *path, const char *type)
{
	if (json_is_string(v)) /* a value from before the field's type changed */
		note(s, v, field, path, type);
	else if (is_here(v))
		note(s, json_object_get(v, "id"), field, path, type);
}

static void
see_image(struct seen *s, const json_t *v, const char *field, const char *path)
{
	char dark[100];

	(void)snprintf(dark, sizeof(dark), "%s.darkVariant", path);
	see_file(s, v, field, path, "image_field");
	see_file(s, json_object_get(v, "darkVariant"), field, dark, "image_field");
}

static void
see_rows(struct seen *s, const json_t *field, const char *slug, const json_t *rows)
{
	const json_t *subs = json_object_get(json_object_get(field, "validation"), "subFields");
	char path[100];

	for (size_t i = 0; i < json_array_size(rows); i++)
		for (size_t k = 0; k < json_array_size(subs); k++) {
			json_t *sub = json_array_get(subs, k);
			const char *name = harness_text(sub, "slug"),
				   *type = harness_text(sub, "type");
			const json_t *v = json_object_get(json_array_get(rows, i), name);

			(void)snprintf(path, sizeof(path), "%s[%zu].%s", slug, i, name);
			if (strcmp(type, "image") == 0)
				see_image(s, v, slug, path);
			else if (strcmp(type, "file") == 0)
				see_file(s, v, slug, path, "file_field");
		}
}

static void
see_asset(struct seen *s, json_t *block, const char *field, const char *path)
{
	char whole[120];

	(void)snprintf(whole, sizeof(whole), "%s.asset._ref", path);
	if (is_here(json_object_get(block, "asset")))
		note(s, harness_at(block, "asset._ref"), field, whole, "portable_text_image");
}

static void
see_blocks(struct seen *s, const char *field, const json_t *blocks)
{
	char path[100];

	for (size_t i = 0; i < json_array_size(blocks); i++) {
		json_t *block = json_array_get(blocks, i), *images = harness_at(block, "images");

		(void)snprintf(path, sizeof(path), "%s[%zu]", field, i);
		if (strcmp(harness_text(block, "_type"), "image") == 0)
			see_asset(s, block, field, path);
		for (size_t k = 0; k < json_array_size(images); k++) {
			(void)snprintf(path, sizeof(path), "%s[%zu].images[%zu]", field, i, k);
			if (strcmp(harness_text(block, "_type"), "gallery") == 0)
				see_asset(s, json_array_get(images, k), field, path);
		}
	}
}

/* ---- URLs of files ---- */

/* Returns the media item of a file, even one deleted after an item stored its URL. */
static const char *
owner_of(struct harness *h, const char *key)
{
	char sql[400];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT coalesce((SELECT id FROM media_items WHERE kept_key = '%s'), (SELECT media_id "
	    "FROM media_use_file WHERE storage_key = '%s'), '')",
	    key, key);
	return inside_ask(h, sql);
}

static void
see_urls(struct scan *scan, struct seen *s, const json_t *v, const char *field, const char *path)
{
	static const char place[] = "/_cms/api/media/file/";
	const char *at = json_is_string(v) ? strstr(json_string_value(v), place) : NULL, *name;
	char key[100], below[200];
	json_t *member;

	if (at != NULL) {
		at += strlen(place);
		(void)snprintf(key, sizeof(key), "%.*s", (int)strcspn(at, " ?\""), at);
		member = json_string(owner_of(scan->h, key));
		note(s, member, field, path, "media_url");
		json_decref(member);
	}
	for (size_t i = 0; i < json_array_size(v); i++) {
		(void)snprintf(below, sizeof(below), "%s[%zu]", path, i);
		see_urls(scan, s, json_array_get(v, i), field, below);
	}
	json_object_foreach((json_t *)(uintptr_t)v, name, member)
	{
		(void)snprintf(below, sizeof(below), "%s.%s", path, name);
		see_urls(scan, s, member, field, below);
	}
}

/* Returns true if a URL is within the object of the previous occurrence, which includes it. */
static bool
is_beside(const char *path, const char *url)
{
	size_t len = strrchr(url, '.') != NULL ? (size_t)(strrchr(url, '.') - url) : 0;

	return len > 0 && strncmp(path, url, len) == 0 &&
	       (path[len] == '\0' || (path[len] == '.' && strchr(path + len + 1, '.') == NULL));
}

static void
drop_told(struct seen *s)
{
	const char *media;
	json_t *sources;

	json_object_foreach(s->uses, media, sources)
	{
		json_t *list = harness_at(
		    json_array_get(sources, json_array_size(sources) - 1), "occurrences");

		for (size_t i = 1; i < json_array_size(list); i++) {
			json_t *one = json_array_get(list, i), *last = json_array_get(list, i - 1);

			if (strcmp(harness_text(one, "referenceType"), "media_url") == 0 &&
			    is_beside(
				harness_text(last, "fieldPath"), harness_text(one, "fieldPath")))
				json_array_remove(list, i--);
		}
	}
}

static void
see_values(struct scan *scan, struct seen *s, const json_t *data, const char *variant)
{
	s->variant = variant;
	for (size_t i = 0; i < json_array_size(scan->fields); i++) {
		json_t *field = json_array_get(scan->fields, i);
		const char *slug = harness_text(field, "slug"), *type = harness_text(field, "type");
		const json_t *v = json_object_get(data, slug);

		if (strcmp(type, "image") == 0)
			see_image(s, v, slug, slug);
		else if (strcmp(type, "file") == 0)
			see_file(s, v, slug, slug, "file_field");
		else if (strcmp(type, "repeater") == 0)
			see_rows(s, field, slug, v);
		else if (strcmp(type, "portableText") == 0)
			see_blocks(s, slug, v);
		see_urls(scan, s, v, slug, slug);
	}
	drop_told(s);
}

/* ---- items ---- */

static void
add(struct scan *scan, const char *id, json_t *uses, bool active)
{
	const char *media;
	json_t *sources;
	char key[200];

	json_object_foreach(uses, media, sources)
	{
		(void)snprintf(key, sizeof(key), "%s %s %s", media, scan->slug, id);
		json_object_set_new(
		    scan->all, key, json_pack("{s:b, s:O}", "active", active, "sources", sources));
	}
}

/* The draft of an unpublished item replaces its columns. */
static void
see_versions(struct scan *scan, json_t *item, const json_t *live, const json_t *draft, bool trashed)
{
	struct seen s = { .uses = json_object() };

	if (draft == NULL || strcmp(harness_text(item, "status"), "published") == 0)
		see_values(scan, &s, live, "columns");
	if (draft != NULL)
		see_values(scan, &s, draft, "draft_overlay");
	add(scan, harness_text(item, "id"), s.uses, !trashed);
	json_decref(s.uses);
}

static void
see_there(struct scan *scan, json_t *listed)
{
	struct outcome *o =
	    ask(scan->h, admin, "GET /content/%s/%s", scan->slug, harness_text(listed, "id"));
	json_t *item = json_object_get(o->data, "item"), *data = json_object_get(item, "data");

	assert_ok(o);
	if (scan->revisions && json_is_string(json_object_get(item, "draftRevisionId")))
		see_versions(scan, item, json_object_get(item, "liveData"), data, false);
	else
		see_versions(scan, item, data, NULL, false);
}

/* ---- the trash, of whose drafts clients see nothing ---- */

struct hidden {
	struct scan *scan;
	json_t *item, *draft;
};

static enum stet_status
read_hidden(struct stet_call *call, void *arg)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct hidden *hidden = arg;
	const struct stet_collection *const *list;
	const json_t *draft = NULL;
	const char *slug;
	size_t count;

	STET_TRY(schema->collections(call, &list, &count));
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i]->slug, hidden->scan->slug) == 0)
			STET_TRY(content->draft(
			    call, list[i], harness_text(hidden->item, "id"), &draft, &slug));
	hidden->draft = draft != NULL ? json_deep_copy(draft) : NULL;
	return STET_OK;
}

static void
see_trashed(struct scan *scan, json_t *item)
{
	struct hidden hidden = { scan, item, NULL };

	if (scan->revisions)
		assert_int_equal(inside_read(scan->h, read_hidden, &hidden), STET_OK);
	see_versions(scan, item, json_object_get(item, "data"), hidden.draft, true);
	json_decref(hidden.draft);
}

/* ---- collections ---- */

static void
see_items(struct scan *scan, const char *rest, void (*see)(struct scan *, json_t *item))
{
	struct outcome *o = ask(scan->h, admin, "GET /content/%s%s?limit=100", scan->slug, rest);
	json_t *list;

	assert_ok(o);
	assert_string_equal(harness_text(o->data, "nextCursor"), "");
	list = json_incref(json_object_get(o->data, "items"));
	for (size_t i = 0; i < json_array_size(list); i++)
		see(scan, json_array_get(list, i));
	json_decref(list);
}

static void
see_collection(struct scan *scan, json_t *collection)
{
	json_t *supports = json_object_get(collection, "supports");

	(void)snprintf(scan->slug, sizeof(scan->slug), "%s", harness_text(collection, "slug"));
	scan->fields = json_object_get(collection, "fields");
	assert_true(json_is_array(scan->fields));
	scan->revisions = false;
	for (size_t i = 0; i < json_array_size(supports); i++)
		scan->revisions |=
		    strcmp(json_string_value(json_array_get(supports, i)), "revisions") == 0;
	see_items(scan, "/trash", see_trashed);
	see_items(scan, "", see_there);
}

json_t *
items_scan(struct harness *h)
{
	struct scan scan = { .h = h, .all = json_object() };
	struct outcome *o;
	json_t *list;

	harness_ok(o, ask(h, admin, "GET /schema/collections"));
	list = json_incref(json_object_get(o->data, "items"));
	assert_true(json_is_array(list));
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *one;

		harness_ok(o, ask(h, admin, "GET /schema/collections/%s?includeFields=true",
				  harness_text(json_array_get(list, i), "slug")));
		one = json_incref(json_object_get(o->data, "item"));
		see_collection(&scan, one);
		json_decref(one);
	}
	json_decref(list);
	return scan.all;
}

/* ---- the index ---- */

#define AT_ONCE 20 /* rows; as many as the buffer of inside_ask holds */

json_t *
index_dump(struct harness *h)
{
	json_t *all = json_object();
	size_t count = AT_ONCE;

	for (int from = 0; count == AT_ONCE; from += AT_ONCE) {
		char sql[600];
		json_t *rows, *row;
		size_t i;

		(void)snprintf(sql, sizeof(sql),
		    "SELECT json_group_array(json_array(media_id || ' ' || slug || ' ' || "
		    "content_id, active, json(sources))) FROM (SELECT u.*, c.slug FROM media_use u "
		    "JOIN collection c ON c.id = u.collection_id ORDER BY media_id, collection_id, "
		    "content_id LIMIT %d OFFSET %d) AS u",
		    AT_ONCE, from);
		rows = json_loads(inside_ask(h, sql), 0, NULL);
		assert_true(json_is_array(rows));
		count = json_array_size(rows);
		json_array_foreach(rows, i, row) json_object_set_new(all,
		    json_string_value(json_array_get(row, 0)),
		    json_pack("{s:b, s:O}", "active", json_integer_value(json_array_get(row, 1)),
			"sources", json_array_get(row, 2)));
		json_decref(rows);
	}
	return all;
}

int
uses_in(json_t *all, const char *media, bool active)
{
	size_t len = strlen(media);
	const char *key;
	json_t *use;
	int count = 0;

	json_object_foreach(all, key, use) if (strncmp(key, media, len) == 0 && key[len] == ' ')
	    count += !active || json_is_true(json_object_get(use, "active"));
	return count;
}
