/*
 * media-usage - which items of content refer to which media items. The index is written in the
 * transaction of each write.
 */
#include "media-usage.h"

static const struct stet_migration migrations[] = {
	{ 1, "uses of media items, and their numbers",
	    "CREATE TABLE media_use ("
	    " media_id TEXT NOT NULL,"
	    " collection_id TEXT NOT NULL,"
	    " content_id TEXT NOT NULL,"
	    " active INTEGER NOT NULL," /* 0: the item is in the trash */
	    " sources TEXT NOT NULL," /* JSON, as clients get it */
	    " PRIMARY KEY (media_id, collection_id, content_id));"
	    "CREATE INDEX media_use_entry ON media_use (collection_id, content_id);"
	    "CREATE TABLE media_use_count ("
	    " media_id TEXT NOT NULL,"
	    " collection_id TEXT NOT NULL,"
	    " active INTEGER NOT NULL," /* rows of media_use that count */
	    " uses INTEGER NOT NULL," /* all of them */
	    " PRIMARY KEY (media_id, collection_id));"
	    "CREATE INDEX media_use_count_collection ON media_use_count (collection_id);",
	    NULL },
};

static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, usage_entry) };
static const char *const needs[] = { "auth", "schema", "content", NULL };

STET_MODULE(media_usage) = {
	STET_MODULE_HEAD_AS("media-usage"),
	.version = "1.0",
	.summary = "Which content refers to which media items",
	.license = "MIT",
	.needs = needs,
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
};
