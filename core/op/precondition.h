/* precondition.h - If-Match of requests that change something (RFC 9110, 13.1.1). */
#ifndef CORE_PRECONDITION_H
#define CORE_PRECONDITION_H

#include "call/call.h"

/* If the request has If-Match, finds the GET route whose entity tag it names: that of the same
 * path, or for an action (POST /content/posts/x/publish) of a path above it. */
void precondition_find(struct stet_call *);
/* Fails with PRECONDITION_FAILED unless If-Match names the tag that this GET has now for this
 * caller. Must be called inside the transaction of the write. */
STET_MUST enum stet_status precondition_check(struct stet_call *);

#endif
