/* limit.h - rate limits on requests. */
#ifndef CORE_OP_LIMIT_H
#define CORE_OP_LIMIT_H

#include "call/call.h"

/* Fails with RATE_LIMITED if the client has sent too many requests. To be called when the head
 * was read. */
enum stet_status limit_request(struct stet_call *);
/* Fails with RATE_LIMITED if the client has sent too many refused credentials, which have a limit
 * of their own. */
enum stet_status limit_failure(struct stet_call *);

#endif
