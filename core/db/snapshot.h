/*
 * snapshot.h - read transactions that calls of an event loop share. Beginning a transaction costs
 * more than many reads, so it may stay open when its call ends: the next call of the same site uses
 * it if nothing was committed since, and the worker ends it as soon as it is idle.
 */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include "call/stamp.h"
#include <stdbool.h>
#include <stet/call.h>

struct db;
struct site;

/* Lets read transactions of this thread outlive their calls. arm(arg) is called when one does; the
 * thread then calls snapshot_rest as soon as it has nothing else to do. */
void snapshot_share(void (*arm)(void *), void *arg);
void snapshot_rest(void);

/* Begins the read transaction of a call, or gives it the one that stayed open. Returns SQLite's
 * result code. For rows.c. */
int snapshot_begin(struct stet_call *, struct db *);
/* The call that uses it ends. For rows.c. */
void snapshot_leave(struct db *);
/* Ends the transaction that stayed open on this connection, if there is one. For reader.c. */
void snapshot_drop(struct db *);
/* A state of a database. States that connections of different threads have seen may be compared. */
struct snapshot_state {
	struct stamp stamp;
	bool known; /* false: a commit was in progress, or the database cannot be read */
};
/* Which state the snapshot of the call shows: the number of commits of this process, and the state
 * with the commits of all processes. Returns false if the database cannot be read. */
bool snapshot_seen(struct stet_call *, uint64_t *commits, struct snapshot_state *);
/* Returns the state as it is now. For threads that run no call. */
struct snapshot_state snapshot_now(struct site *);
/* Returns false also if one of the states is not known. */
bool snapshot_same(const struct snapshot_state *, const struct snapshot_state *);

#endif
