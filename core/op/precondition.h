/* precondition.h - If-Match of requests that change something (RFC 9110, 13.1.1). */
#ifndef CORE_PRECONDITION_H
#define CORE_PRECONDITION_H

#include "call/call.h"

/* If the request has If-Match, finds the GET route that supplies the entity tag: the route of the
 * path itself or, for an action (POST /content/posts/x/publish), of a path above it. */
void precondition_find(struct stet_call *);
/* Fails with PRECONDITION_FAILED unless If-Match names the current entity tag of that GET for this
 * caller. Must be called inside the transaction of the write. */
STET_MUST enum stet_status precondition_check(struct stet_call *);

#endif
