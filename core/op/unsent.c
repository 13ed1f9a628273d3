/* unsent.c - counts responses that clients have not read yet, in total and by address. */
#include "op/unsent.h"
#include "base/arena.h"
#include "base/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

/* Bytes that are being sent to an address. Exists only while there are any. */
struct debtor {
	struct debtor *next;
	struct address key;
	uint64_t bytes;
};

static struct {
	atomic_uint_fast64_t held, most;
	atomic_uint_fast64_t owed, most_of_address; /* owed: to all addresses */
	pthread_mutex_t lock; /* guards the buckets */
	struct debtor *bucket[BUCKETS];
} unsent = { .most = UINT64_MAX, .most_of_address = UINT64_MAX, .lock = PTHREAD_MUTEX_INITIALIZER };

void
unsent_limits(uint64_t most, uint64_t most_of_address)
{
	atomic_store(&unsent.most, most);
	atomic_store(&unsent.most_of_address, most_of_address);
}

/* ---- by address; under the lock ---- */

static struct debtor **
find(const struct address *key)
{
	uint32_t hash = 2166136261U;
	struct debtor **at;

	for (size_t i = 0; i < sizeof(key->ip); i++)
		hash = (hash ^ key->ip[i]) * 16777619U;
	at = &unsent.bucket[hash % BUCKETS];
	while (*at != NULL && memcmp(&(*at)->key, key, sizeof(*key)) != 0)
		at = &(*at)->next;
	return at;
}

void
unsent_owe(const struct address *client, uint64_t bytes)
{
	struct address key;
	struct debtor **at;

	if (bytes == 0)
		return;
	address_client_key(client, &key);
	pthread_mutex_lock(&unsent.lock);
	at = find(&key);
	if (*at == NULL) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->key = key;
	}
	(*at)->bytes += bytes;
	pthread_mutex_unlock(&unsent.lock);
	atomic_fetch_add(&unsent.owed, bytes);
}

void
unsent_settle(const struct address *client, uint64_t bytes)
{
	struct address key;
	struct debtor **at, *d;

	if (bytes == 0)
		return;
	address_client_key(client, &key);
	pthread_mutex_lock(&unsent.lock);
	at = find(&key);
	d = *at;
	stet_assert(d != NULL && d->bytes >= bytes);
	d->bytes -= bytes;
	if (d->bytes == 0) {
		*at = d->next;
		free(d);
	}
	pthread_mutex_unlock(&unsent.lock);
	atomic_fetch_sub(&unsent.owed, bytes);
}

static uint64_t
owed_to(const struct address *client)
{
	struct address key;
	struct debtor *d;
	uint64_t bytes;

	address_client_key(client, &key);
	pthread_mutex_lock(&unsent.lock);
	d = *find(&key);
	bytes = d != NULL ? d->bytes : 0;
	pthread_mutex_unlock(&unsent.lock);
	return bytes;
}

/* ---- all clients ---- */

void
unsent_hold(uint64_t bytes)
{
	atomic_fetch_add(&unsent.held, bytes);
}

void
unsent_release(uint64_t bytes)
{
	atomic_fetch_sub(&unsent.held, bytes);
}

bool
unsent_room(const struct address *client, bool known)
{
	uint64_t most = atomic_load_explicit(&unsent.most, memory_order_relaxed);
	uint64_t of_address = atomic_load_explicit(&unsent.most_of_address, memory_order_relaxed);

	if (atomic_load_explicit(&unsent.held, memory_order_relaxed) >=
	    (known ? most : most - most / 4))
		return false;
	/* Most often all addresses together owe less than one may, and no lock is needed. */
	return atomic_load_explicit(&unsent.owed, memory_order_relaxed) < of_address ||
	       owed_to(client) < of_address;
}

void
unsent_stats(uint64_t *held, uint64_t *most)
{
	*held = atomic_load(&unsent.held);
	*most = atomic_load(&unsent.most);
}
