/*
 * batch.h - jobs that share a transaction. If a job fails, only what it wrote itself is undone:
 * either by its savepoint, or the whole batch is rolled back and its jobs are run again one by one.
 * So a job may run more than once, but what an earlier run wrote is never kept.
 */
#ifndef CORE_BATCH_H
#define CORE_BATCH_H

#include "db/db.h"
#include "db/ends.h"
#include "db/writer.h"

struct batch {
	struct site *site; /* NULL: nothing is checked (common.h) */
	bool blind; /* it does not matter for which modules the site is compiled */
	int64_t other; /* see common_check: no job has run then; -1: otherwise */
	struct write_job *head, **tail; /* jobs that ran, in their order */
	unsigned count;
	int64_t begun; /* clock_monotonic_us */
	bool careful; /* each job runs in a savepoint */
	bool hopeful; /* see db_hopeful */
	bool undone; /* without savepoints, and a job failed that had written */
	struct ends ends;
};

void batch_init(struct batch *, struct site *, bool careful);
/* For tests: how long a batch takes jobs, in microseconds. Call it while nothing is written. */
void batch_span(int64_t us);
/* Runs the jobs that `next` returns, until it returns NULL, in one transaction. Returns true if
 * that is committed, or wrote nothing. Otherwise it is rolled back, and the caller calls
 * batch_replay. db NULL: all jobs fail. */
bool batch_run(struct db *, struct batch *, struct write_job *(*next)(void *), void *arg);
/* Runs all jobs of the batch again, each in a transaction of its own. Returns false if no job
 * needed that. */
bool batch_replay(struct db *, struct batch *);
/* Runs one job in a transaction of its own. Returns false if it has not run: see common_check for
 * *other, which may be NULL. */
bool batch_alone(struct db *, struct write_job *, int64_t *other);

#endif
