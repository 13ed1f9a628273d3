/* moved.c - checks notes and requests that come from the files of an export: they are about an item
 * that the site has, and name users as this module does. */
#include "reviews.h"
#include <string.h>

const struct moved moved_note = { "SELECT collection, entry_id, mentions FROM note WHERE id = ?1",
	"mentions" };
const struct moved moved_review = {
	"SELECT collection, entry_id, reviewers FROM review WHERE id = ?1", "reviewers"
};

static enum stet_status
check_item(struct stet_call *call, const char *slug, const char *id)
{
	const struct stet_collection *collection;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	bool found;

	STET_TRY(subject_collection(call, slug, &collection));
	if (collection == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "collection",
		    "There is no collection %.100s", slug);
	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	found = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return found ? STET_OK
		     : stet_fail(call, STET_VALIDATION_ERROR, "entryId",
			   "The collection %s has no item %.100s", slug, id);
}

/* Returns true for [{id, name}]. */
static bool
are_users(const json_t *all)
{
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *one = json_array_get(all, i);

		if (json_object_size(one) != 2 || !json_is_string(json_object_get(one, "id")) ||
		    !json_is_string(json_object_get(one, "name")))
			return false;
	}
	return json_is_array(all);
}

enum stet_status
moved_check(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	const struct moved *kind = arg;
	const char *collection, *id, *users;
	struct stet_rows rows;

	(void)tx;
	if (strcmp(change, "delete") == 0)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND, kind->select,
	    STET_ARGS(json_string_value(json_object_get(key, "id")))));
	collection = stet_col_dup(&rows, 0);
	id = stet_col_dup(&rows, 1);
	users = stet_col_dup(&rows, 2);
	STET_TRY(stet_rows_end(&rows));
	if (!are_users(stet_json_stored(call, users, strlen(users))))
		return stet_fail(call, STET_VALIDATION_ERROR, kind->users,
		    "is no array of objects with id and name");
	return check_item(call, collection, id);
}
