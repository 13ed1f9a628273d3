/*
 * history - what was there before each write of things that have no revisions: menus, widget areas,
 * taxonomies and terms, bylines, settings, the terms and credits of items; and all writes of
 * tokens, by sessions, so that what an assistant did can be seen and taken back.
 */
#include "history.h"

static const struct stet_migration migrations[] = {
	{ 1, "records and sessions",
	    "CREATE TABLE history ("
	    " id TEXT NOT NULL PRIMARY KEY," /* in the order of time */
	    " kind TEXT NOT NULL,"
	    " subject TEXT NOT NULL," /* its name or id */
	    " locale TEXT,"
	    " op TEXT NOT NULL,"
	    " created_at TEXT NOT NULL,"
	    " actor TEXT," /* id of the user; NULL: a command */
	    " actor_name TEXT," /* at that time, as the client */
	    " token TEXT," /* the token or the grant */
	    " client TEXT,"
	    " tool TEXT," /* that an assistant called */
	    " session TEXT,"
	    " undone_at TEXT," /* when it was taken back with its session */
	    " before_state TEXT," /* JSON; NULL: it did not exist */
	    " after_state TEXT);" /* JSON; NULL: it was deleted */
	    "CREATE INDEX history_subject ON history (kind, subject, id);"
	    "CREATE INDEX history_kind ON history (kind, id);"
	    "CREATE INDEX history_time ON history (created_at);"
	    "CREATE INDEX history_session ON history (session, id) WHERE session IS NOT NULL;"
	    "CREATE TABLE assistant_session ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " token TEXT NOT NULL,"
	    " client TEXT," /* name of the token, or of the client that it is for */
	    " actor TEXT NOT NULL,"
	    " actor_name TEXT,"
	    " started_at TEXT NOT NULL,"
	    " last_at TEXT NOT NULL);" /* of its last write, to the minute */
	    "CREATE INDEX assistant_session_token ON assistant_session (token, id);"
	    "CREATE INDEX assistant_session_actor ON assistant_session (actor, id);"
	    "CREATE INDEX assistant_session_last ON assistant_session (last_at)",
	    .flags = STET_ADDITIVE },
	/* JSON: struct trail of the undos so far */
	{ 2, "what undos have noted", "ALTER TABLE assistant_session ADD COLUMN trail TEXT",
	    .flags = STET_ADDITIVE },
};

/* clang-format off */
#define READS .lane = STET_READ, .permission = "history:read", .scope = "content:read", \
	.fault = "HISTORY_READ_ERROR", .more = STET_MORE_COLLECTIONS
#define WRITES .lane = STET_WRITE, .permission = "history:restore", .scope = "content:write", \
	.fault = "HISTORY_WRITE_ERROR", .more = STET_MORE_COLLECTIONS
/* clang-format on */
static const struct stet_op ops[] = {
	{ "history_list", "List History",
	    .about = "What was changed of menus, widgets, taxonomies, terms, bylines, settings, or "
		     "of terms and credits of items: newest first.",
	    .route = "GET /history", READS, .in = history_list_in, .out = history_list_out,
	    .run = history_list },
	{ "history_get", "Get History Record", .about = "A change, with what was before and after.",
	    .route = "GET /history/:id", READS, .in = history_by_id, .out = history_one_out,
	    .run = history_get },
	{ "history_restore", "Restore From History",
	    .about = "Make a thing what it was before a change. Of an item, what was changed since "
		     "stays.",
	    .route = "POST /history/:id/restore", .flags = STET_BODY_OPTIONAL, WRITES,
	    .in = history_by_id, .out = history_restored_out, .run = history_restore },
	{ "assistant_sessions", "List Sessions of Assistants",
	    .about =
		"When assistants and tokens wrote, newest first: all for administrators; those of "
		"one's own tokens; for a token without the scope admin, its own.",
	    .route = "GET /assistant-sessions", READS, .in = sessions_in, .out = sessions_out,
	    .run = sessions_list },
	{ "assistant_session", "Get Session of an Assistant",
	    .about = "What was done in it, newest first.", .route = "GET /assistant-sessions/:id",
	    READS, .in = session_by_id, .out = session_out, .run = session_get },
	{ "assistant_session_undo", "Undo Session of an Assistant",
	    .about = "Take back what was done in it, newest first. What others have changed since "
		     "stays, and is told.",
	    .route = "POST /assistant-sessions/:id/undo", .flags = STET_BODY_OPTIONAL, WRITES,
	    .in = undo_in, .out = undo_out, .run = session_undo },
	{ "session_undo", "Undo Session",
	    .about =
		"Take back what a session of an assistant wrote; what others changed since stays.",
	    .flags = STET_TOOL | STET_DESTRUCTIVE | STET_UNTOLD, WRITES, .in = undo_tool_in,
	    .out = undo_out, .run = session_undo_tool,
	    .find = "revert restore back before mistake my changes rollback" },
};

static const struct stet_hook hooks[] = {
	/* Before other modules change anything for this op, and after all but the audit log. */
	STET_ON(op_writing, 0, take_before),
	STET_ON(op_written, 900, take_after),
};

static const struct stet_setting_def settings[] = {
	{ { DAYS, STET_INTEGER, STET_RANGE(0, 36500), .fallback = "90",
	    .about = "Days that records are kept; 0: without end" } },
	{ { KEPT, STET_INTEGER, STET_RANGE(1, 1000), .fallback = "50",
	    .about = "Records kept of a menu, a term or the like" } },
};

static const struct stet_job jobs[] = { { "clean", clean_due, clean_run } };
static const struct stet_service_def services[] = { STET_SERVICE(STET_HISTORY_1, history_service) };
static const char *const needs[] = { "auth", "content", "releases", NULL };

static const struct stet_permission permissions[] = {
	{ "history:read", 20 }, /* of each kind, who may read such things */
	{ "history:restore", 20 }, /* by the ops that would change them alone */
	{ "history:read_any", 50 }, /* sessions of tokens of others */
};

static const struct stet_status_def statuses[] = {
	{ "SESSION_TRIED", 409, "It was only tried: nothing is undone" },
	{ "HISTORY_READ_ERROR", 500, "Failed to read the history" },
	{ "HISTORY_WRITE_ERROR", 500, "Failed to restore from the history" },
};

STET_MODULE(history) = {
	STET_MODULE_HEAD(history),
	.version = "1.0",
	.summary = "What was before each change; sessions of assistants, and their undo",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.settings = STET_TABLE(settings),
	.jobs = STET_TABLE(jobs),
	.services = STET_TABLE(services),
	.state_size = sizeof(struct history_state),
	.statuses = STET_TABLE(statuses),
};
