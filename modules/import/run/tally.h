/* tally.h - what a run has brought, counted in the database. */
#ifndef IMPORT_TALLY_H
#define IMPORT_TALLY_H

#include "state/run.h"

/* Counts items, their comments and terms, and the terms of the source, as they are here now, and
 * adds them to the account of the run. To be called at its end, while its map exists. */
STET_MUST enum stet_status tally(struct run *);

#endif
