/*
 * witness - a plugin for the tests of the hooks around the life of an item. It writes each call as
 * a line to the file $STET_WITNESS, and leaves a row of its own in each transaction. What it does
 * then, $STET_WITNESS_DOES says: "<point>" and reject, block, fault or other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <stet/module.h>
#include <string.h>

static void
note(const char *line)
{
	FILE *file = fopen(getenv("STET_WITNESS"), "a");

	if (file == NULL)
		abort();
	fprintf(file, "%s\n", line);
	fclose(file);
}

/* Reads the item's row as it is at this moment in this transaction. */
static enum stet_status
look(struct stet_call *call, const struct stet_entry *entry, const char **out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*out = "none";
	stet_sql_add(sql,
	    "SELECT status || CASE WHEN deleted_at IS NULL THEN '' ELSE '-trashed' END"
	    " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, stet_entry_collection(entry)->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(stet_entry_id(entry)));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*out = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
veto(struct stet_call *call, struct stet_tx *tx, const struct stet_entry *entry, const char *point,
    const char *more)
{
	const char *does = getenv("STET_WITNESS_DOES"), *row;
	size_t len = strlen(point);

	STET_TRY(look(call, entry, &row));
	note(stet_printf(call, "%s %s %s new=%d %s slug=%s %s %s author=%s title=%s row=%s%s",
	    point, stet_entry_collection(entry)->slug, stet_entry_id(entry),
	    stet_entry_is_new(entry), stet_entry_str(entry, "stage"), stet_entry_str(entry, "slug"),
	    stet_entry_str(entry, "status"), stet_entry_str(entry, "locale"),
	    stet_entry_str(entry, "authorId"), stet_entry_str(entry, "title"), row, more));
	STET_TRY(
	    stet_exec(call, tx, "INSERT INTO witness_row (point) VALUES (?1)", STET_ARGS(point)));
	if (does == NULL || strncmp(does, point, len) != 0 || does[len] != ' ')
		return STET_OK;
	if (strcmp(does + len, " reject") == 0)
		return stet_fail(call, STET_SAVE_REJECTED, "data.title", "not while I watch");
	if (strcmp(does + len, " block") == 0)
		return stet_fail(call, STET_DELETE_BLOCKED, NULL, "it stays");
	if (strcmp(does + len, " fault") == 0)
		return stet_fault(call, "the plugin's secret");
	return stet_fail(call, STET_NOT_FOUND, "secret", "the plugin's secret");
}

#define VETOES(point_)                                                            \
	static enum stet_status point_(                                           \
	    struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry) \
	{                                                                         \
		return veto(call, tx, entry, "entry_" #point_, "");               \
	}
#define HEARS(point_)                                                                 \
	static enum stet_status point_(struct stet_call *call, const json_t *payload) \
	{                                                                             \
		return hear(call, payload, "entry_" #point_);                         \
	}

static enum stet_status
before_schedule(
    struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry, const char *time)
{
	return veto(call, tx, entry, "entry_before_schedule",
	    stet_printf(call, " at=%s", time != NULL ? time : "NULL"));
}

static enum stet_status
hear(struct stet_call *call, const json_t *payload, const char *point)
{
	char *text = json_dumps(payload, JSON_COMPACT);

	note(stet_printf(call, "%s %s", point, text));
	free(text);
	return STET_OK;
}

VETOES(before_publish)
VETOES(before_unpublish)
VETOES(before_restore)
VETOES(before_purge)
HEARS(after_publish)
HEARS(after_unpublish)
HEARS(after_restore)
HEARS(after_schedule)
HEARS(after_delete)

static const struct stet_hook hooks[] = {
	STET_ON(entry_before_publish, 0, before_publish),
	STET_ON(entry_after_publish, 0, after_publish),
	STET_ON(entry_before_unpublish, 0, before_unpublish),
	STET_ON(entry_after_unpublish, 0, after_unpublish),
	STET_ON(entry_before_restore, 0, before_restore),
	STET_ON(entry_after_restore, 0, after_restore),
	STET_ON(entry_before_purge, 0, before_purge),
	STET_ON(entry_after_delete, 0, after_delete),
	STET_ON(entry_before_schedule, 0, before_schedule),
	STET_ON(entry_after_schedule, 0, after_schedule),
};
static const struct stet_migration migrations[] = {
	{ 1, "rows", "CREATE TABLE witness_row (point TEXT NOT NULL)", NULL },
};

STET_MODULE(witness) = {
	STET_MODULE_HEAD(witness),
	.version = "1.0",
	.summary = "Sees the life of items",
	.license = "MIT",
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
};
