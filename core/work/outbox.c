/*
 * outbox.c - the durable message queue behind NOTIFY hooks. A row of the table outbox is one
 * message for one module. stet_notify inserts it in the transaction of the change that it reports,
 * so that the message exists exactly if the change does. Rounds on the slow pool deliver the
 * messages of each module in the order of their ids, and delete a message once all hooks of the
 * module have returned STET_OK: delivery is at least once. A message that fails is retried after a
 * growing pause; after the last attempt it stays in the table as dead. Until then it blocks the
 * later ones of its module that have the same subject (subject_of), and others pass. If PASSED_MAX
 * messages of a module wait for another attempt, the module itself is at fault, and nothing passes.
 * Times are ISO 8601 text.
 *
 * Of several daemons of a site, the one that holds the lease of a module delivers its messages
 * (lease.h).
 */
#include "work/outbox.h"
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "call/status.h"
#include "db/rows.h"
#include "module/hook.h"
#include "op/slow.h"
#include "work/lease.h"
#include "work/wakes.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_MAX 32 /* messages of a module that one batch reads and settles */
#define PASSED_MAX 8 /* failed messages of a module that others pass */
#define PENDING_COUNT_MAX 10000 /* the metric counts no further than this */
/* Between two rounds of a site with several daemons: one that had the lease of a module when a
 * message came may have lost it before the commit, and then nobody was told. */
#define LOOK_MS 60000
#define FULL_MS 1000 /* pause if the slow pool is full, or the result could not be stored */

/* Seconds until the next attempt, by the number of attempts that failed. */
static const int pauses[] = { 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1800, 3600 };
#define TRIES ((int64_t)(sizeof(pauses) / sizeof(pauses[0])))

struct outbox {
	struct site *site;
	struct alarm alarm;
	pthread_mutex_t lock;
	pthread_cond_t idle; /* signalled when busy becomes false */
	bool busy; /* a round runs on the slow pool, or is queued there */
	bool again; /* start another round after this one */
	bool stop;
	bool begun; /* the first round has begun; used by rounds only */
	uint64_t depth; /* pending messages after the last round */
};

struct message {
	int64_t id, attempts;
	int64_t due; /* 0: at once */
	const char *point, *payload, *subject;
	bool delivered, failed; /* in this batch */
	const char *error; /* why it failed */
};

/* Messages of one module that are delivered together. Their strings belong to the call that read
 * them. */
struct batch {
	const struct loaded *module;
	const char *lease;
	size_t count;
	struct message message[BATCH_MAX];
	/* The messages that wait for another attempt. */
	size_t failed_count;
	struct message failed[PASSED_MAX];
	/* When the next message is due; 0: there are more now; -1: none is pending. */
	int64_t next;
};

const char *
outbox_lease(struct stet_call *call, const struct loaded *module)
{
	return stet_printf(call, LEASE_MODULE "%s", module->m.name);
}

/* ---- delivering ---- */

/* Messages with the same subject are about the same item, and delivered in order. "": the payload
 * names none. */
static const char *
subject_of(struct stet_call *call, const char *payload)
{
	json_t *json = json_loads(payload, JSON_DECODE_ANY, NULL);
	const char *id = json_string_value(json_object_get(json, "contentId")), *subject;

	if (id == NULL)
		id = json_string_value(json_object_get(json, "id"));
	subject = id != NULL ? stet_strdup(call, id) : "";
	json_decref(json);
	return subject;
}

#define MESSAGE "SELECT id, payload, point, attempts, due_at FROM outbox"

static void
read_message(struct stet_call *call, struct stet_rows *rows, struct message *m)
{
	*m = (struct message){ .id = stet_col_int(rows, 0),
		.payload = stet_col_dup(rows, 1),
		.subject = subject_of(call, stet_col_str(rows, 1)),
		.point = stet_col_dup(rows, 2),
		.attempts = stet_col_int(rows, 3) };
	if (!stet_col_null(rows, 4) && !stet_time_parse(stet_col_str(rows, 4), &m->due))
		m->due = 0;
}

/* Reads the messages that failed and are not due yet, the next one first. */
static enum stet_status
read_failed(struct stet_call *call, struct batch *batch, const char *now)
{
	struct stet_rows rows;

	batch->failed_count = 0;
	STET_TRY(stet_query(call, &rows,
	    MESSAGE " WHERE module = ?1 AND dead_at IS NULL AND due_at > ?2"
		    " ORDER BY due_at, id LIMIT ?3",
	    STET_ARGS(batch->module->m.name, now, PASSED_MAX)));
	while (stet_row(&rows))
		read_message(call, &rows, &batch->failed[batch->failed_count++]);
	return stet_rows_end(&rows);
}

