/* peers.c - counts the open connections, in all and of each client address, and limits them. */
#include "net/peers.h"
#include "base/arena.h"
#include "base/log.h"
#include "conf/conf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT_BUCKETS 4096

/* The number of connections of each client address. */
struct client {
	struct client *next;
	struct address key;
	unsigned count;
};

static unsigned most_per_address;
static struct address_block *trusted;
static size_t trusted_count;

static struct {
	pthread_mutex_t lock;
	unsigned total, most;
	struct client *bucket[CLIENT_BUCKETS];
} clients = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct client **
find(const struct address *key)
{
	uint32_t hash = 2166136261U;
	struct client **at;

	for (size_t i = 0; i < sizeof(key->ip); i++)
		hash = (hash ^ key->ip[i]) * 16777619U;
	at = &clients.bucket[hash % CLIENT_BUCKETS];
	while (*at != NULL && memcmp(&(*at)->key, key, sizeof(*key)) != 0)
		at = &(*at)->next;
	return at;
}

bool
peers_admit(const struct address *peer)
{
	bool limited = !address_in(peer, trusted, trusted_count);
	struct client **at, *c;
	struct address key;
	bool room;

	address_client_key(peer, &key);
	pthread_mutex_lock(&clients.lock);
	at = find(&key);
	c = *at;
	room = !limited || c == NULL || c->count < most_per_address;
	if (room) {
		if (c == NULL) {
			*at = c = xcalloc(1, sizeof(*c));
			c->key = key;
		}
		c->count++;
		clients.total++;
	}
	pthread_mutex_unlock(&clients.lock);
	return room;
}

void
peers_forget(const struct address *peer)
{
	struct client **at, *c;
	struct address key;

	address_client_key(peer, &key);
	pthread_mutex_lock(&clients.lock);
	at = find(&key);
	c = *at;
	stet_assert(c != NULL && clients.total > 0);
	clients.total--;
	if (--c->count == 0) {
		*at = c->next;
		free(c);
	}
	pthread_mutex_unlock(&clients.lock);
}

void
peers_count(unsigned *now, unsigned *limit)
{
	pthread_mutex_lock(&clients.lock);
	*now = clients.total;
	*limit = clients.most;
	pthread_mutex_unlock(&clients.lock);
}

bool
peers_full(void)
{
	bool is;

	pthread_mutex_lock(&clients.lock);
	is = clients.total >= clients.most;
	pthread_mutex_unlock(&clients.lock);
	return is;
}

void
peers_limit(const struct conf *conf)
{
	size_t n = 0;

	pthread_mutex_lock(&clients.lock);
	clients.most = (unsigned)conf->max_connections;
	pthread_mutex_unlock(&clients.lock);
	most_per_address = (unsigned)conf->max_connections_per_address;
	while (conf->trusted_proxies[n] != NULL)
		n++;
	free(trusted);
	trusted = xcalloc(n + 1, sizeof(*trusted));
	trusted_count = 0;
	for (size_t i = 0; i < n; i++)
		if (address_block_parse(conf->trusted_proxies[i], &trusted[trusted_count]))
			trusted_count++;
}

void
peers_close(void)
{
	free(trusted);
	trusted = NULL;
	trusted_count = 0;
}
