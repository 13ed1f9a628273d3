/* pgcarry.h - a site in PostgreSQL that is copied into another database, or made as a copy. */
#ifndef PGCARRY_H
#define PGCARRY_H

#include "db/carry.h"

extern const struct db_carrier pgcarry;

#endif
