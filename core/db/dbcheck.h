/* dbcheck.h - what SQLite finds wrong with a database. */
#ifndef CORE_DBCHECK_H
#define CORE_DBCHECK_H

#include <jansson.h>
#include <stdbool.h>

/* Damage of the file, and rows that refer to what is not there: texts are added to the arrays. */
void dbcheck_run(const char *path, json_t *database, json_t *references);

/* Run fn for each row of a query, which has `columns` columns; they are text or NULL. The database
 * may be one that others have open; nothing is written. false: *why, to be freed. */
bool dbcheck_texts(const char *path, const char *sql, int columns,
    void (*fn)(void *arg, const char *const *column), void *arg, char **why);

#endif
