/*
 * writer.h - the write lane of a site: a queue, and batches that are one durable
 * transaction. A small pool of threads serves all sites; a site's batches never overlap.
 */
#ifndef CORE_WRITER_H
#define CORE_WRITER_H

#include "call/job.h"

struct site;
struct writer;

/* The pool; once, by the daemon. Without it only writer_run works. */
#define WRITER_THREADS_MAX 8
void writer_start(int threads);
void writer_grow(int threads); /* to so many, unless there are more */
void writer_stop(void); /* finish what is queued, join */
bool writer_pooled(void); /* between the two */
/* Is told on the writer thread after each commit; once, before any writer is open. */
void writer_listen(void (*committed)(struct site *));

/* lazy: the database is there and good, and is opened when something is to be written. NULL: it
 * cannot be opened; logged. */
struct writer *writer_open(struct site *, bool lazy);
/* Nothing will be written for a while; or, last, not any more: then no log is left to recover. */
void writer_rest(struct writer *, bool last);
void writer_close(struct writer *); /* waits for what is queued */
/* Queue a job. UNAVAILABLE (recorded in the call) when the queue is full (10,000 jobs). */
enum stet_status writer_submit(struct writer *, struct write_job *);
/* Run one job in this thread, in a transaction of its own, without `done`: commands, start-up. Not
 * from inside a job. */
enum stet_status writer_run(struct writer *, struct write_job *);
/* Run `fn` in this thread while no job runs and none waits for its commit. Not from inside a job.
 */
void writer_between(struct writer *, void (*fn)(void *), void *arg);

struct writer_stats {
	uint64_t batches, jobs, replays, depth;
};
void writer_stats(struct writer *, struct writer_stats *);
/* When a write last found the disk full (clock_monotonic); 0: the last one did not. */
int64_t writer_full_at(struct writer *);

#endif
