/* owner.h - which module's code runs in a call. */
#ifndef CORE_CALL_OWNER_H
#define CORE_CALL_OWNER_H

#include "call/call.h"

/* Records that code of this module runs in the call. If it is a plugin, the answer is not cached:
 * a plugin may use data that the cache knows nothing of. */
void owner_mark_foreign(struct stet_call *, const struct loaded *);

#endif
