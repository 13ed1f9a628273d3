/*
 * webhooks - sends events of the site to other servers by HTTP. hooks.c turns changes into
 * deliveries, queue.c orders them, send.c sends them in jobs, delivery.c has the log, target.c the
 * targets.
 */
#include "webhooks.h"
#include <sodium.h>

static const struct stet_migration migrations[] = {
	{ 1, "targets and deliveries",
	    "CREATE TABLE webhook ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " url TEXT NOT NULL,"
	    " description TEXT,"
	    " events TEXT NOT NULL," /* JSON array of names; []: all but purges */
	    " collections TEXT NOT NULL," /* JSON array of slugs; []: all */
	    " secret TEXT NOT NULL," /* sealed */
	    " enabled INTEGER NOT NULL DEFAULT 1,"
	    " disabled_reason TEXT," /* why the daemon disabled it */
	    " failures INTEGER NOT NULL DEFAULT 0," /* failed attempts since the last successful one
						     */
	    " due_at TEXT," /* next attempt; NULL: no delivery waits */
	    " succeeded_at TEXT,"
	    " failed_at TEXT,"
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE INDEX webhook_created ON webhook (created_at, id);"
	    "CREATE TABLE webhook_delivery ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,"
	    " event TEXT NOT NULL,"
	    " body TEXT NOT NULL,"
	    " state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),"
	    " attempts INTEGER NOT NULL DEFAULT 0,"
	    " created_at TEXT NOT NULL,"
	    " tried_at TEXT,"
	    " status INTEGER," /* status to response: the result of the last attempt */
	    " duration INTEGER,"
	    " error TEXT,"
	    " response TEXT);"
	    "CREATE INDEX webhook_delivery_log ON webhook_delivery (webhook_id, created_at, id);"
	    "CREATE INDEX webhook_delivery_state"
	    " ON webhook_delivery (webhook_id, state, created_at, id);"
	    "CREATE INDEX webhook_delivery_old ON webhook_delivery (created_at)"
	    " WHERE state <> 'pending';",
	    NULL },
	{ 2, "sealed secrets", NULL, target_seal_all },
	/* Columns for queue.c. A delivery has a due_at while it is the head of its subject.
	 * `dropped` is only set in the state dead. The target's `waiting` counts its deliveries in
	 * the state pending. */
	{ 3, "order for each subject",
	    "ALTER TABLE webhook ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;"
	    "ALTER TABLE webhook ADD COLUMN failing INTEGER NOT NULL DEFAULT 0;"
	    "ALTER TABLE webhook ADD COLUMN retry_at TEXT;"
	    "ALTER TABLE webhook ADD COLUMN last_error TEXT;"
	    "ALTER TABLE webhook_delivery ADD COLUMN subject TEXT NOT NULL DEFAULT '';"
	    "ALTER TABLE webhook_delivery ADD COLUMN due_at TEXT;"
	    "ALTER TABLE webhook_delivery ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;"
	    "CREATE INDEX webhook_delivery_subject"
	    " ON webhook_delivery (webhook_id, subject, created_at, id) WHERE state = 'pending';"
	    "CREATE INDEX webhook_delivery_due"
	    " ON webhook_delivery (webhook_id, attempts, due_at, id) WHERE due_at IS NOT NULL;",
	    queue_migrate },
};

static const struct stet_sealed_column sealed[] = { TARGET_SECRET };

/* clang-format off */
#define READS .lane = STET_READ, .permission = "webhooks:manage", .scope = "admin"
#define WRITES .lane = STET_WRITE, .permission = "webhooks:manage", .scope = "admin"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "webhook_list", "List Webhooks", .about = "The targets of events, oldest first.",
	    .route = "GET /admin/webhooks", READS, .out = targets_out, .run = target_list },
	{ "webhook_create", "Create Webhook",
	    .about = "Have events sent to a URL. The secret of the signatures is shown this once.",
	    .route = "POST /admin/webhooks", .flags = STET_CREATED | STET_SECRET | STET_RECENT,
	    WRITES, .in = target_create_in, .out = target_secret_out, .run = target_create },
	{ "webhook_get", "Get Webhook", .about = "One target by id.",
	    .route = "GET /admin/webhooks/:id", READS, .in = target_by_id, .out = target_out,
	    .run = target_get },
	{ "webhook_update", "Update Webhook",
	    .about = "Change a target; what is omitted stays. What waits is tried at once.",
	    .route = "PUT /admin/webhooks/:id", .flags = STET_RECENT, WRITES,
	    .in = target_update_in, .out = target_out, .run = target_update },
	{ "webhook_delete", "Delete Webhook",
	    .about = "Delete a target and the log of its deliveries.",
	    .route = "DELETE /admin/webhooks/:id", .flags = STET_DESTRUCTIVE, WRITES,
	    .in = target_by_id, .out = target_done_out, .run = target_delete },
	{ "webhook_rotate", "Rotate Webhook Secret",
	    .about = "Sign with a new secret from now on. It is shown this once.",
	    .route = "POST /admin/webhooks/:id/rotate",
	    .flags = STET_SECRET | STET_RECENT | STET_BODY_OPTIONAL, WRITES, .in = target_by_id,
	    .out = target_secret_out, .run = target_rotate },
	{ "webhook_test", "Test Webhook",
	    .about = "Send the event ping to a target now, and answer what came of it.",
	    .route = "POST /admin/webhooks/:id/test", .flags = STET_BODY_OPTIONAL,
	    .lane = STET_SLOW, .permission = "webhooks:manage", .scope = "admin",
	    .in = target_by_id, .out = delivery_out, .run = target_test },
	{ "webhook_deliveries", "List Deliveries",
	    .about = "What was sent to a target, or waits to be, newest first.",
	    .route = "GET /admin/webhooks/:id/deliveries", READS, .in = deliveries_in,
	    .out = deliveries_out, .run = deliveries },
	{ "webhook_delivery", "Get Delivery",
	    .about = "One delivery with its body and the beginning of the answer.",
	    .route = "GET /admin/webhooks/:id/deliveries/:deliveryId", READS, .in = delivery_by_id,
	    .out = delivery_out, .run = delivery_get },
	{ "webhook_replay", "Replay Deliveries",
	    .about = "Send one delivery again, or all that were given up; or try what waits now.",
	    .route = "POST /admin/webhooks/:id/replay", .flags = STET_BODY_OPTIONAL, WRITES,
	    .in = replay_in, .out = replay_out, .run = delivery_replay },
	{ "webhook_drop", "Drop Deliveries",
	    .about = "Never send one delivery, or all that wait. They stay in the log.",
	    .route = "POST /admin/webhooks/:id/drop",
	    .flags = STET_BODY_OPTIONAL | STET_DESTRUCTIVE | STET_RECENT, WRITES, .in = drop_in,
	    .out = drop_out, .run = delivery_drop },
};

