/*
 * releases - named bundles of changes over items, terms, menus and settings, which are published in
 * one transaction, now or at a time, and undone as a whole.
 */
#include "releases.h"

static const struct stet_migration migrations[] = {
	{ 1, "releases and their changes",
	    "CREATE TABLE release ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " name TEXT NOT NULL UNIQUE,"
	    " description TEXT,"
	    " status TEXT NOT NULL," /* open, scheduled, published */
	    " created_at TEXT NOT NULL,"
	    " created_by TEXT," /* a user; NULL: a command, or an import */
	    " updated_at TEXT NOT NULL,"
	    " scheduled_at TEXT,"
	    " scheduled_by TEXT," /* NULL: a command, which has all rights */
	    " published_at TEXT,"
	    " published_by TEXT,"
	    " undone_at TEXT,"
	    " allow_missing INTEGER NOT NULL,"
	    " error TEXT," /* JSON: why it is not published at its time */
	    " tried_at TEXT);" /* when it failed last */
	    "CREATE INDEX release_updated ON release (updated_at, id);"
	    "CREATE INDEX release_status ON release (status, updated_at, id);"
	    "CREATE INDEX release_scheduled ON release (scheduled_at, id)"
	    " WHERE scheduled_at IS NOT NULL;"
	    "CREATE TABLE release_change ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " release_id TEXT NOT NULL REFERENCES release (id) ON DELETE CASCADE,"
	    " subject TEXT NOT NULL," /* what is changed, as one text */
	    " kind TEXT NOT NULL,"
	    " action TEXT,"
	    " collection TEXT,"
	    " item TEXT,"
	    " name TEXT,"
	    " slug TEXT,"
	    " locale TEXT,"
	    " content TEXT," /* JSON, as the next three */
	    " base TEXT," /* by which a change since it was added is noticed */
	    " before_state TEXT," /* while it is published: what undoing restores */
	    " after_mark TEXT," /* ... and by which a change since then is noticed */
	    " added_at TEXT NOT NULL,"
	    " added_by TEXT,"
	    " rank INTEGER NOT NULL DEFAULT 0," /* its place in the order of publication */
	    " UNIQUE (release_id, subject));"
	    "CREATE INDEX release_change_rank ON release_change (release_id, rank, id);",
	    .flags = STET_ADDITIVE },
	{ 2, "when releases are tried again, and were published",
	    "ALTER TABLE release ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;"
	    "ALTER TABLE release ADD COLUMN retry_at TEXT;"
	    "CREATE INDEX release_published ON release (published_at, id)"
	    " WHERE published_at IS NOT NULL",
	    NULL, STET_ADDITIVE },
};

/* ---- ops ---- */

/* clang-format off */
#define READS .lane = STET_READ, .permission = "releases:read", .scope = "content:read", \
	.fault = "RELEASE_READ_ERROR"
