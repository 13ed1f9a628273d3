/* pgcare.h - upkeep: statistics, from which the server chooses its plans. */
#ifndef PGCARE_H
#define PGCARE_H

#include "pgconn.h"

/* After a batch; while the site is idle; before the connection is closed. See core/db/driver.h. */
void pgcare_tend(struct db *);
bool pgcare_rest(struct db *);
void pgcare_close(struct db *);

#endif
