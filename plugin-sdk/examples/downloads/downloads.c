/* downloads - files that editors upload and everybody can download, also in ranges. */
#include <stet/module.h>
#include <string.h>

#define UPLOAD_MOST (1024ULL * 1024 * 1024) /* bytes; the setting can lower it */
#define NAME_MOST 200

/* ---- rows ---- */

static const struct stet_member file[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED, .about = "Under which it is saved" },
	{ "type", STET_STRING, STET_NULLABLE, .about = "Content type, as the uploader said it" },
	{ "size", STET_INTEGER, STET_REQUIRED, .about = "Bytes" },
	{ "sha256", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
#define COLUMNS "id, name, type, size, sha256, created_at"

static enum stet_status
put_file(struct stet_call *call, const char *id, bool existing)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT " COLUMNS " FROM downloads_file WHERE id = ?1", STET_ARGS(id)));
	stet_object(out, NULL);
	stet_object(out, "file");
	stet_put_columns(out, &rows, 0, file, 6);
	stet_close(out);
	stet_put_bool(out, "existing", existing);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- uploads ---- */

struct upload {
	const char *id, *name, *type;
	int64_t size;
	char sha256[STET_SHA256_SIZE];
};

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct upload *u = arg;
	enum stet_status status = stet_exec(call, tx,
	    "INSERT INTO downloads_file (" COLUMNS ", key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?1)",
	    STET_ARGS(
		u->id, u->name, u->type, u->size, u->sha256, stet_time_text(call, stet_now(call))));

	if (status == STET_CONFLICT)
		return stet_fail(
		    call, STET_CONFLICT, "file", "Somebody else has uploaded the same just now");
	return status;
}

/* The part of the form that is named "file" and is a file. */
static enum stet_status
find_part(struct stet_call *call, const struct stet_part **out)
{
	int64_t most = json_integer_value(stet_setting(call, "maxBytes"));
	const struct stet_part *const *part;
	size_t count = stet_parts(call, &part);

	*out = NULL;
	for (size_t i = 0; i < count; i++)
		if (strcmp(part[i]->name, "file") == 0 && part[i]->filename != NULL)
			*out = part[i];
	if (*out == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "Send the file as the part \"file\" of a form");
	if ((*out)->size > (uint64_t)most)
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, "file",
		    "A file has at most %lld bytes here", (long long)most);
	if (stet_utf8_length((*out)->filename) < 1 ||
	    stet_utf8_length((*out)->filename) > NAME_MOST)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "Its name must be UTF-8, of 1 to %d characters", NAME_MOST);
	return STET_OK;
}

static enum stet_status
upload(struct stet_call *call)
{
	const struct stet_part *part;
	struct upload u = { .id = stet_id(call) };
	struct stet_rows rows;
	const char *same = NULL;

	STET_TRY(find_part(call, &part));
	STET_TRY(stet_file_sum(call, part->path, u.sha256));
	STET_TRY(stet_query(
	    call, &rows, "SELECT id FROM downloads_file WHERE sha256 = ?1", STET_ARGS(u.sha256)));
	if (stet_row(&rows))
		same = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (same != NULL)
		return put_file(call, same, true);
	u.name = part->filename;
	u.type = part->type;
	u.size = (int64_t)part->size;
	STET_TRY(stet_file_keep(call, part, u.id, insert, &u));
	return put_file(call, u.id, false);
}

/* ---- the rest ---- */

static enum stet_status
list(struct stet_call *call)
{
	struct stet_page page = { .listing = "downloads", .key = "created_at", .key_column = 5 };
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " COLUMNS " FROM downloads_file WHERE 1 = 1");
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, file);
	STET_TRY(stet_rows_end(&rows));
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return STET_OK;
}

/* Everybody who knows the URL may read the file. */
static enum stet_status
get(struct stet_call *call)
{
	struct stet_file_answer answer = { .cache = "public, max-age=3600" };
	struct stet_rows rows;
	int fd;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT key, name, type, sha256 FROM downloads_file WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "id"))));
	answer.name = stet_col_dup(&rows, 1);
	answer.type = stet_col_dup(&rows, 2);
	answer.tag = stet_col_dup(&rows, 3);
	STET_TRY(stet_file_open(call, stet_col_str(&rows, 0), &fd));
	return stet_reply_file(call, fd, &answer);
}

