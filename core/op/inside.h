/* inside.h - ops that run inside another. */
#ifndef CORE_OP_INSIDE_H
#define CORE_OP_INSIDE_H

#include "call/call.h"

/* Runs fn in a savepoint of its own, in the write lane. If it fails, what it wrote is undone and
 * what it left for the time after the commit is dropped. */
enum stet_status inside_savepoint(struct stet_call *, enum stet_status (*fn)(struct stet_call *));

#endif
