/* edit.c - changes and deletes media items. */
#include "media.h"
#include <string.h>

const struct stet_member update_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "alt", STET_STRING, .about = "What the image shows, in words", STET_RANGE(0, ALT_MAX) },
	{ "caption", STET_STRING, STET_RANGE(0, CAPTION_MAX) },
	{ "width", STET_INTEGER, STET_BOUNDED, .about = "Pixels", STET_RANGE(1, 1000000) },
	{ "height", STET_INTEGER, STET_BOUNDED, .about = "Pixels", STET_RANGE(1, 1000000) },
	{ "focalX", STET_NUMBER, STET_BOUNDED | STET_NULLABLE,
	    .about =
		"What must be seen when the image is cut: 0 is its left side, 1 its right; null: "
		"its middle",
	    STET_RANGE(0, 1) },
	{ "focalY", STET_NUMBER, STET_BOUNDED | STET_NULLABLE,
	    .about = "0 is its top, 1 its bottom; null: its middle", STET_RANGE(0, 1) },
	{ "folderId", STET_STRING, STET_NULLABLE,
	    .about = "Id of a folder; null or unfiled: the Main library", STET_RANGE(1, ID_MAX) },
	{ 0 },
};
const struct stet_member deleted_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

enum stet_status
folder_check(struct stet_call *call, const char *folder)
{
	struct stet_rows rows;
	bool found;

	if (folder == NULL)
		return STET_OK;
	STET_TRY(stet_query(
	    call, &rows, "SELECT 1 FROM media_folders WHERE id = ?1", STET_ARGS(folder)));
	found = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return found ? STET_OK
		     : stet_fail(call, STET_NOT_FOUND, "folderId", "Media folder not found");
}

/* Returns a number argument as a parameter; null is NULL. */
static struct stet_val
share(struct stet_call *call, const char *name)
{
	return stet_arg_null(call, name) ? stet_val_str(NULL)
					 : stet_val_real(stet_arg_real(call, name));
}

/* Adds ", column = value" if the argument is given. */
static void
set(struct stet_call *call, struct stet_sql *sql, const char *name, const char *literal,
    struct stet_val value)
{
	if (!stet_has(call, name))
		return;
	stet_sql_add(sql, literal);
	stet_sql_bind(sql, value);
}

static enum stet_status
update(struct stet_call *call, struct stet_tx *tx, const char *id)
{
	const char *folder = stet_arg(call, "folderId");
	struct stet_sql *sql = stet_sql_new(call);

	if (folder != NULL && strcmp(folder, "unfiled") == 0)
		folder = NULL;
	STET_TRY(folder_check(call, folder));
	stet_sql_add(sql, "UPDATE media_items SET id = id");
	set(call, sql, "alt", ", alt = ", stet_val_str(stet_arg(call, "alt")));
	set(call, sql, "caption", ", caption = ", stet_val_str(stet_arg(call, "caption")));
	set(call, sql, "width", ", width = ", stet_val_int(stet_arg_int(call, "width")));
	set(call, sql, "height", ", height = ", stet_val_int(stet_arg_int(call, "height")));
	set(call, sql, "focalX", ", focal_x = ", share(call, "focalX"));
	set(call, sql, "focalY", ", focal_y = ", share(call, "focalY"));
	set(call, sql, "folderId", ", folder_id = ", stet_val_str(folder));
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_exec(sql, tx));
	return item_changed(call, tx, id, "update");
}

enum stet_status
item_move(struct stet_call *call, const char *id, const char *folder)
{
	struct stet_rows rows;

	if (folder != NULL && strcmp(folder, "unfiled") == 0)
		folder = NULL;
	STET_TRY(item_find(call, id, &rows));
	STET_TRY(item_require(call, &rows, "media:edit_own", "media:edit_any"));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(folder_check(call, folder));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE media_items SET folder_id = ?2 WHERE id = ?1", STET_ARGS(id, folder)));
	return item_changed(call, stet_write_tx(call), id, "update");
}

static bool
changes_something(struct stet_call *call)
{
	for (const struct stet_member *m = update_in + 1; m->name != NULL; m++)
		if (stet_has(call, m->name))
			return true;
	return false;
}

enum stet_status
media_update(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct stet_rows rows;

	STET_TRY(item_find(call, id, &rows));
	STET_TRY(item_require(call, &rows, "media:edit_own", "media:edit_any"));
	STET_TRY(stet_rows_end(&rows));
	if (changes_something(call))
		STET_TRY(update(call, stet_write_tx(call), id));
	return item_answer(call, id, NULL);
}

enum stet_status
item_delete(struct stet_call *call, const char *id)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_rows rows;
	const char *key;

	STET_TRY(item_find(call, id, &rows));
	STET_TRY(item_require(call, &rows, "media:delete_own", "media:delete_any"));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT kept_key FROM media_items WHERE id = ?1", STET_ARGS(id)));
	key = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (key != NULL)
		stet_file_forget(call, tx, key);
	STET_TRY(stet_exec(call, tx, "DELETE FROM media_items WHERE id = ?1", STET_ARGS(id)));
	return item_changed(call, tx, id, "delete");
}

enum stet_status
media_delete(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct stet_json *out = stet_reply(call);
	const json_t *uses;

	STET_TRY(item_delete(call, id));
	STET_TRY(usage_of(call, id, &uses));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	if (uses != NULL)
		stet_put_json(out, "uses", uses);
	stet_close(out);
	return STET_OK;
}
