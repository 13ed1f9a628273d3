/* precondition.h - If-Match of requests that change something (RFC 9110, 13.1.1). */
#ifndef CORE_PRECONDITION_H
#define CORE_PRECONDITION_H

#include "call/call.h"

/* If the request has If-Match: find the GET route whose entity tag it is about, which is that of
 * the path, or of one above it for an action (POST /content/posts/x/publish). */
void precondition_find(struct stet_call *);
/* PRECONDITION_FAILED unless If-Match names the tag that this GET has now, for this caller. Belongs
 * into the transaction of the write. */
STET_MUST enum stet_status precondition_check(struct stet_call *);

#endif
