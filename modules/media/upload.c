/*
 * upload.c - direct uploads: a form with the file. A file whose bytes, type and size are those of
 * an item that is there already makes no second one.
 */
#include "media.h"
#include <stdlib.h>
#include <stet/changes.h>
#include <string.h>

#define PIXELS_MAX 1000000

const struct stet_member upload_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_shape },
	{ "deduplicated", STET_BOOLEAN, .about = "true: the item was there already" },
	{ 0 },
};

struct upload {
	const struct stet_part *file;
	const char *id, *key, *type, *field_id;
	int64_t width, height; /* 0: not said */
	struct digest digest;
	const char *same; /* the item that was there already */
};

int64_t
upload_most(struct stet_call *call)
{
	return json_integer_value(stet_setting(call, "maxUploadSize"));
}

uint64_t
upload_body_most(struct stet_call *call)
{
	return (uint64_t)upload_most(call) + FORM_ROOM;
}

/* A byte more, so that one too many is told as that. */
uint64_t
target_body_most(struct stet_call *call)
{
	return (uint64_t)upload_most(call) + 1;
}

enum stet_status
filename_check(struct stet_call *call, const char *filename)
{
	int64_t length = stet_utf8_length(filename);

	if (length < 1 || length > 255)
		return stet_fail(call, STET_VALIDATION_ERROR, "filename",
		    "must be UTF-8, of 1 to 255 characters");
	for (const char *c = filename; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return stet_fail(
			    call, STET_VALIDATION_ERROR, "filename", "has a control character");
	return STET_OK;
}

/* ---- the form ---- */

static enum stet_status
read_pixels(struct stet_call *call, const struct stet_part *part, int64_t *out)
{
	char *end;
	long value;

	if (part->value == NULL || *part->value == '\0')
		return STET_OK;
	value = strtol(part->value, &end, 10);
	if (*end != '\0' || value < 1 || value > PIXELS_MAX)
		return stet_fail(call, STET_VALIDATION_ERROR, part->name,
		    "must be a number of pixels, 1 to %d", PIXELS_MAX);
	*out = value;
	return STET_OK;
}

static enum stet_status
read_form(struct stet_call *call, struct upload *u)
{
	const struct stet_part *const *part;
	size_t count = stet_parts(call, &part);

	for (size_t i = 0; i < count; i++) {
		const char *name = part[i]->name;

		if (strcmp(name, "file") == 0 && part[i]->filename != NULL)
			u->file = part[i];
		else if (strcmp(name, "fieldId") == 0)
			u->field_id = part[i]->value;
		else if (strcmp(name, "width") == 0)
			STET_TRY(read_pixels(call, part[i], &u->width));
		else if (strcmp(name, "height") == 0)
			STET_TRY(read_pixels(call, part[i], &u->height));
	}
	if (u->file == NULL)
		return stet_fail(call, stet_code(call, "NO_FILE"), "file",
		    "Send the file as the part \"file\" of a form");
	u->type = type_normal(call, u->file->type);
	if (u->type == NULL)
		return stet_fail(
		    call, stet_code(call, "INVALID_TYPE"), "file", "The file has no media type");
	STET_TRY(type_allowed(call, u->type, u->field_id));
	if ((int64_t)u->file->size > upload_most(call))
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, "file",
		    "A file has at most %lld bytes here", (long long)upload_most(call));
	return filename_check(call, u->file->filename);
}

/* ---- what is there already ---- */

enum stet_status
same_find(struct stet_call *call, const char *hash, const char *type, int64_t size, const char **id,
    const char **key)
{
	struct stet_rows rows;

	*id = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, storage_key FROM media_items WHERE content_hash = ?1 AND mime_type = ?2"
	    " AND size = ?3 AND status = 'ready' ORDER BY id LIMIT 1",
	    STET_ARGS(hash, type, size)));
	if (stet_row(&rows)) {
		*id = stet_col_dup(&rows, 0);
		if (key != NULL)
			*key = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

/* ---- the row ---- */

static struct stet_val
pixels(int64_t n)
{
	return n > 0 ? stet_val_int(n) : stet_val_str(NULL);
}

/* In the write lane, where nobody else can insert between the look and the row: the same file by
 * many at once makes one item. */
static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_principal *who = stet_principal(call);
	struct upload *u = arg;

	STET_TRY(same_find(call, u->digest.hash, u->type, (int64_t)u->file->size, &u->same, NULL));
	if (u->same != NULL) /* so that the file is removed again */
		return stet_fail(
		    call, STET_CONFLICT, "file", "The same file was uploaded just now");
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO media_items (id, filename, mime_type, size, width, height, storage_key,"
	    " kept_key, content_hash, sha256, created_at, author_id)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11)",
	    STET_ARGS(u->id, u->file->filename, u->type, (int64_t)u->file->size, pixels(u->width),
		pixels(u->height), u->key, u->digest.hash, u->digest.sha256,
		stet_time_text(call, stet_now(call)),
		who != NULL && *who->id != '\0' ? who->id : NULL)));
	return stet_note(call, tx, "media", u->id, "create");
}

static void
put_deduplicated(struct stet_json *out)
{
	stet_put_bool(out, "deduplicated", true);
}

static enum stet_status
keep(struct stet_call *call, struct upload *u)
{
	enum stet_status status;

	u->id = stet_id(call);
	u->key = key_new(call, u->file->filename);
	status = stet_file_keep(call, u->file, u->key, insert, u);
	if (status == STET_CONFLICT && u->same != NULL) {
		stet_error_clear(call);
		return STET_OK;
	}
	return status;
}

enum stet_status
media_upload(struct stet_call *call)
{
	struct upload u = { .file = NULL };

	STET_TRY(read_form(call, &u));
	STET_TRY(digest_file(call, u.file->path, &u.digest));
	STET_TRY(type_check_bytes(call, u.type, u.file->path));
	STET_TRY(same_find(call, u.digest.hash, u.type, (int64_t)u.file->size, &u.same, NULL));
	if (u.same == NULL)
		STET_TRY(keep(call, &u));
	if (u.same != NULL)
		return item_answer(call, u.same, put_deduplicated);
	stet_created(call);
	return item_answer(call, u.id, NULL);
}
