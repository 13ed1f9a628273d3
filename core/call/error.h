/* error.h - the error of a call. A call has at most one. */
#ifndef CORE_CALL_ERROR_H
#define CORE_CALL_ERROR_H

#include "call/call.h"

/* The status that clients see: FAULT and DECLINED, which are internal, become the op's own error
 * status or INTERNAL_ERROR. */
enum stet_status error_outcome(const struct stet_call *);
/* Checks the status that an op or hook of this name has returned, and returns it, or STET_FAULT for
 * an unknown number. Logs an unknown number (at most now and then), and a STET_FAULT or
 * STET_DECLINED whose reason was not recorded in the call. */
enum stet_status error_judge(
    struct stet_call *, enum stet_status, const struct loaded *, bool hook, const char *name);
/* Appends the error as text: "CODE: text", or "CODE: path: message; ..." for issues. */
void error_add(struct buf *, const struct stet_call *);

#endif
