/* stream.h - replies that are sent while their handler runs (STET_STREAM). */
#ifndef CORE_STREAM_H
#define CORE_STREAM_H

#include "net/conn.h"

/* Makes the call a streaming one. Call it before the op is dispatched. */
void stream_begin(struct stet_call *, struct exchange *);
/* A call of the read lane is about to be parked: sends what it has written so far. */
void stream_part(struct stet_call *);
/* Some output has left: lets the handler continue. */
void stream_moved(struct conn *);
/* Returns true if a part of the reply has been sent. */
bool stream_began(const struct exchange *);
/* The client is gone: the handler's next write fails. */
void stream_dead(struct exchange *);
/* The handler has ended. Returns false if it streamed nothing, and an ordinary reply is due.
 * Otherwise ends the reply, or marks the connection broken if the handler failed
 * halfway. */
bool stream_end(struct conn *);

#endif
