/*
 * outbox.c - the durable queue behind NOTIFY hooks. A row is one event for one module: stored with
 * what it tells of, removed when the module's hooks have taken it. Times are ISO 8601 text.
 */
#include "work/outbox.h"
#include "base/alarm.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "db/rows.h"
#include "module/hook.h"
#include "op/slow.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TAKE 32 /* rows of a module read, and answered, at once */
#define COUNT_MAX 10000 /* of letters that wait, for who watches */
#define FULL_MS 1000 /* when the slow pool has no room, or the answer could not be stored */

/* Seconds until a row is tried again, by how often it failed. */
static const int pauses[] = { 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1800, 3600 };
#define TRIES ((int64_t)(sizeof(pauses) / sizeof(pauses[0])))

struct outbox {
	struct site *site;
	struct alarm alarm;
	pthread_mutex_t lock;
	pthread_cond_t rest; /* not busy any more */
	bool busy; /* on the slow pool, or on its way there */
	bool again; /* look once more when through */
	bool stop;
	bool begun; /* a round was made; its own */
	uint64_t depth; /* letters that waited after the last round */
};

struct letter {
	int64_t id, attempts;
	int64_t due; /* 0: at once */
	const char *point, *payload;
	bool delivered, failed;
	const char *error; /* why it failed */
};

/* What was taken at once for one module. The strings are those of the call that read it. */
struct post {
	const struct loaded *module;
	size_t count;
	struct letter letter[TAKE];
	int64_t
	    next; /* when the first that waits is due; 0: there is more now; -1: nothing waits */
};

/* ---- in ---- */

static void
wake_after_commit(struct stet_call *call, void *arg)
{
	(void)arg;
	outbox_wake(call->site);
}

static void
wake_once(struct stet_call *call)
{
	const struct call_commit *c = call->on_commit;

	while (c != NULL) {
		c = c->next;
		if (c->fn == wake_after_commit)
			return;
		if (c == call->on_commit)
			break;
	}
	call_on_commit(call, wake_after_commit, NULL);
}

static bool
told_before(const struct chain *chain, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (chain->link[k].owner == chain->link[i].owner)
			return true;
	return false;
}

enum stet_status
stet_notify(
    struct stet_call *call, struct stet_tx *tx, enum stet_hook_point at, const json_t *payload)
{
	const struct chain *chain;
	char *text, now[CLOCK_TEXT_SIZE];

	stet_assert(at < STET_HOOK_POINTS);
	if (call->gen == NULL || call->gen->chain[at].count == 0)
		return STET_OK;
	chain = &call->gen->chain[at];
	text = payload != NULL ? json_dumps(payload, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	if (payload != NULL && text == NULL)
		return stet_fault(call, "the payload of %s is not JSON", hook_point_name(at));
	stet_defer(call, free, text);
	clock_text(clock_now(), now);
	for (size_t i = 0; i < chain->count; i++)
		if (!told_before(chain, i))
			STET_TRY(stet_exec(call, tx,
			    "INSERT INTO outbox (module, point, payload, created_at, attempts)"
			    " VALUES (?1, ?2, ?3, ?4, 0)",
			    STET_ARGS(chain->link[i].owner->m.name, hook_point_name(at),
				text != NULL ? text : "null", (const char *)now)));
	wake_once(call);
	return STET_OK;
}

/* ---- out ---- */

/* All calls of a round are of one generation. */
static struct stet_call *
own_call(struct site *site, struct generation *gen)
{
	struct stet_call *call = call_new();

	call->site = site;
	call->gen = gen;
	atomic_fetch_add(&gen->refs, 1);
	call->principal = (struct stet_principal){
		.id = "", .email = "", .name = "", .role = 50, .via = STET_VIA_SYSTEM
	};
	call->has_principal = true;
	return call;
}

/* The first letters for a module that wait. */
static enum stet_status
take(struct stet_call *call, struct post *post)
{
	struct stet_rows rows;

	post->count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, point, payload, attempts, due_at FROM outbox"
	    " WHERE module = ?1 AND dead_at IS NULL ORDER BY id LIMIT ?2",
	    STET_ARGS(post->module->m.name, TAKE)));
	while (stet_row(&rows)) {
		struct letter *l = &post->letter[post->count++];

		*l = (struct letter){ .id = stet_col_int(&rows, 0),
			.point = stet_col_dup(&rows, 1),
			.payload = stet_col_dup(&rows, 2),
			.attempts = stet_col_int(&rows, 3) };
		if (!stet_col_null(&rows, 4) && !stet_time_parse(stet_col_str(&rows, 4), &l->due))
			l->due = 0;
	}
	STET_TRY(stet_rows_end(&rows));
	rows_end_call(call);
	return STET_OK;
}

