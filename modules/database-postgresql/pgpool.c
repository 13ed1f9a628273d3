/* pgpool.c - finds out what a pooler does, by what happens while another client has its turn. */
#include "pgpool.h"
#include "base/arena.h"
#include "base/log.h"
#include "pgdial.h"
#include "pgwait.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The answer to a question; UNKNOWN: none came in time, or the connection is lost. */
enum kept { LOST, KEPT, UNKNOWN };

/* Runs a statement. Returns NULL if it fails. */
static PGresult *
run(struct pg_db *c, PGconn *conn, const char *sql)
{
	PGresult *r = pgwait_run(c, conn, sql, 0, NULL);
	ExecStatusType status = PQresultStatus(r);

	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
		return r;
	PQclear(r);
	return NULL;
}

static bool
runs(struct pg_db *c, PGconn *conn, const char *sql)
{
	PGresult *r = run(c, conn, sql);

	PQclear(r);
	return r != NULL;
}

/* A pooler has numbers of its own for its clients' sessions. */
static enum kept
keeps_number(struct pg_db *c, PGconn *conn)
{
	PGresult *r = run(c, conn, "SELECT pg_catalog.pg_backend_pid()");
	bool same = r != NULL && strtol(PQgetvalue(r, 0, 0), NULL, 10) == PQbackendPID(conn);

	PQclear(r);
	return r == NULL ? UNKNOWN : same ? KEPT : LOST;
}

/* While another client is in a transaction, and so has the session that was used last, asks what
 * depends on what was done before. Returns the first column, which the caller frees, or NULL if
 * the question fails. *known false: no answer came. */
static char *
ask_beside(struct pg_db *c, PGconn *one, PGconn *other, const char *sql, bool *known)
{
	PGresult *r;
	char *text;

	*known = runs(c, other, "BEGIN") && runs(c, other, "SELECT 1");
	r = *known ? pgwait_run(c, one, sql, 0, NULL) : NULL;
	*known = r != NULL && PQstatus(one) == CONNECTION_OK;
	text = PQresultStatus(r) == PGRES_TUPLES_OK ? xstrdup(PQgetvalue(r, 0, 0)) : NULL;
	PQclear(r);
	*known = *known && runs(c, other, "ROLLBACK");
	return text;
}

static enum kept
keeps(struct pg_db *c, PGconn *one, PGconn *other, const char *sets, const char *asks,
    const char *expected)
{
	bool known = runs(c, one, sets);
	char *text = known ? ask_beside(c, one, other, asks, &known) : NULL;
	bool same = text != NULL && strcmp(text, expected) == 0;

	free(text);
	return !known ? UNKNOWN : same ? KEPT : LOST;
}

/* Settings and statements go before the session serves others. */
static enum kept
keeps_all(struct pg_db *c, PGconn *one, PGconn *other, const char **flaw)
{
	enum kept kept =
	    keeps(c, one, other, "SET search_path = stet_pool", "SHOW search_path", "stet_pool");

	*flaw = "a pooler lends sessions for one transaction, which loses settings";
	(void)runs(c, one, "RESET search_path");
	if (kept != KEPT)
		return kept;
	*flaw = "a pooler lends sessions for one transaction, which loses prepared statements";
	kept =
	    keeps(c, one, other, "PREPARE stet_pool AS SELECT 'kept'", "EXECUTE stet_pool", "kept");
	(void)runs(c, one, "DEALLOCATE stet_pool");
	return kept;
}

static enum kept
test(struct pg_db *c, PGconn *conn, const char **flaw)
{
	enum kept kept = keeps_number(c, conn);
	PGconn *one, *other;

	if (kept != LOST)
		return kept;
	one = pgdial_any(&c->place, c->until);
	other = pgdial_any(&c->place, c->until);
	kept = PQstatus(one) == CONNECTION_OK && PQstatus(other) == CONNECTION_OK
		   ? keeps_all(c, one, other, flaw)
		   : UNKNOWN;
	PQfinish(one);
	PQfinish(other);
	return kept;
}

const char *
pgpool_flaw(struct pg_db *c, PGconn *conn)
{
	int64_t before = c->until;
	const char *flaw = NULL;
	enum kept kept;

	if (c->until == 0)
		c->until = pgwait_until(c);
	kept = test(c, conn, &flaw);
	c->until = before;
	if (kept == UNKNOWN)
		return "what a pooler does to sessions could not be found out";
	return kept == KEPT ? NULL : flaw;
}

/* ---- places whose poolers keep all ---- */

static struct good {
	struct good *next;
	char *uri;
} * good;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns true if the place was found to be good. */
static bool
is_good(const char *uri)
{
	const struct good *g;

	pthread_mutex_lock(&lock);
	for (g = good; g != NULL && strcmp(g->uri, uri) != 0;)
		g = g->next;
	pthread_mutex_unlock(&lock);
	return g != NULL;
}

static void
note_good(const char *uri)
{
	struct good *g = xcalloc(1, sizeof(*g));

	g->uri = xstrdup(uri);
	pthread_mutex_lock(&lock);
	g->next = good;
	good = g;
	pthread_mutex_unlock(&lock);
}

bool
pgpool_good(struct pg_db *c, PGconn *conn)
{
	static struct log_gate gate;
	const char *flaw;

	if (is_good(c->place.uri))
		return true;
	if ((flaw = pgpool_flaw(c, conn)) == NULL) {
		note_good(c->place.uri);
		return true;
	}
	log_seldom(&gate, STET_ERROR,
	    "the database in schema %s cannot be used: %s. Let it pool sessions (pgbouncer:"
	    " pool_mode = session), or connect to the server itself",
	    c->place.schema, flaw);
	return false;
}
