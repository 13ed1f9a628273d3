/* spool.h - bodies that go to temporary files as they come: whole ones, or the parts of a form. */
#ifndef CORE_SPOOL_H
#define CORE_SPOOL_H

#include <stddef.h>
#include <stet/call.h>

struct spool;

/* A spool for this call's body, in the temporary directory of its site; it and its files are gone
 * when the call ends. boundary NULL: the body is one file. Errors are recorded in the call. */
enum stet_status spool_new(
    struct stet_call *, const char *type, const char *boundary, struct spool **);
enum stet_status spool_write(struct spool *, const char *, size_t);
/* The body is complete: sets the call's parts. */
enum stet_status spool_end(struct spool *);

#endif
