/*
 * pgcopy.c - reads and writes all rows of a table by COPY in its binary form
 * (postgresql.org/docs/current/sql-copy.html): 19 bytes, then for each row the number of its
 * columns in 2 bytes, and each value with its length before it in 4.
 */
#include "pgcopy.h"
#include "base/arena.h"
#include "pgend.h"
#include "pgvalue.h"
#include <stdlib.h>
#include <string.h>

#define HEAD 19 /* bytes before the first row */
#define SEND 65536 /* bytes that are sent at once */
#define VALUE_MAX 0x3fffffff /* bytes of one value, by PostgreSQL */

/* Appends the quoted name of the table, or the quoted names of its columns. */
static void
put_names(struct pg_end *p, struct buf *sql, const struct carry_table *t, bool columns)
{
	size_t n = columns ? t->columns : 1;

	for (size_t i = 0; i < n; i++) {
		const char *name = columns ? t->column[i] : t->name;
		char *quoted = PQescapeIdentifier(p->conn, name, strlen(name));

		buf_printf(sql, "%s%s", i > 0 ? ", " : "", quoted);
		PQfreemem(quoted);
	}
}

/* Learns the types of a table's columns. */
static bool
learn(struct pg_end *p, const struct carry_table *t)
{
	struct buf sql = { 0 };
	PGresult *r;

	buf_str(&sql, "SELECT ");
	put_names(p, &sql, t, true);
	buf_str(&sql, " FROM ");
	put_names(p, &sql, t, false);
	buf_str(&sql, " LIMIT 0");
	r = pgend_ask(p, sql.data, NULL);
	buf_free(&sql);
	p->table = t;
	free(p->type);
	p->type = xcalloc(t->columns + 1, sizeof(*p->type));
	for (size_t i = 0; r != NULL && i < t->columns; i++)
		p->type[i] = PQftype(r, (int)i);
	PQclear(r);
	return r != NULL;
}

/* Begins to copy the rows of a table, `where` COPY has them: "TO STDOUT". */
static bool
begin(struct pg_end *p, const struct carry_table *t, const char *where, ExecStatusType wanted)
{
	struct buf sql = { 0 };
	PGresult *r;

	if (!learn(p, t))
		return false;
	buf_str(&sql, "COPY ");
	put_names(p, &sql, t, false);
	buf_str(&sql, " (");
	put_names(p, &sql, t, true);
	buf_printf(&sql, ") %s (FORMAT binary)", where);
	r = pgend_checked(p, PQexec(p->conn, sql.data), wanted);
	buf_free(&sql);
	PQclear(r);
	return r != NULL;
}

/* ---- reading ---- */

bool
pgcopy_read(struct carry_end *end, const struct carry_table *t)
{
	return begin(pg(end), t, "TO STDOUT", PGRES_COPY_OUT);
}

/* After the last row: the end of the COPY. */
static bool
read_end(struct pg_end *p)
{
	PGresult *r;
	bool good = true;

	while ((r = PQgetResult(p->conn)) != NULL) {
		if (PQresultStatus(r) != PGRES_COMMAND_OK)
			good = pgend_failed(p, r);
		PQclear(r);
	}
	return good;
}

static uint32_t
number(const char *at, int bytes)
{
	uint32_t n = 0;

	for (int i = 0; i < bytes; i++)
		n = n << 8 | (unsigned char)at[i];
	return n;
}

static bool
take_value(struct pg_end *p, size_t i, struct pg_cell cell, struct stet_val *v)
{
	if (cell.data == NULL)
		*v = stet_val_null();
	else if (cell.type == PG_INT8)
		*v = stet_val_int(pgvalue_int(&cell));
	else if (cell.type == PG_FLOAT8)
		*v = stet_val_real(pgvalue_real(&cell));
	else if (cell.type == PG_TEXT)
		*v = stet_val_strn(cell.data, (size_t)cell.len);
	else if (cell.type == PG_BYTEA)
		*v = stet_val_blob(cell.data, (size_t)cell.len);
	else
		return carry_fail(&p->end, "%s.%s has a type that no table of a site has",
		    p->table->name, p->table->column[i]);
	return true;
}

/* Reads a row of a message: *more false at the one that ends the COPY. */
static bool
take_row(struct pg_end *p, const char *at, const char *to, struct stet_val *v, bool *more)
{
	uint32_t columns;

	if (to - at >= HEAD && memcmp(at, "PGCOPY\n\377\r\n", 11) == 0)
		at += HEAD;
	columns = to - at >= 2 ? number(at, 2) : 0;
	*more = columns != 0xffff;
	if (!*more)
		return true;
	at += 2;
	for (size_t i = 0; i < p->table->columns; i++) {
		struct pg_cell cell = { .type = p->type[i], .len = -1 };

		if (columns == p->table->columns && to - at >= 4)
			cell.len = (int)number(at, 4);
		else
			return carry_fail(&p->end, "a row of %s is cut off", p->table->name);
		at += 4;
		cell.data = cell.len >= 0 ? at : NULL;
		if (cell.len > to - at)
			return carry_fail(&p->end, "a row of %s is cut off", p->table->name);
		if (!take_value(p, i, cell, &v[i]))
			return false;
		at += cell.len > 0 ? cell.len : 0;
	}
	return true;
}

