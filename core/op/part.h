/* part.h - what op/ keeps with a call. Code that starts a call or ends it (net/) sets some of it.
 */
#ifndef CORE_OP_PART_H
#define CORE_OP_PART_H

#include "base/fair.h"
#include "call/caller.h"
#include "call/job.h"
#include "call/part.h"
#include "http/router.h"
#include <stddef.h>

struct answer;
struct call_slot;
struct idempotency;
struct loop;
struct op;
struct stamp;

struct op_part {
	struct router_match match;
	uint64_t admitted_at; /* commits of the site before the caller was authenticated */
	bool opened; /* the caller is anonymous, and the op is public for it (op->row.open) */
	bool delivered; /* the same for a delivery token, where it is not public: not for caches */
	bool told; /* in the slow lane: op_written was called for its write */
	bool waits; /* this run has asked for another one (stet_wait) */
	bool slower; /* this run may not wait in the read lane: run again in the slow lane */
	struct router_match *precondition; /* the GET whose entity tag If-Match names; NULL: none */
	struct idempotency *idempotency; /* state of the idempotency key; NULL: none */

	/* answer.c: the key and the cached response of a read */
	const char *key; /* NULL: not cached */
	size_t key_len;
	uint64_t key_hash;
	struct answer *answer;

	/* inside.c: the op in which the nested one runs (NULL: deeper, or not nested), whether all
	 * those above it are routes and not tools, and the maximum size in bytes of its result
	 * (stet_invoke_alone) */
	const struct op *outer;
	const char *tool; /* that an assistant has called; NULL: none */
	bool plain;
	size_t room;
	bool tried; /* writes are only tried, so limits of tokens do not count them */

	/* Set by the code that starts the call: called when the call is done. `io` is its data. */
	void (*done)(struct stet_call *);
	void *io;
	/* The loop of the worker on which `done` runs, and the function that queues fn(arg) there.
	 * NULL: `done` runs on the thread that ran the call. */
	struct loop *worker;
	void (*post)(struct loop *, void (*fn)(void *), void *arg);
	int64_t read_timeout; /* ms of SQL in the read lane; 0: until the deadline */

	/* Queues: the client counted as waiting (waiting.h), the job in the write lane; the run of
	 * the call after its wait (turns.h, readpool.h), and the kind of read that it is. */
	struct caller waits_as;
	struct write_job job;
	void (*turn)(struct stet_call *);
	struct fair_item in_turn;
	uint32_t kind, like; /* set by stet_alike; 0: not called */
	int64_t took; /* microseconds spent on a reader thread; -1: it did not run */
	struct call_slot *before; /* call->slots before that run */

	/* far.c: what a reader is to do with the call (enum far_way); it was admitted; its handler
	 * has run; how often it has been repeated; the state of an answer that the worker keeps for
	 * it (NULL: none). Set by the code that starts the call: makes it ready to run, on any
	 * thread; false: it has an error. And what is called on the worker once the call was
	 * admitted but has not run, or was refused. */
	int far;
	bool passed, ran;
	unsigned repeated;
	const struct stamp *kept;
	bool (*prepare)(struct stet_call *);
	void (*admitted)(struct stet_call *);
};

extern struct call_part op_part_id;

static inline struct op_part *
op_part(const struct stet_call *call)
{
	return call_part(call, &op_part_id);
}

/* The call whose in_turn this is. */
static inline struct stet_call *
op_part_queued(struct fair_item *item)
{
	return call_of_part((char *)item - offsetof(struct op_part, in_turn), &op_part_id);
}

#endif
