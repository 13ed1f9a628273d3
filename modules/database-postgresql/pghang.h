/*
 * pghang.h - servers that hang: they do not answer, and attempts to connect take as long as they
 * may. So that calls do not stand behind each other, one attempt at a time is made, and others fail
 * at once.
 */
#ifndef PGHANG_H
#define PGHANG_H

#include "pgconn.h"

/* The server of this connection does not answer. */
void pghang_note(const struct pg_db *);
/* It answers. */
void pghang_over(const struct pg_db *);
/* Not long ago, it did not answer this or another connection. */
bool pghang_seen(const struct pg_db *);
/* Returns true if an attempt to connect may be made now. If the server hangs, it is the only one.
 */
bool pghang_may_try(const struct pg_db *);

#endif
