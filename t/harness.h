/*
 * harness.h - tests of modules: a site in a temporary directory with the modules of the build tree,
 * and calls as any principal, by op name or as a request. In process, without threads or sockets.
 */
#ifndef T_HARNESS_H
#define T_HARNESS_H

/* cmocka.h needs these headers included before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/call.h"
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

struct harness;

struct harness_user {
	const char *id; /* id of the user: 26 characters */
	int role; /* role: 10 to 50 */
	const char *scopes; /* scopes, separated by spaces; NULL: not limited */
	bool session; /* true: by a session; false: by a token */
	int64_t signed_in; /* for a session: milliseconds since the user signed in */
};
/* A user of each role, with unlimited scopes. */
extern const struct harness_user nobody[1], subscriber[1], contributor[1], author[1],
    other_author[1], editor[1], admin[1];

struct harness_options {
	const char *const *locales; /* locales of the site; NULL: en */
	const char *const *fetch_allow; /* fetch-allow of the configuration; NULL: none */
	const char *fetch_ca; /* fetch-ca of the configuration; NULL: none */
	const char *plugin_path; /* plugin-path of the configuration; NULL: none */
	const char *mail_server; /* `mail` of the configuration; NULL: none */
	const char *mail_keys; /* further lines of the section, for the transport; NULL: none */
	uint64_t media_most; /* max-media-bytes of the configuration */
	const char *const *public_read; /* public-read of the configuration; NULL: none */
	const char *data; /* an existing data directory to open again; NULL: a new one */
	/* The site is in the database of this one, as another daemon would have it: with a data
	 * directory of its own. Not on SQLite. */
	const struct harness *beside;
};
/* Fails the running test when the site cannot be opened. */
struct harness *harness_open(const struct harness_options *);
/* Closes the site. Removes its directory, unless keep is set. */
void harness_close(struct harness *, bool keep);
/* Closes the site and opens its directory again, with the options of a new one. */
struct harness *harness_again(struct harness *);
/* Gives the site the drivers that these lines of a section of stet.conf name, with their keys.
 * `plugins`: the directory below $STET_BUILD that contains the driver; NULL: the driver is
 * bundled. */
void harness_files(struct conf_site *, const char *plugins, const char *lines);
const char *harness_data(const struct harness *);
struct site *harness_site(const struct harness *);
/* Of the read connection of this thread: how many statements its calls have run, and, to be freed,
 * the texts and plans of those prepared since the last call of this function (db_trace_take). */
uint64_t harness_statements(const struct harness *);
char *harness_trace(const struct harness *);

/* The outcome of a call. Owned by the harness until the next call or harness_close. */
struct outcome {
	int http;
	const char *code; /* code of the error; "" on success */
	const char *message; /* message of the error; "" on success */
	json_t *body; /* the whole envelope, or NULL when it is not JSON */
	json_t *data; /* `data` of a success */
	json_t *details; /* `details` of an error, or NULL */
	const char *text; /* the body as text */
	const char *etag; /* may be NULL */
	bool replayed; /* the response has Idempotency-Replayed: true */
	char retry_after[16]; /* value of the header; "" if it is absent */
	char set_cookie[1200], location[2000]; /* the same; of several cookies, the first */
	char headers[4000]; /* headers that the op has set: "Name: value\n" each */
};

/* Runs an op. args: JSON text (printf-like), "" for none. Checks scopes and permissions. */
struct outcome *harness_op(struct harness *, const struct harness_user *, const char *op,
    const char *args, ...) STET_FMT(4, 5);
/* Sends a request: "GET /content/posts?limit=5" (below /_cms/api, unless it starts with //).
 * headers: lines separated by CRLF, or NULL. body: NULL for none; for an upload, text without NUL.
 * Sends X-CMS-Request: 1 unless headers is "". */
struct outcome *harness_request(struct harness *, const struct harness_user *, const char *request,
    const char *headers, const char *body);
/* The same with a printf-like body. */
struct outcome *harness_send(struct harness *, const struct harness_user *, const char *request,
    const char *body, ...) STET_FMT(4, 5);

/* Returns a value inside the data, by a path like "items[0].data.title"; NULL if there is none. */
json_t *harness_at(json_t *, const char *path);
const char *harness_text(json_t *, const char *path); /* "" when it is not a string */
int64_t harness_int(json_t *, const char *path); /* -1 when it is not an integer */
/* Returns true if details.issues has an issue about this path. */
bool harness_issue(const struct outcome *, const char *path);

/* Sets the client's address for later requests (127.0.0.1 at first). */
void harness_client(struct harness *, const char *address);
/* Sets the clock to this time (ISO 8601) and stops it. */
void harness_clock(struct harness *, const char *time);
/* Returns the path of a file in $STET_SOURCE or $STET_BUILD; static buffer. */
const char *harness_path(const char *variable, const char *rest);

#define assert_code(answer_, code_)                                         \
	do {                                                                \
		struct outcome *o_ = (answer_);                             \
		if (strcmp(o_->code, (code_)) != 0)                         \
			print_error("answer: %d %s\n", o_->http, o_->text); \
		assert_string_equal(o_->code, (code_));                     \
	} while (0)
#define assert_ok(outcome) assert_code(outcome, "")
/* The same, but keeps the outcome of the last call. */
#define harness_ok(var, outcome)      \
	do {                          \
		(var) = (outcome);    \
		assert_code(var, ""); \
	} while (0)

#endif
