/*
 * comments - what readers say about items: threads, moderation, and an inbox for moderators.
 */
#include "comments.h"

static const struct stet_migration migrations[] = {
	{ 1, "comments",
	    "CREATE TABLE comment ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " collection TEXT NOT NULL," /* slug of the collection */
	    " entry_id TEXT NOT NULL,"
	    " parent_id TEXT REFERENCES comment (id) ON DELETE CASCADE," /* the comment that begins
									    the thread */
	    " author_name TEXT NOT NULL,"
	    " author_email TEXT," /* lower case */
	    " author_user_id TEXT REFERENCES users (id) ON DELETE SET NULL,"
	    " body TEXT NOT NULL," /* plain text */
	    " status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'spam', 'trash')),"
	    " reason TEXT,"
	    " ip_hash TEXT,"
	    " user_agent TEXT,"
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE INDEX comment_thread ON comment (collection, entry_id, status, created_at, id)"
	    " WHERE parent_id IS NULL;"
	    "CREATE INDEX comment_answer ON comment (parent_id, status, created_at, id);"
	    "CREATE INDEX comment_entry ON comment (collection, entry_id, status);"
	    "CREATE INDEX comment_inbox ON comment (status, created_at, id);"
	    "CREATE INDEX comment_inbox_of ON comment (collection, status, created_at, id);"
	    "CREATE INDEX comment_email ON comment (author_email, status);"
	    "CREATE INDEX comment_user ON comment (author_user_id, status);"
	    "CREATE TABLE comment_secret ("
	    " id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),"
	    " secret BLOB NOT NULL);" },
	/* Addresses are hashed with the key of the site (stet_mac). */
	{ 2, "no secret of hashes in the database", "DROP TABLE comment_secret" },
};

static const struct stet_setting_def settings[] = {
	{ { "limitCount", STET_INTEGER, .about = "Comments that an address or a user may write",
	    STET_RANGE(1, 100000), .fallback = "5" } },
	{ { "limitSeconds", STET_INTEGER, .about = "... in so many seconds", STET_RANGE(1, 86400),
	    .fallback = "600" } },
	{ { "linksHeld", STET_INTEGER, STET_BOUNDED,
	    .about = "A comment with more links than this waits for approval", STET_RANGE(0, 1000),
	    .fallback = "2" } },
};

/* clang-format off */
#define READS .lane = STET_READ, .permission = "comments:moderate", \
	.fault = "COMMENT_LIST_ERROR"
#define MODERATES .lane = STET_WRITE, .permission = "comments:moderate", \
	.fault = "COMMENT_UPDATE_ERROR"
#define DELETES .lane = STET_WRITE, .permission = "comments:delete", \
	.fault = "COMMENT_DELETE_ERROR"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "comment_threads", "List Comments",
	    .about = "The approved comments of a published item, oldest first, with answers.",
	    .route = "GET /comments/:collection/:contentId", .flags = STET_PUBLIC,
	    .lane = STET_READ, .in = thread_list_in, .out = thread_list_out, .run = thread_list,
	    .fault = "COMMENT_LIST_ERROR" },
	{ "comment_create", "Write Comment",
	    .about = "A comment on a published item, or an answer to one.",
	    .route = "POST /comments/:collection/:contentId", .flags = STET_PUBLIC | STET_CREATED,
	    .lane = STET_WRITE, .in = create_in, .out = create_out, .run = comment_create,
	    .fault = "COMMENT_CREATE_ERROR", .body_max = 65536 },

	{ "comment_list", "List Comments for Moderation",
	    .about = "Comments of one status, newest first.", .flags = STET_TOOL, READS,
	    .scope = "content:read", .in = inbox_tool_in, .out = inbox_tool_out, .run = inbox_tool,
	    .find = "readers replies feedback waiting moderation spam" },
	{ "comment_moderate", "Moderate Comments",
	    .about = "Approve comments, or put them with spam or into the trash.",
	    .flags = STET_TOOL | STET_IDEMPOTENT, MODERATES, .scope = "content:write",
	    .in = moderate_in, .out = affected_out, .run = moderate,
	    .find = "reader reply spam allow hide reject" },
	{ "comment_delete", "Delete Comments",
	    .about = "Delete comments and the answers to them for good.",
	    .flags = STET_TOOL | STET_DESTRUCTIVE, DELETES, .scope = "content:write",
	    .in = delete_in, .out = affected_out, .run = delete_many, .find = "spam reader reply" },

	{ "admin_comment_list", "List Comments", .about = "Comments of one status, newest first.",
	    .route = "GET /admin/comments", READS, .scope = "admin", .in = inbox_in,
	    .out = inbox_out, .run = inbox },
	{ "admin_comment_counts", "Count Comments", .about = "How many there are of each status.",
	    .route = "GET /admin/comments/counts", READS, .scope = "admin", .out = counts_out,
	    .run = counts },
	{ "admin_comment_bulk", "Moderate Comments", .about = "The same for many comments.",
	    .route = "POST /admin/comments/bulk", MODERATES, .scope = "admin", .in = bulk_in,
	    .out = affected_out, .run = bulk },
	{ "admin_comment_get", "Get Comment", .about = "One comment by id.",
	    .route = "GET /admin/comments/:id", READS, .scope = "admin", .in = by_id,
	    .out = comment_shape, .run = comment_get },
	{ "admin_comment_status", "Moderate Comment", .about = "Give a comment another status.",
	    .route = "PUT /admin/comments/:id/status", .flags = STET_IDEMPOTENT, MODERATES,
	    .scope = "admin", .in = status_in, .out = comment_shape, .run = comment_status },
	{ "admin_comment_delete", "Delete Comment",
	    .about = "Delete a comment and the answers to it for good.",
	    .route = "DELETE /admin/comments/:id", .flags = STET_DESTRUCTIVE, DELETES,
	    .scope = "admin", .in = by_id, .out = deleted_out, .run = comment_delete },
};

static const struct stet_hook hooks[] = {
	STET_ON(entry_before_purge, 0, comment_purge),
	STET_ON(schema_changing, 0, comment_schema),
};
static const struct stet_service_def services[] = { STET_SERVICE(
    STET_COMMENTS_1, comments_service) };
static const char *const needs[] = { "auth", "schema", NULL };

static const struct stet_permission permissions[] = {
	{ "comments:read", 10 },
	{ "comments:moderate", 40 },
	{ "comments:delete", 50 },
	{ "comments:settings", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "COMMENTS_DISABLED", 403, "Comments are not enabled" },
	{ "COMMENTS_CLOSED", 403, "Comments are closed" },
	{ "COMMENT_REJECTED", 403, "The comment was rejected", STET_VERDICT,
	    STET_COMMENT_REJECTED },
	{ "COMMENT_LIST_ERROR", 500, "Failed to list comments" },
	{ "COMMENT_CREATE_ERROR", 500, "Failed to store the comment" },
	{ "COMMENT_UPDATE_ERROR", 500, "Failed to moderate comments" },
	{ "COMMENT_DELETE_ERROR", 500, "Failed to delete comments" },
};

STET_MODULE(comments) = {
	STET_MODULE_HEAD(comments),
	.version = "1.0",
	.summary = "Comments of readers on items, moderated",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.settings = STET_TABLE(settings),
	.services = STET_TABLE(services),
	.statuses = STET_TABLE(statuses),
};
