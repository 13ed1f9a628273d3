/* pgconn.c - connects, and waits for answers. */
#include "pgconn.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call/call.h"
#include "pgcode.h"
#include "pgpool.h"
#include "pgsite.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKS "state" /* the name of a prepared statement */
#define TICK_MS 50 /* between two looks at the deadline */

/* ---- waiting ---- */

/* Returns true if the call of the statement that runs is over. */
static bool
overdue(const struct pg_db *c)
{
	const struct db *db = &c->db;

	return (db->deadline != 0 && clock_monotonic() > db->deadline) ||
	       (db->stop != NULL && atomic_load(db->stop)) ||
	       (db->reading != NULL && call_abandoned(db->reading));
}

static void *
send_cancel(void *arg)
{
	PGcancel *handle = arg;
	char why[256];

	if (PQcancel(handle, why, sizeof(why)) == 0)
		log_line(STET_WARN, "cannot cancel a statement: %s", why);
	PQfreeCancel(handle);
	return NULL;
}

/* In a thread of its own: it waits for the server, which may be what does not answer. */
static void
cancel(PGconn *conn)
{
	PGcancel *handle = PQgetCancel(conn);

	if (handle != NULL && !thread_detach("stet-cancel", send_cancel, handle))
		PQfreeCancel(handle);
}

/* Sends what libpq still holds, and waits until something can be read or a moment has passed.
 * Returns false if the connection is lost. */
static bool
pump(PGconn *conn)
{
	int unsent = PQflush(conn);
	struct pollfd p = { .fd = PQsocket(conn),
		.events = (short)(POLLIN | (unsent > 0 ? POLLOUT : 0)) };

	if (unsent < 0 || p.fd < 0)
		return false;
	if (poll(&p, 1, TICK_MS) > 0 && (p.revents & ~POLLOUT) != 0)
		return PQconsumeInput(conn) != 0;
	return true;
}

/* Waits until a result can be read. */
static bool
arrive(struct pg_db *c)
{
	PGconn *conn = c->conn;
	int64_t until = c->until;
	bool cancelled = false, hasty = until == 0 && c->db.hasty;

	if (PQisBusy(conn) == 0)
		return true;
	dbstats_add(&c->db, DBSTAT_ROUND_TRIPS, 1);
	if (hasty)
		until = clock_monotonic() + c->place.timeout_ms;
	while (PQisBusy(conn) != 0) {
		if (!pump(conn))
			return false;
		if (!cancelled && overdue(c)) {
			cancelled = true;
			cancel(conn);
			until = clock_monotonic() + c->place.timeout_ms;
		}
		if (until != 0 && clock_monotonic() > until) {
			if (hasty && !cancelled)
				cancel(conn);
			return false;
		}
	}
	return true;
}

/* ---- answers ---- */

enum db_error
pgconn_lost(struct pg_db *c)
{
	if (!c->gone)
		pgcode_say(c, DB_GONE,
		    PQstatus(c->conn) == CONNECTION_BAD ? PQerrorMessage(c->conn)
							: "PostgreSQL does not answer");
	c->gone = true;
	c->waiting = 0;
	c->db.broken = c->db.broken || c->open;
	c->lost = DB_GONE;
	c->lost_said.len = 0;
	buf_str(&c->lost_said, c->said.data);
	return DB_GONE;
}

static void
end_transaction(struct pg_db *c, const PGresult *error)
{
	enum db_error class = pgcode_note(c, error);

	if (!c->open || c->lost != DB_OK)
		return;
	/* The same would happen once more. */
	c->db.broken = class != DB_BUSY && class != DB_FULL && class != DB_TIMEOUT;
	c->lost = class;
	c->lost_said.len = 0;
	buf_str(&c->lost_said, c->said.data);
}

/* Goes back to the savepoint before a statement. */
static enum db_error
undo_statement(struct pg_db *c, const PGresult *error)
{
	(void)pgcode_note(c, error);
	if (pgconn_send(c, "ROLLBACK TO SAVEPOINT statement") != DB_OK)
		return DB_GONE;
	return pgconn_tell(c, "RELEASE SAVEPOINT statement");
}

