/* pgcode.h - the errors of PostgreSQL in the classes of core/db/error.h. */
#ifndef PGCODE_H
#define PGCODE_H

#include "pgconn.h"

/* The class of an SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html). `reads`: it comes
 * from a read transaction. NULL: the server said nothing, so the connection is lost. */
enum db_error pgcode_class(const char *sqlstate, bool reads);
/* Notes the error of a result for pgcode_message. */
enum db_error pgcode_note(struct pg_db *, const PGresult *);
/* Notes an error of the driver itself. */
enum db_error pgcode_say(struct pg_db *, enum db_error, const char *why);
const char *pgcode_message(struct db *);

#endif
