/*
 * target.c - uploads in three steps: ask for a target, send the bytes there, confirm. An item that
 * waits for its bytes is "pending" and in no list; its row names no file until there is one.
 */
#include "media.h"
#include <string.h>

#define ASKED_MAX 600 /* targets that a user may ask for in ASKED_SECONDS */
#define ASKED_SECONDS 600
#define HASH_PATTERN "^sha1:[0-9a-f]{40}(?![\\s\\S])"

const struct stet_member url_in[] = {
	{ "filename", STET_STRING, STET_REQUIRED, STET_RANGE(1, 255) },
	{ "contentType", STET_STRING, STET_REQUIRED, .about = "Media type of the file",
	    STET_RANGE(1, 255) },
	{ "size", STET_INTEGER, STET_REQUIRED | STET_BOUNDED, .about = "Bytes",
	    STET_RANGE(0, 9007199254740991) },
	{ "contentHash", STET_STRING,
	    .about = "sha1: and 40 hexadecimal digits: finds the file if it is there",
	    .pattern = HASH_PATTERN },
	{ "sha256", STET_STRING,
	    .about = "64 hexadecimal digits: only a file with both is the same",
	    .pattern = "^[0-9a-f]{64}(?![\\s\\S])" },
	{ "fieldId", STET_STRING, .about = "Id of the field that the file is for: its types count",
	    STET_RANGE(1, ID_MAX) },
	{ 0 },
};
static const struct stet_member headers_shape[] = {
	{ "Content-Type", STET_STRING, STET_REQUIRED },
	{ "X-CMS-Request", STET_STRING, .about = "For an uploadUrl of this site" },
	{ 0 },
};
const struct stet_member url_out[] = {
	{ "mediaId", STET_STRING, STET_REQUIRED },
	{ "storageKey", STET_STRING, STET_REQUIRED },
	{ "existing", STET_BOOLEAN, .about = "true: the file is there, nothing is to be uploaded" },
	{ "url", STET_STRING, .about = "Of the file that is there" },
	{ "uploadUrl", STET_STRING,
	    .about =
		"Where to send the bytes. One that is relative wants the caller's credentials; "
		"an absolute one needs none" },
	{ "method", STET_STRING, .about = "PUT" },
	{ "headers", STET_OBJECT, .of = headers_shape, .about = "To send with them" },
	{ "expiresAt", STET_TIME },
	{ 0 },
};
const struct stet_member put_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "signature", STET_STRING, STET_QUERY,
	    .about = "Of an absolute uploadUrl, in place of credentials" },
	{ 0 },
};
const struct stet_member put_out[] = {
	{ "uploaded", STET_BOOLEAN, STET_REQUIRED },
	{ "size", STET_INTEGER, STET_REQUIRED, .about = "Bytes" },
	{ 0 },
};
const struct stet_member confirm_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "size", STET_INTEGER, STET_BOUNDED, .about = "Bytes", STET_RANGE(0, 9007199254740991) },
	{ "width", STET_INTEGER, STET_BOUNDED, .about = "Pixels", STET_RANGE(1, 1000000) },
	{ "height", STET_INTEGER, STET_BOUNDED, .about = "Pixels", STET_RANGE(1, 1000000) },
	{ 0 },
};

/* ---- asking ---- */

static void
put_existing(struct stet_call *call, const char *id, const char *key)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "existing", true);
	stet_put_str(out, "mediaId", id);
	stet_put_str(out, "storageKey", key);
	stet_put_str(out, "url", stet_printf(call, "/_cms/api" FILE_PATH "%s", key));
	stet_close(out);
}

/* `foreign`: the bytes go to a bucket, not to this site. */
static void
put_target(struct stet_call *call, const struct target *t, const char *url, bool foreign)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "uploadUrl", url);
	stet_put_str(out, "method", "PUT");
	stet_object(out, "headers");
	stet_put_str(out, "Content-Type", t->type);
	if (!foreign)
		stet_put_str(out, "X-CMS-Request", "1");
	stet_close(out);
	stet_put_str(out, "mediaId", t->id);
	stet_put_str(out, "storageKey", t->key);
	stet_put_str(out, "expiresAt", stet_time_text(call, stet_now(call) + TARGET_LIFETIME));
	stet_close(out);
}

