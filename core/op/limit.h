/* limit.h - rate limits on requests. */
#ifndef CORE_OP_LIMIT_H
#define CORE_OP_LIMIT_H

#include "call/call.h"

/* Fails with RATE_LIMITED if the client has sent too many requests. To be called when the head
 * was read. */
enum stet_status limit_request(struct stet_call *);
/* Fails with RATE_LIMITED if the client has sent too many refused credentials, which have a limit
 * of their own. */
enum stet_status limit_failure(struct stet_call *);

/* ---- limits that several daemons share (core/work/failures.c) ---- */

#define LIMIT_KEY 16 /* bytes of the key of a shared bucket */

struct limit_taken {
	unsigned char key[LIMIT_KEY];
	int64_t us; /* microseconds by which its bucket is full later */
};

/* Begins to store what was taken on this site since the last time: fills at most `most` rows,
 * returns how many. limit_stored ends it, in any case, with those of them that are stored now. */
size_t limit_unstored(struct site *, struct limit_taken *, size_t most);
void limit_stored(struct site *, const struct limit_taken *, size_t count);
/* The bucket is full in so many microseconds, as far as it is stored. */
void limit_learn(struct site *, const unsigned char key[LIMIT_KEY], int64_t us);

#endif
