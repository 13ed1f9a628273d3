/*
 * call.h - struct stet_call, from the head of a request to its reply.
 *
 * One call is one request, one tool call, one command or one job. It owns an arena; arguments,
 * strings, reply and error are freed with it. Only one thread uses it at a time: it moves from its
 * worker to a slow thread or to the writer and back, and the queues between them order these
 * accesses.
 */
#ifndef CORE_CALL_H
#define CORE_CALL_H

#include "base/arena.h"
#include "base/buf.h"
#include "call/caller.h"
#include "call/site.h"
#include "http/http1.h"
#include <stdatomic.h>
#include <stet/check.h>

#define CALL_ID_SIZE 65

struct stet_json {
	struct buf buf;
	int depth;
	bool comma;
	char close[256]; /* the brackets to close; 100 levels may need twice as many */
	struct stet_json *older; /* the list of writers made by stet_json_new */
};

/* An argument, at the index of its member in op->row.in. */
struct call_arg {
	enum { ARG_ABSENT, ARG_NULL, ARG_SET } state;
	const char *s; /* STRING, TIME */
	int64_t i; /* INTEGER, BOOLEAN */
	double r; /* NUMBER */
	json_t *j; /* OBJECT, ARRAY, ANY; owned by the call */
};

#define ISSUES_MAX 100 /* issues that an error lists; more are only counted */

struct call_issue {
	struct call_issue *next;
	const char *path, *message;
};
struct call_pair {
	struct call_pair *next;
	const char *name, *value;
	bool json; /* the value is JSON, not text */
};
struct call_defer {
	struct call_defer *next;
	void (*fn)(void *);
	void *arg;
};
struct call_slot {
	struct call_slot *next;
	const void *key;
	void *value;
};
/* Tokens of a rate limit taken by this call, and how many the current run has used. A handler that
 * runs again uses the tokens of its first run. */
struct call_limit {
	struct call_limit *next;
	uint64_t key;
	int taken, used;
	int mark; /* `used` before the part that may run again */
};
struct call_commit {
	struct call_commit *next;
	void (*fn)(struct stet_call *, void *);
	void *arg;
};

struct stet_tx {
	struct stet_call *call;
	struct db *derived; /* writes the database of derived data; NULL: that of the site */
};

/* Of a call that acts for something that only one daemon may do at a time (work/lease.c). */
struct call_guard {
	bool (*held)(struct stet_call *); /* this daemon does it, as far as it knows */
	/* Fails unless it does. For the write of the call, in its transaction. */
	enum stet_status (*check)(struct stet_call *);
};

struct call_surrogates;
struct file;
struct pending;
struct timing;

/* What the handler of a cacheable call has read that may differ between callers: the user, or
 * something else, such as the time, the address or a header. */
#define ASKED_USER 1U
#define ASKED_ELSE 2U

/* The ends of the call's lists and of its arena at one moment (call_mark). */
struct call_mark {
	struct call_defer *defers;
	struct arena_block *head;
	size_t used;
	struct call_slot *slots; /* these lists are allocated in the arena */
	struct call_limit *limits;
	struct stet_json *texts;
	size_t trees;
};

/* Memory of a call whose response goes to a client (held.h): the client, the bytes counted, and
 * memory other than the call's `arena`, `out` and `reply`. op/ and net/ ask for the client. */
struct call_held {
	bool counts;
	struct caller caller;
	size_t bytes;
	size_t aside; /* replies of outer ops while an inner op runs */
	size_t trees; /* estimated memory of JSON that the call has parsed */
	struct stet_json *texts; /* the newest writer made by stet_json_new */
};

/* Generations of a call that writes (adopt.h): those that it had before, with a reference each.
 * `untried`: while the call has enabled a module and has not committed, the generation before
 * that. */
struct call_adopted {
	struct generation **former, *untried;
	size_t former_count;
	bool trying; /* see `untried`; db/writer.c clears it after the commit */
	struct pending *pending; /* states of modules that are not committed (site/enabling.c) */
};

/* Receives the findings of a check (stet_finding). */
struct call_findings {
	void (*take)(struct call_findings *, enum stet_grade, const char *advice, const char *text);
	unsigned count;
};

/* The members that call/ owns, and those that several rooms (directories of core/) read or write.
 * Rooms after call/ keep further members in parts of their own (call/part.h): db_part, op_part. */
struct stet_call {
	/* Memory and lists that end with the call. */
	struct arena arena;
	struct call_defer *defers;
	struct call_slot *slots;
	struct call_held held;

	/* The call itself. */
	char id[CALL_ID_SIZE]; /* of the request: sent by the client, or a ULID */
	struct site *site;
	struct generation *gen; /* holds a reference */
	struct call_adopted adopted;
	struct stet_principal principal;
	bool has_principal;
	struct call_limit *limits; /* tokens that the call has taken (op/limit.c) */
	struct call_findings *findings; /* NULL: the call is not a check */