/* Answers with a URL of the bucket or of this site. A tool gets a URL with a signature: its caller
 * may have credentials for the tool server only. */
static enum stet_status
answer_target(struct stet_call *call, const struct target *t, bool known)
{
	const char *url;

	STET_TRY(stet_file_target(call, t->key, t->type, t->size, TARGET_LIFETIME / 1000, &url));
	if (url != NULL) {
		put_target(call, t, url, true);
		return STET_OK;
	}
	if (known && stet_nested(call))
		STET_TRY(targeturl_make(call, t, &url));
	else
		url = stet_printf(call, "/_cms/api/media/%s/upload", t->id);
	put_target(call, t, url, false);
	return STET_OK;
}

static enum stet_status
check_target(struct stet_call *call, const char *type)
{
	const struct stet_principal *who = stet_principal(call);

	if (type == NULL)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "contentType", "must be a media type");
	if (stet_arg_int(call, "size") > upload_most(call))
		return stet_fail(call, STET_VALIDATION_ERROR, "size",
		    "must be at most %lld bytes here", (long long)upload_most(call));
	STET_TRY(filename_check(call, stet_arg(call, "filename")));
	STET_TRY(type_allowed(call, type, stet_arg(call, "fieldId")));
	return stet_limit(
	    call, "media-target", who != NULL ? who->id : NULL, ASKED_MAX, ASKED_SECONDS);
}

/* Finds the item with the digests that the client names; *id NULL: none. Different files can have
 * the same SHA-1: if the library has two of them, SHA-1 alone finds neither. */
static enum stet_status
find_announced(
    struct stet_call *call, const char *type, int64_t size, const char **id, const char **key)
{
	const char *hash = stet_arg(call, "contentHash"), *wanted = stet_arg(call, "sha256");
	const char *sha256, *first = NULL;
	bool differ = false;
	struct stet_rows rows;

	*id = NULL;
	if (hash == NULL || size == 0)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, storage_key, coalesce(sha256, '') FROM media_items WHERE content_hash = ?1"
	    " AND mime_type = ?2 AND size = ?3 AND status = 'ready' ORDER BY id",
	    STET_ARGS(hash, type, size)));
	while (stet_row(&rows)) {
		sha256 = stet_col_dup(&rows, 2);
		if (wanted != NULL && strcmp(wanted, sha256) != 0)
			continue;
		differ = differ || (first != NULL && strcmp(first, sha256) != 0);
		if (first != NULL)
			continue;
		first = sha256;
		*id = stet_col_dup(&rows, 0);
		*key = stet_col_dup(&rows, 1);
	}
	if (differ)
		*id = NULL;
	return stet_rows_end(&rows);
}

enum stet_status
media_upload_url(struct stet_call *call)
{
	const struct stet_principal *who = stet_principal(call);
	const char *same, *key = NULL, *user = who != NULL && *who->id != '\0' ? who->id : NULL;
	struct target t = { .id = stet_id(call),
		.type = type_normal(call, stet_arg(call, "contentType")),
		.created = stet_time_text(call, stet_now(call)),
		.size = stet_arg_int(call, "size") };

	STET_TRY(check_target(call, t.type));
	STET_TRY(find_announced(call, t.type, t.size, &same, &key));
	if (same != NULL) {
		put_existing(call, same, key);
		return STET_OK;
	}
	STET_TRY(quota_check(call, t.size));
	t.key = key_new(call, stet_arg(call, "filename"));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO media_items (id, filename, mime_type, size, storage_key, created_at,"
	    " author_id, status) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending')",
	    STET_ARGS(t.id, stet_arg(call, "filename"), t.type, t.size, t.key, t.created, user)));
	return answer_target(call, &t, user != NULL);
}

/* ---- the bytes ---- */

struct pending {
	const char *id, *type, *status, *key, *kept;
	int64_t size;
	struct digest digest;
	struct look look;
	const char *adopted; /* key in the bucket that is not needed any more; NULL: none */
};

