/*
 * answer.c - a worker's cache of responses.
 *
 * The key is what may make two answers differ: generation, op, path, query, and the caller's role
 * and scopes. An entry is valid while the database has the same stamp (db/stamp.h). If the handler
 * has asked who the caller is, the user is compared too; if it has asked for something else that
 * differs between calls, such as the time, the answer is not cached (call->asked).
 */
#include "op/answer.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/timing.h"
#include "call/unsent.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/stamp.h"
#include "http/condition.h"
#include "http/http1.h"
#include "op/answerkey.h"
#include "op/encode.h"
#include "op/far.h"
#include "op/part.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#define SHARE \
	8 /* maximum share of the cache for one response; for a larger one only the tag is kept */
#define TYPICAL 2048 /* bytes of a usual answer; decides the size of the table */

struct answer {
	struct answer *chain; /* the next of its hash bucket */
	TAILQ_ENTRY(answer) used;
	uint64_t hash;
	struct stamp stamp;
	unsigned refs; /* one of them is the table's */
	unsigned lent; /* connections that send its bytes */
	size_t counted; /* bytes that count as unsent while it is lent */
	size_t size; /* bytes of the whole entry */
	/* user_len 0: the answer is the same for all callers with this key */
	size_t key_len, user_len;
	size_t len; /* of the body */
	bool whole; /* the body is cached; otherwise only the entity tag */
	bool linked; /* still in the table */
	const char *key, *user, *type, *etag, *body;
	struct call_pair *headers;
	struct {
		char *bytes; /* NULL: not cached */
		size_t len;
	} coded[CODINGS];
	_Alignas(16) char mem[];
};
TAILQ_HEAD(answer_list, answer);

struct answers {
	struct answer **bucket; /* NULL: nothing is cached */
	size_t buckets; /* a power of two */
	/* Hashes of recently requested keys, one for each bucket index. */
	uint32_t *asked;
	struct answer_list used; /* the most recently used first */
	size_t bytes, most;
	struct expected *expected; /* answer_expect: EXPECTED of them; NULL: none yet */
};

/* For which request there is an answer, whoever may have it, and of which state. */
struct expected {
	uint64_t hash; /* of the request */
	struct stamp stamp;
};
#define EXPECTED 1024 /* a power of two */

static atomic_uint_fast64_t held;

uint64_t
answers_held(void)
{
	return atomic_load_explicit(&held, memory_order_relaxed);
}

static void
hold(int64_t bytes)
{
	atomic_fetch_add_explicit(&held, (uint64_t)bytes, memory_order_relaxed);
}

/* ---- entries ---- */

static struct answer **
bucket_of(struct answers *as, uint64_t hash)
{
	return &as->bucket[hash & (as->buckets - 1)];
}

static void
put(void *arg)
{
	struct answer *a = arg;

	if (--a->refs > 0)
		return;
	for (int i = 0; i < CODINGS; i++)
		free(a->coded[i].bytes);
	free(a);
}

static void
forget(struct answers *as, struct answer *a)
{
	struct answer **link = bucket_of(as, a->hash);

	while (*link != a)
		link = &(*link)->chain;
	*link = a->chain;
	a->linked = false;
	TAILQ_REMOVE(&as->used, a, used);
	as->bytes -= a->size;
	hold(-(int64_t)a->size);
	put(a);
}

static void
remember(struct answers *as, struct answer *a)
{
	struct answer **bucket = bucket_of(as, a->hash);

	while (as->bytes + a->size > as->most)
		forget(as, TAILQ_LAST(&as->used, answer_list));
	a->chain = *bucket;
	*bucket = a;
	a->linked = true;
	TAILQ_INSERT_HEAD(&as->used, a, used);
	as->bytes += a->size;
	hold((int64_t)a->size);
}

static unsigned sharers = 1;

void
answers_shared_by(unsigned workers)
{
	sharers = workers > 0 ? workers : 1;
}

static uint64_t
part_of(uint64_t bytes)
{
	const uint64_t part = bytes / sharers;

	return bytes > 0 && part < ANSWER_CACHE_LEAST ? ANSWER_CACHE_LEAST : part;
}

