/* job_control.c - the row of an import job: the requested state, and the progress. */
#include "job/jobs.h"
#include "read/uploads.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <string.h>

#define KEPT_DAYS 90 /* days for which a finished job is kept */
#define DAY INT64_C(86400000)

static json_t *
parsed(struct stet_call *call, const char *text)
{
	return stet_json_own(call, text != NULL ? json_loads(text, 0, NULL) : NULL);
}

enum stet_status
job_next(struct stet_call *call, struct job **out)
{
	struct stet_rows rows;
	struct job *job;

	*out = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, owner, state, wanted, upload, stage, done, total, options, found,"
	    " result FROM import_job WHERE finished_at IS NULL AND state <> 'paused'"
	    " ORDER BY id LIMIT 1",
	    STET_NO_ARGS));
	if (stet_row(&rows)) {
		job = *out = stet_alloc(call, sizeof(*job));
		job->id = stet_col_dup(&rows, 0);
		job->owner = stet_col_dup(&rows, 1);
		job->state = stet_col_dup(&rows, 2);
		job->wanted = stet_col_dup(&rows, 3);
		job->upload = stet_col_dup(&rows, 4);
		job->stage = (enum stage)stet_col_int(&rows, 5);
		job->done = stet_col_int(&rows, 6);
		job->total = stet_col_int(&rows, 7);
		job->options = parsed(call, stet_col_str(&rows, 8));
		job->found = parsed(call, stet_col_str(&rows, 9));
		job->result = parsed(call, stet_col_str(&rows, 10));
	}
	return stet_rows_end(&rows);
}

/* Counts the attempt. Outcomes are committed with their items, so if there are more than at the
 * last attempt, that one made progress, even if it was killed: the count starts over. */
static enum stet_status
begin(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct job *job = arg;
	struct stet_rows rows;

	STET_TRY(stet_exec(call, tx,
	    "UPDATE import_job SET state = 'running', started_at = COALESCE(started_at, ?2),"
	    " updated_at = ?2, attempts = CASE WHEN n > told THEN 1 ELSE attempts + 1 END, told = n"
	    " FROM (SELECT count(*) AS n FROM import_outcome WHERE run = ?1) AS c WHERE id = ?1",
	    STET_ARGS(job->id, stet_time_text(call, stet_now(call)))));
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT attempts FROM import_job WHERE id = ?1", STET_ARGS(job->id)));
	job->attempts = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
job_begins(struct stet_call *call, struct job *job)
{
	return stet_write_lane(call, begin, job);
}

/* Stores the progress and resets the count of attempts. */
static enum stet_status
keep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct job *job = arg;
	const char *found = NULL, *result = json_dumps_own(call, json_incref(job->result));

	if (job->found != NULL)
		found = json_dumps_own(call, json_incref(job->found));
	return stet_exec(call, tx,
	    "UPDATE import_job SET stage = ?2, done = ?3, total = ?4, found = ?5, result = ?6,"
	    " attempts = 0, updated_at = ?7 WHERE id = ?1",
	    STET_ARGS(job->id, (int64_t)job->stage, job->done, job->total, found, result,
		stet_time_text(call, stet_now(call))));
}

enum stet_status
job_keeps(struct stet_call *call, struct job *job)
{
	return stet_write_lane(call, keep, job);
}

enum stet_status
job_wanted(struct stet_call *call, const char *id, const char **wanted)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT wanted FROM import_job WHERE id = ?1", STET_ARGS(id)));
	*wanted = stet_col_null(&rows, 0) ? NULL : stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
rest(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct job *job = arg;

	return stet_exec(
	    call, tx, "UPDATE import_job SET attempts = 0 WHERE id = ?1", STET_ARGS(job->id));
}

enum stet_status
job_rests(struct stet_call *call, struct job *job)
{
	return stet_write_lane(call, rest, job);
}

struct stopping {
	const struct job *job;
	const char *state, *why;
};

/* Deletes the files of a job that will not continue. They stay after a dry run, for the import that
 * follows, and while another job uses them. */
static enum stet_status
forget_files(struct stet_call *call, struct stet_tx *tx, const struct stopping *s)
{
	bool tried = json_is_true(json_object_get(s->job->options, "dryRun"));
	struct stet_rows rows;
	bool needed;

	if (tried && strcmp(s->state, JOB_DONE) == 0)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM import_job WHERE finished_at IS NULL AND upload = ?1 AND id <> ?2",
	    STET_ARGS(s->job->upload, s->job->id)));
	needed = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return needed ? STET_OK : upload_forget(call, tx, s->job->upload);
}

static enum stet_status
stop(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stopping *s = arg;
	const char *now = stet_time_text(call, stet_now(call));
	bool paused = strcmp(s->state, JOB_PAUSED) == 0, failed = strcmp(s->state, JOB_FAILED) == 0;

	if (!paused && !failed)
		STET_TRY(forget_files(call, tx, s));
	return stet_exec(call, tx,
	    "UPDATE import_job SET state = ?2, wanted = NULL, error = ?3, updated_at = ?4,"
	    " finished_at = ?5 WHERE id = ?1",
	    STET_ARGS(s->job->id, s->state, s->why, now, paused ? NULL : now));
}

enum stet_status
job_stops(struct stet_call *call, const struct job *job, const char *state, const char *why)
{
	struct stopping s = { job, state, why };

	return stet_write_lane(call, stop, &s);
}

/* ---- the end ---- */

enum stet_status
jobs_old(struct stet_call *call, const char **id)
{
	const char *before = stet_time_text(call, stet_now(call) - KEPT_DAYS * DAY);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM import_job WHERE state = 'deleted' OR finished_at < ?1 LIMIT 1",
	    STET_ARGS(before)));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

static enum stet_status
remove_row(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return stet_exec(
	    call, tx, "DELETE FROM import_job WHERE id = ?1", STET_ARGS((const char *)arg));
}

enum stet_status
jobs_forget(struct stet_call *call, const char *id)
{
	STET_TRY(map_clear(call, id));
	STET_TRY(outcome_clear(call, id));
	return stet_write_lane(call, remove_row, (void *)(uintptr_t)id);
}
