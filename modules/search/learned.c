/*
 * learned.c - a cache of answers of shards, valid until the shard changes: how many documents have
 * a word, and the terms of a range. Questions ask for the same common words again and again, and
 * for dozens of words each (feedback.c, spell.c); most shards are full and change rarely.
 *
 * All threads of the site share the cache. A shard's version (shard_version) identifies its content
 * and is read once for each snapshot of the database, so an answer is never older than the caller's
 * snapshot. In the write lane, where changes may be rolled back, the cache is neither read nor
 * filled.
 */
#include "search.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 64 /* shards */
#define BUCKETS 512 /* buckets of a shard; a power of two */
#define VERSION_MAX 1024 /* bytes of a version */
/* Memory for all answers of a site; when it is used up, all are dropped. */
#define BYTES_MAX ((size_t)4 << 20)
#define SITES_MAX ((size_t)16 << 20) /* bytes of all sites; when reached, no answer is added */
#define ANSWER_MAX ((size_t)256 << 10) /* longer answers are not cached */
#define SEEN 16 /* shards whose version a snapshot remembers */

enum kind { SHARE, TERMS };
struct answer {
	struct answer *next; /* in its bucket */
	enum kind kind;
	size_t refs, key_len, len;
	char bytes[]; /* the key, then the answer */
};
struct slot {
	int64_t shard; /* 0: free */
	uint64_t epoch; /* identifies this version; never used twice */
	size_t version_len;
	char version[VERSION_MAX];
	struct answer *bucket[BUCKETS];
};
struct learned {
	pthread_mutex_t lock;
	struct slot *slot[SLOTS]; /* NULL: not needed yet */
	size_t next; /* the slot that the next new shard gets */
	size_t bytes;
	uint64_t epoch; /* the last one */
};
/* Data of a snapshot: the epochs of its shards. */
struct seen {
	size_t count;
	struct {
		int64_t shard;
		uint64_t epoch; /* 0: the shard is not cached */
	} at[SEEN];
};
static atomic_size_t of_all_sites; /* bytes */

/* A question to a shard. */
struct asked {
	struct learned *all; /* NULL: ask the shard itself */
	int64_t shard;
	uint64_t epoch;
	enum kind kind;
	const char *key;
	size_t key_len;
};

enum stet_status
learned_open(struct stet_call *call, struct learned **l)
{
	if ((*l = calloc(1, sizeof(**l))) == NULL)
		stet_out_of_memory();
	if (pthread_mutex_init(&(*l)->lock, NULL) == 0)
		return STET_OK;
	free(*l);
	return stet_fault(call, "cannot make the lock of what search has learned");
}

static void
release(struct answer *a)
{
	if (--a->refs == 0)
		free(a);
}

static void
add_bytes(struct learned *l, size_t size)
{
	l->bytes += size;
	atomic_fetch_add_explicit(&of_all_sites, size, memory_order_relaxed);
}

static void
take_bytes(struct learned *l, size_t size)
{
	l->bytes -= size;
	atomic_fetch_sub_explicit(&of_all_sites, size, memory_order_relaxed);
}

static bool
has_room(const struct learned *l, size_t size)
{
	return l->bytes + size <= BYTES_MAX &&
	       atomic_load_explicit(&of_all_sites, memory_order_relaxed) + size <= SITES_MAX;
}

static void
empty(struct learned *l, struct slot *s)
{
	struct answer *next;

	for (size_t i = 0; i < BUCKETS; i++)
		for (struct answer *a = s->bucket[i]; a != NULL; a = next) {
			next = a->next;
			take_bytes(l, sizeof(*a) + a->key_len + a->len);
			release(a);
		}
	memset(s->bucket, 0, sizeof(s->bucket));
}

