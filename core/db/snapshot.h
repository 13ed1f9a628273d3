/* snapshot.h - read transactions that outlive their call for moments. */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include <stet/call.h>

struct db;
struct site;

/*
 * On a thread with an event loop: a read transaction may stay when its call ends, for the next call
 * of the same site, as long as nothing was committed, here or elsewhere. arm(arg) is called when
 * one stays; the thread then calls snapshot_rest as soon as it has nothing else to do.
 */
void snapshot_share(void (*arm)(void *), void *arg);
void snapshot_rest(void);

/* rows.c, reader.c: begin reading for this call (SQLite's result code); its call leaves; end what
 * is left over on this connection, if anything is. */
int snapshot_begin(struct stet_call *, struct db *);
void snapshot_leave(struct db *);
void snapshot_drop(struct db *);
/* What this call's snapshot has seen: commits of this process, and of all as this thread's
 * connection counts them. False: the database cannot be read. */
bool snapshot_seen(struct stet_call *, uint64_t *commits, int64_t *version);
/* The latter as it is now, for a thread that runs no call; -1: it cannot be read. */
int64_t snapshot_version(struct site *);

#endif
