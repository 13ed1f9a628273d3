/* pgend.h - a schema that is copied into another database, or made as a copy: its connection. */
#ifndef PGEND_H
#define PGEND_H

#include "base/buf.h"
#include "db/carry.h"
#include "pgconn.h"
#include <libpq-fe.h>

struct pg_end {
	struct carry_end end;
	struct pg_db at; /* no connection of the driver: the place and the mode */
	PGconn *conn;
	char *final; /* the name that the new schema gets in the end; NULL: it has it */
	char *mark, *session; /* what its commit is known by, and who makes it (pgkeep.h) */
	struct carry_tables later; /* what was put off: as their columns, statements */

	const struct carry_table *table; /* that is read or written */
	Oid *type; /* of its columns */
	char *message; /* of COPY: the row that is read */
	struct buf out; /* rows that are not sent yet */
};

static inline struct pg_end *
pg(struct carry_end *end)
{
	return (struct pg_end *)end;
}

/* Notes what the server has said, with the place in a COPY. Returns false. */
bool pgend_failed(struct pg_end *, const PGresult *);
/* Returns the result if it is of this kind; otherwise NULL, with the reason noted. */
PGresult *pgend_checked(struct pg_end *, PGresult *, ExecStatusType wanted);
/* Runs a statement without rows. */
bool pgend_run(struct pg_end *, const char *sql);
/* Returns the rows of a query as texts, or NULL; $1 is the value, which may be NULL. */
PGresult *pgend_ask(struct pg_end *, const char *sql, const char *value);

#endif
