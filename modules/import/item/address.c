/*
 * address.c - the addresses of items on this site. An importer writes a link to another item of its
 * source as an address with the item's id (GIVEN_ITEM); what it is here is known when that item has
 * been written.
 */
#include "item/address.h"
#include "plan/given.h"
#include "read/text.h"
#include "state/ids.h"
#include "state/map.h"
#include <stet/content.h>
#include <string.h>

#define DEPTH_MAX 200

struct replacing {
	struct stet_call *call;
	const struct run *run;
	json_t *missing;
	bool changed;
};

enum stet_status
address_here(struct stet_call *call, const char *collection, const char *id, const char *slug,
    const char *locale, const char **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *parts[] = { "slug", slug, "id", id, "locale", locale, "collection", collection,
		NULL };
	const struct stet_collection *c;

	*out = NULL;
	if (schema->collection(call, collection, &c) != STET_OK) {
		stet_error_clear(call);
		return STET_OK;
	}
	if (c->url_pattern != NULL && *c->url_pattern != '\0')
		*out = stet_path_fill(call, c->url_pattern, parts);
	if (*out == NULL)
		*out = stet_path_fill(call, "/{collection}/{slug}", parts);
	return STET_OK;
}

/* Finds the item that one of the source has become. *id NULL: none yet; "": a dry run would make
 * it. */
static enum stet_status
find(struct stet_call *call, const struct run *run, const char *source, const char **collection,
    const char **id)
{
	const char *value, *sep;
	struct kept kept;

	*collection = *id = NULL;
	STET_TRY(map_get(call, run, MAP_ENTRY, source, &value));
	if (value != NULL && (sep = strchr(value, *MAP_SEP)) != NULL) {
		*collection = stet_strndup(call, value, (size_t)(sep - value));
		*id = sep + 1;
		return STET_OK;
	}
	STET_TRY(ids_find(call, run, source, &kept));
	if (kept.item != NULL && *kept.collection != '\0') {
		*collection = kept.collection;
		*id = kept.item;
	}
	return STET_OK;
}

static enum stet_status
address_of(struct stet_call *call, const char *collection, const char *id, const char **out)
{
	struct stet_sql *sql = stet_sql_new(call);
	const char *slug = NULL, *locale = NULL;
	struct stet_rows rows;

	*out = NULL;
	stet_sql_add(sql, "SELECT slug, locale FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		slug = stet_col_dup(&rows, 0);
		locale = stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	return slug != NULL ? address_here(call, collection, id, slug, locale, out) : STET_OK;
}

/* Returns the length of the id in a link to an item; 0: it is none. */
static size_t
id_length(const char *link)
{
	return link != NULL && strncmp(link, GIVEN_ITEM, strlen(GIVEN_ITEM)) == 0
		   ? strcspn(link + strlen(GIVEN_ITEM), "?#")
		   : 0;
}

static enum stet_status
replace(struct replacing *r, json_t *object, const char *member)
{
	struct stet_call *call = r->call;
	const char *link = json_string_value(json_object_get(object, member)), *rest, *collection,
		   *id, *source, *to = NULL;
	size_t len = id_length(link);

	if (len == 0)
		return STET_OK;
	rest = link + strlen(GIVEN_ITEM);
	source = text_unescape(call, stet_strndup(call, rest, len));
	rest += len;
	STET_TRY(find(call, r->run, source, &collection, &id));
	if (id != NULL && *id == '\0')
		return STET_OK;
	if (id != NULL)
		STET_TRY(address_of(call, collection, id, &to));
	if (to == NULL && r->missing != NULL) {
		(void)json_array_append_new(r->missing, json_string(source));
		return STET_OK;
	}
	if (to == NULL)
		to = stet_printf(call, "/%s", source);
	(void)json_object_set_new(object, member, json_string(stet_printf(call, "%s%s", to, rest)));
	r->changed = true;
	return STET_OK;
}

static enum stet_status
walk(struct replacing *r, json_t *value, int depth)
{
	const char *key;
	json_t *child;
	size_t i;

	if (depth == DEPTH_MAX)
		return STET_OK;
	json_array_foreach(value, i, child) STET_TRY(walk(r, child, depth + 1));
	if (!json_is_object(value))
		return STET_OK;
	STET_TRY(replace(r, value, "href"));
	STET_TRY(replace(r, value, "link"));
	json_object_foreach(value, key, child)
	{
		if (json_is_object(child) || json_is_array(child))
			STET_TRY(walk(r, child, depth + 1));
	}
	return STET_OK;
}

static bool
has_link(const json_t *value, int depth)
{
	const char *key;
	json_t *child;
	size_t i;

	if (json_is_string(value))
		return id_length(json_string_value(value)) > 0;
	if (depth == DEPTH_MAX)
		return false;
	json_array_foreach((json_t *)(uintptr_t)value, i, child)
	{
		if (has_link(child, depth + 1))
			return true;
	}
	json_object_foreach((json_t *)(uintptr_t)value, key, child)
	{
		if (has_link(child, depth + 1))
			return true;
	}
	return false;
}

enum stet_status
address_links(struct stet_call *call, const struct run *run, const json_t *value, json_t *missing,
    json_t **out)
{
	struct replacing r = { .call = call, .run = run, .missing = missing };
	enum stet_status status;

	*out = NULL;
	if (run->from == NULL || !has_link(value, 0))
		return STET_OK;
	*out = json_deep_copy(value);
	status = walk(&r, *out, 0);
	if (status == STET_OK && r.changed)
		return STET_OK;
	json_decref(*out);
	*out = NULL;
	return status;
}