void
answers_resize(struct answers *as, uint64_t bytes)
{
	bytes = part_of(bytes);
	if (as->most == bytes)
		return;
	while (!TAILQ_EMPTY(&as->used))
		forget(as, TAILQ_FIRST(&as->used));
	free(as->bucket);
	free(as->asked);
	as->bucket = NULL;
	as->asked = NULL;
	as->most = bytes;
	if (bytes < ANSWER_CACHE_LEAST)
		return;
	for (as->buckets = 32; as->buckets < bytes / TYPICAL; as->buckets *= 2)
		continue;
	as->bucket = xcalloc(as->buckets, sizeof(*as->bucket));
	as->asked = xcalloc(as->buckets, sizeof(*as->asked));
}

struct answers *
answers_new(uint64_t bytes)
{
	struct answers *as = xcalloc(1, sizeof(*as));

	TAILQ_INIT(&as->used);
	answers_resize(as, bytes);
	return as;
}

void
answers_free(struct answers *as)
{
	answers_resize(as, 0);
	free(as->bucket);
	free(as->expected);
	free(as);
}

static bool
same(const void *a, size_t a_len, const void *b, size_t b_len)
{
	return a_len == b_len && memcmp(a, b, a_len) == 0;
}

static struct answer *
look(struct answers *as, struct stet_call *call)
{
	struct op_part *part = op_part(call);
	struct answer_text user = { 0 };
	struct answer *a;

	for (a = *bucket_of(as, part->key_hash); a != NULL; a = a->chain) {
		if (a->hash != part->key_hash ||
		    !same(a->key, a->key_len, part->key, part->key_len))
			continue;
		if (a->user_len == 0)
			return a;
		if (user.at == NULL)
			user = answerkey_user(call);
		if (same(a->user, a->user_len, user.at, user.len))
			return a;
	}
	return NULL;
}

/* ---- finding ---- */

/* Returns true if the request is of a kind whose answer may be cached. */
static bool
asks_again(const struct stet_call *call)
{
	const struct http1_head *head = call->head;

	return call->op != NULL && call->op->keeps &&
	       (head->method == HTTP_GET || head->method == HTTP_HEAD) && !head->chunked &&
	       head->length == 0;
}

void
answer_render(const struct answer *a, struct rendered *r)
{
	*r = (struct rendered){ .status = 200,
		.type = a->type,
		.prefix = "",
		.suffix = "",
		.data = a->body,
		.len = a->len,
		.etag = a->etag,
		.headers = a->headers };
}

/* An entry without a body can only answer 304: its tag must match in the coding that the client
 * accepts. */
static bool
serves(const struct answer *a, struct stet_call *call)
{
	struct rendered r;

	if (a->whole)
		return true;
	answer_render(a, &r);
	(void)encode_choose(call, &r, a->len);
	return condition_judge(call->head, &(struct condition_of){ r.etag, CONDITION_UNDATED }) ==
	       CONDITION_UNMODIFIED;
}

/* The state of the database, in which the call may be answered. Where asking for it is a round
 * trip, that in which it was admitted. */
static bool
state_for(struct stet_call *call, struct stamp *now)
{
	struct db *db;

	if (far_is(call)) {
		*now = db_part(call)->stamp;
		return db_part(call)->seen == SEEN_ONE;
	}
	db = reader_get(call->site);
	return db != NULL && stamp_read(db, now);
}

const struct stamp *
answer_expect(struct answers *as, struct stet_call *call)
{
	const struct expected *e;
	struct stamp *stamp;
	uint64_t hash;

	if (as->expected == NULL || as->bucket == NULL || !asks_again(call))
		return NULL;
	hash = answerkey_request(call);
	e = &as->expected[hash / 2 & (EXPECTED - 1)];
	if (hash == 0 || e->hash != hash)
		return NULL;
	stamp = stet_alloc(call, sizeof(*stamp));
	*stamp = e->stamp;
	return stamp;
}

