/*
 * derived.c - databases of derived data (stet/derived.h): a file of SQLite beside a site whose
 * database is of another engine.
 *
 * One call at a time writes it in this process; connections that read are kept for the next call.
 * Another process may have the file open, too, and anybody may remove it: whoever writes looks
 * whether the file is still the one that is open. A file is never mended, but made anew.
 */
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include "call/call.h"
#include "db/driver.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/stmt.h"
#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <stet/derived.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define FILE_NAME "index.db"
#define IDLE_MAX 8
#define MAKE_WAIT_MS 10000 /* how long a read waits for who makes the file */
#define TRIES 3
#define DIGEST_SIZE 16

struct stet_derived {
	struct site *site;
	char *path;
	const char *schema;
	char digest[2 * DIGEST_SIZE + 1]; /* of the schema */

	pthread_mutex_t writing; /* held while a call writes; guards these */
	struct db *writer; /* NULL: not open */
	dev_t device;
	ino_t inode;

	pthread_mutex_t lock; /* guards these */
	bool ready; /* the file has its tables */
	bool damaged;
	uint64_t file; /* grows when another file takes its place */
	struct db *idle[IDLE_MAX];
	unsigned idle_count;
};

/* ---- the file ---- */

static const struct db_driver *
driver(const struct stet_derived *d)
{
	return db_driver_of(d->path);
}

/* Connections to the file are closed when they are idle: it will be another one. */
static void
forget(struct stet_derived *d)
{
	pthread_mutex_lock(&d->lock);
	while (d->idle_count > 0)
		db_close(d->idle[--d->idle_count]);
	d->file++;
	d->ready = d->damaged = false;
	pthread_mutex_unlock(&d->lock);
	db_close(d->writer);
	d->writer = NULL;
}

/* The file is of no use any more. */
static void
discard(struct stet_derived *d, const char *why)
{
	log_line(STET_WARN, "%s is made anew: %s", d->path, why);
	forget(d);
	driver(d)->erase(d->path);
}

static bool
is_damaged(struct stet_derived *d)
{
	bool yes;

	pthread_mutex_lock(&d->lock);
	yes = d->damaged;
	pthread_mutex_unlock(&d->lock);
	return yes;
}

static bool
is_there(const struct stet_derived *d)
{
	struct stat st;

	return stat(d->path, &st) == 0 && st.st_dev == d->device && st.st_ino == d->inode;
}

static bool
open_file(struct stet_derived *d, bool *bad)
{
	struct stat st;

	d->writer = db_try(d->path, DB_WRITE, bad);
	if (d->writer == NULL || stat(d->path, &st) != 0)
		return false;
	db_relax(d->writer);
	d->device = st.st_dev;
	d->inode = st.st_ino;
	return true;
}

/* Returns in *state whether the file has the tables: -1 those of another schema, 0 none, 1 yes. */
static enum stet_status
look(struct stet_call *call, struct stet_derived *d, int *state)
{
	struct stet_rows rows;
	bool any;

	*state = 0;
	STET_TRY(
	    rows_query(call, d->writer, &rows, driver(d)->table_exists, STET_ARGS("stet_derived")));
	any = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (!any)
		return STET_OK;
	STET_TRY(
	    rows_query(call, d->writer, &rows, "SELECT digest FROM stet_derived", STET_NO_ARGS));
	*state = stet_row(&rows) && strcmp(stet_col_str(&rows, 0), d->digest) == 0 ? 1 : -1;
	return stet_rows_end(&rows);
}

static enum stet_status
make_tables(struct stet_call *call, struct stet_derived *d)
{
	struct stet_tx tx = { call, d->writer };
	char *why = NULL;
	enum stet_status status =
	    db_script(d->writer, "CREATE TABLE stet_derived (digest TEXT NOT NULL);", &why);

	if (status == STET_OK)
		status = db_script(d->writer, d->schema, &why);
	if (status != STET_OK)
		log_line(STET_ERROR, "%s: %s", d->path, why != NULL ? why : "no tables");
	free(why);
	STET_TRY(status);
	status = stet_exec(call, &tx, "INSERT INTO stet_derived (digest) VALUES (?1)",
	    STET_ARGS((const char *)d->digest));
	d->writer->counting = NULL; /* the call may not be the one that uses the connection next */
	return status;
}

/* Makes the tables, unless they are there. *other: the file is not of this schema. */
static enum stet_status
settle(struct stet_call *call, struct stet_derived *d, bool *other)
{
	int state;
	enum stet_status status;

	*other = false;
	STET_TRY(look(call, d, &state));
	if (state < 0) {
		*other = true;
		return STET_OK;
	}
	if (state == 0) {
		status = make_tables(call, d);
		if (status == STET_OK)
			status = db_commit(d->writer);
		if (status == STET_OK)
			status = db_begin(d->writer, DB_WRITE);
		STET_TRY(status);
	}
	pthread_mutex_lock(&d->lock);
	d->ready = true;
	pthread_mutex_unlock(&d->lock);
	return STET_OK;
}

