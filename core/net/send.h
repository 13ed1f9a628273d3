/* send.h - sends replies to the client. */
#ifndef CORE_SEND_H
#define CORE_SEND_H

#include "net/conn.h"
#include "op/reply.h"

/* Sends the reply of the current call, and takes ownership of the call. Returns false if the body
 * must first be compressed in another thread; `done` of the call then runs again. */
bool send_reply(struct conn *);
/* Answers a request that never became a call. */
void send_refusal(struct conn *, enum stet_status, const char *why);
/* Answers OPTIONS: the methods of the path, or what CORS allows a page of another origin. */
void send_options(struct conn *);
void send_continue(struct conn *);
/* Sends the head of a streamed reply (stream.c). The call stays the caller's. */
void send_stream_head(struct conn *, const struct rendered *, bool chunked);

#endif
