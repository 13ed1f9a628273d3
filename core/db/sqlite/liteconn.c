/*
 * liteconn.c - connections of SQLite: opening, and what SQL may do on them (the authorizer).
 *
 * Modules pass SQL of their own, so the authorizer refuses statements that would break what the
 * core relies on: readers only read, and only the core begins or ends transactions, attaches files
 * or sets pragmas.
 */
#include "db/sqlite/liteconn.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "call/call.h"
#include "db/own.h"
#include "db/sqlite/folding.h"
#include "db/txslot.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_STEPS 10000 /* virtual machine steps between two checks of the clock */

/* ---- the process ---- */

/* A full disk would log the same thousands of times a minute. */
static struct log_gate file_gate;

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
liteconn_init(void)
{
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
pragma_allowed(const struct sqlite_db *c, const char *name)
{
	/* FTS5 reads the first; migrations that rebuild a table set the second. */
	return strcmp(name, "data_version") == 0 ||
	       (c->db.mode == DB_WRITE && strcmp(name, "defer_foreign_keys") == 0);
}

/* Returns true if the plugin may do this: creates, changes or drops only what is its own. */
static bool
own_action(const char *plugin, int action, const char *name, const char *table)
{
	switch (action) {
	case SQLITE_CREATE_TABLE:
	case SQLITE_CREATE_VIEW:
	case SQLITE_CREATE_VTABLE:
	case SQLITE_DROP_TABLE:
	case SQLITE_DROP_VIEW:
	case SQLITE_DROP_VTABLE:
		return own_name(plugin, name);
	case SQLITE_CREATE_INDEX:
		/* SQLite names the index of a UNIQUE constraint itself: the table decides. */
		if (name != NULL && strncmp(name, "sqlite_autoindex_", 17) == 0)
			return own_name(plugin, table);
		return own_name(plugin, name) && own_name(plugin, table);
	case SQLITE_CREATE_TRIGGER:
	case SQLITE_DROP_INDEX:
	case SQLITE_DROP_TRIGGER:
		return own_name(plugin, name) && own_name(plugin, table);
	case SQLITE_ALTER_TABLE: /* (database, table) */
		return own_name(plugin, table);
	case SQLITE_CREATE_TEMP_INDEX:
	case SQLITE_CREATE_TEMP_TABLE:
	case SQLITE_CREATE_TEMP_TRIGGER:
	case SQLITE_CREATE_TEMP_VIEW:
	case SQLITE_DROP_TEMP_INDEX:
	case SQLITE_DROP_TEMP_TABLE:
	case SQLITE_DROP_TEMP_TRIGGER:
	case SQLITE_DROP_TEMP_VIEW:
		return false;
	default:
		return true;
	}
}

/* SQLite itself calls this function in a statement that renames a table. */
static bool
may_plugin(struct sqlite_db *c, int action, const char *name, const char *b)
{
	if (action == SQLITE_FUNCTION && b != NULL && strcmp(b, "sqlite_rename_table") == 0)
		c->renames = true;
	if (own_action(c->db.plugin, action, name, b))
		return true;
	c->denied = true;
	return false;
}

/* SQLite's authorizer: called for each action while a statement is prepared. Readers may only
 * read. Transactions, ATTACH and most pragmas are refused unless the core itself runs them. */
static int
authorize(
    void *arg, int action, const char *name, const char *b, const char *database, const char *view)
{
	struct sqlite_db *c = arg;

	(void)database;
	(void)view;
	if (c->trusted)
		return SQLITE_OK;
	if (c->db.plugin != NULL && !may_plugin(c, action, name, b))
		return SQLITE_DENY;
	if (action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE)
		c->writes |= txslot_bit(name, strlen(name));
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_PRAGMA:
		return name != NULL && pragma_allowed(c, name) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_UPDATE:
		/* Opening a virtual table declares its columns: SQLite prepares a CREATE TABLE,
		 * which asks for this action, and never runs it. query_only and DEFENSIVE refuse
		 * a real update. */
		return c->db.mode == DB_WRITE ||
			       (name != NULL && strcmp(name, "sqlite_master") == 0)
			   ? SQLITE_OK
			   : SQLITE_DENY;
	case SQLITE_TRANSACTION:
	case SQLITE_SAVEPOINT:
	case SQLITE_ATTACH:
	case SQLITE_DETACH:
		return SQLITE_DENY;
	default:
		return c->db.mode == DB_WRITE ? SQLITE_OK : SQLITE_DENY;
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
	struct sqlite_db *c = arg;

	(void)handle;
	(void)name;
	if (pages < c->wal_pages) {
		c->wal_done = 0;
		c->wal_next = 0;
	}
	c->wal_pages = pages;
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
prepare_connection(struct sqlite_db *c)
{
	sqlite3 *h = c->handle;
	int rc = sqlite3_busy_timeout(h, LITECONN_BUSY_MS);

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(switches) / sizeof(switches[0]); i++)
		rc = sqlite3_db_config(h, switches[i].what, switches[i].on, (int *)NULL);
	/* Only the writer may checkpoint, also when a reader is the last to close. */
	if (rc == SQLITE_OK && c->db.mode == DB_READ)
		rc = sqlite3_db_config(h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(h, pragmas[c->db.mode], NULL, NULL, NULL);
	sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(h, SQLITE_LIMIT_LENGTH, 1 << 28);
	if (c->db.mode == DB_WRITE)
		sqlite3_wal_hook(h, committed, c);
	if (rc == SQLITE_OK)
		rc = folding_install(h);
	if (rc == SQLITE_OK)
		rc = extensions_open(&c->extensions, h);
	sqlite3_progress_handler(h, PROGRESS_STEPS, overdue, c);
	if (rc == SQLITE_OK)
		rc = sqlite3_set_authorizer(h, authorize, c);
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

/* Runs a PRAGMA that statements of calls may not. */
int
liteconn_pragma(struct sqlite_db *c, const char *pragma)
{
	bool trusted = c->trusted;
	int rc;

	c->trusted = true;
	rc = sqlite3_exec(c->handle, pragma, NULL, NULL, NULL);
	c->trusted = trusted;
	return rc;
}

bool
liteconn_alive(struct db *db)
{
	struct sqlite_db *c = liteconn(db);
	sqlite3_stmt *s;
	bool yes = false;

	c->trusted = true;
	if (sqlite3_prepare_v2(c->handle, "PRAGMA journal_mode", -1, &s, NULL) == SQLITE_OK) {
		yes = sqlite3_step(s) == SQLITE_ROW &&
		      strcmp((const char *)sqlite3_column_text(s, 0), "wal") == 0;
		sqlite3_finalize(s);
	}
	c->trusted = false;
	return yes;
}

bool
liteconn_open(struct db *db)
{
	struct sqlite_db *c = liteconn(db);
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
	int rc;

	c->checkpoint.path = db->path;
	if (db->mode == DB_WRITE && !create_file(db->path)) {
		log_line(STET_ERROR, "cannot create %s: %s", db->path, strerror(errno));
		return false;
	}
	rc = sqlite3_open_v2(db->path, &c->handle, flags, NULL);
	if (rc == SQLITE_OK) {
		rc = prepare_connection(c);
		if (rc == SQLITE_OK && db->mode == DB_WRITE && !liteconn_alive(db))
			rc = SQLITE_CANTOPEN;
	}
	db->damaged = (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB;
	if (rc != SQLITE_OK)
		log_line(STET_ERROR, "cannot open %s: %s", db->path,
		    c->handle != NULL ? sqlite3_errmsg(c->handle) : sqlite3_errstr(rc));
	return rc == SQLITE_OK;
}

void
liteconn_close(struct db *db)
{
	struct sqlite_db *c = liteconn(db);

	checkpointer_wait(&c->checkpoint);
	for (int i = 0; i < LITE_WORDS; i++)
		sqlite3_finalize(c->word[i]);
	stet_assert(sqlite3_close(c->handle) == SQLITE_OK);
	extensions_close(&c->extensions);
	buf_free(&c->said);
}

/* The log goes first: a new file must not find it. */
void
liteconn_erase(const char *path)
{
	static const char *const suffix[] = { "-wal", "-shm", "" };
	char name[PATH_MAX];

	for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++)
		if (snprintf(name, sizeof(name), "%s%s", path, suffix[i]) < (int)sizeof(name) &&
		    unlink(name) != 0 && errno != ENOENT)
			log_line(STET_WARN, "cannot remove %s: %s", name, strerror(errno));
}

void
liteconn_release_memory(struct db *db)
{
	struct sqlite_db *c = liteconn(db);

	extensions_release(&c->extensions);
	sqlite3_db_release_memory(c->handle);
}

void
liteconn_overwrite(struct db *db, bool all)
{
	struct sqlite_db *c = liteconn(db);
	const char *pragma = all ? "PRAGMA secure_delete = ON" : "PRAGMA secure_delete = FAST";

	if (liteconn_pragma(c, pragma) != SQLITE_OK)
		log_line(STET_WARN, "deleted data may stay readable in the file: %s",
		    sqlite3_errmsg(c->handle));
}

/* With a write-ahead log, the file stays whole: only commits after the last checkpoint may be lost.
 */
void
liteconn_relax(struct db *db)
{
	(void)liteconn_pragma(liteconn(db), "PRAGMA synchronous = NORMAL");
}

void
liteconn_set_cache(struct db *db, int kib)
{
	char pragma[40];

	(void)snprintf(pragma, sizeof(pragma), "PRAGMA cache_size = -%d", kib);
	(void)liteconn_pragma(liteconn(db), pragma);
}
