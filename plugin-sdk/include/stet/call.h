/*
 * call.h - the call: the context of one unit of work. A REST request, a tool call, a command and
 * a job each run as a struct stet_call. It owns the memory, the arguments, the principal (who is
 * asking), the reply and the one error.
 *
 * Only the thread that runs the call may pass it to these functions, and only until the handler
 * returns.
 */
#ifndef STET_CALL_H
#define STET_CALL_H

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/json.h>
#include <stet/shape.h>
#include <stet/sql.h>
#include <stet/status.h>

struct stet_call;

/* ---- memory: freed when the call ends; allocation never returns NULL ---- */

/* Returns zeroed memory, aligned for any type, that lives as long as the call. There is no size
 * limit: limits are enforced where input comes from outside. */
STET_API void *stet_alloc(struct stet_call *, size_t);
STET_API char *stet_strdup(struct stet_call *, const char *); /* NULL stays NULL */
STET_API char *stet_strndup(struct stet_call *, const char *, size_t);
STET_API char *stet_printf(struct stet_call *, const char *, ...) STET_FMT(2, 3);
/* Ends the process with a message. Call it if your own allocation fails (malloc, strdup);
 * stet_alloc and Jansson do so themselves. */
STET_API void stet_out_of_memory(void) __attribute__((noreturn));
/* Registers fn(arg) to run when the call ends, the latest first. */
STET_API void stet_defer(struct stet_call *, void (*fn)(void *), void *arg);
/* Gives the caller's reference of a Jansson value to the call, which releases it when it ends.
 * Returns the value. */
STET_API json_t *stet_json_own(struct stet_call *, json_t *);
/* Parses JSON from outside with the limits of request bodies: depth 100, no duplicate names in
 * an object. Accepts a value of any kind. Returns a value owned by the call, or NULL with the
 * reason in *why. */
STET_API json_t *stet_json_parse(struct stet_call *, const char *, size_t len, const char **why);
/* Parses JSON from a column, which stet has written, without limits. Returns a value owned by the
 * call, or NULL if it is not JSON. */
STET_API json_t *stet_json_stored(struct stet_call *, const char *, size_t len);
/* A member of an object: the position of its name and value in the object's text. */
struct stet_json_member {
	const char *name, *value;
	size_t name_len, value_len;
};
/* Finds the members of a stored JSON object without parsing their values, for values that are only
 * copied (stet_put_raw). Trusts the text like stet_json_stored. Returns the number of members, or
 * -1 if there are more than `max`, if a name has an escape, or if the text is not an object. */
STET_API int stet_json_split(const char *, size_t len, struct stet_json_member *out, int max);
/* Like stet_json_parse, but strings may contain U+0000, which that refuses as invalid JSON.
 * Such a string must not be read as a C string: call stet_json_check_nul first, and refuse the
 * value if it returns false. */
STET_API json_t *stet_json_parse_nul(
    struct stet_call *, const char *, size_t len, const char **why);
/* Records an issue for each string in the value that contains U+0000, with its path below `path`
 * ("" is the value itself). Returns true if there is none. */
STET_API bool stet_json_check_nul(struct stet_call *, const char *path, const json_t *value);

/* ---- errors: the function that finds the error records it; its callers only return the status
 * ---- */

/* Records the error of the call and returns its status, which is not STET_OK. `field` is the
 * argument or field at fault as a path ("data.title"), or NULL. Clients read the text, so it must
 * not contain internals (SQL, paths of files); use stet_fault for those. */
STET_API enum stet_status stet_fail(
    struct stet_call *, enum stet_status, const char *field, const char *fmt, ...) STET_FMT(4, 5);
/*
 * The number of the status of this name, which the calling module or another enabled module
 * brings:
 *
 * return stet_fail(call, stet_code(call, "GUEST_BANNED"), NULL, "%s is banned", name);
 *
 * If no enabled module brings the name, logs that and returns STET_FAULT.
 */
STET_API enum stet_status stet_code(struct stet_call *, const char *name);
/* The statuses that clients can see on this site: those of the core, then those of the enabled
 * modules. Returns their number; *out lives as long as the call. */
