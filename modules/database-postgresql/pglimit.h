/*
 * pglimit.h - queries that end with LIMIT and a parameter. PostgreSQL cannot plan them once for
 * all: a plan for any limit expects a tenth of the rows, so each run would be planned anew. Clients
 * ask for few sizes of pages, so a limit that comes again is written into a statement of its own.
 */
#ifndef PGLIMIT_H
#define PGLIMIT_H

#include "pgconn.h"

#define PGLIMIT_VALUES 4 /* of a statement */

struct pg_limit {
	size_t at; /* where in the text the parameter begins, which is the last; 0: none */
	struct pg_limited {
		int64_t value;
		unsigned uses; /* 0: free */
		unsigned generation; /* the connection for which it is prepared; 0: none */
		unsigned long long name;
	} value[PGLIMIT_VALUES];
};

/* Returns the statement for this limit, which may be prepared first, and takes one value less; NULL
 * with *error DB_OK: there is none. `type`: of the other parameters. */
const struct pg_limited *pglimit_for(struct pg_db *, struct pg_limit *, const char *text,
    const struct stet_val *limit, const Oid *type, int others, enum db_error *error);
/* Frees what is prepared on this connection. */
void pglimit_drop(struct pg_db *, const struct pg_limit *);

#endif
