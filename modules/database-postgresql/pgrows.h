/*
 * pgrows.h - the rows of a statement, in portions: some are in memory, and the server holds the
 * rest back until they were read. If the connection is needed for something else before, the rest
 * goes to a temporary file.
 */
#ifndef PGROWS_H
#define PGROWS_H

#include "base/buf.h"
#include "pgvalue.h"
#include <libpq-fe.h>
#include <stdbool.h>

#define PGROWS_BYTES ((size_t)1 << 20) /* of rows in memory, at most, and that of one row */
#define PGROWS_ROWS 1000

struct pg_rows {
	PGresult **part; /* rows in memory, the current one in part[at] */
	size_t parts, room, at, count, bytes;
	int row; /* the current one in part[at]; -1: before the first */
	int columns;
	Oid *type; /* of the columns */

	int fd; /* of the temporary file, if `spilled` is not 0 */
	size_t spilled, taken; /* rows written to it; rows read from it */
	struct buf out; /* not written yet */
	struct buf in; /* read, from in_at on not taken yet */
	size_t in_at;
	struct pg_cell *cell; /* the current row, if it is from the file */

	bool done; /* the statement has ended, with `error` if that is not NULL */
	bool failed; /* the temporary file could not be written or read */
	PGresult *error;
};

/* Takes a result, which it frees later. `directory` is for the temporary file. */
void pgrows_take(struct pg_rows *, PGresult *, const char *directory);
/* As many rows are in memory as may be. */
static inline bool
pgrows_full(const struct pg_rows *r)
{
	return r->count >= PGROWS_ROWS || r->bytes >= PGROWS_BYTES;
}
/* Goes to the next row. Returns false if none is there now. */
bool pgrows_next(struct pg_rows *);
/* A column of the current row. */
struct pg_cell pgrows_cell(const struct pg_rows *, int column);
/* Frees all, and begins anew. */
void pgrows_clear(struct pg_rows *);

#endif