STET_API size_t stet_codes(struct stet_call *, const struct stet_status_def *const **);
/* Adds a member to the `details` of the recorded error. */
STET_API void stet_detail(struct stet_call *, const char *key, const char *value);
/* Adds a member with any JSON value. */
STET_API void stet_detail_json(struct stet_call *, const char *key, const json_t *value);
/* Records a validation problem. stet_issues returns STET_OK if none was recorded, otherwise
 * STET_VALIDATION_ERROR with all of them in details.issues. Only the first 100 are listed, then
 * one that says there are more; a path or a message is cut after 1,000 bytes. */
STET_API void stet_issue(struct stet_call *, const char *path, const char *fmt, ...) STET_FMT(3, 4);
STET_API STET_MUST enum stet_status stet_issues(struct stet_call *);
/* Logs an internal failure in full with the call's id, and returns STET_FAULT. The client sees
 * only the error code that the op declares for faults. */
STET_API enum stet_status stet_fault(struct stet_call *, const char *fmt, ...) STET_FMT(2, 3);

/* The recorded error as one line, "VALIDATION_ERROR: data.title: is required"; "" if there is
 * none. */
STET_API char *stet_error_text(struct stet_call *);
/* The status of the recorded error as clients see it: a fault has the op's own code. STET_OK if
 * there is none. */
STET_API enum stet_status stet_error_status(struct stet_call *);
/* Writes the members code, message and details of the recorded error into the open object. */
STET_API void stet_put_error(struct stet_call *, struct stet_json *);
/* The recorded error as an object with these members, owned by the call. The error stays recorded.
 * Only after a failure. */
STET_API json_t *stet_error_json(struct stet_call *);
/* Marks the recorded error as about a part of the request: prefixes its text with `what`, and its
 * field and the paths of its issues with `path`. */
STET_API void stet_error_within(struct stet_call *, const char *what, const char *path);
/* Forgets the recorded error, so that the call can continue. Does not roll back what was
 * written. */
STET_API void stet_error_clear(struct stet_call *);
/* Runs fn(call, arg) as an inner scope, for long runs of many small steps (an import of a
 * million lines must not fill the memory). When fn returns, its memory is freed, its deferred
 * functions run, its open rows and those of the call are ended, and so is a read transaction. Its
 * error stays, reduced to one text. Its changes to the reply (stet_header, stet_etag, the first
 * stet_write) stay too; after such a change its memory is kept until the call ends. In the write
 * lane fn must not request work for after the commit (stet_notify, stet_job_wake). */
STET_API STET_MUST enum stet_status stet_scope(
    struct stet_call *, enum stet_status (*fn)(struct stet_call *, void *), void *arg);

/* ---- arguments: from path, query and body, already validated against the op's `in` ---- */

/* Returns true if the argument is in the request (null counts) or has a fallback. */
STET_API bool stet_has(struct stet_call *, const char *name);
STET_API const char *stet_arg(struct stet_call *, const char *name); /* NULL when absent or null */
/* Returns true if the request has the argument with the value null. A number or boolean then reads
 * as 0. */
STET_API bool stet_arg_null(struct stet_call *, const char *name);
STET_API int64_t stet_arg_int(struct stet_call *, const char *name); /* 0 when absent */
STET_API double stet_arg_real(struct stet_call *, const char *name);
STET_API bool stet_arg_bool(struct stet_call *, const char *name);
/* The value of an argument of type object, array or STET_ANY; NULL when absent. Borrowed; the
 * caller must not change it. */
STET_API const json_t *stet_arg_json(struct stet_call *, const char *name);
/* A request header by its lower-case name, or NULL. Tool calls and commands have none. */
STET_API const char *stet_request_header(struct stet_call *, const char *name);
/* The method of the request, "GET"; NULL for tool calls and commands. HEAD runs the op of GET: an
 * op that writes must then write nothing. */
STET_API const char *stet_request_method(struct stet_call *);
/* The credentials after "Bearer" in the header Authorization, for hooks at request_authenticate;
 * NULL if the request has no such header. */
STET_API const char *stet_request_bearer(struct stet_call *);
/* The query of the request as it was sent, without the "?"; "" if there is none, and for tool
 * calls and commands. For protocols that treat repeated parameters specially: stet_form decodes it.
 */
STET_API const char *stet_request_query(struct stet_call *);

