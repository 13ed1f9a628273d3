/*
 * upload.c - direct uploads: a form with the file, or the tool with its bytes or its URL. A file
 * with the bytes, type and size of an existing item makes no second one.
 */
#include "media.h"
#include <sodium.h>
#include <stdlib.h>
#include <stet/fetch.h>
#include <string.h>

#define PIXELS_MAX 1000000
#define FETCH_MS 60000 /* for a file from another server */

const struct stet_member upload_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_shape },
	{ "deduplicated", STET_BOOLEAN, .about = "true: the item was there already" },
	{ 0 },
};

const struct stet_member upload_in[] = {
	{ "filename", STET_STRING, STET_REQUIRED, STET_RANGE(1, 255) },
	{ "base64", STET_STRING,
	    .about = "The bytes; for more than a few kilobytes ask for an upload URL" },
	{ "url", STET_STRING,
	    .about = "Public http or https address to fetch the file from, instead",
	    STET_RANGE(1, 2048) },
	{ "contentType", STET_STRING, .about = "Media type; with url that of the answer if omitted",
	    STET_RANGE(1, 255) },
	{ "alt", STET_STRING, .about = "What the image shows, in words", STET_RANGE(0, ALT_MAX) },
	{ 0 },
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

/* One byte more than allowed, so that a file with one too many gets the error of check_body. */
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

/* A text of the form; "" is as if it were absent. */
static enum stet_status
read_text(struct stet_call *call, const struct stet_part *part, int64_t most, const char **out)
{
	int64_t length = part->value != NULL ? stet_utf8_length(part->value) : 0;

	if (length < 0 || length > most)
		return stet_fail(call, STET_VALIDATION_ERROR, part->name,
		    "must be UTF-8, of at most %lld characters", (long long)most);
	*out = length > 0 ? part->value : NULL;
	return STET_OK;
}

/* What is written beside the file: the members that media_update takes. */
static enum stet_status
read_beside(struct stet_call *call, const struct stet_part *part, struct upload *u)
{
	if (strcmp(part->name, "alt") == 0)
		return read_text(call, part, ALT_MAX, &u->alt);
	if (strcmp(part->name, "caption") == 0)
		return read_text(call, part, CAPTION_MAX, &u->caption);
	if (strcmp(part->name, "folderId") != 0)
		return STET_OK;
	STET_TRY(read_text(call, part, FOLDER_ID_MAX, &u->folder));
	if (u->folder != NULL && strcmp(u->folder, "unfiled") == 0)
		u->folder = NULL;
	return folder_check(call, u->folder);
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
		else if (strcmp(name, "thumbnail") == 0 && part[i]->filename != NULL)
			u->thumbnail = part[i];
		else if (strcmp(name, "fieldId") == 0)
			u->field_id = part[i]->value;
		else if (strcmp(name, "width") == 0)
			STET_TRY(read_pixels(call, part[i], &u->width));
		else if (strcmp(name, "height") == 0)
			STET_TRY(read_pixels(call, part[i], &u->height));
		else
			STET_TRY(read_beside(call, part[i], u));
	}
	if (u->file == NULL)
		return stet_fail(call, stet_code(call, "NO_FILE"), "file",
		    "Send the file as the part \"file\" of a form");
	return STET_OK;
}

static enum stet_status
check_file(struct stet_call *call, struct upload *u)
{
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

/* ---- duplicates ---- */

/* Looks an item up by SHA-1, which has an index, and compares SHA-256, since different files with
 * the same SHA-1 are known. */
enum stet_status
same_find(struct stet_call *call, const struct digest *digest, const char *type, int64_t size,
    const char **id)
{
	struct stet_rows rows;

	*id = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM media_items WHERE content_hash = ?1 AND mime_type = ?2 AND size = ?3"
	    " AND sha256 = ?4 AND status = 'ready' ORDER BY id LIMIT 1",
	    STET_ARGS(digest->hash, type, size, digest->sha256)));
	if (stet_row(&rows))
		*id = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

/* ---- the row ---- */

static enum stet_status
insert_row(struct stet_call *call, struct stet_tx *tx, const struct upload *u)
{
	const struct stet_principal *who = stet_principal(call);
	const char *values[] = { u->id, u->file->filename, u->type, u->key, u->key, u->digest.hash,
		u->digest.sha256, stet_time_text(call, stet_now(call)),
		who != NULL && *who->id != '\0' ? who->id : NULL, u->alt, u->caption, u->folder,
		u->look.blurhash, u->look.color };
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql,
	    "INSERT INTO media_items (size, width, height, duration, id, filename, mime_type, storage_key,"
	    " kept_key, content_hash, sha256, created_at, author_id, alt, caption, folder_id, blurhash,"
	    " dominant_color) VALUES (");
	stet_sql_bind(sql, stet_val_int((int64_t)u->file->size));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, look_pixels(u->look.width));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, look_pixels(u->look.height));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, look_seconds(u->look.seconds));
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(values[i]));
	}
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

/* Inserts the row, unless an item has the same file by now. In the write lane both are one step, so
 * that uploads of a file at the same time make one item. */
