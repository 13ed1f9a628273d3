/*
 * folder.c - the folders of the library. Names are compared by a key: compatibility-normalised
 * (NFKC) and in lower case, so "Photos" and "photos" are the same.
 */
#include "media.h"
#include <stdlib.h>
#include <stet/changes.h>
#include <string.h>
#include <utf8proc.h>

#define LISTING "media-folders"
#define NAME_LENGTH 200

static const struct stet_member folder_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member folder_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = folder_shape },
	{ 0 },
};
const struct stet_member folder_list_in[] = {
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(0, 2048) },
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Folders a page", STET_RANGE(1, 100),
	    .fallback = "50" },
	{ "q", STET_STRING, .about = "Part of the name", STET_RANGE(1, NAME_LENGTH) },
	{ 0 },
};
const struct stet_member folder_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = folder_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
#define NAME                                                                                  \
	{                                                                                     \
		"name", STET_STRING, STET_REQUIRED,                                           \
		    .about = "1 to 200 characters; no other folder may have it, in any case", \
		    STET_RANGE(1, 1000)                                                       \
	}
const struct stet_member folder_in[] = { NAME, { 0 } };
const struct stet_member folder_update_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the folder", STET_RANGE(1, ID_MAX) },
	NAME,
	{ 0 },
};

const struct stet_member folders_in[] = {
	{ "action", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("list", "create", "rename", "delete") },
	{ "id", STET_STRING, .about = "Of the folder: rename, delete", STET_RANGE(1, ID_MAX) },
	{ "name", STET_STRING, .about = "create, rename", STET_RANGE(1, 1000) },
	{ "limit", STET_INTEGER, .about = "Folders a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(0, 2048) },
	{ 0 },
};
const struct stet_member folders_out[] = {
	{ "items", STET_ARRAY, .of = folder_shape, .about = "Of list" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ "item", STET_OBJECT, .of = folder_shape, .about = "Of create and rename" },
	{ "deleted", STET_BOOLEAN },
	{ 0 },
};

/* ---- names ---- */

static bool
is_blank(utf8proc_int32_t c)
{
	return (c >= 0x09 && c <= 0x0d) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_ZS;
}

/* Returns the text without Unicode blanks at its ends; NULL: it is not UTF-8. */
static const char *
trim(struct stet_call *call, const char *text)
{
	const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
	size_t at = 0, first = 0, end = 0;
	bool begun = false;

	while (p[at] != '\0') {
		utf8proc_int32_t c;
		utf8proc_ssize_t n = utf8proc_iterate(p + at, -1, &c);

		if (n <= 0)
			return NULL;
		if (!is_blank(c)) {
			first = begun ? first : at;
			begun = true;
			end = at + (size_t)n;
		}
		at += (size_t)n;
	}
	return stet_strndup(call, text + first, end - first);
}

static utf8proc_int32_t
lower(utf8proc_int32_t c, void *arg)
{
	(void)arg;
	return utf8proc_tolower(c);
}

static const char *
key_of(struct stet_call *call, const char *name)
{
	utf8proc_uint8_t *mapped = NULL;
	utf8proc_ssize_t len = utf8proc_map_custom((const utf8proc_uint8_t *)name, 0, &mapped,
	    UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT, lower, NULL);
	const char *key;

	if (len == UTF8PROC_ERROR_NOMEM)
		stet_out_of_memory();
	key = len < 0 ? NULL : stet_strdup(call, (const char *)mapped);
	free(mapped);
	return key;
}

enum stet_status
folder_named(struct stet_call *call, const char *name, const char **id)
{
	const char *trimmed = trim(call, name),
		   *key = trimmed != NULL ? key_of(call, trimmed) : NULL;
	struct stet_rows rows;

	*id = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM media_folders WHERE id = ?1 OR name_key = ?2", STET_ARGS(name, key)));
	if (stet_row(&rows))
		*id = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return *id != NULL ? STET_OK
			   : stet_fail(call, STET_NOT_FOUND, "folder", "Media folder not found");
}

/* Reads a name from an argument, and makes its key. */
static enum stet_status
read_name(struct stet_call *call, const char *argument, const char **name, const char **key)
{
	int64_t length;

	*name = trim(call, stet_arg(call, argument));
	length = *name != NULL ? stet_utf8_length(*name) : -1;
	if (length < 1 || length > NAME_LENGTH || (*key = key_of(call, *name)) == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, argument,
		    "must have 1 to %d characters", NAME_LENGTH);
	return STET_OK;
}

/* ---- reading ---- */

/* Lists a page of the folders; q: those whose name has this text, NULL: all. */
static enum stet_status
list(struct stet_call *call, const char *q)
{
	struct stet_page page = { .listing = LISTING,
		.key = "name_key",
		.key_column = 2,
		.id_column = 0,
		.ascending = true };
	const char *name = NULL, *key;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	if (q != NULL)
		STET_TRY(read_name(call, "q", &name, &key));
	stet_sql_add(sql, "SELECT id, name, name_key FROM media_folders WHERE 1 = 1");
	if (name != NULL) {
		stet_sql_add(sql, " AND ");
		stet_sql_has(sql, "", "name", stet_fold(call, name, strlen(name)));
	}
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, folder_shape);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
folder_list(struct stet_call *call)
{
	return list(call, stet_arg(call, "q"));
}

static enum stet_status
find(struct stet_call *call, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_query(
	    call, rows, "SELECT id, name FROM media_folders WHERE id = ?1", STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "Media folder not found");
}

static enum stet_status
put_folder(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(find(call, id, &rows));
	stet_object(out, NULL);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, folder_shape, 2);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
folder_get(struct stet_call *call)
{
	return put_folder(call, stet_arg(call, "id"));
}

/* ---- writing ---- */

static enum stet_status
taken(struct stet_call *call, enum stet_status status)
{
	if (status != STET_CONFLICT)
		return status;
	return stet_fail(
	    call, STET_CONFLICT, "name", "A media folder with this name already exists");
}

enum stet_status
folder_create(struct stet_call *call)
{
	const char *id = stet_id(call), *name, *key;
	struct stet_tx *tx = stet_write_tx(call);

	STET_TRY(read_name(call, "name", &name, &key));
	STET_TRY(
	    taken(call, stet_exec(call, tx,
			    "INSERT INTO media_folders (id, name, name_key) VALUES (?1, ?2, ?3)",
			    STET_ARGS(id, name, key))));
	STET_TRY(stet_note(call, tx, "mediaFolder", id, "create"));
	return put_folder(call, id);
}

enum stet_status
folder_update(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *name, *key;
	struct stet_tx *tx = stet_write_tx(call);

	STET_TRY(read_name(call, "name", &name, &key));
	STET_TRY(taken(call,
	    stet_exec(call, tx, "UPDATE media_folders SET name = ?2, name_key = ?3 WHERE id = ?1",
		STET_ARGS(id, name, key))));
	STET_TRY(put_folder(call, id));
	return stet_note(call, tx, "mediaFolder", id, "update");
}

/* Its items go back to the Main library (ON DELETE SET NULL). */
enum stet_status
folder_delete(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(find(call, id, &rows));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_exec(call, tx, "DELETE FROM media_folders WHERE id = ?1", STET_ARGS(id)));
	STET_TRY(stet_note(call, tx, "mediaFolder", id, "delete"));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}

