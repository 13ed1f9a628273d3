/* precondition.h - If-Match of requests that change something (RFC 9110, 13.1.1). */
#ifndef CORE_PRECONDITION_H
#define CORE_PRECONDITION_H

#include "call/call.h"

/* Fails with PRECONDITION_FAILED unless If-Match names the current entity tag of that GET for this
 * caller. Must be called inside the transaction of the write. */
STET_MUST enum stet_status precondition_check(struct stet_call *);

#endif
