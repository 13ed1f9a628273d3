/* principal.h - the caller of an op, with role and scopes. */
#ifndef CORE_CALL_PRINCIPAL_H
#define CORE_CALL_PRINCIPAL_H

#include "call/call.h"

/* Fails with FORBIDDEN. The text names the required role (for `what`; "": for the op) and the
 * caller's role. */
enum stet_status principal_refuse(struct stet_call *, int role, const char *what);
/* Returns true if the caller's token is for some collections only. */
bool principal_is_limited(const struct stet_call *);
/* Returns true if the caller's scopes include content:draft. */
bool principal_has_draft(struct stet_call *);
/* Returns true if the caller's scopes include this one, or one that opens it by the table of an
 * enabled module. */
bool principal_has_scope(struct stet_call *, const char *scope);

#endif
