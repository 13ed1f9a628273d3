/*
 * lend.h - output that refers to bytes of answers instead of copying them. Bytes of a cached
 * answer are shared by all connections that send it; other bytes go with a block of their own.
 * Either way they are counted (call/unsent.h) until they have left, and no longer need their call.
 */
#ifndef CORE_LEND_H
#define CORE_LEND_H

#include "net/conn.h"

struct answer;

/* Queues the `len` bytes at `at`, which lie inside a block of `size` bytes from malloc. The
 * output takes the block over and may move it. */
void lend_block(struct conn *, char *block, size_t size, const char *at, size_t len);
/* Queues a copy of the bytes. */
void lend_copy(struct conn *, const void *at, size_t len);
/* Queues bytes of the cached answer, and adds a reference to it. */
void lend_answer(struct conn *, struct answer *, const char *at, size_t len);

#endif
