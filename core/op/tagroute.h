/* tagroute.h - the GET route that supplies the entity tag for If-Match (RFC 9110, 13.1.1). */
#ifndef CORE_OP_TAGROUTE_H
#define CORE_OP_TAGROUTE_H

#include "call/call.h"

/* If the request has If-Match, finds the GET route that supplies the entity tag: the route of the
 * path itself or, for an action (POST /content/posts/x/publish), of a path above it. */
void tagroute_find(struct stet_call *);

#endif
