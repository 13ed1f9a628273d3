/*
 * changes - the change feed: what has changed on the site, in the order of commits, for clients
 * that keep copies (search engines, static sites, caches).
 *
 * note.c adds a row for each change in the transaction of the change. feed.c reads them. keep.c
 * deletes old rows.
 */
#include "changes.h"

static const struct stet_migration migrations[] = {
	{ 1, "the feed",
	    "CREATE TABLE change_feed ("
	    " number INTEGER NOT NULL PRIMARY KEY," /* increases by one without gaps */
	    " at TEXT NOT NULL,"
	    " kind TEXT NOT NULL,"
	    " collection TEXT,"
	    " id TEXT,"
	    " change TEXT NOT NULL,"
	    " version INTEGER,"
	    " locale TEXT,"
	    " slug TEXT,"
	    " shown TEXT);" /* the change for readers without drafts; NULL: they do not see it */
	    "CREATE INDEX change_feed_shown ON change_feed (number) WHERE shown IS NOT NULL;"
	    "INSERT INTO change_feed (number, at, kind, change, shown) VALUES"
	    " (1, '1970-01-01T00:00:00.000Z', 'feed', 'create', 'create');",
	    NULL },
	/* Groups of the terms of an item as JSON: [[present terms], [terms before the change]]; the
	 * second list only if it differs. NULL: not known. */
	{ 2, "terms of changed items",
	    "ALTER TABLE change_feed ADD COLUMN terms TEXT;"
	    /* Terms of an item before a save whose change is not written yet. */
	    "CREATE TABLE change_had (item TEXT NOT NULL PRIMARY KEY, terms TEXT NOT NULL)" },
};

static const struct stet_op ops[] = {
	{ "changes", "Change Feed",
	    .about = "What has changed since a cursor, in the order of the commits; waits for the "
		     "next change if asked to. With Accept: text/event-stream, a stream of events.",
	    .route = "GET /changes", .flags = STET_STREAM, .lane = STET_READ,
	    .permission = "content:read", .scope = "content:read", .in = feed_in, .out = feed_out,
	    .run = feed_read, .error = STET_CONTENT_LIST_ERROR, .answers = "text/event-stream" },
};

static const struct stet_setting_def settings[] = {
	{ { "keepDays", STET_INTEGER, STET_BOUNDED, "Days that a change stays in the feed",
	    STET_RANGE(1, 3650), .fallback = "30" } },
	{ { "keepRows", STET_INTEGER, STET_BOUNDED, "Changes that stay in the feed, at most",
	    STET_RANGE(100, 1e7), .fallback = "100000" } },
};

static const struct stet_job jobs[] = { { "keep", keep_due, keep_run } };
static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, note_entry),
	STET_ON(schema_changing, 0, note_schema) };
static const struct stet_service_def services[] = { STET_SERVICE(STET_CHANGES_1, changes_service) };
static const char *const needs[] = { "auth", "schema", "content", NULL };

static const struct stet_status_def statuses[] = {
	{ "CURSOR_EXPIRED", 410, "The cursor is older than what is kept" },
};

STET_MODULE(changes) = {
	STET_MODULE_HEAD(changes),
	.version = "1.0",
	.summary = "A feed of what has changed, for who keeps copies",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.services = STET_TABLE(services),
	.settings = STET_TABLE(settings),
	.jobs = STET_TABLE(jobs),
	.state_size = sizeof(struct changes_state),
	.statuses = STET_TABLE(statuses),
};
