/*
 * pgfacts.c - asks a server for what administrators want to know, and judges its settings: whether
 * what is acknowledged to clients can be lost, and whether a pooler between us and the server takes
 * what the driver needs. It connects by itself, also to a standby and to a server that is too old.
 */
#include "pgfacts.h"
#include "base/clock.h"
#include "base/words.h"
#include "pgcare.h"
#include "pgconn.h"
#include "pgdial.h"
#include "pgplace.h"
#include "pgpool.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/check.h>
#include <string.h>

#define CLOCK_MS 500 /* by which clocks may differ */

/* What is being described. */
struct facts {
	struct pg_place place;
	PGconn *conn;
	json_t *all, *findings;
};

/* ---- connecting and asking ---- */

/* Returns the rows of a query with at most one parameter, or NULL. */
static PGresult *
ask(PGconn *conn, const char *sql, const char *value)
{
	PGresult *r = PQexecParams(conn, sql, value != NULL ? 1 : 0, NULL, &value, NULL, NULL, 0);

	if (PQresultStatus(r) == PGRES_TUPLES_OK)
		return r;
	PQclear(r);
	return NULL;
}

static json_int_t
number(const PGresult *r, int row, int column)
{
	return strtoll(PQgetvalue(r, row, column), NULL, 10);
}

static void __attribute__((format(printf, 5, 6))) find(struct facts *f, const char *check,
    enum stet_grade grade, const char *advice, const char *fmt, ...)
{
	char *text;
	va_list args;
	json_t *finding;

	va_start(args, fmt);
	text = words_vformat(fmt, args);
	va_end(args);
	finding = json_pack("{s:s, s:i, s:s}", "check", check, "grade", (int)grade, "text", text);
	if (advice != NULL)
		json_object_set_new(finding, "advice", json_string(advice));
	json_array_append_new(f->findings, finding);
	free(text);
}

/* ---- facts ---- */

/* Where the database is: the URI holds no password (conf). */
static void
describe_place(struct facts *f)
{
	json_object_set_new(f->all, "engine", json_string("PostgreSQL"));
	json_object_set_new(
	    f->all, "version", json_string(PQparameterStatus(f->conn, "server_version")));
	json_object_set_new(f->all, "place", json_string(f->place.uri));
	json_object_set_new(f->all, "schema", json_string(f->place.schema));
}

static void
describe_size(struct facts *f)
{
	PGresult *r = ask(f->conn,
	    "SELECT coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0)::bigint,"
	    " current_setting('max_connections')::bigint"
	    " FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS s ON s.oid ="
	    " c.relnamespace WHERE s.nspname = $1 AND c.relkind IN ('r', 'm')",
	    f->place.schema);

	json_object_set_new(f->all, "bytes", json_integer(r != NULL ? number(r, 0, 0) : 0));
	if (r != NULL)
		json_object_set_new(f->all, "maxConnections", json_integer(number(r, 0, 1)));
	PQclear(r);
}

static const char *
state_name(const char *state)
{
	if (strcmp(state, "active") == 0 || strcmp(state, "idle") == 0)
		return state;
	return strncmp(state, "idle in transaction", 19) == 0 ? "inTransaction" : "other";
}

/* The server tells states of sessions of other users to those alone who may see them. */
static void
describe_connections(struct facts *f)
{
	json_t *states = json_object();
	PGresult *r = ask(f->conn,
	    "SELECT coalesce(state, ''), count(*) FROM pg_catalog.pg_stat_activity"
	    " WHERE datname = current_database() AND application_name = 'stetd' GROUP BY 1",
	    NULL);

	for (int i = 0; r != NULL && i < PQntuples(r); i++) {
		const char *name = state_name(PQgetvalue(r, i, 0));
		json_int_t n = json_integer_value(json_object_get(states, name)) + number(r, i, 1);

		json_object_set_new(states, name, json_integer(n));
	}
	json_object_set_new(f->all, "connections", states);
	PQclear(r);
}

