/* lengths.h - how many words the rows of full-text tables have, kept in the memory of a connection.
 */
#ifndef MODULE_SEARCH_LENGTHS_H
#define MODULE_SEARCH_LENGTHS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct lengths;
/* A table as it was when a statement began to read it. Zero-initialised: none. */
struct lengths_view {
	const struct lengths *all;
	unsigned slot;
	uint64_t serial;
};

struct lengths *lengths_new(void);
/* Frees the stored lengths. Views have no rows then. */
void lengths_empty(struct lengths *);
void lengths_free(struct lengths *);

/* Begins to read a full-text table with so many columns. The view has no rows in a transaction that
 * writes, for tables that are not asked often, and for large ones. Returns a code of SQLite. */
int lengths_begin(
    struct lengths *, sqlite3 *, const char *table, int columns, struct lengths_view *);
/* The words of each column of a row. Returns false if they are not kept: ask FTS5. */
bool lengths_get(const struct lengths_view *, int64_t row, int columns, int32_t *out);

#endif
