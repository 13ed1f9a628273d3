/*
 * weight.h - counts the memory of a connection other than bodies and large responses: unread
 * requests (incomplete heads and pipelined requests), small unsent responses, calls before their
 * handlers run, and TLS. It is part of the memory of responses (call/unsent.h): while that is full,
 * a connection gets no more than WEIGHT_LEAST.
 */
#ifndef CORE_WEIGHT_H
#define CORE_WEIGHT_H

#include "net/conn.h"

/* Smaller amounts are not counted: they are part of the cost of a connection. */
#define WEIGHT_LEAST ((size_t)2048)

/* A connection is about to be opened. */
void weight_begin(struct conn *);
/* Input has arrived. Call it before the input is used. */
void weight_came(struct conn *);
/* Counts what the connection holds now. Call it after each step. */
void weight_settle(struct conn *);
/* The connection is closed. */
void weight_drop(struct conn *);

/* Returns how much input the connection may hold now. */
size_t weight_input_max(const struct conn *);
/* Returns true if the next request must wait until the peer has read responses. */
bool weight_output_waits(const struct conn *);

#endif
