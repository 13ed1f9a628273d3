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
	{ 2, "coverage, activation, work",
	    "CREATE TABLE media_coverage ("
	    " collection_id TEXT NOT NULL PRIMARY KEY,"
	    " slug TEXT NOT NULL,"
	    " state TEXT NOT NULL," /* how the last scan ended */
	    " shape TEXT NOT NULL," /* the fields that it looked at */
	    " run TEXT," /* the scan under way */
	    " ended TEXT," /* the scan that ended last */
	    " cursor TEXT NOT NULL,"
	    " indexed INTEGER NOT NULL,"
	    " failed INTEGER NOT NULL,"
	    " deleted INTEGER NOT NULL,"
	    " error TEXT,"
	    " started_at TEXT,"
	    " completed_at TEXT);"
	    "CREATE TABLE media_activation ("
	    " one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),"
	    " state TEXT NOT NULL,"
	    " collection_cursor TEXT,"
	    " attempts INTEGER NOT NULL,"
	    " drain_confirmed_at TEXT,"
	    " attempted_at TEXT,"
	    " error TEXT,"
	    " lease_until TEXT,"
	    " activated_at TEXT,"
	    " updated_at TEXT);"
	    "INSERT INTO media_activation (one, state, attempts) VALUES (1, 'expanded', 0);"
	    "CREATE TABLE media_work ("
	    " collection_id TEXT NOT NULL,"
	    " content_id TEXT NOT NULL,"
	    " state TEXT NOT NULL," /* pending, retry, leased or failed */
	    " attempts INTEGER NOT NULL,"
	    " next_at TEXT,"
	    " lease_until TEXT,"
	    " attempted_at TEXT,"
	    " error TEXT,"
	    " updated_at TEXT NOT NULL,"
	    " PRIMARY KEY (collection_id, content_id));"
	    "CREATE INDEX media_work_list ON media_work (collection_id, updated_at, content_id);"
	    "CREATE INDEX media_work_state ON media_work (collection_id, state, updated_at, "
	    "content_id);"
	    "CREATE INDEX media_work_due ON media_work (state, next_at);"
	    "CREATE TABLE media_deletion ("
	    " collection_id TEXT NOT NULL PRIMARY KEY,"
	    " slug TEXT NOT NULL,"
	    " state TEXT NOT NULL,"
	    " phase TEXT NOT NULL,"
	    " attempts INTEGER NOT NULL,"
	    " next_at TEXT,"
	    " lease_until TEXT,"
	    " error TEXT,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE INDEX media_deletion_list ON media_deletion (state, updated_at, "
	    "collection_id);",
	    NULL },
	{ 3, "URLs of files, which items have in their values; all items are read again",
	    "CREATE TABLE media_use_file ("
	    " storage_key TEXT NOT NULL PRIMARY KEY," /* the name of a file that an item links to */
	    " media_id TEXT NOT NULL);"
	    "UPDATE media_coverage SET run = NULL, state = CASE state WHEN 'never' THEN state ELSE "
	    "'stale' END;",
	    NULL },
};

#define USAGE "/admin/media-usage"
#define LISTS .lane = STET_READ, .permission = "schema:manage"
#define DOES .lane = STET_WRITE, .permission = "schema:manage"
#define LASTS .lane = STET_SLOW, .permission = "schema:manage"

