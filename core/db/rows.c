/*
 * rows.c - queries and changes of a call: binds values, steps statements, reports errors.
 * Statements come from the cache of the connection (stmt.h) and are open on their call, so that a
 * handler that returns early leaves none open.
 */
#include "db/rows.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/held.h"
#include "call/metrics.h"
#include "call/site.h"
#include "call/timing.h"
#include "db/db.h"
#include "db/dbstats.h"
#include "db/driver.h"
#include "db/later.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/snapshot.h"
#include "db/stmt.h"
#include "db/txslot.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* open statements from which a warning is logged: rows are not ended somewhere */
#define OPEN_WARN 64
#define BUSY "The database is busy, try again later"
#define CLOCK_EACH 16 /* statements between two looks at the call's deadline and its client */

/* ---- values ---- */

struct stet_val
stet_val_str(const char *s)
{
	if (s == NULL)
		return stet_val_null();
	return (struct stet_val){ .type = STET_V_TEXT, .len = strlen(s), .u.s = s };
}

struct stet_val
stet_val_strn(const char *s, size_t len)
{
	if (s == NULL)
		return stet_val_null();
	return (struct stet_val){ .type = STET_V_TEXT, .len = len, .u.s = s };
}

struct stet_val
stet_val_blob(const void *b, size_t len)
{
	if (b == NULL)
		return stet_val_null();
	return (struct stet_val){ .type = STET_V_BLOB, .len = len, .u.b = b };
}

/* ---- faults ---- */

/* A read may succeed if its call runs again: a damaged database of derived data is made anew. */
static bool
runs_again(const struct stet_call *call, const struct db *db, enum db_error error)
{
	return !call->writing && (error == DB_STALE || error == DB_GONE ||
				     (error == DB_DAMAGED && db == db_part(call)->derived));
}

static enum stet_status
failed(struct stet_call *call, struct db *db, enum db_error error, const char *sql)
{
	enum stet_status status = db_status(error);
	static struct log_gate full, away;

	db->stale = db->stale || error == DB_STALE;
	db->damaged = db->damaged || error == DB_DAMAGED;
	if (error == DB_GONE)
		atomic_store(&call->site->db_lost, true);
	if (runs_again(call, db, error)) {
		db_part(call)->again = true;
		dbstats_add(db, DBSTAT_STALE, error == DB_STALE);
		stet_log(call, STET_DEBUG, "%s, in: %s", db->driver->message(db), sql);
		return stet_fail(call, STET_UNAVAILABLE, NULL, BUSY);
	}
	switch (status) {
	case STET_CONFLICT:
		return status;
	case STET_VALIDATION_ERROR:
		stet_log(call, STET_DEBUG, "%s, in: %s", db->driver->message(db), sql);
		return stet_fail(call, status, NULL,
		    "A text is longer than an index of the database takes: shorten it, or its field"
		    " must not be indexed");
	case STET_REQUEST_TIMEOUT:
		return stet_fail(call, status, NULL, "The request took too long");
	case STET_INSUFFICIENT_STORAGE:
		log_seldom(&full, STET_ERROR, "%s: the disk is full: %s, in: %s",
		    site_name(call->site), db->driver->message(db), sql);
		return stet_fail(call, status, NULL, "The storage is full: nothing was saved");
	case STET_UNAVAILABLE:
		log_seldom(&away, STET_WARN, "%s: the database is busy: %s, in: %s",
		    site_name(call->site), db->driver->message(db), sql);
		return stet_fail(call, status, NULL, BUSY);
	default:
		return stet_fault(call, "%s, in: %s", db->driver->message(db), sql);
	}
}

/* ---- statements of a call ---- */

static void
open_add(struct stet_call *call, struct stmt *s)
{
	struct db_part *part = db_part(call);

	s->prev = NULL;
	s->next = part->open;
	if (part->open != NULL)
		part->open->prev = s;
	part->open = s;
}

static atomic_llong slow_us;

void
rows_log_slow(int64_t ms)
{
	atomic_store(&slow_us, ms * 1000);
}

