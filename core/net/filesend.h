/* filesend.h - sending a file to a connection at the speed of the peer. */
#ifndef CORE_FILESEND_H
#define CORE_FILESEND_H

#include "net/conn.h"

/* Begins after the head has been queued: the state is CONN_FILE from here on. */
void filesend_begin(struct conn *);
/* Sends some more. Returns true if all has left, and the call with it; false if the connection
 * waits, or is broken. */
bool filesend_step(struct conn *);
/* Returns true while the file is being read from the disk: the delay is ours, not the peer's. */
bool filesend_waits(const struct conn *);
/* Ends the file, whether all of it has left or not: counts it, and stops waiting for room. */
void filesend_drop(struct conn *);

#endif
