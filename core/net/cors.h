/*
 * cors.h - CORS: headers that allow pages of other origins to call the API (fetch.spec.whatwg.org).
 */
#ifndef CORE_CORS_H
#define CORE_CORS_H

#include "call/call.h"

/* Adds the headers of every reply: Vary, with Accept-Encoding if a coding was `negotiated` and
 * with Origin if the site allows origins; and Access-Control-Allow-Origin for a page of an
 * allowed origin. */
void cors_put(struct buf *, const struct stet_call *, bool negotiated);
/* Adds the headers of the answer to a preflight request. `methods` as in header_methods. */
void cors_preflight(struct buf *, const struct stet_call *, unsigned methods);

#endif
