/* pgconn.c - connects, and waits for answers. */
#include "pgconn.h"
#include "base/clock.h"
#include "base/log.h"
#include "pgcode.h"
#include "pgdial.h"
#include "pghang.h"
#include "pgpool.h"
#include "pgsite.h"
#include "pgwait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKS "state" /* the name of a prepared statement */

/* "marks" has the newest first. */
#define RAISE                                                                                        \
	"UPDATE site_state SET n = n + 1, mark = $1, marks = substring($1 || marks FROM 1 FOR 512)," \
	" at = $2 WHERE one"
_Static_assert(PGSITE_MARKS *PG_MARK == 512, "marks that site_state keeps");
#define FLUSH 8 /* answers after which what was sent leaves, though nobody waits */
#define FLUSH_BYTES 4096 /* or so much of it: libpq sends 8 KB by itself, and without a Sync */

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
	c->waiting = c->unsynced = 0;
	c->queries = 0;
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

	/* Nobody waited for what the last transaction has sent. */
	if (!c->open || c->lost != DB_OK || c->taking.a.transaction != c->transaction)
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

	if (t->error == NULL && (status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED))
		t->error = r;
	else if (wanted && t->a.rows != NULL)
		pgrows_take(t->a.rows, r, c->place.directory);
	else if (wanted && t->kept == NULL)
		t->kept = r;
	else
		PQclear(r);
}

/* Returns true if nothing more belongs to the answer. */
static inline bool
is_whole(const struct pg_taking *t, ExecStatusType last)
{
	return t->a.synced ? last == PGRES_PIPELINE_SYNC : t->query == t->a.queries;
}

/* Reads what answers some queries. With `rows`, stops when their memory is full. Returns false if
 * the connection is lost. */
