/*
 * db.c - SQLite connections: opening, what SQL may do on them (the authorizer), transactions.
 *
 * Modules pass SQL of their own, so the authorizer refuses statements that would break what the
 * core relies on: readers only read, and only the core begins or ends transactions, attaches files
 * or sets pragmas.
 */
#include "db/db.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "call/call.h"
#include "db/folding.h"
#include "db/own.h"
#include "db/stmt.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_STEPS 10000 /* virtual machine steps between two checks of the clock */

/* ---- the process ---- */

/* A full disk would log the same thousands of times a minute. */
static struct log_gate file_gate, full_gate;

static void
sqlite_log(void *arg, int rc, const char *text)
{
	enum stet_level level;

	(void)arg;
	switch (rc & 0xff) {
	case SQLITE_NOTICE:
		level = STET_INFO;
		break;
	case SQLITE_CONSTRAINT:
	case SQLITE_SCHEMA:
	case SQLITE_BUSY:
	case SQLITE_INTERRUPT:
	case SQLITE_ABORT:
		level = STET_DEBUG; /* returned to the caller, who handles it */
		break;
	case SQLITE_CANTOPEN:
	case SQLITE_FULL:
	case SQLITE_IOERR:
		log_seldom(&file_gate, STET_WARN, "sqlite %d: %s", rc, text);
		return;
	default:
		level = STET_WARN;
	}
	log_line(level, "sqlite %d: %s", rc, text);
}

void
db_global_init(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	stet_assert(sqlite3_config(SQLITE_CONFIG_MULTITHREAD) == SQLITE_OK);
	stet_assert(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK);
	stet_assert(sqlite3_config(SQLITE_CONFIG_LOG, sqlite_log, NULL) == SQLITE_OK);
	/* No preallocated page cache per connection: many idle connections would each hold twenty
	 * pages. */
	stet_assert(sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0) == SQLITE_OK);
	stet_assert(sqlite3_initialize() == SQLITE_OK);
}

/* ---- what a connection may do ---- */

static bool
pragma_allowed(const struct db *db, const char *name)
{
	/* FTS5 reads the first; migrations that rebuild a table set the second. */
	return strcmp(name, "data_version") == 0 ||
	       (db->mode == DB_WRITE && strcmp(name, "defer_foreign_keys") == 0);
}

/* SQLite itself calls this function in a statement that renames a table. */
static bool
may_plugin(struct db *db, int action, const char *name, const char *b)
{
	if (action == SQLITE_FUNCTION && b != NULL && strcmp(b, "sqlite_rename_table") == 0)
		db->renames = true;
	if (own_action(db->plugin, action, name, b))
		return true;
	db->denied = true;
	return false;
}

/* SQLite's authorizer: called for each action while a statement is prepared. Readers may only
 * read. Transactions, ATTACH and most pragmas are refused unless the core itself runs them. */
static int
authorize(void *arg, int action, const char *name, const char *b, const char *c, const char *d)
{
	struct db *db = arg;

	(void)c;
	(void)d;
	if (db->trusted)
		return SQLITE_OK;
	if (db->plugin != NULL && !may_plugin(db, action, name, b))
		return SQLITE_DENY;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_PRAGMA:
		return name != NULL && pragma_allowed(db, name) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_UPDATE:
		/* Opening a virtual table declares its columns: SQLite prepares a CREATE TABLE,
		 * which asks for this action, and never runs it. query_only and DEFENSIVE refuse
		 * a real update. */
		return db->mode == DB_WRITE || (name != NULL && strcmp(name, "sqlite_master") == 0)
			   ? SQLITE_OK
			   : SQLITE_DENY;
	case SQLITE_TRANSACTION:
	case SQLITE_SAVEPOINT:
	case SQLITE_ATTACH:
	case SQLITE_DETACH:
		return SQLITE_DENY;
	default:
		return db->mode == DB_WRITE ? SQLITE_OK : SQLITE_DENY;
	}
}

