/* pgdial.c - connects to a server. */
#include "pgdial.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "pghang.h"
#include "pghosts.h"
#include "pgwait.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After how many seconds in which a transaction was asked nothing the server ends it: that of a
 * writer holds up all others of the site. */
#define WRITER_IDLE_S 10
#define IDLE_S 30
#define PARAMS_MAX 16
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
	    "SET idle_in_transaction_session_timeout = '%ds'",
	    schema, pgplace_lock_ms(&c->place), c->db.mode == DB_WRITE ? quick : "",
	    c->db.mode == DB_READ ? "on" : "off", c->db.mode == DB_WRITE ? WRITER_IDLE_S : IDLE_S);
	if (c->db.mode == DB_ASIDE)
		buf_printf(&sql, "; LISTEN %s", schema);
	r = pgwait_run(c, conn, sql.data, 0, NULL);
	good = PQresultStatus(r) == PGRES_COMMAND_OK;
	PQclear(r);
	PQfreemem(schema);
	buf_free(&sql);
	return good;
}

/* ---- connecting ---- */

/* What libpq is told. Keys before "dbname" are defaults for the URI, and those after it replace
 * what it says, unless their values are NULL or empty. */
struct params {
	const char *key[PARAMS_MAX], *value[PARAMS_MAX];
	int count;
};

static void
put(struct params *p, const char *key, const char *value)
{
	stet_assert(p->count < PARAMS_MAX - 1);
	p->key[p->count] = key;
	p->value[p->count++] = value;
}

/* libpq can connect at once, but counts in seconds. */
static PGconn *
connect_one(const struct params *p, int64_t by)
{
	PGconn *conn = PQconnectStartParams(p->key, p->value, 1);
	PostgresPollingStatusType next = PGRES_POLLING_WRITING;

	while (conn != NULL && PQstatus(conn) != CONNECTION_BAD && next != PGRES_POLLING_OK &&
	       next != PGRES_POLLING_FAILED) {
		int64_t left = by - clock_monotonic();
		struct pollfd fd = { .fd = PQsocket(conn),
			.events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT };

		if (left <= 0 || poll(&fd, 1, (int)left) == 0)
			break;
		next = PQconnectPoll(conn);
	}
	return conn;
}

/* Connects to the first server that is as `which` says, by a time (clock_monotonic). libpq tries
 * one after the other, too, but would wait for one that does not answer until all of the time is
 * over: here, each has its share. */
static PGconn *
connect_by(const struct pg_place *place, struct params p, const char *which, int64_t by)
{
	struct pg_hosts hosts;
	PGconn *conn = NULL;

	pghosts_read(&hosts, place->uri);
	put(&p, "client_encoding", "UTF8");
	put(&p, "target_session_attrs", which);
	for (int i = 0; i < hosts.count && PQstatus(conn) != CONNECTION_OK; i++) {
		int64_t now = clock_monotonic();
		struct params own = p;
		char *host = pghosts_pick(&hosts, hosts.host, i);
		char *hostaddr = pghosts_pick(&hosts, hosts.hostaddr, i);
		char *port = pghosts_pick(&hosts, hosts.port, i);

		put(&own, "host", host);
		put(&own, "hostaddr", hostaddr);
		put(&own, "port", port);
		PQfinish(conn);
		conn = connect_one(&own, now + (by - now) / (hosts.count - i));
		free(host);
		free(hostaddr);
		free(port);
	}
	pghosts_free(&hosts);
	return conn;
}

static PGconn *
attempt(const struct pg_db *c, const char *password)
{
	struct params p = { .count = 0 };
	char unanswered[16];
	int64_t by = pgwait_until(c);

	(void)snprintf(unanswered, sizeof(unanswered), "%d", c->place.timeout_ms);
	put(&p, "keepalives_idle", "10");
	put(&p, "keepalives_interval", "5");
	put(&p, "keepalives_count", "3");
	put(&p, "tcp_user_timeout", unanswered);
	put(&p, "dbname", c->place.uri);
	put(&p, "application_name", "stetd");
	put(&p, "password", password);
	return connect_by(
	    &c->place, p, "read-write", c->until != 0 && c->until < by ? c->until : by);
}

PGconn *
pgdial_any(const struct pg_place *place, int64_t by)
{
	char *password = place->password_file != NULL ? pgplace_password(place) : NULL;
	struct params p = { .count = 0 };
	PGconn *conn;

	put(&p, "dbname", place->uri);
	put(&p, "application_name", "stet");
	put(&p, "password", password);
	conn = connect_by(place, p, "read-write", by);
	if (PQstatus(conn) != CONNECTION_OK) {
		PQfinish(conn);
		conn = connect_by(place, p, "any", by);
	}
	free(password);
	return conn;
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
