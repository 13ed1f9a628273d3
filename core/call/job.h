/* job.h - work for the write lane, as data. */
#ifndef CORE_CALL_JOB_H
#define CORE_CALL_JOB_H

#include <stet/call.h>

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

#endif