/* Reads all that answers one Sync: the result of one of its queries, and the first error. Returns
 * false if the connection is lost. */
static bool
receive(struct pg_db *c, int which, PGresult **kept, PGresult **error)
{
	ExecStatusType status = PGRES_EMPTY_QUERY;
	int query = 0;

	while (status != PGRES_PIPELINE_SYNC) {
		PGresult *r;

		if (!arrive(c) || PQstatus(c->conn) == CONNECTION_BAD)
			return false;
		if ((r = PQgetResult(c->conn)) == NULL) {
			query++;
			continue;
		}
		status = PQresultStatus(r);
		if (status == PGRES_FATAL_ERROR && *error == NULL)
			*error = r;
		else if (query == which && *kept == NULL && status != PGRES_PIPELINE_SYNC &&
			 status != PGRES_PIPELINE_ABORTED)
			*kept = r;
		else
			PQclear(r);
	}
	return *error == NULL || pgcode_note(c, *error) != DB_GONE;
}

/* Takes the next answer: the result that is wanted, or the error. */
static enum db_error
take(struct pg_db *c)
{
	struct pg_answer a = c->answer[c->first];
	PGresult *kept = NULL, *error = NULL;
	enum db_error status = DB_OK;

	c->first = (c->first + 1) % PG_ANSWERS;
	c->waiting--;
	if (!receive(c, a.which, &kept, &error))
		status = pgconn_lost(c);
	else if (error != NULL && a.guarded)
		status = undo_statement(c, error);
	else if (error != NULL)
		end_transaction(c, error);
	if (a.to == &c->locked) {
		dbstats_since(&c->db, DBSTAT_LOCKS, c->db.asked_lock);
		c->db.asked_lock = 0;
	}
	if (a.counts && error == NULL && kept != NULL)
		c->affected = strtoll(PQcmdTuples(kept), NULL, 10);
	if (error != NULL) {
		PQclear(kept);
		kept = error;
	}
	if (a.to != NULL && status == DB_OK)
		*a.to = kept;
	else
		PQclear(kept);
	return status;
}

enum db_error
pgconn_wait(struct pg_db *c, PGresult *const *to)
{
	while (c->waiting > 0 && !c->gone && (to == NULL || *to == NULL))
		if (take(c) != DB_OK)
			return DB_GONE;
	return c->gone ? DB_GONE : DB_OK;
}

void
pgconn_unwant(struct pg_db *c, PGresult **to)
{
	for (unsigned i = 0; i < c->waiting; i++) {
		struct pg_answer *a = &c->answer[(c->first + i) % PG_ANSWERS];

		if (a->to == to)
			a->to = NULL;
	}
	PQclear(*to);
	*to = NULL;
}

enum db_error
pgconn_expect(struct pg_db *c, struct pg_answer a)
{
	if (c->gone || PQpipelineSync(c->conn) == 0)
		return pgconn_lost(c);
	if (c->waiting == PG_ANSWERS && take(c) != DB_OK)
		return DB_GONE;
	c->answer[(c->first + c->waiting++) % PG_ANSWERS] = a;
	return DB_OK;
}

enum db_error
pgconn_send(struct pg_db *c, const char *sql)
{
	if (c->gone || PQsendQueryParams(c->conn, sql, 0, NULL, NULL, NULL, NULL, 1) == 0)
		return pgconn_lost(c);
	return DB_OK;
}

enum db_error
pgconn_tell(struct pg_db *c, const char *sql)
{
	enum db_error error = pgconn_send(c, sql);

	return error == DB_OK ? pgconn_expect(c, (struct pg_answer){ 0 }) : error;
}

/* ---- connecting ---- */

int64_t
pgconn_until(const struct pg_db *c)
{
	int64_t until = clock_monotonic() + c->place.timeout_ms;

	return c->db.begin_by != 0 && c->db.begin_by < until ? c->db.begin_by : until;
}

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

