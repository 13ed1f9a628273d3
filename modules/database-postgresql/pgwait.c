/* pgwait.c - waits for a server. */
#include "pgwait.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "pghang.h"
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define TICK_MS 50 /* between two looks at the deadline */
#define CANCEL_MS 1000 /* until a statement that was cancelled must end */
#define CANCELS_MAX 8 /* at once */
#define SETTLE_US 1000 /* between two looks whether a request has ended */

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

/* A request to cancel, of its thread and of who waits for the statement. */
struct request {
	PGcancel *handle;
	atomic_bool over; /* the server has told the session, or will never hear of it */
	atomic_int users;
};

static atomic_int cancels;

static void
let_go(struct request *r)
{
	if (r != NULL && atomic_fetch_sub(&r->users, 1) == 1) {
		PQfreeCancel(r->handle);
		free(r);
	}
}

/* PQcancel connects and waits without end if the server hangs, so it has a thread of its own. */
static void *
cancelling(void *arg)
{
	static struct log_gate gate;
	struct request *r = arg;
	char why[256];

	if (PQcancel(r->handle, why, sizeof(why)) == 0)
		log_seldom(&gate, STET_WARN, "cannot cancel a statement: %s", why);
	atomic_store(&r->over, true);
	let_go(r);
	atomic_fetch_sub(&cancels, 1);
	return NULL;
}

/* Returns the request, or NULL if none can be sent. */
static struct request *
cancel(PGconn *conn)
{
	PGcancel *handle = PQgetCancel(conn);
	struct request *r;
	bool begun = false;
	pthread_t thread;

	if (handle == NULL)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->handle = handle;
	atomic_init(&r->users, 2);
	if (atomic_fetch_add(&cancels, 1) < CANCELS_MAX)
		begun = pthread_create(&thread, NULL, cancelling, r) == 0;
	if (begun) {
		(void)pthread_detach(thread);
		return r;
	}
	atomic_fetch_sub(&cancels, 1);
	atomic_store(&r->users, 1);
	let_go(r);
	return NULL;
}

/* Waits until the request cannot hit the next statement of the session: once it is over, a session
 * that has answered takes no notice of it. Returns false if that is not so in time. */
static bool
settle(const struct request *r, int64_t until)
{
	while (!atomic_load(&r->over) && clock_monotonic() < until)
		(void)usleep(SETTLE_US);
	return atomic_load(&r->over);
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

/* A wait for an answer. */
struct waiting {
	int64_t began, until;
	bool hasty, cancelled;
	struct request *request; /* to cancel */
};

/* No answer came in time. That many statements are cancelled does not mean that the server hangs.
 */
static bool
give_up(struct pg_db *c, PGconn *conn, const struct waiting *w)
{
	if (w->hasty && !w->cancelled)
		let_go(cancel(conn));
	c->hangs = !w->hasty && !w->cancelled;
	return false;
}

/* Cancels the statement. Its answer must come soon then. */
static void
hurry(PGconn *conn, struct waiting *w)
{
	int64_t must = clock_monotonic() + CANCEL_MS;

	w->cancelled = true;
	w->request = cancel(conn);
	if (w->until == 0 || must < w->until)
		w->until = must;
}

static bool
wait(struct pg_db *c, PGconn *conn, struct waiting *w)
{
	while (PQisBusy(conn) != 0) {
		if (!pump(conn))
			return false;
		w->began = w->began != 0 ? w->began : clock_monotonic();
		if (!w->cancelled && conn == c->conn && PQisBusy(conn) != 0 && overdue(c))
			hurry(conn, w);
		if (hopeless(c, w->began, w->until))
			return give_up(c, conn, w);
	}
	return w->request == NULL || settle(w->request, w->until);
}

bool
pgwait_arrive(struct pg_db *c, PGconn *conn)
{
	struct waiting w = { .until = c->until };
	bool good;

	if (PQisBusy(conn) == 0)
		return true;
	dbstats_add(&c->db, DBSTAT_ROUND_TRIPS, 1);
	w.hasty = w.until == 0 && c->db.hasty && conn == c->conn;
	if (w.hasty)
		w.until = clock_monotonic() + c->place.timeout_ms;
	good = wait(c, conn, &w);
	let_go(w.request);
	return good;
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
