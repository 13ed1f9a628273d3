/*
 * limit.c - rate limits, as token buckets that fill at an even rate. A bucket is stored as one
 * number: the time when it is full again. So a full bucket needs no memory. The table has a fixed
 * size and lives as long as the process; if a set is full, the bucket that will be full soonest is
 * evicted.
 *
 * Limits over several daemons of a site: those that guard secrets (GUARD_MOST) are shared. Their
 * buckets are rows of site_failure, and those here are copies that are about a second old
 * (core/work/failures.c). Until the next copy, a daemon lets pass half its part of what the copy
 * has left: since the others do the same with copies of other moments, all of them together exceed
 * the limit by no more than one request for each further daemon.
 * Other limits are divided by the number of daemons.
 */
#include "op/limit.h"
#include "base/clock.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/site.h"
#include "conf/conf.h"
#include "http/address.h"
#include "op/limitshare.h"
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <stet/limit.h>
#include <string.h>
#include <xxhash.h>

#define WAYS 8
#define SETS 8192 /* times WAYS slots of 16 bytes: 1 MiB, allocated on first use */
#define NOWHERE 4 /* clients without an address share one bucket, larger by this factor */
#define GUARD_MOST 60 /* a module's limit of at most so many may guard a secret */
/* Daemons that do not know each other yet may fill a shared bucket so many times. */
#define DAEMONS_MOST 16
#define AGAIN_US 1000000 /* how old copies of shared buckets may be */

struct bucket {
	uint64_t key; /* 0: free */
	int64_t full; /* when it is full; microseconds since the epoch */
};

static struct {
	pthread_mutex_t lock;
	/* secret, so that no client can force collisions with another's bucket */
	uint64_t seed;
	struct bucket *bucket;
} limits = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Names in keys and metrics. The colon avoids clashes with names of modules. */
static const char *const request_class[CONF_CLASSES] = {
	[CONF_READS] = "request:reads",
	[CONF_WRITES] = "request:writes",
	[CONF_COSTLY] = "request:costly",
	[CONF_FAILURES] = "request:failures",
	[CONF_PUBLIC] = "request:public",
};

static bool
is_limited(const struct stet_call *call)
{
	return !call->has_principal ||
	       (call->principal.via != STET_VIA_COMMAND && call->principal.via != STET_VIA_SYSTEM);
}

/* Makes the key of the client: its address block. */
static bool
client_key(const struct stet_call *call, struct address *key)
{
	struct address client;

	if (call->client == NULL || !address_parse(call->client, &client))
		return false;
	address_client_key(&client, key);
	return true;
}

static uint64_t
hash(uint64_t seed, const void *p, size_t len)
{
	return XXH3_64bits_withSeed(p, len, seed);
}

static uint64_t
seeded(const struct site *site)
{
	return hash(limits.seed, site->conf.name, strlen(site->conf.name));
}

static uint64_t
key_of(const struct stet_call *call, const char *what, const char *who)
{
	struct address address = { { 0 } };
	uint64_t h = hash(seeded(call->site), what, strlen(what));

	if (who != NULL)
		h = hash(h, who, strlen(who));
	else if (client_key(call, &address))
		h = hash(h, address.ip, sizeof(address.ip));
	return h | 1;
}

static uint64_t
key_of_shared(const struct site *site, const unsigned char key[LIMIT_KEY])
{
	return hash(seeded(site), key, LIMIT_KEY) | 1;
}

/* Makes the key of a shared bucket. It has no seed, since all daemons have the same, but nobody
 * can find two clients with the same key. */
static void
shared_key(const struct stet_call *call, const char *what, const char *who, unsigned char *out)
{
	struct address address = { { 0 } };
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, LIMIT_KEY);
	crypto_generichash_update(&state, (const unsigned char *)what, strlen(what) + 1);
	if (who != NULL)
		crypto_generichash_update(&state, (const unsigned char *)who, strlen(who) + 1);
	else if (client_key(call, &address))
		crypto_generichash_update(&state, address.ip, sizeof(address.ip));
	crypto_generichash_final(&state, out, LIMIT_KEY);
}

static struct bucket *
find(uint64_t key, int64_t now)
{
	struct bucket *set = limits.bucket + (key >> 32) % SETS * WAYS, *best = set;

	for (int i = 0; i < WAYS; i++) {
		if (set[i].key == key)
			return &set[i];
		if (set[i].full < best->full)
			best = &set[i];
	}
	*best = (struct bucket){ key, now };
	return best;
}

