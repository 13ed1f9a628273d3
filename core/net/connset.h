/* connset.h - the connections of one worker: deadlines, draining. */
#ifndef CORE_NET_CONNSET_H
#define CORE_NET_CONNSET_H

#include "net/conn.h"

/* Reads the limits from the configuration. The caller frees `trusted`. */
void connset_limits(const struct conf *, struct conn_limits *);
struct connset *connset_new(struct loop *, const struct conn_limits *); /* takes the limits */
void connset_configure(struct connset *, const struct conn_limits *);
unsigned connset_count(struct connset *); /* from any thread */
/* Close some connections, those that have been idle longest. */
void connset_shed(struct connset *);
/* Closes idle connections, and the others after their replies; then calls `empty`. */
void connset_drain(struct connset *, void (*empty)(void *), void *);
void connset_abort(struct connset *);
void connset_free(struct connset *);

#endif
