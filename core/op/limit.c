/*
 * limit.c - rate limits, as token buckets that fill at an even rate. A bucket is stored as one
 * number: the time when it is full again. So a full bucket needs no memory. The table has a fixed
 * size and lives as long as the process; if a set is full, the bucket that will be full soonest is
 * evicted.
 */
#include "op/limit.h"
#include "call/call.h"
#include "call/metrics.h"
#include "conf/conf.h"
#include "http/address.h"
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define WAYS 8
#define SETS 8192 /* times WAYS slots of 16 bytes: 1 MiB, allocated on first use */
#define NOWHERE 4 /* clients without an address share one bucket, larger by this factor */

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
key_of(const struct stet_call *call, const char *what, const char *who)
{
	struct address address = { { 0 } };
	uint64_t h = hash(limits.seed, call->site->conf.name, strlen(call->site->conf.name));

	h = hash(h, what, strlen(what));
	if (who != NULL)
		h = hash(h, who, strlen(who));
	else if (client_key(call, &address))
		h = hash(h, address.ip, sizeof(address.ip));
	return h | 1;
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

/* Takes tokens. Returns 0, or the milliseconds to wait. `who` NULL: the client's address. */
static int64_t
ask(struct stet_call *call, const char *what, const char *who, int many, struct conf_rate rate)
{
	int64_t span = rate.span * 1000, now = stet_now(call) * 1000, wait = 0;
	struct call_limit *mine;
	struct address address;
	int left;

	if (who == NULL && !client_key(call, &address))
		rate.count *= NOWHERE;
	pthread_mutex_lock(&limits.lock);
	prepare();
	mine = taken_of(call, key_of(call, what, who));
	left = many - (mine->taken - mine->used);
	if (left > 0)
		wait = take(find(mine->key, now), now, span * left / rate.count, span);
	pthread_mutex_unlock(&limits.lock);
	if (wait > 0) {
		metrics_label(FAMILY_LIMITED, who == NULL ? "address" : "account", what);
		return (wait + 999) / 1000;
	}
	if (left > 0)
		mine->taken += left;
	mine->used += many;
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
	struct conf_rate rate = { (int64_t)seconds * 1000, count };

	return is_limited(call) ? ask(call, what, who, many, rate) : 0;
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
		wait = ask(call, request_class[class], who, 1, rates[class]);
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