static enum stet_hook_point
point_of(const char *name)
{
	enum stet_hook_point at = 0;

	while (at < STET_HOOK_POINTS && strcmp(hook_point_name(at), name) != 0)
		at++;
	return at;
}

/* Tell it to the module's hooks of that point, if it has any now; those that took it before another
 * failed are told again next time. */
static void
deliver(struct stet_call *owner, const struct loaded *module, struct letter *l)
{
	struct stet_call *call = own_call(owner->site, owner->gen);
	enum stet_hook_point at = point_of(l->point);
	enum stet_status status = STET_OK;
	json_t *payload = json_loads(l->payload, JSON_DECODE_ANY, NULL);
	const struct chain *chain = at < STET_HOOK_POINTS ? &call->gen->chain[at] : NULL;

	for (size_t i = 0; chain != NULL && i < chain->count && status == STET_OK; i++)
		if (chain->link[i].owner == module) {
			status = hook_tell(call, at, &chain->link[i], payload);
			rows_end_call(call);
			if (status == STET_DECLINED)
				status = STET_OK;
		}
	l->delivered = status == STET_OK;
	l->failed = !l->delivered;
	if (l->failed)
		l->error = stet_strdup(
		    owner, call->error.text != NULL ? call->error.text : stet_status_name(status));
	json_decref(payload);
	call_free(call);
}

/* A letter came back: wait, or give it up. */
static enum stet_status
put_back(
    struct stet_call *call, struct stet_tx *tx, const struct post *post, const struct letter *l)
{
	int64_t now = clock_now();
	bool dead = l->attempts >= TRIES;
	int pause = dead ? 0 : pauses[l->attempts];

	stet_log(call, dead ? STET_ERROR : STET_WARN,
	    "%s of module %s failed %" PRId64 " times: %s; %s %d s", l->point, post->module->m.name,
	    l->attempts + 1, l->error, dead ? "given up, kept in the outbox as dead;" : "again in",
	    pause);
	return stet_exec(call, tx,
	    "UPDATE outbox SET attempts = ?2, due_at = ?3, dead_at = ?4, error = ?5 WHERE id = ?1",
	    STET_ARGS(l->id, l->attempts + 1,
		dead ? NULL : stet_time_text(call, now + pause * 1000),
		dead ? stet_time_text(call, now) : NULL, l->error));
}

static enum stet_status
answer(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct post *post = arg;

	for (size_t i = 0; i < post->count; i++) {
		const struct letter *l = &post->letter[i];

		if (l->delivered)
			STET_TRY(stet_exec(
			    call, tx, "DELETE FROM outbox WHERE id = ?1", STET_ARGS(l->id)));
		else if (l->failed)
			STET_TRY(put_back(call, tx, post, l));
	}
	return STET_OK;
}