static const struct stet_command commands[] = {
	{ "webhook list", "webhook_list", .print = "id url enabled failures disabledReason",
	    .about = "List the targets of events." },
	{ "webhook queue", "webhook_list",
	    .print = "id url waiting oldestWaitingAt nextAttemptAt failures lastError",
	    .about = "Show what waits for each target." },
	{ "webhook add", "webhook_create", .operands = "url",
	    .about = "Have events sent to a URL. The secret is shown this once." },
	{ "webhook remove", "webhook_delete", .operands = "id",
	    .about = "Remove a target and the log of its deliveries." },
	{ "webhook rotate", "webhook_rotate", .operands = "id", .print = "secret",
	    .about = "Give a target a new secret, and print it." },
	{ "webhook test", "webhook_test", .operands = "id",
	    .about = "Send a ping, and show what came of it." },
	{ "webhook deliveries", "webhook_deliveries", .operands = "id",
	    .print = "id event state attempts status duration error createdAt",
	    .about = "List what was sent to a target." },
	{ "webhook replay", "webhook_replay", .operands = "id deliveryId",
	    .about = "Send one delivery again, or all that were given up; or try what waits now." },
	{ "webhook drop", "webhook_drop", .operands = "id deliveryId",
	    .about = "Never send one delivery, or all that wait." },
};

static const struct stet_setting_def settings[] = {
	{ { "attempts", STET_INTEGER, STET_BOUNDED,
	    "Attempts to deliver an event before it is given up", STET_RANGE(1, 30),
	    .fallback = "12" } },
	{ { "disableAfter", STET_INTEGER, STET_BOUNDED,
	    "Failed attempts in a row after which a target is disabled", STET_RANGE(1, 1000),
	    .fallback = "36" } },
	{ { "keepDays", STET_INTEGER, STET_BOUNDED, "Days that a delivery stays in the log",
	    STET_RANGE(1, 3650), .fallback = "30" } },
};

static const struct stet_hook hooks[] = {
	STET_ON(entry_address_left, 0, hook_left),
	STET_ON(entry_changed, 0, hook_entry),
	STET_ON(schema_changing, 0, hook_schema),
	STET_ON(entry_overdue, 0, hook_overdue),
	STET_ON(release_told, 0, hook_release),
	STET_ON(comment_after_create, 0, hook_comment_created),
	STET_ON(comment_after_moderate, 0, hook_comment_moderated),
	STET_ON(note_after_change, 0, hook_note),
	STET_ON(review_after_change, 0, hook_review),
	STET_ON(byline_after_save, 0, hook_byline_saved),
	STET_ON(byline_after_delete, 0, hook_byline_deleted),
	STET_ON(op_written, 0, purge_written),
};

/* Each of the SENDERS has a job. */
static const struct stet_job jobs[] = {
	{ SENDER_ANY, send_due_any, send_run_any },
	{ SENDER_SOUND, send_due_sound, send_run_sound },
	{ "keep", keep_due, keep_run },
};
_Static_assert(sizeof(jobs) / sizeof(jobs[0]) == SENDERS + 1, "a job for each sender");

enum stet_status
webhooks_open(struct stet_call *call, void *arg)
{
	struct webhooks_state *state = arg;

	if (sodium_init() < 0)
		return stet_fault(call, "no random numbers");
	pthread_mutex_init(&state->lock, NULL);
	return STET_OK;
}

void
webhooks_close(void *arg)
{
	struct webhooks_state *state = arg;

	pthread_mutex_destroy(&state->lock);
}

static const char *const needs[] = { "auth", "schema", "content", NULL };

static const struct stet_permission permissions[] = {
	{ "webhooks:manage", 50 },
};

static const struct stet_check checks[] = {
	{ "webhooks", check_targets },
};

STET_MODULE(webhooks) = {
	STET_MODULE_HEAD(webhooks),
	.version = "1.0",
	.summary = "Other machines are told what happens on the site",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.commands = STET_TABLE(commands),
	.settings = STET_TABLE(settings),
	.jobs = STET_TABLE(jobs),
	.sealed = STET_TABLE(sealed),
	.checks = STET_TABLE(checks),
	.state_size = sizeof(struct webhooks_state),
	.open = webhooks_open,
	.close = webhooks_close,
};
