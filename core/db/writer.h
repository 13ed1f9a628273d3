/*
 * writer.h - the write lane of a site: a queue, and batches that are one durable
 * transaction. A small pool of threads serves all sites; a site's batches never overlap.
 */
#ifndef CORE_WRITER_H
#define CORE_WRITER_H

#include <stet/call.h>

struct site;
struct writer;

struct write_job {
	struct write_job *next;
	struct stet_call *call;
	/* Runs in a transaction with others; may run again after that was rolled back (batch.h).
	 */
	enum stet_status (*run)(struct stet_call *, struct stet_tx *, void *arg);
	void *arg;
	/* On a writer thread, after the commit (or the failure), and after what call_on_commit
	 * left. The job may be gone when it returns. */
	void (*done)(struct stet_call *, enum stet_status, void *arg);
	/* Before it runs again; NULL: call_rewind. */
	void (*rewind)(struct stet_call *, void *arg);
	enum stet_status status; /* the writer's */
};

/* The pool; once, by the daemon. Without it only writer_run works. */
#define WRITER_THREADS_MAX 8
void writer_start(int threads);
void writer_grow(int threads); /* to so many, unless there are more */
void writer_stop(void); /* finish what is queued, join */
bool writer_pooled(void); /* between the two */

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
/* Where this job's call may leave work for the time after its commit; forgotten on rollback. */
void call_on_commit(struct stet_call *, void (*fn)(struct stet_call *, void *), void *arg);

struct writer_stats {
	uint64_t batches, jobs, replays, depth;
};
void writer_stats(struct writer *, struct writer_stats *);
/* When a write last found the disk full (clock_monotonic); 0: the last one did not. */
int64_t writer_full_at(struct writer *);

#endif
