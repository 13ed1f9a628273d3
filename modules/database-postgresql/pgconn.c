/* pgconn.c - connects, and waits for answers. */
#include "pgconn.h"
#include "base/clock.h"
#include "pgcode.h"
#include "pgdial.h"
#include "pghang.h"
#include "pgsite.h"
#include "pgwait.h"
#include <stdlib.h>
#include <string.h>

/* ---- answers ---- */

enum db_error
pgconn_lost(struct pg_db *c)
{
	if (!c->gone)
		pgcode_say(c, DB_GONE,
		    PQstatus(c->conn) == CONNECTION_BAD ? PQerrorMessage(c->conn)
							: "PostgreSQL does not answer");
	if (c->hangs)
		pghang_note(c);
	c->gone = true;
	c->hangs = false;
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
read_answer(struct pg_db *c, const struct pg_rows *rows)
{
	struct pg_taking *t = &c->taking;
	ExecStatusType status = PGRES_EMPTY_QUERY;

	while (status != PGRES_PIPELINE_SYNC && (rows == NULL || !pgrows_full(rows))) {
		PGresult *r;

		if (t->a.rows != NULL && t->query == t->a.which)
			(void)PQsetSingleRowMode(c->conn); /* refused once it has begun */
		if (!pgwait_arrive(c, c->conn) || PQstatus(c->conn) == CONNECTION_BAD)
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

static bool
receive(struct pg_db *c, const struct pg_rows *rows)
{
	int64_t before = c->until;
	bool good;

	if (c->taking.a.bounded && before == 0)
		c->until = clock_monotonic() + c->place.timeout_ms;
	good = read_answer(c, rows);
	c->until = before;
	return good;
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

/* Connects, and sees that the schema is that of a site. */
static bool
begin(struct pg_db *c)
{
	if ((c->conn = pgdial(c)) == NULL)
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

	if (c->watch == NULL && (c->watch = pgdial(c)) == NULL)
		return false;
	c->until = clock_monotonic() + c->place.timeout_ms;
	good = PQsendQueryParams(c->watch, PGSITE_STATE, 0, NULL, NULL, NULL, NULL, 1) != 0;
	while (good && (good = pgwait_arrive(c, c->watch)) && (r = PQgetResult(c->watch)) != NULL) {
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
