/*
 * call.h - one call, one context. A REST request, a tool call, a command and a job are all a
 * struct stet_call: it owns the arena, the arguments, the principal, the reply and the one error.
 * Functions that take a call may be used by the thread that runs it, until its handler returns.
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

/* ---- memory: freed when the call ends. Never NULL; limits sit where foreign bytes come in. ----
 */

/* Zeroed and aligned for any type. */
STET_API void *stet_alloc(struct stet_call *, size_t);
STET_API char *stet_strdup(struct stet_call *, const char *); /* NULL stays NULL */
STET_API char *stet_strndup(struct stet_call *, const char *, size_t);
STET_API char *stet_printf(struct stet_call *, const char *, ...) STET_FMT(2, 3);
/* Ends the process and says why: for memory of your own (malloc, strdup) that there is not.
 * stet_alloc and Jansson do it by themselves. */
STET_API void stet_out_of_memory(void) __attribute__((noreturn));
/* Run fn(arg) when the call ends, latest first. */
STET_API void stet_defer(struct stet_call *, void (*fn)(void *), void *arg);
/* Tie a Jansson value to the call: released when it ends. Returns it. */
STET_API json_t *stet_json_own(struct stet_call *, json_t *);
/* Foreign JSON, with the limits of request bodies (depth 100, no name twice in an object); any kind
 * of value. Owned by the call. NULL: *why says what is wrong with it. */
STET_API json_t *stet_json_parse(struct stet_call *, const char *, size_t len, const char **why);
/* The same, but a text in it may hold U+0000, which stet_json_parse refuses as no JSON. No such
 * text may be read as a C string: call stet_json_check_nul first, and refuse what does not pass. */
STET_API json_t *stet_json_parse_nul(
    struct stet_call *, const char *, size_t len, const char **why);
/* Record an issue for each text in the value that holds U+0000, by its path below `path` (""
 * is the value itself). True: there is none. */
STET_API bool stet_json_check_nul(struct stet_call *, const char *path, const json_t *value);

/* ---- errors: say it once, where it is known; return it everywhere else ---- */

/* Record the outcome of the call and return it. `field` is the argument or field at fault, as a
 * path
 * ("data.title"), or NULL. The text is for people and never holds the text of a fault. */
STET_API enum stet_status stet_fail(
    struct stet_call *, enum stet_status, const char *field, const char *fmt, ...) STET_FMT(4, 5);
/* One more member for the `details` of the error. */
STET_API void stet_detail(struct stet_call *, const char *key, const char *value);
/* Collect a validation problem; stet_issues returns STET_VALIDATION_ERROR if there were any, with
 * all of them in details.issues, and STET_OK otherwise. Of more than 100 problems the first 100 are
 * listed, and a last one that says so; a path or a message is cut after 1,000 bytes. */
STET_API void stet_issue(struct stet_call *, const char *path, const char *fmt, ...) STET_FMT(3, 4);
STET_API STET_MUST enum stet_status stet_issues(struct stet_call *);
/* Log a fault in full, with the call's id, and return STET_FAULT: the client sees the op's own
 * code. */
STET_API enum stet_status stet_fault(struct stet_call *, const char *fmt, ...) STET_FMT(2, 3);

/* What was recorded, on one line: "VALIDATION_ERROR: data.title: is required"; "" when nothing was.
 */
STET_API char *stet_error_text(struct stet_call *);
/* Its status as clients see it, a fault under the op's own code; STET_OK when nothing was. */
STET_API enum stet_status stet_error_status(struct stet_call *);
/* Its members code, message and details, into the object that is open. */
STET_API void stet_put_error(struct stet_call *, struct stet_json *);
/* It is about a part of what was asked for: `what` leads its text, `path` the paths of its issues
 * and its field. */
STET_API void stet_error_within(struct stet_call *, const char *what, const char *path);
/* Forget it, and go on. What was written stays written. */
STET_API void stet_error_clear(struct stet_call *);
/* Run fn(call, arg) outside the write lane; what it allocates, ties to the call and defers ends
 * with it, and so does the read transaction; its error stays, as one text. For long runs of small
 * works: a file of a million lines must not fill the memory. */
STET_API STET_MUST enum stet_status stet_scope(
    struct stet_call *, enum stet_status (*fn)(struct stet_call *, void *), void *arg);

/* ---- arguments: from path, query and body, already checked against the op's `in` ---- */