static bool
set_up(const struct pg_db *c, PGconn *conn)
{
	char *schema = PQescapeIdentifier(conn, c->place.schema, strlen(c->place.schema));
	struct buf sql = { 0 };
	PGresult *r;
	bool good;

	buf_printf(&sql,
	    "SET search_path = %s, pg_temp; SET client_min_messages = warning; SET TimeZone = 'UTC';"
	    "SET jit = off; SET statement_timeout = 0; SET lock_timeout = %d;"
	    "SET standard_conforming_strings = on; SET default_transaction_read_only = %s;"
	    "SET idle_in_transaction_session_timeout = '30s'",
	    schema, c->place.timeout_ms, c->db.mode == DB_READ ? "on" : "off");
	if (c->db.mode == DB_ASIDE)
		buf_printf(&sql, "; LISTEN %s", schema);
	r = PQexec(conn, sql.data);
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

PGconn *
pgconn_dial(struct pg_db *c)
{
	static struct log_gate gate;
	char *password = c->place.password_file != NULL ? pgplace_password(&c->place) : NULL;
	const char *const keys[] = { "dbname", "client_encoding", "application_name",
		"target_session_attrs", password != NULL ? "password" : NULL, NULL };
	const char *const values[] = { c->place.uri, "UTF8", "stetd", "read-write", password,
		NULL };
	PGconn *conn;
	const char *why = NULL;

	if (c->place.password_file != NULL && password == NULL)
		return NULL;
	conn = connect_by(keys, values, pgconn_until(c));
	(void)PQsetNoticeProcessor(conn, told, NULL);
	free(password);
	if (PQstatus(conn) == CONNECTION_OK && (why = unfit(conn)) == NULL && set_up(c, conn))
		return conn;
	if (why == NULL && PQstatus(conn) != CONNECTION_BAD)
		why = "the server does not answer";
	else if (why == NULL)
		why = PQerrorMessage(conn);
	log_seldom(&gate, STET_ERROR, "the database in schema %s cannot be reached: %.*s",
	    c->place.schema, (int)strcspn(why, "\n"), why);
	PQfinish(conn);
	return NULL;
}

/* Readers ask for the state with each transaction: it is prepared. */
static bool
prepares(PGconn *conn)
{
	PGresult *r = PQprepare(conn, ASKS, PGSITE_STATE, 0, NULL);
	bool good = PQresultStatus(r) == PGRES_COMMAND_OK;

	PQclear(r);
	return good;
}

/* Connects, and sees that the schema is that of a site. */
static bool
begin(struct pg_db *c)
{
	bool ready;

	if ((c->conn = pgconn_dial(c)) == NULL)
		return false;
	ready = pgpool_good(&c->place, c->conn) && pgsite_ready(c, c->conn);
	c->asks = ready && c->db.mode == DB_READ && prepares(c->conn);
	if (!ready || PQsetnonblocking(c->conn, 1) != 0 || PQenterPipelineMode(c->conn) == 0) {
		PQfinish(c->conn);
		c->conn = NULL;
		return false;
	}
	c->generation++;
	pgconn_set_open(c, false);
	c->gone = c->known = false;
	c->missed = true;
	c->lost = DB_OK;
	c->first = c->waiting = 0;
	return true;
}

bool
pgconn_open(struct db *db)
{
	struct pg_db *c = pgconn(db);

	pgplace_read(&c->place, db->path);
	return begin(c);
}

enum db_error
pgconn_mend(struct pg_db *c)
{
	if (!c->gone)
		return DB_OK;
	PQfinish(c->conn);
	PQclear(c->locked);
	c->locked = NULL;
	c->conn = NULL;
	if (begin(c)) {
		dbstats_add(&c->db, DBSTAT_RECONNECTS, 1);
		return DB_OK;
	}
	c->gone = true;
	return pgcode_say(c, DB_GONE, "the database cannot be reached");
}

void
pgconn_close(struct db *db)
{
	struct pg_db *c = pgconn(db);

	pgconn_set_open(c, false);
	PQclear(c->locked);
	PQfinish(c->conn);
	pgplace_free(&c->place);
	arena_free(&c->scratch);
	buf_free(&c->said);
	buf_free(&c->lost_said);
}

/* ---- the state ---- */

int64_t
pgconn_number(const PGresult *r, int column)
{
	uint64_t n = 0;

	for (int i = 0; i < 8; i++)
		n = n << 8 | (unsigned char)PQgetvalue(r, 0, column)[i];
	return (int64_t)n;
}

bool
pgconn_state_row(const PGresult *r, struct pg_state *out)
{
	static const int lengths[] = { 8, PG_MARK, 8, 8 };

	if (PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) != 1)
		return false;
	for (int i = 0; i < 4; i++)
		if (PQgetlength(r, 0, i) != lengths[i])
			return false;
	*out = (struct pg_state){ .n = pgconn_number(r, 0),
		.generation = pgconn_number(r, 2),
		.closed = pgconn_number(r, 3) };
	memcpy(out->mark, PQgetvalue(r, 0, 1), PG_MARK);
	return true;
}