#define WRITES .lane = STET_WRITE, .permission = "releases:manage", .scope = "content:write", \
	.fault = "RELEASE_WRITE_ERROR"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "release_list", "List Releases",
	    .about = "Bundles of changes that are published together, last changed first.",
	    .route = "GET /releases", READS, .in = release_list_in, .out = release_list_out,
	    .run = release_list },
	{ "release_read", "Get Release",
	    .about = "A release with its changes, and what stands against them.",
	    .route = "GET /releases/:id", READS, .in = release_by_id, .out = release_get_out,
	    .run = release_read },
	{ "release_get", "Get Release",
	    .about = "A release with its changes, and what stands against them; or all releases.",
	    .flags = STET_TOOL, READS, .in = release_get_in, .out = release_any_out,
	    .run = release_get, .find = "bundle campaign launch several changes" },
	{ "release_add", "Create Release",
	    .about = "A new release, with changes if some are given.", .route = "POST /releases",
	    .flags = STET_CREATED, WRITES, .in = release_create_in, .out = release_get_out,
	    .run = release_create },
	{ "release_put", "Update Release",
	    .about = "Another name; add changes, or remove some. Not while it is scheduled or "
		     "published.",
	    .route = "PUT /releases/:id", WRITES, .in = release_put_in, .out = release_get_out,
	    .run = release_put },
	{ "release_save", "Save Release", .about = "Make a release, or add and remove changes.",
	    .flags = STET_TOOL, WRITES, .in = release_save_in, .out = release_get_out,
	    .run = release_save,
	    .find = "bundle campaign launch several changes together collect" },
	{ "release_delete", "Delete Release",
	    .about = "Delete a release. What it has published stays, and cannot be undone any "
		     "more.",
	    .route = "DELETE /releases/:id", .flags = STET_DESTRUCTIVE, WRITES, .in = release_by_id,
	    .out = release_deleted_out, .run = release_delete },
	{ "release_check", "Check Release",
	    .about = "What stands against publishing it: it is tried, and nothing is written.",
	    .route = "POST /releases/:id/check", .flags = STET_BODY_OPTIONAL | STET_COSTLY, WRITES,
	    .in = release_publish_in, .out = release_check_out, .run = release_check },
	{ "release_publish", "Publish Release",
	    .about = "Publish all its changes, or none; now or at a time.",
	    .route = "POST /releases/:id/publish", .flags = STET_TOOL | STET_BODY_OPTIONAL, WRITES,
	    .in = release_publish_in, .out = release_get_out, .run = release_publish,
	    .find = "bundle campaign launch several changes together" },
	{ "release_schedule", "Schedule Release",
	    .about = "Publish it at a time, with the rights that the caller has then.",
	    .route = "POST /releases/:id/schedule", WRITES, .in = release_schedule_in,
	    .out = release_get_out, .run = release_schedule },
	{ "release_unschedule", "Cancel Scheduled Release",
	    .about = "Take its schedule away; nothing happens if it has none.",
	    .route = "DELETE /releases/:id/schedule", .flags = STET_IDEMPOTENT, WRITES,
	    .in = release_by_id, .out = release_get_out, .run = release_unschedule },
	{ "release_undo", "Undo Release",
	    .about = "Restore what was there before, unless something was changed since.",
	    .route = "POST /releases/:id/undo", .flags = STET_TOOL | STET_BODY_OPTIONAL, WRITES,
	    .in = release_by_id, .out = release_get_out, .run = release_undo,
	    .find = "revert take back roll back launch bundle" },
	{ "release_link", "Share Preview of Release",
	    .about = "A link to the site as it will be with the release, which can be withdrawn.",
	    .route = "POST /releases/:id/preview-links",
	    .flags = STET_BODY_OPTIONAL | STET_CREATED | STET_SECRET | STET_COSTLY, WRITES,
	    .in = release_link_in, .out = release_link_out, .run = release_link },
	{ "release_links", "List Shared Previews of Release",
	    .about = "The preview links of a release that are open.",
	    .route = "GET /releases/:id/preview-links", READS, .in = release_by_id,
	    .out = release_links_out, .run = release_links },
	{ "release_unlink", "Withdraw Preview of Release",
	    .about = "End a preview link: one's own, or for editors any.",
	    .route = "DELETE /releases/:id/preview-links/:link", .flags = STET_DESTRUCTIVE, WRITES,
	    .in = release_unlink_in, .out = release_deleted_out, .run = release_unlink },
	{ "release_preview", "Preview Release",
	    .about = "What reads answer once the release is published; with the token of a link.",
	    .route = "POST /releases/preview", .flags = STET_PUBLIC | STET_COSTLY | STET_UNTOLD,
	    .lane = STET_WRITE, .in = release_preview_in, .out = release_preview_out,
	    .run = release_preview, .fault = "RELEASE_READ_ERROR" },
	{ "calendar", "Calendar",
	    .about = "What is scheduled between two times: publications, unpublications, releases.",
	    .route = "GET /calendar", READS, .in = calendar_in, .out = calendar_out,
	    .run = calendar },
};

static const struct stet_command commands[] = {
	{ "release list", .op = "release_list", .operands = "",
	    .print = "id status changeCount scheduledAt name",
	    .about = "List the releases of a site." },
	{ "release show", .op = "release_read", .operands = "id",
	    .about = "Show a release, its changes, and what stands against them." },
	{ "release publish", .op = "release_publish", .operands = "id",
	    .about = "Publish a release now: all of its changes, or none." },
	{ "release schedule", .op = "release_schedule", .operands = "id scheduledAt",
	    .about = "Publish a release at a time, with all rights." },
	{ "release undo", .op = "release_undo", .operands = "id",
	    .about = "Restore what was there before a release was published." },
};

static const struct stet_job jobs[] = { { RELEASE_JOB, release_due, release_run } };
static const struct stet_service_def services[] = { STET_SERVICE(
    STET_RELEASES_1, release_service) };
static const char *const needs[] = { "auth", "schema", "content", NULL };

static const struct stet_permission permissions[] = {
	{ "releases:read", 20 },
	{ "releases:manage", 30 }, /* one's own; what they publish has rights of its own */
	{ "releases:manage_any", 40 },
};

static const struct stet_status_def statuses[] = {
	{ "RELEASE_BLOCKED", 409, "The release cannot be published as it is" },
	{ "RELEASE_TRIED", 409, "The release was only tried: nothing is published" },
	{ "RELEASE_READ_ERROR", 500, "Failed to read the release" },
	{ "RELEASE_WRITE_ERROR", 500, "Failed to store the release" },
};

STET_MODULE(releases) = {
	STET_MODULE_HEAD(releases),
	.version = "1.0",
	.summary = "Releases: changes that are published and undone together",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.jobs = STET_TABLE(jobs),
	.transfers = STET_TABLE(release_transfers),
	.commands = STET_TABLE(commands),
	.statuses = STET_TABLE(statuses),
	.services = STET_TABLE(services),
};
