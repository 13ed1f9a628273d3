/*
 * pgring.c - see pgring.h. A NOTIFY is a transaction of its own: inside of another one it would
 * hold a lock that all commits of the server wait for.
 */
#include "pgring.h"
#include "base/clock.h"
#include <string.h>

enum db_error
pgring_ring(struct db *db)
{
	struct pg_db *c = pgconn(db);
	char *channel;
	struct buf sql = { 0 };
	enum db_error error;

	if (c->gone)
		return DB_GONE;
	channel = PQescapeIdentifier(c->conn, c->place.schema, strlen(c->place.schema));
	buf_printf(&sql, "NOTIFY %s", channel);
	PQfreemem(channel);
	c->until = clock_monotonic() + c->place.timeout_ms;
	error = pgconn_tell(c, sql.data);
	if (error == DB_OK)
		error = pgconn_wait(c, NULL);
	c->until = 0;
	buf_free(&sql);
	return error;
}

int
pgring_socket(struct db *db)
{
	return pgconn(db)->gone ? -1 : PQsocket(pgconn(db)->conn);
}

bool
pgring_heard(struct db *db)
{
	struct pg_db *c = pgconn(db);
	bool heard = c->missed;
	PGnotify *note;

	c->missed = false;
	if (c->gone)
		return heard;
	if (PQconsumeInput(c->conn) == 0) {
		(void)pgconn_lost(c);
		return heard;
	}
	while ((note = PQnotifies(c->conn)) != NULL) {
		heard = heard || note->be_pid != PQbackendPID(c->conn);
		PQfreemem(note);
	}
	return heard;
}
