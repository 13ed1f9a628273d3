/*
 * idempotency.h - Idempotency-Key: a write that the client sends twice is carried out once. The
 * answer is stored in the transaction of the write itself. So a client that repeats the request
 * gets that answer, whatever happened to the daemon or the connection in between. stetd(8) says
 * what clients see. The reasons, where draft-ietf-httpapi-idempotency-key-header leaves a choice:
 *
 * - The check is in the write lane, which is serial: the second of two concurrent requests waits
 *   and gets the stored answer, so the draft's conflict for them cannot occur.
 * - Successes and 4xx of the handler are stored: they are the result of the operation. 5xx are not,
 *   since a fault completes nothing. Refusals before the handler are not: nothing has begun, and
 *   the key stays free for the corrected request.
 * - Another request with the key is 409, not the draft's 422, which means SAVE_REJECTED here.
 * - Requests are compared byte for byte (BLAKE2b of method, path, query, If-Match and body): a
 *   client that repeats a request has its bytes.
 * - A key belongs to a user, or to the address of an anonymous caller, so that nobody gets an
 *   answer made for another. It is compared as received: most clients send no quotes.
 * - Secrets are stored without their body, so databases and backups contain no tokens.
 * - Uploads accept no key: their bodies are not in memory when the digest is made.
 */
#ifndef CORE_IDEMPOTENCY_H
#define CORE_IDEMPOTENCY_H

#include "call/call.h"
#include "op/reply.h"

#define IDEMPOTENCY_MS (24 * 60 * 60 * INT64_C(1000)) /* lifetime of a key */
#define IDEMPOTENCY_KEY_MAX 255

/* To be called when the arguments are valid: reads the key of the request, if there is one. Fails
 * with VALIDATION_ERROR if it is malformed. */
enum stet_status idempotency_begin(struct stet_call *, const char *body, size_t len);
/* The next three are for a call with a key, in the write lane, and inside its transaction. */
/* Finds the stored answer. Fails with CONFLICT if it belongs to another request, or held a secret,
 * which was not stored. */
enum stet_status idempotency_find(struct stet_call *, bool *found);
/* Returns true if the failure of the call is to be stored: an error of the request is; a temporary
 * failure or an error of the server is not. */
bool idempotency_lasts(const struct stet_call *);
/* Stores the answer, and the status of the handler that led to it. */
enum stet_status idempotency_store(
    struct stet_call *, struct stet_tx *, enum stet_status outcome, const struct rendered *);
/* Returns the status of the call, given the status of its transaction. */
enum stet_status idempotency_outcome(const struct stet_call *, enum stet_status);
/* Fills in the stored answer. Returns false if this call has produced its own. */
bool idempotency_render(struct stet_call *, struct rendered *);

#endif