static bool
is_ready(struct stet_derived *d)
{
	bool yes;

	pthread_mutex_lock(&d->lock);
	yes = d->ready;
	pthread_mutex_unlock(&d->lock);
	return yes;
}

/* Begins to write the file, which is made if that is necessary. `again`: another try may help. */
static enum stet_status
begin_once(struct stet_call *call, struct stet_derived *d, bool *again)
{
	enum stet_status status;
	bool other;

	*again = true;
	if (d->writer != NULL && !is_there(d)) {
		log_line(STET_WARN, "%s was removed or replaced", d->path);
		forget(d);
	}
	if (is_damaged(d) || (d->writer != NULL && d->writer->damaged))
		discard(d, "it is damaged");
	if (d->writer == NULL && !open_file(d, again)) {
		if (*again)
			discard(d, "it is damaged");
		return STET_UNAVAILABLE;
	}
	status = db_begin(d->writer, DB_WRITE);
	if (status != STET_OK || is_ready(d)) {
		*again = d->writer->damaged;
		return status;
	}
	*again = true;
	status = settle(call, d, &other);
	if (status == STET_OK && !other)
		return STET_OK;
	db_rollback(d->writer);
	stet_error_clear(call);
	if (other)
		discard(d, "it was made by another version");
	return status != STET_OK ? status : STET_UNAVAILABLE;
}

static enum stet_status
begin(struct stet_call *call, struct stet_derived *d)
{
	enum stet_status status = STET_UNAVAILABLE;
	bool again = true;

	for (int i = 0; i < TRIES && again && status != STET_OK; i++)
		status = begin_once(call, d, &again);
	return status == STET_OK
		   ? STET_OK
		   : stet_fail(call, STET_UNAVAILABLE, NULL, "%s cannot be written", FILE_NAME);
}

/* ---- one call after the other ---- */

static bool
take(struct stet_derived *d, int64_t wait_ms)
{
	struct timespec until;

	if (wait_ms < 0)
		return pthread_mutex_lock(&d->writing) == 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += wait_ms / 1000;
	until.tv_nsec += wait_ms % 1000 * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	return pthread_mutex_timedlock(&d->writing, &until) == 0;
}

/* The call is through with its connection. */
static struct db *
let_go(struct stet_call *call)
{
	struct db_part *part = db_part(call);
	struct db *db = part->derived;

	rows_end_of(call, db);
	if (db->counting == part)
		db->counting = NULL;
	if (db->stale)
		stmt_free_idle(db);
	db->stale = false;
	db->reading = NULL;
	part->derived = NULL;
	part->derived_over = NULL;
	part->deriving = DERIVING_NOT;
	return db;
}

static void
stop_reading(struct stet_call *call)
{
	struct stet_derived *d = call->site->derived;
	const uint64_t file = db_part(call)->derived_file;
	struct db *db = let_go(call);

	db_rollback(db);
	pthread_mutex_lock(&d->lock);
	if (file == d->file) {
		d->damaged = d->damaged || db->damaged;
		if (!db->damaged && d->idle_count < IDLE_MAX) {
			d->idle[d->idle_count++] = db;
			db = NULL;
		}
	}
	pthread_mutex_unlock(&d->lock);
	db_close(db);
}

/* Undoes or keeps what the call has written. */
static enum stet_status
stop_writing(struct stet_call *call, bool keep)
{
	struct stet_derived *d = call->site->derived;
	struct db *db = let_go(call);
	enum stet_status status = STET_OK;

	if (keep)
		status = db_commit(db);
	if (!keep || status != STET_OK)
		db_rollback(db);
	else
		db_tend(db);
	pthread_mutex_unlock(&d->writing);
	return status;
}

/* Ends what the call does with derived data, except while stet_derived_write runs its function. */
static void
over(struct stet_call *call)
{
	const struct db_part *part = db_part(call);

	if (part->derived == NULL || part->deriving == DERIVING_NOW)
		return;
	if (part->deriving == DERIVING_KEPT)
		(void)stop_writing(call, false);
	else
		stop_reading(call);
}

static void
use(struct stet_call *call, struct db *db)
{
	db_part(call)->derived = db;
	db_part(call)->derived_over = over;
}

/* ---- reading ---- */

/* Makes the file, so that connections that only read can be opened. */
static enum stet_status
make(struct stet_call *call, struct stet_derived *d)
{
	enum stet_status status;

	if (!take(d, MAKE_WAIT_MS))
		return stet_fail(call, STET_UNAVAILABLE, NULL, "%s is being made", FILE_NAME);
	status = begin(call, d);
	if (status == STET_OK)
		db_rollback(d->writer);
	pthread_mutex_unlock(&d->writing);
	return status;
}

