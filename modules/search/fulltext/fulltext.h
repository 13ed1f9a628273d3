/*
 * fulltext.h - full-text tables in the conditions of other tables, where rows stand in many of
 * them (the shards of search): SQL has no way to choose a table by a value.
 *
 *	stet_fts_has(table, n, match)	is 1 if row n of the FTS5 table matches, or else 0
 *	stet_fts(table, match)		the numbers of the rows that match, as its column n
 *
 * `match` is an expression of FTS5, the same throughout a statement. A table that is not there is
 *an error. Both are bounded: a statement that asks for more than FULLTEXT_PROBES rows, or is given
 *more than FULLTEXT_ROWS, ends as one that took too long (SQLITE_INTERRUPT).
 */
#ifndef MODULE_SEARCH_FULLTEXT_H
#define MODULE_SEARCH_FULLTEXT_H

#include <sqlite3.h>

#define FULLTEXT_PROBES 200000
#define FULLTEXT_ROWS 200000

/* Adds both to a connection. Returns a code of SQLite. */
int fulltext_install(sqlite3 *);

#endif
