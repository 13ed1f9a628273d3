/*
 * op.h - ops: the operations of a module, and how one runs another. They are rows of the table
 * `ops` of the descriptor (module.h). A zero in a member means the behaviour from before the member
 * existed.
 */
#ifndef STET_OP_H
#define STET_OP_H

#include <stet/call.h>
#include <stet/shape.h>

typedef enum stet_status stet_handler(struct stet_call *);

/*
 * The lane: where a handler runs.
 *
 * STET_READ: on a worker thread, or a reader thread if it takes long, in one read transaction.
 *
 * STET_WRITE: on the site's writer thread, in a savepoint of a transaction that several calls
 * share. It can be run again, so it must have no effect outside of the database.
 *
 * STET_SLOW: on a thread of a bounded pool; it may block.
 */
enum stet_lane { STET_READ, STET_WRITE, STET_SLOW };

/* Flags of an op. */
#define STET_TOOL 0x001u /* also an MCP tool of the op's name */
#define STET_PUBLIC \
	0x002u /* anonymous callers are allowed; credentials are still read if there are any */
#define STET_CREATED 0x004u /* answers 201 */
#define STET_DESTRUCTIVE 0x008u /* tool annotation destructiveHint: true */
#define STET_ADDITIVE 0x010u /* tool annotation destructiveHint: false */
#define STET_IDEMPOTENT 0x020u /* tool annotation idempotentHint: true */
#define STET_BODY_OPTIONAL 0x040u /* an empty body reads as {} */
#define STET_SPOOL \
	0x080u /* the body is written to a temporary file while it arrives (stet_parts) */
#define STET_MULTIPART                                                                       \
	0x100u /* multipart/form-data, whose parts are written to temporary files while they \
		  arrive (stet_parts) */
#define STET_STREAM                                                                           \
	0x200u /* in the slow lane stet_write sends while the handler runs; in the read lane, \
		  whenever the handler parks the request (stet_wait) */
#define STET_OUT_LIST 0x400u /* the result is an array of `out` */
#define STET_AT_ROOT 0x800u /* the route is absolute, not below /_cms/api */
#define STET_SECRET                                                                 \
	0x1000u /* the reply contains a secret: it is never stored, not even for an \
		   Idempotency-Key */
#define STET_RAW 0x2000u /* the body is not parsed as arguments: stet_body returns its bytes */
#define STET_ANY_SCOPE \
	0x4000u /* a token needs no scope for it: the ops that it invokes require theirs */
#define STET_ANONYMOUS                                                                             \
	0x8000u /* a read that anonymous callers may also call; the handler then checks further (a \
		   signed link). Other callers need the permission and the scope */
#define STET_UNTOLD                                                                           \
	0x10000u /* its writes are bookkeeping: the hook op_written is not called, so nothing \
		    records them */
#define STET_BLOCKS                                                                             \
	0x20000u /* the result is {"content": [...]}, blocks of the tool protocol (text, image, \
		    audio, resource), which the tool server passes on unchanged */

#define STET_FILE 0x80000u /* a GET whose response is a file (stet_reply_file) */

#define STET_COSTLY \
	0x40000u /* has a rate limit of its own for costly ops, like all ops of the slow lane */
#define STET_ANY_QUERY                                                                           \
	0x200000u /* unknown query parameters are ignored, as some standards require. Other ops  \
		     refuse them by name, unless they begin with "_" or "utm_". STET_AT_ROOT and \
		     STET_FILE imply this flag */
#define STET_FOR_ALL                                                                               \
	0x100000u /* with STET_PUBLIC: the reply is the same for everybody. Credentials are not    \
		     read, so a request with an expired token, which browsers and proxies send, is \
		     answered too */
#define STET_BATCH                                                                         \
	0x400000u /* its argument `calls` is a list of {op, arguments}, which it runs with \
		     stet_invoke_alone: rate limits count each */

#define STET_RECENT                                                                              \
	0x800000u /* a caller with a session must have signed in within the last ten minutes, or \
		     gets 403 REAUTH_REQUIRED. Tokens are exempt */
#define STET_FORM                                                                                \
	0x1000000u /* pages of this site post HTML forms to it, which cannot send the header     \
		      X-CMS-Request: the handler checks a token in the form instead (stet_mac of \
		      the session, see form.h). Requests that a browser says come from another   \
		      site are refused all the same */
#define STET_ANY_ORIGIN                                                                     \
	0x2000000u /* pages of any origin may call it and read the reply                    \
		      (Access-Control-Allow-Origin: *), without cookies. For standards that \
		      programs in browsers speak, such as OAuth's token endpoint */