static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct upload *u = arg;

	STET_TRY(same_find(call, &u->digest, u->type, (int64_t)u->file->size, &u->same));
	if (u->same != NULL) /* the failure removes the new file */
		return stet_fail(
		    call, STET_CONFLICT, "file", "The same file was uploaded just now");
	STET_TRY(quota_check(call, (int64_t)u->file->size));
	STET_TRY(folder_check(call, u->folder)); /* it may be deleted while the file is looked at */
	STET_TRY(insert_row(call, tx, u));
	return item_changed(call, tx, u->id, "create");
}

void
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

/* Reads the properties of the file. The size declared by the client takes precedence. The part
 * "thumbnail" is a small copy of the image, made by a browser: if it can be decoded, blurhash and
 * color are those of the copy. */
static enum stet_status
look(struct stet_call *call, struct upload *u)
{
	if (!drawing_is(call, u->type))
		STET_TRY(look_at(call, u->type, u->file->path, &u->look));
	if (u->width > 0)
		u->look.width = u->width;
	if (u->height > 0)
		u->look.height = u->height;
	if (u->thumbnail != NULL && u->thumbnail->path != NULL)
		look_at_thumbnail(call, u->thumbnail->path, &u->look);
	return STET_OK;
}

static enum stet_status
take_new(struct stet_call *call, struct upload *u)
{
	STET_TRY(check_file(call, u));
	if (drawing_is(call, u->type))
		STET_TRY(drawing_clean(call, &u->file, 0, &u->look));
	else
		STET_TRY(type_check_bytes(call, u->type, u->file->path));
	STET_TRY(digest_file(call, u->file->path, &u->digest));
	STET_TRY(same_find(call, &u->digest, u->type, (int64_t)u->file->size, &u->same));
	if (u->same != NULL)
		return STET_OK;
	STET_TRY(look(call, u));
	return keep(call, u);
}

void
upload_count(struct stet_call *call, int64_t bytes)
{
	stet_metric_add(call, "uploads_total", 1);
	stet_metric_add(call, "upload_bytes_total", bytes);
}

enum stet_status
upload_take(struct stet_call *call, struct upload *u)
{
	STET_TRY(take_new(call, u));
	if (u->same != NULL)
		stet_metric_add(call, "deduplicated_total", 1);
	else
		upload_count(call, (int64_t)u->file->size);
	return STET_OK;
}

static enum stet_status
take(struct stet_call *call, struct upload *u)
{
	STET_TRY(upload_take(call, u));
	return u->same != NULL ? item_answer(call, u->same, put_deduplicated)
			       : item_answer(call, u->id, NULL);
}

enum stet_status
media_post(struct stet_call *call)
{
	struct upload u = { .file = NULL };

	STET_TRY(read_form(call, &u));
	STET_TRY(take(call, &u));
	if (u.same == NULL)
		stet_created(call);
	return STET_OK;
}

/* ---- the tool ---- */

static enum stet_status
read_base64(struct stet_call *call, const char *text, struct stet_part *part)
{
	size_t room = strlen(text) / 4 * 3 + 3, len = 0;
	unsigned char *bytes = stet_alloc(call, room);

	if (sodium_base642bin(bytes, room, text, strlen(text), " \r\n\t", &len, NULL,
		sodium_base64_VARIANT_ORIGINAL) != 0)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "base64", "is not base64 of RFC 4648, section 4");
	part->size = len;
	return stet_file_temporary(call, bytes, len, &part->path);
}

static enum stet_status
read_url(struct stet_call *call, const char *url, struct stet_part *part)
{
	const struct stet_fetch ask = { .timeout = FETCH_MS,
		.most = (size_t)upload_most(call),
		.plain = true,
		.redirects = 5,
		.to_file = true };
	struct stet_fetched got;
	enum stet_status status = stet_fetch(call, url, &ask, &got);

	if (status != STET_OK && got.refused)
		return stet_fail(call, stet_code(call, "SSRF_BLOCKED"), "url",
		    "The URL is not a public http or https address");
	if (status != STET_OK && got.cut)
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, "url",
		    "A file has at most %lld bytes here", (long long)upload_most(call));
	STET_TRY(status);
	if (got.path == NULL)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url",
		    "The server answers %d, and no file", got.status);
	part->size = got.len;
	part->path = got.path;
	if (part->type == NULL)
		part->type = got.type;
	return STET_OK;
}

/* Returns an argument, or NULL if it is absent or empty: many clients send "" for what they leave
 * out. */
static const char *
given(struct stet_call *call, const char *name)
{
	const char *text = stet_arg(call, name);

	return text != NULL && *text != '\0' ? text : NULL;
}

enum stet_status
media_upload(struct stet_call *call)
{
	const char *base64 = given(call, "base64"), *url = given(call, "url");
	struct stet_part part = { .name = "file",
		.filename = stet_arg(call, "filename"),
		.type = stet_arg(call, "contentType") };
	struct upload u = { .file = &part, .alt = stet_arg(call, "alt") };

	if ((base64 != NULL) == (url != NULL))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "base64", "Give either base64 or url");
	if (base64 != NULL && part.type == NULL)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "contentType", "is required with base64");
	STET_TRY(filename_check(call, part.filename));
	STET_TRY(base64 != NULL ? read_base64(call, base64, &part) : read_url(call, url, &part));
	return take(call, &u);
}
