/*
 * pgtx.c - begins and ends transactions.
 *
 * A write transaction locks the row of site_state first, so a site has one writer at a time, among
 * all daemons. Before it commits, it raises n and leaves a mark. If the answer to a COMMIT never
 * comes, the marks tell whether it took place.
 */
#include "pgtx.h"
#include "base/clock.h"
#include "base/log.h"
#include "pgcode.h"
#include "pgsite.h"
#include "pgwait.h"
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AGAIN_US 20000 /* between two attempts to connect */

#define AHEAD_MS 10000 /* a clock that is further ahead is wrong, and not followed */

/* For a commit: the other half of the time is for finding out what has become of it. */
static void
bound_half(struct pg_db *c)
{
	c->db.deadline = 0;
	c->until = clock_monotonic() + c->place.timeout_ms / 2;
}

static void
over(struct pg_db *c)
{
	pgconn_set_open(c, false);
	c->lost = DB_OK;
	c->until = 0;
}

static enum db_error
send_lock(struct pg_db *c)
{
	return pgconn_took(c, PQsendQueryPrepared(c->conn, PGCONN_LOCK, 0, NULL, NULL, NULL, 1))
		   ? DB_OK
		   : pgconn_lost(c);
}

enum db_error
pgtx_begin(struct db *db, enum db_mode mode)
{
	struct pg_db *c = pgconn(db);
	enum db_error error;

	if (c->open && !c->gone) /* an error has ended the last transaction */
		(void)pgtx_rollback(db);
	db->deadline = 0; /* that of the last call */
	if ((error = pgconn_mend(c)) != DB_OK)
		return error;
	over(c);
	if ((error = pgconn_drop_rest(c)) != DB_OK)
		return error;
	pgconn_unwant(c, &c->locked);
	c->transaction++;
	c->written_before = c->written;
	c->renewed = false;
	db->broken = db->unresolved = false;
	if (mode == DB_READ) {
		error = pgconn_send(c, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
	} else if ((error = pgconn_send(c, "BEGIN")) == DB_OK && (error = send_lock(c)) == DB_OK) {
		error = pgconn_expect(
		    c, (struct pg_answer){
			   .to = &c->locked, .which = 1, .bounded = true, .begins = true });
	}
	pgconn_set_open(c, error == DB_OK);
	return error;
}

/* Begins to read, in one message with the question for the state. */
static enum db_error
begin_read(struct pg_db *c, struct stamp *state)
{
	PGresult *r = NULL;
	enum db_error error = pgtx_begin(&c->db, DB_READ);

	c->db.deadline = 0;
	c->until = pgwait_until(c);
	if (error == DB_OK)
		error = pgconn_ask_state(c, &r);
	if (error == DB_OK && !pgconn_state_of(r, state))
		error = pgcode_note(c, r);
	PQclear(r);
	c->until = 0;
	return error;
}

enum db_error
pgtx_begin_read(struct db *db, struct stamp *state)
{
	enum db_error error;

	db->begin_by = pgwait_until(pgconn(db));
	error = begin_read(pgconn(db), state);
	/* The connection may have been lost since the last time. */
	if (error == DB_GONE && clock_monotonic() < db->begin_by)
		error = begin_read(pgconn(db), state);
	return error;
}

/* ---- the end ---- */

/* Returns true if `marks` has this mark. */
static bool
has_mark(const PGresult *r, const unsigned char *mark)
{
	for (int i = 0; i + PG_MARK <= PQgetlength(r, 0, 0); i += PG_MARK)
		if (memcmp(PQgetvalue(r, 0, 0) + i, mark, PG_MARK) == 0)
			return true;
	return false;
}

/* The answer to the COMMIT did not come. Looks whether it took place: once the row can be locked,
 * the server is through with the old connection. */
static enum db_error
resolve(struct pg_db *c, const unsigned char *mark)
{
	PGresult *r = NULL;
	bool took = false, known = false;

	c->until += c->place.timeout_ms / 2;
	while (!known && clock_monotonic() < c->until) {
		c->gone = true;
		if (pgconn_mend(c) != DB_OK) {
			(void)usleep(AGAIN_US);
			continue;
		}
		if (pgconn_send(c, "SELECT marks FROM site_state FOR UPDATE") == DB_OK &&
		    pgconn_expect(c, (struct pg_answer){ .to = &r }) == DB_OK &&
		    pgconn_wait(c, &r) == DB_OK && PQresultStatus(r) == PGRES_TUPLES_OK) {
			took = has_mark(r, mark);
			known = true;
		}
		pgconn_unwant(c, &r);
	}
	c->until = 0;
	c->db.unresolved = !known;
	log_line(STET_WARN, "the connection to the database was lost in a commit, which %s",
	    !known ? "may have taken place"
	    : took ? "took place"
		   : "did not take place");
	return took ? DB_OK : pgcode_say(c, DB_GONE, "the connection was lost");
}

/* No time or id that this transaction has stored is later. */
static int64_t
last_time(const struct pg_db *c)
{
	int64_t now = clock_now();

	return c->db.floor >= now ? c->db.floor + 1 : now;
}

static enum db_error
send_commit(struct pg_db *c, const unsigned char *mark, PGresult **r)
{
	char at[24];
	const char *const values[] = { (const char *)mark, at };
	static const int lengths[] = { PG_MARK, 0 }, formats[] = { 1, 0 };

	(void)snprintf(at, sizeof(at), "%" PRId64, last_time(c));
	if (!pgconn_took(
		c, PQsendQueryPrepared(c->conn, PGCONN_RAISE, 2, values, lengths, formats, 1)) ||
	    pgconn_send(c, "COMMIT") != DB_OK ||
	    pgconn_expect(c, (struct pg_answer){ .to = r, .which = 1 }) != DB_OK)
		return pgconn_lost(c);
	return DB_OK;
}

/* What the server says to a COMMIT. To that of a transaction that has failed it says ROLLBACK; if n
 * could not be raised, it has skipped it. */
static enum db_error
committed(struct pg_db *c, PGresult *r)
{
	enum db_error error;

	if (PQresultStatus(r) == PGRES_COMMAND_OK && strcmp(PQcmdStatus(r), "COMMIT") == 0)
		return DB_OK;
	error = c->lost != DB_OK ? pgcode_lost(c) : pgcode_note(c, r);
	if (!c->gone && PQtransactionStatus(c->conn) != PQTRANS_IDLE)
		(void)pgconn_end(c, "ROLLBACK");
	return error;
}

static enum db_error
commit_write(struct pg_db *c)
{
	unsigned char mark[PG_MARK];
	PGresult *r = NULL;
	enum db_error error;
	bool lost;

	randombytes_buf(mark, sizeof(mark));
	if ((error = send_commit(c, mark, &r)) != DB_OK)
		return error;
	lost = pgconn_wait(c, &r) != DB_OK || r == NULL;
	error = lost ? resolve(c, mark) : committed(c, r);
	PQclear(r);
	if (error == DB_OK) {
		c->state.n++;
		memcpy(c->state.mark, mark, PG_MARK);
		c->known = !lost && !c->renewed;
	}
	return error;
}

/* Waits for what was sent, and says what has failed of it. */
static enum db_error
drain(struct pg_db *c)
{
	if (pgconn_wait(c, NULL) != DB_OK)
		return DB_GONE;
	return pgcode_lost(c);
}

enum db_error
pgtx_commit(struct db *db)
{
	struct pg_db *c = pgconn(db);
	enum db_error error;

	if (db->mode == DB_READ && c->taking.begun) {
		/* The rest of a large result, which would have to be read first: it costs less to
		 * connect again. */
		c->gone = true;
		over(c);
		return DB_OK;
	}
	if (db->mode == DB_READ) {
		error = c->gone ? DB_OK : pgconn_end(c, "COMMIT");
		over(c);
		return error == DB_OK ? DB_OK : pgconn_lost(c);
	}
	error = drain(c);
	if (error == DB_OK)
		c->known = pgconn_state_row(c->locked, &c->state);
	bound_half(c);
	if (error == DB_OK && c->written != c->written_before) {
		error = commit_write(c);
	} else if (!c->gone) {
		(void)pgconn_end(c, "ROLLBACK");
	}
	over(c);
	return error;
}

enum db_error
pgtx_rollback(struct db *db)
{
	struct pg_db *c = pgconn(db);
	enum db_error error = DB_OK;

	c->db.deadline = 0;
	if (!c->gone && c->open) {
		(void)pgconn_wait(c, NULL);
		error = pgconn_end(c, "ROLLBACK");
	}
	over(c);
	return error;
}

/* ---- savepoints ---- */

enum db_error
pgtx_savepoint(struct db *db)
{
	return pgconn_tell(pgconn(db), "SAVEPOINT call");
}

enum db_error
pgtx_release(struct db *db)
{
	enum db_error error = drain(pgconn(db));

	return error == DB_OK ? pgconn_tell(pgconn(db), "RELEASE SAVEPOINT call") : error;
}

enum db_error
pgtx_rollback_to(struct db *db)
{
	struct pg_db *c = pgconn(db);

	if (pgconn_wait(c, NULL) != DB_OK)
		return DB_GONE;
	c->lost = DB_OK;
	return pgconn_tell(c, "ROLLBACK TO SAVEPOINT call");
}

bool
pgtx_is_open(const struct db *db)
{
	const struct pg_db *c = (const struct pg_db *)db;

	return c->open && !c->gone && c->lost == DB_OK;
}

uint64_t
pgtx_written(const struct db *db)
{
	return ((const struct pg_db *)db)->written + db->altered;
}

/* The state as it is under the lock is that which this connection has left. */
bool
pgtx_alone(struct db *db)
{
	struct pg_db *c = pgconn(db);
	struct pg_state state;

	return pgconn_wait(c, &c->locked) == DB_OK && c->known &&
	       pgconn_state_row(c->locked, &state) && state.n == c->state.n &&
	       memcmp(state.mark, c->state.mark, PG_MARK) == 0;
}

/* ---- what all users of the database have in common ---- */

/* If another process has written last, times begin where those of that one end. */
static void
follow_time(struct pg_db *c, const struct pg_state *found)
{
	int64_t at = pgconn_number(c->locked, 4);

	if (memcmp(found->mark, c->state.mark, PG_MARK) != 0 && at < clock_now() + AHEAD_MS)
		c->db.floor = at;
}

bool
pgtx_locked(struct db *db, struct stamp *out)
{
	struct pg_db *c = pgconn(db);
	struct pg_state state;

	if (pgconn_wait(c, &c->locked) != DB_OK || c->locked == NULL ||
	    !pgconn_state_row(c->locked, &state) || !pgconn_state_of(c->locked, out))
		return false;
	follow_time(c, &state);
	return true;
}

enum db_error
pgtx_renew(struct db *db)
{
	struct pg_db *c = pgconn(db);

	c->renewed = true;
	c->written++;
	return pgconn_tell(c, "UPDATE site_state SET generation = generation + 1");
}

enum db_error
pgtx_shut(struct db *db, int64_t ms)
{
	static const char until[] =
	    "UPDATE site_state SET closed = CASE WHEN $1 > 0 THEN " PGSITE_NOW " + $1 ELSE 0 END";
	struct pg_db *c = pgconn(db);
	char text[24];
	const char *const values[] = { text };
	static const Oid types[] = { 20 }; /* bigint */

	c->renewed = true;
	c->written++;
	(void)snprintf(text, sizeof(text), "%" PRId64, ms);
	if (!pgconn_took(c, PQsendQueryParams(c->conn, until, 1, types, values, NULL, NULL, 1)))
		return pgconn_lost(c);
	return pgconn_expect(c, (struct pg_answer){ 0 });
}
