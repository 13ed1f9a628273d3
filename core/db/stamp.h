/*
 * stamp.h - the state of a site's database as 48 bytes, read from memory that all processes share.
 * Each commit of any process changes these bytes. SQLite's readers compare the same bytes to learn
 * whether their page cache is still valid.
 */
#ifndef CORE_STAMP_H
#define CORE_STAMP_H

#include "call/stamp.h"
#include <stdbool.h>

struct db;

/* Reads the state that a read transaction on this connection would see if it began now. It
 * includes every commit whose response any client has received. No system call, no lock. Returns
 * false while it cannot be told: a commit is in progress, or the connection has not read yet. */
bool stamp_read(struct db *, struct stamp *);
bool stamp_same(const struct stamp *, const struct stamp *);

#endif
