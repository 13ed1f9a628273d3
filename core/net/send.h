/* send.h - replies onto the wire. */
#ifndef CORE_SEND_H
#define CORE_SEND_H

#include "net/conn.h"
#include "op/reply.h"

/* Answer the call at hand with what it rendered to; the call is the sender's now. false: its body
 * is compressed in another thread, and call->done comes once more. */
bool send_reply(struct conn *);
/* Answer a request that never became a call. */
void send_refusal(struct conn *, enum stet_status, const char *why);
/* OPTIONS: what the path allows, or what a page of another origin may do. */
void send_options(struct conn *);
void send_continue(struct conn *);
/* The head of a reply that comes in pieces (stream.c). The call stays the caller's. */
void send_stream_head(struct conn *, const struct rendered *, bool chunked);

#endif