static void
expect(struct answers *as, struct stet_call *call, const struct answer *a)
{
	uint64_t hash = answerkey_request(call);

	if (as->expected == NULL)
		as->expected = xcalloc(EXPECTED, sizeof(*as->expected));
	as->expected[hash / 2 & (EXPECTED - 1)] = (struct expected){ hash, a->stamp };
}

bool
answer_find(struct answers *as, struct stet_call *call)
{
	struct answer *a;
	struct stamp now;

	if (as->bucket == NULL || !asks_again(call))
		return false;
	answerkey_make(call);
	if (op_part(call)->key == NULL)
		return false;
	timing_cache(call, false);
	a = look(as, call);
	if (a != NULL && (!state_for(call, &now) || !stamp_same(&a->stamp, &now))) {
		forget(as, a);
		a = NULL;
	}
	if (a == NULL || !serves(a, call)) {
		metrics_add(METRIC_CACHE_MISSES, 1);
		return false;
	}
	TAILQ_REMOVE(&as->used, a, used);
	TAILQ_INSERT_HEAD(&as->used, a, used);
	metrics_add(METRIC_CACHE_HITS, 1);
	timing_cache(call, true);
	a->refs++;
	stet_defer(call, put, a);
	op_part(call)->answer = a;
	return true;
}

/* ---- keeping ---- */

/* Returns true if the handler would give the same reply again, to all callers with this key or to
 * this user. */
static bool
lasts(const struct stet_call *call, const struct rendered *r)
{
	if (op_part(call)->key == NULL || call->error.status != STET_OK || r->status != 200 ||
	    r->type == NULL || r->file != NULL || db_part(call)->seen != SEEN_ONE ||
	    (call->asked & ASKED_ELSE) != 0)
		return false;
	for (const struct call_pair *p = r->headers; p != NULL; p = p->next)
		if (strcasecmp(p->name, "set-cookie") == 0 ||
		    (strcasecmp(p->name, "cache-control") == 0 &&
			strstr(p->value, "no-store") != NULL))
			return false;
	return true;
}

struct packer {
	char *at;
};

static const char *
pack(struct packer *p, const void *bytes, size_t len)
{
	char *to = p->at;

	if (len > 0)
		memcpy(to, bytes, len);
	to[len] = '\0';
	p->at += len + 1;
	return to;
}

static const char *
pack_text(struct packer *p, const char *s)
{
	return s != NULL ? pack(p, s, strlen(s)) : NULL;
}

static void
pack_headers(struct packer *p, struct answer *a, const struct rendered *r)
{
	struct call_pair *pair = (struct call_pair *)(void *)a->mem, **tail = &a->headers;

	for (const struct call_pair *h = r->headers; h != NULL; h = h->next)
		p->at += sizeof(*pair);
	for (const struct call_pair *h = r->headers; h != NULL; h = h->next, pair++) {
		pair->name = pack_text(p, h->name);
		pair->value = pack_text(p, h->value);
		*tail = pair;
		tail = &pair->next;
	}
	*tail = NULL;
}

static const char *
pack_body(struct packer *p, const struct rendered *r)
{
	const char *body = p->at;

	pack(p, r->prefix, strlen(r->prefix));
	p->at--;
	pack(p, r->data, r->len);
	p->at--;
	pack(p, r->suffix, strlen(r->suffix));
	return body;
}

/* The size of an entry: its texts with their NULs, and its headers. */
static size_t
size_of(const struct stet_call *call, const struct answer_text *user, const struct rendered *r,
    size_t body)
{
	size_t size = sizeof(struct answer) + op_part(call)->key_len + user->len +
		      answerkey_length(r->type) + answerkey_length(r->etag) + body + 8;

	for (const struct call_pair *h = r->headers; h != NULL; h = h->next)
		size += sizeof(*h) + strlen(h->name) + strlen(h->value) + 2;
	return size;
}

static size_t
length_of(const struct rendered *r)
{
	return strlen(r->prefix) + r->len + strlen(r->suffix);
}

