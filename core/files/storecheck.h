/* storecheck.h - files of modules held against their rows. */
#ifndef CORE_FILES_STORECHECK_H
#define CORE_FILES_STORECHECK_H

#include "files/filedriver.h"

/* Removes files that no row names. */
extern const struct stet_job storecheck_job;
/* Does a row of the call's owner name this file? */
enum stet_status storecheck_named(struct stet_call *, const char *key, bool *found);
/* Removes what this driver has of the call's owner and no row named for an hour. */
enum stet_status storecheck_sweep(struct stet_call *, const struct file_driver *, int64_t *gone);
/* Hold the files of the call's owner against its rows: arrays of words. Files that no row names are
 * notes. Slow: it reads all of them. */
enum stet_status storecheck_verify(struct stet_call *, json_t *problems, json_t *notes);

#endif