/* The value of a cookie as the client sent it, owned by the call. NULL if there is no cookie of
 * this name, or several: one of them may then come from another host of the domain. */
STET_API const char *stet_request_cookie(struct stet_call *, const char *name);

/* A part of a body that is written to temporary files because it may not fit in memory (ops with
 * STET_SPOOL or STET_MULTIPART). */
struct stet_part {
	const char *name; /* of the form field; "" for a STET_SPOOL body */
	const char
	    *filename; /* as the client sent it, so do not trust it; NULL for a plain field */
	const char *type; /* content type as the client sent it, or NULL */
	const char *value; /* a plain field's text, or NULL when it is in a file */
	const char *path; /* the temporary file, removed when the call ends, or NULL */
	uint64_t size;
	/* New fields go here, and nowhere else. */
};
/* Returns the number of parts; *out is an array of that many pointers. */
STET_API size_t stet_parts(struct stet_call *, const struct stet_part *const **out);
/* The body of an op with STET_RAW, or NULL if there is none. Lives as long as the call; a NUL
 * byte follows it. */
STET_API const char *stet_body(struct stet_call *, size_t *len);

/* ---- the principal: who is asking ---- */

enum stet_via { STET_VIA_TOKEN, STET_VIA_SESSION, STET_VIA_COMMAND, STET_VIA_SYSTEM };

struct stet_principal {
	const char *id; /* user id; "" for commands and jobs */
	const char *email, *name;
	int role; /* 10 Subscriber, 20 Contributor, 30 Author, 40 Editor, 50 Admin */
	enum stet_via via;
	const char *token_id;
	const char *scopes; /* space separated; NULL: not limited by scopes */
	const char *session_id; /* NULL: not a session */
	int64_t signed_in_at; /* of a session: when its user signed in, ms since the epoch */
	const char *client; /* of a token: its name, or that of the client it was granted to */
	/* New fields go here, and nowhere else. */
};
/* NULL for an anonymous caller. */
STET_API const struct stet_principal *stet_principal(struct stet_call *);
/* Sets the principal; for the hook request_authenticate. The structure is copied. NULL: the caller
 * is anonymous. */
static inline void stet_principal_set(struct stet_call *, const struct stet_principal *);
/* Runs a function as the system, which has all rights, and returns what it returns. The caller is
 * restored, and the function neither sees nor leaves slots of the call (stet_call_slot): they may
 * hold what was decided for somebody. What it reads is not for the caller, who may have fewer
 * rights. */
STET_API STET_MUST enum stet_status stet_as_system(
    struct stet_call *, enum stet_status (*fn)(struct stet_call *, void *), void *arg);
/* Returns true if the role of the principal has this permission. If no enabled module declares
 * the permission, nobody has it, and that is logged. */
STET_API bool stet_may(struct stet_call *, const char *permission);
/* Returns true if this role has the permission. For deferred actions, which check the role that
 * their user has when they run. */
STET_API bool stet_role_may(struct stet_call *, int role, const char *permission);
/* Like stet_may, but fails with FORBIDDEN. */
STET_API STET_MUST enum stet_status stet_require(struct stet_call *, const char *permission);
/* Requires permission `own` if the principal is the owner, otherwise permission `any`. A record
 * without an owner (NULL) belongs to nobody. */
STET_API STET_MUST enum stet_status stet_require_owned(
    struct stet_call *, const char *own, const char *any, const char *owner);
/* Scopes of tokens that the core itself asks for: to write; the part of it that changes nothing
 * public; and, with a slug after it, to reach that collection and others listed alone. */
#define STET_SCOPE_WRITE "content:write"
#define STET_SCOPE_DRAFT "content:draft"
#define STET_SCOPE_COLLECTION "collection:"
/* The argument of an op that names the collection that it is about. */
#define STET_ARG_COLLECTION "collection"
/* Returns true if these scopes (space separated; NULL: unlimited) include `scope`. */
STET_API bool stet_scope_allows(const char *scopes, const char *scope);
/* Returns true if the caller may write drafts only: its token has the scope content:draft, and not
 * content:write. What changes the public is then refused (stet_refuse_public). */
