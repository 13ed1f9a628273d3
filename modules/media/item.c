/* item.c - media items: their rows as JSON, who may change them, the keys of their files. */
#include "media.h"
#include <stet/changes.h>
#include <string.h>

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)
#define EXTENSION_MAX 16

const struct stet_member item_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "filename", STET_STRING, HAS },
	{ "mimeType", STET_STRING, HAS },
	{ "size", STET_INTEGER, HAS, .about = "Bytes" },
	{ "width", STET_INTEGER, MAY_BE_NULL, .about = "Pixels" },
	{ "height", STET_INTEGER, MAY_BE_NULL, .about = "Pixels" },
	{ "alt", STET_STRING, MAY_BE_NULL, .about = "What the image shows, in words" },
	{ "caption", STET_STRING, MAY_BE_NULL },
	{ "storageKey", STET_STRING, HAS, .about = "The name of its file" },
	{ "contentHash", STET_STRING, MAY_BE_NULL, .about = "sha1: and 40 hexadecimal digits" },
	{ "blurhash", STET_STRING, MAY_BE_NULL },
	{ "dominantColor", STET_STRING, MAY_BE_NULL, .about = "#rrggbb" },
	{ "createdAt", STET_TIME, HAS },
	{ "authorId", STET_STRING, MAY_BE_NULL, .about = "Who has uploaded it" },
	{ "status", STET_STRING, HAS, .about = "pending until an upload is confirmed",
	    STET_CHOICES("pending", "ready") },
	{ "folderId", STET_STRING, MAY_BE_NULL, .about = "null: the Main library" },
	{ "url", STET_STRING, HAS, .about = "Where its file is, below the host of the site" },
	{ "focalX", STET_NUMBER, MAY_BE_NULL,
	    .about = "What must be seen when the image is cut: 0 is its left side, 1 its right" },
	{ "focalY", STET_NUMBER, MAY_BE_NULL, .about = "0 is its top, 1 its bottom" },
	{ "duration", STET_NUMBER, MAY_BE_NULL, .about = "Seconds, of a video or a sound" },
	{ "srcset", STET_STRING, MAY_BE_NULL, .about = "Smaller copies of an image, by width" },
	{ "usage", STET_OBJECT, .of = usage_shape, .about = "With includeUsage=1" },
	{ 0 },
};
const struct stet_member item_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_shape },
	{ 0 },
};
const struct stet_member by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ 0 },
};

void
item_put(struct stet_call *call, struct stet_json *out, const char *key, struct stet_rows *rows,
    const struct usage *usage)
{
	stet_object(out, key);
	stet_put_columns(out, rows, 0, item_shape, ITEM_COUNT);
	stet_put_str(out, "srcset",
	    rendition_srcset(call, stet_col_dup(rows, M_KEY), stet_col_dup(rows, M_TYPE),
		stet_col_int(rows, M_WIDTH)));
	if (usage != NULL)
		usage_put(usage, out, rows);
	stet_close(out);
}

enum stet_status
item_find(struct stet_call *call, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_query(
	    call, rows, "SELECT " ITEM_COLUMNS " FROM media_items WHERE id = ?1", STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "Media item not found: %.64s", id);
}

/* Runs the hook media_changed. The client gets the text of a plugin's refusal, but not that of
 * another failure. */
static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const char *id, const char *change)
{
	enum stet_status status;

	if (!stet_hooked(call, STET_AT_media_changed))
		return STET_OK;
	status = stet_run_media_changed(call, tx, id, change);
	if (status == STET_OK || stet_status_http(status) != 500)
		return status;
	return stet_fail(
	    call, STET_CONTENT_HOOK_ERROR, NULL, "%s", stet_status_text(STET_CONTENT_HOOK_ERROR));
}

enum stet_status
item_changed(struct stet_call *call, struct stet_tx *tx, const char *id, const char *change)
{
	STET_TRY(stet_note(call, tx, "media", id, change));
	return tell(call, tx, id, change);
}

enum stet_status
item_moved(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	(void)arg;
	return tell(call, tx, json_string_value(json_object_get(key, "id")), change);
}

enum stet_status
item_answer(struct stet_call *call, const char *id, void (*more)(struct stet_json *))
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(item_find(call, id, &rows));
	stet_object(out, NULL);
	item_put(call, out, "item", &rows, NULL);
	if (more != NULL)
		more(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
item_answer_used(struct stet_call *call, const char *id)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	struct usage usage;

	STET_TRY(item_find(call, id, &rows));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(usage_begin(call, &usage));
	stet_sql_add(sql, "SELECT " ITEM_COLUMNS);
	usage_column(&usage, sql);
	stet_sql_add(sql, " FROM media_items WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_one(sql, &rows, STET_NOT_FOUND));
	stet_object(out, NULL);
	item_put(call, out, "item", &rows, &usage);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
item_require(struct stet_call *call, struct stet_rows *rows, const char *own, const char *any)
{
	const char *author = stet_col_dup(rows, M_AUTHOR);
	enum stet_status status = stet_require_owned(call, own, any, author);

	if (status != STET_OK)
		STET_TRY(stet_rows_end(rows));
	return status;
}

/* ---- keys ---- */

/* Returns the extension with its dot; "": none, or not only letters and digits. */
static const char *
extension(const char *name)
{
	const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
	size_t len;

	if (dot == NULL || dot == name || (slash != NULL && dot < slash + 2))
		return "";
	len = strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
	return len > 0 && len <= EXTENSION_MAX && dot[len + 1] == '\0' ? dot : "";
}

const char *
key_new(struct stet_call *call, const char *filename)
{
	return stet_printf(call, "%s%s", stet_id(call), extension(filename));
}

const char *
key_next(struct stet_call *call, const char *key)
{
	return stet_printf(
	    call, "%.*s.%s%s", (int)strcspn(key, "."), key, stet_id(call), extension(key));
}

/* ---- files ---- */

/* The columns that name files: verify, export and the removal of superfluous files read them. */
const struct stet_file_column media_files = {
	.table = "media_items",
	.key = "kept_key",
	.size = "size",
	.sha256 = "sha256",
};
