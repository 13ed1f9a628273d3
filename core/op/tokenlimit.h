/* tokenlimit.h - limits that a token has among its scopes. */
#ifndef CORE_OP_TOKENLIMIT_H
#define CORE_OP_TOKENLIMIT_H

#include "call/call.h"

/* Counts the running op, whose arguments are read, against the limits of the caller's token.
 * `request`: it is a call that the client has made, and not a part of one. Fails with RATE_LIMITED.
 */
enum stet_status tokenlimit_take(struct stet_call *, bool request);

#endif
