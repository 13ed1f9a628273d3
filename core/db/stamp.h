/*
 * stamp.h - the state of a site's database as 48 bytes. Each commit of any process changes these
 * bytes.
 */
#ifndef CORE_STAMP_H
#define CORE_STAMP_H

#include "call/stamp.h"
#include <stdbool.h>

struct db;

/* Reads the state that a read transaction on this connection would see if it began now. It
 * includes every commit whose response any client has received. Returns false while it cannot be
 * told. */
bool stamp_read(struct db *, struct stamp *);
bool stamp_same(const struct stamp *, const struct stamp *);

#endif
