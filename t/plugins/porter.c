/* porter.c - a plugin that checks media items: it refuses some, fails for others, and reports
 * all. */
#include <stet/media.h>
#include <stet/module.h>
#include <string.h>

static enum stet_status
look(struct stet_call *call, struct stet_tx *tx, const char *id, const char *change)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	struct stet_media_item item;
	struct stet_table found;

	STET_TRY(media->find(call, &id, 1, &found));
	stet_table_row(&found, 0, &item, sizeof(item));
	if (item.filename != NULL && strstr(item.filename, "virus") != NULL)
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "This file is ill");
	if (item.alt != NULL && strstr(item.alt, "crash") != NULL)
		return stet_fault(call, "the porter is ill");
	return stet_exec(call, tx, "INSERT INTO porter_told (line) VALUES (?1)",
	    STET_ARGS(stet_printf(
		call, "%s %s", change, item.filename != NULL ? item.filename : "gone")));
}

static const struct stet_migration migrations[] = {
	{ 1, "what was told",
	    "CREATE TABLE porter_told (id INTEGER NOT NULL PRIMARY KEY, line TEXT NOT NULL);",
	    NULL },
};
static const struct stet_hook hooks[] = { STET_ON(media_changed, 0, look) };

STET_MODULE(porter) = {
	STET_MODULE_HEAD(porter),
	.version = "1.0",
	.summary = "Refuses some media items",
	.license = "MIT",
	.migrations = STET_TABLE(migrations),
	.hooks = STET_TABLE(hooks),
};
