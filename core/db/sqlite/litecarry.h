/* litecarry.h - a file of SQLite that is copied into another database, or made as a copy. */
#ifndef CORE_LITECARRY_H
#define CORE_LITECARRY_H

#include "db/carry.h"

extern const struct db_carrier litecarry;

#endif