/* Returns true if an earlier message with this subject failed. */
static bool
blocked(const struct batch *batch, int64_t id, const char *subject)
{
	for (size_t i = 0; i < batch->failed_count; i++)
		if (batch->failed[i].id < id && strcmp(batch->failed[i].subject, subject) == 0)
			return true;
	return false;
}

/* Reads the first messages of the module that can be delivered now. */
static enum stet_status
batch_read(struct stet_call *call, struct batch *batch)
{
	const char *now = stet_time_text(call, clock_now());
	struct stet_rows rows;

	batch->count = 0;
	STET_TRY(read_failed(call, batch, now));
	if (batch->failed_count == PASSED_MAX)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    MESSAGE " WHERE module = ?1 AND dead_at IS NULL AND (due_at IS NULL OR due_at <= ?2)"
		    " ORDER BY id",
	    STET_ARGS(batch->module->m.name, now)));
	while (batch->count < BATCH_MAX && stet_row(&rows)) {
		if (batch->failed_count == 0 || !blocked(batch, stet_col_int(&rows, 0),
						    subject_of(call, stet_col_str(&rows, 1))))
			read_message(call, &rows, &batch->message[batch->count++]);
	}
	return stet_rows_end(&rows);
}

static enum stet_hook_point
point_named(const char *name)
{
	enum stet_hook_point at = 0;

	while (at < STET_HOOK_POINTS && strcmp(hook_point_name(at), name) != 0)
		at++;
	return at;
}

/* Calls the module's hooks of the message's point, if it still has any. When one of several hooks
 * fails, the next attempt calls all of them again. */
static void
deliver(struct stet_call *owner, const struct batch *batch, struct message *m)
{
	const struct loaded *module = batch->module;
	struct stet_call *call = call_own(owner->site, owner->gen);
	enum stet_hook_point at = point_named(m->point);
	enum stet_status status = STET_OK;
	json_t *payload = json_loads(m->payload, JSON_DECODE_ANY, NULL);
	const struct chain *chain = at < STET_HOOK_POINTS ? &call->gen->chain[at] : NULL;

	if (owner->guard != NULL)
		lease_guard(call, batch->lease);
	for (size_t i = 0; chain != NULL && i < chain->count && status == STET_OK; i++)
		if (chain->link[i].owner == module) {
			status = hook_tell(call, at, &chain->link[i], payload);
			rows_end_call(call);
			if (status == STET_DECLINED)
				status = STET_OK;
		}
	m->delivered = status == STET_OK;
	m->failed = !m->delivered && !call_replaced(call);
	if (m->failed)
		m->error = stet_strdup(
		    owner, call->error.text != NULL ? call->error.text : status_said(call, status));
	json_decref(payload);
	call_free(call);
}

/* Stores a failed attempt: when the next one is due, or that the message is dead. */
static enum stet_status
store_failure(
    struct stet_call *call, struct stet_tx *tx, const struct batch *batch, const struct message *m)
{
	int64_t now = clock_now();
	bool dead = m->attempts >= TRIES;
	int pause = dead ? 0 : pauses[m->attempts];

	stet_log(call, dead ? STET_ERROR : STET_WARN,
	    "%s of module %s failed %" PRId64 " times: %s; %s %d s", m->point,
	    batch->module->m.name, m->attempts + 1, m->error,
	    dead ? "given up, kept in the outbox as dead;" : "again in", pause);
	return stet_exec(call, tx,
	    "UPDATE outbox SET attempts = ?2, due_at = ?3, dead_at = ?4, error = ?5 WHERE id = ?1",
	    STET_ARGS(m->id, m->attempts + 1,
		dead ? NULL : stet_time_text(call, now + pause * 1000),
		dead ? stet_time_text(call, now) : NULL, m->error));
}

static enum stet_status
settle(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct batch *batch = arg;

	for (size_t i = 0; i < batch->count; i++) {
		const struct message *m = &batch->message[i];

		if (m->delivered)
			STET_TRY(stet_exec(
			    call, tx, "DELETE FROM outbox WHERE id = ?1", STET_ARGS(m->id)));
		else if (m->failed)
			STET_TRY(store_failure(call, tx, batch, m));
	}
	return STET_OK;
}

/* Delivers in order, without those that are blocked by a message that failed. */
static void
deliver_batch(struct stet_call *call, struct batch *batch)
{
	bool more;

	if (batch_read(call, batch) != STET_OK) {
		batch->next = clock_now() + FULL_MS;
		return;
	}
	rows_end_call(call);
	batch->next = batch->failed_count > 0 ? batch->failed[0].due : -1;
	more = batch->count == BATCH_MAX;
	for (size_t i = 0; i < batch->count && batch->failed_count < PASSED_MAX; i++) {
		struct message *m = &batch->message[i];

		if (blocked(batch, m->id, m->subject))
			continue;
		if (call_replaced(call))
			break;
		deliver(call, batch, m);
		if (m->failed)
			batch->failed[batch->failed_count++] = *m;
		more = more || m->failed; /* it has another due time */
	}
	if (batch->count > 0 && stet_write_lane(call, settle, batch) != STET_OK)
		batch->next = clock_now() + FULL_MS;
	else if (more)
		batch->next = 0;
}

