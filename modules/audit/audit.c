/*
 * audit - the audit log: a record of each write with the user, the operation, its subject and
 * the time, written in the transaction of the write.
 *
 * Each record has a hash over itself and the record before it (chain.c), so a later change of
 * the log shows. Jobs delete old records (retention.c) and record times when the module was off
 * (resume.c).
 */
#include "audit.h"
#include <stet/check.h>

static enum stet_status
op_written(struct stet_call *call, struct stet_tx *tx, const struct stet_written *written)
{
	struct record r = { .op = written->name, .module = written->module };

	subject_of(call, written, &r);
	return chain_append(call, tx, &r);
}

/* Records a job's change of an item, since no operation reports it. */
static enum stet_status
entry_changed(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	struct record r = { .op = change, .module = "content", .subject = id };
	struct stet_json *names = stet_json_new(call);

	(void)version;
	if (stet_op_name(call) != NULL)
		return STET_OK;
	stet_object(names, NULL);
	stet_put_str(names, "collection", collection->slug);
	stet_put_str(names, "id", id);
	stet_close(names);
	r.names = stet_json_text(names, NULL);
	return chain_append(call, tx, &r);
}

/* Records every call of a plugin's tool, also reads and denied calls. */
static enum stet_status
tool_called(struct stet_call *call, struct stet_tx *tx, const struct stet_tool_call *tool)
{
	struct record r = { .op = "plugin_tool_invoke",
		.module = tool->plugin,
		.subject = tool->tool,
		.outcome = tool->outcome,
		.reason = tool->reason };
	struct stet_json *names = stet_json_new(call);

	stet_object(names, NULL);
	stet_put_str(names, "plugin", tool->plugin);
	stet_put_str(names, "tool", tool->tool);
	stet_put_str(names, "route", tool->route);
	stet_close(names);
	r.names = stet_json_text(names, NULL);
	return chain_append(call, tx, &r);
}

/* Records events of accounts such as sign-ins, also failed ones. */
static enum stet_status
account_event(struct stet_call *call, struct stet_tx *tx, const struct stet_account_event *event)
{
	struct record r = { .op = event->what,
		.module = event->module,
		.subject = event->user_id != NULL ? event->user_id : event->name,
		.outcome = event->count > 0 ? "failure" : NULL,
		.reason = event->method };
	struct stet_json *names = stet_json_new(call);

	stet_object(names, NULL);
	if (event->name != NULL)
		stet_put_str(names, "name", event->name);
	if (event->address != NULL)
		stet_put_str(names, "address", event->address);
	if (event->count > 1)
		stet_put_int(names, "count", event->count);
	stet_close(names);
	r.names = stet_json_text(names, NULL);
	return chain_append(call, tx, &r);
}

static const struct stet_hook hooks[] = {
	STET_ON(account_event, 1000, account_event),
	STET_ON(tool_called, 1000, tool_called),
	STET_ON(entry_changed, 1000, entry_changed),
	/* Runs last, so that the record is written after everything else that modules add to the
	 * transaction. */
	STET_ON(op_written, 1000, op_written),
};

static const struct stet_migration migrations[] = {
	{ 1, "the log and its anchor",
	    "CREATE TABLE audit_log ("
	    " seq INTEGER PRIMARY KEY," /* without gaps */
	    " created_at TEXT NOT NULL,"
	    " actor TEXT," /* user id; NULL: command, job or the public */
	    " actor_email TEXT," /* at the time of the record */
	    " token TEXT," /* id of the token */
	    " via TEXT NOT NULL,"
	    " op TEXT NOT NULL,"
	    " module TEXT NOT NULL,"
	    " names TEXT," /* JSON: the arguments that identify the subject */
	    " subject TEXT,"
	    " result TEXT," /* id of another record in the reply */
	    " changed TEXT," /* JSON: the names of the other arguments */
	    " outcome TEXT NOT NULL,"
	    " reason TEXT,"
	    " client TEXT,"
	    " request TEXT NOT NULL,"
	    " hash TEXT NOT NULL);" /* hex, over all columns above and the previous hash */
	    "CREATE INDEX audit_log_time ON audit_log (created_at, seq);"
	    "CREATE INDEX audit_log_actor ON audit_log (actor, created_at, seq)"
	    " WHERE actor IS NOT NULL;"
	    "CREATE INDEX audit_log_op ON audit_log (op, created_at, seq);"
	    "CREATE INDEX audit_log_subject ON audit_log (subject, created_at, seq)"
	    " WHERE subject IS NOT NULL;"
	    "CREATE INDEX audit_log_result ON audit_log (result, created_at, seq)"
	    " WHERE result IS NOT NULL;"
	    "CREATE TABLE audit_anchor ("
	    " id INTEGER PRIMARY KEY CHECK (id = 1),"
	    " seq INTEGER NOT NULL," /* the last record that retention deleted; 0: none */
	    " hash TEXT NOT NULL)",
	    .run = chain_begin },
	{ 2, "the signed head of the log", HEAD_MIGRATION, .run = head_begin },
	{ 3, "clients, tools and sessions",
	    "ALTER TABLE audit_log ADD COLUMN client_name TEXT;" /* of the token, at that time */
	    "ALTER TABLE audit_log ADD COLUMN tool TEXT;" /* that an assistant has called */
	    "ALTER TABLE audit_log ADD COLUMN session TEXT;" /* of the token's writes */
	    "CREATE INDEX audit_log_session ON audit_log (session, created_at, seq)"
	    " WHERE session IS NOT NULL",
	    .flags = STET_ADDITIVE },
};

