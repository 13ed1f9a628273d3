/* pgwait.c - waits for a server. */
#include "pgwait.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "pghang.h"
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#define TICK_MS 50 /* between two looks at the deadline */
#define CANCEL_MS 1000 /* until a statement that was cancelled must end */
#define CANCELS_MAX 8 /* at once */

/* Returns true if the call of the statement that runs is over. */
static bool
overdue(const struct pg_db *c)
{
	const struct db *db = &c->db;

	return (db->deadline != 0 && clock_monotonic() > db->deadline) ||
	       (db->stop != NULL && atomic_load(db->stop)) ||
	       (db->reading != NULL && call_abandoned(db->reading));
}

/* ---- cancelling ---- */

static atomic_int cancels;

/* PQcancel connects and waits without end if the server hangs, so it has a thread of its own. */
static void *
cancelling(void *arg)
{
	static struct log_gate gate;
	char why[256];

	if (PQcancel(arg, why, sizeof(why)) == 0)
		log_seldom(&gate, STET_WARN, "cannot cancel a statement: %s", why);
	PQfreeCancel(arg);
	atomic_fetch_sub(&cancels, 1);
	return NULL;
}

static void
cancel(PGconn *conn)
{
	PGcancel *handle = PQgetCancel(conn);
	bool begun = false;
	pthread_t thread;

	if (handle == NULL)
		return;
	if (atomic_fetch_add(&cancels, 1) < CANCELS_MAX)
		begun = pthread_create(&thread, NULL, cancelling, handle) == 0;
	if (begun) {
		(void)pthread_detach(thread);
		return;
	}
	atomic_fetch_sub(&cancels, 1);
	PQfreeCancel(handle);
}

/* Returns until when an answer must come then. */
static int64_t
cancel_by(PGconn *conn, int64_t until)
{
	int64_t must = clock_monotonic() + CANCEL_MS;

	cancel(conn);
	return until == 0 || must < until ? must : until;
}

/* ---- waiting ---- */

/* Sends what libpq still holds, and waits until something can be read or a moment has passed.
 * Returns false if the connection is lost. */
static bool
pump(PGconn *conn)
{
	int unsent = PQflush(conn);
	struct pollfd p = { .fd = PQsocket(conn),
		.events = (short)(POLLIN | (unsent > 0 ? POLLOUT : 0)) };

	if (unsent < 0 || p.fd < 0)
		return false;
	if (poll(&p, 1, TICK_MS) > 0 && (p.revents & ~POLLOUT) != 0)
		return PQconsumeInput(conn) != 0;
	return true;
}

/* Returns true if nothing will come any more, or not in time. A statement may take long, unless the
 * server does not answer others either. */
static bool
hopeless(const struct pg_db *c, int64_t began, int64_t until)
{
	int64_t now = clock_monotonic();

	return (until != 0 && now > until) || (now - began > c->place.timeout_ms && pghang_seen(c));
}

/* No answer came in time. That many statements are cancelled does not mean that the server hangs.
 */
static bool
give_up(struct pg_db *c, PGconn *conn, bool hasty, bool cancelled)
{
	if (hasty && !cancelled)
		cancel(conn);
	c->hangs = !hasty && !cancelled;
	return false;
}

bool
pgwait_arrive(struct pg_db *c, PGconn *conn)
{
	int64_t began = 0, until = c->until;
	bool cancelled = false, hasty = until == 0 && c->db.hasty && conn == c->conn;

	if (PQisBusy(conn) == 0)
		return true;
	dbstats_add(&c->db, DBSTAT_ROUND_TRIPS, 1);
	if (hasty)
		until = clock_monotonic() + c->place.timeout_ms;
	while (PQisBusy(conn) != 0) {
		if (!pump(conn))
			return false;
		began = began != 0 ? began : clock_monotonic();
		if (!cancelled && conn == c->conn && PQisBusy(conn) != 0 && overdue(c)) {
			cancelled = true;
			until = cancel_by(conn, until);
		}
		if (hopeless(c, began, until))
			return give_up(c, conn, hasty, cancelled);
	}
	return true;
}

int64_t
pgwait_until(const struct pg_db *c)
{
	int64_t until = clock_monotonic() + c->place.timeout_ms;

	return c->db.begin_by != 0 && c->db.begin_by < until ? c->db.begin_by : until;
}

int
pgwait_left(const struct pg_db *c)
{
	int64_t left = c->until != 0 ? c->until - clock_monotonic() : c->place.timeout_ms;

	return left < 0 ? 0 : left < c->place.timeout_ms ? (int)left : c->place.timeout_ms;
}

PGresult *
pgwait_run(struct pg_db *c, PGconn *conn, const char *sql, int n, const char *const *values)
{
	PGresult *r, *last = NULL;
	bool good = n == 0 ? PQsendQuery(conn, sql) != 0
			   : PQsendQueryParams(conn, sql, n, NULL, values, NULL, NULL, 0) != 0;
	int64_t before = c->until;

	c->until = clock_monotonic() + pgwait_left(c);
	while (good && (good = pgwait_arrive(c, conn)) && (r = PQgetResult(conn)) != NULL) {
		PQclear(last);
		last = r;
	}
	c->until = before;
	if (!good) {
		PQclear(last);
		last = NULL;
	}
	return last;
}
