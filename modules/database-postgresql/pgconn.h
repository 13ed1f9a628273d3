/*
 * pgconn.h - connections to PostgreSQL, in pipeline mode (postgresql.org/docs/current/
 * libpq-pipeline-mode.html): what is sent is answered in this order, and nobody waits for an answer
 * before it is needed.
 */
#ifndef PGCONN_H
#define PGCONN_H

#include "base/arena.h"
#include "base/buf.h"
#include "db/dbstats.h"
#include "db/driver.h"
#include "db/stamp.h"
#include "db/stmt.h"
#include "pgplace.h"
#include "pgrows.h"
#include <libpq-fe.h>

#define PGCONN_OLDEST 130000 /* the oldest version of the server, as libpq numbers them */
#define PG_ANSWERS 128 /* answers that are waited for at once */
#define PG_MARK 16 /* bytes */
#define PGCONN_NAMED "s%llu" /* the name of a prepared statement, by its number */
#define PGCONN_NAME 24 /* bytes of one */
/* Statements that are prepared on connections that write: PGSITE_LOCK; raising n, with the mark and
 * the time. */
#define PGCONN_LOCK "lock"
#define PGCONN_RAISE "raise"

/* The row of site_state. */
struct pg_state {
	int64_t n; /* of the last transaction that wrote */
	unsigned char mark[PG_MARK]; /* random bytes that it has left */
	int64_t generation, closed; /* struct db_common */
};

/* Something that was sent: some queries, and a Sync if somebody waited then. */
struct pg_answer {
	PGresult **to; /* where the result goes that is wanted; NULL: nowhere */
	struct pg_rows *rows; /* or where its rows go; NULL: nowhere */
	bool portions; /* its rows come in portions, even if nobody wants them any more */
	unsigned long long drops; /* it ends this prepared statement; 0: none */
	int which; /* the place of that query among those sent together */
	bool counts; /* how many rows it changed is kept in c->affected */
	bool guarded; /* a savepoint stands before it: an error does not end the transaction */
	bool bounded; /* it must come within the time of the place */
	unsigned transaction; /* c->transaction when it was sent */
	bool begins; /* it begins a transaction, in which more is to come */
	int queries; /* how many; pgconn_expect sets it */
	bool synced; /* a Sync stands behind it */
};

/* The answer that is being read. */
struct pg_taking {
	bool begun;
	struct pg_answer a;
	int query; /* the one whose results come next */
	PGresult *kept, *error; /* the result that is wanted; the first error */
};

struct pg_db {
	struct db db;
	struct pg_place place;
	PGconn *conn;
	unsigned generation; /* of `conn`: what was prepared for another one is prepared again */
	struct pg_answer answer[PG_ANSWERS];
	unsigned first, waiting; /* in `answer`, which is a ring */
	unsigned unsynced; /* answers behind the last Sync */
	int queries; /* sent since the last answer was noted */
	size_t unsent; /* bytes of values behind the last Sync */
	struct pg_taking taking;

	bool open; /* in a transaction */
	unsigned transaction; /* its number; also of what is sent after it */
	bool gone; /* the connection is lost */
	bool asks; /* the question for the state is prepared */
	bool hangs; /* the server did not answer in time */
	enum db_error lost; /* what ended the transaction; DB_OK: nothing */
	struct buf lost_said;
	uint64_t written, written_before; /* changes sent; at the begin of the transaction */
	int64_t affected;
	uint64_t cared; /* pgcare.c: `written` when statistics were looked at; when that was */
	int64_t cared_at, cared_until; /* until then, few tables are due */
	int64_t tended_at; /* pgcare.c: after the last batch */
	unsigned long long names; /* numbers of prepared statements, so far */
	unsigned long long *dropped; /* those to be ended: a transaction that failed ends none */
	size_t drops, drops_room;
	PGresult *built; /* pgindex.c: the answer to a step; the statement that follows it */
	char *building;

	PGresult *locked; /* the row of site_state, as a write transaction has locked it */
	struct pg_state state; /* after the last transaction, if `known` */
	bool known;
	bool renewed; /* this transaction has raised `generation` */
	bool missed; /* this connection is new, so it may not have heard of a commit */
	int64_t until; /* clock_monotonic, when an answer counts as never coming; 0: never */
	struct arena scratch; /* the values that are being sent */
	struct buf said; /* the last error in words */
};

static inline struct pg_db *
pgconn(struct db *db)
{
	return (struct pg_db *)db;
}

/* Notes that a transaction begins or is over. */
static inline void
pgconn_set_open(struct pg_db *c, bool open)
{
	if (c->open != open)
		dbstats_add(
		    &c->db, c->db.mode == DB_READ ? DBSTAT_READING : DBSTAT_WRITING, open ? 1 : -1);
	c->open = open;
}

bool pgconn_open(struct db *);
void pgconn_close(struct db *);
bool pgconn_alive(struct db *);
/* Connects again if the connection is lost. */
enum db_error pgconn_mend(struct pg_db *);

/* Counts a query that libpq has taken, or not (0). Returns false if the connection is lost. */
static inline bool
pgconn_took(struct pg_db *c, int taken)
{
	c->queries += taken;
	return taken != 0;
}

/* Expects the answer to what was sent since the last one. In a transaction, it may stay here until
 * somebody waits or some of them have come together: then they cost one message and one Sync. An
 * error ends the transaction in any case, so the server may skip the rest. */
enum db_error pgconn_expect(struct pg_db *, struct pg_answer);
/* Sends all, with a Sync. */
enum db_error pgconn_sync(struct pg_db *);
/* Waits until no answer is expected, or until that for *to is there; NULL: all. Errors are in the
 * results, and in c->lost if they ended the transaction. Returns DB_GONE if the connection is lost.
 */
enum db_error pgconn_wait(struct pg_db *, PGresult *const *to);
/* Waits until the rows have a row in memory, or have ended. Otherwise like pgconn_wait. */
enum db_error pgconn_wait_rows(struct pg_db *, struct pg_rows *);
/* The result for *to is not wanted any more. */
void pgconn_unwant(struct pg_db *, PGresult **to);
/* The rows are not wanted any more. */
void pgconn_unwant_rows(struct pg_db *, struct pg_rows *);
/* Sends a statement without values, and expects its answer. */
enum db_error pgconn_tell(struct pg_db *, const char *sql);
/* The same for the end of a transaction, which is sent at once. */
enum db_error pgconn_end(struct pg_db *, const char *sql);
/* Sends several, as one. */
enum db_error pgconn_send(struct pg_db *, const char *sql);
/* Ends a prepared statement, now or when the next transaction begins. */
void pgconn_drop(struct pg_db *, unsigned long long name);
/* Ends those that could not be ended before, outside of transactions. */
enum db_error pgconn_drop_rest(struct pg_db *);
/* Notes that the connection is lost. */
enum db_error pgconn_lost(struct pg_db *);

/* Asks for the state, in a transaction of which only the BEGIN was sent, or outside of one, and
 * waits for the row. The caller clears it. */
enum db_error pgconn_ask_state(struct pg_db *, PGresult **);
/* The state in such a row. */
bool pgconn_state_of(const PGresult *, struct stamp *);
/* The state of the database, asked for outside of transactions. */
bool pgconn_state(struct db *, struct stamp *);
/* Reads such a row. */
bool pgconn_state_row(const PGresult *, struct pg_state *);
/* A column of 8 bytes in the first row. */
int64_t pgconn_number(const PGresult *, int column);
/* What all users of the database have in common, as such a state has it. */
void pgconn_common(const struct stamp *, struct db_common *);

#endif
