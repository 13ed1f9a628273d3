/* inside.h - runs ops inside another op's call. */
#ifndef CORE_OP_INSIDE_H
#define CORE_OP_INSIDE_H

#include "call/call.h"

/* Runs fn in a savepoint, in the write lane. If it fails, its writes are rolled back and its
 * functions of call_on_commit are dropped. */
enum stet_status inside_savepoint(struct stet_call *, enum stet_status (*fn)(struct stet_call *));

#endif