#define STET_CREATED_OR_FOUND \
	0x4000000u /* answers 201 if the handler calls stet_created, otherwise 200 */

#define STET_DATA_ONLY                                                                           \
	0x8000000u /* the envelope of its replies has no member `success`; that of errors has it \
		    */

#define STET_OR_JSON                                                                            \
	0x10000000u /* with STET_MULTIPART: a JSON body is accepted too, and read as arguments; \
		       then there are no parts */

#define STET_RERUN                                                                           \
	0x20000000u /* it returns the failure of an op that it invokes at once, and may then \
		       run again from its beginning: so that op may leave the read lane      \
		       (stet_slow_lane) */

/* 0x40000000u is never used again: it was STET_MENDS, and rows that have it are read as if `more`
 * had STET_MORE_MENDS. One bit is left. */

/* More flags of an op, in its member `more`. */
#define STET_MORE_MENDS                                                                    \
	0x1ull /* an op of the write lane that may end what keeps the site from writing, a \
		  migration that failed: then a request of it runs in the slow lane        \
		  (stet_writing tells), instead of being refused */
#define STET_MORE_DRAFTS                                                                    \
	0x2ull /* a token with content:draft alone may call it: it changes nothing that the \
		  public sees, or refuses that itself (stet_drafts_only) */
#define STET_MORE_COLLECTIONS                                                          \
	0x4ull /* a token for some collections may call it although it has no argument \
		  `collection`: it asks stet_covers for each */

/* An op: one operation of the module. This row is the source of the REST route, the MCP tool
 * with its schemas, the OpenAPI operation, `stet call`, the audit label, the metric, and a row
 * of the authorization test. A plugin's route is mounted below /plugins/<id>; its tool is called
 * <id>__<name>. */
struct stet_op {
	const char *name; /* "menu_get": unique in the module, [a-z][a-z0-9_]*, at most 64 bytes
			     with its prefix */
	const char *title; /* "Get Menu with Items" */
	const char *about; /* for people and assistants: what it does and when to use it */
	const char *route; /* "GET /menus/:name"; NULL: no REST route */
	uint32_t flags;
	enum stet_lane lane;
	const char *permission; /* NULL: any caller who is signed in */
	const char *scope; /* the scope that a token needs; NULL: none with STET_PUBLIC, otherwise
			      "admin" */
	const struct stet_member *in, *out;
	stet_handler *run;
	enum stet_status
	    error; /* the error that clients see if the handler returns a fault; STET_OK:
		      INTERNAL_ERROR. For a status of the module's own use `fault` */
	uint64_t body_max; /* bytes; 0: 10 MiB */
	/*
	 * For an op that speaks a protocol of its own (the tool server). Neither function may
	 * use the database.
	 *
	 * `choose` selects the lane once the arguments and the body are read; NULL: `lane`. It
	 * is also asked if stet_invoke runs the op, unless the op is STET_RAW.
	 *
	 * `refuse` writes the reply of a call that failed or was refused before the handler ran;
	 * stet_error_status and others say why. If it sets no stet_reply_type, the client gets
	 * the envelope, with the headers that `refuse` added. It is not called if stet_invoke
	 * runs the op.
	 */
	enum stet_lane (*choose)(struct stet_call *);
	void (*refuse)(struct stet_call *);
	/* The content types of replies that are not the envelope (stet_reply_type), space
	 * separated, for the description of the op; NULL: none. If `out` is NULL, the op has no
	 * other reply. */
	const char *answers;
	/* Workers may cache the reply of this read, and use it until something changes. Set it
	 * only if the reply depends on nothing but the database, the arguments, the enabled
	 * modules, the configuration, and values that the handler reads from its call: not on
	 * random numbers, files, or state of the module that is not a copy of the database. A
	 * reply is not cached if its handler has read the time, the client's address, a header or
	 * an id. */
	bool cached;
	/* Instead of `error`: the name of the status that clients see if the handler returns a
	 * fault; an enabled module must bring it ("GUEST_LIST_ERROR"). NULL: `error`. */
	const char *fault;
	/* Instead of body_max: returns the largest size of a body in bytes, for example from the
	 * module's settings. Called before the body is read; it may not use the database. NULL:
	 * body_max. */
	uint64_t (*body_most)(struct stet_call *);
	/* For a read: decides whether a caller without credentials may call it too. It is asked
	 * before the arguments are read; stet_route_arg has those of the path. The handler then
	 * shows only what everybody may see, and its replies may be kept by caches in front of the
	 * site (stet_surrogate). stet_public_read is such a function: true if public-read of the
	 * site names the module. Delivery tokens may call it in any case; such replies are private.
	 * NULL: credentials are needed, unless a flag says otherwise. */
	bool (*open)(struct stet_call *);
	uint64_t more; /* STET_MORE_* */
	/* Further words, space separated, by which an assistant finds the tool (tools_search):
	 * those of an editor, that name, title and description lack. NULL: none. */
	const char *find;
	/* New fields go here, and nowhere else. */
};

