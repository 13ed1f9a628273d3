/*
 * dispatch.h - finds the op of a request and runs the handler in its lane. The lanes: reads run on
 * the connection's worker or on a reader (readpool.h), writes on the site's writer, slow ops on the
 * slow pool.
 */
#ifndef CORE_OP_DISPATCH_H
#define CORE_OP_DISPATCH_H

#include "call/call.h"

/* Runs the handler of call->op on this thread. */
enum stet_status dispatch_handle(struct stet_call *);
/* Runs the op in its lane and calls `done` of the call when it has ended: before this returns for
 * the read lane, later for the others. */
void dispatch_call(struct stet_call *);
/* For sites whose database is elsewhere (op/far.h): admits the call, and runs it if it reads. Then
 * `done`, or op_part.admitted: before this returns if too many wait. On the call's worker only. */
void dispatch_enter(struct stet_call *);
/* Runs the handler of a parked call again, after the checks of gate_admit; then `done`. On
 * the call's worker only. */
void dispatch_again(struct stet_call *);
/* dispatch_call, but waits until the op has ended. For commands, jobs and tests. */
enum stet_status dispatch_run(struct stet_call *);
/* Runs the hook op_written for the op that this call runs in the write lane. */
enum stet_status dispatch_written(struct stet_call *);
/* Fails with MIGRATION_FAILED if the site's write lane is closed. */
enum stet_status dispatch_writable(struct stet_call *);

#endif
