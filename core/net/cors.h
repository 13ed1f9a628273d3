/* cors.h - pages of other origins: what a browser is told that they may do (fetch.spec.whatwg.org).
 */
#ifndef CORE_CORS_H
#define CORE_CORS_H

#include "call/call.h"

/* What every reply says: Vary, of the codings that might have been (`negotiated`) and of the origin
 * where the site knows any; and, to a page of an origin that is allowed, that it may read it. */
void cors_put(struct buf *, const struct stet_call *, bool negotiated);
/* Besides that, to a preflight: what the page may send. `methods` as in header_methods. */
void cors_preflight(struct buf *, const struct stet_call *, unsigned methods);

#endif