STET_API bool stet_drafts_only(struct stet_call *);
/* Fails with PUBLISH_NEEDS_APPROVAL. */
STET_API enum stet_status stet_refuse_public(struct stet_call *);
/* Returns true unless the caller's token is limited to other collections: among its scopes are
 * collection:<slug> then. */
STET_API bool stet_covers(struct stet_call *, const char *collection);
/* The address of the client as text; "" for commands and jobs. */
STET_API const char *stet_client(struct stet_call *);
/* Takes one token of a rate limit with `count` tokens, one of which is refilled each
 * seconds / count. Fails with RATE_LIMITED and a Retry-After header if no token is left. `what`
 * names the limit, which all modules share. `who` names an account; NULL: the client's address,
 * where an IPv6 network of 64 bits counts as one address. For handlers; a handler that runs again
 * after stet_wait takes a token only once. Commands and jobs are not limited. If several daemons
 * serve the site, limits with a count of at most 60 hold for all of them together; others are
 * divided by the number of daemons. */
STET_API STET_MUST enum stet_status stet_limit(
    struct stet_call *, const char *what, const char *who, int count, int seconds);

/* For an op that is costly for some arguments only: takes a token of the rate limit that ops with
 * STET_COSTLY (op.h) have, for the same caller. Fails with RATE_LIMITED and a Retry-After
 * header if none is left. */
STET_API STET_MUST enum stet_status stet_costly(struct stet_call *);

/* For a handler in the read lane that discovers that it must read a lot, which would block its
 * worker. Fails with UNAVAILABLE, which the handler must return at once; the core then runs the
 * handler again from its beginning in the slow lane, where this returns STET_OK. It also returns
 * STET_OK if the lane cannot change: in streams, in commands, and in an op that was invoked by an
 * op without STET_RERUN (op.h). */
STET_API STET_MUST enum stet_status stet_slow_lane(struct stet_call *);

/* For the `choose` of an op whose requests differ in their bodies. The core estimates the duration
 * of this call from earlier calls of the op with the same kind and text or, if there are none, with
 * the same kind. Without stet_alike it compares path and query. In the read lane, calls with a long
 * estimate wait until there is nothing else to do. */
STET_API void stet_alike(struct stet_call *, const char *kind, const char *text, size_t len);

/* ---- public reads: ops with `open` (op.h) ---- */

/* Returns true if public-read of the site names the calling module. */
STET_API bool stet_public_read(struct stet_call *);
/* The key public-search of the site: "collections" or "all"; NULL: the search module's setting
 * applies. */
STET_API const char *stet_public_search(struct stet_call *);
/* Returns true if the caller has no credentials and was admitted by the op's `open`. */
STET_API bool stet_is_open(struct stet_call *);
/* The decoded value of a parameter of the op's route, for `open`; NULL: there is no such parameter,
 * or it cannot be decoded. */
STET_API const char *stet_route_arg(struct stet_call *, const char *name);
/* Names a record that this reply shows. The reply of a public read lists these names as kind:name
 * in the header Surrogate-Key; webhooks list them too, so that caches can purge. If a name has
 * other characters than letters, digits and . _ -, or the names exceed 8 KiB, no cache may store
 * the reply. Does nothing for other callers. */
STET_API void stet_surrogate(struct stet_call *, const char *kind, const char *name);

/* The id of this request in the log: X-Request-Id of the client or proxy, or a generated one. 1 to
 * 64 letters, digits, ".", "_" and "-". It need not be unique: clients choose it. */
STET_API const char *stet_call_id(struct stet_call *);
/* The name of the running op, with a plugin's prefix; or the words of a command; NULL in a job. */
STET_API const char *stet_op_name(struct stet_call *);

/* Takes `many` tokens of a rate limit at once, for a batch. Returns 0, or the milliseconds until
 * that is possible; records no error. */
STET_API STET_MUST int64_t stet_limit_wait(
    struct stet_call *, const char *what, const char *who, int many, int count, int seconds);

/* ---- the reply (its JSON: json.h) ---- */

/* Sets the entity tag: the text between the quotes, without blanks. If a handler sets none, the
 * core hashes the reply. */
STET_API void stet_etag(struct stet_call *, const char *tag);
/* A cheaper tag for long replies: a digest of all values that are mixed in. Mix in everything
 * that the reply depends on. */
