/* pgcode.h - the errors of PostgreSQL in the classes of core/db/error.h. */
#ifndef PGCODE_H
#define PGCODE_H

#include "pgconn.h"

/* Notes the error of a result for pgcode_message. */
enum db_error pgcode_note(struct pg_db *, const PGresult *);
/* Notes an error of the driver itself. */
enum db_error pgcode_say(struct pg_db *, enum db_error, const char *why);
/* The error that has ended the transaction, which pgcode_message then tells; DB_OK: none. */
enum db_error pgcode_lost(struct pg_db *);
const char *pgcode_message(struct db *);

#endif
