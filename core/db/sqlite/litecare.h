/* litecare.h - when a database of SQLite is checkpointed. See struct db_driver. */
#ifndef CORE_DB_LITECARE_H
#define CORE_DB_LITECARE_H

#include "db/sqlite/liteconn.h"

void litecare_tend(struct db *);
bool litecare_rest(struct db *);
void litecare_idle(struct db *);
void litecare_settle(struct db *);

#endif
