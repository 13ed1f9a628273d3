/*
 * job.h - a job for the write lane: a function that runs in a transaction on the writer's thread.
 */
#ifndef CORE_CALL_JOB_H
#define CORE_CALL_JOB_H

#include <stet/call.h>

struct write_job {
	struct write_job *next;
	struct stet_call *call;
	/* Runs in a transaction that several jobs may share. If that is rolled back, it may run
	 * again (batch.h). */
	enum stet_status (*run)(struct stet_call *, struct stet_tx *, void *arg);
	void *arg;
	/* Called on a writer thread after the commit or the failure, and after the functions of
	 * call_on_commit. It may free the job. */
	void (*done)(struct stet_call *, enum stet_status, void *arg);
	/* Called before `run` runs again; NULL: call_rewind. */
	void (*rewind)(struct stet_call *, void *arg);
	enum stet_status status; /* set by the writer */
};

#endif