bool
pgcopy_next(struct carry_end *end, struct stet_val *v, bool *more)
{
	struct pg_end *p = pg(end);
	int len;

	PQfreemem(p->message);
	p->message = NULL;
	*more = false;
	len = PQgetCopyData(p->conn, &p->message, 0);
	if (len < 0)
		return read_end(p);
	if (!take_row(p, p->message, p->message + len, v, more))
		return false;
	return *more || pgcopy_next(end, v, more);
}

bool
pgcopy_count(struct carry_end *end, const struct carry_table *t, uint64_t *rows)
{
	struct pg_end *p = pg(end);
	struct buf sql = { 0 };
	PGresult *r;

	buf_str(&sql, "SELECT count(*) FROM ");
	put_names(p, &sql, t, false);
	r = pgend_ask(p, sql.data, NULL);
	*rows = r != NULL ? strtoull(PQgetvalue(r, 0, 0), NULL, 10) : 0;
	buf_free(&sql);
	PQclear(r);
	return r != NULL;
}

/* ---- writing ---- */

bool
pgcopy_write(struct carry_end *end, const struct carry_table *t)
{
	static const char head[HEAD] = "PGCOPY\n\377\r\n";
	struct pg_end *p = pg(end);

	if (!begin(p, t, "FROM STDIN", PGRES_COPY_IN))
		return false;
	p->out.len = 0;
	buf_add(&p->out, head, sizeof(head));
	return true;
}

static void
add_number(struct buf *b, uint64_t n, int bytes)
{
	while (bytes-- > 0)
		buf_char(b, (char)(n >> (8 * bytes) & 0xff));
}

static bool
refuse(struct pg_end *p, size_t i, const char *what)
{
	return carry_fail(&p->end, "%s.%s holds %s, which it cannot in PostgreSQL", p->table->name,
	    p->table->column[i], what);
}

/* A value of a column of numbers: 8 bytes. */
static bool
add_eight(struct pg_end *p, size_t i, const struct stet_val *v)
{
	static const char *const kinds[] = { [STET_V_INT] = "a whole number",
		[STET_V_REAL] = "a number with a fraction",
		[STET_V_TEXT] = "a text",
		[STET_V_BLOB] = "a blob" };
	double real = v->type == STET_V_REAL ? v->u.r : (double)v->u.i;
	uint64_t bits = (uint64_t)v->u.i;

	if (v->type != STET_V_INT && (v->type != STET_V_REAL || p->type[i] != PG_FLOAT8))
		return refuse(p, i, kinds[v->type]);
	if (p->type[i] == PG_FLOAT8)
		memcpy(&bits, &real, sizeof(bits));
	add_number(&p->out, 8, 4);
	add_number(&p->out, bits, 8);
	return true;
}

static bool
add_value(struct pg_end *p, size_t i, const struct stet_val *v)
{
	bool text = p->type[i] == PG_TEXT;

	if (v->type == STET_V_NULL) {
		add_number(&p->out, 0xffffffff, 4);
		return true;
	}
	if (!text && p->type[i] != PG_BYTEA)
		return add_eight(p, i, v);
	if (v->type == STET_V_INT || v->type == STET_V_REAL)
		return refuse(p, i, "a number");
	if (text && v->type == STET_V_BLOB)
		return refuse(p, i, "a blob");
	if (text && v->len > 0 && memchr(v->u.s, '\0', v->len) != NULL)
		return refuse(p, i, "a text with the character U+0000");
	if (v->len > VALUE_MAX)
		return refuse(p, i, "a value of more than a gigabyte");
	add_number(&p->out, v->len, 4);
	if (v->len > 0)
		buf_add(&p->out, v->u.b, v->len);
	return true;
}

static bool
flush(struct pg_end *p)
{
	bool good = PQputCopyData(p->conn, p->out.data, (int)p->out.len) == 1;

	p->out.len = 0;
	return good || carry_fail(&p->end, "PostgreSQL: %s", PQerrorMessage(p->conn));
}

bool
pgcopy_put(struct carry_end *end, const struct stet_val *v)
{
	struct pg_end *p = pg(end);

	add_number(&p->out, p->table->columns, 2);
	for (size_t i = 0; i < p->table->columns; i++)
		if (!add_value(p, i, &v[i]))
			return false;
	return p->out.len < SEND || flush(p);
}

bool
pgcopy_wrote(struct carry_end *end)
{
	struct pg_end *p = pg(end);
	bool good;

	add_number(&p->out, 0xffff, 2);
	good = flush(p) && PQputCopyEnd(p->conn, NULL) == 1;
	return read_end(p) && good;
}
