/* litecode.c - converts SQLite's result codes. */
#include "db/sqlite/litecode.h"
#include <errno.h>

static bool
is_full(int e)
{
	return e == ENOSPC || e == EDQUOT || e == EFBIG;
}

/* Returns true if an error means that storage is full. SQLite recognises ENOSPC itself; for
 * EDQUOT and EFBIG the errno of the database's and the WAL's file must be looked at. */
static bool
storage_full(struct sqlite_db *c, int rc)
{
	sqlite3_file *log = NULL;
	int e = 0;

	if ((rc & 0xff) != SQLITE_IOERR)
		return (rc & 0xff) == SQLITE_FULL;
	if (is_full(sqlite3_system_errno(c->handle)))
		return true;
	if (sqlite3_file_control(c->handle, NULL, SQLITE_FCNTL_LAST_ERRNO, &e) == SQLITE_OK &&
	    is_full(e))
		return true;
	if (sqlite3_file_control(c->handle, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log) !=
		SQLITE_OK ||
	    log == NULL || log->pMethods == NULL ||
	    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &e) != SQLITE_OK)
		return false;
	return is_full(e);
}

enum db_error
litecode(struct sqlite_db *c, int rc)
{
	if (rc == SQLITE_ROW || rc == SQLITE_OK)
		return DB_OK;
	if (rc == SQLITE_DONE)
		return DB_END;
	c->rc = rc;
	c->why = NULL;
	switch (rc) {
	case SQLITE_CONSTRAINT_UNIQUE:
	case SQLITE_CONSTRAINT_PRIMARYKEY:
	case SQLITE_CONSTRAINT_ROWID:
		return DB_CONFLICT;
	case SQLITE_INTERRUPT:
		return DB_TIMEOUT;
	case SQLITE_SCHEMA:
		return DB_STALE;
	}
	if ((rc & 0xff) == SQLITE_BUSY)
		return DB_BUSY;
	if ((rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB)
		return DB_DAMAGED;
	return storage_full(c, rc) ? DB_FULL : DB_FAULT;
}

enum db_error
litecode_denied(struct sqlite_db *c, const char *why)
{
	c->why = why;
	return DB_DENIED;
}

const char *
litecode_message(struct db *db)
{
	struct sqlite_db *c = liteconn(db);

	if (c->why != NULL)
		return c->why;
	c->said.len = 0;
	buf_printf(&c->said, "%s (sqlite %d)", sqlite3_errmsg(c->handle), c->rc);
	return c->said.data;
}
