/*
 * pgcarry.c - reads all of a site's schema, or makes one as a copy (core/db/carry.h).
 *
 * A new schema is made in one transaction, from the schema itself to the last index, so nothing of
 * it is left if the transaction does not commit. Keys that refer to other tables are dropped before
 * rows come, and made again of all of them: so the order of tables and of rows does not matter.
 */
#include "pgcarry.h"
#include "base/clock.h"
#include "base/words.h"
#include "pgcopy.h"
#include "pgdial.h"
#include "pgend.h"
#include "pgkeep.h"
#include "pgsite.h"
#include "pgtext.h"
#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements ---- */

/* Until the end of the transaction, names are those of the new schema. */
static bool
enter_schema(struct pg_end *p)
{
	const char *schema = p->at.place.schema;
	char *name = PQescapeIdentifier(p->conn, schema, strlen(schema));
	char *sql = words_format("SET LOCAL search_path = %s, pg_temp", name);
	bool good = pgend_run(p, sql);

	free(sql);
	PQfreemem(name);
	return good;
}

/* ---- opening ---- */

static bool
connect(struct pg_end *p, enum db_mode mode)
{
	pgplace_read(&p->at.place, p->end.place);
	p->at.db.mode = mode;
	if ((p->conn = pgdial(&p->at)) == NULL)
		return carry_fail(&p->end, "the database in PostgreSQL cannot be reached");
	/* The other end may take its time. */
	return pgend_run(p, "SET idle_in_transaction_session_timeout = 0");
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
	return pgend_run(p, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
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
	if (!pgend_run(p, "BEGIN") || !enter_schema(p))
		return false;
	if (!pgsite_define(&p->at, p->conn))
		return carry_fail(end, "the schema %s cannot be made: %.*s", p->at.place.schema,
		    (int)strcspn(PQerrorMessage(p->conn), "\n"), PQerrorMessage(p->conn));
	return pgkeep_begin(p);
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
	free(p->mark);
	free(p->session);
	free(p->type);
}

/* ---- definitions ---- */

static bool
definitions(struct carry_end *end, bool (*fn)(void *, const char *), void *arg)
{
	PGresult *r = pgend_ask(pg(end), "SELECT sql FROM site_ddl ORDER BY n", NULL);
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
	PGresult *r = pgend_ask(p,
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
		good = pgend_run(p, text.data);
	else
		good = carry_fail(end, "the statement \"%s\" makes nothing", sql);
	if (good)
		r = pgend_checked(p,
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
	return pgend_run(pg(end), sql);
}

/* Drops what the first column of a query says, and notes the statement in the second for later. */
static bool
put_off(struct pg_end *p, const char *sql)
{
	PGresult *r = pgend_ask(p, sql, p->at.place.schema);
	bool good = r != NULL;

	for (int i = 0; good && i < PQntuples(r); i++) {
		good = pgend_run(p, PQgetvalue(r, i, 0));
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
	if (!pgend_run(p, pgsite_renamed) ||
	    !put_off(p,
		"SELECT 'ALTER TABLE ' || f.conrelid::regclass || ' DROP CONSTRAINT ' ||"
		" quote_ident(f.conname), 'ALTER TABLE ' || f.conrelid::regclass ||"
		" ' ADD CONSTRAINT ' || quote_ident(f.conname) || ' ' ||"
		" pg_catalog.pg_get_constraintdef(f.oid)"
		" FROM pg_catalog.pg_constraint AS f JOIN pg_catalog.pg_namespace AS s"
		" ON s.oid = f.connamespace WHERE s.nspname = $1 AND f.contype = 'f' ORDER BY f.oid"))
		return false;
	carry_add_table(&p->later, "indexes");
	return put_off(p,
	    "SELECT 'DROP INDEX ' || i.indexrelid::regclass,"
	    " pg_catalog.pg_get_indexdef(i.indexrelid)"
	    " FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS r ON r.oid = i.indexrelid"
	    " JOIN pg_catalog.pg_namespace AS s ON s.oid = r.relnamespace WHERE s.nspname = $1"
	    " AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS c WHERE c.conindid ="
	    " i.indexrelid) ORDER BY i.indexrelid");
}

/* Plans depend on what the tables hold. */
static bool
analyze(struct pg_end *p)
{
	PGresult *r = pgend_ask(p,
	    "SELECT 'ANALYZE ' || string_agg(t.oid::regclass::text, ', ')"
	    " FROM pg_catalog.pg_class AS t JOIN pg_catalog.pg_namespace AS s"
	    " ON s.oid = t.relnamespace WHERE s.nspname = $1 AND t.relkind = 'r'",
	    p->at.place.schema);
	bool good = r != NULL && pgend_run(p, PQgetvalue(r, 0, 0));

	PQclear(r);
	return good;
}

static bool
finish(struct carry_end *end)
{
	struct pg_end *p = pg(end);

	for (size_t i = p->later.count; i-- > 0;)
		for (size_t k = 0; k < p->later.table[i].columns; k++)
			if (!pgend_run(p, p->later.table[i].column[k]))
				return false;
	return analyze(p);
}

const struct db_carrier pgcarry = {
	.size = sizeof(struct pg_end),
	.open = open_to_read,
	.make = make,
	.close = close_end,
	.definitions = definitions,
	.tables = tables,
	.read = pgcopy_read,
	.row = pgcopy_next,
	.count = pgcopy_count,
	.define = define,
	.defined = defined,
	.write = pgcopy_write,
	.put = pgcopy_put,
	.wrote = pgcopy_wrote,
	.change = change,
	.finish = finish,
	.keep = pgkeep,
};
