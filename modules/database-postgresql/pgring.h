/*
 * pgring.h - how daemons tell each other of commits: NOTIFY on the channel that has the name of the
 * schema. Connections of the mode DB_ASIDE listen there.
 */
#ifndef PGRING_H
#define PGRING_H

#include "pgconn.h"

enum db_error pgring_ring(struct db *);
int pgring_socket(struct db *);
bool pgring_heard(struct db *);

#endif
