/* savepoint.h - a part of a write that is rolled back alone. */
#ifndef CORE_OP_SAVEPOINT_H
#define CORE_OP_SAVEPOINT_H

#include "call/call.h"

/* Runs fn in a savepoint, in the write lane. If it fails, its writes are rolled back and its
 * functions of call_on_commit are dropped. */
enum stet_status savepoint_run(struct stet_call *, enum stet_status (*fn)(struct stet_call *));

#endif