static int
overdue(void *arg)
{
	const struct db *db = arg;

	return (db->deadline != 0 && clock_monotonic() > db->deadline) ||
	       (db->stop != NULL && atomic_load(db->stop)) ||
	       (db->reading != NULL && call_abandoned(db->reading));
}

/* SQLite calls this after each commit. If the WAL has fewer pages than before, it was restarted. */
static int
committed(void *arg, sqlite3 *handle, const char *name, int pages)
{
	struct db *db = arg;

	(void)handle;
	(void)name;
	if (pages < db->wal_pages) {
		db->wal_done = 0;
		db->wal_next = 0;
	}
	db->wal_pages = pages;
	return SQLITE_OK;
}

static const char *const pragmas[] = {
	[DB_READ] =
	    "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;"
	    "PRAGMA cell_size_check = ON; PRAGMA cache_size = -4000; PRAGMA query_only = ON;",
	[DB_WRITE] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		     "PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0;"
		     "PRAGMA temp_store = MEMORY;"
		     "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
		     "PRAGMA secure_delete = FAST; PRAGMA cache_size = -8000;",
};

static const struct {
	int what, on;
} switches[] = {
	{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
	{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
	{ SQLITE_DBCONFIG_DQS_DML, 0 },
	{ SQLITE_DBCONFIG_DQS_DDL, 0 },
};

static int
prepare_connection(struct db *db)
{
	sqlite3 *h = db->handle;
	int rc = sqlite3_busy_timeout(h, DB_BUSY_MS);

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(switches) / sizeof(switches[0]); i++)
		rc = sqlite3_db_config(h, switches[i].what, switches[i].on, (int *)NULL);
	/* Only the writer may checkpoint, also when a reader is the last to close. */
	if (rc == SQLITE_OK && db->mode == DB_READ)
		rc = sqlite3_db_config(h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(h, pragmas[db->mode], NULL, NULL, NULL);
	sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(h, SQLITE_LIMIT_LENGTH, 1 << 28);
	if (db->mode == DB_WRITE)
		sqlite3_wal_hook(h, committed, db);
	if (rc == SQLITE_OK)
		rc = folding_install(h);
	if (rc == SQLITE_OK)
		rc = extensions_open(&db->extensions, h);
	sqlite3_progress_handler(h, PROGRESS_STEPS, overdue, db);
	if (rc == SQLITE_OK)
		rc = sqlite3_set_authorizer(h, authorize, db);
	return rc;
}

/* Creates a database file that only its owner can read: it holds hashes of passwords and tokens. */
static bool
create_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	char *directory;

	if (fd >= 0) {
		directory = dir_parent_dup(path);
		dir_give(fd, directory);
		free(directory);
		close(fd);
	}
	return fd >= 0 || errno == EEXIST;
}

bool
db_in_wal(struct db *db)
{
	sqlite3_stmt *s;
	bool yes = false;

	db->trusted = true;
	if (sqlite3_prepare_v2(db->handle, "PRAGMA journal_mode", -1, &s, NULL) == SQLITE_OK) {
		yes = sqlite3_step(s) == SQLITE_ROW &&
		      strcmp((const char *)sqlite3_column_text(s, 0), "wal") == 0;
		sqlite3_finalize(s);
	}
	db->trusted = false;
	return yes;
}

struct db *
db_open(const char *path, enum db_mode mode)
{
	struct db *db = xcalloc(1, sizeof(*db));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
	int rc;

	db->path = xstrdup(path);
	db->mode = mode;
	if (mode == DB_WRITE && !create_file(path)) {
		log_line(STET_ERROR, "cannot create %s: %s", path, strerror(errno));
		db_close(db);
		return NULL;
	}
	rc = sqlite3_open_v2(path, &db->handle, flags, NULL);
	if (rc == SQLITE_OK) {
		rc = prepare_connection(db);
		if (rc == SQLITE_OK && mode == DB_WRITE && !db_in_wal(db))
			rc = SQLITE_CANTOPEN;
	}
	if (rc != SQLITE_OK) {
		log_line(STET_ERROR, "cannot open %s: %s", path,
		    db->handle != NULL ? sqlite3_errmsg(db->handle) : sqlite3_errstr(rc));
		db_close(db);
		return NULL;
	}
	if (getenv("STET_SQL_TRACE") != NULL)
		db->trace = xcalloc(1, sizeof(*db->trace));
	return db;
}

void
db_close(struct db *db)
{
	if (db == NULL)
		return;
	stmt_free_idle(db);
	stet_assert(db->cached == 0);
	for (int i = 0; i < DB_WORDS; i++)
		sqlite3_finalize(db->word[i]);
	stet_assert(sqlite3_close(db->handle) == SQLITE_OK);
	extensions_close(&db->extensions);
	if (db->trace != NULL)
		buf_free(db->trace);
	free(db->trace);
	free(db->path);
	free(db);
}

void
db_release_memory(struct db *db)
{
	stmt_free_idle(db);
	extensions_release(&db->extensions);
	sqlite3_db_release_memory(db->handle);
}

/* ---- result codes ---- */

static bool
is_full(int e)
{
	return e == ENOSPC || e == EDQUOT || e == EFBIG;
}

/* Returns true if an error means that storage is full. SQLite recognises ENOSPC itself; for
 * EDQUOT and EFBIG the errno of the database's and the WAL's file must be looked at. */
static bool
storage_full(struct db *db, int rc)
{
	sqlite3_file *log = NULL;
	int e = 0;

	if ((rc & 0xff) != SQLITE_IOERR)
		return (rc & 0xff) == SQLITE_FULL;
	if (is_full(sqlite3_system_errno(db->handle)))
		return true;
	if (sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_LAST_ERRNO, &e) == SQLITE_OK &&
	    is_full(e))
		return true;
	if (sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log) !=
		SQLITE_OK ||
	    log == NULL || log->pMethods == NULL ||
	    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &e) != SQLITE_OK)
		return false;
	return is_full(e);
}

