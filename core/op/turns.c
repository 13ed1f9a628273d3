/* turns.c - the cost of reads and their order on a worker; core/adr/0077. */
#include "op/turns.h"
#include "base/clock.h"
#include "base/fair.h"
#include "base/log.h"
#include "op/part.h"
#include "op/waiting.h"
#include <string.h>
#include <sys/resource.h>

#define LONG_US 150 /* a list of 50 takes 100, an item 10 */
#define DEAR_US 1000
#define FAR_LONG_US 20000
#define ENTRIES 2048 /* a power of two */

/* Times of reads, in entries of two kinds. The entry of a request (op, path and query, or what
 * stet_alike names) has the times of its last two reads. The entry of an op with these parameter
 * names has an average in both members, and is used for requests not seen before. */
struct took {
	uint32_t hash, us, before;
};

static _Thread_local struct {
	void (*arm)(void *);
	void *arg;
	struct fair queue;
	struct took took[ENTRIES];
} turns;

void
turns_share(void (*arm)(void *), void *arg)
{
	turns.arm = arm;
	turns.arg = arg;
}

/* ---- costs ---- */

/* FNV-1a. A collision of two requests only gives them the wrong turn. */
static uint32_t
mix(uint32_t hash, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len-- > 0)
		hash = (hash ^ *p++) * 16777619U;
	return hash;
}

static uint32_t
hash_op(const struct stet_call *call)
{
	const void *what[] = { call->site, call->op };

	return mix(mix(2166136261U, what, sizeof(what)), &op_part(call)->kind,
		   sizeof(op_part(call)->kind)) |
	       1U;
}

/* Hashes op and parameter names, because the cost depends on them: a list may compute facets. */
static uint32_t
hash_like(const struct stet_call *call)
{
	const char *at = call->head->query;
	uint32_t hash = hash_op(call);

	while (at != NULL && *at != '\0') {
		hash = mix(hash, at, strcspn(at, "=&") + 1); /* with the character that ends it */
		at = strchr(at, '&');
		at += at != NULL;
	}
	return hash | 1U;
}

void
stet_alike(struct stet_call *call, const char *kind, const char *text, size_t len)
{
	struct op_part *part = op_part(call);

	part->kind = mix(2166136261U, kind, strlen(kind)) | 1U;
	part->like = mix(part->kind, text, len) | 1U;
}

static uint32_t
hash_request(const struct stet_call *call)
{
	const struct op_part *part = op_part(call);
	uint32_t hash = hash_op(call);

	if (part->like != 0)
		return mix(hash, &part->like, sizeof(part->like)) | 1U;
	hash = mix(hash, call->head->path, strlen(call->head->path));
	if (call->head->query != NULL)
		hash = mix(hash, call->head->query, strlen(call->head->query));
	return hash | 1U;
}

static struct took *
entry(uint32_t hash)
{
	return &turns.took[(hash >> 8) & (ENTRIES - 1)];
}

/* Returns the expected microseconds of the read, 0 if unknown. It is the smaller of two times,
 * because another thread may have used the processor during one. */
static uint32_t
expected(const struct stet_call *call)
{
	uint32_t hash = hash_request(call);
	const struct took *t = entry(hash);

	if (t->hash != hash) {
		hash = hash_like(call);
		t = entry(hash);
	}
	if (t->hash != hash)
		return 0;
	return t->us < t->before ? t->us : t->before;
}

void
turns_took(const struct stet_call *call, int64_t us)
{
	const uint32_t spent = us < 0 ? 0 : us > UINT32_MAX / 8 ? UINT32_MAX / 8 : (uint32_t)us;
	uint32_t hash, average;
	struct took *t;

	if (turns.arm == NULL || call->head == NULL)
		return;
	hash = hash_request(call);
	t = entry(hash);
	if (t->hash == hash) { /* a repeated request does not change the average */
		*t = (struct took){ hash, spent, t->us };
		return;
	}
	*t = (struct took){ hash, spent, spent };
	hash = hash_like(call);
	t = entry(hash);
	average = t->hash == hash ? (t->us * 7 + spent) / 8 : spent;
	*t = (struct took){ hash, average, average };
}

void
turns_measure(struct turns_effort *e)
{
	struct rusage r;

	stet_assert(getrusage(RUSAGE_THREAD, &r) == 0);
	e->wall = clock_monotonic_us();
	e->cpu = (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * INT64_C(1000000) + r.ru_utime.tv_usec +
		 r.ru_stime.tv_usec;
	e->waits = r.ru_nvcsw;
}

int64_t
turns_spent(const struct turns_effort *since)
{
	struct turns_effort now;

	turns_measure(&now);
	return now.waits == since->waits ? now.cpu - since->cpu : now.wall - since->wall;
}

/* ---- turns ---- */

enum turns_cost
turns_cost(const struct stet_call *call)
{
	const uint32_t us = turns.arm != NULL && call->head != NULL ? expected(call) : 0;

	return us > DEAR_US ? TURNS_DEAR : us > LONG_US ? TURNS_LONG : TURNS_SHORT;
}

bool
turns_far_long(const struct stet_call *call)
{
	return turns.arm != NULL && call->head != NULL && expected(call) > FAR_LONG_US;
}

void
turns_wait(struct stet_call *call, void (*run)(struct stet_call *))
{
	const bool none = turns.queue.last == NULL;

	op_part(call)->turn = run;
	fair_push(&turns.queue, waiting_key(call), &op_part(call)->in_turn);
	if (none)
		turns.arm(turns.arg);
}

bool
turns_next(void)
{
	struct fair_item *item = fair_pop(&turns.queue);
	struct stet_call *call;

	if (item == NULL)
		return false;
	call = op_part_queued(item);
	op_part(call)->turn(call);
	return turns.queue.last != NULL;
}