static bool
listens(const struct generation *gen, const struct loaded *module)
{
	for (size_t at = 0; at < STET_HOOK_POINTS; at++)
		for (size_t i = 0; i < gen->chain[at].count; i++)
			if (gen->chain[at].link[i].owner == module)
				return true;
	return false;
}

/*
 * The message that was being delivered when the daemon ended may be why it ended. So at the start
 * the first message of each module that can be delivered counts as attempted once more: a message
 * whose hook takes the daemon down becomes dead in the end, like one whose hook fails. Messages of
 * modules that are not loaded, because they are suspended for example, are left alone. Where others
 * deliver, too, this is done for a module whose lease another daemon has let run out, and not at a
 * start.
 */
static enum stet_status
count_first(struct stet_call *call, struct stet_tx *tx, struct batch *batch)
{
	STET_TRY(batch_read(call, batch));
	if (batch->count == 0)
		return STET_OK;
	return stet_exec(call, tx, "UPDATE outbox SET attempts = attempts + 1 WHERE id = ?1",
	    STET_ARGS(batch->message[0].id));
}

static enum stet_status
bury_fatal(struct stet_call *call, struct stet_tx *tx)
{
	return stet_exec(call, tx,
	    "UPDATE outbox SET dead_at = ?1, error = ?2 WHERE dead_at IS NULL AND attempts > ?3",
	    STET_ARGS(stet_time_text(call, clock_now()),
		"the daemon ended again and again while this was delivered", TRIES));
}

static enum stet_status
count_end(struct stet_call *call, struct stet_tx *tx, void *batch)
{
	STET_TRY(count_first(call, tx, batch));
	return bury_fatal(call, tx);
}

static enum stet_status
count_start(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct batch *batch = stet_alloc(call, sizeof(*batch));

	(void)arg;
	for (size_t i = 0; i < call->gen->module_count; i++) {
		batch->module = call->gen->module[i];
		if (listens(call->gen, batch->module))
			STET_TRY(count_first(call, tx, batch));
	}
	return bury_fatal(call, tx);
}

/* ---- rounds ---- */

/* Returns true if this daemon delivers to the module. */
static bool
is_ours(struct stet_call *call, struct batch *batch)
{
	if (!lease_hold(call->site, batch->lease))
		return false;
	lease_guard(call, batch->lease);
	if (lease_lapsed(call->site, batch->lease) &&
	    stet_write_lane(call, count_end, batch) != STET_OK)
		stet_log(call, STET_ERROR, "the end of a daemon cannot be counted");
	return true;
}

/* Delivers one batch to the module, unless another daemon does; with `any`, all the same. Returns
 * when another is due: 0 at once, -1 never. */
static int64_t
serve(struct stet_call *call, const struct loaded *module, bool any)
{
	struct batch *batch = stet_alloc(call, sizeof(*batch));

	batch->module = module;
	batch->lease = outbox_lease(call, module);
	if (!any && !is_ours(call, batch))
		return -1;
	deliver_batch(call, batch);
	return batch->next;
}

/* Delivers one batch to each module. Returns when another round is due: 0 at once, -1 never. */
static int64_t
round_trip(struct site *site, bool any)
{
	struct generation *gen = site_generation(site);
	int64_t next = -1;

	if (gen == NULL) /* the site closes */
		return next;
	for (size_t i = 0; i < gen->module_count; i++) {
		struct stet_call *call;
		int64_t due;

		if (!listens(gen, gen->module[i]))
			continue;
		call = call_own(site, gen);
		due = serve(call, gen->module[i], any);
		if (due >= 0 && (next < 0 || due < next))
			next = due;
		rows_end_call(call);
		call_free(call);
	}
	generation_put(gen);
	return next;
}

static bool
any_waits(struct stet_call *call)
{
	struct stet_rows rows;

	return stet_one(call, &rows, STET_NOT_FOUND,
		   "SELECT 1 FROM outbox WHERE dead_at IS NULL LIMIT 1",
		   STET_NO_ARGS) != STET_NOT_FOUND;
}

void
outbox_begin(struct site *site)
{
	struct generation *gen = site->leases == NULL ? site_generation(site) : NULL;
	struct stet_call *call;

	if (gen == NULL)
		return;
	call = call_own(site, gen);
	if (any_waits(call) && stet_write_lane(call, count_start, NULL) != STET_OK)
		stet_log(call, STET_ERROR, "the starts of the outbox cannot be counted");
	rows_end_call(call);
	call_free(call);
	generation_put(gen);
}

