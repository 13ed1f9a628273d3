/* find.c - finds the row of an item by id or slug, and tells where an item is that had the slug. */
#include "item/item.h"
#include <stet/redirects.h>
#include <string.h>

enum stet_status
item_any(struct stet_call *call, const struct plan *plan, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_query(call, rows, plan->by_id, STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_one(call, rows, STET_NOT_FOUND, plan->by_id_trashed, STET_ARGS(id));
}

enum stet_status
item_not_found(struct stet_call *call, const char *name)
{
	return stet_fail(call, STET_NOT_FOUND, NULL, "Content item not found: %s", name);
}

/* Adds the item that had this slug before to the details of the error, and its slug to the message.
 */
static enum stet_status
tell_moved(struct stet_call *call, const struct stet_collection *collection, const char *name,
    const struct stet_moved *moved)
{
	json_t *details = stet_json_own(call, json_object());
	enum stet_status status = stet_fail(call, STET_NOT_FOUND, NULL,
	    "Content item not found: %s. It is at another slug now: %s", name, moved->slug);

	json_object_set_new(details, "collection", json_string(collection->slug));
	json_object_set_new(details, "id", json_string(moved->id));
	json_object_set_new(details, "slug", json_string(moved->slug));
	json_object_set_new(details, "locale", json_string(moved->locale));
	json_object_set_new(
	    details, "url", moved->url != NULL ? json_string(moved->url) : json_null());
	stet_detail_json(call, "moved", details);
	return status;
}

/* Fails with NOT_FOUND. If an item that the caller may see had this slug, the error says where it
 * is now. */
static enum stet_status
missing(struct stet_call *call, const struct plan *plan, const char *name, const char *locale)
{
	const struct stet_redirects_1 *redirects = stet_service(call, STET_REDIRECTS_1);
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *collection;
	struct stet_moved moved = { 0 };

	if (redirects == NULL || stet_is_id(name))
		return item_not_found(call, name);
	STET_TRY(schema->collection(call, plan->slug, &collection));
	STET_TRY(redirects->find(call, collection, name, locale, &moved, sizeof(moved)));
	return moved.id != NULL ? tell_moved(call, collection, name, &moved)
				: item_not_found(call, name);
}

static enum stet_status
first(struct stet_rows *rows, bool *found)
{
	*found = stet_row(rows);
	return *found ? STET_OK : stet_rows_end(rows);
}

enum stet_status
item_by_slug(struct stet_call *call, const struct plan *plan, const char *slug, const char *locale,
    struct stet_rows *rows, bool *found)
{
	if (locale != NULL)
		STET_TRY(stet_query(call, rows, plan->by_slug_locale, STET_ARGS(slug, locale)));
	else if (stet_may(call, "content:read_drafts"))
		STET_TRY(stet_query(call, rows, plan->by_slug, STET_ARGS(slug)));
	else /* A draft in a lower locale must not hide an item that the reader may see. */
		STET_TRY(stet_query(call, rows, plan->by_slug_live, STET_ARGS(slug)));
	return first(rows, found);
}

static enum stet_status
by_name(struct stet_call *call, const struct plan *plan, const char *name, const char *locale,
    struct stet_rows *rows, bool *found)
{
	*found = false;
	/* Ids have a fixed form, so a name of another form can only be a slug. */
	if (stet_is_id(name)) {
		STET_TRY(stet_query(call, rows, plan->by_id, STET_ARGS(name)));
		STET_TRY(first(rows, found));
	}
	return *found ? STET_OK : item_by_slug(call, plan, name, locale, rows, found);
}

/* Finds an item by the slug that its pending draft stages, for readers who may see drafts. A
 * collection without revisions has no drafts. */
static enum stet_status
by_staged_slug(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const char *slug, const char *locale, struct stet_rows *rows,
    bool *found)
{
	if (!collection->revisions || !stet_may(call, "content:read_drafts"))
		return STET_OK;
	STET_TRY(stet_query(
	    call, rows, plan->by_slug_staged, STET_ARGS((const char *)plan->slug, slug, locale)));
	return first(rows, found);
}

enum stet_status
item_find(struct stet_call *call, const struct plan *plan, const char *name, const char *locale,
    struct stet_rows *rows)
{
	bool found;

	STET_TRY(by_name(call, plan, name, locale, rows, &found));
	return found ? STET_OK : missing(call, plan, name, locale);
}

/* Fails with NOT_FOUND for a draft that the reader may not see, with the error used if no item
 * exists. */
static enum stet_status
check_seen(struct stet_call *call, const struct plan *plan, const char *name, const char *locale,
    struct stet_rows *rows)
{
	if (stet_may(call, "content:read_drafts") ||
	    strcmp(stet_col_str(rows, C_STATUS), "published") == 0)
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return missing(call, plan, name, locale);
}

enum stet_status
item_find_seen(struct stet_call *call, const struct plan *plan, const char *name,
    const char *locale, struct stet_rows *rows)
{
	STET_TRY(item_find(call, plan, name, locale, rows));
	return check_seen(call, plan, name, locale, rows);
}

enum stet_status
item_find_shown(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const char *name, const char *slug, const char *locale,
    struct stet_rows *rows)
{
	bool found;

	if (slug != NULL && *slug != '\0') {
		name = slug;
		STET_TRY(item_by_slug(call, plan, slug, locale, rows, &found));
	} else
		STET_TRY(by_name(call, plan, name, locale, rows, &found));
	if (!found)
		STET_TRY(by_staged_slug(call, collection, plan, name, locale, rows, &found));
	return found ? check_seen(call, plan, name, locale, rows)
		     : missing(call, plan, name, locale);
}