STET_API void stet_etag_mix(struct stet_call *, const void *, size_t);
/* For a GET whose body is expensive, once its entity tag is set or mixed: returns true if the
 * client already has that version. The handler then sets the reply's type, writes nothing and
 * returns STET_OK, and the client gets 304. */
STET_API bool stet_unchanged(struct stet_call *);
/* Adds a header to the reply. A line break in its value, or in a value of the next functions, ends
 * the process: check input from outside. The core frames the reply: it ignores and logs Connection,
 * Content-Length, Content-Type (see stet_reply_type), Keep-Alive and Transfer-Encoding. */
STET_API void stet_header(struct stet_call *, const char *name, const char *value);
/* Answers with bytes of this content type in place of the JSON envelope; stet_write appends the
 * bytes. In an op with STET_STREAM in the slow lane they are sent while the handler runs:
 * stet_write then blocks while the client reads slowly, and fails when the client is gone or the
 * deadline has passed. */
STET_API void stet_reply_type(struct stet_call *, const char *content_type);
/* The HTTP status of such a reply; 200 if not set. A reply without bytes has no Content-Type. */
STET_API void stet_reply_status(struct stet_call *, int http);
STET_API STET_MUST enum stet_status stet_write(struct stet_call *, const void *, size_t);
/* Makes the reply a 201, because this call has created the record. For ops with
 * STET_CREATED_OR_FOUND. */
STET_API void stet_created(struct stet_call *);
/* Answers with a redirection to this URL or path, without a body: 302, 303 after a form, 308 if it
 * is permanent. The op lists "text/plain" in `answers`. Returns STET_OK. */
STET_API enum stet_status stet_redirect(struct stet_call *, int http, const char *to);

/* ---- time, ids, log, state ---- */

/* The time in milliseconds since the epoch, by the daemon's clock, which tests can set. */
STET_API int64_t stet_now(struct stet_call *);
/* A time in milliseconds as ISO 8601 in UTC ("2026-11-20T12:00:00.000Z"). */
STET_API char *stet_time_text(struct stet_call *, int64_t ms);
/* Parses an ISO 8601 date or date-time to milliseconds. Without an offset it is UTC. Returns
 * false if the text is neither. */
STET_API bool stet_time_parse(const char *text, int64_t *ms);
/* For an upper bound, which includes its day if it is a date. `ms` is what stet_time_parse has made
 * of the text. Returns the last millisecond of the day if the text has no time of day, else `ms`.
 */
STET_API int64_t stet_time_last(const char *text, int64_t ms);
/* A new ULID: 26 characters, increasing within the process. */
STET_API char *stet_id(struct stet_call *);
/* Returns true if the text has the form of an id: 26 characters of [0-9A-Z]. */
STET_API bool stet_is_id(const char *);

enum stet_level { STET_DEBUG, STET_INFO, STET_WARN, STET_ERROR };
STET_API void stet_log(struct stet_call *, enum stet_level, const char *fmt, ...) STET_FMT(3, 4);

/* The calling module's state on this site (descriptor: state_size, open, close). All threads
 * share it. */
STET_API void *stet_state(struct stet_call *);
/* The state of another module by its name, or NULL. The functions of a service run as their
 * caller's module, so they reach their own module's state this way. */
STET_API void *stet_state_of(struct stet_call *, const char *module);
/* A pointer that the module keeps in the call, found by the address of one of its own objects;
 * NULL at first. If a write is run again, it finds what the first run left there. */
STET_API void **stet_call_slot(struct stet_call *, const void *key);
/* Returns true in the write lane, where the call also sees uncommitted changes. */
STET_API bool stet_writing(struct stet_call *);
/* The generation of the site's configuration that this call began with. It increases whenever a
 * module is enabled or disabled. */
STET_API uint64_t stet_generation(struct stet_call *);

/* A cache for as long as a snapshot of the database. Calls that arrive together on a thread
 * share one snapshot, so what a module has looked up for one call can serve the next ones.
 * stet_snapshot_slot returns the pointer for a key (the address of an object of the module); it
 * is NULL in a new snapshot. Memory of stet_snapshot_alloc lives until the last call of the
 * snapshot ends; stet_snapshot_defer then runs fn. In the write lane, where data changes, there
 * is no slot: returns NULL. */
