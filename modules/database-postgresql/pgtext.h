/*
 * pgtext.h - SQL as modules write it (core/adr/0041), read and written again for PostgreSQL:
 * parameters, names of types, and keys that number rows. Whatever else differs is not written by
 * modules (make portable).
 */
#ifndef PGTEXT_H
#define PGTEXT_H

#include "base/buf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pg_kind {
	PG_QUERY,
	PG_CHANGE, /* of rows */
	PG_DEFINE, /* of tables and indexes */
	PG_OTHER /* not for modules */
};

struct pg_text {
	enum pg_kind kind;
	uint64_t writes; /* the tables whose rows it changes, as bits (txslot.h) */
	/* DELETE: its table, as it stands in the text; rows that refer to it may go, too. */
	const char *from;
	size_t from_length;
	bool renames; /* a table or a column */
	int parameters; /* the greatest number of one */
	/* A query that ends with LIMIT and its last parameter: where that is in what was appended;
	 * 0: none. */
	size_t limit;
	size_t begins; /* where in the text its first word is */
	size_t used; /* bytes of the text that were read: to the end of the first statement */
};

/* Reads the first statement of a text, and appends it for PostgreSQL. Nothing is appended if there
 * is none. */
struct pg_text pgtext_read(const char *sql, struct buf *out);
/* Returns true if a plugin may run this statement, which defines something: on one table or index
 * whose name is its own. */
bool pgtext_own(const char *plugin, const char *sql);

#endif
