/*
 * spool.h - request bodies written to temporary files as they arrive: one file, or one for each
 * part (multipart/form-data).
 */
#ifndef CORE_SPOOL_H
#define CORE_SPOOL_H

#include <stddef.h>
#include <stet/call.h>

struct spool;

/* Makes a spool for this call's body in the temporary directory of its site. The spool and its
 * files are removed when the call ends. boundary NULL: the body is one file. Errors are recorded
 * in the call. */
enum stet_status spool_new(
    struct stet_call *, const char *type, const char *boundary, struct spool **);
enum stet_status spool_write(struct spool *, const char *, size_t);
/* The body is complete: sets the call's parts. */
enum stet_status spool_end(struct spool *);

#endif
