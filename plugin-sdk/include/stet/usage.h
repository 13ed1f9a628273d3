/*
 * usage.h - when records were last used (tokens, sessions). Requests note the time in memory; a
 * job of the module writes the times to the database, at most once a minute. So a read causes no
 * write. Times that are not written yet are lost if the daemon crashes.
 */
#ifndef STET_USAGE_H
#define STET_USAGE_H

#include <stet/call.h>

/* A collector, for the state of a module on a site. All threads may use it. */
struct stet_usage;
STET_API struct stet_usage *stet_usage_new(void); /* NULL: no memory */
STET_API void stet_usage_free(struct stet_usage *); /* NULL is allowed */

/* Notes that the record with this id (26 characters) is used now, and wakes the module's job of
 * this name. At most some ten thousand records are noted between two runs of the job; further
 * ones are not noted. */
STET_API void stet_usage_note(
    struct stet_call *, struct stet_usage *, const char *id, const char *job);
/* For the job's `due`. */
STET_API int64_t stet_usage_due(struct stet_call *, struct stet_usage *);
/* For the job's `run`: calls `write` in the write lane for each noted record. If it fails, the
 * times are kept for the next run. */
STET_API STET_MUST enum stet_status stet_usage_write(struct stet_call *, struct stet_usage *,
    enum stet_status (*write)(struct stet_call *, struct stet_tx *, const char *id, int64_t at));

#endif
