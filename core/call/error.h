/* error.h - the one error of a call. */
#ifndef CORE_CALL_ERROR_H
#define CORE_CALL_ERROR_H

#include "call/call.h"

/* The status as clients see it: an op's faults under the op's own code. */
enum stet_status error_outcome(const struct stet_call *);
/* Appends the error in words: "CODE: text", or "CODE: path: message; ..." for issues. */
void error_add(struct buf *, const struct stet_call *);

#endif