/* Present in the request (null counts) or filled by its fallback. */
STET_API bool stet_has(struct stet_call *, const char *name);
STET_API const char *stet_arg(struct stet_call *, const char *name); /* NULL when absent or null */
STET_API int64_t stet_arg_int(struct stet_call *, const char *name); /* 0 when absent */
STET_API double stet_arg_real(struct stet_call *, const char *name);
STET_API bool stet_arg_bool(struct stet_call *, const char *name);
/* Objects, arrays and STET_ANY. Borrowed; must not be changed; NULL when absent. */
STET_API const json_t *stet_arg_json(struct stet_call *, const char *name);
/* A request header by its lower-case name, or NULL. Tool calls and commands have none. */
STET_API const char *stet_request_header(struct stet_call *, const char *name);

/* A body that did not fit into memory's limits (ops with STET_SPOOL or STET_MULTIPART). */
struct stet_part {
	const char *name; /* of the form field; "" for a STET_SPOOL body */
	const char *filename; /* as the client said it: hostile; NULL for a plain field */
	const char *type; /* content type as the client said it, or NULL */
	const char *value; /* a plain field's text, or NULL when it is in a file */
	const char *path; /* the temporary file, removed when the call ends, or NULL */
	uint64_t size;
};
STET_API size_t stet_parts(struct stet_call *, const struct stet_part **);
/* The body of an op with STET_RAW; NULL when there is none. It lives as long as the call, and a NUL
 * follows it. */
STET_API const char *stet_body(struct stet_call *, size_t *len);

/* ---- who is asking ---- */

enum stet_via { STET_VIA_TOKEN, STET_VIA_SESSION, STET_VIA_COMMAND, STET_VIA_SYSTEM };

struct stet_principal {
	const char *id; /* user id; "" for commands and jobs */
	const char *email, *name;
	int role; /* 10 Subscriber, 20 Contributor, 30 Author, 40 Editor, 50 Admin */
	enum stet_via via;
	const char *token_id;
	const char *scopes; /* space separated; NULL: not limited by scopes */
};
/* NULL for an anonymous call of a STET_PUBLIC op. */
STET_API const struct stet_principal *stet_principal(struct stet_call *);
/* For the request_authenticate hook: the principal is copied. */
STET_API void stet_principal_set(struct stet_call *, const struct stet_principal *);
/* Has the principal's role this permission? An unknown permission is a bug and stops the process.
 */
STET_API bool stet_may(struct stet_call *, const char *permission);
/* The same, failing with FORBIDDEN. */
STET_API STET_MUST enum stet_status stet_require(struct stet_call *, const char *permission);
/* `own` when owner is the caller, `any` otherwise; nobody owns what has no owner. */
STET_API STET_MUST enum stet_status stet_require_owned(
    struct stet_call *, const char *own, const char *any, const char *owner);
/* Do these scopes (space separated, NULL: unlimited) open `scope`? */
STET_API bool stet_scope_allows(const char *scopes, const char *scope);
/* The address of the client as text; "" when there is none (commands, jobs). */
STET_API const char *stet_client(struct stet_call *);
/* May the client do `what` (a name, the same in all modules) once more? It may `count` times, and
 * each comes back after seconds / count; else RATE_LIMITED, with Retry-After. `who` NULL: the
 * client's address, where an IPv6 network of 64 bits is one; else an account. For handlers: one
 * that runs again asks once. Commands and jobs always may. */
STET_API STET_MUST enum stet_status stet_limit(
    struct stet_call *, const char *what, const char *who, int count, int seconds);

/* This request's id, as the log says it: X-Request-Id of the client or proxy, else made here. 1 to
 * 64 letters, digits, ".", "_" and "-"; clients may repeat theirs. */
STET_API const char *stet_call_id(struct stet_call *);
/* The op that runs, with a plugin's prefix, or the words of a command; NULL in a job. */
STET_API const char *stet_op_name(struct stet_call *);

/* The same for so many at once, a batch: 0, or the milliseconds until it may, and no error. */
STET_API STET_MUST int64_t stet_limit_wait(
    struct stet_call *, const char *what, const char *who, int many, int count, int seconds);

/* ---- the reply (its JSON: json.h) ---- */

/* The entity tag: the text between the quotes, without blanks. Without one, the core hashes the
 * reply. */
STET_API void stet_etag(struct stet_call *, const char *tag);
/* Cheaper than that for long replies: the tag becomes a digest of everything that was mixed in,
 * which must say all that the reply depends on. */
