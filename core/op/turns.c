/* turns.c - long reads wait for their turn; core/adr/0069. */
#include "op/turns.h"
#include "base/clock.h"
#include "base/fair.h"
#include "op/waiting.h"
#include <stddef.h>
#include <string.h>

#define LONG_US 150 /* a list of 50 takes 100, an item 10 */
#define ENTRIES 2048 /* a power of two */

/* What reads took: by op and request, and by op alone for requests that are new. */
struct took {
	uint32_t hash, us;
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

/* ---- what it took ---- */

/* FNV-1a. Two requests of one entry only put each other's turns wrong. */
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

	return mix(mix(2166136261U, what, sizeof(what)), &call->kind, sizeof(call->kind)) | 1U;
}

void
stet_alike(struct stet_call *call, const char *kind, const char *text, size_t len)
{
	call->kind = mix(2166136261U, kind, strlen(kind)) | 1U;
	call->like = mix(call->kind, text, len) | 1U;
}

static uint32_t
hash_request(const struct stet_call *call)
{
	uint32_t hash = hash_op(call);

	if (call->like != 0)
		return mix(hash, &call->like, sizeof(call->like)) | 1U;
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

static bool
is_long(const struct stet_call *call)
{
	uint32_t hash = hash_request(call);
	const struct took *t = entry(hash);

	if (t->hash != hash) {
		hash = hash_op(call);
		t = entry(hash);
	}
	return t->hash == hash && t->us > LONG_US;
}

void
turns_took(const struct stet_call *call, int64_t us)
{
	const uint32_t spent = us < 0 ? 0 : us > UINT32_MAX / 8 ? UINT32_MAX / 8 : (uint32_t)us;
	uint32_t hash;
	struct took *t;
	bool known;

	if (turns.arm == NULL || call->head == NULL)
		return;
	hash = hash_request(call);
	known = entry(hash)->hash == hash;
	*entry(hash) = (struct took){ hash, spent };
	if (known) /* it says nothing of new ones, for which the op's entry is */
		return;
	hash = hash_op(call);
	t = entry(hash);
	*t = (struct took){ hash, t->hash == hash ? (t->us * 7 + spent) / 8 : spent };
}

/* ---- turns ---- */

bool
turns_due(const struct stet_call *call)
{
	return turns.arm != NULL && call->head != NULL && is_long(call);
}

void
turns_wait(struct stet_call *call, void (*run)(struct stet_call *))
{
	const bool none = turns.queue.last == NULL;

	call->turn = run;
	fair_push(&turns.queue, waiting_key(call), &call->in_turn);
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
	call = (struct stet_call *)((char *)item - offsetof(struct stet_call, in_turn));
	call->turn(call);
	return turns.queue.last != NULL;
}
