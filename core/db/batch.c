/*
 * batch.c - runs jobs that share a transaction, undoes those that fail, and runs jobs again.
 *
 * The usual batch runs without savepoints, since a job rarely fails after it has written. If one
 * does, the transaction is rolled back, and the jobs so far run again with a savepoint each. If the
 * transaction itself is lost, or the commit fails, batch_replay runs each job in a transaction of
 * its own, so that one job cannot make others fail.
 *
 * What the jobs have asked for at the end of the transaction (ends.h) runs before each commit. Jobs
 * that run again ask again.
 */
#include "db/batch.h"
#include "base/clock.h"
#include "call/adopt.h"
#include "call/call.h"
#include "db/common.h"
#include "db/db.h"
#include "db/part.h"
#include "db/rows.h"

#define BATCH_MAX 512
#define END_SHARE 4

static int64_t span_us = 20000; /* microseconds after which a batch takes no more jobs */

void
batch_span(int64_t us)
{
	span_us = us;
}

void
batch_init(struct batch *b, struct site *site, bool careful)
{
	*b = (struct batch){ .site = site, .other = -1, .tail = &b->head, .careful = careful };
	ends_init(&b->ends);
}

/* Returns true if the batch takes no more jobs. What runs at its end may take several times as long
 * as the jobs themselves (search: three times). */
static bool
batch_full(const struct batch *b)
{
	int64_t span = b->ends.head != NULL ? span_us / END_SHARE : span_us;

	return b->count == BATCH_MAX || (b->count > 0 && clock_monotonic_us() - b->begun > span);
}

/* ---- one job ---- */

static void
fail(struct stet_call *call, enum stet_status status)
{
	switch (status) {
	case STET_INSUFFICIENT_STORAGE:
		stet_fail(call, status, NULL, "The storage is full: nothing was saved");
		return;
	case STET_UNAVAILABLE:
		stet_fail(call, status, NULL, "The database is busy, try again later");
		return;
	case STET_REQUEST_TIMEOUT:
		stet_fail(call, status, NULL, "The request took too long");
		return;
	default:
		stet_fault(call, "the transaction failed");
	}
}

static bool
overdue(const struct stet_call *call)
{
	return call->deadline != 0 && clock_monotonic() > call->deadline;
}

/* Runs the job inside an open transaction of `db`. */
static void
run(struct db *db, struct ends *ends, struct write_job *job)
{
	struct stet_call *call = job->call;
	struct db_part *part = db_part(call);
	uint64_t before = db_written(db);

	call->on_commit = NULL;
	if (overdue(call)) {
		fail(call, job->status = STET_REQUEST_TIMEOUT);
		return;
	}
	if ((job->status = adopt_current(call)) != STET_OK)
		return;
	part->db = db;
	call->writing = true;
	call->floor = db_floor(db);
	call->tx.call = call;
	part->ends = ends;
	job->status = call->guard != NULL ? call->guard->check(call) : STET_OK;
	if (job->status == STET_OK)
		job->status = job->run(call, &call->tx, job->arg);
	part->wrote |= db_written(db) != before;
	rows_end_call(call);
	call->writing = false;
	call->floor = 0;
	part->ends = NULL;
	part->db = NULL;
}

/* Returns false if the whole transaction is lost. */
static bool
run_in_savepoint(struct db *db, struct ends *ends, struct write_job *job)
{
	if (db_savepoint(db) != STET_OK)
		return false;
	db_careful(db, true);
	run(db, ends, job);
	db_careful(db, false);
	return db_savepoint_end(db, job->status == STET_OK) == STET_OK;
}

/* Runs a job without a savepoint, which would cost a copy of each page written after it. If the
 * job fails after it has written, sets *undone: its changes are still in the transaction, and
 * only a rollback of all of it can remove them. Returns false if the transaction is lost. */
static bool
run_bare(struct db *db, struct ends *ends, struct write_job *job, bool hopeful, bool *undone)
{
	uint64_t before = db_written(db);

	db_hopeful(db, hopeful);
	run(db, ends, job);
	db_hopeful(db, false);
	if (!db_in_transaction(db))
		return false;
	*undone = job->status != STET_OK && db_written(db) != before;
	return true;
}

/* Runs what is to run at the end, and commits. If that fails, the caller calls ends_over. */
static enum stet_status
commit(struct db *db, struct ends *ends)
{
	enum stet_status status = STET_FAULT;

	/* The engine may have rolled back by itself while a handler ignored the error. */
	if (db_in_transaction(db))
		status = ends_run(ends, db);
	if (status == STET_OK)
		status = db_commit(db);
	if (status == STET_OK)
		ends_over(ends, true);
	return status;
}

