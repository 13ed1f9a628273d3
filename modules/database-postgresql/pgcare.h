/* pgcare.h - upkeep: statistics, from which the server chooses its plans; the row of site_state. */
#ifndef PGCARE_H
#define PGCARE_H

#include "pgconn.h"

/* Pages of site_state above which it is written anew; usually it has one or two. */
#define PGCARE_PAGES 64
#define PGCARE_PAGES_TEXT "64"

/* After a batch; while the site is idle; before the connection is closed. See core/db/driver.h. */
void pgcare_tend(struct db *);
bool pgcare_rest(struct db *);
void pgcare_close(struct db *);

#endif
