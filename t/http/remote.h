/*
 * remote.h - tests of the product as its users see it: a daemon with the bundled modules, the
 * command `stet` on its site, and clients with a token.
 */
#ifndef T_HTTP_REMOTE_H
#define T_HTTP_REMOTE_H

#include "daemon.h"

#define API "/_cms/api"

/* Makes a daemon without starting it, with an initialised site; each text may be NULL. */
struct daemon *remote_new(const char *conf, const char *site);

/* The output and the exit status of a run of the command. Free it with command_free. */
struct command {
	int status; /* exit status */
	char *out; /* what it printed, without the last line break */
	char *err;
};
/* Runs stet --config … --site main with these words, up to NULL. */
void command_run(struct daemon *, struct command *, const char *const *words);
void command_free(struct command *);
/* Starts the command without waiting for its end; its output goes to these descriptors. */
pid_t command_start(struct daemon *, int out, int err, const char *const *words);
/* Runs the command, which must succeed; returns its output, to be freed. */
char *command_words(struct daemon *, const char *const *words);
#define COMMAND(d, ...) command_words(d, (const char *const[]){ __VA_ARGS__, NULL })
/* Makes a user of this role; returns a token of theirs, to be freed. */
char *remote_token(struct daemon *, const char *role, const char *scopes);

/* Copies a plugin of the build tree into the directory of plugins. */
void remote_plugin(struct daemon *, const char *from, const char *name, mode_t mode);

/* Stops the clock before any job is due, so that only the test writes. remote_time_goes_on ends
 * this. */
void remote_time_stands(struct daemon *);
void remote_time_goes_on(void);

/* A connection that sends a token (NULL: none) with each request. */
struct remote {
	struct client client;
	const struct daemon *daemon;
	char token[128];
	char more[512]; /* header lines, each with its line end, for each request */
	bool bare; /* the request was HEAD */
};
void remote_open(struct remote *, const struct daemon *, const char *token);
void remote_close(struct remote *);
/* Sends a request and reads the response. The path is relative to the API, printf-like; body NULL:
 * none. */
void remote_ask(struct remote *, struct answer *, const char *method, const char *body,
    const char *path, ...) __attribute__((format(printf, 5, 6)));
/* The same in two steps, to use several clients at the same time. */
void remote_say(struct remote *, const char *method, const char *body, const char *path, ...)
    __attribute__((format(printf, 4, 5)));
void remote_hear(struct remote *, struct answer *);
/* remote_ask, and the status must be this. Returns the `data` of the response, to be released. */
json_t *remote_must(struct remote *, int status, const char *method, const char *body,
    const char *path, ...) __attribute__((format(printf, 5, 6)));
/* Returns the number of rows of a table in the database of the daemon's site. */
int remote_rows(const struct daemon *, const char *table);

#endif
