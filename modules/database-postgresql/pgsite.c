/* pgsite.c - makes the schema of a site. */
#include "pgsite.h"
#include "base/log.h"
#include "pgwait.h"
#include <stdlib.h>
#include <string.h>

#define TRIES 10 /* several daemons may start at the same time on an empty database */

/* One row; updates of it stay on its page. */
static const char *const made[] = {
	"CREATE TABLE site_state (one boolean PRIMARY KEY CHECK (one), n bigint NOT NULL,"
	" mark bytea NOT NULL, marks bytea NOT NULL, generation bigint NOT NULL DEFAULT 0,"
	" closed bigint NOT NULL DEFAULT 0, at bigint NOT NULL DEFAULT 0) WITH (fillfactor = 10)",
	"INSERT INTO site_state (one, n, mark, marks) VALUES (true, 0, decode(repeat('00', 16),"
	" 'hex'), '')",
	"CREATE TABLE site_ddl (n bigint PRIMARY KEY, sql text COLLATE \"C\" NOT NULL)",
	/* The number of the next row, as SQLite gives one: never a sequence, which leaves gaps
	 * after a rollback. */
	"CREATE FUNCTION stet_next(tab text, col text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS"
	" $$DECLARE n bigint; BEGIN"
	" EXECUTE format('SELECT coalesce(max(%I), 0) + 1 FROM %I', col, tab) INTO n;"
	" RETURN n; END$$",
	/* See core/db/sqlite/folding.h; of accents, this one knows the most frequent. */
	"CREATE FUNCTION stet_has(text, text) RETURNS integer LANGUAGE sql IMMUTABLE AS"
	" $$SELECT (position($2 IN lower(regexp_replace(normalize($1, NFKD),"
	" '[\\u0300-\\u036f]', '', 'g'))) > 0)::integer$$",
};

const char pgsite_renamed[] =
    "DO $$DECLARE d record; BEGIN"
    " FOR d IN SELECT r.relname, a.attname FROM pg_catalog.pg_attrdef AS e"
    " JOIN pg_catalog.pg_class AS r ON r.oid = e.adrelid"
    " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = e.adrelid AND a.attnum = e.adnum"
    " WHERE r.relnamespace = current_schema()::regnamespace"
    " AND pg_catalog.pg_get_expr(e.adbin, e.adrelid) LIKE 'stet_next(%' AND"
    " pg_catalog.pg_get_expr(e.adbin, e.adrelid) <>"
    " format('stet_next(%L::text, %L::text)', r.relname, a.attname)"
    " LOOP EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT stet_next(%L, %L)',"
    " d.relname, d.attname, d.relname, d.attname); END LOOP; END$$";

/* What schemas of earlier versions lack. */
static const char lacks[] = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_attribute"
			    " WHERE attrelid = 'site_state'::regclass AND attname = 'at')";
static const char adds[] =
    "ALTER TABLE site_state ADD COLUMN IF NOT EXISTS generation bigint NOT NULL DEFAULT 0,"
    " ADD COLUMN IF NOT EXISTS closed bigint NOT NULL DEFAULT 0,"
    " ADD COLUMN IF NOT EXISTS at bigint NOT NULL DEFAULT 0";

static bool
ran(struct pg_db *c, PGconn *conn, const char *sql)
{
	PGresult *r = pgwait_run(c, conn, sql, 0, NULL);
	ExecStatusType status = PQresultStatus(r);

	PQclear(r);
	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

int
pgsite_count(struct pg_db *c, PGconn *conn, const char *name)
{
	const char *const values[] = { c->place.schema, name };
	PGresult *r = pgwait_run(c, conn,
	    "SELECT count(*) FROM pg_class AS r JOIN pg_namespace AS s ON s.oid = r.relnamespace"
	    " WHERE s.nspname = $1 AND (r.relname = $2 OR $2 IS NULL)",
	    2, values);
	int n =
	    PQresultStatus(r) == PGRES_TUPLES_OK ? (int)strtol(PQgetvalue(r, 0, 0), NULL, 10) : -1;

	PQclear(r);
	return n;
}

bool
pgsite_define(struct pg_db *c, PGconn *conn)
{
	char *schema = PQescapeIdentifier(conn, c->place.schema, strlen(c->place.schema));
	struct buf sql = { 0 };
	bool good;

	buf_printf(&sql, "CREATE SCHEMA IF NOT EXISTS %s", schema);
	good = ran(c, conn, sql.data);
	for (size_t i = 0; good && i < sizeof(made) / sizeof(made[0]); i++)
		good = ran(c, conn, made[i]);
	PQfreemem(schema);
	buf_free(&sql);
	return good;
}

static bool
make(struct pg_db *c, PGconn *conn)
{
	bool good = ran(c, conn, "BEGIN") && pgsite_define(c, conn) && ran(c, conn, "COMMIT");

	if (!good)
		log_line(STET_DEBUG, "the schema %s: %s", c->place.schema, PQerrorMessage(conn));
	return good;
}

bool
pgsite_is_own(const char *table)
{
	static const char create[] = "CREATE TABLE ";
	size_t len = strlen(table);

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		const char *name = made[i] + strlen(create);

		if (strncmp(made[i], create, strlen(create)) == 0 &&
		    strncmp(name, table, len) == 0 && name[len] == ' ')
			return true;
	}
	return false;
}

/* Adds to the tables of an earlier version what they lack. */
static bool
renew(struct pg_db *c, PGconn *conn)
{
	PGresult *r = pgwait_run(c, conn, lacks, 0, NULL);
	bool good = PQresultStatus(r) == PGRES_TUPLES_OK;

	if (good && PQntuples(r) > 0)
		good = ran(c, conn, adds);
	if (!good)
		log_line(STET_ERROR, "the table site_state of the schema %s cannot be renewed: %s",
		    c->place.schema, PQerrorMessage(conn));
	PQclear(r);
	return good;
}

bool
pgsite_ready(struct pg_db *c, PGconn *conn)
{
	char why[256] = "";

	for (int i = 0; i < TRIES; i++) {
		int found = pgsite_count(c, conn, "site_state");

		if (found > 0)
			return c->db.mode == DB_READ || renew(c, conn);
		if (found == 0 && c->db.mode != DB_WRITE)
			break;
		/* Another daemon may have made it since. */
		if (found == 0 && pgsite_count(c, conn, NULL) > 0 &&
		    (found = pgsite_count(c, conn, "site_state")) == 0) {
			log_line(STET_ERROR,
			    "the schema %s of the database has tables, but not those of a site",
			    c->place.schema);
			return false;
		}
		if (found > 0)
			continue;
		if (found == 0 && make(c, conn))
			return true;
		(void)snprintf(why, sizeof(why), "%s", PQerrorMessage(conn));
		(void)ran(c, conn, "ROLLBACK");
	}
	log_line(c->db.mode == DB_READ ? STET_INFO : STET_ERROR,
	    "the schema %s of the database holds no site%s%s", c->place.schema,
	    why[0] != '\0' ? ", and cannot be made: " : "", why);
	return false;
}
