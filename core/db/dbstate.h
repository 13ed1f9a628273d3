/*
 * dbstate.h - the state of a site's database that a call has read, and the present one. Two equal
 * states show that nothing was committed between them, by this or by another process.
 */
#ifndef CORE_DB_DBSTATE_H
#define CORE_DB_DBSTATE_H

#include "call/stamp.h"
#include <stdbool.h>
#include <stdint.h>

struct site;
struct stet_call;

/* A state of a database. States that connections of different threads have seen may be compared. */
struct dbstate {
	struct stamp stamp;
	bool known; /* false: a commit was in progress, or the database cannot be read */
};
/* Which state the snapshot of the call shows: the number of commits of this process, and the state
 * with the commits of all processes. Returns false if the database cannot be read. */
bool dbstate_seen(struct stet_call *, uint64_t *commits, struct dbstate *);
/* Returns the number of commits of this process that the call sees at least: if it has not begun to
 * read, all of them. */
uint64_t dbstate_commits(const struct stet_call *);
/* Returns the state as it is now. For threads that run no call. */
struct dbstate dbstate_now(struct site *);
/* Returns false also if one of the states is not known. */
bool dbstate_same(const struct dbstate *, const struct dbstate *);

#endif