/* Begins to write, unless the site is not to be written to as it is: common_check. */
static enum stet_status
begin(struct db *db, struct site *site, int64_t *other)
{
	enum stet_status status;

	if (other != NULL)
		*other = -1;
	STET_TRY(db_begin(db, DB_WRITE));
	if ((status = common_check(db, site, other)) != STET_OK)
		db_rollback(db);
	return status;
}

bool
batch_alone(struct db *db, struct write_job *job, int64_t *other)
{
	enum stet_status status = STET_UNAVAILABLE;
	struct ends ends;

	if (other != NULL)
		*other = -1;
	if (db != NULL)
		status =
		    overdue(job->call) ? STET_REQUEST_TIMEOUT : begin(db, job->call->site, other);
	if (other != NULL && *other >= 0)
		return false;
	if (status != STET_OK) {
		fail(job->call, job->status = status);
		return true;
	}
	ends_init(&ends);
	db_careful(db, true);
	run(db, &ends, job);
	if (job->status == STET_OK && (status = commit(db, &ends)) != STET_OK)
		fail(job->call, job->status = status);
	db_careful(db, false);
	ends_over(&ends, false);
	db_rollback(db);
	return true;
}

/* ---- batches ---- */

static void
rewind_call(struct stet_call *call)
{
	call_rewind(call);
	db_part(call)->changes = 0;
}

static void
rewind_job(struct write_job *job)
{
	if (job->rewind != NULL)
		job->rewind(job->call, job->arg);
	else
		rewind_call(job->call);
}

static void
add(struct batch *b, struct write_job *job)
{
	job->next = NULL;
	job->status = STET_OK;
	*b->tail = job;
	b->tail = &job->next;
	b->count++;
}

/* Rolls back and runs the jobs so far again, now with a savepoint each. A single job has its own
 * error and need not run again. */
static bool
again(struct db *db, struct batch *b)
{
	enum stet_status status;
	int64_t other;

	ends_over(&b->ends, false);
	db_rollback(db);
	if (b->count == 1)
		return true;
	b->undone = b->careful = true;
	status = begin(db, b->site, &other);
	for (struct write_job *job = b->head; job != NULL; job = job->next) {
		rewind_job(job);
		if (status != STET_OK)
			fail(job->call, job->status = status);
		else if (!run_in_savepoint(db, &b->ends, job))
			return false;
	}
	return true;
}

static bool
run_one(struct db *db, struct batch *b, struct write_job *job)
{
	bool undone = false;

	if (b->careful)
		return run_in_savepoint(db, &b->ends, job);
	if (!run_bare(db, &b->ends, job, b->hopeful, &undone))
		return false;
	return !undone || again(db, b);
}

/* Returns true if a job succeeded, so that there may be something to commit. */
static bool
wrote(const struct batch *b)
{
	for (const struct write_job *job = b->head; job != NULL; job = job->next)
		if (job->status == STET_OK)
			return true;
	return false;
}

static bool
run_all(struct db *db, struct batch *b, struct write_job *(*next)(void *), void *arg)
{
	struct write_job *job;
	enum stet_status status = STET_UNAVAILABLE;

	if (db != NULL)
		status = begin(db, b->site, b->blind ? NULL : &b->other);
	if (b->other >= 0)
		return true;
	b->begun = clock_monotonic_us();
	while (!batch_full(b) && (job = next(arg)) != NULL) {
		add(b, job);
		if (status != STET_OK) {
			fail(job->call, job->status = status);
			continue;
		}
		if (!run_one(db, b, job))
			return false;
		if (!db_in_transaction(db)) /* its only job failed and was rolled back */
			return true;
	}
	if (wrote(b))
		return commit(db, &b->ends) == STET_OK;
	if (status == STET_OK)
		db_rollback(db);
	return true;
}

bool
batch_run(struct db *db, struct batch *b, struct write_job *(*next)(void *), void *arg)
{
	bool good = run_all(db, b, next, arg);

	ends_over(&b->ends, false);
	return good;
}

/* Fails all jobs: some may have been done already. */
static bool
give_up(struct batch *b)
{
	for (struct write_job *job = b->head; job != NULL; job = job->next) {
		rewind_job(job);
		fail(job->call, job->status = STET_UNAVAILABLE);
	}
	return false;
}

/* A job may have failed because of data of another job that is rolled back now, so all run again.
 * A single job that failed by itself need not, unless it could have gone on (db_broken). */
bool
batch_replay(struct db *db, struct batch *b)
{
	if (db_unresolved(db))
		return give_up(b);
	if (b->count == 1 && b->head->status != STET_OK && !db_broken(db))
		return false;
	for (struct write_job *job = b->head; job != NULL; job = job->next) {
		int64_t other;

		rewind_job(job);
		if (!batch_alone(db, job, &other))
			fail(job->call, job->status = STET_UNAVAILABLE);
	}
	return true;
}
