/*
 * snapshot.h - read transactions that calls of an event loop share. Beginning a transaction costs
 * more than many reads, so it may stay open when its call ends: the next call of the same site uses
 * it if nothing was committed since, and the worker ends it as soon as it is idle.
 */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include "db/error.h"
#include <stdbool.h>

struct db;
struct stet_call;

/* Lets read transactions of this thread outlive their calls. arm(arg) is called when one does; the
 * thread then calls snapshot_rest as soon as it has nothing else to do. */
void snapshot_share(void (*arm)(void *), void *arg);
void snapshot_rest(void);
/* For engines that are asked for the state as a transaction begins (begin_read), whose transactions
 * end with their calls otherwise: from here on to the second call, with false, calls of this thread
 * share one of this connection. All of them must have arrived before. A statement that takes longer
 * than a transaction may take to begin fails with DB_GONE. */
void snapshot_turn(struct db *, bool begins);

/* Begins the read transaction of a call, or gives it the one that stayed open. For rows.c. */
enum db_error snapshot_begin(struct stet_call *, struct db *);
/* The call that uses it ends. For rows.c. */
void snapshot_leave(struct db *);
/* Ends the transaction that stayed open on this connection, if there is one. For reader.c. */
void snapshot_drop(struct db *);
/* Frees what modules have cached with its snapshots. For reader.c, before it is closed. */
void snapshot_forget(struct db *);

#endif
