/* gate.h - the gate: checks who may call an op. Each check returns STET_OK, or fails. */
#ifndef CORE_OP_GATE_H
#define CORE_OP_GATE_H

#include "call/call.h"

/* The whole gate of a request: credentials, rate limits, CSRF header, scope, permission. */
enum stet_status gate_admit(struct stet_call *);
/* Fails if the caller's token is for other collections than the one that the op's arguments name.
 */
enum stet_status gate_collection(struct stet_call *);
/* Returns true for a read without a body: it continues in the transaction in which it was
 * admitted. */
bool gate_reads_on(const struct stet_call *);
/* Parts of gate_admit, also for ops that run inside another call. gate_known: fails unless the
 * caller is signed in, if the op requires that. gate_rights: fails unless scope and role suffice
 * and a session is recent enough. */
enum stet_status gate_known(struct stet_call *, const struct op *);
enum stet_status gate_rights(struct stet_call *, const struct op *, const char *scope);
/* Like gate_rights, for the op of the call. If the rights do not suffice for a public read, the
 * caller is treated as anonymous: credentials must not reduce access. */
enum stet_status gate_allowed(struct stet_call *);

#endif
