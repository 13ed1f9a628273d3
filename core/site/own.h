/* own.h - jobs and sealed columns of the core itself, declared like those of a module. */
#ifndef CORE_SITE_OWN_H
#define CORE_SITE_OWN_H

#include "work/jobs.h"
#include <stet/module.h>

extern const struct host_job own_jobs[]; /* for jobs_site */
extern const struct stet_table own_sealed; /* struct stet_sealed_column */

#endif
