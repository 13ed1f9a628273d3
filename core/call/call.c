/* call.c - creates, reuses and frees calls. */
#include <config.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/adopt.h"
#include "call/call.h"
#include "call/held.h"
#include "call/id.h"
#include "call/json.h"
#include "call/part.h"
#include "call/site.h"
#include "http/http1.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A freed call of this thread, kept with its arena for the next call, so that most requests need
 * no malloc. The key frees it when the thread ends. */
static _Thread_local struct stet_call *spare;
static pthread_key_t spare_key;
static pthread_once_t spare_once = PTHREAD_ONCE_INIT;

static void
spare_free(void *arg)
{
	struct stet_call *call = arg;

	arena_free(&call->arena);
	json_free(&call->out);
	free(call);
	spare = NULL;
}

static void
spare_init(void)
{
	stet_assert(pthread_key_create(&spare_key, spare_free) == 0);
}

#define SPARE_REPLY_MAX ((size_t)256 << 10)
#ifdef __SANITIZE_ADDRESS__ /* AddressSanitizer shall see a call that is used after call_free */
#define SPARE_USED false
#else
#define SPARE_USED true
#endif

/* Keeps a call's memory for the next one. Returns false if there is a spare already or the reply
 * buffer is too large to keep. */
static bool
spare_keep(struct stet_call *call)
{
	struct arena arena = call->arena;
	struct buf buf = call->out.buf;

	if (!SPARE_USED || spare != NULL || buf.cap > SPARE_REPLY_MAX)
		return false;
	arena_reset(&arena);
	buf.len = 0;
	memset(call, 0, call_parts_size());
	call->arena = arena;
	call->out.buf = buf;
	pthread_once(&spare_once, spare_init);
	stet_assert(pthread_setspecific(spare_key, call) == 0);
	spare = call;
	return true;
}

static struct stet_call *
spare_take(void)
{
	struct stet_call *call = spare;

	if (call == NULL)
		return xcalloc(1, call_parts_size());
	spare = NULL;
	pthread_setspecific(spare_key, NULL);
	return call;
}

struct stet_call *
call_new(void)
{
	struct stet_call *call = spare_take();

	call->begun = clock_monotonic_us();
	call->client = "";
	call->tx.call = call;
	id_make(call->id);
	return call;
}

/* A valid id has 1 to 64 letters, digits, ".", "_" and "-": such text is safe in logs, headers
 * and pages. */
void
call_identify(struct stet_call *call)
{
	static const char good[] = "0123456789-_.abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *said = http1_header(call->head, "x-request-id");
	size_t len = said != NULL ? strspn(said, good) : 0;

	if (len > 0 && len < CALL_ID_SIZE && said[len] == '\0')
		memcpy(call->id, said, len + 1);
}

void
call_enter(struct stet_call *call, struct site *site)
{
	stet_assert(call->site == NULL);
	call->site = site;
	call->gen = site_generation(site);
}

struct stet_call *
call_own(struct site *site, struct generation *gen)
{
	struct stet_call *call = call_new();

	call->site = site;
	call->gen = gen;
	atomic_fetch_add(&gen->refs, 1);
	call->principal = (struct stet_principal){
		.id = "", .email = "", .name = "", .role = 50, .via = STET_VIA_SYSTEM
	};
	call->has_principal = true;
	return call;
}

void
call_free(struct stet_call *call)
{
	call_parts_end(call);
	held_shrink(call, 0);
	for (struct call_defer *d = call->defers; d != NULL; d = d->next)
		d->fn(d->arg);
	buf_free(&call->reply.raw);
	adopt_free(call);
	if (call->gen != NULL)
		generation_put(call->gen);
	if (spare_keep(call))
		return;
	json_free(&call->out);
	arena_free(&call->arena);
	free(call);
}

void
call_limits_mark(struct stet_call *call)
{
	for (struct call_limit *l = call->limits; l != NULL; l = l->next)
		l->mark = l->used;
}

void
call_limits_rewind(struct stet_call *call)
{
	for (struct call_limit *l = call->limits; l != NULL; l = l->next)
		l->used = l->mark;
}

void
call_rewind(struct stet_call *call)
{
	memset(&call->error, 0, sizeof(call->error));
	call->out.buf.len = 0;
	call->out.depth = 0;
	call->out.comma = false;
	call->reply.raw.len = 0;
	call->reply.etag = call->reply.type = NULL;
	call->reply.status = 0;
	call->reply.mixed[0] = call->reply.mixed[1] = 0;
	call->reply.headers = NULL;
	call->reply.file = NULL;
	call->reply.surrogates = NULL;
	call->reply.named = false;
	call->on_commit = NULL;
	call_limits_rewind(call);
}

void
call_on_commit(struct stet_call *call, void (*fn)(struct stet_call *, void *), void *arg)
{
	struct call_commit *c = stet_alloc(call, sizeof(*c)), *last = call->on_commit;

	*c = (struct call_commit){ .next = last != NULL ? last->next : c, .fn = fn, .arg = arg };
	if (last != NULL)
		last->next = c;
	call->on_commit = c;
}

/* ---- marks ---- */

struct call_mark
call_mark(const struct stet_call *call)
{
	const struct arena_block *head = call->arena.head;

	return (struct call_mark){ call->defers, call->arena.head, head != NULL ? head->used : 0,
		call->slots, call->limits, call->held.texts, call->held.trees };
}

void
call_release(struct stet_call *call, const struct call_mark *mark)
{
	while (call->defers != mark->defers) {
		struct call_defer *d = call->defers;

		call->defers = d->next;
		d->fn(d->arg);
	}
	arena_cut(&call->arena, mark->head);
	if (mark->head != NULL)
		mark->head->used = mark->used;
	call->slots = mark->slots;
	call->limits = mark->limits;
	call->held.texts = mark->texts;
	call->held.trees = mark->trees;
	held_shrink(call, held_now(call));
}

void
call_committed(struct stet_call *call)
{
	for (struct call_commit *c = call->on_commit; call->on_commit != NULL;) {
		c = c->next;
		c->fn(call, c->arg);
		if (c == call->on_commit)
			call->on_commit = NULL;
	}
}
