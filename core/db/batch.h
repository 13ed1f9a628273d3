/*
 * batch.h - jobs that share a transaction: one that fails takes back what it wrote, and nobody
 * else's. What is run again was rolled back before.
 */
#ifndef CORE_BATCH_H
#define CORE_BATCH_H

#include "db/db.h"
#include "db/writer.h"

struct batch {
	struct write_job *head, **tail; /* jobs that ran, in their order */
	unsigned count;
	int64_t begun; /* clock_monotonic_us */
	bool careful; /* each job in a savepoint */
	bool undone; /* it began without, and a job failed that had written */
};

void batch_init(struct batch *, bool careful);
/* For tests, while nothing is written: a batch takes jobs for so long, however busy the machine. */
void batch_span(int64_t us);
/* It takes no more jobs. */
bool batch_full(const struct batch *);
/* Run what `next` gives, up to NULL, in one transaction: true when it is committed, or when there
 * is nothing to commit. Otherwise it is rolled back, and batch_replay is next. No connection: all
 * fail. */
bool batch_run(struct db *, struct batch *, struct write_job *(*next)(void *), void *arg);
/* All of them again, each in a transaction of its own. false: there was no need. */
bool batch_replay(struct db *, struct batch *);
/* One job in a transaction of its own. */
void batch_alone(struct db *, struct write_job *);

#endif
