/* unsent.c - counts responses that clients have not read yet, in total and by client. */
#include "call/unsent.h"
#include "base/arena.h"
#include "base/log.h"
#include "http/address.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BUCKETS 1024 /* a power of two */

/* Bytes counted for an address or a principal. Exists only while the count is not 0. */
struct debtor {
	struct debtor *next;
	uint64_t key, bytes;
};

static struct {
	atomic_uint_fast64_t held, most, peak; /* peak: approximate, since unsent_fell */
	atomic_uint_fast64_t owed, most_of_client; /* owed: to all clients */
	pthread_mutex_t lock; /* guards the buckets */
	struct debtor *bucket[BUCKETS];
} unsent = { .most = UINT64_MAX, .most_of_client = UINT64_MAX, .lock = PTHREAD_MUTEX_INITIALIZER };

/* The two kinds of keys differ by their last bit, and none is 0. */
uint64_t
caller_address(const struct address *client)
{
	struct address key;

	address_client_key(client, &key);
	return (XXH3_64bits(key.ip, sizeof(key.ip)) & ~UINT64_C(1)) | 2;
}

uint64_t
caller_principal(const char *id, uint64_t site)
{
	return XXH3_64bits_withSeed(id, strlen(id), site) | 1;
}

void
unsent_limits(uint64_t most, uint64_t most_of_client)
{
	atomic_store(&unsent.most, most);
	atomic_store(&unsent.most_of_client, most_of_client);
}

/* ---- by client; under the lock ---- */

static struct debtor **
find(uint64_t key)
{
	struct debtor **at = &unsent.bucket[key >> 8 & (BUCKETS - 1)];

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	return at;
}

static void
add(uint64_t key, uint64_t bytes)
{
	struct debtor **at = find(key);

	if (*at == NULL) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->key = key;
	}
	(*at)->bytes += bytes;
}

static void
take(uint64_t key, uint64_t bytes)
{
	struct debtor **at = find(key), *d = *at;

	stet_assert(d != NULL && d->bytes >= bytes);
	d->bytes -= bytes;
	if (d->bytes == 0) {
		*at = d->next;
		free(d);
	}
}

static uint64_t
of(uint64_t key)
{
	const struct debtor *d = *find(key);

	return d != NULL ? d->bytes : 0;
}

void
unsent_owe(const struct caller *client, uint64_t bytes)
{
	if (bytes == 0)
		return;
	pthread_mutex_lock(&unsent.lock);
	add(client->address, bytes);
	if (client->principal != 0)
		add(client->principal, bytes);
	pthread_mutex_unlock(&unsent.lock);
	atomic_fetch_add(&unsent.owed, bytes);
}

void
unsent_settle(const struct caller *client, uint64_t bytes)
{
	if (bytes == 0)
		return;
	pthread_mutex_lock(&unsent.lock);
	take(client->address, bytes);
	if (client->principal != 0)
		take(client->principal, bytes);
	pthread_mutex_unlock(&unsent.lock);
	atomic_fetch_sub(&unsent.owed, bytes);
}

/* Returns true if the client is below its limit, without the `mine` bytes. */
static bool
owed_little(const struct caller *client, uint64_t mine)
{
	uint64_t most = atomic_load_explicit(&unsent.most_of_client, memory_order_relaxed), bytes;

	/* Usually all clients together are below the limit of one, so that no lock is needed. */
	if (atomic_load_explicit(&unsent.owed, memory_order_relaxed) < most)
		return true;
	pthread_mutex_lock(&unsent.lock);
	bytes = of(client->address);
	if (client->principal != 0 && of(client->principal) > bytes)
		bytes = of(client->principal);
	pthread_mutex_unlock(&unsent.lock);
	return bytes - mine < most;
}

/* ---- all clients ---- */

static uint64_t
hold(uint64_t bytes)
{
	uint64_t now = atomic_fetch_add(&unsent.held, bytes) + bytes;

	if (now > atomic_load_explicit(&unsent.peak, memory_order_relaxed))
		atomic_store_explicit(&unsent.peak, now, memory_order_relaxed);
	return now;
}

uint64_t
unsent_fell(void)
{
	uint64_t now = atomic_load(&unsent.held), peak = atomic_exchange(&unsent.peak, now);

	return peak > now ? peak - now : 0;
}

void
unsent_hold(uint64_t bytes)
{
	(void)hold(bytes);
}

void
unsent_release(uint64_t bytes)
{
	atomic_fetch_sub(&unsent.held, bytes);
}

static uint64_t
bound(bool known)
{
	uint64_t most = atomic_load_explicit(&unsent.most, memory_order_relaxed);

	return known ? most : most - most / 4;
}

/* Returns true if all but 1/parts of the memory is in use. */
static bool
nearly(uint64_t most, uint64_t parts)
{
	return atomic_load_explicit(&unsent.held, memory_order_relaxed) >= most - most / parts;
}

bool
unsent_room(const struct caller *client, bool known)
{
	return !nearly(bound(known), 8) && owed_little(client, 0);
}

bool
unsent_room_again(const struct caller *client)
{
	return !nearly(bound(true), 16) && owed_little(client, 0);
}

bool
unsent_full(void)
{
	return nearly(bound(true), 8);
}

bool
unsent_half(void)
{
	return nearly(bound(true), 2);
}

bool
unsent_grow(const struct caller *client, uint64_t mine, uint64_t more)
{
	if (!owed_little(client, mine))
		return false;
	if (hold(more) > bound(client->principal != 0)) {
		unsent_release(more);
		return false;
	}
	unsent_owe(client, more);
	return true;
}

void
unsent_stats(uint64_t *held, uint64_t *most)
{
	*held = atomic_load(&unsent.held);
	*most = atomic_load(&unsent.most);
}
