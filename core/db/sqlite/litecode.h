/* litecode.h - SQLite's result codes as classes of errors (db/error.h), and in words. */
#ifndef CORE_DB_LITECODE_H
#define CORE_DB_LITECODE_H

#include "db/sqlite/liteconn.h"

/* Returns the class of an (extended) result code, and notes it for litecode_message. */
enum db_error litecode(struct sqlite_db *, int rc);
/* The same for an error of which SQLite has no words: `why` is kept. */
enum db_error litecode_denied(struct sqlite_db *, const char *why);
const char *litecode_message(struct db *);

#endif
