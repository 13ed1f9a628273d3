/*
 * pgvalue.h - values as PostgreSQL sends and takes them, in its binary form, and as modules know
 * them: integers, real numbers, texts and blobs.
 */
#ifndef PGVALUE_H
#define PGVALUE_H

#include "base/arena.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>
#include <stet/sql.h>

/* OIDs of types (pg_type.dat). */
enum pg_type {
	PG_BOOL = 16,
	PG_BYTEA = 17,
	PG_INT8 = 20,
	PG_INT2 = 21,
	PG_INT4 = 23,
	PG_TEXT = 25,
	PG_FLOAT4 = 700,
	PG_FLOAT8 = 701,
	PG_VARCHAR = 1043,
	PG_NUMERIC = 1700
};

/* A column of a row. */
struct pg_cell {
	Oid type;
	int len;
	const char *data; /* NULL: no value */
};

int64_t pgvalue_int(const struct pg_cell *);
double pgvalue_real(const struct pg_cell *);
/* A text of a number lives in the arena; other texts where the cell does. */
const char *pgvalue_text(const struct pg_cell *, struct arena *, size_t *len);

/* A value to be sent for a parameter of this type. */
struct pg_sent {
	const char *data; /* NULL: no value */
	int len, format;
};

/* Returns false if a value of that type cannot be made of it. */
bool pgvalue_send(const struct stet_val *, Oid type, struct arena *, struct pg_sent *);

#endif
