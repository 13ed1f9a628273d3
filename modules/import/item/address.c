/*
 * address.c - the addresses and ids of items on this site. An importer writes a link to another
 * item of its source, and a reference inside a value, as an address with the item's id
 * (GIVEN_ITEM); what it is here is known when that item has been written.
 */
#include "item/address.h"
#include "item/relative.h"
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
	struct address_found *found;
};

static enum stet_status walk(const struct replacing *, const json_t *, int depth, json_t **out);

/* Reads when the item was published, if the pattern of its address has a date. */
static enum stet_status
date_of(struct stet_call *call, const struct stet_collection *c, const char *pattern,
    const char *id, const char **out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*out = NULL;
	if (strstr(pattern, "{year}") == NULL && strstr(pattern, "{month}") == NULL &&
	    strstr(pattern, "{day}") == NULL)
		return STET_OK;
	stet_sql_add(sql, "SELECT published_at FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*out = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
address_here(struct stet_call *call, const char *collection, const char *id, const char *slug,
    const char *locale, const char **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *parts[] = { "slug", slug, "id", id, "locale", locale, "collection", collection,
		NULL };
	const char *pattern, *date;
	const struct stet_collection *c;

	*out = NULL;
	if (schema->collection(call, collection, &c) != STET_OK) {
		stet_error_clear(call);
		return STET_OK;
	}
	pattern = stet_url_pattern(c, locale);
	if (pattern != NULL) {
		STET_TRY(date_of(call, c, pattern, id, &date));
		*out = stet_pattern_address(call, pattern, c, id, slug, locale, date);
	}
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
	if (value == NULL)
		STET_TRY(map_get(call, run, MAP_KEY, source, &value));
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

/* *out: the address of an item here; NULL: it has been deleted. *title: what its title field has,
 * or "". Owned by the call. */
static enum stet_status
address_of(struct stet_call *call, const char *collection, const char *id, const char **out,
    const char **title)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_sql *sql = stet_sql_new(call);
	const char *slug = NULL, *locale = NULL;
	const struct stet_collection *c;
	const char *field;
	struct stet_rows rows;

	*out = NULL;
	*title = "";
	STET_TRY(schema->collection(call, collection, &c));
	field = c->title_field != NULL ? c->title_field : "title";
	stet_sql_add(sql, "SELECT slug, locale, ");
	if (stet_field(c, field) != NULL)
		stet_sql_ident(sql, STET_FIELD_COLUMN, field);
	else
		stet_sql_add(sql, "''");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		slug = stet_col_dup(&rows, 0);
		locale = stet_col_dup(&rows, 1);
		*title = stet_col_dup(&rows, 2);
	}
	STET_TRY(stet_rows_end(&rows));
	if (*title == NULL)
		*title = "";
	return slug != NULL ? address_here(call, collection, id, slug, locale, out) : STET_OK;
}

/* *source: the id of the item that has this page in the source; NULL: none. */
static enum stet_status
item_of_page(const struct replacing *r, const char *page, const char **source)
{
	const char *path = relative_page(r->call, r->run->home, page);

	*source = NULL;
	return path != NULL ? map_get(r->call, r->run, MAP_PAGE, path, source) : STET_OK;
}

/* A link to a page of the source's site. While the item that it leads to is not here, it becomes
 * GIVEN_PAGE and the path, so that it is not taken for an address here later. */
static enum stet_status
replace_page(const struct replacing *r, const char *link, json_t **out)
{
	struct stet_call *call = r->call;
	const char *source, *collection, *id = NULL, *to = NULL, *title;

	STET_TRY(item_of_page(r, link, &source));
	if (source == NULL)
		return STET_OK;
	STET_TRY(find(call, r->run, source, &collection, &id));
	if (id != NULL && *id != '\0')
		STET_TRY(address_of(call, collection, id, &to, &title));
	if (to != NULL) {
		*out = json_string(stet_printf(call, "%s%s", to, link + strcspn(link, "?#")));
	} else if (id == NULL) {
		(void)json_array_append_new(r->found->missing, json_string(source));
		*out = json_string(stet_printf(call, GIVEN_PAGE "%s", link));
	}
	return STET_OK;
}

/* All items are here that come. */
static enum stet_status
end_page(const struct replacing *r, const char *link, json_t **out)
{
	struct address_found found = { .missing = stet_json_own(r->call, json_array()) };
	const struct replacing all = { r->call, r->run, &found };

	link += strlen(GIVEN_PAGE);
	STET_TRY(replace_page(&all, link, out));
	if (*out == NULL || json_array_size(found.missing) > 0) {
		json_decref(*out);
		*out = json_string(link);
	}
	return STET_OK;
}

/* Returns the length of the id in a link to an item; 0: it is none. */
static size_t
id_length(const char *link)
{
	return link != NULL && strncmp(link, GIVEN_ITEM, strlen(GIVEN_ITEM)) == 0
		   ? strcspn(link + strlen(GIVEN_ITEM), "?#")
		   : 0;
}

/* *out: a link to the item here; a new reference. */
static enum stet_status
replace(const struct replacing *r, const char *link, size_t len, json_t **out)
{
	struct stet_call *call = r->call;
	const char *rest = link + strlen(GIVEN_ITEM), *collection, *id, *to = NULL, *title,
		   *source = text_unescape(call, stet_strndup(call, rest, len));

	STET_TRY(find(call, r->run, source, &collection, &id));
	if (id != NULL && *id == '\0')
		return STET_OK;
	if (id != NULL)
		STET_TRY(address_of(call, collection, id, &to, &title));
	if (to == NULL && r->found != NULL) {
		(void)json_array_append_new(r->found->missing, json_string(source));
		return STET_OK;
	}
	*out = json_string(stet_printf(
	    call, "%s%s", to != NULL ? to : stet_printf(call, "/%s", source), rest + len));
	return STET_OK;
}

static enum stet_status
replace_link(const struct replacing *r, const char *link, json_t **out)
{
	size_t len = id_length(link);

	if (strncmp(link, GIVEN_PAGE, strlen(GIVEN_PAGE)) == 0)
		return r->found == NULL ? end_page(r, link, out) : STET_OK;
	if (len > 0)
		return replace(r, link, len, out);
	return *link == '/' && r->run->home != NULL && r->found != NULL ? replace_page(r, link, out)
									: STET_OK;
}

/* Gives a reference that shows its item, since it has a member for its address, that of the item
 * here, and its title if it has none. */
static enum stet_status
show(struct stet_call *call, const char *collection, const char *id, json_t *reference)
{
	const char *to = NULL, *title = "";

	if (json_object_get(reference, "href") == NULL)
		return STET_OK;
	if (*id != '\0')
		STET_TRY(address_of(call, collection, id, &to, &title));
	if (to != NULL)
		(void)json_object_set_new(reference, "href", json_string(to));
	else
		(void)json_object_del(reference, "href");
	if (*title != '\0' && json_object_get(reference, "title") == NULL)
		(void)json_object_set_new(reference, "title", json_string(title));
	return STET_OK;
}

/* *out: the object as a reference to the item here, a new reference; NULL: the item is not here
 * yet, or would be made by a dry run. If it does not come, the id of the source stays. */
static enum stet_status
replace_reference(const struct replacing *r, const char *ref, const json_t *value, json_t **out)
{
	struct stet_call *call = r->call;
	const char *collection, *id,
	    *source = text_unescape(call, stet_strdup(call, ref + strlen(GIVEN_ITEM)));

	STET_TRY(find(call, r->run, source, &collection, &id));
	if (id == NULL && r->found != NULL) {
		(void)json_array_append_new(r->found->refs, json_string(source));
		return STET_OK;
	}
	if (r->found != NULL)
		r->found->set++;
	if (id != NULL && *id == '\0')
		return STET_OK;
	*out = json_copy((json_t *)(uintptr_t)value);
	(void)json_object_set_new(*out, "_ref", json_string(id != NULL ? id : source));
	if (id != NULL)
		(void)json_object_set_new(*out, "collection", json_string(collection));
	return show(call, collection, id != NULL ? id : "", *out);
}

static enum stet_status
in_array(const struct replacing *r, const json_t *value, int depth, json_t **out)
{
	for (size_t i = 0; i < json_array_size(value); i++) {
		json_t *to;

		STET_TRY(walk(r, json_array_get(value, i), depth + 1, &to));
		if (to != NULL && *out == NULL)
			*out = json_copy((json_t *)(uintptr_t)value);
		if (to != NULL)
			(void)json_array_set_new(*out, i, to);
	}
	return STET_OK;
}

static enum stet_status
in_object(const struct replacing *r, const json_t *value, int depth, json_t **out)
{
	const char *key, *ref = json_string_value(json_object_get(value, "_ref"));
	bool refers = id_length(ref) > 0;
	json_t *child, *to;

	if (refers)
		STET_TRY(replace_reference(r, ref, value, out));
	json_object_foreach((json_t *)(uintptr_t)value, key, child)
	{
		const char *text = json_string_value(child);

		to = NULL;
		if (text == NULL)
			STET_TRY(walk(r, child, depth + 1, &to));
		else if (!refers && (strcmp(key, "href") == 0 || strcmp(key, "link") == 0))
			STET_TRY(replace_link(r, text, &to));
		if (to != NULL && *out == NULL)
			*out = json_copy((json_t *)(uintptr_t)value);
		if (to != NULL)
			(void)json_object_set_new(*out, key, to);
	}
	return STET_OK;
}

/* *out: the value with links replaced, of which unchanged parts are shared; NULL: it has none. */
static enum stet_status
walk(const struct replacing *r, const json_t *value, int depth, json_t **out)
{
	enum stet_status status = STET_OK;

	*out = NULL;
	if (depth < DEPTH_MAX && json_is_array(value))
		status = in_array(r, value, depth, out);
	else if (depth < DEPTH_MAX && json_is_object(value))
		status = in_object(r, value, depth, out);
	if (status == STET_OK)
		return STET_OK;
	json_decref(*out);
	*out = NULL;
	return status;
}

enum stet_status
address_links(struct stet_call *call, const struct run *run, const json_t *value,
    struct address_found *found, json_t **out)
{
	const struct replacing r = { call, run, found };

	*out = NULL;
	return run->from != NULL ? walk(&r, value, 0, out) : STET_OK;
}