STET_API void **stet_snapshot_slot(struct stet_call *, const void *key);
STET_API void *stet_snapshot_alloc(struct stet_call *, size_t); /* zeroed */
STET_API void stet_snapshot_defer(struct stet_call *, void (*fn)(void *), void *arg);

/* The same in the write lane, where many calls share a transaction: the pointer is NULL at first,
 * and again once a statement of anybody writes rows of one of `tables` (their names, parted by
 * blanks) or a part of the transaction is undone. So it may hold what was read from these tables
 * alone. It may outlive the transaction, as long as no other connection has written. Memory of
 * stet_tx_alloc lives until the end of the transaction at least; keep no pointer to it
 * elsewhere. In other lanes there is no slot: returns NULL. */
STET_API void **stet_tx_slot(struct stet_call *, const void *key, const char *tables);
/* Returns a number that is another one once a statement of anybody has written rows of one of these
 * tables, or a part of the transaction is undone. Write lane only. */
STET_API uint64_t stet_tx_written(struct stet_call *, const char *tables);
STET_API void *stet_tx_alloc(struct stet_call *, size_t); /* zeroed */

/* The value of a setting of this module on this site, or its fallback. Borrowed until the call
 * ends. */
STET_API const json_t *stet_setting(struct stet_call *, const char *name);
STET_API const char *stet_setting_str(
    struct stet_call *, const char *name); /* NULL unless a string */
/* The function table that another module offers under this name ("schema/1"); NULL if that
 * module is not enabled. */
STET_API const void *stet_service(struct stet_call *, const char *name);
/* Runs fn as the module that brings the service `name`. For functions of a service, which run as
 * their caller's module, when they need settings, files, secrets or metrics of their own module. */
STET_API STET_MUST enum stet_status stet_as_service(struct stet_call *, const char *name,
    enum stet_status (*fn)(struct stet_call *, void *), void *arg);
/* The locales of the site, NULL-terminated; the first is the default. */
STET_API const char *const *stet_locales(struct stet_call *);
/* Normalises a locale: returns the site's spelling if the site has the locale. Returns NULL for
 * NULL and "". Text that is no locale code records an issue about `locale` and returns NULL. */
STET_API const char *stet_locale(struct stet_call *, const char *text);
/* The locale of a record that is created: the site's default for NULL and "". A locale that the
 * site does not have records an issue about `locale`, which lists the site's locales. */
STET_API const char *stet_locale_stored(struct stet_call *, const char *text);
STET_API const char *stet_base_url(struct stet_call *); /* without a trailing slash */
/* Returns true if pages of this Origin may call the site: the origin of the base URL, or one of
 * cors-origins. */
STET_API bool stet_origin_allowed(struct stet_call *, const char *origin);
/* The origins of passkey-origins, NULL-terminated, without that of the base URL. */
STET_API const char *const *stet_passkey_origins(struct stet_call *);
/* The largest total size of all files of the media library in bytes (max-media-bytes); 0: no limit.
 */
STET_API uint64_t stet_media_most(struct stet_call *);
/* Returns true if a proof file of this name is in the site's directory. `stet doctor` creates one
 * and requests it under the base URL, to prove that the URL leads to this daemon. */
STET_API bool stet_site_proves(struct stet_call *, const char *token);
STET_API const char *stet_version(void); /* of the daemon: "1.0.2" */

/* From the slow lane: runs fn in the write lane, as a call with a transaction of its own, and
 * waits for it. An error of fn becomes the error of this call. */
STET_API STET_MUST enum stet_status stet_write_lane(struct stet_call *,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *);

/* From the write lane: registers fn to run once before the commit of this transaction, after all
 * calls that share it. fn runs as a call of the site itself with all rights, and sees the writes of
 * these calls. The same fn of a module runs once, however often it is registered; only fn itself
 * may register itself again, as another call, if there is too much work for one. `name`, a literal,
 * is for logs. If fn fails, its writes are undone, the error is logged, and the calls are committed
 * anyway. So a caller first records the work in a table, and has a job that reads that table (the
 * core then asks all jobs of the module when they are due). If a call is rolled back, so are its
 * rows, and fn finds none. */