static enum stet_status
load(struct stet_call *call, struct pending *p)
{
	struct stet_rows rows;

	STET_TRY(item_find(call, stet_arg(call, "id"), &rows));
	p->id = stet_col_dup(&rows, M_ID);
	p->type = stet_col_dup(&rows, M_TYPE);
	p->size = stet_col_int(&rows, M_SIZE);
	p->key = stet_col_dup(&rows, M_KEY);
	p->status = stet_col_dup(&rows, M_STATUS);
	STET_TRY(item_require(call, &rows, "media:upload", "media:edit_any"));
	return stet_rows_end(&rows);
}

static enum stet_status
not_pending(struct stet_call *call, const struct pending *p)
{
	return stet_fail(call, stet_code(call, "INVALID_STATE"), NULL,
	    "Media item is not pending: %s", p->status);
}

static enum stet_status
check_body(struct stet_call *call, const struct pending *p, const struct stet_part *part)
{
	const char *type = part != NULL ? type_normal(call, part->type) : NULL;

	if (strcmp(p->status, "pending") != 0)
		return not_pending(call, p);
	if (part == NULL)
		return stet_fail(call, stet_code(call, "NO_FILE"), NULL, "There are no bytes");
	if (type == NULL || strcmp(type, p->type) != 0)
		return stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
		    "The type must be %s, as the target was asked for", p->type);
	if ((int64_t)part->size > p->size)
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, NULL, "The target is for %lld bytes",
		    (long long)p->size);
	if ((int64_t)part->size < p->size)
		return stet_fail(call, stet_code(call, "UPLOAD_SIZE_MISMATCH"), NULL,
		    "The target is for %lld bytes, and %lld came", (long long)p->size,
		    (long long)part->size);
	return STET_OK;
}

/* Stores the key of the file in the row, unless the item has changed since the upload began. */
static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct pending *p = arg;
	struct stet_rows rows;
	const char *before;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT kept_key FROM media_items WHERE id = ?1", STET_ARGS(p->id)));
	before = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE media_items SET storage_key = ?2, kept_key = ?2, content_hash = ?3, sha256 = ?4,"
	    " width = ?6, height = ?7, blurhash = ?8, dominant_color = ?9, duration = ?10"
	    " WHERE id = ?1 AND status = 'pending' AND storage_key = ?5",
	    STET_ARGS(p->id, p->kept, p->digest.hash, p->digest.sha256, p->key,
		look_pixels(p->look.width), look_pixels(p->look.height), p->look.blurhash,
		p->look.color, look_seconds(p->look.seconds))));
	if (stet_changes(call) == 0)
		return stet_fail(call, stet_code(call, "INVALID_STATE"), NULL,
		    "Another upload came first, or the item was confirmed");
	if (before != NULL)
		stet_file_forget(call, tx, before);
	return STET_OK;
}

static enum stet_status
take_body(struct stet_call *call, struct pending *p, const struct stet_part *part)
{
	if (drawing_is(call, p->type)) {
		STET_TRY(drawing_clean(call, &part, part->size, &p->look));
	} else {
		STET_TRY(type_check_bytes(call, p->type, part->path));
		STET_TRY(look_at(call, p->type, part->path, &p->look));
	}
	STET_TRY(digest_file(call, part->path, &p->digest));
	p->kept = key_next(call, p->key);
	return stet_file_keep(call, part, p->kept, store, p);
}

/* The body. A request without one sends an empty file, if that is what was announced. */
static enum stet_status
body_of(struct stet_call *call, const struct pending *p, const struct stet_part **out)
{
	const struct stet_part *const *part;
	struct stet_part *empty;

	*out = stet_parts(call, &part) > 0 ? part[0] : NULL;
	if (*out != NULL || p->size > 0)
		return STET_OK;
	empty = stet_alloc(call, sizeof(*empty));
	empty->name = "";
	empty->type = stet_request_header(call, "content-type");
	*out = empty;
	return stet_file_temporary(call, "", 0, &empty->path);
}

enum stet_status
media_put_file(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct pending p = { .id = NULL };
	const struct stet_part *part;

	STET_TRY(load(call, &p));
	if (targeturl_is_stale(call, p.key)) /* another upload was stored meanwhile */
		return targeturl_refuse(call);
	STET_TRY(body_of(call, &p, &part));
	STET_TRY(check_body(call, &p, part));
	STET_TRY(take_body(call, &p, part));
	stet_object(out, NULL);
	stet_put_bool(out, "uploaded", true);
	stet_put_int(out, "size", p.size);
	stet_close(out);
	return STET_OK;
}

