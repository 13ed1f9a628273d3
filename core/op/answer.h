/*
 * answer.h - answers that a worker keeps, for as long as nothing has changed (adr/0016). All of
 * this is for the worker's own thread, but answers_count.
 */
#ifndef CORE_ANSWER_H
#define CORE_ANSWER_H

#include "op/encode.h"
#include "op/reply.h"

struct answers; /* of one worker */

#define ANSWER_CACHE_LEAST 65536 /* bytes; less is not worth its table */

/* Keep up to so many bytes; 0: none. */
struct answers *answers_new(uint64_t bytes);
void answers_resize(struct answers *, uint64_t bytes);
void answers_free(struct answers *);

/* For a call that has passed the gate: is there an answer that its handler would give again? It is
 * the call's then (call->answer), until that ends. */
bool answer_find(struct answers *, struct stet_call *);
/* As what reply_render would give. */
void answer_render(const struct answer *, struct rendered *);
/* The handler ran: keep what came out, if that may be kept; NULL: it may not. */
struct answer *answer_keep(struct answers *, struct stet_call *, const struct rendered *);
/* Its body in a coding, or as it is; NULL: it is not kept so, or there is no answer. */
const char *answer_coded(const struct answer *, enum coding, size_t *len);
/* Keep that too, if there is room. */
void answer_keep_coded(struct answers *, struct answer *, enum coding, const char *, size_t len);
/* A connection refers to bytes of the answer, until it gives them back. The answer's memory counts
 * among unsent answers (unsent.h) for as long as any does, once for all of them. On its worker. */
void answer_lend(struct answer *);
void answer_return(struct answer *);
/* Bytes that all workers of the process keep; from any thread. */
uint64_t answers_held(void);

#endif
