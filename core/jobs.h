/* jobs.h - modules' timed work (struct stet_job): sleeps until the earliest due time, no polling.
 */
#ifndef CORE_JOBS_H
#define CORE_JOBS_H

#include "site.h"

void jobs_start(void); /* its thread; daemon only */
void jobs_stop(void);
void jobs_site(struct site *); /* (re)read the jobs of the site's current generation */

#endif
