/* told.c - see told.h. */
#include "backup/told.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/site.h"
#include "db/ask.h"
#include "db/rows.h"
#include "db/writer.h"
#include <stdlib.h>

/* What the status has about scheduled backups. */
static const char *const members[] = { "tried", "made", "file", "bytes", "ms", "error",
	"failures" };
#define MEMBERS (sizeof(members) / sizeof(members[0]))
/* What was tried so much later than now is from a daemon whose clock is wrong. */
#define AHEAD_MS 60000

static int64_t
tried(const json_t *status)
{
	return json_integer_value(json_object_get(status, "tried"));
}

/* Returns true if that was newer, and not of a time to come. */
static bool
merge(json_t *status, const char *text)
{
	json_t *other = text != NULL ? json_loads(text, 0, NULL) : NULL;
	bool newer = tried(other) > tried(status) && tried(other) <= clock_now() + AHEAD_MS;

	for (size_t i = 0; newer && i < MEMBERS; i++) {
		json_t *value = json_object_get(other, members[i]);

		if (value != NULL)
			json_object_set(status, members[i], value);
		else
			json_object_del(status, members[i]);
	}
	json_decref(other);
	return newer;
}

/* ---- storing ---- */

static enum stet_status
write(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const json_t *own = arg;
	json_t *row = stet_json_own(call, json_object());
	char *text;

	for (size_t i = 0; i < MEMBERS; i++)
		if (json_object_get(own, members[i]) != NULL)
			json_object_set(row, members[i], json_object_get(own, members[i]));
	text = json_dumps(row, JSON_COMPACT);
	stet_defer(call, free, text);
	return stet_exec(call, tx,
	    "INSERT INTO site_backup (one, tried, status) VALUES (1, ?1, ?2) ON CONFLICT (one) DO"
	    " UPDATE SET tried = excluded.tried, status = excluded.status"
	    " WHERE site_backup.tried <= excluded.tried OR site_backup.tried > ?3",
	    STET_ARGS(tried(own), (const char *)text, clock_now() + AHEAD_MS));
}

void
told_put(struct site *site, const json_t *status)
{
	struct stet_call *call;
	struct write_job job;

	if (!site->shared)
		return;
	call = call_new();
	job = (struct write_job){ .call = call, .run = write, .arg = (void *)(uintptr_t)status };
	call_enter(call, site);
	if (writer_run(site->writer, &job) != STET_OK)
		log_line(STET_WARN, "site %s: other daemons do not know of its last backup",
		    site_name(site));
	rows_end_call(call);
	call_free(call);
}

/* ---- taking over ---- */

enum stet_status
told_read(struct stet_call *call, json_t *status)
{
	struct stet_rows rows;

	if (!call->site->shared)
		return STET_OK;
	STET_TRY(stet_query(call, &rows, "SELECT status FROM site_backup", STET_NO_ARGS));
	while (stet_row(&rows))
		(void)merge(status, stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

void
told_take(struct site *site, json_t *status)
{
	struct stet_call *call;

	if (!site->shared)
		return;
	call = call_new();
	call_enter(call, site);
	if (told_read(call, status) != STET_OK)
		stet_log(call, STET_DEBUG, "the last backup of other daemons is not known");
	rows_end_call(call);
	call_free(call);
}

struct asking {
	json_t *status;
	bool newer;
};

static void
take_row(void *arg, const char *const *column)
{
	struct asking *a = arg;

	a->newer = merge(a->status, column[0]);
}

bool
told_ask(const char *place, json_t *status)
{
	struct asking a = { .status = status };
	char *why = NULL;
	bool has = false;

	if (db_ask_table(place, "site_backup", &has, &why) && has)
		(void)db_ask(place, "SELECT status FROM site_backup", 1, take_row, &a, &why);
	free(why);
	return a.newer;
}
