/* pgpool.c - finds out what a pooler does, by what happens while another client has its turn. */
#include "pgpool.h"
#include "base/arena.h"
#include "base/log.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PGconn *
dial(const struct pg_place *p, const char *password, const char *which)
{
	char timeout[16];
	const char *const keys[] = { "dbname", "client_encoding", "application_name",
		"connect_timeout", "target_session_attrs", password != NULL ? "password" : NULL,
		NULL };
	const char *const values[] = { p->uri, "UTF8", "stet", timeout, which, password, NULL };

	(void)snprintf(timeout, sizeof(timeout), "%d", (p->timeout_ms + 999) / 1000);
	return PQconnectdbParams(keys, values, 1);
}

PGconn *
pgpool_connect(const struct pg_place *p)
{
	char *password = p->password_file != NULL ? pgplace_password(p) : NULL;
	PGconn *conn = dial(p, password, "read-write");

	if (PQstatus(conn) != CONNECTION_OK) {
		PQfinish(conn);
		conn = dial(p, password, "any");
	}
	free(password);
	return conn;
}

/* A pooler has numbers of its own for its clients' sessions. */
static bool
is_pooled(PGconn *conn)
{
	PGresult *r = PQexec(conn, "SELECT pg_catalog.pg_backend_pid()");
	bool pooled = PQresultStatus(r) == PGRES_TUPLES_OK &&
		      strtol(PQgetvalue(r, 0, 0), NULL, 10) != PQbackendPID(conn);

	PQclear(r);
	return pooled;
}

/* Another client begins a transaction, and so takes the session that was used last. */
static void
begin(PGconn *other)
{
	PQclear(PQexec(other, "BEGIN"));
	PQclear(PQexec(other, "SELECT 1"));
}

static bool
keeps_statements(PGconn *one, PGconn *other)
{
	PGresult *r = PQprepare(one, "stet_pool", "SELECT 1", 0, NULL);
	bool good = PQresultStatus(r) == PGRES_COMMAND_OK;

	PQclear(r);
	begin(other);
	r = PQexecPrepared(one, "stet_pool", 0, NULL, NULL, NULL, 0);
	good = good && PQresultStatus(r) == PGRES_TUPLES_OK;
	PQclear(r);
	PQclear(PQexec(other, "ROLLBACK"));
	PQclear(PQexec(one, "DEALLOCATE stet_pool"));
	return good;
}

static bool
keeps_settings(PGconn *one, PGconn *other)
{
	PGresult *r;
	bool good;

	PQclear(PQexec(one, "SET search_path = stet_pool"));
	begin(other);
	r = PQexec(one, "SHOW search_path");
	good =
	    PQresultStatus(r) == PGRES_TUPLES_OK && strcmp(PQgetvalue(r, 0, 0), "stet_pool") == 0;
	PQclear(r);
	PQclear(PQexec(other, "ROLLBACK"));
	PQclear(PQexec(one, "RESET search_path"));
	return good;
}

const char *
pgpool_flaw(const struct pg_place *p, PGconn *conn)
{
	PGconn *one, *other;
	const char *flaw = NULL;

	if (!is_pooled(conn))
		return NULL;
	one = pgpool_connect(p);
	other = pgpool_connect(p);
	if (PQstatus(one) == CONNECTION_OK && PQstatus(other) == CONNECTION_OK) {
		if (!keeps_statements(one, other))
			flaw = "a pooler lends sessions for one transaction, which loses prepared"
			       " statements";
		else if (!keeps_settings(one, other))
			flaw = "a pooler lends sessions for one transaction, which loses settings";
	}
	PQfinish(one);
	PQfinish(other);
	return flaw;
}

bool
pgpool_good(const struct pg_place *p, PGconn *conn)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static char *good; /* the last one that was */
	static struct log_gate gate;
	const char *flaw = NULL;

	pthread_mutex_lock(&lock);
	if (good == NULL || strcmp(good, p->uri) != 0) {
		flaw = pgpool_flaw(p, conn);
		free(good);
		good = flaw == NULL ? xstrdup(p->uri) : NULL;
	}
	pthread_mutex_unlock(&lock);
	if (flaw != NULL)
		log_seldom(&gate, STET_ERROR,
		    "the database in schema %s cannot be used: %s. Let it pool sessions (pgbouncer:"
		    " pool_mode = session), or connect to the server itself",
		    p->schema, flaw);
	return flaw == NULL;
}
