/* dbcheck.h - SQLite's integrity checks of a database, for `stet verify` and doctor. */
#ifndef CORE_DBCHECK_H
#define CORE_DBCHECK_H

#include "db/ask.h"

/* Adds a text to `database` for each damage of the file and to `references` for each row whose
 * foreign key has no target. */
void dbcheck_run(const char *path, json_t *database, json_t *references);

/* Runs fn for each row of a query with `columns` columns, which are text or NULL. Others may have
 * the database open; nothing is written. Returns false with *why on error, which the caller
 * frees. */
bool dbcheck_texts(const char *path, const char *sql, int columns,
    void (*fn)(void *arg, const char *const *column), void *arg, char **why);

/* See db_driver. */
enum db_there dbcheck_there(const char *path);
void dbcheck_all(const char *path, json_t *database, json_t *references, json_t *notes);

#endif
