/*
 * pgcarry.c - reads all of a site's schema, or makes one as a copy (core/db/carry.h), by COPY in
 * its binary form (postgresql.org/docs/current/sql-copy.html): 19 bytes, then for each row the
 * number of its columns in 2 bytes, and each value with its length before it in 4.
 *
 * A new schema is made in one transaction, from the schema itself to the last index, so nothing of
 * it is left if the transaction does not commit. Keys that refer to other tables are dropped before
 * rows come, and made again of all of them: so the order of tables and of rows does not matter.
 */
#include "pgcarry.h"
#include "base/clock.h"
#include "base/words.h"
#include "pgconn.h"
#include "pgsite.h"
#include "pgtext.h"
#include "pgvalue.h"
#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 19 /* bytes before the first row */
#define SEND 65536 /* bytes that are sent at once */
#define VALUE_MAX 0x3fffffff /* bytes of one value, by PostgreSQL */

struct pg_end {
	struct carry_end end;
	struct pg_db at; /* no connection of the driver: the place and the mode */
	PGconn *conn;
	char *final; /* the name that the new schema gets in the end; NULL: it has it */
	struct carry_tables later; /* what was put off: as their columns, statements */

	const struct carry_table *table; /* that is read or written */
	Oid *type; /* of its columns */
	char *message; /* of COPY: the row that is read */
	struct buf out; /* rows that are not sent yet */
};

static inline struct pg_end *
pg(struct carry_end *end)
{
	return (struct pg_end *)end;
}

/* ---- statements ---- */

/* Notes what the server has said, with the place in a COPY, and the table if it is known. */
static bool
failed(struct pg_end *p, const PGresult *r)
{
	const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	const char *where = PQresultErrorField(r, PG_DIAG_CONTEXT);
	const char *detail = PQresultErrorField(r, PG_DIAG_MESSAGE_DETAIL);

	if (text == NULL)
		return carry_fail(&p->end, "PostgreSQL: %.*s",
		    (int)strcspn(PQerrorMessage(p->conn), "\n"), PQerrorMessage(p->conn));
	return carry_fail(&p->end, "PostgreSQL: %s%s%s%s%.*s", text, detail != NULL ? ": " : "",
	    detail != NULL ? detail : "", where != NULL ? ": " : "",
	    where != NULL ? (int)strcspn(where, "\n") : 0, where != NULL ? where : "");
}

/* Returns the result if it is of this kind; otherwise NULL, with the reason noted. */
static PGresult *
checked(struct pg_end *p, PGresult *r, ExecStatusType wanted)
{
	if (PQresultStatus(r) == wanted)
		return r;
	failed(p, r);
	PQclear(r);
	return NULL;
}

static bool
run(struct pg_end *p, const char *sql)
{
	PGresult *r = checked(p, PQexec(p->conn, sql), PGRES_COMMAND_OK);

	PQclear(r);
	return r != NULL;
}

/* Runs a statement that `fmt` makes of two names, which it quotes: %s. */
static bool
run_on(struct pg_end *p, const char *fmt, const char *a, const char *b)
{
	char *first = PQescapeIdentifier(p->conn, a, strlen(a));
	char *second = PQescapeIdentifier(p->conn, b, strlen(b)), *sql;
	const char *rest = strstr(fmt, "%s") + 2, *at = strstr(rest, "%s");
	bool good;

	sql = words_format("%.*s%s%.*s%s%s", (int)(rest - 2 - fmt), fmt, first,
	    at != NULL ? (int)(at - rest) : (int)strlen(rest), rest, at != NULL ? second : "",
	    at != NULL ? at + 2 : "");
	good = run(p, sql);
	free(sql);
	PQfreemem(first);
	PQfreemem(second);
	return good;
}

/* The rows of a query as texts; $1 is the value. */
static PGresult *
ask(struct pg_end *p, const char *sql, const char *value)
{
	const char *const values[] = { value };

	return checked(p,
	    PQexecParams(p->conn, sql, value != NULL ? 1 : 0, NULL, values, NULL, NULL, 0),
	    PGRES_TUPLES_OK);
}

/* ---- opening ---- */