/* ---- confirming ---- */

static struct stet_val
pixels(struct stet_call *call, const char *name)
{
	return stet_has(call, name) ? stet_val_int(stet_arg_int(call, name)) : stet_val_str(NULL);
}

/* Fails if the item cannot be confirmed with the declared size. *stored: its bytes are here. */
static enum stet_status
check_pending(struct stet_call *call, const struct pending *p, bool *stored)
{
	struct stet_rows rows;

	if (strcmp(p->status, "pending") != 0)
		return not_pending(call, p);
	if (stet_has(call, "size") && stet_arg_int(call, "size") != p->size)
		return stet_fail(call, stet_code(call, "UPLOAD_SIZE_MISMATCH"), "size",
		    "The target is for %lld bytes", (long long)p->size);
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT kept_key IS NOT NULL FROM media_items WHERE id = ?1", STET_ARGS(p->id)));
	*stored = stet_col_int(&rows, 0) != 0;
	return stet_rows_end(&rows);
}

static enum stet_status
make_ready(struct stet_call *call, struct stet_tx *tx, const struct pending *p)
{
	bool stored;

	STET_TRY(check_pending(call, p, &stored));
	if (!stored)
		return stet_fail(call, stet_code(call, "FILE_NOT_FOUND"), NULL,
		    "Nothing was uploaded to the target");
	STET_TRY(stet_exec(call, tx,
	    "UPDATE media_items SET status = 'ready', width = coalesce(?2, width),"
	    " height = coalesce(?3, height) WHERE id = ?1",
	    STET_ARGS(p->id, pixels(call, "width"), pixels(call, "height"))));
	STET_TRY(item_changed(call, tx, p->id, "create"));
	upload_count(call, p->size);
	return STET_OK;
}

/* Checks a file that the client sent to a bucket like any upload, and stores it under a new key:
 * until its URL expires, the client can overwrite the file at the key of the target. */
static enum stet_status
adopt(struct stet_call *call, struct pending *p)
{
	struct stet_part part = { .name = "", .type = p->type };
	enum stet_status status = stet_file_take(call, p->key, p->size, &part);

	if (status == STET_NOT_FOUND)
		return stet_fail(call, stet_code(call, "FILE_NOT_FOUND"), NULL,
		    "Nothing was uploaded to the target");
	if (status == STET_PAYLOAD_TOO_LARGE)
		return stet_fail(call, stet_code(call, "UPLOAD_SIZE_MISMATCH"), "size",
		    "The target is for %lld bytes", (long long)p->size);
	STET_TRY(status);
	STET_TRY(check_body(call, p, &part));
	STET_TRY(take_body(call, p, &part));
	p->adopted = p->key;
	return STET_OK;
}

static enum stet_status
confirm(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct pending *p = arg;
	struct pending now = { .id = NULL };

	STET_TRY(load(call, &now));
	if (strcmp(now.status, "ready") == 0)
		return STET_OK;
	if (p->adopted != NULL)
		stet_file_forget(call, tx, p->adopted);
	return make_ready(call, tx, &now);
}

enum stet_lane
media_confirm_lane(struct stet_call *call)
{
	return stet_file_has_targets(call) ? STET_SLOW : STET_WRITE;
}

enum stet_status
media_confirm(struct stet_call *call)
{
	struct pending p = { .id = NULL };
	bool stored;

	STET_TRY(load(call, &p));
	if (strcmp(p.status, "ready") == 0) /* again: nothing changes */
		return item_answer(call, p.id, NULL);
	if (stet_writing(call)) {
		STET_TRY(make_ready(call, stet_write_tx(call), &p));
		return item_answer(call, p.id, NULL);
	}
	STET_TRY(check_pending(call, &p, &stored));
	if (!stored)
		STET_TRY(adopt(call, &p));
	STET_TRY(stet_write_lane(call, confirm, &p));
	return item_answer(call, p.id, NULL);
}
