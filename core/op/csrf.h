/*
 * csrf.h - the defence against cross-site request forgery: another site's page, in the browser of
 * somebody who is signed in here, must not change anything.
 */
#ifndef CORE_OP_CSRF_H
#define CORE_OP_CSRF_H

#include "call/call.h"

/*
 * Checks requests that change something. Requests with a session, and requests of guarded routes,
 * need the header X-CMS-Request: 1, which a page of another site cannot send without our consent
 * (CORS). With a session, Origin and Sec-Fetch-Site must not name another site either. That also
 * holds for forms (STET_FORM), which need no header. Fails with CSRF_REJECTED.
 */
enum stet_status csrf_check(struct stet_call *, const struct op *);

#endif