static const struct stet_op ops[] = {
	{ "audit_list", "List Audit Records", .about = "Who did what to what, when: newest first.",
	    .route = "GET /admin/audit", .lane = STET_READ, .permission = "audit:read",
	    .scope = "admin", .in = list_in, .out = list_out, .run = audit_list,
	    .fault = "AUDIT_LIST_ERROR" },
	{ "audit_log", "Audit Log", .about = "Who did what to what, when: newest first.",
	    .flags = STET_TOOL, .lane = STET_READ, .permission = "audit:read", .scope = "admin",
	    .in = tool_in, .out = tool_out, .run = audit_log, .fault = "AUDIT_LIST_ERROR",
	    .find = "history record who changed deleted published did i activity" },
	/* Both read the whole log, which would block a worker for too long: slow lane. */
	{ "audit_verify", "Verify Audit Log",
	    .about = "Read the whole log and tell what was changed or taken out of it.",
	    .route = "GET /admin/audit/verify", .lane = STET_SLOW, .permission = "audit:read",
	    .scope = "admin", .in = verify_in, .out = verify_out, .run = audit_verify,
	    .fault = "AUDIT_LIST_ERROR" },
	{ "audit_prove", "Prove Audit Log", .about = "The same, failing when anything was.",
	    .lane = STET_SLOW, .permission = "audit:read", .scope = "admin", .in = verify_in,
	    .out = verify_out, .run = audit_prove, .fault = "AUDIT_LIST_ERROR" },
	/* Has the name of the record that the job writes when it signs a log without a head. */
	{ SIGNED_ANEW, "Sign Audit Log",
	    .about = "Sign the log as it is now, after its signed head was lost; recorded.",
	    .lane = STET_WRITE, .permission = "audit:read", .scope = "admin", .in = head_in,
	    .out = head_out, .run = head_sign, .fault = "AUDIT_LIST_ERROR" },
};

static const struct stet_command commands[] = {
	{ "audit list", "audit_list",
	    .print = "time actorEmail via op subject result client outcome",
	    .about = "List who did what to what, newest first." },
	{ "audit sign", SIGNED_ANEW, .print = "head",
	    .about = "Sign the log as it is now, after its signed head was lost with the key." },
	{ "audit verify", "audit_prove",
	    .about = "Check that no record was changed, taken out or moved, and print the head." },
};

static const struct stet_setting_def settings[] = {
	{ { RETENTION_DAYS, STET_INTEGER, STET_RANGE(0, 36500), .fallback = "365",
	    .about = "Days that records are kept; 0: without end" } },
	{ { RETENTION_RECORDS, STET_INTEGER, STET_RANGE(0, 1000000000), .fallback = "1000000",
	    .about = "Records that are kept; 0: any number" } },
};

static const struct stet_job jobs[] = { { "retention", retention_due, retention_run },
	{ "resume", resume_due, resume_run }, { "head", head_due, head_run } };
static const struct stet_check checks[] = { { "log", head_check } };
static const struct stet_sealed_column sealed[] = { { "audit_head", "sealed", "id",
    "stet audit sign" } };
static const char *const needs[] = { "auth", NULL };

static const struct stet_permission permissions[] = {
	{ "audit:read", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "AUDIT_LIST_ERROR", 500, "Failed to read the audit log" },
	{ "AUDIT_BROKEN", 500, "The audit log is not as it was written" },
};

STET_MODULE(audit) = {
	STET_MODULE_HEAD(audit),
	.version = "1.0",
	.summary = "A record of every write that shows when it was tampered with",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.commands = STET_TABLE(commands),
	.settings = STET_TABLE(settings),
	.jobs = STET_TABLE(jobs),
	.checks = STET_TABLE(checks),
	.sealed = STET_TABLE(sealed),
	.state_size = sizeof(struct audit_state),
	.statuses = STET_TABLE(statuses),
};