static enum stet_status delete (struct stet_call *call) {
	struct stet_tx *tx = stet_write_tx(call); const char *id = stet_arg(call, "id");
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT key FROM downloads_file WHERE id = ?1", STET_ARGS(id)));
	stet_file_forget(call, tx, stet_col_str(&rows, 0));
	STET_TRY(stet_exec(call, tx, "DELETE FROM downloads_file WHERE id = ?1", STET_ARGS(id)));
	stet_object(stet_reply(call), NULL);
	stet_put_bool(stet_reply(call), "deleted", true);
	stet_close(stet_reply(call));
	return STET_OK;
}

/* ---- tables ---- */

static const struct stet_member by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the file" },
	{ 0 },
};
static const struct stet_member page_in[] = {
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "How many", STET_RANGE(1, 100),
	    .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before" },
	{ 0 },
};
static const struct stet_member page_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = file },
	{ "nextCursor", STET_STRING },
	{ 0 },
};
static const struct stet_member upload_out[] = {
	{ "file", STET_OBJECT, STET_REQUIRED, .of = file },
	{ "existing", STET_BOOLEAN, STET_REQUIRED, .about = "The same bytes were there already" },
	{ 0 },
};
static const struct stet_member deleted[] = { { "deleted", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

static const struct stet_op ops[] = {
	{ "list", "List Downloads", .about = "Files that the site offers, newest first.",
	    .route = "GET /files", .flags = STET_TOOL | STET_IDEMPOTENT, .lane = STET_READ,
	    .permission = "downloads:read", .scope = "media:read", .in = page_in, .out = page_out,
	    .run = list, .cached = true },
	{ "upload", "Upload File", .route = "POST /files", .flags = STET_MULTIPART,
	    .lane = STET_SLOW, .permission = "downloads:write", .scope = "media:write",
	    .out = upload_out, .run = upload, .body_max = UPLOAD_MOST },
	{ "get", "Get File", .about = "The file itself.", .route = "GET /get/:id",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_FILE, .lane = STET_SLOW, .in = by_id,
	    .run = get }, /* slow: the site may keep its files in a bucket */
	{ "delete", "Delete Download", .about = "Removes a file for good.",
	    .route = "DELETE /files/:id", .flags = STET_TOOL | STET_DESTRUCTIVE | STET_IDEMPOTENT,
	    .lane = STET_WRITE, .permission = "downloads:write", .scope = "media:write",
	    .in = by_id, .out = deleted, .run = delete },
};

static const struct stet_migration migrations[] = {
	{ 1, "files",
	    "CREATE TABLE downloads_file (id TEXT NOT NULL PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	    " name TEXT NOT NULL, type TEXT, size INTEGER NOT NULL, sha256 TEXT NOT NULL UNIQUE,"
	    " created_at TEXT NOT NULL);"
	    "CREATE INDEX downloads_file_created ON downloads_file (created_at, id);" },
};

static const struct stet_permission permissions[] = {
	{ "downloads:read", 10 },
	{ "downloads:write", 40 },
};

static const struct stet_setting_def settings[] = {
	{ { "maxBytes", STET_INTEGER, STET_BOUNDED, .about = "Most bytes of a file",
	    STET_RANGE(1, UPLOAD_MOST), .fallback = "52428800" } },
};

/* The columns that name files: verify, export and the removal of superfluous files read them. */
static const struct stet_file_column files[] = {
	{ .table = "downloads_file", .key = "key", .size = "size", .sha256 = "sha256" },
};

static const struct stet_member moved[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "key", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING },
	{ "size", STET_INTEGER, STET_REQUIRED },
	{ "sha256", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "downloads",
	    .table = "downloads_file",
	    .row = moved,
	    .key = "id",
	    .name = "t.id" },
};

STET_MODULE(downloads) = {
	STET_MODULE_HEAD(downloads),
	.version = "1.0.0",
	.summary = "Files for everybody",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.settings = STET_TABLE(settings),
	.files = STET_TABLE(files),
	.transfers = STET_TABLE(transfers),
};
