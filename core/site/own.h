/* own.h - what the core itself brings to sites, in the terms of a module's descriptor. */
#ifndef CORE_SITE_OWN_H
#define CORE_SITE_OWN_H

#include "work/jobs.h"
#include <stet/module.h>

extern const struct host_job own_jobs[]; /* for jobs_site */
extern const struct stet_table own_sealed; /* struct stet_sealed_column */

#endif
