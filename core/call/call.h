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

/* FORBIDDEN: the role that is needed (for `what`, "": the op), and the one that the caller has. */
enum stet_status principal_refuse(struct stet_call *, int role, const char *what);

/* The steps of a request, each STET_OK or with the error recorded. */
enum stet_status call_route(struct stet_call *); /* head -> op; NOT_FOUND, METHOD_NOT_ALLOWED */
enum stet_status call_admit(struct stet_call *); /* authenticate, CSRF header, scope, permission */
/* Arguments from path, query and a JSON body (len 0: none), or from one object. */
enum stet_status call_args_http(struct stet_call *, const char *body, size_t len);
enum stet_status call_args_json(struct stet_call *, const json_t *args);
/* The gate of an op, for what runs inside a call as well: is somebody known, where the op wants
 * that; do scope and role suffice (scope first); is X-CMS-Request there, where the route wants it?
 */
enum stet_status call_known(struct stet_call *, const struct op *);
enum stet_status call_rights(struct stet_call *, const struct op *, const char *scope);
enum stet_status call_csrf(struct stet_call *, const struct op *);
/* Run the handler of call->op, in this thread. */
enum stet_status call_handle(struct stet_call *);
/* In the write lane, fn in a savepoint of its own: when it fails, what it wrote is undone, and what
 * it left for after the commit is forgotten. */
enum stet_status call_apart(struct stet_call *, enum stet_status (*fn)(struct stet_call *));
/* Those of a GET with the path and the query of the request. */
enum stet_status call_args_read(struct stet_call *);
/* Run the op in its lane; call->done is called when it is over, at once for the read lane. */
void call_dispatch(struct stet_call *);
/* On its worker: run the handler of a parked call again, once more past the gate; call->done. */
void call_again(struct stet_call *);
/* adopt.c, before the call writes: go on in the site's current generation if that has modules
 * which were enabled since the call began. UNAVAILABLE if others are gone from it. */
enum stet_status call_adopt(struct stet_call *);
/* Go on in a generation that becomes the site's with this call's commit. Takes the reference. */
void call_try(struct stet_call *, struct generation *);
/* The write failed: go back. Does nothing when nothing was tried. */
void call_try_over(struct stet_call *);
void call_former_free(struct stet_call *);
/* Let go of what the call has allocated since then. */
struct call_mark call_mark(const struct stet_call *);
void call_release(struct stet_call *, const struct call_mark *);
/* call_dispatch, waiting: for commands, jobs and tests. */
enum stet_status call_run(struct stet_call *);
/* Code of a plugin runs in it, which may depend on anything: its answer is not kept. */
void call_foreign(struct stet_call *, const struct loaded *);

/* limit.c, on the head: may this request come now? Else RATE_LIMITED. And one whose credentials are
 * none: once more, or not even told so. */
enum stet_status limit_request(struct stet_call *);
enum stet_status limit_failure(struct stet_call *);

/* op_written, for the op that this call runs in the write lane. */
enum stet_status call_written(struct stet_call *);

/* Is the site's write lane open? Records MIGRATION_FAILED otherwise. */
enum stet_status call_writable(struct stet_call *);

/* shape.c: check a value against a member; problems become issues under `path`. */
void shape_check(struct stet_call *, const struct stet_member *, const char *path, const json_t *);
/* The issue of a member that is required and absent, with what it is. */
void shape_missing(struct stet_call *, const struct stet_member *, const char *path);
/* The list's length without its end row. */
int shape_count(const struct stet_member *);

/* A new ULID: 26 characters and a NUL, increasing within the process. */
void id_make(char out[27]);

/* json.c */
void json_free(struct stet_json *);
/* Jansson's parser with our limits: no duplicate keys, depth at most 100. NULL: *why, at *position.
 */
json_t *json_parse(const char *, size_t, const char **why, size_t *position);
/* The same, but texts may hold U+0000: stet_json_check_nul comes before anything that reads them.
 */
json_t *json_parse_nul(const char *, size_t, const char **why, size_t *position);
/* Shortest decimal that reads back as the same double, as JSON; out has room for 32. */
void json_shortest(double, char *out);
/* A value as text without blanks, reals as short as can be; to be freed. */
char *json_text(const json_t *);

/* status.c: what a head is answered that http1_parse refused. */
enum stet_status status_of_head(int http);
/* Where this job's call may leave work for the time after its commit; forgotten on rollback. */
void call_on_commit(struct stet_call *, void (*fn)(struct stet_call *, void *), void *arg);

#endif