enum stet_status
db_status(struct db *db, int rc)
{
	switch (rc) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return STET_OK;
	case SQLITE_CONSTRAINT_UNIQUE:
	case SQLITE_CONSTRAINT_PRIMARYKEY:
	case SQLITE_CONSTRAINT_ROWID:
		return STET_CONFLICT;
	case SQLITE_INTERRUPT:
		return STET_REQUEST_TIMEOUT;
	}
	if ((rc & 0xff) == SQLITE_BUSY)
		return STET_UNAVAILABLE;
	return storage_full(db, rc) ? STET_INSUFFICIENT_STORAGE : STET_FAULT;
}

/* ---- transactions ---- */

static const char *const words[DB_WORDS] = {
	[DB_BEGIN] = "BEGIN",
	[DB_BEGIN_IMMEDIATE] = "BEGIN IMMEDIATE",
	[DB_COMMIT] = "COMMIT",
	[DB_ROLLBACK] = "ROLLBACK",
	[DB_SAVEPOINT] = "SAVEPOINT call",
	[DB_RELEASE] = "RELEASE call",
	[DB_ROLLBACK_TO] = "ROLLBACK TO call",
	[DB_DATA_VERSION] = "PRAGMA data_version",
};

/* Steps the core's own statement once; the caller resets it. */
static int
step_word(struct db *db, enum db_word word)
{
	int rc = SQLITE_OK;

	db->trusted = true;
	db->deadline = 0;
	if (db->word[word] == NULL)
		rc = sqlite3_prepare_v3(
		    db->handle, words[word], -1, SQLITE_PREPARE_PERSISTENT, &db->word[word], NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(db->word[word]);
	db->trusted = false;
	return rc;
}

int
db_say(struct db *db, enum db_word word)
{
	int rc = step_word(db, word);

	sqlite3_reset(db->word[word]);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int64_t
db_data_version(struct db *db)
{
	int64_t version = -1;

	if (step_word(db, DB_DATA_VERSION) == SQLITE_ROW)
		version = sqlite3_column_int64(db->word[DB_DATA_VERSION], 0);
	sqlite3_reset(db->word[DB_DATA_VERSION]);
	return version;
}

static enum stet_status
say(struct db *db, enum db_word word)
{
	int rc = db_say(db, word);
	enum stet_status status = db_status(db, rc);

	if (status == STET_INSUFFICIENT_STORAGE)
		log_seldom(&full_gate, STET_ERROR, "%s: the disk is full: %s failed: %s (%d)",
		    db->path, words[word], sqlite3_errmsg(db->handle), rc);
	else if (status != STET_OK)
		log_line(STET_ERROR, "%s: %s failed: %s (%d)", db->path, words[word],
		    sqlite3_errmsg(db->handle), rc);
	return status;
}

enum stet_status
db_begin(struct db *db, bool immediate)
{
	/* A transaction is still open if the last ROLLBACK ran out of memory. */
	db_rollback(db);
	return say(db, immediate ? DB_BEGIN_IMMEDIATE : DB_BEGIN);
}

enum stet_status
db_commit(struct db *db)
{
	return say(db, DB_COMMIT);
}

void
db_rollback(struct db *db)
{
	if (db_in_transaction(db))
		(void)say(db, DB_ROLLBACK);
}

enum stet_status
db_savepoint(struct db *db)
{
	return say(db, DB_SAVEPOINT);
}

enum stet_status
db_release(struct db *db)
{
	return say(db, DB_RELEASE);
}

enum stet_status
db_rollback_savepoint(struct db *db)
{
	STET_TRY(say(db, DB_ROLLBACK_TO));
	return say(db, DB_RELEASE);
}

bool
db_in_transaction(struct db *db)
{
	return sqlite3_get_autocommit(db->handle) == 0;
}

enum stet_status
db_savepoint_end(struct db *db, bool keep)
{
	if (!db_in_transaction(db))
		return STET_FAULT;
	return keep ? db_release(db) : db_rollback_savepoint(db);
}

/* SQLite counts changed rows; `altered` counts statements that change something else, such as
 * tables. */
uint64_t
db_written(struct db *db)
{
	return (uint64_t)sqlite3_total_changes64(db->handle) + db->altered;
}

void
db_set_interrupt(struct db *db, const atomic_bool *stop)
{
	db->stop = stop;
}

/* ---- scripts ---- */

void
db_set_plugin(struct db *db, const char *name)
{
	db->plugin = name;
}

enum stet_status
db_script(struct db *db, const char *sql, char **why)
{
	int rc = SQLITE_OK;

	*why = NULL;
	db->deadline = 0;
	db->altered++;
	while (rc == SQLITE_OK && *sql != '\0') {
		sqlite3_stmt *s;

		rc = stmt_prepare(db, sql, -1, 0, &s, &sql);
		if (rc != SQLITE_OK || s == NULL) /* white space or a comment */
			continue;
		while (sqlite3_step(s) == SQLITE_ROW)
			continue;
		rc = sqlite3_finalize(s);
	}
	if (rc == SQLITE_OK)
		return STET_OK;
	*why = xstrdup(stmt_error(db));
	return db_status(db, rc) == STET_INSUFFICIENT_STORAGE ? STET_INSUFFICIENT_STORAGE
							      : STET_FAULT;
}

/* Runs a PRAGMA that statements of calls may not. */
static int
run_trusted(struct db *db, const char *pragma)
{
	bool trusted = db->trusted;
	int rc;

	db->trusted = true;
	rc = sqlite3_exec(db->handle, pragma, NULL, NULL, NULL);
	db->trusted = trusted;
	return rc;
}

void
db_overwrite(struct db *db, bool all)
{
	const char *pragma = all ? "PRAGMA secure_delete = ON" : "PRAGMA secure_delete = FAST";

	if (run_trusted(db, pragma) != SQLITE_OK)
		log_line(STET_WARN, "deleted data may stay readable in the file: %s",
		    sqlite3_errmsg(db->handle));
}

void
db_set_cache(struct db *db, int kib)
{
	char pragma[40];

	(void)snprintf(pragma, sizeof(pragma), "PRAGMA cache_size = -%d", kib);
	(void)run_trusted(db, pragma);
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