static bool
connect(struct pg_end *p, enum db_mode mode)
{
	pgplace_read(&p->at.place, p->end.place);
	p->at.db.mode = mode;
	if ((p->conn = pgconn_dial(&p->at)) == NULL)
		return carry_fail(&p->end, "the database in PostgreSQL cannot be reached");
	/* The other end may take its time. */
	return run(p, "SET idle_in_transaction_session_timeout = 0");
}

static bool
open_to_read(struct carry_end *end)
{
	struct pg_end *p = pg(end);

	if (!connect(p, DB_READ))
		return false;
	if (pgsite_count(&p->at, p->conn, "site_state") <= 0)
		return carry_fail(
		    end, "the schema %s of the database holds no site", p->at.place.schema);
	return run(p, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

/* Takes a name of its own for the schema while a site is there, and finds one for that. */
static bool
make_way(struct pg_end *p)
{
	struct pg_place *place = &p->at.place;
	char now[CLOCK_TEXT_SIZE];

	if (pgsite_count(&p->at, p->conn, "site_state") <= 0)
		return carry_fail(&p->end,
		    "the schema %s of the database has tables, but not those of a site",
		    place->schema);
	p->final = place->schema;
	place->schema = words_format("stet_new_%08x", (unsigned)randombytes_random());
	clock_digits(clock_now(), now);
	for (char *c = now; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	/* Names have 63 bytes at most. */
	p->end.kept = words_format("%.38s_before_%s", p->final, now);
	return true;
}

static bool
make(struct carry_end *end)
{
	struct pg_end *p = pg(end);
	PGresult *r;
	int there;

	if (!connect(p, DB_WRITE))
		return false;
	if ((there = pgsite_count(&p->at, p->conn, NULL)) < 0)
		return carry_fail(end, "PostgreSQL: %s", PQerrorMessage(p->conn));
	if (there > 0 && !end->replace)
		return carry_fail(end, "the schema %s of the database holds %s", p->at.place.schema,
		    pgsite_count(&p->at, p->conn, "site_state") > 0 ? "a site already"
								    : "other tables");
	if (there > 0 && !make_way(p))
		return false;
	if (!run(p, "BEGIN") ||
	    !run_on(p, "SET LOCAL search_path = %s, pg_temp", p->at.place.schema, ""))
		return false;
	if (!pgsite_define(&p->at, p->conn))
		return carry_fail(end, "the schema %s cannot be made: %.*s", p->at.place.schema,
		    (int)strcspn(PQerrorMessage(p->conn), "\n"), PQerrorMessage(p->conn));
	/* A state that no daemon has seen. */
	r = ask(p,
	    "UPDATE site_state SET n = 1, mark = decode(replace(gen_random_uuid()::text, '-', ''),"
	    " 'hex') RETURNING n",
	    NULL);
	PQclear(r);
	return r != NULL;
}

/* What is not committed is rolled back with the end of the session. */
static void
close_end(struct carry_end *end)
{
	struct pg_end *p = pg(end);

	PQfreemem(p->message);
	PQfinish(p->conn);
	pgplace_free(&p->at.place);
	carry_free_tables(&p->later);
	buf_free(&p->out);
	free(p->final);
	free(p->type);
}

/* ---- definitions ---- */

static bool
definitions(struct carry_end *end, bool (*fn)(void *, const char *), void *arg)
{
	PGresult *r = ask(pg(end), "SELECT sql FROM site_ddl ORDER BY n", NULL);
	bool good = r != NULL;

	for (int i = 0; good && i < PQntuples(r); i++)
		good = fn(arg, PQgetvalue(r, i, 0));
	PQclear(r);
	return good;
}

/* The tables of the schema with their columns, whatever its name is now. */
static bool
tables(struct carry_end *end, struct carry_tables *list)
{
	struct pg_end *p = pg(end);
	PGresult *r = ask(p,
	    "SELECT t.relname, a.attname FROM pg_catalog.pg_class AS t"
	    " JOIN pg_catalog.pg_namespace AS s ON s.oid = t.relnamespace"
	    " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0"
	    " AND NOT a.attisdropped"
	    " WHERE s.nspname = $1 AND t.relkind = 'r' ORDER BY t.oid, a.attnum",
	    p->at.place.schema);

	for (int i = 0; r != NULL && i < PQntuples(r); i++) {
		const char *table = PQgetvalue(r, i, 0);

		if (pgsite_is_own(table))
			continue;
		if (list->count == 0 || strcmp(list->table[list->count - 1].name, table) != 0)
			carry_add_table(list, table);
		carry_add_column(list, PQgetvalue(r, i, 1));
	}
	PQclear(r);
	return r != NULL;
}

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
	r = ask(p, sql.data, NULL);
	buf_free(&sql);
	p->table = t;
	free(p->type);
	p->type = xcalloc(t->columns + 1, sizeof(*p->type));
	for (size_t i = 0; r != NULL && i < t->columns; i++)
		p->type[i] = PQftype(r, (int)i);
	PQclear(r);
	return r != NULL;
}

/* ---- reading ---- */

static bool
read_rows(struct carry_end *end, const struct carry_table *t)
{
	struct pg_end *p = pg(end);
	struct buf sql = { 0 };
	PGresult *r;

	if (!learn(p, t))
		return false;
	buf_str(&sql, "COPY ");
	put_names(p, &sql, t, false);
	buf_str(&sql, " (");
	put_names(p, &sql, t, true);
	buf_str(&sql, ") TO STDOUT (FORMAT binary)");
	r = checked(p, PQexec(p->conn, sql.data), PGRES_COPY_OUT);
	buf_free(&sql);
	PQclear(r);
	return r != NULL;
}

/* After the last row: the end of the COPY. */
static bool
read_end(struct pg_end *p)
{
	PGresult *r;
	bool good = true;

	while ((r = PQgetResult(p->conn)) != NULL) {
		if (PQresultStatus(r) != PGRES_COMMAND_OK)
			good = failed(p, r);
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

static bool
read_row(struct carry_end *end, struct stet_val *v, bool *more)
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
	return *more || read_row(end, v, more);
}

static bool
count_rows(struct carry_end *end, const struct carry_table *t, uint64_t *rows)
{
	struct pg_end *p = pg(end);
	struct buf sql = { 0 };
	PGresult *r;

	buf_str(&sql, "SELECT count(*) FROM ");
	put_names(p, &sql, t, false);
	r = ask(p, sql.data, NULL);
	*rows = r != NULL ? strtoull(PQgetvalue(r, 0, 0), NULL, 10) : 0;
	buf_free(&sql);
	PQclear(r);
	return r != NULL;
}

/* ---- writing ---- */

/* Makes it as a migration would, and notes it as one does. */
static bool
define(struct carry_end *end, const char *sql)
{
	struct pg_end *p = pg(end);
	struct buf text = { 0 };
	struct pg_text read = pgtext_read(sql, &text);
	const char *const values[] = { sql };
	PGresult *r = NULL;
	bool good;

	if (read.kind == PG_DEFINE)
		good = run(p, text.data);
	else
		good = carry_fail(end, "the statement \"%s\" makes nothing", sql);
	if (good)
		r = checked(p,
		    PQexecParams(p->conn,
			"INSERT INTO site_ddl (n, sql) SELECT coalesce(max(n), 0) + 1, $1 FROM"
			" site_ddl",
			1, NULL, values, NULL, NULL, 0),
		    PGRES_COMMAND_OK);
	PQclear(r);
	buf_free(&text);
	return r != NULL;
}

static bool
change(struct carry_end *end, const char *sql)
{
	return run(pg(end), sql);
}

/* Drops what the first column of a query says, and notes the statement in the second for later. */
static bool
put_off(struct pg_end *p, const char *sql)
{
	PGresult *r = ask(p, sql, p->at.place.schema);
	bool good = r != NULL;

	for (int i = 0; good && i < PQntuples(r); i++) {
		good = run(p, PQgetvalue(r, i, 0));
		carry_add_column(&p->later, PQgetvalue(r, i, 1));
	}
	PQclear(r);
	return good;
}

/* Indexes come again before the keys that may need them. */
static bool
defined(struct carry_end *end)
{
	struct pg_end *p = pg(end);

	carry_add_table(&p->later, "keys");
	if (!put_off(p,
		"SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', f.conrelid::regclass, f.conname),"
		" format('ALTER TABLE %s ADD CONSTRAINT %I %s', f.conrelid::regclass, f.conname,"
		" pg_catalog.pg_get_constraintdef(f.oid))"
		" FROM pg_catalog.pg_constraint AS f JOIN pg_catalog.pg_namespace AS s"
		" ON s.oid = f.connamespace WHERE s.nspname = $1 AND f.contype = 'f' ORDER BY f.oid"))
		return false;
	carry_add_table(&p->later, "indexes");
	return put_off(p,
	    "SELECT format('DROP INDEX %s', i.indexrelid::regclass),"
	    " pg_catalog.pg_get_indexdef(i.indexrelid)"
	    " FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS r ON r.oid = i.indexrelid"
	    " JOIN pg_catalog.pg_namespace AS s ON s.oid = r.relnamespace WHERE s.nspname = $1"
	    " AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS c WHERE c.conindid ="
	    " i.indexrelid) ORDER BY i.indexrelid");
}

static bool
write_rows(struct carry_end *end, const struct carry_table *t)
{
	static const char head[HEAD] = "PGCOPY\n\377\r\n";
	struct pg_end *p = pg(end);
	struct buf sql = { 0 };
	PGresult *r;

	if (!learn(p, t))
		return false;
	buf_str(&sql, "COPY ");
	put_names(p, &sql, t, false);
	buf_str(&sql, " (");
	put_names(p, &sql, t, true);
	buf_str(&sql, ") FROM STDIN (FORMAT binary)");
	r = checked(p, PQexec(p->conn, sql.data), PGRES_COPY_IN);
	buf_free(&sql);
	PQclear(r);
	p->out.len = 0;
	buf_add(&p->out, head, sizeof(head));
	return r != NULL;
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

static bool
put_row(struct carry_end *end, const struct stet_val *v)
{
	struct pg_end *p = pg(end);

	add_number(&p->out, p->table->columns, 2);
	for (size_t i = 0; i < p->table->columns; i++)
		if (!add_value(p, i, &v[i]))
			return false;
	return p->out.len < SEND || flush(p);
}

static bool
wrote(struct carry_end *end)
{
	struct pg_end *p = pg(end);
	bool good;

	add_number(&p->out, 0xffff, 2);
	good = flush(p) && PQputCopyEnd(p->conn, NULL) == 1;
	return read_end(p) && good;
}

/* Plans depend on what the tables hold. */
static bool
analyze(struct pg_end *p)
{
	PGresult *r = ask(p,
	    "SELECT 'ANALYZE ' || string_agg(t.oid::regclass::text, ', ')"
	    " FROM pg_catalog.pg_class AS t JOIN pg_catalog.pg_namespace AS s"
	    " ON s.oid = t.relnamespace WHERE s.nspname = $1 AND t.relkind = 'r'",
	    p->at.place.schema);
	bool good = r != NULL && run(p, PQgetvalue(r, 0, 0));

	PQclear(r);
	return good;
}

static bool
finish(struct carry_end *end)
{
	struct pg_end *p = pg(end);

	for (size_t i = p->later.count; i-- > 0;)
		for (size_t k = 0; k < p->later.table[i].columns; k++)
			if (!run(p, p->later.table[i].column[k]))
				return false;
	return analyze(p);
}

static bool
keep(struct carry_end *end)
{
	struct pg_end *p = pg(end);

	if (p->final != NULL &&
	    (!run_on(p, "ALTER SCHEMA %s RENAME TO %s", p->final, end->kept) ||
		!run_on(p, "ALTER SCHEMA %s RENAME TO %s", p->at.place.schema, p->final)))
		return false;
	return run(p, "COMMIT");
}

const struct db_carrier pgcarry = {
	.size = sizeof(struct pg_end),
	.open = open_to_read,
	.make = make,
	.close = close_end,
	.definitions = definitions,
	.tables = tables,
	.read = read_rows,
	.row = read_row,
	.count = count_rows,
	.define = define,
	.defined = defined,
	.write = write_rows,
	.put = put_row,
	.wrote = wrote,
	.change = change,
	.finish = finish,
	.keep = keep,
};