static struct answer *
make(const struct stet_call *call, const struct answer_text *user, const struct rendered *r,
    bool whole)
{
	const struct op_part *part = op_part(call);
	size_t len = length_of(r);
	size_t size = size_of(call, user, r, whole ? len : 0);
	struct answer *a = xmalloc(size);
	struct packer p = { a->mem };

	*a = (struct answer){ .hash = part->key_hash,
		.stamp = db_part(call)->stamp,
		.refs = 1,
		.size = size,
		.key_len = part->key_len,
		.user_len = user->len,
		.len = len,
		.whole = whole };
	pack_headers(&p, a, r);
	a->key = pack(&p, part->key, part->key_len);
	a->user = pack(&p, user->at, user->len);
	a->type = pack_text(&p, r->type);
	a->etag = pack_text(&p, r->etag);
	a->body = whole ? pack_body(&p, r) : "";
	stet_assert(p.at <= (char *)a + size);
	return a;
}

/* Records that the key was requested; returns true if it was requested recently. */
static bool
asked_before(struct answers *as, uint64_t hash)
{
	uint32_t *slot = &as->asked[hash & (as->buckets - 1)];
	uint32_t mark = (uint32_t)(hash >> 32) | 1;
	bool before = *slot == mark;

	*slot = mark;
	return before;
}

/* If the cache is full, only a response that was requested recently is admitted. Admitting one that
 * is never requested again would cost a copy and evict a useful one. */
static bool
is_wanted(struct answers *as, const struct stet_call *call, size_t size)
{
	bool before = asked_before(as, op_part(call)->key_hash);

	return before || as->bytes + size <= as->most;
}

/* A reader has run the call, or refused it, without asking for what is kept. */
static void
miss(struct answers *as, struct stet_call *call)
{
	if (as->bucket == NULL || !asks_again(call))
		return;
	answerkey_make(call);
	if (op_part(call)->key == NULL)
		return;
	timing_cache(call, false);
	metrics_add(METRIC_CACHE_MISSES, 1);
}

struct answer *
answer_keep(struct answers *as, struct stet_call *call, const struct rendered *r)
{
	struct answer_text user = { 0 };
	struct answer *a, *old;
	bool whole;

	if (op_part(call)->passed && op_part(call)->key == NULL)
		miss(as, call);
	if (as->bucket == NULL || !lasts(call, r))
		return NULL;
	if ((call->asked & ASKED_USER) != 0)
		user = answerkey_user(call);
	whole = size_of(call, &user, r, length_of(r)) <= as->most / SHARE;
	if (!whole && (r->etag == NULL || size_of(call, &user, r, 0) > as->most / SHARE))
		return NULL;
	if (!is_wanted(as, call, size_of(call, &user, r, whole ? length_of(r) : 0)))
		return NULL;
	a = make(call, &user, r, whole);
	if ((old = look(as, call)) != NULL)
		forget(as, old);
	remember(as, a);
	if (far_is(call))
		expect(as, call, a);
	return a;
}

/* ---- lending ---- */

void
answer_lend(struct answer *a)
{
	a->refs++;
	if (a->lent++ > 0)
		return;
	a->counted = a->size;
	unsent_hold(a->counted);
}

void
answer_return(struct answer *a)
{
	if (--a->lent == 0)
		unsent_release(a->counted);
	put(a);
}

/* ---- compressed bodies ---- */

const char *
answer_coded(const struct answer *a, enum coding coding, size_t *len)
{
	if (a == NULL)
		return NULL;
	if (coding == CODING_NONE) {
		*len = a->len;
		return a->whole ? a->body : NULL;
	}
	*len = a->coded[coding].len;
	return a->coded[coding].bytes;
}

void
answer_keep_coded(
    struct answers *as, struct answer *a, enum coding coding, const char *bytes, size_t len)
{
	/* An entry that was evicted meanwhile is used by no other call. */
	if (a == NULL || !a->whole || a->coded[coding].bytes != NULL || !a->linked ||
	    as->bytes + len > as->most)
		return;
	a->coded[coding].bytes = memcpy(xmalloc(len), bytes, len);
	a->coded[coding].len = len;
	a->size += len;
	as->bytes += len;
	hold((int64_t)len);
}