/* Asks for the state on a connection that is in no transaction. */
static bool
ask(struct pg_db *c)
{
	PGresult *r = NULL;
	bool good;

	if (c->open || pgconn_mend(c) != DB_OK)
		return false;
	c->until = pgconn_until(c);
	good = pgconn_ask_state(c, &r) == DB_OK && pgconn_state_row(r, &c->state);
	c->until = 0;
	PQclear(r);
	return good;
}

static void
put_state(const struct pg_state *state, struct stamp *out)
{
	_Static_assert(sizeof(*state) <= sizeof(out->word), "a stamp has room for the state");

	*out = (struct stamp){ 0 };
	memcpy(out->word, state, sizeof(*state));
}

void
pgconn_common(const struct stamp *stamp, struct db_common *out)
{
	struct pg_state state;

	memcpy(&state, stamp->word, sizeof(state));
	*out = (struct db_common){ state.generation, state.closed };
}

bool
pgconn_state_of(const PGresult *r, struct stamp *out)
{
	struct pg_state state;

	if (!pgconn_state_row(r, &state))
		return false;
	put_state(&state, out);
	return true;
}

enum db_error
pgconn_ask_state(struct pg_db *c, PGresult **out)
{
	bool sent = c->asks ? PQsendQueryPrepared(c->conn, ASKS, 0, NULL, NULL, NULL, 1) != 0
			    : pgconn_send(c, PGSITE_STATE) == DB_OK;
	enum db_error error = sent ? DB_OK : pgconn_lost(c);

	/* Within a transaction, it follows the BEGIN. */
	if (error == DB_OK)
		error = pgconn_expect(c, (struct pg_answer){ .to = out, .which = c->open ? 1 : 0 });
	return error == DB_OK ? pgconn_wait(c, out) : error;
}

/* The same on its own connection, which begins no transactions. */
static bool
ask_aside(struct pg_db *c)
{
	PGresult *r = NULL;
	bool good = pgconn_mend(c) == DB_OK;

	c->until = clock_monotonic() + c->place.timeout_ms;
	good = good && pgconn_send(c, PGSITE_STATE) == DB_OK &&
	       pgconn_expect(c, (struct pg_answer){ .to = &r }) == DB_OK &&
	       pgconn_wait(c, &r) == DB_OK && pgconn_state_row(r, &c->state);
	c->until = 0;
	PQclear(r);
	return good;
}

bool
pgconn_state(struct db *db, struct stamp *out)
{
	struct pg_db *c = pgconn(db);

	if (db->mode == DB_ASIDE) {
		if (!ask_aside(c))
			return false;
		put_state(&c->state, out);
		return true;
	}
	/* A writer knows what it has committed; who reads must ask. A connection that was closed
	 * by the server is opened again once. */
	if ((db->mode == DB_READ || !c->known) && !ask(c) && !ask(c))
		return false;
	put_state(&c->state, out);
	return true;
}

bool
pgconn_alive(struct db *db)
{
	struct pg_db *c = pgconn(db);

	if (db->mode == DB_ASIDE)
		return ask_aside(c);
	return pgconn_mend(c) == DB_OK && (ask(c) || ask(c));
}
