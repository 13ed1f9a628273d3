/* pgconn.c - connects, and waits for answers. */
#include "pgconn.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "pgcode.h"
#include "pgsite.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OLDEST 130000 /* the oldest version of the server, as libpq numbers them */
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

static void
cancel(PGconn *conn)
{
	char why[256];
	PGcancel *handle = PQgetCancel(conn);

	if (handle != NULL && PQcancel(handle, why, sizeof(why)) == 0)
		log_line(STET_WARN, "cannot cancel a statement: %s", why);
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

/* Waits until a result of `conn` can be read. */
static bool
arrive(struct pg_db *c, PGconn *conn)
{
	int64_t until = c->until;
	bool cancelled = false;

	while (PQisBusy(conn) != 0) {
		if (!pump(conn))
			return false;
		if (!cancelled && conn == c->conn && overdue(c)) {
			cancelled = true;
			cancel(conn);
			until = clock_monotonic() + c->place.timeout_ms;
		}
		if (until != 0 && clock_monotonic() > until)
			return false;
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
	c->taking.begun = false;
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

/* A result of the answer that is being read. */
static void
sort_result(struct pg_db *c, PGresult *r)
{
	struct pg_taking *t = &c->taking;
	ExecStatusType status = PQresultStatus(r);
	bool wanted = t->query == t->a.which && status != PGRES_PIPELINE_SYNC &&
		      status != PGRES_PIPELINE_ABORTED;

	if (status == PGRES_FATAL_ERROR && t->error == NULL)
		t->error = r;
	else if (wanted && t->a.rows != NULL)
		pgrows_take(t->a.rows, r, c->place.directory);
	else if (wanted && t->kept == NULL)
		t->kept = r;
	else
		PQclear(r);
}

/* Reads what answers one Sync. With `rows`, stops when their memory is full. Returns false if the
 * connection is lost. */
static bool
receive(struct pg_db *c, const struct pg_rows *rows)
{
	struct pg_taking *t = &c->taking;
	ExecStatusType status = PGRES_EMPTY_QUERY;

	while (status != PGRES_PIPELINE_SYNC && (rows == NULL || !pgrows_full(rows))) {
		PGresult *r;

		if (t->a.rows != NULL && t->query == t->a.which)
			(void)PQsetSingleRowMode(c->conn); /* refused once it has begun */
		if (!arrive(c, c->conn) || PQstatus(c->conn) == CONNECTION_BAD)
			return false;
		if ((r = PQgetResult(c->conn)) == NULL) {
			t->query++;
			continue;
		}
		status = PQresultStatus(r);
		sort_result(c, r);
	}
	if (status == PGRES_PIPELINE_SYNC)
		t->begun = false;
	return t->begun || t->error == NULL || pgcode_note(c, t->error) != DB_GONE;
}

/* The answer was read: gives away the result that is wanted, or the error. */
static enum db_error
give(struct pg_db *c)
{
	struct pg_taking t = c->taking;
	enum db_error status = DB_OK;

	if (t.error != NULL && t.a.guarded)
		status = undo_statement(c, t.error);
	else if (t.error != NULL)
		end_transaction(c, t.error);
	if (t.a.counts && t.error == NULL && t.kept != NULL)
		c->affected = strtoll(PQcmdTuples(t.kept), NULL, 10);
	if (t.error != NULL && t.a.rows != NULL) {
		pgrows_take(t.a.rows, t.error, NULL);
		t.error = NULL;
	} else if (t.error != NULL) {
		PQclear(t.kept);
		t.kept = t.error;
	}
	if (t.a.to != NULL && status == DB_OK)
		*t.a.to = t.kept;
	else
		PQclear(t.kept);
	return status;
}

/* Takes the next answer, or the rest of one. With `rows`, stops when their memory is full. */
static enum db_error
take(struct pg_db *c, const struct pg_rows *rows)
{
	struct pg_taking *t = &c->taking;

	if (!t->begun) {
		*t = (struct pg_taking){ .begun = true, .a = c->answer[c->first] };
		c->first = (c->first + 1) % PG_ANSWERS;
		c->waiting--;
	}
	if (!receive(c, t->a.rows == rows ? rows : NULL)) {
		PQclear(t->kept);
		PQclear(t->error);
		return pgconn_lost(c);
	}
	return t->begun ? DB_OK : give(c);
}

static inline bool
expects(const struct pg_db *c)
{
	return !c->gone && (c->waiting > 0 || c->taking.begun);
}

enum db_error
pgconn_wait(struct pg_db *c, PGresult *const *to)
{
	while (expects(c) && (to == NULL || *to == NULL))
		if (take(c, NULL) != DB_OK)
			return DB_GONE;
	return c->gone ? DB_GONE : DB_OK;
}

enum db_error
pgconn_wait_rows(struct pg_db *c, struct pg_rows *rows)
{
	while (expects(c) && !rows->done && !pgrows_full(rows))
		if (take(c, rows) != DB_OK)
			return DB_GONE;
	return rows->done || !c->gone ? DB_OK : DB_GONE;
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

void
pgconn_unwant_rows(struct pg_db *c, struct pg_rows *rows)
{
	for (unsigned i = 0; i < c->waiting; i++) {
		struct pg_answer *a = &c->answer[(c->first + i) % PG_ANSWERS];

		if (a->rows == rows)
			a->rows = NULL;
	}
	if (c->taking.begun && c->taking.a.rows == rows)
		c->taking.a.rows = NULL;
	pgrows_clear(rows);
}

enum db_error
pgconn_expect(struct pg_db *c, struct pg_answer a)
{
	if (c->gone || PQpipelineSync(c->conn) == 0)
		return pgconn_lost(c);
	if (c->waiting == PG_ANSWERS && take(c, NULL) != DB_OK)
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

/* Why this server cannot be used; NULL: it can. */
static const char *
unfit(PGconn *conn)
{
	const char *encoding = PQparameterStatus(conn, "server_encoding");

	if (PQserverVersion(conn) < OLDEST)
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
	r = PQexec(conn, sql.data);
	good = PQresultStatus(r) == PGRES_COMMAND_OK;
	PQclear(r);
	PQfreemem(schema);
	buf_free(&sql);
	return good;
}

/* Returns a connection that can be used, or NULL after the reason was logged. */
static PGconn *
dial(struct pg_db *c)
{
	static struct log_gate gate;
	char *password = c->place.password_file != NULL ? pgplace_password(&c->place) : NULL;
	char timeout[16];
	const char *const keys[] = { "dbname", "client_encoding", "application_name",
		"connect_timeout", "target_session_attrs", password != NULL ? "password" : NULL,
		NULL };
	const char *const values[] = { c->place.uri, "UTF8", "stetd", timeout, "read-write",
		password, NULL };
	PGconn *conn;
	const char *why = NULL;

	if (c->place.password_file != NULL && password == NULL)
		return NULL;
	/* libpq counts seconds, and waits for 2 at least. */
	(void)snprintf(timeout, sizeof(timeout), "%d", (c->place.timeout_ms + 999) / 1000);
	conn = PQconnectdbParams(keys, values, 1);
	(void)PQsetNoticeProcessor(conn, told, NULL);
	free(password);
	if (PQstatus(conn) == CONNECTION_OK && (why = unfit(conn)) == NULL && set_up(c, conn))
		return conn;
	if (why == NULL)
		why = PQerrorMessage(conn);
	log_seldom(&gate, STET_ERROR, "the database in schema %s cannot be reached: %.*s",
	    c->place.schema, (int)strcspn(why, "\n"), why);
	PQfinish(conn);
	return NULL;
}

/* Connects, and sees that the schema is that of a site. */
static bool
begin(struct pg_db *c)
{
	if ((c->conn = dial(c)) == NULL)
		return false;
	if (!pgsite_ready(c, c->conn) || PQsetnonblocking(c->conn, 1) != 0 ||
	    PQenterPipelineMode(c->conn) == 0) {
		PQfinish(c->conn);
		c->conn = NULL;
		return false;
	}
	c->generation++;
	c->gone = c->open = c->known = false;
	c->lost = DB_OK;
	c->first = c->waiting = 0;
	c->taking.begun = false;
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
	if (begin(c))
		return DB_OK;
	c->gone = true;
	return pgcode_say(c, DB_GONE, "the database cannot be reached");
}

void
pgconn_close(struct db *db)
{
	struct pg_db *c = pgconn(db);

	PQclear(c->locked);
	PQfinish(c->conn);
	PQfinish(c->watch);
	pgplace_free(&c->place);
	arena_free(&c->scratch);
	buf_free(&c->said);
	buf_free(&c->lost_said);
}

/* ---- the state ---- */

bool
pgconn_state_row(const PGresult *r, int64_t *n, unsigned char mark[PG_MARK])
{
	uint64_t number = 0;

	if (PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) != 1 ||
	    PQgetlength(r, 0, 0) != 8 || PQgetlength(r, 0, 1) != PG_MARK)
		return false;
	for (int i = 0; i < 8; i++)
		number = number << 8 | (unsigned char)PQgetvalue(r, 0, 0)[i];
	*n = (int64_t)number;
	memcpy(mark, PQgetvalue(r, 0, 1), PG_MARK);
	return true;
}

/* Asks for the state on a connection that is in no transaction. */
static bool
ask(struct pg_db *c)
{
	PGresult *r, *kept = NULL;
	bool good;

	if (c->watch == NULL && (c->watch = dial(c)) == NULL)
		return false;
	c->until = clock_monotonic() + c->place.timeout_ms;
	good = PQsendQueryParams(c->watch, PGSITE_STATE, 0, NULL, NULL, NULL, NULL, 1) != 0;
	while (good && (good = arrive(c, c->watch)) && (r = PQgetResult(c->watch)) != NULL) {
		PQclear(kept);
		kept = r;
	}
	c->until = 0;
	good = good && pgconn_state_row(kept, &c->n, c->mark);
	PQclear(kept);
	if (!good) {
		PQfinish(c->watch);
		c->watch = NULL;
	}
	return good;
}

static void
put_state(int64_t n, const unsigned char mark[PG_MARK], struct stamp *out)
{
	*out = (struct stamp){ 0 };
	memcpy(&out->word[0], &n, sizeof(n));
	memcpy(&out->word[2], mark, PG_MARK);
}

bool
pgconn_state_of(const PGresult *r, struct stamp *out)
{
	unsigned char mark[PG_MARK];
	int64_t n;

	if (!pgconn_state_row(r, &n, mark))
		return false;
	put_state(n, mark, out);
	return true;
}

enum db_error
pgconn_ask_state(struct pg_db *c, PGresult **out)
{
	enum db_error error = pgconn_send(c, PGSITE_STATE);

	if (error == DB_OK)
		error = pgconn_expect(c, (struct pg_answer){ .to = out, .which = 1 });
	return error == DB_OK ? pgconn_wait(c, out) : error;
}

bool
pgconn_state(struct db *db, struct stamp *out)
{
	struct pg_db *c = pgconn(db);

	/* A writer knows what it has committed; who reads must ask. A connection that was closed
	 * by the server is opened again once. */
	if ((db->mode == DB_READ || !c->known) && !ask(c) && !ask(c))
		return false;
	put_state(c->n, c->mark, out);
	return true;
}

bool
pgconn_alive(struct db *db)
{
	struct pg_db *c = pgconn(db);

	return pgconn_mend(c) == DB_OK && (ask(c) || ask(c));
}