/* Logs a slow statement. Its text holds no values, since those are bound. */
static void
tell_slow(struct stet_call *call, const struct stmt *s)
{
	const char *module = call->owner != NULL ? call->owner->m.name : "core";

	metrics_label(FAMILY_SLOW_STATEMENTS, module, call->op != NULL ? call->op->name : "none");
	stet_log(call, STET_WARN, "slow statement: %lld ms, %llu rows, op %s: %s",
	    (long long)(s->took / 1000), (unsigned long long)s->rows,
	    call->op != NULL ? call->op->name : "none", s->sql);
}

static void
open_end(struct stet_call *call, struct stmt *s)
{
	int64_t slow = atomic_load_explicit(&slow_us, memory_order_relaxed);

	if (slow > 0 && s->took >= slow)
		tell_slow(call, s);
	if (s->prev != NULL)
		s->prev->next = s->next;
	else
		db_part(call)->open = s->next;
	if (s->next != NULL)
		s->next->prev = s->prev;
	stmt_put(s);
}

/* There is no connection to begin with. A database that is elsewhere may be away for a while. */
static enum stet_status
unconnected(struct stet_call *call)
{
	if (!call->site->shared)
		return stet_fault(call, "no connection to %s", call->site->db_place);
	atomic_store(&call->site->db_lost, true);
	return stet_fail(call, STET_UNAVAILABLE, NULL, BUSY);
}

/* Returns the call's connection with its transaction begun, or NULL with *status. */
static struct db *
begun(struct stet_call *call, enum stet_status *status)
{
	struct db *db = db_part(call)->db;
	enum db_error error;

	if (db == NULL && (db = db_part(call)->db = reader_get(call->site)) == NULL) {
		*status = unconnected(call);
		return NULL;
	}
	if (!call->writing && db->reading == NULL) {
		if ((error = snapshot_begin(call, db)) != DB_OK) {
			*status = failed(call, db, error, "BEGIN");
			db_part(call)->db = NULL;
			reader_put(db);
			return NULL;
		}
	}
	return db;
}

/* When SQL of the call is interrupted; 0: never. */
static int64_t
deadline(const struct stet_call *call)
{
	bool is_read = db_part(call)->read_deadline != 0 && !call->writing;

	return is_read && (call->deadline == 0 || db_part(call)->read_deadline < call->deadline)
		   ? db_part(call)->read_deadline
		   : call->deadline;
}

/* The same, or `other`, for one more statement: checks now and then whether the call is to go on.
 */
static struct db *
connection(struct stet_call *call, struct db *other, enum stet_status *status)
{
	struct db *db = other != NULL ? other : begun(call, status);

	if (db == NULL || (*status = held_check(call)) != STET_OK)
		return NULL;
	db->deadline = deadline(call);
	if (++db->statements % CLOCK_EACH == 0 &&
	    (call_abandoned(call) || (db->deadline != 0 && clock_monotonic() > db->deadline))) {
		*status = failed(call, db, DB_TIMEOUT, "");
		return NULL;
	}
	return db;
}

const char *
rows_plugin(const struct stet_call *call)
{
	return call->owner == NULL || call->owner->bundled ? NULL : call->owner->m.name;
}

/* The count of the last change is asked of the engine when somebody wants it (stet_changes), or
 * before the next change of another call. */
static void
count_changes(struct db *db)
{
	if (db->counting == NULL)
		return;
	db->counting->changes = db->driver->affected(db);
	db->counting = NULL;
}

/* Closes the statement after an error. */
static enum stet_status
give_up(struct stet_call *call, struct stmt *s, enum db_error error)
{
	enum stet_status status = failed(call, s->db, error, s->sql);

	open_end(call, s);
	return status;
}

/* Runs what was put off, if the statement is about that. */
static enum stet_status
catch_up(struct stet_call *call, struct stmt *s)
{
	enum db_error error;

	if (s->db->later == NULL || !later_concerns(s))
		return STET_OK;
	count_changes(s->db);
	error = later_run(s->db);
	return error == DB_OK ? STET_OK : give_up(call, s, error);
}

/* Prepares a statement of this text for so many values, open on the call. *again: see stmt_get.
 * `other`: not for the connection of the call. */
