/*
 * weight.h - counts what a connection holds beside bodies and larger answers: bytes of requests
 * that wait (heads that have not come whole, and what a client pipelines), small answers that were
 * not taken, calls before their handlers run, and TLS. It is part of the memory of answers
 * (call/unsent.h): while that is full, a connection gets no more than WEIGHT_LEAST.
 */
#ifndef CORE_WEIGHT_H
#define CORE_WEIGHT_H

#include "net/conn.h"

/* Less is not counted: it is part of the cost of a connection. */
#define WEIGHT_LEAST ((size_t)2048)

/* A connection is about to be opened. */
void weight_begin(struct conn *);
/* Input has come. Call it before it is used. */
void weight_came(struct conn *);
/* Counts what the connection holds now. Call it after each step. */
void weight_settle(struct conn *);
/* The connection is closed. */
void weight_drop(struct conn *);

/* How much input the connection may hold now. */
size_t weight_input_max(const struct conn *);
/* Returns true if the next request has to wait until the peer has taken answers. */
bool weight_output_waits(const struct conn *);

#endif
