/*
 * match.h - the SQL function stet_match(table), for queries of FTS5 tables with MATCH. It tells
 * where the phrases of the query stand in the row. Ranking is the module's work; FTS5 gives these
 * facts only to functions in C.
 *
 * The result is a blob of int32_t in the byte order of the machine: the number of columns, the
 * length of each in words, the mean length of each in 256ths of a word, then three numbers for
 * each place: phrase, column, word. At most MATCH_COLUMNS and MATCH_PLACES of them.
 */
#ifndef CORE_MATCH_H
#define CORE_MATCH_H

#include <sqlite3.h>

#define MATCH_COLUMNS 128
#define MATCH_PLACES 512

/* Adds the function to a connection. Returns a code of SQLite; without FTS5 it does nothing. */
int match_install(sqlite3 *);

#endif