static enum stet_status
prepare(struct stet_call *call, struct db *other, const char *sql, size_t n, struct stmt **out,
    bool *again)
{
	enum stet_status status = STET_OK;
	struct db *db = connection(call, other, &status);
	struct stmt *s;
	enum db_error error;

	if (db == NULL)
		return status;
	db->plugin = rows_plugin(call);
	error = stmt_get(db, sql, &s, again);
	db->plugin = NULL;
	if (error == DB_DENIED)
		return stet_fault(call, "%s: %s", db->driver->message(db), sql);
	if (error != DB_OK)
		return failed(call, db, error, sql);
	s->took = 0;
	s->rows = 0;
	open_add(call, s);
	if (db->busy == OPEN_WARN)
		stet_log(call, STET_WARN, "%d statements are open at once, the last is: %s",
		    OPEN_WARN, sql);
	/* A statement with missing values would run with those of its last user. */
	if ((size_t)db->driver->parameters(s) != n) {
		open_end(call, s);
		return stet_fault(call, "%zu values for: %s", n, sql);
	}
	*out = s;
	return catch_up(call, s);
}

/* Prepares a statement and starts it with these values. */
static enum stet_status
start(struct stet_call *call, struct db *other, const char *sql, const struct stet_val *v, size_t n,
    struct stmt **out, bool *again)
{
	enum db_error error;
	struct stmt *s;

	STET_TRY(prepare(call, other, sql, n, &s, again));
	if (s->writes != 0)
		count_changes(s->db);
	if ((error = s->driver->send(s, v, n)) != DB_OK)
		return give_up(call, s, error);
	*out = s;
	return STET_OK;
}

/* What the statement writes is noted before it runs. */
static void
note_writes(const struct stmt *s)
{
	s->db->altered += s->alters;
	if (s->writes != 0)
		txslot_wrote(s->db, s->writes);
}

void
rows_end_statements(struct stet_call *call)
{
	const struct db_part *part = db_part(call);

	while (part->open != NULL)
		open_end(call, part->open);
}

void
rows_end_of(struct stet_call *call, const struct db *db)
{
	struct stmt *next;

	for (struct stmt *s = db_part(call)->open; s != NULL; s = next) {
		next = s->next;
		if (s->db == db)
			open_end(call, s);
	}
}

void
rows_end_call(struct stet_call *call)
{
	struct db_part *part = db_part(call);
	struct db *db = part->db;

	rows_end_statements(call);
	if (part->derived_over != NULL)
		part->derived_over(call);
	if (db != NULL && db->counting == part)
		db->counting = NULL;
	if (db == NULL || call->writing)
		return;
	part->db = NULL;
	if (db->reading == call)
		snapshot_leave(db);
	reader_put(db);
}

enum stet_status
rows_begin_read(struct stet_call *call)
{
	enum stet_status status = STET_OK;

	(void)begun(call, &status);
	return status;
}

/* ---- queries ---- */

/* A row of stet_one is valid until the call ends, which would keep its statement open. A call
 * that asks the same question often would need a new statement each time, and a slow call would
 * never see more than its first snapshot. In those cases the values are copied (db_driver.keep)
 * and the statement is freed. */
static bool
holds_statements(const struct stet_call *call)
{
	return call->writing || (call->op != NULL && call->op->row.lane == STET_READ);
}

/* Steps to the next row; at the end and on an error closes the statement. */
static bool
step(struct stet_rows *rows)
{
	struct stet_call *call = rows->call;
	struct stmt *s = rows->stmt;
	int64_t began, timed;
	enum db_error error;

	rows->status = held_check(call);
	if (rows->status != STET_OK) {
		rows->stmt = NULL;
		open_end(call, s);
		return false;
	}
	s->db->deadline = deadline(call);
	note_writes(s);
	began = clock_coarse_us();
	timed = timing_sql_begin(call);
	error = s->driver->row(s);
	timing_sql_end(call, timed);
	s->took += clock_coarse_us() - began;
	if (error == DB_OK) {
		s->rows++;
		return true;
	}
	if (error != DB_END)
		rows->status = failed(call, s->db, error, s->sql);
	rows->stmt = NULL;
	open_end(call, s);
	return false;
}

enum stet_status
rows_query(struct stet_call *call, struct db *other, struct stet_rows *rows, const char *sql,
    const struct stet_val *v, size_t n)
{
	struct stmt *s = NULL;
	bool again;

	*rows = (struct stet_rows){ .call = call };
	rows->status = start(call, other, sql, v, n, &s, &again);
	rows->stmt = s;
	return rows->status;
}

