/* call.h - the core's own view of a call, from the head of a request to the reply. */
#ifndef CORE_CALL_H
#define CORE_CALL_H

#include "base/arena.h"
#include "base/buf.h"
#include "call/job.h"
#include "call/site.h"
#include "call/stamp.h"
#include "http/http1.h"

#define CALL_ID_SIZE 65

struct stet_json {
	struct buf buf;
	int depth;
	bool comma;
	char close[256]; /* a tree of 100 levels nests twice as deep */
};

/* An argument, at the index of its member in op->row.in. */
struct call_arg {
	enum { ARG_ABSENT, ARG_NULL, ARG_SET } state;
	const char *s; /* STRING, TIME */
	int64_t i; /* INTEGER, BOOLEAN */
	double r; /* NUMBER */
	json_t *j; /* OBJECT, ARRAY, ANY; owned by the call */
};

#define ISSUES_MAX 100 /* problems that an error lists */

struct call_issue {
	struct call_issue *next;
	const char *path, *message;
};
struct call_pair {
	struct call_pair *next;
	const char *name, *value;
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
/* Tokens of a rate limit that this call has taken, and how many of them the run at hand has asked
 * for: a handler that runs again takes no second ones. */
struct call_limit {
	struct call_limit *next;
	uint64_t key;
	int taken, used;
	int mark; /* used before the part that may run again */
};
struct call_commit {
	struct call_commit *next;
	void (*fn)(struct stet_call *, void *);
	void *arg;
};

struct stet_tx {
	struct stet_call *call;
};

struct answer;
struct file;
struct packed;
struct timing;

/* What a handler asks its call for that other calls would be told otherwise: who it is, beyond role
 * and scopes; the time, the address, a header and the like. */
#define ASKED_USER 1U
#define ASKED_ELSE 2U

/* What a call has allocated, tied and deferred so far. */
struct call_mark {
	struct call_defer *defers;
	struct arena_block *head;
	size_t used;
	struct call_slot *slots; /* lists in that memory */
	struct call_limit *limits;
};

/* The state of a module that the call enables: the site's, once that is committed (enabled.c). */
struct pending {
	struct stet_call *call;
	struct pending *next; /* of the call */
	const struct loaded *module;
	void *state;
	bool installed;
};

struct stet_call {
	struct arena arena;
	struct call_defer *defers;
	struct site *site;
	struct generation *gen; /* holds a reference */
	/* adopt.c: the generations it had before, each with a reference; and, while a write of this
	 * call has enabled a module that is not committed, the last that it had before that. */
	struct generation **former, *untried;
	size_t former_count;
	bool trying;
	struct pending *pending; /* enabled.c: states of modules that are not committed */
	const struct op *op;
	const struct loaded *owner; /* the module whose code is running */
	enum stet_lane lane; /* in which the handler runs */
	char id[CALL_ID_SIZE]; /* of the request: the client's own, or a ULID */

	struct http1_head *head; /* NULL for tools run inside, commands, jobs */
	struct router_match match;
	const char *client; /* its address, as text; "" when there is none */
	struct call_limit *limits; /* limit.c: what it has taken */

	struct {
		enum stet_status status;
		const char *field, *text;
		struct call_issue *issues, **issues_tail;
		unsigned issue_count; /* those that are not listed, too (stet_issue) */
		struct call_pair *details;
	} error;

	struct call_arg *args; /* op->in_count of them */
	const char *body; /* of an op with STET_RAW */
	size_t body_len;
	struct stet_part *parts;
	size_t part_count;
	struct stet_principal principal;
	bool has_principal;

	struct db *db; /* the connection of the lane it runs in; NULL: not yet */
	struct stmt *open; /* statements this call has open (stmt.h) */
	struct stet_tx tx;
	bool writing; /* inside the write lane */
	bool told; /* of the slow lane: op_written knows that it writes */
	int64_t changes;
	struct call_commit *on_commit; /* the last; behind it comes the first */
	struct call_slot *slots;

	struct stet_json out;
	struct call_reply {
		const char *etag, *type;
		int status; /* of a reply with a type; 0: 200 */
		uint64_t mixed[2]; /* stet_etag_mix; 0: nothing was */
		struct call_pair *headers;
		struct buf raw; /* stet_write */
		struct file *file; /* stet_reply_file */
		bool streaming; /* the head is out */
	} reply;

	/* Of a read whose answer may be kept (answer.c): by what it is found, what the handler has
	 * asked for, which state of the database it has seen; and the answer that was found. */
	const char *key; /* NULL: it is not kept */
	size_t key_len;
	uint64_t key_hash;
	unsigned asked; /* ASKED_* */
	enum { SEEN_NONE, SEEN_ONE, SEEN_MORE } seen;
	struct stamp stamp;
	struct answer *answer;
	struct packed *packed; /* send.c: its body, compressed elsewhere */

	struct timing *timing; /* NULL: nobody asks */
	int64_t begun; /* clock_monotonic_us */
	int64_t deadline; /* clock_monotonic; 0: none */

	struct wait *wait; /* wait.c; NULL: it never asked */
	void (*wait_free)(struct stet_call *); /* beside it */
	bool waits; /* the run at hand has asked for another one (stet_wait) */
	bool nested; /* running an op inside another (stet_invoke) */
	size_t room; /* bytes that the result of such an op may have (stet_invoke_alone) */

	struct router_match *precondition; /* the GET whose tag If-Match names; NULL: none */
	struct idempotency *idempotency; /* of a request with a key; NULL: it has none */
	struct write_job job;
	/* The caller's: what to do when the call is done, and with what. */
	void (*done)(struct stet_call *);
	/* Set by conn.c for STET_STREAM: take bytes from the slow lane (blocks), false when the
	 * client is gone. */
	bool (*stream)(struct stet_call *, const void *, size_t);
	void *io;
	/* Where `done` runs, and how to have fn(call) run there; NULL: on the thread that ran the
	 * call. */
	struct worker *worker;
	void (*post)(struct worker *, void (*fn)(void *), void *arg);
};

/* A call of this site, holding its current generation. site may be NULL until call_enter. */
struct stet_call *call_new(void);
void call_enter(struct stet_call *, struct site *);
/* Go by the id that the request says it has (X-Request-Id), if that is one. */
void call_identify(struct stet_call *);
void call_free(struct stet_call *);
/* Become a call of another op or run again: forget error and reply, keep arena and arguments. */
void call_rewind(struct stet_call *);
/* What follows may run again: it asks for its tokens anew then. */
void call_limits_mark(struct stet_call *);
void call_limits_rewind(struct stet_call *);

/* Let go of what the call has allocated since then. */
struct call_mark call_mark(const struct stet_call *);
void call_release(struct stet_call *, const struct call_mark *);

/* Where this job's call may leave work for the time after its commit; forgotten on rollback. */
void call_on_commit(struct stet_call *, void (*fn)(struct stet_call *, void *), void *arg);

#endif
