/* posters - a plugin whose rows show media items, and which has a setting with a text. */
#include <stet/module.h>

static enum stet_status
put(struct stet_call *call)
{
	const char *name = stet_arg(call, "name");
	struct stet_tx *tx = stet_write_tx(call);

	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO posters_poster (name, body) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE "
	    "SET body = ?2",
	    STET_ARGS(name, stet_arg(call, "body"))));
	STET_TRY(stet_run_media_holder_changed(call, tx, "posters_poster", name));
	stet_put_bool(stet_reply(call), NULL, true);
	return STET_OK;
}

static const struct stet_member row[] = {
	{ "name", STET_STRING, STET_REQUIRED },
	{ "body", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_op ops[] = {
	{ "put", "Put Poster", "Stores a poster.", "PUT /:name", 0, STET_WRITE,
	    "content:publish_any", "content:write", row, NULL, put },
};
static const struct stet_migration migrations[] = {
	{ 1, "posters",
	    "CREATE TABLE posters_poster (name TEXT PRIMARY KEY NOT NULL, body TEXT NOT NULL)",
	    NULL },
};
static const struct stet_setting_def settings[] = { { { "frame", STET_STRING } } };
static const struct stet_transfer transfers[] = {
	{ .kind = "posters",
	    .table = "posters_poster",
	    .row = row,
	    .key = "name",
	    .name = "t.name",
	    .media = "body",
	    .media_kind = "poster",
	    .media_name = "t.name" },
};

STET_MODULE(posters) = {
	STET_MODULE_HEAD(posters),
	.version = "1.0",
	.summary = "Posters",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.settings = STET_TABLE(settings),
	.transfers = STET_TABLE(transfers),
};