void
learned_close(struct learned *l)
{
	if (l == NULL)
		return;
	for (size_t i = 0; i < SLOTS; i++) {
		if (l->slot[i] != NULL)
			empty(l, l->slot[i]);
		free(l->slot[i]);
	}
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* ---- versions ---- */

static struct slot *
slot_of(const struct learned *l, int64_t shard)
{
	for (size_t i = 0; i < SLOTS; i++)
		if (l->slot[i] != NULL && l->slot[i]->shard == shard)
			return l->slot[i];
	return NULL;
}

/* Returns a slot for a shard that has none; if all are in use, evicts another shard's answers. */
static struct slot *
new_slot(struct learned *l)
{
	struct slot **s = &l->slot[l->next++ % SLOTS];

	if (*s == NULL && (*s = calloc(1, sizeof(**s))) == NULL)
		stet_out_of_memory();
	return *s;
}

static uint64_t
epoch_of(struct learned *l, int64_t shard, const void *version, size_t len)
{
	struct slot *s;
	uint64_t epoch;

	pthread_mutex_lock(&l->lock);
	s = slot_of(l, shard);
	if (s == NULL || s->version_len != len || memcmp(s->version, version, len) != 0) {
		s = s != NULL ? s : new_slot(l);
		empty(l, s);
		s->shard = shard;
		s->epoch = ++l->epoch;
		s->version_len = len;
		memcpy(s->version, version, len);
	}
	epoch = s->epoch;
	pthread_mutex_unlock(&l->lock);
	return epoch;
}

static enum stet_status
read_epoch(struct stet_call *call, struct learned *l, int64_t shard, uint64_t *out)
{
	const void *version;
	size_t len;

	STET_TRY(shard_version(call, shard, &version, &len));
	*out = len > 0 && len <= VERSION_MAX ? epoch_of(l, shard, version, len) : 0;
	return STET_OK;
}

/* Prepares a question. */
static enum stet_status
ask(struct stet_call *call, int64_t shard, enum kind kind, const char *key, struct asked *out)
{
	static const char slot_key;
	void **slot = stet_snapshot_slot(call, &slot_key);
	struct learned **state = stet_state_of(call, "search");
	struct seen *seen;
	uint64_t epoch;
	size_t i = 0;

	*out = (struct asked){ 0 };
	if (slot == NULL || state == NULL)
		return STET_OK;
	if (stet_derived_apart(call)) { /* an index beside the database has other snapshots */
		STET_TRY(read_epoch(call, *state, shard, &epoch));
		if (epoch != 0)
			*out = (struct asked){ *state, shard, epoch, kind, key, strlen(key) };
		return STET_OK;
	}
	if (*slot == NULL)
		*slot = stet_snapshot_alloc(call, sizeof(*seen));
	seen = *slot;
	while (i < seen->count && seen->at[i].shard != shard)
		i++;
	if (i == SEEN)
		return STET_OK;
	if (i == seen->count) {
		seen->at[i].shard = shard;
		STET_TRY(read_epoch(call, *state, shard, &seen->at[i].epoch));
		seen->count++;
	}
	if (seen->at[i].epoch != 0)
		*out = (struct asked){ *state, shard, seen->at[i].epoch, kind, key, strlen(key) };
	return STET_OK;
}

/* ---- answers ---- */

static bool
is_to(const struct answer *a, const struct asked *q)
{
	return a->kind == q->kind && a->key_len == q->key_len &&
	       memcmp(a->bytes, q->key, q->key_len) == 0;
}

/* Returns the pointer to the answer, or to the end of its list. NULL: the shard has changed since.
 */
static struct answer **
place_of(const struct asked *q)
{
	struct slot *s = slot_of(q->all, q->shard);
	uint32_t hash = 2166136261U; /* FNV-1a */
	struct answer **a;

	if (s == NULL || s->epoch != q->epoch)
		return NULL;
	for (size_t i = 0; i < q->key_len; i++)
		hash = (hash ^ (unsigned char)q->key[i]) * 16777619U;
	a = &s->bucket[hash % BUCKETS];
	while (*a != NULL && !is_to(*a, q))
		a = &(*a)->next;
	return a;
}

/* Returns the cached answer, to be released with put_back; NULL if there is none. */
static struct answer *
find(const struct asked *q)
{
	struct answer **at, *a = NULL;

	if (q->all == NULL)
		return NULL;
	pthread_mutex_lock(&q->all->lock);
	at = place_of(q);
	if (at != NULL && (a = *at) != NULL)
		a->refs++;
	pthread_mutex_unlock(&q->all->lock);
	return a;
}

static void
put_back(const struct asked *q, struct answer *a)
{
	pthread_mutex_lock(&q->all->lock);
	release(a);
	pthread_mutex_unlock(&q->all->lock);
}

static void
keep(const struct asked *q, const void *bytes, size_t len)
{
	const size_t size = sizeof(struct answer) + q->key_len + len;
	struct answer **at, *a;

	if (q->all == NULL || len > ANSWER_MAX)
		return;
	if ((a = malloc(size)) == NULL)
		stet_out_of_memory();
	*a = (struct answer){ .kind = q->kind, .refs = 1, .key_len = q->key_len, .len = len };
	memcpy(a->bytes, q->key, q->key_len);
	if (len > 0)
		memcpy(a->bytes + q->key_len, bytes, len);
	pthread_mutex_lock(&q->all->lock);
	for (size_t i = 0; !has_room(q->all, size) && i < SLOTS; i++)
		if (q->all->slot[i] != NULL)
			empty(q->all, q->all->slot[i]);
	at = has_room(q->all, size) ? place_of(q) : NULL;
	if (at != NULL && *at == NULL) {
		*at = a;
		add_bytes(q->all, size);
	} else {
		release(a);
	}
	pthread_mutex_unlock(&q->all->lock);
}

/* ---- shares and terms ---- */

enum stet_status
learned_share(struct stet_call *call, int64_t shard, const char *match, int64_t sample,
    int64_t docs, double *out)
{
	struct answer *known;
	struct asked q;

	STET_TRY(ask(call, shard, SHARE, match, &q));
	if ((known = find(&q)) != NULL) {
		memcpy(out, known->bytes + known->key_len, sizeof(*out));
		put_back(&q, known);
		return STET_OK;
	}
	STET_TRY(shard_share(call, shard, match, sample, docs, out));
	keep(&q, out, sizeof(*out));
	return STET_OK;
}

/* Terms, one after the other: the number of documents, the text, a byte of zero. */
struct terms {
	char *bytes;
	size_t len, room;
	void (*take)(void *, const char *term, int64_t docs);
	void *arg;
};

static void
take_term(void *arg, const char *term, int64_t docs)
{
	struct terms *t = arg;
	const size_t size = strlen(term) + 1, need = t->len + sizeof(docs) + size;

	t->take(t->arg, term, docs);
	if (t->len > ANSWER_MAX)
		return;
	if (need > t->room) {
		t->room = 2 * need;
		if ((t->bytes = realloc(t->bytes, t->room)) == NULL)
			stet_out_of_memory();
	}
	memcpy(t->bytes + t->len, &docs, sizeof(docs));
	memcpy(t->bytes + t->len + sizeof(docs), term, size);
	t->len = need;
}

static void
tell_terms(const struct answer *known, void (*take)(void *, const char *, int64_t), void *arg)
{
	const char *at = known->bytes + known->key_len, *end = at + known->len;
	int64_t docs;

	while (at < end) {
		memcpy(&docs, at, sizeof(docs));
		at += sizeof(docs);
		take(arg, at, docs);
		at += strlen(at) + 1;
	}
}

enum stet_status
learned_terms(struct stet_call *call, int64_t shard, const char *low, const char *high,
    void (*take)(void *, const char *term, int64_t docs), void *arg)
{
	/* No term has a byte of 1. */
	const char *key = stet_printf(call, "%s\x01%s", low, high);
	struct terms t = { .take = take, .arg = arg };
	struct answer *known;
	enum stet_status status;
	struct asked q;

	STET_TRY(ask(call, shard, TERMS, key, &q));
	if ((known = find(&q)) != NULL) {
		tell_terms(known, take, arg);
		put_back(&q, known);
		return STET_OK;
	}
	status = shard_terms(call, shard, low, high, take_term, &t);
	if (status == STET_OK)
		keep(&q, t.bytes, t.len);
	free(t.bytes);
	return status;
}
