/*
 * fulltext.h - full-text tables in SQL conditions, if each row of the other table may be in
 * another full-text table (the shards of search): SQL cannot choose a table by a value.
 *
 *	stet_fts_has(table, n, match)	is 1 if row n of the FTS5 table matches, or else 0
 *	stet_fts(table, match)		the numbers of the rows that match, as its column n
 *
 * `match` is an FTS5 expression, the same throughout a statement. A table that does not exist is an
 * error. Both are limited: a statement that tests more than FULLTEXT_PROBES rows, or gets more than
 * FULLTEXT_ROWS, fails with SQLITE_INTERRUPT, as one that takes too long does.
 */
#ifndef MODULE_SEARCH_FULLTEXT_H
#define MODULE_SEARCH_FULLTEXT_H

#include <sqlite3.h>

#define FULLTEXT_PROBES 200000
#define FULLTEXT_ROWS 200000

/* Adds stet_fts_has and stet_fts to a connection. Returns an SQLite result code. */
int fulltext_install(sqlite3 *);

#endif
