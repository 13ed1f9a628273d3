/*
 * limit.c - how often a client may do something: a bucket of tokens for each, which fills evenly.
 * Of a bucket one moment is kept, that when it is full again, so one that is full needs no memory.
 * Lives as long as the process, in memory of a fixed size; when that is full the one goes that is
 * full soonest.
 */
#include "address.h"
#include "call.h"
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define WAYS 8
#define SETS 8192 /* times WAYS slots of 16 bytes: 1 MiB, made when first used */
#define NOWHERE 4 /* clients without an address share a bucket, so many times as large */

struct bucket {
	uint64_t key; /* 0: free */
	int64_t full; /* milliseconds */
};

static struct {
	pthread_mutex_t lock;
	uint64_t seed; /* secret, so that nobody can choose whose buckets theirs push out */
	struct bucket *bucket;
} limits = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A token that this call has taken: a handler that runs again takes no second one. */
struct call_limit {
	struct call_limit *next;
	uint64_t key;
};

static bool
is_limited(const struct stet_call *call)
{
	return !call->has_principal ||
	       (call->principal.via != STET_VIA_COMMAND && call->principal.via != STET_VIA_SYSTEM);
}

/* What stands for the client: a block of addresses that one has for itself. */
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

/* Take tokens: 0, or the milliseconds until there is one. */
static int64_t
take(struct bucket *b, int64_t now, int64_t each, int64_t span)
{
	int64_t full = b->full;

	if (full < now || full > now + span) /* it is full; or the clock was set back */
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
		abort();
	randombytes_buf(&limits.seed, sizeof(limits.seed));
}

/* Has this call taken one before? */
static bool
has_taken(const struct stet_call *call, uint64_t key)
{
	const struct call_limit *l = call->limits;

	while (l != NULL && l->key != key)
		l = l->next;
	return l != NULL;
}

static enum stet_status
refuse(struct stet_call *call, int64_t wait)
{
	long long seconds = (long long)(wait + 999) / 1000;

	stet_header(call, "Retry-After", stet_printf(call, "%lld", seconds));
	return stet_fail(
	    call, STET_RATE_LIMITED, NULL, "Too many requests: try again in %lld seconds", seconds);
}

int64_t
stet_limit_wait(
    struct stet_call *call, const char *what, const char *who, int many, int count, int seconds)
{
	int64_t span = (int64_t)seconds * 1000, now = stet_now(call), wait = 0;
	struct call_limit *taken;
	struct address address;
	uint64_t key;

	if (!is_limited(call))
		return 0;
	if (who == NULL && !client_key(call, &address))
		count *= NOWHERE;
	pthread_mutex_lock(&limits.lock);
	prepare();
	key = key_of(call, what, who);
	if (!has_taken(call, key))
		wait = take(find(key, now), now, span * many / count, span);
	pthread_mutex_unlock(&limits.lock);
	if (wait > 0)
		return wait;
	taken = stet_alloc(call, sizeof(*taken));
	*taken = (struct call_limit){ call->limits, key };
	call->limits = taken;
	return 0;
}

enum stet_status
stet_limit(struct stet_call *call, const char *what, const char *who, int count, int seconds)
{
	int64_t wait = stet_limit_wait(call, what, who, 1, count, seconds);

	return wait > 0 ? refuse(call, wait) : STET_OK;
}