STET_API void stet_etag_mix(struct stet_call *, const void *, size_t);
STET_API void stet_header(struct stet_call *, const char *name, const char *value);
/* Answer bytes of this content type instead of the JSON envelope; they are what is written with
 * stet_write. In an op with STET_STREAM in the slow lane they leave while the handler runs:
 * stet_write waits while the client is slow, and fails once it is gone or the deadline has passed.
 */
STET_API void stet_reply_type(struct stet_call *, const char *content_type);
/* The HTTP status of such a reply, if it is not 200. Without bytes it has no Content-Type. */
STET_API void stet_reply_status(struct stet_call *, int http);
STET_API STET_MUST enum stet_status stet_write(struct stet_call *, const void *, size_t);

/* ---- the world ---- */

/* Now, in milliseconds since the epoch, by the daemon's clock (which tests set). */
STET_API int64_t stet_now(struct stet_call *);
/* Milliseconds as ISO 8601 UTC ("2026-11-20T12:00:00.000Z"). */
STET_API char *stet_time_text(struct stet_call *, int64_t ms);
/* ISO 8601 date or date-time, with an offset or without (then UTC), to milliseconds; false if it is
 * not one. */
STET_API bool stet_time_parse(const char *text, int64_t *ms);
/* A new ULID: 26 characters, increasing within the process. */
STET_API char *stet_id(struct stet_call *);
/* Does the text look like one (26 of [0-9A-Z])? */
STET_API bool stet_is_id(const char *);

enum stet_level { STET_DEBUG, STET_INFO, STET_WARN, STET_ERROR };
STET_API void stet_log(struct stet_call *, enum stet_level, const char *fmt, ...) STET_FMT(3, 4);

/* This module's state on this site (descriptor: state_size, open, close). Shared by all threads. */
STET_API void *stet_state(struct stet_call *);
/* That of another module, by name, or NULL: the functions of a service run as their caller. */
STET_API void *stet_state_of(struct stet_call *, const char *module);
/* A pointer that a module keeps with the call, by the address of something of its own; NULL at
 * first. A write that is run again finds what was left there before. */
STET_API void **stet_call_slot(struct stet_call *, const void *key);
/* Does this call run in the write lane, where it sees what is not committed yet? */
STET_API bool stet_writing(struct stet_call *);
/* Counts up with each change of what is enabled on the site: the one this call began with. */
STET_API uint64_t stet_generation(struct stet_call *);

/*
 * What a module has looked up may serve the next calls, as long as they read the same data: calls
 * that come together on a thread share one snapshot of the database. The slot of a key (the address
 * of something of the module's own) is NULL when the snapshot is new; memory of
 * stet_snapshot_alloc, and what stet_snapshot_defer cleans up, last as long as the snapshot, and so
 * only up to the end of the last call that reads it. In the write lane, where data changes, there
 * is no slot: NULL.
 */
STET_API void **stet_snapshot_slot(struct stet_call *, const void *key);
STET_API void *stet_snapshot_alloc(struct stet_call *, size_t); /* zeroed */
STET_API void stet_snapshot_defer(struct stet_call *, void (*fn)(void *), void *arg);

/* A value of this module's settings on this site, or its fallback. Borrowed until the call ends. */
STET_API const json_t *stet_setting(struct stet_call *, const char *name);
STET_API const char *stet_setting_str(
    struct stet_call *, const char *name); /* NULL unless a string */
/* A table of functions that another module offers, by name ("schema/1"); NULL when it is not
 * enabled. */
STET_API const void *stet_service(struct stet_call *, const char *name);
/* The locales of the site: NULL-terminated, the first is the default. */
STET_API const char *const *stet_locales(struct stet_call *);
/* A locale as it is stored: in the site's spelling when it is one of the site's. NULL for NULL and
 * "", and for what is not a locale code, which is recorded as an issue about `locale`. */
STET_API const char *stet_locale(struct stet_call *, const char *text);
/* The locale of a record that is created: the site's default for NULL and "". What is no locale of
 * the site is recorded as an issue about `locale` that names those it has. */
STET_API const char *stet_locale_stored(struct stet_call *, const char *text);
STET_API const char *stet_base_url(struct stet_call *); /* without a trailing slash */
/* May pages of this Origin call the site: is it that of the base URL, or one of cors-origins? */
STET_API bool stet_origin_allowed(struct stet_call *, const char *origin);
/* Did somebody who can write into the site's directory leave a proof of this name there? For what
 * `stet doctor` asks under the base URL. */
