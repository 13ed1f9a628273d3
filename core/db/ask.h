/*
 * ask.h - questions to a database that no call asks: its site may not be open, and it may be a
 * copy.
 */
#ifndef CORE_DB_ASK_H
#define CORE_DB_ASK_H

#include <jansson.h>
#include <stdbool.h>

/* Whether a database is there. */
enum db_there { DB_THERE, DB_NOT_THERE, DB_UNKNOWN /* its server does not answer */ };
/* `place` as db_open takes it. */
enum db_there db_there(const char *place);

/* Runs fn for each row of a query with `columns` columns, which are text or NULL. Others may have
 * the database open; nothing is written. Returns false with *why on error, which the caller
 * frees. */
bool db_ask(const char *place, const char *sql, int columns,
    void (*fn)(void *arg, const char *const *column), void *arg, char **why);
/* Tells whether there is a table of this name, which has no quotes in it. Fails like db_ask. */
bool db_ask_table(const char *place, const char *table, bool *has, char **why);

/* Reads the journals of migrations: {"module": {"version": n, "digest": "..."}} with the latest of
 * each module. Returns NULL with *why on error, which the caller frees. */
json_t *db_ask_journal(const char *place, char **why);

#endif
