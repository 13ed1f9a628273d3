/* db.c - connections: opening, transactions, scripts, through the driver of their engine. */
#include "db/db.h"
#include "base/arena.h"
#include "base/log.h"
#include "db/dbstats.h"
#include "db/driver.h"
#include "db/later.h"
#include "db/stmt.h"
#include "db/txslot.h"
#include <stdlib.h>
#include <string.h>

void
db_global_init(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	for (size_t i = 0; db_driver_at(i) != NULL; i++)
		if (db_driver_at(i)->init != NULL)
			db_driver_at(i)->init();
}

void
db_start(void)
{
	for (size_t i = 0; db_driver_at(i) != NULL; i++)
		if (db_driver_at(i)->start != NULL)
			db_driver_at(i)->start();
}

void
db_stop(void)
{
	for (size_t i = 0; db_driver_at(i) != NULL; i++)
		if (db_driver_at(i)->stop != NULL)
			db_driver_at(i)->stop();
}

/* ---- connections ---- */

bool
db_far(const char *place)
{
	const struct db_driver *driver = db_driver_of(place);

	return driver != NULL && driver->begin_read != NULL;
}

static struct db *
open_one(const char *place, enum db_mode mode, int64_t by, bool *damaged)
{
	const struct db_driver *driver = db_driver_of(place);
	struct db *db;

	*damaged = false;
	if (driver == NULL) {
		log_line(STET_ERROR, "cannot open %s: no module brings its engine", place);
		return NULL;
	}
	db = xcalloc(1, driver->size);
	db->driver = driver;
	db->path = xstrdup(place);
	db->mode = mode;
	db->begin_by = by;
	if (driver->shared)
		db->stats = dbstats_of(place, true);
	dbstats_add(db, DBSTAT_CONNECTIONS, 1);
	if (!driver->open(db)) {
		*damaged = db->damaged;
		db_close(db);
		return NULL;
	}
	db->begin_by = 0;
	if (getenv("STET_SQL_TRACE") != NULL)
		db->trace = xcalloc(1, sizeof(*db->trace));
	return db;
}

struct db *
db_open(const char *place, enum db_mode mode)
{
	return db_open_by(place, mode, 0);
}

struct db *
db_open_by(const char *place, enum db_mode mode, int64_t by)
{
	bool damaged;

	return open_one(place, mode, by, &damaged);
}

struct db *
db_try(const char *place, enum db_mode mode, bool *damaged)
{
	return open_one(place, mode, 0, damaged);
}

void
db_close(struct db *db)
{
	if (db == NULL)
		return;
	txslot_end(db);
	later_free(db);
	stmt_free_idle(db);
	stet_assert(db->cached == 0);
	db->driver->close(db);
	dbstats_add(db, DBSTAT_CONNECTIONS, -1);
	if (db->trace != NULL)
		buf_free(db->trace);
	free(db->trace);
	free(db->path);
	free(db);
}

bool
db_alive(struct db *db)
{
	return db->driver->alive(db);
}

void
db_release_memory(struct db *db)
{
	/* Where an engine has nothing to release, its statements are in another process, and making
	 * them again costs more than their memory here. */
	if (db->driver->release_memory == NULL)
		return;
	stmt_free_idle(db);
	db->driver->release_memory(db);
}

void
db_set_cache(struct db *db, int kib)
{
	if (db->driver->set_cache != NULL)
		db->driver->set_cache(db, kib);
}

void
db_overwrite(struct db *db, bool all)
{
	if (db->driver->overwrite != NULL)
		db->driver->overwrite(db, all);
}

void
db_relax(struct db *db)
{
	if (db->driver->relax != NULL)
		db->driver->relax(db);
}

void
db_set_interrupt(struct db *db, const atomic_bool *stop)
{
	db->stop = stop;
}

void
db_set_plugin(struct db *db, const char *name)
{
	db->plugin = name;
}

/* ---- transactions ---- */

/* Logs an error of one of the core's own statements. */
static enum stet_status
said(struct db *db, enum db_error error, const char *what)
{
	/* A full disk, or a server that is away, would log the same thousands of times a minute. */
	static struct log_gate full, away, others;
	enum stet_status status = db_status(error);

	db->damaged = db->damaged || error == DB_DAMAGED;
	if (status == STET_INSUFFICIENT_STORAGE)
		log_seldom(&full, STET_ERROR, "%s: the disk is full: %s failed: %s", db->path, what,
		    db->driver->message(db));
	else if (status == STET_UNAVAILABLE || status == STET_REQUEST_TIMEOUT)
		log_seldom(
		    &away, STET_WARN, "%s: %s failed: %s", db->path, what, db->driver->message(db));
	else if (status == STET_CONFLICT) /* names that a batch took for free were not (batch.h) */
		log_line(STET_DEBUG, "%s: %s failed: %s", db->path, what, db->driver->message(db));
	else if (status != STET_OK)
		log_seldom(&others, STET_ERROR, "%s: %s failed: %s", db->path, what,
		    db->driver->message(db));
	return status;
}

