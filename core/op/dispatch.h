/* dispatch.h - an op is found, admitted, and run in its lane. */
#ifndef CORE_OP_DISPATCH_H
#define CORE_OP_DISPATCH_H

#include "call/call.h"

/* The steps of a request: each returns STET_OK, or another status with the error recorded. */
enum stet_status dispatch_route(struct stet_call *); /* head -> op; NOT_FOUND, METHOD_NOT_ALLOWED */
enum stet_status dispatch_admit(
    struct stet_call *); /* authenticate, CSRF header, scope, permission */
/* What dispatch_admit checks, for ops that run inside another call too: the caller is signed in if
 * the op asks for that; scope, then role, suffice; X-CMS-Request is there if the route asks for it.
 */
enum stet_status dispatch_known(struct stet_call *, const struct op *);
enum stet_status dispatch_rights(struct stet_call *, const struct op *, const char *scope);
enum stet_status dispatch_csrf(struct stet_call *, const struct op *);
/* Run the handler of call->op, in this thread. */
enum stet_status dispatch_handle(struct stet_call *);
/* Runs the op in its lane and calls call->done when it has ended: before this returns for the read
 * lane, later for the others. */
void dispatch_call(struct stet_call *);
/* Runs the handler of a parked call again, after the checks of dispatch_admit; then call->done. On
 * the call's worker only. */
void dispatch_again(struct stet_call *);
/* dispatch_call, but waits until the op has ended. For commands, jobs and tests. */
enum stet_status dispatch_run(struct stet_call *);
/* Runs the hook op_written for the op that this call runs in the write lane. */
enum stet_status dispatch_written(struct stet_call *);
/* Fails with MIGRATION_FAILED if the site's write lane is closed. */
enum stet_status dispatch_writable(struct stet_call *);

#endif
