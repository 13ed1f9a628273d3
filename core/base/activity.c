/*
 * activity.c - the records of threads. The owner reads and writes a plain copy. What other
 * threads read is a second copy of atomic words, under a sequence number that is odd while they
 * change (a seqlock).
 */
#include "base/activity.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORDS (sizeof(struct activity) / sizeof(uint64_t))
/* Attempts to read a record that changes meanwhile: such a thread is busy, not stuck. */
#define READS 1000

_Static_assert(sizeof(struct activity) % sizeof(uint64_t) == 0, "a record is whole words");

/* Never freed: a new thread takes over the record of one that has ended. */
struct record {
	struct record *next;
	atomic_bool taken;
	struct activity own;
	_Atomic uint64_t sequence;
	_Atomic uint64_t word[WORDS];
};

static struct record *_Atomic records;
static _Thread_local struct record *mine;
static pthread_key_t end_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

const char *const activity_lane_name[ACTIVITY_LANES] = { [ACTIVITY_OTHER] = "other",
	[ACTIVITY_READ] = "read",
	[ACTIVITY_WRITE] = "write",
	[ACTIVITY_SLOW] = "slow" };

/* ---- the record of a thread ---- */

static void
release_record(void *arg)
{
	struct record *r = arg;

	mine = NULL;
	atomic_store(&r->taken, false);
}

static void
init(void)
{
	stet_assert(pthread_key_create(&end_key, release_record) == 0);
}

static struct record *
take(void)
{
	struct record *r = atomic_load(&records);
	bool free = false;

	while (r != NULL && !atomic_compare_exchange_strong(&r->taken, &free, true)) {
		free = false;
		r = r->next;
	}
	if (r != NULL)
		return r;
	r = xcalloc(1, sizeof(*r));
	atomic_store(&r->taken, true);
	r->next = atomic_load(&records);
	while (!atomic_compare_exchange_weak(&records, &r->next, r))
		continue;
	return r;
}

/* ---- telling the others ---- */

static void
begin(struct record *r)
{
	uint64_t n = atomic_load_explicit(&r->sequence, memory_order_relaxed);

	atomic_store_explicit(&r->sequence, n + 1, memory_order_relaxed);
}

static void
end(struct record *r)
{
	uint64_t n = atomic_load_explicit(&r->sequence, memory_order_relaxed);

	atomic_store_explicit(&r->sequence, n + 1, memory_order_release);
}

/* Publishes the words that hold these bytes of the plain copy. Release order: a reader of such a
 * word also sees the sequence number that begin() stored. */
static void
tell(struct record *r, const void *at, size_t len)
{
	size_t first = (size_t)((const char *)at - (const char *)&r->own) / sizeof(uint64_t);
	size_t last =
	    ((size_t)((const char *)at - (const char *)&r->own) + len - 1) / sizeof(uint64_t);

	for (size_t i = first; i <= last; i++) {
		uint64_t word;

		memcpy(&word, (const char *)&r->own + i * sizeof(word), sizeof(word));
		atomic_store_explicit(&r->word[i], word, memory_order_release);
	}
}

static void
tell_text(struct record *r, char *to, size_t size, const char *text)
{
	size_t len = text != NULL ? strnlen(text, size - 1) : 0;

	if (len > 0)
		memcpy(to, text, len);
	to[len] = '\0';
	tell(r, to, len + 1);
}

static struct record *
self(void)
{
	if (mine != NULL)
		return mine;
	pthread_once(&once, init);
	mine = take();
	mine->own = (struct activity){ .thread = gettid(), .serial = mine->own.serial };
	begin(mine);
	tell(mine, &mine->own, sizeof(mine->own));
	end(mine);
	stet_assert(pthread_setspecific(end_key, mine) == 0);
	return mine;
}

void
activity_thread(enum activity_lane lane)
{
	struct record *r = self();

	begin(r);
	r->own.lane = (int32_t)lane;
	tell(r, &r->own, sizeof(r->own));
	end(r);
}

static void
tell_depth(struct record *r, uint32_t depth)
{
	r->own.depth = depth;
	tell(r, &r->own.depth, sizeof(r->own.depth));
}

void
activity_enter(const char *kind, const char *module, const char *name, const char *site,
    const char *call, int64_t deadline)
{
	struct record *r = self();
	struct activity *own = &r->own;
	uint32_t depth = own->depth;

	begin(r);
	if (depth < ACTIVITY_STEPS) {
		struct activity_step *step = &own->step[depth];

		step->begun = clock_coarse_us() / 1000;
		step->kind = kind;
		step->module = module != NULL ? module : "";
		tell(r, step, offsetof(struct activity_step, name));
		tell_text(r, step->name, sizeof(step->name), name);
	}
	if (depth == 0) {
		own->deadline = deadline;
		own->serial++;
		tell(r, own, offsetof(struct activity, site));
		tell_text(r, own->site, sizeof(own->site), site);
		tell_text(r, own->call, sizeof(own->call), call);
	}
	tell_depth(r, depth + 1);
	end(r);
}

void
activity_leave(void)
{
	struct record *r = self();

	stet_assert(r->own.depth > 0);
	begin(r);
	tell_depth(r, r->own.depth - 1);
	end(r);
}

/* ---- reading ---- */

static bool
copy(struct record *r, struct activity *out)
{
	for (int i = 0; i < READS; i++) {
		uint64_t n = atomic_load_explicit(&r->sequence, memory_order_acquire);

		for (size_t k = 0; k < WORDS; k++) {
			uint64_t word = atomic_load_explicit(&r->word[k], memory_order_acquire);

			memcpy((char *)out + k * sizeof(word), &word, sizeof(word));
		}
		if (n % 2 == 0 && atomic_load_explicit(&r->sequence, memory_order_relaxed) == n)
			return true;
	}
	return false;
}

void
activity_each(void (*fn)(const struct activity *, void *), void *arg)
{
	struct activity now;

	for (struct record *r = atomic_load(&records); r != NULL; r = r->next)
		if (atomic_load(&r->taken) && copy(r, &now) && now.depth > 0)
			fn(&now, arg);
}

void
activity_text(const struct activity *a, char *out, size_t size)
{
	uint32_t kept = a->depth < ACTIVITY_STEPS ? a->depth : ACTIVITY_STEPS;
	size_t len = 0;

	*out = '\0';
	for (uint32_t i = kept; i > 0 && len < size; i--) {
		const struct activity_step *step = &a->step[i - 1];
		int n = snprintf(out + len, size - len, "%s%s%s%s%s%s", i < kept ? ", in " : "",
		    step->kind, *step->name != '\0' ? " " : "", step->name,
		    *step->module != '\0' ? " of module " : "", step->module);

		if (n > 0)
			len += (size_t)n;
	}
}
