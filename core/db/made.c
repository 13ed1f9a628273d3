/*
 * made.c - rows that no statement has read (stet_rows_made): values of a call, with the functions
 * for columns that a driver has.
 */
#include "base/log.h"
#include "db/driver.h"
#include "db/stmt.h"

struct made {
	struct stmt stmt;
	const struct stet_val *value;
	size_t count;
};

static const struct stet_val *
value(const struct stmt *s, int column)
{
	const struct made *m = (const struct made *)s;

	stet_assert(column >= 0 && (size_t)column < m->count);
	return &m->value[column];
}

static bool
is_null(const struct stmt *s, int column)
{
	return value(s, column)->type == STET_V_NULL;
}

static int64_t
integer(const struct stmt *s, int column)
{
	const struct stet_val *v = value(s, column);

	stet_assert(v->type == STET_V_INT || v->type == STET_V_NULL);
	return v->type == STET_V_INT ? v->u.i : 0;
}

static double
real(const struct stmt *s, int column)
{
	const struct stet_val *v = value(s, column);

	return v->type == STET_V_REAL ? v->u.r : (double)integer(s, column);
}

static const char *
text(const struct stmt *s, int column, size_t *len)
{
	const struct stet_val *v = value(s, column);

	stet_assert(v->type == STET_V_TEXT || v->type == STET_V_NULL);
	if (len != NULL)
		*len = v->len;
	return v->type == STET_V_TEXT ? v->u.s : NULL;
}

static const void *
blob(const struct stmt *s, int column, size_t *len)
{
	const struct stet_val *v = value(s, column);

	stet_assert(v->type == STET_V_BLOB || v->type == STET_V_NULL);
	*len = v->len;
	return v->type == STET_V_BLOB ? v->u.b : NULL;
}

static const struct db_driver made = {
	.is_null = is_null, .integer = integer, .real = real, .text = text, .blob = blob
};

void
stet_rows_made(struct stet_call *call, struct stet_rows *rows, const struct stet_val *v, size_t n)
{
	struct made *m = stet_alloc(call, sizeof(*m));

	m->stmt.driver = &made;
	m->stmt.copied = true;
	m->value = v;
	m->count = n;
	*rows = (struct stet_rows){ .call = call, .stmt = &m->stmt, .first = true };
}
