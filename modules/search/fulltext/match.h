/*
 * match.h - SQL functions for queries of FTS5 tables with MATCH: what FTS5 gives only to functions
 * in C.
 *
 * stet_match(table, name) tells where the phrases of the query stand in the row; `name` is the
 * table's, for what is kept of it (lengths.h). Ranking is the module's work. The result is a blob
 * of int32_t in the byte order of the machine: the number of columns, the length of each in words,
 * the mean length of each in 256ths of a word, then MATCH_PLACE numbers for each place: phrase,
 * column, first word, last word. At most MATCH_COLUMNS and MATCH_PLACES of them.
 *
 * stet_snippet(table, n) is a part of the row, up to n words (at most SNIPPET_WORDS) of the column
 * where the most phrases are near each other, from the beginning of a sentence if it can be. The
 * phrases are between the bytes 1 and 2; "..." stands where the text goes on. With a
 * column and a number of words, stet_snippet(table, n, column, words), only phrases in the first
 * words of that column count. The result is NULL if there is none.
 *
 * stet_snippet_of(table, n, rowid, rows) is the same for a row whose places are known, so the
 * statement needs no MATCH. `rows` is a blob of int32_t, for each of some rows: the rowid, the
 * number of its places, and the places as stet_match returns them.
 */
#ifndef MODULE_SEARCH_MATCH_H
#define MODULE_SEARCH_MATCH_H

#include <sqlite3.h>
#include <stdint.h>

struct lengths;

#define MATCH_COLUMNS 128
#define MATCH_PLACES 512
#define MATCH_PLACE 4 /* numbers of a place */

#define SNIPPET_WORDS 64
#define SNIPPET_ON "\x01"
#define SNIPPET_OFF "\x02"
#define SNIPPET_MORE "..."

/* These have FTS5's type fts5_extension_function (snippet.c). */
void snippet(
    const Fts5ExtensionApi *, Fts5Context *, sqlite3_context *, int n, sqlite3_value **args);
void snippet_of(
    const Fts5ExtensionApi *, Fts5Context *, sqlite3_context *, int n, sqlite3_value **args);

/* Adds the functions to a connection, which keeps lengths of texts in `lengths` (lengths.h) while
 * it is open. Returns a code of SQLite; without FTS5 it does nothing. */
int match_install(sqlite3 *, struct lengths *);

#endif
