/* principal.h - the caller of an op: role and scopes. */
#ifndef CORE_CALL_PRINCIPAL_H
#define CORE_CALL_PRINCIPAL_H

#include "call/call.h"

/* Fails with FORBIDDEN, and says which role is needed (for `what`; "": for the op) and which one
 * the caller has. */
enum stet_status principal_refuse(struct stet_call *, int role, const char *what);
/* Do the caller's scopes open this one, by themselves or by what an enabled module says of it? */
bool principal_has_scope(struct stet_call *, const char *scope);

#endif