/* In order: the first that fails, or is not due, keeps those behind it. */
static void
deliver_post(struct stet_call *call, struct post *post)
{
	size_t told = 0;

	post->next = -1;
	if (take(call, post) != STET_OK) {
		post->next = clock_now() + FULL_MS;
		return;
	}
	for (size_t i = 0; i < post->count; i++) {
		struct letter *l = &post->letter[i];

		if (l->due > clock_now()) {
			post->next = l->due;
			break;
		}
		deliver(call, post->module, l);
		told++;
		if (l->failed)
			break;
	}
	if (told > 0 && stet_write_lane(call, answer, post) != STET_OK)
		post->next = clock_now() + FULL_MS;
	else if (told > 0 && post->next < 0 &&
		 (post->count == TAKE || post->letter[told - 1].failed))
		post->next = 0; /* look again: there is more, or a pause to be read */
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

/* One round over the modules: the earliest time for another, 0 for at once, -1 for never. */
static int64_t
round_trip(struct site *site)
{
	struct generation *gen = site_generation(site);
	int64_t next = -1;

	if (gen == NULL) /* the site closes */
		return next;
	for (size_t i = 0; i < gen->module_count; i++) {
		struct post *post;
		struct stet_call *call;

		if (!listens(gen, gen->module[i]))
			continue;
		call = own_call(site, gen);
		post = stet_alloc(call, sizeof(*post));
		post->module = gen->module[i];
		deliver_post(call, post);
		if (post->next >= 0 && (next < 0 || post->next < next))
			next = post->next;
		rows_end_call(call);
		call_free(call);
	}
	generation_put(gen);
	return next;
}

/*
 * What was told when the daemon ended, and is still there, may be why it ended. So the first letter
 * of each module that is due at the start counts as tried: a hook that takes the daemon down is
 * given up in the end, like one that fails. Letters of modules that are left out, as suspended
 * ones, just wait.
 */
static enum stet_status
count_start(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const char *now = stet_time_text(call, clock_now());

	(void)arg;
	for (size_t i = 0; i < call->gen->module_count; i++)
		if (listens(call->gen, call->gen->module[i]))
			STET_TRY(stet_exec(call, tx,
			    "UPDATE outbox SET attempts = attempts + 1"
			    " WHERE id = (SELECT MIN(id) FROM outbox"
			    " WHERE module = ?2 AND dead_at IS NULL)"
			    " AND (due_at IS NULL OR due_at <= ?1)",
			    STET_ARGS(now, call->gen->module[i]->m.name)));
	return stet_exec(call, tx,
	    "UPDATE outbox SET dead_at = ?1, error = ?2 WHERE dead_at IS NULL AND attempts > ?3",
	    STET_ARGS(now, "the daemon ended again and again while this was told", TRIES));
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
	struct generation *gen = site_generation(site);
	struct stet_call *call;

	if (gen == NULL)
		return;
	call = own_call(site, gen);
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

	while ((next = round_trip(site)) == 0)
		continue;
	return next;
}

/* For who watches. */
static uint64_t
count_waiting(struct site *site)
{
	struct generation *gen = site_generation(site);
	struct stet_rows rows;
	struct stet_call *call;
	uint64_t count = 0;

	if (gen == NULL)
		return 0;
	call = own_call(site, gen);
	if (stet_one(call, &rows, STET_NOT_FOUND,
		"SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE dead_at IS NULL LIMIT ?1) AS w",
		STET_ARGS(COUNT_MAX)) == STET_OK)
		count = (uint64_t)stet_col_int(&rows, 0);
	rows_end_call(call);
	call_free(call);
	generation_put(gen);
	return count;
}

/* ---- on the slow pool ---- */

/* A call may commit while the site closes. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void round_pooled(void *arg);

/* With the lock held and nothing on its way. */
static void
send(struct outbox *o)
{
	o->again = false;
	o->busy = slow_submit(round_pooled, o);
	if (!o->busy)
		alarm_set(&o->alarm, clock_now() + FULL_MS);
}

/* One round at a time, so that other sites' work has its turn in between. */
static void
round_pooled(void *arg)
{
	struct outbox *o = arg;
	int64_t next;
	uint64_t depth;

	if (!o->begun)
		outbox_begin(o->site);
	o->begun = true;
	next = round_trip(o->site);
	depth = next >= 0 ? count_waiting(o->site) : 0;
	pthread_mutex_lock(&o->lock);
	o->busy = false;
	o->depth = depth;
	if (!o->stop) {
		if (o->again || next == 0)
			send(o);
		else if (next > 0)
			alarm_set(&o->alarm, next);
	}
	pthread_cond_broadcast(&o->rest);
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

void
outbox_start(struct site *site)
{
	struct outbox *o = xcalloc(1, sizeof(*o));

	stet_assert(site->outbox == NULL);
	o->site = site;
	o->alarm = (struct alarm){ .ring = ring, .arg = o };
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->rest, NULL);
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
		pthread_cond_wait(&o->rest, &o->lock);
	pthread_mutex_unlock(&o->lock);
	alarm_unset(&o->alarm);
	pthread_cond_destroy(&o->rest);
	pthread_mutex_destroy(&o->lock);
	free(o);
}
