/*
 * pgindex.h - makes indexes while others read and write their tables (CREATE INDEX CONCURRENTLY),
 * on a connection of its own in mode DB_ASIDE. It takes as long as the table is large, and nobody
 * waits for it.
 */
#ifndef PGINDEX_H
#define PGINDEX_H

#include "pgconn.h"

/* See struct db_driver. */
enum db_error pgindex_begin(struct db *, const char *name, const char *sql);
enum db_error pgindex_end(struct db *, bool *over);
/* Ends what makes indexes of this schema, by whichever daemon: a definition waits for the lock of
 * the table. It is made again. */
enum db_error pgindex_yield(struct pg_db *);

#endif
