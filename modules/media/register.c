/*
 * register.c - the tool media_create: makes an item for a file that is in the store already, such
 * as one that a program wrote to the bucket. What the caller declares is compared with the bytes.
 */
#include "media.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct stet_member create_in[] = {
	{ "filename", STET_STRING, STET_REQUIRED, STET_RANGE(1, 255) },
	{ "mimeType", STET_STRING, STET_REQUIRED, STET_RANGE(3, 255) },
	{ "storageKey", STET_STRING, STET_REQUIRED, .about = "Name of the file in the store",
	    STET_RANGE(1, 120) },
	{ "size", STET_INTEGER, STET_BOUNDED, .about = "Bytes", STET_RANGE(0, UPLOAD_MOST) },
	{ "width", STET_INTEGER, STET_BOUNDED, .about = "Pixels", STET_RANGE(1, 1000000) },
	{ "height", STET_INTEGER, STET_BOUNDED, .about = "Pixels", STET_RANGE(1, 1000000) },
	{ "contentHash", STET_STRING, .about = "sha1: and 40 hexadecimal digits",
	    .pattern = "^sha1:[0-9a-f]{40}$" },
	{ "blurhash", STET_STRING, STET_RANGE(6, 100) },
	{ "dominantColor", STET_STRING, .about = "#rrggbb", .pattern = "^#[0-9a-fA-F]{6}$" },
	{ 0 },
};

struct creation {
	const char *id, *filename, *type, *key;
	int64_t size;
	struct digest digest;
	struct look look; /* values from the caller take precedence */
	const char *same; /* the item that has these bytes already */
};

static enum stet_status
check_key(struct stet_call *call, const char *key)
{
	struct stet_rows rows;
	bool taken;

	if (!stet_file_key_good(key))
		return stet_fail(call, STET_VALIDATION_ERROR, "storageKey",
		    "must be letters, digits, dots, hyphens and underscores");
	STET_TRY(stet_query(
	    call, &rows, "SELECT 1 FROM media_items WHERE kept_key = ?1", STET_ARGS(key)));
	taken = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return taken ? stet_fail(call, STET_CONFLICT, "storageKey", "Another item has this file")
		     : STET_OK;
}

/* Compares the file with what the caller declared, and reads its properties. */
static enum stet_status
check_bytes(struct stet_call *call, int fd, struct creation *c)
{
	const char *hash = stet_arg(call, "contentHash");
	struct stat st;

	if (fstat(fd, &st) != 0)
		return stet_fault(call, "cannot read a file of the store");
	c->size = (int64_t)st.st_size;
	if (stet_has(call, "size") && stet_arg_int(call, "size") != c->size)
		return stet_fail(call, stet_code(call, "UPLOAD_SIZE_MISMATCH"), "size",
		    "The file has %lld bytes", (long long)c->size);
	if (c->size > upload_most(call))
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, "size",
		    "A file has at most %lld bytes here", (long long)upload_most(call));
	STET_TRY(digest_fd(call, fd, &c->digest));
	if (hash != NULL && strcmp(hash, c->digest.hash) != 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "contentHash",
		    "is not that of the file, which is %s", c->digest.hash);
	STET_TRY(type_check_fd(call, c->type, fd));
	return look_fd(call, c->type, fd, &c->look);
}

static enum stet_status
open_stored(struct stet_call *call, const char *key, int *fd)
{
	enum stet_status status = stet_file_open(call, key, fd);

	if (status != STET_NOT_FOUND)
		return status;
	stet_error_clear(call);
	return stet_fail(call, stet_code(call, "FILE_NOT_FOUND"), "storageKey",
	    "There is no file %s in the store", key);
}

static enum stet_status
read_file(struct stet_call *call, struct creation *c)
{
	enum stet_status status;
	int fd;

	STET_TRY(open_stored(call, c->key, &fd));
	status = check_bytes(call, fd, c);
	close(fd);
	return status;
}

static struct stet_val
pixels(struct stet_call *call, const char *name, int64_t looked)
{
	return look_pixels(stet_has(call, name) ? stet_arg_int(call, name) : looked);
}

static struct stet_val
text(struct stet_call *call, const char *name, const char *looked)
{
	return stet_val_str(stet_has(call, name) ? stet_arg(call, name) : looked);
}

static enum stet_status
insert_row(struct stet_call *call, struct stet_tx *tx, const struct creation *c)
{
	const struct stet_principal *who = stet_principal(call);
	const struct stet_val value[] = { stet_val_str(c->id), stet_val_str(c->filename),
		stet_val_str(c->type), stet_val_int(c->size), pixels(call, "width", c->look.width),
		pixels(call, "height", c->look.height), stet_val_str(c->key), stet_val_str(c->key),
		stet_val_str(c->digest.hash), stet_val_str(c->digest.sha256),
		text(call, "blurhash", c->look.blurhash),
		text(call, "dominantColor", c->look.color),
		stet_val_str(stet_time_text(call, stet_now(call))),
		stet_val_str(who != NULL && *who->id != '\0' ? who->id : NULL),
		look_seconds(c->look.seconds) };
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql,
	    "INSERT INTO media_items (id, filename, mime_type, size, width, height, storage_key,"
	    " kept_key, content_hash, sha256, blurhash, dominant_color, created_at, author_id, duration)"
	    " VALUES (");
	for (size_t i = 0; i < sizeof(value) / sizeof(value[0]); i++) {
		stet_sql_add(sql, i > 0 ? ", " : "");
		stet_sql_bind(sql, value[i]);
	}
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct creation *c = arg;

	STET_TRY(same_find(call, &c->digest, c->type, c->size, &c->same));
	if (c->same != NULL)
		return STET_OK;
	STET_TRY(check_key(call, c->key));
	STET_TRY(quota_check(call, c->size));
	STET_TRY(insert_row(call, tx, c));
	return item_changed(call, tx, c->id, "create");
}

static enum stet_status
take_back(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct creation *c = arg;

	STET_TRY(stet_exec(call, tx, "DELETE FROM media_items WHERE id = ?1", STET_ARGS(c->id)));
	return item_changed(call, tx, c->id, "delete");
}

/* Deletes the row again if the file is gone: before the row named it, the file could be swept. */
static enum stet_status
check_still_there(struct stet_call *call, struct creation *c)
{
	enum stet_status status;
	int fd;

	if ((status = open_stored(call, c->key, &fd)) == STET_OK) {
		close(fd);
		return STET_OK;
	}
	if (status == stet_code(call, "FILE_NOT_FOUND"))
		STET_TRY(stet_write_lane(call, take_back, c));
	return status;
}

enum stet_status
media_create(struct stet_call *call)
{
	struct creation c = { .id = stet_id(call),
		.filename = stet_arg(call, "filename"),
		.key = stet_arg(call, "storageKey"),
		.type = type_normal(call, stet_arg(call, "mimeType")) };

	STET_TRY(filename_check(call, c.filename));
	if (c.type == NULL)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "mimeType", "must be a media type like image/png");
	STET_TRY(type_allowed(call, c.type, NULL));
	if (drawing_is(call, c.type))
		return stet_fail(call, stet_code(call, "INVALID_TYPE"), "mimeType",
		    "SVG is cleaned when it is uploaded: send it with media_upload");
	STET_TRY(check_key(call, c.key));
	STET_TRY(read_file(call, &c));
	STET_TRY(stet_write_lane(call, insert, &c));
	if (c.same != NULL)
		return item_answer(call, c.same, put_deduplicated);
	STET_TRY(check_still_there(call, &c));
	return item_answer(call, c.id, NULL);
}