STET_API STET_MUST enum stet_status stet_before_commit(struct stet_call *, struct stet_tx *,
    const char *name, enum stet_status (*fn)(struct stet_call *, struct stet_tx *));

/* ---- waiting without holding a thread: for handlers of requests in the read lane ---- */

/*
 * Parks the request: the core runs the handler again from its beginning, in a new snapshot,
 * after the next commit on this site (of another process: within half a second) or at `until`
 * (milliseconds, like stet_now; precise to a quarter of a second), whichever is first.
 *
 * Returns true if the call is parked: the handler must return STET_OK at once. What it wrote to
 * the reply is discarded, except in an op with STET_STREAM, where bytes of stet_write are sent.
 * The principal is authenticated again before each run.
 *
 * Returns false if the handler will not run again and must answer now: `until` has come, the
 * daemon shuts down, the client has closed its side, the enabled modules have changed, the
 * request has reached the longest duration allowed, or the call is not a request (tools,
 * commands).
 */
STET_API STET_MUST bool stet_wait(struct stet_call *, int64_t until);
/* Returns memory that all runs of a call share; zeroed at first. Always pass the same size. */
STET_API void *stet_wait_memory(struct stet_call *, size_t);

/* ---- text and cursors ---- */

/* Number of code points, or -1 when the text is not UTF-8. */
STET_API int64_t stet_utf8_length(const char *);
/* Number of bytes of the longest beginning of a text of UTF-8 that ends between two characters and
 * has at most `most` bytes; or at most so many characters. */
STET_API size_t stet_utf8_cut(const char *, size_t most);
STET_API size_t stet_utf8_first(const char *, size_t characters);
/* A hash of a text, for tables in memory; it may differ between versions of stet. */
STET_API uint64_t stet_hash(const char *);
/* A URL slug from a title: NFKC, lower case, blanks and underscores to hyphens, letters, digits and
 * marks of any script kept, at most 80 graphemes. "" when nothing is left. */
STET_API char *stet_slugify(struct stet_call *, const char *);
/* Return true if a page may load a picture, a file or a player from this address, or link to it: by
 * http, https, or a path that begins with "/"; a link also by mailto, tel, a fragment, a query or a
 * relative path. Read as browsers do, which ignore case and leading blanks. */
STET_API bool stet_is_source(const char *address);
STET_API bool stet_is_link(const char *address);
/*
 * Folds a text for comparison in searches, so that different spellings match: NFKD of Unicode,
 * lower case, marks of every script dropped but for vowel signs, letters that do not decompose
 * mapped (l with stroke is l, dotless i is i, ae is two letters), forms of the same Arabic letter,
 * Arabic digits, kinds of apostrophes, quotes and hyphens, full width. Kana and Korean syllables
 * stay as they are. Bytes that are not UTF-8 become blanks. The result is for comparing, not for
 * showing. It may change with Unicode: a module that stores it needs a way to rebuild it.
 */
STET_API char *stet_fold(struct stet_call *, const char *text, size_t len);
/* Folds one character in the same way. Returns the number of resulting characters, 0 if it is
 * dropped. */
#define STET_FOLD_MAX 20
STET_API size_t stet_fold_char(int32_t c, int32_t out[STET_FOLD_MAX]);
/* A type's name from a slug or member name: "blog_post" is "BlogPost". */
STET_API char *stet_pascal(struct stet_call *, const char *);
/* The singular of an English plural, by its spelling: "categories" is "category", "boxes" is
 * "box", "posts" is "post", "glass" stays. */
STET_API char *stet_singular(struct stet_call *, const char *);
/* Returns true for [a-z][a-z0-9_]* of 1 to 63 characters: the allowed names of collections and
 * fields. */
STET_API bool stet_is_name(const char *);
/* Returns true for a BCP 47 tag of the form that sites use: two or three letters, then -xx…
 * parts. */
STET_API bool stet_is_locale(const char *);
/* Fills a URL pattern such as "/blog/{slug}" and returns the path. `parts` alternates names and
 * values, and ends with NULL. Values are percent-encoded; a placeholder without a value stays as
 * it is. Returns NULL if the pattern is not a path: it must begin with one slash and have no
 * blank, control character, backslash or #. */
