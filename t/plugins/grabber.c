/*
 * grabber - a plugin for the tests of what a plugin may do to tables. It runs SQL that it is given,
 * in a handler or in its second migration ($STET_GRABBER_SQL).
 */
#include <stdlib.h>
#include <stet/module.h>

static enum stet_status
run(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_exec(call, stet_write_tx(call), stet_arg(call, "sql"), STET_NO_ARGS));
	stet_object(out, NULL);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
more(struct stet_call *call, struct stet_tx *tx)
{
	const char *sql = getenv("STET_GRABBER_SQL");

	return sql == NULL ? STET_OK : stet_exec(call, tx, sql, STET_NO_ARGS);
}

static const struct stet_member args[] = { { "sql", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_member nothing[] = { { 0 } };
static const struct stet_op ops[] = {
	{ "grab", "Grab", "Runs SQL", "POST /grab", 0, .lane = STET_WRITE,
	    .permission = "plugins:manage", .in = args, .out = nothing, .run = run },
};

/* The way in which SQLite requires a table to be rebuilt. */
static const char rows[] = "CREATE TABLE grabber_new (id TEXT PRIMARY KEY, name TEXT UNIQUE);"
			   "CREATE INDEX grabber_by_name ON grabber_new (name, id);"
			   "ALTER TABLE grabber_new RENAME TO grabber_row;"
			   "CREATE TRIGGER grabber_told AFTER DELETE ON grabber_row BEGIN"
			   " UPDATE grabber_row SET name = NULL; END;";
static const struct stet_migration migrations[] = {
	{ 1, "rows", rows, NULL },
	{ 2, "more", NULL, more },
};
static const struct stet_capability capabilities[] = {
	{ "mail" },
	{ "fetch:api.example.org" },
};

STET_MODULE(grabber) = {
	STET_MODULE_HEAD(grabber),
	.version = "1.0",
	.summary = "Takes what it can get",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.capabilities = STET_TABLE(capabilities),
};
