/* filesend.h - the bytes of a file onto a connection, as the peer takes them. */
#ifndef CORE_FILESEND_H
#define CORE_FILESEND_H

#include "net/conn.h"

/* The head has been queued: the state is CONN_FILE from here on. */
void filesend_begin(struct conn *);
/* Some more. true: all has left, and the call with it; false: the conn waits, or is dropped. */
bool filesend_step(struct conn *);
/* It is we who are slow: the file is read from the disk. */
bool filesend_waits(const struct conn *);
/* It ends here, whether all has left or not: count it, and stop waiting for room. */
void filesend_drop(struct conn *);

#endif
