/*
 * stamp.h - the state of a site's database, in 48 bytes of memory that all processes share. Each
 * commit makes another one, whoever made it: SQLite's readers tell by the same bytes whether what
 * they keep of the database is still good.
 */
#ifndef CORE_STAMP_H
#define CORE_STAMP_H

#include "call/stamp.h"
#include <stdbool.h>

struct db;

/* The state that a read transaction on this connection would see if it began now. What was answered
 * to anybody before is part of it. No system call, no lock. false: it cannot be told, which passes:
 * a commit is on its way, or nothing was read or written since the database was opened. */
bool stamp_read(struct db *, struct stamp *);
bool stamp_same(const struct stamp *, const struct stamp *);

#endif
