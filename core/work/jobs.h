/*
 * jobs.h - timed jobs of modules (struct stet_job). A job's `due` function says when it is to run
 * next; an alarm rings then, and the job runs on the slow pool. One job never runs twice at the
 * same time.
 */
#ifndef CORE_JOBS_H
#define CORE_JOBS_H

#include "call/site.h"

void jobs_start(void); /* starts the alarms; daemon only, after slow_start */
/* Starts no more jobs; stet_job_ends returns true in those that run. */
void jobs_drain(void);
void jobs_stop(void); /* before slow_stop */

/* A job of the core that runs once for each module which needs it. */
struct host_job {
	const struct stet_job *job; /* NULL ends a list of them */
	bool (*serves)(const struct loaded *);
};
/* Reads the jobs of the site's current generation, and those of the core, and asks each when it is
 * due. To be called after each compile_site, and when another process may have changed what is
 * due. */
void jobs_site(struct site *, const struct host_job *);
/* Asks all jobs of a module on this site when they are due. */
void jobs_wake(struct site *, const struct loaded *);
struct jobs_stats {
	unsigned count, active; /* on all sites; of these, running or queued */
	unsigned unasked; /* of these, whose next run is not known yet */
	int64_t overdue; /* milliseconds, of the job that is most overdue; 0: none */
};
/* Adds one site's jobs to `stats`, a struct jobs_stats; for sites_each. */
void jobs_count(struct site *, void *stats);
/* Removes the site's jobs and waits for those that run. To be called before the site is freed. */
void jobs_forget(struct site *);

#endif