static enum stet_status
begin_reading(struct stet_call *call, struct stet_derived *d)
{
	struct db *db = NULL;
	bool made, bad = false;
	uint64_t file;

	pthread_mutex_lock(&d->lock);
	made = d->ready && !d->damaged;
	pthread_mutex_unlock(&d->lock);
	if (!made)
		STET_TRY(make(call, d));
	pthread_mutex_lock(&d->lock);
	file = d->file;
	if (d->idle_count > 0)
		db = d->idle[--d->idle_count];
	pthread_mutex_unlock(&d->lock);
	if (db == NULL)
		db = db_try(d->path, DB_READ, &bad);
	if (db == NULL || db_begin(db, DB_READ) != STET_OK) {
		bad = bad || (db != NULL && db->damaged);
		db_close(db);
		pthread_mutex_lock(&d->lock);
		if (file == d->file) {
			d->damaged = d->damaged || bad;
			d->ready = false; /* it may be gone */
		}
		pthread_mutex_unlock(&d->lock);
		return stet_fail(call, STET_UNAVAILABLE, NULL, "%s cannot be read", FILE_NAME);
	}
	db->reading = call;
	db_part(call)->derived_file = file;
	use(call, db);
	return STET_OK;
}

/* Returns the connection for derived data; NULL: that of the call. */
static enum stet_status
connection(struct stet_call *call, struct db **db)
{
	struct stet_derived *d = call->site->derived;

	*db = NULL;
	if (d == NULL)
		return STET_OK;
	if (db_part(call)->derived == NULL)
		STET_TRY(begin_reading(call, d));
	*db = db_part(call)->derived;
	return STET_OK;
}

enum stet_status
stet_derived_query(struct stet_call *call, struct stet_rows *rows, const char *sql,
    const struct stet_val *v, size_t n)
{
	struct db *db;

	*rows = (struct stet_rows){ .call = call };
	STET_TRY(rows->status = connection(call, &db));
	return rows_query(call, db, rows, sql, v, n);
}

enum stet_status
stet_derived_one(struct stet_call *call, struct stet_rows *rows, enum stet_status none,
    const char *sql, const struct stet_val *v, size_t n)
{
	struct db *db;

	*rows = (struct stet_rows){ .call = call };
	STET_TRY(rows->status = connection(call, &db));
	return rows_one(call, db, rows, none, sql, v, n);
}

enum stet_status
stet_derived_table_exists(struct stet_call *call, const char *table, bool *out)
{
	struct stet_rows rows;

	if (call->site->derived == NULL)
		return stet_table_exists(call, table, out);
	STET_TRY(stet_derived_query(
	    call, &rows, driver(call->site->derived)->table_exists, STET_ARGS(table)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* ---- writing ---- */

enum stet_status
stet_derived_write(struct stet_call *call, int64_t wait_ms,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	struct stet_derived *d = call->site->derived;
	struct db_part *part = db_part(call);
	struct stet_tx tx = { .call = call };
	enum stet_status status, ended;

	stet_assert(d != NULL && part->deriving != DERIVING_NOW);
	over(call);
	if (!take(d, wait_ms))
		return STET_DECLINED;
	/* What is committed to the file may be newer than the call's snapshot. */
	if (!call->writing && call->lane != STET_READ && part->open == NULL)
		rows_end_call(call);
	status = begin(call, d);
	if (status != STET_OK) {
		pthread_mutex_unlock(&d->writing);
		return status;
	}
	use(call, d->writer);
	tx.derived = d->writer;
	part->deriving = DERIVING_NOW;
	status = fn(call, &tx, arg);
	part->deriving = DERIVING_KEPT;
	if (call->writing)
		return status;
	part->wrote = true;
	ended = stop_writing(call, status == STET_OK);
	return status != STET_OK ? status : ended;
}

void
stet_derived_behind(struct stet_call *call)
{
	call->asked |= ASKED_ELSE;
}

void
stet_derived_lag(struct stet_call *call, int64_t changes)
{
	atomic_store(&call->site->lag, changes);
}

/* ---- sites ---- */

bool
stet_derived_apart(struct stet_call *call)
{
	return call->site->derived != NULL;
}

enum stet_status
stet_derived_open(struct stet_call *call, const char *schema, struct stet_derived **out)
{
	const struct db_driver *of_site = db_driver_of(call->site->db_place);
	unsigned char sum[DIGEST_SIZE];
	struct stet_derived *d;

	*out = NULL;
	if (of_site == NULL || *of_site->scheme == '\0')
		return STET_OK;
	if (call->site->derived != NULL)
		return stet_fault(call, "another module has derived data");
	d = xcalloc(1, sizeof(*d));
	d->site = call->site;
	d->path = words_format("%s/" FILE_NAME, site_conf(call->site).data);
	d->schema = schema;
	crypto_generichash(
	    sum, sizeof(sum), (const unsigned char *)schema, strlen(schema), NULL, 0);
	sodium_bin2hex(d->digest, sizeof(d->digest), sum, sizeof(sum));
	stet_assert(pthread_mutex_init(&d->writing, NULL) == 0);
	stet_assert(pthread_mutex_init(&d->lock, NULL) == 0);
	call->site->derived = *out = d;
	return STET_OK;
}

void
stet_derived_close(struct stet_derived *d)
{
	if (d == NULL)
		return;
	d->site->derived = NULL;
	forget(d);
	pthread_mutex_destroy(&d->writing);
	pthread_mutex_destroy(&d->lock);
	free(d->path);
	free(d);
}
