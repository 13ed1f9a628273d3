/*
 * answer.h - a worker's cache of responses, each valid as long as the database has not changed
 * (adr/0016). All functions are for the worker's own thread, except answers_held.
 */
#ifndef CORE_ANSWER_H
#define CORE_ANSWER_H

#include "op/encode.h"
#include "op/reply.h"

struct answer;
struct answers; /* the cache of one worker */

#define ANSWER_CACHE_LEAST 65536 /* bytes; a smaller cache is not worth its table */

/* Sets how many workers share the memory (default 1). Call it before the first cache is made. */
void answers_shared_by(unsigned workers);
/* Makes a worker's cache with its share of `bytes`, at least ANSWER_CACHE_LEAST. 0: nothing is
 * cached. */
struct answers *answers_new(uint64_t bytes);
void answers_resize(struct answers *, uint64_t bytes);
void answers_free(struct answers *);

/* Returns the state for which there is a cached response to such a request, if the caller may have
 * it, or NULL. For calls of sites whose database is elsewhere, before they are admitted. */
const struct stamp *answer_expect(struct answers *, struct stet_call *);
/* Looks for a cached response to a call that has passed the gate. On a cache hit the call holds it
 * (op_part.answer) until it ends. */
bool answer_find(struct answers *, struct stet_call *);
/* Fills in the reply as reply_render would. */
void answer_render(const struct answer *, struct rendered *);
/* To be called after the handler has run: caches the answer if that is allowed. Returns NULL if
 * it is not. */
struct answer *answer_keep(struct answers *, struct stet_call *, const struct rendered *);
/* Returns the body in this coding. NULL: it is not cached in the coding, or the answer is NULL. */
const char *answer_coded(const struct answer *, enum coding, size_t *len);
/* Caches the compressed body too, if there is room. */
void answer_keep_coded(struct answers *, struct answer *, enum coding, const char *, size_t len);
/* Call answer_lend before a connection sends bytes of the response without a copy, and
 * answer_return after. While it is lent, its memory counts once as unsent (unsent.h). */
void answer_lend(struct answer *);
void answer_return(struct answer *);
/* Bytes that the caches of all workers hold. Any thread. */
uint64_t answers_held(void);

#endif
