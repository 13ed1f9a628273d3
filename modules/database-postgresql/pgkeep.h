/* pgkeep.h - the last step of a copy into PostgreSQL, and what has become of it. */
#ifndef PGKEEP_H
#define PGKEEP_H

#include "pgend.h"

/* Gives the new schema a state that no daemon has seen, and notes by what its commit will be known.
 */
bool pgkeep_begin(struct pg_end *);
/* db_carrier.keep */
bool pgkeep(struct carry_end *);

#endif
