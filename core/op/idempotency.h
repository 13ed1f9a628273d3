/*
 * idempotency.h - Idempotency-Key: a write that is sent twice is carried out once. The answer is
 * stored in the transaction of the write itself, so whoever repeats the request gets it, whatever
 * happened to the daemon or the connection in between (adr/0003).
 */
#ifndef CORE_IDEMPOTENCY_H
#define CORE_IDEMPOTENCY_H

#include "call/call.h"
#include "op/reply.h"

#define IDEMPOTENCY_MS (24 * 60 * 60 * INT64_C(1000)) /* so long a key lives */
#define IDEMPOTENCY_KEY_MAX 255

/* The arguments are good: take the key that came with them, if any. VALIDATION_ERROR for what is no
 * key. */
enum stet_status idempotency_begin(struct stet_call *, const char *body, size_t len);
/* In the write lane, for a call with a key: find the answer that was given before, or run the
 * handler and keep its answer. A failure that is kept counts as STET_OK here, so that it is
 * committed; what the handler wrote is undone. */
enum stet_status idempotency_run(
    struct stet_call *, struct stet_tx *, enum stet_status (*handler)(struct stet_call *));
/* The call's outcome, given that of its transaction. */
enum stet_status idempotency_outcome(const struct stet_call *, enum stet_status);
/* The answer that was given before; false: this call has made its own. */
bool idempotency_render(struct stet_call *, struct rendered *);

#endif