STET_API char *stet_path_fill(struct stet_call *, const char *pattern, const char *const *parts);
/* Returns true for a path of this site ("/_cms/account?tab=2"), which is safe as the target of a
 * redirect that a request asks for. False for NULL, for paths that browsers read as another host
 * ("//host", "/\\host"), and for text with blanks, control characters or non-ASCII characters. */
STET_API bool stet_is_local_path(const char *);
/* Searches the text by a PCRE2 pattern, with a limit of matching steps. Sets *found; reaching
 * the limit counts as not found. Returns STET_VALIDATION_ERROR with the reason in *why if the
 * pattern does not compile. */
STET_API STET_MUST enum stet_status stet_match(
    struct stet_call *, const char *pattern, const char *text, bool *found, const char **why);

/* A cursor: the position after a row in a sorted list. `listing` names the list and its order,
 * `key` is the row's value of the order column (string, integer, real or null), `id` breaks
 * ties. Opaque to clients; at most 2048 characters. */
STET_API char *stet_cursor_make(
    struct stet_call *, const char *listing, const json_t *key, const char *id);
/* Reads a cursor. Fails with INVALID_CURSOR for a text that stet_cursor_make did not make for
 * this listing. *key and *id live as long as the call. */
STET_API STET_MUST enum stet_status stet_cursor_read(struct stet_call *, const char *cursor,
    const char *listing, const json_t **key, const char **id);

/*
 * A list that is read page by page, ordered by a text column and then by `id`. The call's arguments
 * `limit` (required, or with a fallback) and `cursor` select the page:
 *
 *	struct stet_page page = { .listing = "users", .key = "created_at", .key_column = 7 };
 *
 *	stet_sql_add(sql, "SELECT … FROM users WHERE disabled = 0");
 *	STET_TRY(stet_page_sql(call, &page, sql));
 *	STET_TRY(stet_sql_query(sql, &rows));
 *	while (stet_page_row(&page, &rows))
 *		stet_put_row(…);
 *	stet_close(out);
 *	stet_page_end(out, &page);
 */
struct stet_page {
	const char *listing; /* names the list and its order in cursors */
	const char *key; /* the column that orders the list; its values are never NULL */
	int key_column,
	    id_column; /* the numbers of the key and of `id` among the columns of a row */
	bool ascending;
	/* The progress; set by these functions. */
	int64_t limit, count;
	const char *next; /* cursor of the next page; NULL: this is the last page */
	/* New fields go here, and nowhere else. */
};
/* Appends the cursor's condition (the statement already has a WHERE), the order and the limit. */
STET_MUST static inline enum stet_status stet_page_sql(
    struct stet_call *, struct stet_page *, struct stet_sql *);
/* Steps to the next row of the page. Returns false at its end and on a fault; stet_rows_end
 * tells which. */
static inline bool stet_page_row(struct stet_page *, struct stet_rows *);
/* Writes `nextCursor` into the open object, unless this is the last page. */
static inline void stet_page_end(struct stet_json *, const struct stet_page *);

/* ---- the host's side of the functions above: they get the sizes of the structures in the caller's
 * headers ---- */

STET_API void stet_principal_set_sized(struct stet_call *, const struct stet_principal *, size_t);
STET_API STET_MUST enum stet_status stet_page_sql_sized(
    struct stet_call *, struct stet_page *, size_t, struct stet_sql *);
STET_API bool stet_page_row_sized(struct stet_page *, size_t, struct stet_rows *);
STET_API void stet_page_end_sized(struct stet_json *, const struct stet_page *, size_t);

static inline void
stet_principal_set(struct stet_call *call, const struct stet_principal *principal)
{
	stet_principal_set_sized(call, principal, sizeof(*principal));
}

static inline enum stet_status
stet_page_sql(struct stet_call *call, struct stet_page *page, struct stet_sql *sql)
{
	return stet_page_sql_sized(call, page, sizeof(*page), sql);
}

static inline bool
stet_page_row(struct stet_page *page, struct stet_rows *rows)
{
	return stet_page_row_sized(page, sizeof(*page), rows);
}

static inline void
stet_page_end(struct stet_json *out, const struct stet_page *page)
{
	stet_page_end_sized(out, page, sizeof(*page));
}

#endif