int64_t
outbox_deliver(struct site *site)
{
	int64_t next;

	while ((next = round_trip(site, true)) == 0)
		continue;
	return next;
}

/* For the metrics. */
static uint64_t
count_waiting(struct site *site)
{
	struct generation *gen = site_generation(site);
	struct stet_rows rows;
	struct stet_call *call;
	uint64_t count = 0;

	if (gen == NULL)
		return 0;
	call = call_own(site, gen);
	if (stet_one(call, &rows, STET_NOT_FOUND,
		"SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE dead_at IS NULL LIMIT ?1) AS w",
		STET_ARGS(PENDING_COUNT_MAX)) == STET_OK)
		count = (uint64_t)stet_col_int(&rows, 0);
	rows_end_call(call);
	call_free(call);
	generation_put(gen);
	return count;
}

/* ---- on the slow pool ---- */

/* Guards site->outbox: a call may commit while the site closes. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void round_pooled(void *arg);

/* Starts a round. The caller holds o->lock, and o->busy is false. */
static void
send(struct outbox *o)
{
	o->again = false;
	o->busy = slow_submit(round_pooled, o);
	if (!o->busy)
		alarm_set(&o->alarm, clock_now() + FULL_MS);
}

/* Runs one round. Another one is queued anew, so that other sites get their turn in between. */
static void
round_pooled(void *arg)
{
	struct outbox *o = arg;
	int64_t next;
	uint64_t depth;

	if (!o->begun)
		outbox_begin(o->site);
	o->begun = true;
	next = round_trip(o->site, false);
	depth = next >= 0 ? count_waiting(o->site) : 0;
	pthread_mutex_lock(&o->lock);
	o->busy = false;
	o->depth = depth;
	if (!o->stop) {
		if (o->again || next == 0)
			send(o);
		else if (next > 0 || o->site->leases != NULL)
			alarm_set(&o->alarm, next > 0 ? next : clock_now() + LOOK_MS);
	}
	pthread_cond_broadcast(&o->idle);
	pthread_mutex_unlock(&o->lock);
}

uint64_t
outbox_depth(struct site *site)
{
	uint64_t depth = 0;

	pthread_mutex_lock(&door);
	if (site->outbox != NULL) {
		pthread_mutex_lock(&site->outbox->lock);
		depth = site->outbox->depth;
		pthread_mutex_unlock(&site->outbox->lock);
	}
	pthread_mutex_unlock(&door);
	return depth;
}

static void
look(struct outbox *o)
{
	pthread_mutex_lock(&o->lock);
	if (o->busy)
		o->again = true;
	else if (!o->stop)
		send(o);
	pthread_mutex_unlock(&o->lock);
}

static void
ring(void *arg)
{
	look(arg);
}

void
outbox_wake(struct site *site)
{
	pthread_mutex_lock(&door);
	if (site->outbox != NULL)
		look(site->outbox);
	pthread_mutex_unlock(&door);
}

static void
wake_gained(struct site *site, const char *lease)
{
	if (strncmp(lease, LEASE_MODULE, strlen(LEASE_MODULE)) == 0)
		outbox_wake(site);
}

static void
wake_wanted(struct site *site, const char *what)
{
	if (strcmp(what, OUTBOX_WAKE) == 0)
		outbox_wake(site);
}

static struct lease_listener lease_listener = { .gained = wake_gained };
LEASE_LISTENER_ADD(lease_listener)
static struct wakes_listener wakes_listener = { .woken = wake_wanted };
WAKES_LISTENER_ADD(wakes_listener)

void
outbox_start(struct site *site)
{
	struct outbox *o = xcalloc(1, sizeof(*o));

	stet_assert(site->outbox == NULL);
	o->site = site;
	o->alarm = (struct alarm){ .ring = ring, .arg = o };
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->idle, NULL);
	pthread_mutex_lock(&door);
	site->outbox = o;
	look(o);
	pthread_mutex_unlock(&door);
}

void
outbox_stop(struct site *site)
{
	struct outbox *o = site->outbox;

	if (o == NULL)
		return;
	pthread_mutex_lock(&door);
	site->outbox = NULL;
	pthread_mutex_unlock(&door);
	pthread_mutex_lock(&o->lock);
	o->stop = true;
	while (o->busy)
		pthread_cond_wait(&o->idle, &o->lock);
	pthread_mutex_unlock(&o->lock);
	alarm_unset(&o->alarm);
	pthread_cond_destroy(&o->idle);
	pthread_mutex_destroy(&o->lock);
	free(o);
}