	/* The op. Set by op/, and by all who start a call. */
	const struct op *op;
	const struct loaded *owner; /* the module whose code is running */
	enum stet_lane lane; /* the lane in which the handler runs */
	bool nested; /* runs an op inside another op (stet_invoke) */
	bool waited; /* net/wait.c has parked it, or keeps something for its next run */

	/* The request. */
	struct http1_head *head; /* NULL for tools, commands and jobs */
	const char *client; /* address of the client as text; "" if there is none */
	struct call_arg *args; /* op->in_count elements */
	const char *body; /* of an op with STET_RAW: the body as it was sent */
	size_t body_len;
	struct stet_part *parts; /* of a body that net/spool.c has written to files */
	size_t part_count;

	/* A write. Set by db/batch.c and by work/beforecommit.c. */
	struct stet_tx tx;
	bool writing; /* true in the write lane */
	int64_t floor; /* no earlier time is written (db_floor) */
	const struct call_guard *guard; /* NULL: none; `lease` is what it is about */
	const char *lease;
	struct call_commit
	    *on_commit; /* circular list: points to the last, whose next is the first */

	/* The outcome. Each of these is saved, cleared and restored as a whole when op/ runs an op
	 * inside another. */
	struct call_error {
		enum stet_status status;
		const char *field, *text;
		struct call_issue *issues, **issues_tail;
		unsigned issue_count; /* including issues that are not listed (stet_issue) */
		struct call_pair *details;
	} error;
	struct stet_json out;
	struct call_reply {
		const char *etag, *type;
		int status; /* HTTP status of a reply with a type; 0: 200 */
		uint64_t mixed[2]; /* hash of stet_etag_mix; 0: not used */
		struct call_pair *headers;
		struct buf raw; /* bytes of stet_write */
		struct file *file; /* op/file.c: stet_reply_file */
		bool streaming; /* the head was sent */
		bool created; /* stet_created */
		struct call_surrogates *surrogates; /* op/open.c; NULL: none */
		bool named; /* op/open.c: Surrogate-Key was added */
	} reply;
	unsigned asked; /* ASKED_*; whether the response may be cached (op/answer.h) */
	/* Set by net/stream.c for STET_STREAM: sends bytes from the slow lane. Blocks; returns
	 * false if the client has closed the connection. */
	bool (*stream)(struct stet_call *, const void *, size_t);

	/* Time. */
	struct timing *timing; /* NULL: the call is not timed */
	int64_t begun; /* clock_monotonic_us */
	int64_t deadline; /* clock_monotonic; 0: none */
	/* A reader thread has the call. Set by the worker (op/dispatch.c) before the call leaves,
	 * cleared by it after the call has returned. db/ asks for both while a statement runs. */
	bool away;
	atomic_bool gone; /* set by the worker (net/conn.c): the client is gone */
};

/* Returns true if a call of the read lane may end at once, since its client is gone. Other calls
 * run to their end. */
static inline bool
call_abandoned(const struct stet_call *call)
{
	return call->away && atomic_load_explicit(&call->gone, memory_order_relaxed);
}

/* Returns true if the call must not act any more: another daemon does that now. */
static inline bool
call_replaced(struct stet_call *call)
{
	return call->guard != NULL && !call->guard->held(call);
}

/* call_new makes a call without a site. call_enter gives it a site, with a reference to its current
 * generation. End it with call_free. */
struct stet_call *call_new(void);
void call_enter(struct stet_call *, struct site *);
/* Makes a call of the site itself, with all rights and without a caller, in this generation. */
struct stet_call *call_own(struct site *, struct generation *);
/* Takes the request's id from X-Request-Id, if that is valid. */
void call_identify(struct stet_call *);
void call_free(struct stet_call *);
/* Prepares the call to run again or to run another op: clears error and reply, keeps arena and
 * arguments. */
void call_rewind(struct stet_call *);
/* Marks the start of a part that may run again; call_limits_rewind returns to the mark, so that
 * the next run uses the same tokens of rate limits. */
void call_limits_mark(struct stet_call *);
void call_limits_rewind(struct stet_call *);

/* Frees what the call has allocated since the mark. */
struct call_mark call_mark(const struct stet_call *);
void call_release(struct stet_call *, const struct call_mark *);

/* Registers fn to run after the commit of this call's write, on the writer's thread. Dropped on
 * rollback. */
void call_on_commit(struct stet_call *, void (*fn)(struct stet_call *, void *), void *arg);
/* Runs the functions of call_on_commit. */
void call_committed(struct stet_call *);

#endif
