/*
 * lend.h - bytes of answers that a connection's output refers to instead of copying them. Those of
 * a kept answer are shared by all connections that send it; others go with a block of their own.
 * Either way they are counted (op/unsent.h) until they have left, and no longer need their call.
 */
#ifndef CORE_LEND_H
#define CORE_LEND_H

#include "net/conn.h"

struct answer;

/* Returns true if there is memory for an answer to the call at hand; else the call has its error.
 * An answer that is kept already takes none. */
bool lend_room(struct conn *);
/* Queue the `len` bytes at `at`, inside a block from malloc of `size` bytes, which is the output's
 * from now on and may move. */
void lend_block(struct conn *, char *block, size_t size, const char *at, size_t len);
/* Queue a copy of the bytes. */
void lend_copy(struct conn *, const void *at, size_t len);
/* Queue bytes of the answer, to which this adds a reference. */
void lend_answer(struct conn *, struct answer *, const char *at, size_t len);

#endif
