/*
 * jobs.h - modules' timed work (struct stet_job). Each job has an alarm for when it is due, and
 * then runs on the slow pool.
 */
#ifndef CORE_JOBS_H
#define CORE_JOBS_H

#include "call/site.h"

void jobs_start(void); /* the alarms; daemon only, after slow_start */
void jobs_stop(void); /* before slow_stop */

/* (Re)read the jobs of the site's current generation, and ask each when it is due. To be called
 * after each compile_site, and when another process may have changed what is due. */
void jobs_site(struct site *);
struct jobs_stats {
	unsigned count, active; /* on all sites; of these, running or about to */
	unsigned unasked; /* of these, not known when they are due */
	int64_t overdue; /* milliseconds, of the latest; 0: none is */
};
/* Adds one site to what `stats`, a struct jobs_stats, counts; for sites_each. */
void jobs_count(struct site *, void *stats);
/* Forget them, and wait for those that run: before the site goes. */
void jobs_forget(struct site *);

#endif
