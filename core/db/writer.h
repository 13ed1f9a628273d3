/*
 * writer.h - the write lane of a site: a queue of jobs. A thread of a small pool, which serves all
 * sites, takes the jobs of a site in batches; a batch is one durable transaction (group commit).
 * Two batches of a site never run at the same time.
 */
#ifndef CORE_WRITER_H
#define CORE_WRITER_H

#include "call/job.h"

struct site;
struct writer;

/* Starts the pool. The daemon calls it once; without a pool only writer_run works. */
#define WRITER_THREADS_MAX 8
void writer_start(int threads);
/* Adds threads until there are so many. */
void writer_grow(int threads);
/* Runs the jobs that are queued, then joins the threads. */
void writer_stop(void);
/* Returns true between writer_start and writer_stop. */
bool writer_pooled(void);
/* Sets a function that the writer thread calls after each commit. Call it once, before a writer is
 * opened. */
void writer_listen(void (*committed)(struct site *));

/* Opens the write lane of a site. With `lazy` the database, which must exist and be sound, is
 * opened for the first job. Returns NULL if it cannot be opened; the reason is in the log. */
struct writer *writer_open(struct site *, bool lazy);
/* Tells the writer that it is idle: it copies the write-ahead log into the database. With `last` it
 * also truncates the log, so that the next open has nothing to recover. */
void writer_rest(struct writer *, bool last);
/* Waits for the jobs that are queued, then closes and frees. */
void writer_close(struct writer *);
/* Queues a job. Fails with UNAVAILABLE, recorded in the job's call, if 10,000 jobs are queued. */
enum stet_status writer_submit(struct writer *, struct write_job *);
/* Runs one job in this thread, in a transaction of its own, and does not call job->done. For
 * commands and the start. Must not be called from inside a job. */
enum stet_status writer_run(struct writer *, struct write_job *);
/* Runs `fn` in this thread while no transaction of the writer is open. Must not be called from
 * inside a job. */
void writer_between(struct writer *, void (*fn)(void *), void *arg);

struct writer_stats {
	uint64_t batches, jobs, replays, depth;
};
void writer_stats(struct writer *, struct writer_stats *);
/* Returns when (clock_monotonic) a write found the disk full, or 0 if the last write did not. */
int64_t writer_full_at(struct writer *);

#endif
