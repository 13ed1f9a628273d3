/*
 * remote.h - tests of the product as people meet it: a daemon with the bundled modules, the command
 * `stet` on its site, and clients with a token.
 */
#ifndef T_HTTP_REMOTE_H
#define T_HTTP_REMOTE_H

#include "daemon.h"

#define API "/_cms/api"

/* A daemon that does not run yet, its site initialised; each may be NULL. */
struct daemon *remote_new(const char *conf, const char *site);

/* What a run of the command said and how it ended. Free it with command_free. */
struct command {
	int status; /* of its exit */
	char *out; /* what it printed, without the last line break */
	char *err;
};
/* stet --config … --site main, and these words, up to NULL. */
void command_run(struct daemon *, struct command *, const char *const *words);
void command_free(struct command *);
/* It runs on, and writes where it is told to. */
pid_t command_start(struct daemon *, int out, int err, const char *const *words);
/* The same, which must succeed; what it printed, to be freed. */
char *command_words(struct daemon *, const char *const *words);
#define COMMAND(d, ...) command_words(d, (const char *const[]){ __VA_ARGS__, NULL })
/* A user of this role, and a token of theirs, to be freed. */
char *remote_token(struct daemon *, const char *role, const char *scopes);

/* Drop a plugin of the build tree into the directory of plugins. */
void remote_plugin(struct daemon *, const char *from, const char *name, mode_t mode);

/* Let time stand still, before anything is due: nothing is written but what a test writes. To be
 * undone with remote_time_goes_on. */
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
/* A request and its answer; the path is below the API, printf-like; body NULL: none. */
void remote_ask(struct remote *, struct answer *, const char *method, const char *body,
    const char *path, ...) __attribute__((format(printf, 5, 6)));
/* The two halves of it, for several clients at once. */
void remote_say(struct remote *, const char *method, const char *body, const char *path, ...)
    __attribute__((format(printf, 4, 5)));
void remote_hear(struct remote *, struct answer *);
/* remote_ask, whose status must be this; the data of the answer, to be released. */
json_t *remote_must(struct remote *, int status, const char *method, const char *body,
    const char *path, ...) __attribute__((format(printf, 5, 6)));
/* Rows of a table in the database of the daemon's site. */
int remote_rows(const struct daemon *, const char *table);

#endif
