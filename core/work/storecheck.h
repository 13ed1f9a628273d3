/* storecheck.h - files of modules held against their rows. */
#ifndef CORE_WORK_STORECHECK_H
#define CORE_WORK_STORECHECK_H

#include "call/call.h"

/* Removes files that no row names. */
extern const struct stet_job storecheck_job;
/* Hold the files of the call's owner against its rows: arrays of words. Files that no row names are
 * notes. Slow: it reads all of them. */
enum stet_status storecheck_verify(struct stet_call *, json_t *problems, json_t *notes);

#endif
