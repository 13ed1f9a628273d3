/*
 * litestate.h - the state of a database, read from memory that all processes share: the head of the
 * index of the WAL (SQLite's WalIndexHdr). SQLite's readers compare the same bytes to learn whether
 * their page cache is still valid.
 */
#ifndef CORE_DB_LITESTATE_H
#define CORE_DB_LITESTATE_H

#include "db/sqlite/liteconn.h"

/* See stamp_read. No system call, no lock. False while a commit is in progress. */
bool litestate_read(struct db *, struct stamp *);

#endif