static const struct stet_op ops[] = {
	{ "media_usage_detail", "Get Media Usage",
	    .about = "The items of content that use a media item, and where.",
	    .route = "GET /media/:id/usage", .flags = STET_DATA_ONLY, .lane = STET_READ,
	    .permission = "content:read_drafts", .in = detail_in, .out = detail_out,
	    .run = usage_detail, .fault = "MEDIA_USAGE_READ_ERROR" },
	{ "media_usage_activation", "Get Media Usage Activation",
	    .about = "Is the index of uses switched on?", .route = "GET " USAGE "/activation",
	    LISTS, .out = activation_out, .run = usage_activation,
	    .fault = "MEDIA_USAGE_ACTIVATION_READ_ERROR" },
	{ "media_usage_activate", "Activate Media Usage",
	    .about = "Switch the index of uses on: prepares one collection. "
		     "POST " USAGE "/progress does the others.",
	    .route = "POST " USAGE "/activation", LASTS, .in = activate_in, .out = activate_out,
	    .run = usage_activate, .fault = "MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR" },
	{ "media_usage_progress", "Get Media Usage Progress",
	    .about = "How many collections the index covers.", .route = "GET " USAGE "/progress",
	    LISTS, .out = progress_out, .run = usage_progress,
	    .fault = "MEDIA_USAGE_PROGRESS_READ_ERROR" },
	{ "media_usage_advance", "Advance Media Usage",
	    .about = "Do one step of what is left to do for the index of uses.",
	    .route = "POST " USAGE "/progress", .flags = STET_BODY_OPTIONAL, DOES,
	    .out = advance_out, .run = usage_advance,
	    .fault = "MEDIA_USAGE_PROGRESS_ADVANCE_ERROR" },
	{ "media_usage_work", "List Media Usage Work",
	    .about = "Items that are to be indexed again.", .route = "GET " USAGE "/work", LISTS,
	    .in = work_list_in, .out = work_list_out, .run = usage_work,
	    .fault = "MEDIA_USAGE_WORK_LIST_ERROR" },
	{ "media_usage_work_retry", "Retry Media Usage Work",
	    .about = "Have an item indexed again.", .route = "POST " USAGE "/work/retry", DOES,
	    .in = work_retry_in, .out = work_retry_out, .run = usage_work_retry,
	    .fault = "MEDIA_USAGE_WORK_RETRY_ERROR" },
	{ "media_usage_deletions", "List Media Usage Deletions",
	    .about = "Deleted collections of which the index still has something.",
	    .route = "GET " USAGE "/collection-deletions", LISTS, .in = deletion_list_in,
	    .out = deletion_list_out, .run = usage_deletions,
	    .fault = "MEDIA_USAGE_COLLECTION_DELETION_LIST_ERROR" },
	{ "media_usage_deletion_retry", "Retry Media Usage Deletion",
	    .about = "Go on deleting what the index has of a deleted collection.",
	    .route = "POST " USAGE "/collection-deletions/retry", DOES, .in = deletion_retry_in,
	    .out = deletion_retry_out, .run = usage_deletion_retry,
	    .fault = "MEDIA_USAGE_COLLECTION_DELETION_RETRY_ERROR" },
	{ "media_usage_repair", "Repair Media Usage Index",
	    .about =
		"Compare the index of media uses with items, and mend it. status: complete, partial, failed or stale.",
	    .route = "POST " USAGE "/repair", .flags = STET_TOOL | STET_DATA_ONLY | STET_ADDITIVE,
	    LASTS, .scope = "admin", .in = repair_in, .out = repair_out, .run = usage_repair,
	    .fault = "MEDIA_USAGE_REPAIR_ERROR", .find = "where used index check" },
	{ "media_usage_verify", "Verify Media Usage Index",
	    .about = "Compare the index of media uses with all items. Changes nothing.",
	    .lane = STET_SLOW, .permission = "schema:manage", .scope = "admin", .out = verify_out,
	    .run = usage_verify },
};

static const struct stet_command commands[] = {
	{ "media-usage repair", "media_usage_repair", .operands = "scope collection",
	    .about = "Mend the index of media uses: all, or collection and its slug." },
	{ "media-usage verify", "media_usage_verify", .print = "problems",
	    .about = "Compare the index of media uses with all items." },
};

static const struct stet_status_def statuses[] = {
	{ "WORK_LEASE_ACTIVE", 409, "Somebody is at work on it" },
	{ "WORK_CHANGED", 409, "The work has changed meanwhile" },
	{ "MEDIA_USAGE_ACTIVATION_BUSY", 409, "Another request prepares a collection" },
	{ "MEDIA_USAGE_PROGRESS_NOT_ACTIVE", 409, "Media usage is not active" },
	{ "MEDIA_USAGE_READ_ERROR", 500, "Failed to read media usage" },
	{ "MEDIA_USAGE_ACTIVATION_READ_ERROR", 500, "Failed to read the activation" },
	{ "MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR", 500, "Failed to activate media usage" },
	{ "MEDIA_USAGE_PROGRESS_READ_ERROR", 500, "Failed to read the progress" },
	{ "MEDIA_USAGE_PROGRESS_ADVANCE_ERROR", 500, "Failed to do the next step" },
	{ "MEDIA_USAGE_WORK_LIST_ERROR", 500, "Failed to list the work" },
	{ "MEDIA_USAGE_WORK_RETRY_ERROR", 500, "Failed to retry the work" },
	{ "MEDIA_USAGE_COLLECTION_DELETION_LIST_ERROR", 500, "Failed to list the deletions" },
	{ "MEDIA_USAGE_COLLECTION_DELETION_RETRY_ERROR", 500, "Failed to retry the deletion" },
	{ "MEDIA_USAGE_REPAIR_ERROR", 500, "Failed to repair the index" },
};

static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, usage_entry),
	STET_ON(schema_changing, 0, usage_schema), STET_ON(media_holder_changed, 0, usage_holder) };
static const struct stet_service_def services[] = { STET_SERVICE(
    STET_MEDIA_USAGE_1, usage_service) };
static const struct stet_job jobs[] = { { USAGE_JOB, scan_due, scan_run } };
static const char *const needs[] = { "auth", "schema", "content", NULL };

STET_MODULE(media_usage) = {
	STET_MODULE_HEAD_AS("media-usage"),
	.version = "1.0",
	.summary = "Which content refers to which media items",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.commands = STET_TABLE(commands),
	.hooks = STET_TABLE(hooks),
	.jobs = STET_TABLE(jobs),
	.services = STET_TABLE(services),
	.statuses = STET_TABLE(statuses),
	.migrations = STET_TABLE(migrations),
};
