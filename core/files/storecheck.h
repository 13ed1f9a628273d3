/* storecheck.h - compares files of modules with their rows. */
#ifndef CORE_FILES_STORECHECK_H
#define CORE_FILES_STORECHECK_H

#include "files/filedriver.h"

/* Removes files that no row names. */
extern const struct stet_job storecheck_job;
/* Sets *found if a row of the call's owner names this file. */
enum stet_status storecheck_named(struct stet_call *, const char *key, bool *found);
/* Removes this driver's files of the call's owner that no row has named for an hour. */
enum stet_status storecheck_sweep(
    struct stet_call *, const struct stet_file_driver *, int64_t *gone);
/* Compares the files of the call's owner with its rows. Adds texts to the arrays: files that no row
 * names are notes. Slow: reads all files. */
enum stet_status storecheck_verify(struct stet_call *, json_t *problems, json_t *notes);

#endif