/* ---- the tool: an action for each op above. Those that write run as these ops. ---- */

static const struct action {
	const char *name, *op;
	const char *needs[3]; /* arguments, which are handed on */
} actions[] = {
	{ "list", NULL, { NULL } },
	{ "create", "media_folder_create", { "name" } },
	{ "rename", "media_folder_update", { "id", "name" } },
	{ "delete", "media_folder_delete", { "id" } },
};

static const struct action *
action_of(struct stet_call *call)
{
	const char *name = stet_arg(call, "action");
	size_t i = 0;

	while (name != NULL && i < sizeof(actions) / sizeof(actions[0]) - 1 &&
	       strcmp(actions[i].name, name) != 0)
		i++;
	return &actions[i];
}

enum stet_lane
folders_lane(struct stet_call *call)
{
	return action_of(call) == actions ? STET_READ : STET_WRITE;
}

enum stet_status
folders_run(struct stet_call *call)
{
	const struct action *action = action_of(call);
	json_t *args = stet_json_own(call, json_object());
	const char *answer;
	size_t len;

	if (action->op == NULL)
		return list(call, NULL);
	for (const char *const *name = action->needs; *name != NULL; name++) {
		if (stet_has(call, *name))
			(void)json_object_set_new(args, *name, json_string(stet_arg(call, *name)));
		else
			stet_issue(call, *name, "is required");
	}
	STET_TRY(stet_issues(call));
	STET_TRY(stet_invoke(call, action->op, args, &answer, &len));
	stet_put_raw(stet_reply(call), NULL, answer, len);
	return STET_OK;
}