STET_API bool stet_site_proves(struct stet_call *, const char *token);
STET_API const char *stet_version(void); /* of the daemon: "1.0.2" */

/* From the slow lane: run fn in the write lane as a call of its own transaction, and wait for it.
 * Its error becomes this call's. */
STET_API STET_MUST enum stet_status stet_write_lane(struct stet_call *,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *);

/* ---- waiting without holding a thread: for the READ handler of a request ---- */

/*
 * Have the handler run again, from its beginning, in a new snapshot: after the next commit on this
 * site (of another process: within half a second), or at `until` (milliseconds, like stet_now; to a
 * quarter of a second), whichever is first. true: return STET_OK at once. What was written to the
 * reply is forgotten, but in an op with STET_STREAM what went through stet_write leaves; who is
 * asking is authenticated anew before each run. false: nobody will run it again, so answer with
 * what there is: the time has come, the daemon stops, the client has closed its side, what is
 * enabled has changed, the request lasts as long as one may, or the call is no request (tools,
 * commands).
 */
STET_API STET_MUST bool stet_wait(struct stet_call *, int64_t until);
/* Memory that all runs of a call share, zeroed at first; always of the same size. */
STET_API void *stet_wait_memory(struct stet_call *, size_t);

/* ---- text and cursors ---- */

/* Number of code points, or -1 when the text is not UTF-8. */
STET_API int64_t stet_utf8_length(const char *);
/* A URL slug from a title: NFKC, lower case, blanks and underscores to hyphens, letters, digits and
 * marks of any script kept, at most 80 graphemes. "" when nothing is left. */
STET_API char *stet_slugify(struct stet_call *, const char *);
/* The name of a type for what a slug or a member names: "blog_post" is "BlogPost". */
STET_API char *stet_pascal(struct stet_call *, const char *);
/* One of what a word names, as far as spelling tells: "categories" is "category", "boxes" is "box",
 * "posts" is "post", "glass" stays. */
STET_API char *stet_singular(struct stet_call *, const char *);
/* [a-z][a-z0-9_]*, 1 to 63 characters: what a collection or a field may be called. */
STET_API bool stet_is_name(const char *);
/* BCP 47 as far as sites use it: aa or aaa, then -xx… parts. */
STET_API bool stet_is_locale(const char *);
/* A path of this site from a pattern such as "/blog/{slug}". Names and values alternate in `parts`,
 * up to NULL; values are filled in percent-encoded, other parts stay as they are. NULL when the
 * pattern is not a path: one slash to begin with, no blank, control character, backslash or #. */
STET_API char *stet_path_fill(struct stet_call *, const char *pattern, const char *const *parts);
/* PCRE2 search with a match limit. STET_VALIDATION_ERROR when the pattern does not compile (reason
 * in *why), otherwise *found; running into the limit counts as not found. */
STET_API STET_MUST enum stet_status stet_match(
    struct stet_call *, const char *pattern, const char *text, bool *found, const char **why);

/* A keyset position: `listing` names the list and its order, `key` is the value of the order column
 * (string, integer, real or null), `id` breaks ties. Opaque to clients, at most 2048 characters. */
STET_API char *stet_cursor_make(
    struct stet_call *, const char *listing, const json_t *key, const char *id);
/* Fails with INVALID_CURSOR for anything that stet_cursor_make of this listing did not make. *key
 * and *id live as long as the call. */
STET_API STET_MUST enum stet_status stet_cursor_read(struct stet_call *, const char *cursor,
    const char *listing, const json_t **key, const char **id);

/*
 * A list a page at a time, in the order of a text column and then of `id`, by the arguments `limit`
 * (required, or with a fallback) and `cursor` of the call:
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
	const char *listing; /* the list and its order, as cursors know it */
	const char *key; /* the column, whose values are never NULL */
	int key_column, id_column; /* where it and `id` stand in a row */
	bool ascending;
	/* How far it is; set by these functions. */
	int64_t limit, count;
	const char *next; /* cursor of the next page; NULL: there is none */
};
/* Add the cursor's condition (the WHERE has begun), the order and the limit. */
STET_API STET_MUST enum stet_status stet_page_sql(
    struct stet_call *, struct stet_page *, struct stet_sql *);
/* Step to the next row of the page: false at its end, and on a fault, which stet_rows_end tells. */
STET_API bool stet_page_row(struct stet_page *, struct stet_rows *);
/* Write `nextCursor` into the open object, unless this is the last page. */
STET_API void stet_page_end(struct stet_json *, const struct stet_page *);

#endif
