/* stream.h - replies that leave while their handler runs (STET_STREAM). */
#ifndef CORE_STREAM_H
#define CORE_STREAM_H

#include "net/conn.h"

/* Make the call a streaming one, before it is dispatched. */
void stream_begin(struct stet_call *, struct exchange *);
/* A call of the read lane is to wait: what it has written leaves. */
void stream_part(struct stet_call *);
/* Some output left: the handler may go on. */
void stream_moved(struct conn *);
/* Has some of the reply left? */
bool stream_began(const struct exchange *);
/* The client is gone: the handler's next write fails. */
void stream_dead(struct exchange *);
/* The handler is through. false: nothing was streamed, an ordinary reply is due. Else the reply was
 * ended, or the connection dropped when the handler failed halfway. */
bool stream_end(struct conn *);

#endif
