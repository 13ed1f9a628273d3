/* far.c - the readers of a site whose database is elsewhere, and their turns. */
#include "op/far.h"
#include "base/clock.h"
#include "conf/conf.h"
#include "db/connpool.h"
#include "db/db.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/snapshot.h"
#include "db/stamp.h"
#include "op/follow.h"
#include "op/gate.h"
#include "op/part.h"
#include "op/readpool.h"
#include "op/route.h"
#include "op/turns.h"
#include "op/waiting.h"
#include <stdatomic.h>
#include <unistd.h>

#define QUEUE_MAX 1024
#define TURN_MAX 32 /* calls that share a transaction */
#define ALIKE_MAX 128 /* the same, if it mostly matters who sends them */
#define ALIKE_THREADS 2
#define REPEATS 3 /* of a call, whose tables may change again and again */

/* ---- turns ---- */

/* Fails a call before it has begun. */
static void
refuse(struct stet_call *call, const char *why)
{
	(void)stet_fail(call, STET_UNAVAILABLE, NULL, "%s, try again later", why);
}

/* Refuses the calls for which it is too late. Returns when the last of the others must have begun;
 * 0: there are none. */
static int64_t
latest(struct stet_call **calls, unsigned count)
{
	int64_t now = clock_monotonic(), by = 0;

	for (unsigned i = 0; i < count; i++) {
		int64_t own = db_part(calls[i])->begin_by;

		if (own <= now)
			refuse(calls[i], "The server is busy");
		else if (own > by)
			by = own;
	}
	return by;
}

/* Runs calls one after the other in one transaction, which the first of them begins. */
static void
serve(struct stet_call **calls, unsigned count, void *arg)
{
	struct site *site = arg;
	int64_t by = latest(calls, count);
	struct db *db = by != 0 ? connpool_take(site->connections, false, by) : NULL;

	if (by != 0 && db == NULL)
		atomic_store(&site->db_lost, true);
	if (db != NULL)
		snapshot_turn(db, true);
	for (unsigned i = 0; i < count; i++) {
		struct stet_call *call = calls[i];

		if (db == NULL && call->error.status == STET_OK)
			refuse(call, "The database does not answer");
		op_part(call)->turn(call);
	}
	if (db == NULL)
		return;
	snapshot_turn(db, false);
	connpool_give(db);
}

/* Does nothing: transactions end with their turn. */
static void
shared(void *arg)
{
	(void)arg;
}

static void
enter(void)
{
	snapshot_share(shared, NULL);
}

/* ---- sites ---- */

static bool
near(void *arg)
{
	const struct site *site = arg;

	return connpool_near(site->connections);
}

/* As many threads as can run at a time, and one that may wait for the disk. */
static unsigned
few(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	return cores > 0 ? (unsigned)cores + 1 : 0;
}

void
far_open(struct site *site)
{
	unsigned threads = (unsigned)site->conf.database_connections;
	const struct readpool_rules rules = { .name = "stet-reader",
		.threads = threads,
		.queue_max = QUEUE_MAX,
		.lane = { [READPOOL_ALIKE] = { ALIKE_THREADS, ALIKE_MAX, 0 },
		    [READPOOL_SHORT] = { threads, TURN_MAX, few() },
		    [READPOOL_LONG] = { threads > 1 ? threads - 1 : 1, 1, 0 } },
		.near = near,
		.enter = enter,
		.serve = serve,
		.arg = site };

	if (!db_far(site->db_place))
		return;
	site->connections = connpool_new(site->db_place, threads, site->conf.database_timeout);
	if (site->daemon)
		site->readers = readpool_new(&rules);
}

void
far_close(struct site *site)
{
	readpool_free(site->readers);
	site->readers = NULL;
	connpool_free(site->connections);
	site->connections = NULL;
}

/* ---- calls ---- */

/* Calls that a reader only admits ask the same few questions, so one transaction does for many of
 * them: they are taken together. */
static enum readpool_lane
lane_of(const struct stet_call *call)
{
	if (op_part(call)->kept != NULL || call->op == NULL ||
	    (op_part(call)->far == FAR_ENTER && !gate_reads_on(call)))
		return READPOOL_ALIKE;
	return turns_far_long(call) ? READPOOL_LONG : READPOOL_SHORT;
}

bool
far_submit(struct stet_call *call, enum far_way way, void (*run)(struct stet_call *))
{
	struct op_part *part = op_part(call);

	/* While few wait, a client may have as many connections as it likes. */
	if (readpool_crowded(call->site->readers) && !waiting_enter(call))
		return false;
	part->far = way;
	if (way != FAR_ENTER) /* it was looked for already */
		part->kept = NULL;
	part->passed = way == FAR_READ;
	part->ran = false;
	part->repeated = 0;
	part->before = call->slots;
	part->took = -1;
	part->turn = run;
	db_part(call)->begin_by = clock_monotonic() + call->site->conf.database_timeout;
	call->away = true;
	if (readpool_add(call->site->readers, lane_of(call), call, waiting_key(call)))
		return true;
	call->away = false;
	waiting_leave(call);
	(void)stet_fail(call, STET_UNAVAILABLE, NULL, "The server is busy, try again later");
	return false;
}

/* The state has changed, so the answer that is kept is of no use: the call is one of many that need
 * to be run, maybe, which is not for a single thread. */
static bool
moves(struct stet_call *call)
{
	struct op_part *part = op_part(call);

	if (part->kept == NULL || stamp_same(part->kept, &db_part(call)->stamp))
		return false;
	part->kept = NULL;
	rows_end_call(call);
	db_part(call)->seen = SEEN_NONE;
	return readpool_add(call->site->readers, READPOOL_SHORT, call, waiting_key(call));
}

/* Returns true if an admitted call needs nothing of its worker before it runs. */
static bool
is_ready(const struct stet_call *call)
{
	const struct stet_op *row = &call->op->row;

	return op_part(call)->kept == NULL && gate_reads_on(call) && row->choose == NULL &&
	       (row->flags & STET_STREAM) == 0 && (row->more & STET_MORE_MENDS) == 0;
}

/* Routes the call, unless its worker has done so by the modules that the state of the database
 * shows. */
static enum stet_status
route(struct stet_call *call)
{
	STET_TRY(follow_begin(call));
	return call->op == NULL ? route_call(call) : STET_OK;
}

enum far_next
far_begin(struct stet_call *call)
{
	struct op_part *part = op_part(call);

	if (rows_begin_read(call) != STET_OK)
		return FAR_BACK;
	if (part->far == FAR_READ)
		return FAR_RUN;
	if (moves(call))
		return FAR_MOVED;
	if ((part->far == FAR_ENTER && route(call) != STET_OK) || gate_admit(call) != STET_OK)
		return FAR_BACK;
	part->passed = true;
	if (part->far == FAR_AGAIN)
		return FAR_RUN;
	return is_ready(call) && part->prepare(call) ? FAR_RUN : FAR_BACK;
}

bool
far_repeat(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	bool again =
	    db_part(call)->again && part->repeated < REPEATS && call->error.status != STET_OK;

	db_part(call)->again = false;
	if (!again)
		return false;
	rows_end_call(call);
	part->repeated++;
	part->ran = part->waits = false;
	db_part(call)->seen = SEEN_NONE;
	call_rewind(call);
	call->slots = part->before;
	if (part->far == FAR_READ)
		return true;
	part->passed = false;
	call->has_principal = false;
	call->principal = (struct stet_principal){ 0 };
	return true;
}