enum stet_status
stet_query(struct stet_call *call, struct stet_rows *rows, const char *sql,
    const struct stet_val *v, size_t n)
{
	return rows_query(call, NULL, rows, sql, v, n);
}

enum stet_status
rows_one(struct stet_call *call, struct db *other, struct stet_rows *rows, enum stet_status none,
    const char *sql, const struct stet_val *v, size_t n)
{
	struct stmt *s = NULL;
	bool again = false;

	*rows = (struct stet_rows){ .call = call };
	rows->status = start(call, other, sql, v, n, &s, &again);
	if (rows->status != STET_OK)
		return rows->status;
	rows->stmt = s;
	if (!step(rows)) {
		if (rows->status == STET_OK)
			rows->status = none;
		return rows->status;
	}
	if (again || !holds_statements(call)) {
		struct stmt *copy = s->driver->keep(call, s);

		if (step(rows))
			copy->rest = s;
		rows->stmt = copy;
		STET_TRY(rows->status);
	}
	rows->first = true;
	return STET_OK;
}

enum stet_status
stet_one(struct stet_call *call, struct stet_rows *rows, enum stet_status none, const char *sql,
    const struct stet_val *v, size_t n)
{
	return rows_one(call, NULL, rows, none, sql, v, n);
}

bool
stet_row(struct stet_rows *rows)
{
	struct stmt *s = rows->stmt;

	if (s == NULL)
		return false;
	if (rows->first) {
		rows->first = false;
		return true;
	}
	if (s->copied) {
		rows->stmt = s->rest;
		return rows->stmt != NULL;
	}
	return step(rows);
}

enum stet_status
stet_rows_end(struct stet_rows *rows)
{
	struct stmt *s = rows->stmt;

	if (s != NULL && s->copied)
		s = s->rest;
	if (s != NULL)
		open_end(rows->call, s);
	rows->stmt = NULL;
	return rows->status;
}

/* ---- changes ---- */

bool
rows_hopeful(const struct stet_call *call)
{
	const struct db *db = db_part(call)->db;

	return call->writing && db != NULL && db->hopeful && db->savepoints == 0;
}

bool
rows_hoped_in_vain(const struct stet_call *call)
{
	return rows_hopeful(call) && !db_in_transaction(db_part(call)->db);
}

struct stet_tx *
stet_write_tx(struct stet_call *call)
{
	stet_assert(call->writing);
	return &call->tx;
}

enum stet_status
stet_exec(
    struct stet_call *call, struct stet_tx *tx, const char *sql, const struct stet_val *v, size_t n)
{
	struct db_part *part = db_part(call);
	struct stmt *s = NULL;
	enum db_error error;
	int64_t began, timed;
	bool again;

	stet_assert(tx != NULL && tx->call == call && (call->writing || tx->derived != NULL));
	STET_TRY(prepare(call, tx->derived, sql, n, &s, &again));
	if (s->db->counting != part)
		count_changes(s->db);
	note_writes(s);
	began = clock_coarse_us();
	timed = timing_sql_begin(call);
	error = s->driver->run(s, v, n);
	timing_sql_end(call, timed);
	s->took += clock_coarse_us() - began;
	if (error != DB_OK)
		return give_up(call, s, error);
	s->db->counting = part;
	open_end(call, s);
	return STET_OK;
}

enum stet_status
stet_exec_later(struct stet_call *call, struct stet_tx *tx, enum stet_later kind, const char *table,
    const char *sql, const struct stet_val *v, size_t n)
{
	struct db *db = tx->derived != NULL ? tx->derived : db_part(call)->db;

	stet_assert(tx->call == call && (call->writing || tx->derived != NULL));
	if (db == NULL || held_check(call) != STET_OK ||
	    (kind == STET_LATER_HOPED && !rows_hopeful(call)) ||
	    !later_add(db, table, sql, kind, v, n))
		return stet_exec(call, tx, sql, v, n);
	txslot_wrote(db, txslot_bit(table, strlen(table)));
	return STET_OK;
}

int64_t
stet_changes(struct stet_call *call)
{
	struct db_part *part = db_part(call);

	if (part->db != NULL && part->db->counting == part)
		count_changes(part->db);
	return part->changes;
}
