/*
 * sweep.c - the job that deletes uploads, and rows of killed runs, that are older than a day and
 * not needed; and import jobs that are old or deleted.
 */
#include "job/jobs.h"
#include "read/uploads.h"
#include "state/map.h"
#include "state/outcome.h"

#define PERIOD INT64_C(3600000)

/* Returns the smallest id of this time: ids begin with the time, in 10 digits of 5 bits. */
static const char *
id_at(struct stet_call *call, int64_t ms)
{
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	char *id = stet_strdup(call, "0000000000");

	for (int i = 9; i >= 0; i--, ms >>= 5)
		id[i] = digits[ms & 31];
	return id;
}

/* One of each kind to delete; NULL: there is none. */
struct old {
	const char *analysis, *run, *job;
};

static enum stet_status
first_text(struct stet_call *call, struct stet_rows *rows, const char **out)
{
	(void)call;
	*out = stet_row(rows) ? stet_col_dup(rows, 0) : NULL;
	return stet_rows_end(rows);
}

static enum stet_status
find_old(struct stet_call *call, struct old *old)
{
	const char *before = id_at(call, stet_now(call) - UPLOAD_MS);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT analysis FROM import_upload WHERE analysis < ?1 AND analysis NOT IN " UPLOAD_NEEDED(
		"upload") " ORDER BY analysis LIMIT 1",
	    STET_ARGS(before)));
	STET_TRY(first_text(call, &rows, &old->analysis));
	STET_TRY(stet_query(call, &rows,
	    "SELECT run FROM import_map WHERE run < ?1 AND run NOT IN " UPLOAD_NEEDED(
		"id") " ORDER BY run LIMIT 1",
	    STET_ARGS(before)));
	STET_TRY(first_text(call, &rows, &old->run));
	return jobs_old(call, &old->job);
}

static bool
is_any(const struct old *old)
{
	return old->analysis != NULL || old->run != NULL || old->job != NULL;
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct old old;

	STET_TRY(find_old(call, &old));
	*found = is_any(&old);
	return STET_OK;
}

int64_t
sweep_due(struct stet_call *call)
{
	struct import_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->next, PERIOD, look);
}

static enum stet_status
forget_one(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return upload_forget(call, tx, arg);
}

/* Deletes the map of a run, and its outcomes unless it is a job: these stay as long as the job. */
static enum stet_status
forget_run(struct stet_call *call, const char *run)
{
	struct stet_rows rows;
	bool job;

	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM import_job WHERE id = ?1", STET_ARGS(run)));
	job = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (!job)
		STET_TRY(outcome_clear(call, run));
	return map_clear(call, run);
}

static enum stet_status
sweep_one(struct stet_call *call, void *arg)
{
	bool *more = arg;
	struct old old;

	STET_TRY(find_old(call, &old));
	*more = is_any(&old);
	if (old.analysis != NULL)
		STET_TRY(stet_write_lane(call, forget_one, (void *)(uintptr_t)old.analysis));
	if (old.run != NULL)
		STET_TRY(forget_run(call, old.run));
	return old.job != NULL ? jobs_forget(call, old.job) : STET_OK;
}

enum stet_status
sweep_run(struct stet_call *call)
{
	bool more = true;

	while (more)
		STET_TRY(stet_scope(call, sweep_one, &more));
	return STET_OK;
}
