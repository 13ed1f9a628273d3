/* owner.h - whose code runs in a call. */
#ifndef CORE_CALL_OWNER_H
#define CORE_CALL_OWNER_H

#include "call/call.h"

/* Notes that code of this module runs in the call. If it is a plugin, whose answers may depend on
 * anything, the answer is not cached. */
void owner_mark_foreign(struct stet_call *, const struct loaded *);

#endif