/* Takes tokens. Returns 0, or the microseconds until there are enough. */
static int64_t
take(struct bucket *b, int64_t now, int64_t each, int64_t span)
{
	int64_t full = b->full;

	if (full < now || full > now + span) /* it is full, or the clock was set back */
		full = now;
	if (full + each > now + span)
		return full + each - (now + span);
	b->full = full + each;
	return 0;
}

/* The same of a shared bucket, of which `daemons` take. */
static int64_t
take_shared(struct share *mine, const struct bucket *b, int64_t now, int64_t each, int64_t span,
    unsigned daemons)
{
	int64_t used = b->full > now ? b->full - now : 0;
	int64_t left, part, taken = mine->taken + mine->going + each;

	if (used > DAEMONS_MOST * span) /* the clock was set back */
		used = 0;
	left = used < span ? span - used : 0;
	part = daemons > 1 ? left / (2 * (int64_t)daemons) : left;
	part = part > each ? part / each * each : each;
	if (taken > left)
		return taken - left;
	if (taken > part)
		return AGAIN_US;
	mine->taken += each;
	return 0;
}

static void
prepare(void)
{
	if (limits.bucket != NULL)
		return;
	limits.bucket = calloc((size_t)SETS * WAYS, sizeof(*limits.bucket));
	if (limits.bucket == NULL)
		stet_out_of_memory();
	randombytes_buf(&limits.seed, sizeof(limits.seed));
}

static struct call_limit *
taken_of(struct stet_call *call, uint64_t key)
{
	struct call_limit *l = call->limits;

	while (l != NULL && l->key != key)
		l = l->next;
	if (l != NULL)
		return l;
	l = stet_alloc(call, sizeof(*l));
	*l = (struct call_limit){ call->limits, key };
	call->limits = l;
	return l;
}

/* A limit that is asked for. */
struct limit {
	const char *what, *who; /* who NULL: the client's address */
	int many;
	struct conf_rate rate;
	bool guards; /* a secret, so all daemons share it */
};

static unsigned
daemons_of(const struct site *site)
{
	unsigned n = atomic_load(&site->daemons);

	return n > 0 ? n : 1;
}

/* Returns the row of what was taken from a shared limit; NULL: the limit is not shared. */
static struct share *
share_of(const struct stet_call *call, const struct limit *l)
{
	struct site *site = call->site;
	unsigned char key[LIMIT_KEY];

	if (!l->guards || site->db_file != NULL || !site->daemon)
		return NULL;
	shared_key(call, l->what, l->who, key);
	return share_find(&site->shares, key, key_of_shared(site, key));
}

/* Takes `left` tokens. Returns 0, or the microseconds to wait. */
static int64_t
take_any(struct stet_call *call, const struct limit *l, uint64_t key, int left)
{
	int64_t span = l->rate.span * 1000, now = stet_now(call) * 1000;
	unsigned daemons = daemons_of(call->site);
	struct share *mine = share_of(call, l);
	int count = l->rate.count;

	if (mine != NULL)
		return take_shared(
		    mine, find(mine->bucket, now), now, span * left / count, span, daemons);
	if (daemons > 1) /* a request must never need more than a full bucket has */
		count = count / (int)daemons > l->many ? count / (int)daemons : l->many;
	return take(find(key, now), now, span * left / count, span);
}

/* Takes tokens. Returns 0, or the milliseconds to wait. */
static int64_t
ask(struct stet_call *call, struct limit l)
{
	int64_t wait = 0;
	struct call_limit *mine;
	struct address address;
	int left;

	if (l.who == NULL && !client_key(call, &address))
		l.rate.count *= NOWHERE;
	pthread_mutex_lock(&limits.lock);
	prepare();
	mine = taken_of(call, key_of(call, l.what, l.who));
	left = l.many - (mine->taken - mine->used);
	if (left > 0)
		wait = take_any(call, &l, mine->key, left);
	pthread_mutex_unlock(&limits.lock);
	if (wait > 0) {
		metrics_label(FAMILY_LIMITED, l.who == NULL ? "address" : "account", l.what);
		return (wait + 999) / 1000;
	}
	if (left > 0)
		mine->taken += left;
	mine->used += l.many;
	return 0;
}

static enum stet_status
refuse(struct stet_call *call, int64_t wait)
{
	long long seconds = (long long)(wait + 999) / 1000;

	stet_header(call, "Retry-After", stet_printf(call, "%lld", seconds));
	return stet_fail(
	    call, STET_RATE_LIMITED, NULL, "Too many requests: try again in %lld seconds", seconds);
}

/* ---- limits of modules ---- */

int64_t
stet_limit_wait(
    struct stet_call *call, const char *what, const char *who, int many, int count, int seconds)
{
	struct limit l = { what, who, many, { (int64_t)seconds * 1000, count },
		count <= GUARD_MOST };