/* An op of an enabled module as it is available on this site. */
struct stet_op_info {
	const char *name; /* with the prefix, if it is a plugin's */
	const char *module;
	const struct stet_op *op; /* of the caller's member sizes, zero-extended */
	bool bundled;
	int role; /* the lowest role that may call it; 0: any that is signed in, or STET_PUBLIC */
	const char
	    *route; /* as it is mounted: "GET /_cms/api/menus/:name"; NULL: it has no route */
	bool csrf; /* its route requires the header X-CMS-Request: 1 from every caller (cross-site
		      request forgery) */
	/* New fields go here, and nowhere else. */
};
/* All ops by name. Returns their number; *out is an array of that many pointers, which lives as
 * long as the call. */
static inline size_t stet_ops(struct stet_call *, const struct stet_op_info *const **out);
/* Returns true if the role and the scopes of this call's principal allow the op. `scope` NULL:
 * the scope of its route. */
STET_API bool stet_op_open(struct stet_call *, const struct stet_op_info *, const char *scope);

/* ---- ops inside ops ---- */

/* Runs another op of this site inside this call (for the tool server, commands, batches).
 * Validates the arguments against the op's shape; checks scope and permission of this call's
 * principal. The op's lane must be this call's lane or STET_READ. On STET_OK, *out is the
 * result, owned by the call. The op of another plugin requires the scope mcp:tools:<plugin>
 * instead of its route's scope. */
STET_API STET_MUST enum stet_status stet_invoke(
    struct stet_call *, const char *op, const json_t *args, const char **out, size_t *len);
/* Like stet_invoke, with the result as JSON, owned by the call. Takes the reference of `args`; *out
 * is NULL on failure. */
STET_API STET_MUST enum stet_status stet_invoke_json(
    struct stet_call *, const char *op, json_t *args, json_t **out);
/* Like stet_invoke_json, of an op that reads something: *out is NULL if it answers that there is no
 * such thing, which is no failure then. */
STET_API STET_MUST enum stet_status stet_invoke_found(
    struct stet_call *, const char *op, json_t *args, json_t **out);
/* Like stet_invoke_alone, of an op whose result is not read: it may have 32 MiB. Takes the
 * reference of `args`. */
STET_API STET_MUST enum stet_status stet_invoke_unread(
    struct stet_call *, const char *op, json_t *args);
/* The lane in which the op runs with these arguments; STET_READ if it would refuse them. */
STET_API enum stet_lane stet_op_lane(
    struct stet_call *, const struct stet_op_info *, const json_t *args);
/* Returns true if the running op was invoked by another op: as a tool. */
STET_API bool stet_nested(struct stet_call *);
/* For a tool server: names the tool that an assistant calls, for records of what it writes, until
 * it is set to NULL. The text must live as long as the call. */
STET_API void stet_tool_set(struct stet_call *, const char *name);
/* The tool that an assistant has called, also within ops that it runs; NULL: this is no call of a
 * tool. */
STET_API const char *stet_tool_name(struct stet_call *);
/*
 * Runs an op of a bundled module, of the read or the write lane, inside this call as if it were
 * a request of its own; for batches. Its route's requirements apply (X-CMS-Request, scope,
 * permission), hooks are called and it is recorded. It does not see what other ops left in the
 * call (stet_call_slot). Rate limits of requests count it if this op is a batch (STET_BATCH), or
 * if it is costly; otherwise it is a part of the request that was counted.
 *
 * If it fails, only its own writes are undone. A result of more than `most` bytes is a failure.
 * Fails with INVALID_INPUT for an op whose request or reply is not JSON, or that waits, returns
 * a secret, or is a batch itself; and with NOT_FOUND for an op that the caller could not reach
 * alone: if this op runs as a tool, one that is not a tool.
 */
STET_API STET_MUST enum stet_status stet_invoke_alone(struct stet_call *, const char *op,
    const json_t *args, size_t most, const char **out, size_t *len);

/* ---- the host's side of stet_ops: it is told the size of a member in the caller's headers ---- */

STET_API size_t stet_ops_sized(
    struct stet_call *, const struct stet_op_info *const **, size_t member);

static inline size_t
stet_ops(struct stet_call *call, const struct stet_op_info *const **out)
{
	return stet_ops_sized(call, out, sizeof(struct stet_member));
}

#endif