static void
describe_state(struct facts *f)
{
	PGresult *r;

	PQclear(ask(
	    f->conn, "SELECT set_config('search_path', quote_ident($1), false)", f->place.schema));
	if ((r = ask(f->conn, "SELECT n FROM site_state", NULL)) != NULL && PQntuples(r) == 1)
		json_object_set_new(f->all, "state", json_integer(number(r, 0, 0)));
	else
		find(f, "database", STET_TROUBLE, "\"stet init\" makes a site.",
		    "the schema %s holds no site", f->place.schema);
	PQclear(r);
}

static void
judge_clock(struct facts *f)
{
	int64_t before = clock_now(), after;
	PGresult *r =
	    ask(f->conn, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", NULL);
	int64_t ahead;

	after = clock_now();
	if (r == NULL)
		return;
	ahead = before + (after - before) / 2 - number(r, 0, 0);
	PQclear(r);
	json_object_set_new(f->all, "clockOffsetMs", json_integer(ahead));
	if (after - before > CLOCK_MS)
		return;
	if (ahead > CLOCK_MS || ahead < -CLOCK_MS)
		find(f, "clock-offset", STET_WARNING,
		    "Let both machines follow the same time servers: what is scheduled comes late or"
		    " early by that much.",
		    "the clock of this machine is %lld ms %s that of the database",
		    (long long)(ahead > 0 ? ahead : -ahead), ahead > 0 ? "ahead of" : "behind");
	else
		find(f, "clock-offset", STET_FINE, NULL, "%lld ms", (long long)ahead);
}

/* ---- judgements ---- */

static void
judge_server(struct facts *f)
{
	PGresult *r = ask(f->conn, "SELECT pg_catalog.pg_is_in_recovery()", NULL);

	if (PQserverVersion(f->conn) < PGCONN_OLDEST)
		find(f, "server", STET_TROUBLE, "Use PostgreSQL 13 or newer.",
		    "PostgreSQL %s is too old", PQparameterStatus(f->conn, "server_version"));
	if (r != NULL && PQgetvalue(r, 0, 0)[0] == 't')
		find(f, "server", STET_TROUBLE,
		    "Name the primary in database, or both: the daemon finds the one that takes"
		    " writes.",
		    "the server is a standby, which takes no writes");
	PQclear(r);
}

/* What stands between an acknowledged write and its loss. */
static void
judge_durability(struct facts *f)
{
	PGresult *r = ask(f->conn,
	    "SELECT current_setting('fsync'), current_setting('synchronous_commit'),"
	    " current_setting('full_page_writes'),"
	    " (SELECT count(*) FROM pg_catalog.pg_stat_replication),"
	    " current_setting('synchronous_standby_names')",
	    NULL);
	const char *commit;
	size_t before = json_array_size(f->findings);

	if (r == NULL)
		return;
	commit = PQgetvalue(r, 0, 1);
	if (strcmp(PQgetvalue(r, 0, 0), "off") == 0)
		find(f, "durability", STET_TROUBLE, "Set fsync = on.",
		    "fsync is off: a crash of its machine can destroy the database");
	if (strcmp(PQgetvalue(r, 0, 2), "off") == 0)
		find(f, "durability", STET_TROUBLE,
		    "Set full_page_writes = on, unless the file system never tears a page.",
		    "full_page_writes is off: a crash of its machine can damage the database");
	if (strcmp(commit, "off") == 0)
		find(f, "durability", STET_WARNING, "Set synchronous_commit = on.",
		    "synchronous_commit is off: writes that clients were told of can be lost in a"
		    " crash");
	if (number(r, 0, 3) > 0 && (*PQgetvalue(r, 0, 4) == '\0' || strcmp(commit, "local") == 0))
		find(f, "durability", STET_WARNING,
		    "Name one in synchronous_standby_names (Patroni: synchronous_mode: true).",
		    "no standby is synchronous: writes that clients were told of can be lost in a"
		    " failover");
	if (json_array_size(f->findings) == before)
		find(f, "durability", STET_FINE, NULL, "synchronous_commit is %s", commit);
	PQclear(r);
}

static void
judge_tables(struct facts *f)
{
	PGresult *r = ask(f->conn,
	    "SELECT string_agg(c.relname, ', ' ORDER BY c.relname) FROM pg_catalog.pg_class AS c"
	    " JOIN pg_catalog.pg_namespace AS s ON s.oid = c.relnamespace"
	    " WHERE s.nspname = $1 AND c.relkind = 'r' AND c.relpersistence = 'u'",
	    f->place.schema);

	if (r != NULL && PQgetisnull(r, 0, 0) == 0)
		find(f, "unlogged", STET_TROUBLE, "ALTER TABLE … SET LOGGED.",
		    "a crash of the server empties these tables, which are unlogged: %s",
		    PQgetvalue(r, 0, 0));
	PQclear(r);
}

/* An open snapshot keeps all versions of site_state, the row that each write changes, and each
 * turn of reads walks past them (pgcare.h). The sessions of other users are seen by those alone who
 * may see them. */
static void
judge_snapshots(struct facts *f)
{
	static const char holder[] =
	    "SELECT what FROM (SELECT 0 AS rank, xact_start AS since, 'the session ' || pid ||"
	    " CASE WHEN application_name <> '' THEN ' of ' || application_name ELSE '' END AS what"
	    " FROM pg_catalog.pg_stat_activity WHERE backend_xmin IS NOT NULL"
	    " AND pid <> pg_catalog.pg_backend_pid() AND datname = current_database()"
	    " UNION ALL SELECT 1, prepared, 'the prepared transaction ' || gid"
	    " FROM pg_catalog.pg_prepared_xacts WHERE database = current_database()"
	    " UNION ALL SELECT 2, NULL, 'the replication slot ' || slot_name"
	    " FROM pg_catalog.pg_replication_slots WHERE xmin IS NOT NULL) AS h"
	    " ORDER BY rank, since LIMIT 1";
	static const char size[] = "SELECT pg_catalog.pg_relation_size('site_state'::regclass)"
				   " / current_setting('block_size')::bigint,"
				   " pg_catalog.pg_stat_get_dead_tuples('site_state'::regclass)";
	PGresult *who = NULL, *r = ask(f->conn, size, NULL);

	if (r != NULL && number(r, 0, 0) > PGCARE_PAGES) {
		who = ask(f->conn, holder, NULL);
		find(f, "snapshots", STET_WARNING,
		    "End long transactions (pg_terminate_backend), and let long reports read a standby"
		    " without hot_standby_feedback. The daemon cleans up by itself afterwards.",
		    "each read walks through %lld pages of site_state, with %lld old versions of its"
		    " row%s%s",
		    (long long)number(r, 0, 0), (long long)number(r, 0, 1),
		    who != NULL && PQntuples(who) == 1 ? ": the oldest snapshot is that of " : "",
		    who != NULL && PQntuples(who) == 1 ? PQgetvalue(who, 0, 0) : "");
	} else if (r != NULL)
		find(f, "snapshots", STET_FINE, NULL, "site_state has %lld old versions of its row",
		    (long long)number(r, 0, 1));
	PQclear(who);
	PQclear(r);
}

static void
judge_pooler(struct facts *f)
{
	struct pg_db asking = { .place = f->place };
	const char *flaw = pgpool_flaw(&asking, f->conn);

	if (flaw != NULL)
		find(f, "pooler", STET_TROUBLE,
		    "Let it pool sessions (pgbouncer: pool_mode = session), or connect to the server"
		    " itself.",
		    "%s", flaw);
}

json_t *
pgfacts_describe(const char *place, char **why)
{
	struct facts f = { .all = json_object(), .findings = json_array() };

	pgplace_read(&f.place, place);
	f.conn = pgdial_any(&f.place, clock_monotonic() + f.place.timeout_ms);
	if (PQstatus(f.conn) == CONNECTION_OK) {
		describe_place(&f);
		describe_size(&f);
		describe_connections(&f);
		describe_state(&f);
		judge_clock(&f);
		judge_server(&f);
		judge_durability(&f);
		judge_tables(&f);
		judge_snapshots(&f);
		judge_pooler(&f);
		json_object_set_new(f.all, "findings", f.findings);
	} else {
		*why = words_format("%s", *PQerrorMessage(f.conn) != '\0'
					      ? PQerrorMessage(f.conn)
					      : "it does not answer in time");
		json_decref(f.findings);
		json_decref(f.all);
		f.all = NULL;
	}
	PQfinish(f.conn);
	pgplace_free(&f.place);
	return f.all;
}
