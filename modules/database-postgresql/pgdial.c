/* pgdial.c - connects to a server. */
#include "pgdial.h"
#include "base/clock.h"
#include "base/log.h"
#include "pghang.h"
#include "pgwait.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_MS 500 /* that an attempt takes before it fails, if the server hangs */

/* Why this server cannot be used; NULL: it can. */
static const char *
unfit(PGconn *conn)
{
	const char *encoding = PQparameterStatus(conn, "server_encoding");

	if (PQserverVersion(conn) < PGCONN_OLDEST)
		return "the server is older than PostgreSQL 13";
	if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
		return "the encoding of the database is not UTF8";
	return NULL;
}

/* What PostgreSQL says beside its answers, such as that it is about to end. */
static void
told(void *arg, const char *text)
{
	(void)arg;
	log_line(STET_DEBUG, "postgresql: %.*s", (int)strcspn(text, "\n"), text);
}

/* Long texts are packed by LZ4 where the server can do that, which takes a fraction of the time of
 * its own algorithm. */
static const char quick[] = "SELECT set_config(name, 'lz4', false) FROM pg_catalog.pg_settings"
			    " WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals);";

static bool
set_up(struct pg_db *c, PGconn *conn)
{
	char *schema = PQescapeIdentifier(conn, c->place.schema, strlen(c->place.schema));
	struct buf sql = { 0 };
	PGresult *r;
	bool good;

	buf_printf(&sql,
	    "SET search_path = %s, pg_temp; SET client_min_messages = warning; SET TimeZone = 'UTC';"
	    "SET jit = off; SET statement_timeout = 0; SET lock_timeout = %d;%s"
	    "SET standard_conforming_strings = on; SET default_transaction_read_only = %s;"
	    "SET idle_in_transaction_session_timeout = '30s'",
	    schema, c->place.timeout_ms * 9 / 10, c->db.mode == DB_WRITE ? quick : "",
	    c->db.mode == DB_READ ? "on" : "off");
	if (c->db.mode == DB_ASIDE)
		buf_printf(&sql, "; LISTEN %s", schema);
	r = pgwait_run(c, conn, sql.data, 0, NULL);
	good = PQresultStatus(r) == PGRES_COMMAND_OK;
	PQclear(r);
	PQfreemem(schema);
	buf_free(&sql);
	return good;
}

/* Connects by a time (clock_monotonic). libpq can do it at once, but counts in seconds. */
static PGconn *
connect_by(const char *const *keys, const char *const *values, int64_t by)
{
	PGconn *conn = PQconnectStartParams(keys, values, 1);
	PostgresPollingStatusType next = PGRES_POLLING_WRITING;

	while (conn != NULL && PQstatus(conn) != CONNECTION_BAD && next != PGRES_POLLING_OK &&
	       next != PGRES_POLLING_FAILED) {
		int64_t left = by - clock_monotonic();
		struct pollfd p = { .fd = PQsocket(conn),
			.events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT };

		if (left <= 0 || poll(&p, 1, (int)left) == 0)
			break;
		next = PQconnectPoll(conn);
	}
	return conn;
}

/* Keys before "dbname" are defaults for the URI. */
static PGconn *
attempt(const struct pg_db *c, const char *password)
{
	char unanswered[16];
	const char *const keys[] = { "keepalives_idle", "keepalives_interval", "keepalives_count",
		"tcp_user_timeout", "dbname", "client_encoding", "application_name",
		"target_session_attrs", password != NULL ? "password" : NULL, NULL };
	const char *const values[] = { "10", "5", "3", unanswered, c->place.uri, "UTF8", "stetd",
		"read-write", password, NULL };
	int64_t by = pgwait_until(c);

	(void)snprintf(unanswered, sizeof(unanswered), "%d", c->place.timeout_ms);
	return connect_by(keys, values, c->until != 0 && c->until < by ? c->until : by);
}

PGconn *
pgdial(struct pg_db *c)
{
	static struct log_gate gate;
	int64_t began = clock_monotonic();
	char *password;
	PGconn *conn;
	const char *why = NULL;

	if (!pghang_may_try(c))
		return NULL;
	password = c->place.password_file != NULL ? pgplace_password(&c->place) : NULL;
	if (c->place.password_file != NULL && password == NULL) {
		pghang_over(c);
		return NULL;
	}
	conn = attempt(c, password);
	(void)PQsetNoticeProcessor(conn, told, NULL);
	free(password);
	if (PQstatus(conn) == CONNECTION_OK && (why = unfit(conn)) == NULL && set_up(c, conn)) {
		pghang_over(c);
		return conn;
	}
	/* An attempt that fails at once may be made at any time. */
	pghang_over(c);
	if (clock_monotonic() - began >= SLOW_MS)
		pghang_note(c);
	if (why == NULL && PQstatus(conn) != CONNECTION_BAD)
		why = "the server does not answer";
	else if (why == NULL)
		why = PQerrorMessage(conn);
	log_seldom(&gate, STET_ERROR, "the database in schema %s cannot be reached: %.*s",
	    c->place.schema, (int)strcspn(why, "\n"), *why != '\0' ? why : "it does not answer");
	PQfinish(conn);
	return NULL;
}