enum stet_status
db_begin(struct db *db, enum db_mode mode)
{
	/* A transaction is still open if the last ROLLBACK ran out of memory. */
	db_rollback(db);
	db->savepoints = 0;
	db->asked_lock = mode == DB_WRITE ? dbstats_now(db) : 0;
	STET_TRY(said(db, db->driver->begin(db, mode), "BEGIN"));
	if (mode == DB_WRITE)
		txslot_begin(db);
	return STET_OK;
}

/* What was put off runs before the commit, and before a savepoint, which is not to undo it. */
static enum stet_status
run_later(struct db *db)
{
	return said(db, later_run(db), "what was put off");
}

enum stet_status
db_commit(struct db *db)
{
	int64_t then = db->mode == DB_WRITE ? dbstats_now(db) : 0;

	STET_TRY(run_later(db));
	STET_TRY(said(db, db->driver->commit(db), "COMMIT"));
	dbstats_since(db, DBSTAT_COMMITS, then);
	db->unsettled = false;
	return STET_OK;
}

void
db_rollback(struct db *db)
{
	if (db->unsettled)
		txslot_end(db);
	later_drop(db);
	if (db_in_transaction(db))
		(void)said(db, db->driver->rollback(db), "ROLLBACK");
}

enum stet_status
db_savepoint(struct db *db)
{
	STET_TRY(run_later(db));
	STET_TRY(said(db, db->driver->savepoint(db), "SAVEPOINT"));
	db->savepoints++;
	return STET_OK;
}

enum stet_status
db_release(struct db *db)
{
	STET_TRY(said(db, db->driver->release(db), "RELEASE"));
	db->savepoints--;
	return STET_OK;
}

enum stet_status
db_rollback_savepoint(struct db *db)
{
	txslot_wrote(db, TXSLOT_ALL);
	STET_TRY(said(db, db->driver->rollback_to(db), "ROLLBACK TO"));
	return db_release(db);
}

void
db_careful(struct db *db, bool careful)
{
	db->careful = careful;
}

void
db_hopeful(struct db *db, bool hopeful)
{
	db->hopeful = hopeful && db->driver->gathers;
}

bool
db_broken(const struct db *db)
{
	return db->broken;
}

bool
db_unresolved(const struct db *db)
{
	return db->unresolved;
}

int64_t
db_floor(const struct db *db)
{
	return db->floor;
}

bool
db_in_transaction(struct db *db)
{
	return db->driver->in_transaction(db);
}

enum stet_status
db_savepoint_end(struct db *db, bool keep)
{
	if (!db_in_transaction(db))
		return STET_FAULT;
	return keep ? db_release(db) : db_rollback_savepoint(db);
}

uint64_t
db_written(struct db *db)
{
	return db->driver->written(db) + db->put_off;
}

/* ---- scripts ---- */

enum stet_status
db_script(struct db *db, const char *sql, char **why)
{
	enum db_error error;

	*why = NULL;
	db->deadline = 0;
	STET_TRY(run_later(db));
	db->altered++;
	txslot_wrote(db, TXSLOT_ALL);
	error = db->driver->script(db, sql, why);
	if (error == DB_OK)
		return STET_OK;
	return error == DB_FULL ? STET_INSUFFICIENT_STORAGE : STET_FAULT;
}

/* ---- upkeep ---- */

void
db_tend(struct db *db)
{
	if (db->driver->tend != NULL)
		db->driver->tend(db);
}

bool
db_rest(struct db *db)
{
	return db->driver->rest == NULL || db->driver->rest(db);
}

void
db_idle(struct db *db)
{
	if (db->driver->idle != NULL)
		db->driver->idle(db);
}

void
db_settle(struct db *db)
{
	if (db->driver->settle != NULL)
		db->driver->settle(db);
}

uint64_t
db_log_size(const char *place)
{
	const struct db_driver *driver = db_driver_of(place);

	return driver != NULL && driver->log_size != NULL ? driver->log_size(place) : 0;
}

json_t *
db_describe(const char *place, char **why)
{
	const struct db_driver *driver = db_driver_of(place);

	*why = NULL;
	return driver != NULL && driver->describe != NULL ? driver->describe(place, why) : NULL;
}

/* ---- for tests ---- */

uint64_t
db_statement_count(const struct db *db)
{
	return db->statements;
}

char *
db_trace_take(struct db *db)
{
	char *text;

	if (db->trace == NULL)
		return NULL;
	text = db->trace->data != NULL ? db->trace->data : xstrdup("");
	memset(db->trace, 0, sizeof(*db->trace));
	return text;
}
