/*
 * connpool.h - the read connections of a site whose engine is elsewhere (db_far): a bounded number
 * for the whole process, which threads borrow while they read. A connection that is given back
 * stays open, with its prepared statements and what modules have cached with it.
 */
#ifndef CORE_DB_CONNPOOL_H
#define CORE_DB_CONNPOOL_H

#include "db/db.h"

struct connpool;

/* At most `most` connections are open at a time; who finds none free waits for `patience`
 * milliseconds. */
struct connpool *connpool_new(const char *place, unsigned most, int64_t patience);
/* Frees it. No connection is borrowed. */
void connpool_free(struct connpool *);

/* Returns the connection that this thread has borrowed already, or borrows one: until
 * connpool_give was called as often. `few`: this thread is one of those that together get at most
 * half. `by`: clock_monotonic, until when the connection must be there; 0: as long as usual. NULL
 * if none was free, or none can be opened; the reason is in the log. */
struct db *connpool_take(struct connpool *, bool few, int64_t by);
void connpool_give(struct db *);
/* Returns true if its server is near (db/dbstats.h). */
bool connpool_near(const struct connpool *);
/* Until connpool_beyond(false), this thread may borrow one more than there are: others wait for
 * what it does, and keep theirs meanwhile. At most one thread of a site does that at a time. */
void connpool_beyond(bool begins);

#endif
