/*
 * pgindex.c - see pgindex.h. What was interrupted leaves an index that serves no query, but slows
 * writes down: it is dropped first, whatever is there of this name. If the daemon dies, the server
 * notices it within CHECK_MS and gives up, too.
 */
#include "pgindex.h"
#include "base/arena.h"
#include "base/clock.h"
#include "pgcode.h"
#include <stdlib.h>

#define CHECK_MS "2000"
/* The names of the sessions, which are at most 63 bytes long. */
#define SESSION "left('stetd index ' || current_schema(), 63)"

static enum db_error
begin_step(struct pg_db *c, const char *sql)
{
	enum db_error error = pgconn_send(c, sql);

	c->built = NULL;
	return error == DB_OK ? pgconn_expect(c, (struct pg_answer){ .to = &c->built }) : error;
}

/* A server before version 14 does not know the last of these. */
static enum db_error
prepare(struct pg_db *c)
{
	static const char *const settings[] = { "UNLISTEN *", "SET lock_timeout = 0",
		"SELECT set_config('application_name', " SESSION ", false)",
		("SET client_connection_check_interval = " CHECK_MS) };
	enum db_error error = DB_OK;

	c->until = clock_monotonic() + c->place.timeout_ms;
	for (size_t i = 0; error == DB_OK && i < sizeof(settings) / sizeof(settings[0]); i++)
		error = pgconn_tell(c, settings[i]);
	if (error == DB_OK)
		error = pgconn_wait(c, NULL);
	c->until = 0;
	return error;
}

enum db_error
pgindex_begin(struct db *db, const char *name, const char *sql)
{
	struct pg_db *c = pgconn(db);
	struct buf drop = { 0 };
	enum db_error error = prepare(c);

	buf_str(&drop, "DROP INDEX CONCURRENTLY IF EXISTS ");
	buf_str(&drop, name);
	free(c->building);
	c->building = xstrdup(sql);
	if (error == DB_OK)
		error = begin_step(c, drop.data);
	buf_free(&drop);
	return error;
}

/* A step is over. */
static enum db_error
next_step(struct pg_db *c, bool *over)
{
	enum db_error error = DB_OK;
	char *sql = c->building;

	if (PQresultStatus(c->built) != PGRES_COMMAND_OK)
		error = pgcode_note(c, c->built);
	pgconn_unwant(c, &c->built);
	c->building = NULL;
	*over = error != DB_OK || sql == NULL;
	if (!*over)
		error = begin_step(c, sql);
	*over = *over || error != DB_OK;
	free(sql);
	return error;
}

enum db_error
pgindex_end(struct db *db, bool *over)
{
	struct pg_db *c = pgconn(db);

	*over = c->gone || PQflush(c->conn) < 0 || PQconsumeInput(c->conn) == 0;
	if (*over)
		return pgconn_lost(c);
	if (PQisBusy(c->conn) != 0)
		return DB_OK;
	*over = pgconn_wait(c, &c->built) != DB_OK;
	return *over ? DB_GONE : next_step(c, over);
}

enum db_error
pgindex_yield(struct pg_db *c)
{
	return pgconn_tell(c, "SELECT pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity"
			      " WHERE datname = current_database() AND usename = current_user"
			      " AND application_name = " SESSION);
}
