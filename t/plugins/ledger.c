/*
 * ledger - a plugin for the tests of entry_changed. It keeps a row of each change, in the
 * transaction that makes it, with what the item's row says at that moment. With
 * $STET_LEDGER_FAILS it refuses.
 */
#include <stdlib.h>
#include <stet/module.h>

static enum stet_status
changed(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	struct stet_sql *sql = stet_sql_new(call);
	const char *row = "none";
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT version || ' ' || f_title FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		row = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_exec(call, tx, "INSERT INTO ledger_row (line) VALUES (?1)",
	    STET_ARGS(stet_printf(call, "%s %s %s %lld (%s)", collection->slug, id, change,
		(long long)version, row))));
	if (getenv("STET_LEDGER_FAILS") != NULL)
		return stet_fail(call, STET_NOT_FOUND, "secret", "the plugin's secret");
	return STET_OK;
}

static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, changed) };
static const struct stet_migration migrations[] = {
	{ 1, "rows", "CREATE TABLE ledger_row (n INTEGER PRIMARY KEY, line TEXT NOT NULL)", NULL },
};

STET_MODULE(ledger) = {
	STET_MODULE_HEAD(ledger),
	.version = "1.0",
	.summary = "Keeps a row of each change of an item",
	.license = "MIT",
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
};