static bool
read_answer(struct pg_db *c, const struct pg_rows *rows)
{
	struct pg_taking *t = &c->taking;
	ExecStatusType status = PGRES_EMPTY_QUERY;

	while (!is_whole(t, status) && (rows == NULL || !pgrows_full(rows))) {
		PGresult *r;

		if (t->a.portions && t->query == t->a.which)
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
	t->begun = !is_whole(t, status);
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

/* Notes a prepared statement that is to be ended later. */
static void
drop_later(struct pg_db *c, unsigned long long name)
{
	if (c->drops == c->drops_room) {
		c->drops_room = c->drops_room > 0 ? c->drops_room * 2 : 16;
		c->dropped = xrealloc(c->dropped, c->drops_room * sizeof(*c->dropped));
	}
	c->dropped[c->drops++] = name;
}

/* What an error in the answer ends. */
static enum db_error
fail(struct pg_db *c, const struct pg_taking *t)
{
	enum db_error status = DB_OK;

	if (t->a.guarded && c->lost == DB_OK)
		status = undo_statement(c, t->error);
	else
		end_transaction(c, t->error);
	if (t->a.drops != 0)
		drop_later(c, t->a.drops);
	return status;
}

/* The answer was read: gives away the result that is wanted, or the error. */
static enum db_error
give(struct pg_db *c)
{
	struct pg_taking t = c->taking;
	enum db_error status = t.error != NULL ? fail(c, &t) : DB_OK;

	if (t.a.to == &c->locked) {
		dbstats_since(&c->db, DBSTAT_LOCKS, c->db.asked_lock);
		c->db.asked_lock = 0;
	}
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

	if (c->unsynced > 0 && pgconn_sync(c) != DB_OK)
		return DB_GONE;
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
pgconn_sync(struct pg_db *c)
{
	if (c->gone || PQpipelineSync(c->conn) == 0)
		return pgconn_lost(c);
	c->answer[(c->first + c->waiting - 1) % PG_ANSWERS].synced = true;
	c->unsynced = 0;
	c->unsent = 0;
	return DB_OK;
}

enum db_error
pgconn_expect(struct pg_db *c, struct pg_answer a)
{
	a.queries = c->queries;
	c->queries = 0;
	if (c->gone)
		return pgconn_lost(c);
	while (c->waiting == PG_ANSWERS) { /* the first may be the rest of an answer */
		stet_assert(c->unsynced == 0);
		if (take(c, NULL) != DB_OK)
			return DB_GONE;
	}
	a.transaction = c->transaction;
	c->answer[(c->first + c->waiting++) % PG_ANSWERS] = a;
	c->unsynced++;
	/* Room for the next answer is made by reading, which must not send a Sync behind its
	 * queries. A server that has got work without a Sync would wait for the rest of it without
	 * end. */
	if ((!c->open && !a.begins) || c->waiting == PG_ANSWERS || c->unsynced == FLUSH ||
	    c->unsent > FLUSH_BYTES)
		return pgconn_sync(c);
	return DB_OK;
}

enum db_error
pgconn_send(struct pg_db *c, const char *sql)
{
	if (c->gone ||
	    !pgconn_took(c, PQsendQueryParams(c->conn, sql, 0, NULL, NULL, NULL, NULL, 1)))
		return pgconn_lost(c);
	return DB_OK;
}

enum db_error
pgconn_tell(struct pg_db *c, const char *sql)
{
	enum db_error error = pgconn_send(c, sql);

	return error == DB_OK ? pgconn_expect(c, (struct pg_answer){ 0 }) : error;
}

static enum db_error
drop(struct pg_db *c, unsigned long long name)
{
	char sql[PGCONN_NAME + 16];
	enum db_error error;

	(void)snprintf(sql, sizeof(sql), "DEALLOCATE " PGCONN_NAMED, name);
	error = pgconn_send(c, sql);
	return error == DB_OK ? pgconn_expect(c, (struct pg_answer){ .drops = c->open ? name : 0 })
			      : error;
}

void
pgconn_drop(struct pg_db *c, unsigned long long name)
{
	if (c->lost == DB_OK)
		(void)drop(c, name);
	else if (!c->gone)
		drop_later(c, name);
}

enum db_error
pgconn_drop_rest(struct pg_db *c)
{
	enum db_error error = DB_OK;

	/* Waiting for room may bring answers. */
	while (error == DB_OK && c->drops > 0)
		error = drop(c, c->dropped[--c->drops]);
	return error;
}

enum db_error
pgconn_end(struct pg_db *c, const char *sql)
{
	enum db_error error = DB_OK;

	/* What failed before it ends with the Sync; the server would skip the end of the
	 * transaction, too. A writer has waited for what matters, or looks whether it was skipped.
	 */
	if (c->db.mode == DB_READ && c->unsynced > 0)
		error = pgconn_sync(c);
	if (error == DB_OK)
		error = pgconn_tell(c, sql);
	return error == DB_OK && c->unsynced > 0 ? pgconn_sync(c) : error;
}

/* ---- connecting ---- */

/* What each transaction runs is prepared: readers ask for the state, writers lock and raise it. */
static bool
prepares(struct pg_db *c)
{
	PGresult *r = pgwait_run(c, c->conn,
	    c->db.mode == DB_READ ? "PREPARE " ASKS " AS " PGSITE_STATE
				  : "PREPARE " PGCONN_LOCK " AS " PGSITE_LOCK
				    "; PREPARE " PGCONN_RAISE " (bytea, bigint) AS " RAISE,
	    0, NULL);
	bool good = PQresultStatus(r) == PGRES_COMMAND_OK;

	PQclear(r);
	return good;
}

/* Connects, and sees that the schema is that of a site. */
static bool
begin(struct pg_db *c)
{
	bool ready;

	if ((c->conn = pgdial(c)) == NULL)
		return false;
	ready = pgpool_good(c, c->conn) && pgsite_ready(c, c->conn);
	if (ready && c->db.mode != DB_ASIDE)
		ready = prepares(c);
	c->asks = c->db.mode == DB_READ;
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
	c->first = c->waiting = c->unsynced = 0;
	c->unsent = 0;
	c->queries = 0;
	c->drops = 0;
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
	PQclear(c->built);
	free(c->building);
	PQfinish(c->conn);
	pgplace_free(&c->place);
	arena_free(&c->scratch);
	free(c->dropped);
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
	c->until = pgwait_until(c);
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
	bool sent = c->asks
			? pgconn_took(c, PQsendQueryPrepared(c->conn, ASKS, 0, NULL, NULL, NULL, 1))
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
	bool good;

	c->db.deadline = 0;
	good = pgconn_mend(c) == DB_OK;
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
