/*
 * views.c - saved views of the admin pages' lists: filters, order and columns under a name.
 *
 * A view belongs to a user, or to the site: then everybody sees it, and those who may manage the
 * schema save and delete it. `query` is what the list's address says, for the pages alone: the
 * server stores it and does not use it. What is stored is bounded in number and size.
 */
#include "admin.h"
#include <stet/content.h>
#include <string.h>

#define NAME_MAX_LEN 60
#define QUERY_MEMBERS_MAX 40
#define QUERY_KEY_MAX 100 /* bytes */
#define QUERY_TEXT_MAX 2000 /* bytes of a value */
#define COLUMNS_MAX 50
#define COLUMN_MAX 63
#define VIEWS_MAX 200 /* of a person, and of the site */
#define SITE "" /* owner of the views of everybody */

#define VIEW_MEMBERS                                                                    \
	{ "name", STET_STRING, STET_REQUIRED, STET_RANGE(1, NAME_MAX_LEN) },            \
	    { "query", STET_OBJECT, STET_REQUIRED | STET_STORED_JSON,                   \
		    .about = "Texts by name, as in the address of the page" },          \
	{                                                                               \
		"columns", STET_ARRAY, STET_REQUIRED | STET_STORED_JSON,                \
		    .item = STET_STRING, .about = "Slugs of the fields that are shown", \
		    STET_RANGE(0, COLUMNS_MAX)                                          \
	}

static const struct stet_member view_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	VIEW_MEMBERS,
	{ "shared", STET_BOOLEAN, STET_REQUIRED, .about = "Everybody's" },
	{ 0 },
};
const struct stet_member views_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ 0 },
};
const struct stet_member views_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = view_shape,
	    .about = "The site's, then one's own, by name" },
	{ "mayShare", STET_BOOLEAN, STET_REQUIRED, .about = "The caller saves views of everybody" },
	{ 0 },
};
const struct stet_member view_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "name", STET_STRING, STET_REQUIRED, STET_RANGE(1, NAME_MAX_LEN) },
	{ "query", STET_OBJECT, STET_REQUIRED,
	    .about = "Texts by name, as in the address of the page; at most 40" },
	{ "columns", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "Slugs of the fields that are shown", STET_RANGE(0, COLUMNS_MAX) },
	{ "shared", STET_BOOLEAN, .fallback = "false",
	    .about = "For everybody; needs schema:manage" },
	{ 0 },
};
const struct stet_member view_by_id[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member view_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = view_shape },
	{ 0 },
};
const struct stet_member view_deleted_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* Fails if the caller cannot see the collection. */
static enum stet_status
check_collection(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *collection;

	return schema->collection(call, stet_arg(call, "collection"), &collection);
}

/* ---- reading ---- */

#define VIEW_COLUMNS "SELECT id, name, query, columns, owner_id = '' FROM admin_view"

enum stet_status
view_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(check_collection(call));
	STET_TRY(stet_query(call, &rows,
	    VIEW_COLUMNS " WHERE collection = ?1 AND owner_id IN ('" SITE "', ?2)"
			 " ORDER BY owner_id, name",
	    STET_ARGS(stet_arg(call, "collection"), stet_principal(call)->id)));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows))
		stet_put_row(out, &rows, view_shape);
	stet_close(out);
	stet_put_bool(out, "mayShare", stet_may(call, VIEWS_SHARE));
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- writing ---- */

/* Records issues of `query` and `columns`. */
static enum stet_status
check_texts(struct stet_call *call)
{
	json_t *query = (json_t *)stet_arg_json(call, "query"), *value;
	const json_t *columns = stet_arg_json(call, "columns");
	const char *key;
	size_t i;

	if (json_object_size(query) > QUERY_MEMBERS_MAX)
		stet_issue(call, "query", "has more than %d members", QUERY_MEMBERS_MAX);
	json_object_foreach(
	    query, key, value) if (!json_is_string(value) || strlen(key) > QUERY_KEY_MAX ||
				   json_string_length(value) > QUERY_TEXT_MAX) stet_issue(call,
	    "query", "must have texts of at most %d bytes, with names of at most %d",
	    QUERY_TEXT_MAX, QUERY_KEY_MAX);
	json_array_foreach(columns, i, value) if (json_string_length(value) > COLUMN_MAX)
	    stet_issue(call, stet_printf(call, "columns[%zu]", i), "is longer than %d characters",
		COLUMN_MAX);
	return stet_issues(call);
}

static const char *
text_of(struct stet_call *call, const char *name)
{
	struct stet_json *json = stet_json_new(call);

	stet_put_json(json, NULL, stet_arg_json(call, name));
	return stet_json_text(json, NULL);
}

/* Fails if the owner has so many views that there is no room for another one. */
static enum stet_status
check_room(struct stet_call *call, const char *owner)
{
	struct stet_rows rows;
	int64_t count;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM admin_view WHERE owner_id = ?1", STET_ARGS(owner)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= VIEWS_MAX)
		return stet_fail(call, stet_code(call, "VIEWS_FULL"), NULL,
		    "There are %d views already. Delete one first", VIEWS_MAX);
	return STET_OK;
}

/* Reads the id of the owner's view of this name; NULL: there is none. */
static enum stet_status
find(struct stet_call *call, const char *owner, const char **id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM admin_view WHERE owner_id = ?1 AND collection = ?2 AND name = ?3",
	    STET_ARGS(owner, stet_arg(call, "collection"), stet_arg(call, "name"))));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

static enum stet_status
reply(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT, VIEW_COLUMNS " WHERE id = ?1", STET_ARGS(id)));
	stet_object(out, NULL);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, view_shape, 5);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
view_save(struct stet_call *call)
{
	const bool shared = stet_arg_bool(call, "shared");
	const char *owner = shared ? SITE : stet_principal(call)->id;
	const char *now = stet_time_text(call, stet_now(call)), *id;

	if (shared)
		STET_TRY(stet_require(call, VIEWS_SHARE));
	STET_TRY(check_collection(call));
	STET_TRY(check_texts(call));
	STET_TRY(find(call, owner, &id));
	if (id != NULL) {
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "UPDATE admin_view SET query = ?1, columns = ?2, updated_at = ?3 WHERE id = ?4",
		    STET_ARGS(text_of(call, "query"), text_of(call, "columns"), now, id)));
		return reply(call, id);
	}
	STET_TRY(check_room(call, owner));
	id = stet_id(call);
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO admin_view (id, owner_id, collection, name, query, columns, updated_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	    STET_ARGS(id, owner, stet_arg(call, "collection"), stet_arg(call, "name"),
		text_of(call, "query"), text_of(call, "columns"), now)));
	return reply(call, id);
}

enum stet_status
view_delete(struct stet_call *call)
{
	const char *owner = stet_may(call, VIEWS_SHARE) ? SITE : stet_principal(call)->id;
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM admin_view WHERE id = ?1 AND collection = ?2 AND owner_id IN (?3, ?4)",
	    STET_ARGS(stet_arg(call, "id"), stet_arg(call, "collection"), owner,
		stet_principal(call)->id)));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, "id", "View not found");
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}

/* A collection that is made later under the same name begins without views. */
enum stet_status
view_follow_schema(struct stet_call *call, struct stet_tx *tx, const char *change,
    const char *collection, const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	return stet_exec(
	    call, tx, "DELETE FROM admin_view WHERE collection = ?1", STET_ARGS(collection));
}
