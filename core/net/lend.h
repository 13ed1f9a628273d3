/*
 * lend.h - output that refers to response bytes instead of copying them. Bytes of a cached response
 * are shared by all connections that send it; other bytes are queued with the block that holds
 * them. Queued bytes are counted (call/unsent.h) until they have left, and outlive their call.
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
/* Queues bytes of the cached response, and takes a reference to it. */
void lend_answer(struct conn *, struct answer *, const char *at, size_t len);

#endif
