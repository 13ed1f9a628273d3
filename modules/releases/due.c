/*
 * due.c - the job that publishes scheduled releases at their time, with the rights that the user
 * who scheduled them has then. A release that cannot be published keeps its schedule, says why, and
 * is tried again after 1, 2, 4 ... 60 minutes.
 */
#include "releases.h"
#include <pthread.h>
#include <string.h>

#define RETRY_MS 60000
#define RETRY_MAX_MS (60 * (int64_t)RETRY_MS)

/* How long it is left alone after it has failed so often. */
static int64_t
pause_after(int64_t tries)
{
	int64_t ms = RETRY_MS;

	while (--tries > 0 && ms < RETRY_MAX_MS)
		ms *= 2;
	return ms < RETRY_MAX_MS ? ms : RETRY_MAX_MS;
}

int64_t
release_due(struct stet_call *call)
{
	struct stet_rows rows;
	const char *failed;
	int64_t due = -1, ms;

	if (stet_one(call, &rows, STET_FAULT,
		"SELECT (SELECT MIN(scheduled_at) FROM release WHERE scheduled_at IS NOT NULL"
		" AND status = 'scheduled' AND error IS NULL), (SELECT MIN(COALESCE(retry_at, tried_at)) FROM release"
		" WHERE scheduled_at IS NOT NULL AND status = 'scheduled' AND error IS NOT NULL)",
		STET_NO_ARGS) != STET_OK)
		return stet_now(call) + RETRY_MS;
	if (!stet_col_null(&rows, 0) && stet_time_parse(stet_col_str(&rows, 0), &ms))
		due = ms;
	failed = stet_col_str(&rows, 1);
	if (failed != NULL && stet_time_parse(failed, &ms)) {
		if (ms > stet_now(call) + RETRY_MAX_MS) /* the clock was set back */
			ms = stet_now(call);
		due = due < 0 || ms < due ? ms : due;
	}
	return stet_rows_end(&rows) == STET_OK ? due : stet_now(call) + RETRY_MS;
}

struct attempt {
	const char *id, *at; /* at: the time for which it is scheduled */
	const char *code, *message; /* why it failed */
	const json_t *problems;
};

/* In the write lane: publishes the release, if it is still scheduled for this time. */
static enum stet_status
publish(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct attempt *a = arg;
	struct release r;

	(void)tx;
	STET_TRY(release_find(call, a->id, &r));
	if (!release_is(&r, "scheduled") || strcmp(r.scheduled_at, a->at) != 0)
		return STET_OK;
	if (r.scheduled_by != NULL) /* otherwise a command has scheduled it */
		STET_TRY(act_as(call, r.scheduled_by));
	STET_TRY(stet_require(call, "releases:manage"));
	return publish_run(call, &r, true);
}

/* Takes the recorded error apart. */
static void
explain(struct stet_call *call, struct attempt *a)
{
	json_t *error = problems_error(call);

	a->code = text_of(error, "code");
	a->message = text_of(error, "message");
	a->problems = json_object_get(json_object_get(error, "details"), "problems");
}

/* Returns true if the stored error says the same, but for its time. */
static bool
is_known(struct stet_call *call, const struct release *r, json_t *error)
{
	json_t *was = r->error != NULL ? json_loads(r->error, 0, NULL) : NULL;
	bool same =
	    json_equal(json_object_get(was, "message"), json_object_get(error, "message")) &&
	    json_equal(json_object_get(was, "problems"), json_object_get(error, "problems"));

	(void)call;
	json_decref(was);
	return same;
}

static enum stet_status
note(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct attempt *a = arg;
	const char *now = stet_time_text(call, stet_now(call));
	json_t *error = stet_json_own(
	    call, json_pack("{ss ss ss}", "code", a->code, "message", a->message, "at", now));
	struct stet_json *text = stet_json_new(call);
	struct release r;

	if (a->problems != NULL)
		(void)json_object_set(error, "problems", (json_t *)(uintptr_t)a->problems);
	STET_TRY(release_find(call, a->id, &r));
	if (!release_is(&r, "scheduled") || strcmp(r.scheduled_at, a->at) != 0)
		return STET_OK;
	stet_put_json(text, NULL, error);
	STET_TRY(stet_exec(call, tx,
	    "UPDATE release SET error = ?2, tried_at = ?3, tries = ?4, retry_at = ?5 WHERE id = ?1",
	    STET_ARGS(a->id, stet_json_text(text, NULL), now, r.tries + 1,
		stet_time_text(call, stet_now(call) + pause_after(r.tries + 1)))));
	if (is_known(call, &r, error))
		return STET_OK;
	stet_log(call, STET_WARN, "release %s, scheduled for %s, is not published: %s", r.name,
	    a->at, a->message);
	return stet_notify(call, tx, STET_AT_release_told,
	    stet_json_own(call, json_pack("{ss ss ss ss sO}", "event", "overdue", "id", r.id,
				    "name", r.name, "scheduledAt", a->at, "error", error)));
}

static enum stet_status
attempt(struct stet_call *call, struct attempt *a)
{
	struct stet_principal self = *stet_principal(call);
	enum stet_status status = stet_write_lane(call, publish, a);

	stet_principal_set(call, &self);
	if (status == STET_OK)
		return STET_OK;
	explain(call, a);
	return stet_write_lane(call, note, a);
}

enum stet_status
release_run(struct stet_call *call)
{
	const int64_t now = stet_now(call);
	struct attempt all[RELEASES_MAX];
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, scheduled_at FROM release WHERE scheduled_at IS NOT NULL"
	    " AND status = 'scheduled' AND scheduled_at <= ?1 AND (error IS NULL OR retry_at IS NULL OR retry_at <= ?1"
	    " OR retry_at > ?2) ORDER BY scheduled_at, id",
	    STET_ARGS(stet_time_text(call, now), stet_time_text(call, now + RETRY_MAX_MS))));
	while (n < RELEASES_MAX && stet_row(&rows))
		all[n++] =
		    (struct attempt){ .id = stet_col_dup(&rows, 0), .at = stet_col_dup(&rows, 1) };
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < n; i++)
		STET_TRY(attempt(call, &all[i]));
	return STET_OK;
}
