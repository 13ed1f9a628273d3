/* backups.c - what administrators see of backups, and the request of one. */
#include <stet/backup.h>
#include <stet/module.h>

static enum stet_status
backups_get(struct stet_call *call)
{
	json_t *all = stet_backups(call);

	if (all == NULL)
		return stet_error_status(call);
	stet_put_json(stet_reply(call), NULL, all);
	return STET_OK;
}

/* The audit log learns of a call by its write, which is empty here. It has no record of a request
 * that is refused. */
static enum stet_status
record(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)call;
	(void)tx;
	(void)arg;
	return STET_OK;
}

static enum stet_status
backups_start(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "requested", true);
	stet_close(out);
	STET_TRY(stet_backup_askable(call));
	STET_TRY(stet_write_lane(call, record, NULL));
	return stet_backup_ask(call);
}

static const struct stet_member none[] = { { 0 } };

static const struct stet_member progress[] = {
	{ "step", STET_STRING, STET_REQUIRED, .about = "What is being done" },
	{ "done", STET_INTEGER, STET_REQUIRED, .about = "How much of the step is done" },
	{ "all", STET_INTEGER, STET_REQUIRED, .about = "How much that is in all; 0: not known" },
	{ 0 },
};
static const struct stet_member schedule[] = {
	{ "at", STET_STRING, .about = "Each day at this time, UTC: 03:30" },
	{ "everyMs", STET_INTEGER, .about = "So long after the last, in milliseconds" },
	{ 0 },
};
static const struct stet_member outcome[] = {
	{ "triedAt", STET_TIME, .about = "When the last one was begun" },
	{ "madeAt", STET_TIME, .about = "When the last good one was begun" },
	{ "path", STET_STRING, .about = "The file of the last good one, on the server" },
	{ "bytes", STET_INTEGER, .about = "How large it is" },
	{ "ms", STET_INTEGER, .about = "How long it took" },
	{ "error", STET_STRING, .about = "Why the last try failed; absent: it did not" },
	{ "failures", STET_INTEGER, .about = "How many failed in all" },
	{ 0 },
};
static const struct stet_member archive[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Its name in the directory" },
	{ "createdAt", STET_TIME, STET_REQUIRED, .about = "When it was begun" },
	{ "bytes", STET_INTEGER, STET_REQUIRED, .about = "How large it is" },
	{ "isRequested", STET_BOOLEAN, STET_REQUIRED,
	    .about = "Somebody asked for it; else it was scheduled" },
	{ 0 },
};
static const struct stet_member get_out[] = {
	{ "state", STET_STRING, STET_REQUIRED, .about = "waiting: behind that of another site",
	    STET_CHOICES("idle", "waiting", "running") },
	{ "progress", STET_OBJECT, .about = "While one is made", .of = progress },
	{ "schedule", STET_OBJECT, .about = "When they are made; absent: none are scheduled",
	    .of = schedule },
	{ "nextAt", STET_TIME, .about = "When the next scheduled one is due" },
	{ "isOverdue", STET_BOOLEAN, STET_REQUIRED,
	    .about = "The last scheduled one is older than two periods" },
	{ "scheduled", STET_OBJECT, STET_REQUIRED, .about = "What came of scheduled ones",
	    .of = outcome },
	{ "requested", STET_OBJECT, STET_REQUIRED, .about = "What came of requested ones",
	    .of = outcome },
	{ "directory", STET_STRING, STET_REQUIRED, .about = "Where they are, on the server" },
	{ "keep", STET_STRING, .about = "Which scheduled ones stay (backup-keep); absent: all" },
	{ "isSealed", STET_BOOLEAN, STET_REQUIRED,
	    .about = "They are encrypted for the holder of a key" },
	{ "archives", STET_ARRAY, STET_REQUIRED,
	    .about = "Those that are there, the newest first, at most 200", .of = archive },
	{ "archiveCount", STET_INTEGER, STET_REQUIRED, .about = "How many there are" },
	{ "archiveBytes", STET_INTEGER, STET_REQUIRED, .about = "How large all are together" },
	{ "problem", STET_STRING, .about = "Why the directory cannot be read" },
	{ 0 },
};
static const struct stet_member start_out[] = {
	{ "requested", STET_BOOLEAN, STET_REQUIRED, .about = "true" },
	{ 0 },
};

static const struct stet_op ops[] = {
	{ "backups_get", "Get Backups",
	    .about = "When backups of the site are made, what came of the last ones, and the "
		     "archives that are there.",
	    .route = "GET /admin/backups", .lane = STET_SLOW, .permission = "backups:manage",
	    .in = none, .out = get_out, .run = backups_get },
	{ "backups_start", "Start Backup",
	    .about = "Asks for a backup and does not wait for it. 409 while one is being made.",
	    .route = "POST /admin/backups", .flags = STET_RECENT, .lane = STET_SLOW,
	    .permission = "backups:manage", .in = none, .out = start_out, .run = backups_start },
};

/* content declares backups:manage. */
static const char *const needs[] = { "auth", "content", NULL };

STET_MODULE(backups) = {
	STET_MODULE_HEAD(backups),
	.version = "1.0",
	.summary = "Backups for administrators",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
};
