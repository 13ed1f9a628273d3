/*
 * limit.h - limits that a token has among its scopes, as limit:<what>:<number>. The core counts
 * what the token does over REST and in batches; the tool server counts calls of tools. Like other
 * rate limits they are counted in memory (stet_limit in call.h).
 */
#ifndef STET_LIMIT_H
#define STET_LIMIT_H

#include <stet/call.h>
#include <stet/op.h>

#define STET_SCOPE_LIMIT "limit:"
/* In `more` of an op that writes many records, each by an op that it runs (stet_invoke_alone):
 * limits of tokens count these, and not the op itself. */
#define STET_MORE_EACH 0x10ull
enum stet_token_limit {
	STET_LIMIT_CALLS, /* limit:calls: a minute */
	STET_LIMIT_WRITES, /* limit:writes: an hour */
	STET_LIMIT_ITEMS, /* limit:items: in one batch */
	STET_LIMIT_DELETIONS, /* limit:deletions: a day */
};
/* The limit of the caller's token; 0: it has none. */
STET_API int stet_token_limit(struct stet_call *, enum stet_token_limit);
/* Takes `many` of the limit. Fails with RATE_LIMITED, whose details have retryAfter (seconds), and
 * a Retry-After header; with VALIDATION_ERROR if `many` is more than the limit. */
STET_API STET_MUST enum stet_status stet_token_take(
    struct stet_call *, enum stet_token_limit, int many);
/* For a tool server: counts a call of this op, which runs in this lane with these arguments (may be
 * NULL), by the records that it writes. Reads are not counted. Fails like stet_token_take. */
STET_API STET_MUST enum stet_status stet_token_call(
    struct stet_call *, const struct stet_op_info *, enum stet_lane, const json_t *args);
/* How many are left of the limit, as far as this process knows; -1: it has none. */
STET_API int stet_token_left(struct stet_call *, enum stet_token_limit);
/* Whether what the call writes is only tried, and rolled back: limits of tokens then do not count
 * it. */
STET_API void stet_token_tries(struct stet_call *, bool tries);

/* How many tokens of a rate limit are left (stet_limit), as far as this process knows. */
STET_API int stet_limit_left(
    struct stet_call *, const char *what, const char *who, int count, int seconds);

#endif