	return is_limited(call) ? ask(call, l) : 0;
}

int
stet_limit_left(struct stet_call *call, const char *what, const char *who, int count, int seconds)
{
	int64_t span = (int64_t)seconds * 1000000, now = stet_now(call) * 1000, used = 0;
	struct limit l = { what, who, 1, { (int64_t)seconds * 1000, count }, count <= GUARD_MOST };
	unsigned daemons = daemons_of(call->site);
	const struct share *mine;
	const struct bucket *b;

	pthread_mutex_lock(&limits.lock);
	prepare();
	mine = share_of(call, &l);
	b = find(mine != NULL ? mine->bucket : key_of(call, what, who), now);
	if (b->full > now && b->full <= now + span)
		used = b->full - now;
	if (mine != NULL)
		used += mine->taken + mine->going;
	pthread_mutex_unlock(&limits.lock);
	if (mine == NULL && daemons > 1)
		count = count / (int)daemons > 1 ? count / (int)daemons : 1;
	used = used < span ? used : span;
	return (int)((span - used) * count / span);
}

enum stet_status
stet_limit(struct stet_call *call, const char *what, const char *who, int count, int seconds)
{
	int64_t wait = stet_limit_wait(call, what, who, 1, count, seconds);

	return wait > 0 ? refuse(call, wait) : STET_OK;
}

/* ---- limits of the configuration, tested on the head of a request ---- */

static enum conf_class
class_of(const struct op *op)
{
	if ((op->row.flags & STET_COSTLY) != 0 || op->row.lane == STET_SLOW)
		return CONF_COSTLY;
	return op->row.lane == STET_WRITE ? CONF_WRITES : CONF_READS;
}

/* Local addresses are not limited: behind a proxy that trusted-proxies does not name, all clients
 * have the proxy's address. */
static bool
is_local(const struct stet_call *call)
{
	struct address client;

	return address_parse(call->client, &client) && address_is_local(&client);
}

static enum stet_status
judge(struct stet_call *call, enum conf_class class, const char *who, const struct conf_rate *rates)
{
	int64_t wait = 0;

	if (rates[class].count > 0 && is_limited(call) && (who != NULL || !is_local(call)))
		wait = ask(call, (struct limit){ request_class[class], who, 1, rates[class],
				     class == CONF_FAILURES });
	return wait > 0 ? refuse(call, wait) : STET_OK;
}

/* Applies the rate limit to the caller, by address or by token or account. */
static enum stet_status
judge_caller(struct stet_call *call, enum conf_class class)
{
	const struct conf_site *conf = call->gen->conf;
	const struct stet_principal *p = &call->principal;

	if (!call->has_principal)
		return judge(call, class, NULL, conf->rates.address);
	return judge(call, class, p->token_id != NULL ? p->token_id : p->id, conf->rates.token);
}

enum stet_status
limit_request(struct stet_call *call)
{
	bool open = !call->has_principal && call->op->row.open != NULL;

	return judge_caller(call, open ? CONF_PUBLIC : class_of(call->op));
}

enum stet_status
stet_costly(struct stet_call *call)
{
	return judge_caller(call, CONF_COSTLY);
}

enum stet_status
limit_failure(struct stet_call *call)
{
	return judge(call, CONF_FAILURES, NULL, call->gen->conf->rates.address);
}

/* ---- shared limits ---- */

/* The row was stored, but the bucket here is the copy from before. */
static void
add_stored(const struct share *row)
{
	int64_t now = clock_now() * 1000;
	struct bucket *b = find(row->bucket, now);

	b->full = (b->full > now ? b->full : now) + row->going;
}

size_t
limit_unstored(struct site *site, struct limit_taken *out, size_t most)
{
	size_t n = 0;

	pthread_mutex_lock(&limits.lock);
	if (site->shares != NULL)
		n = share_begin(site->shares, out, most);
	pthread_mutex_unlock(&limits.lock);
	return n;
}

void
limit_stored(struct site *site, const struct limit_taken *taken, size_t count)
{
	pthread_mutex_lock(&limits.lock);
	for (size_t i = 0; i < count; i++)
		share_stored(
		    site->shares, taken[i].key, key_of_shared(site, taken[i].key), add_stored);
	share_end(&site->shares);
	pthread_mutex_unlock(&limits.lock);
}

void
limit_learn(struct site *site, const unsigned char key[LIMIT_KEY], int64_t us)
{
	int64_t now = clock_now() * 1000;

	pthread_mutex_lock(&limits.lock);
	prepare();
	find(key_of_shared(site, key), now)->full = now + us;
	pthread_mutex_unlock(&limits.lock);
}
