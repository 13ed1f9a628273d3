/*
 * storm.h - shared by the files of storm.t: the client of the daemon that is killed, and the kinds
 * of change that a client makes until the daemon is gone.
 */
#pragma once

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define STORM_REPLY (256 * 1024)

extern char storm_site[64]; /* the directory of the site */
extern char storm_build[512];

_Noreturn void storm_bail(const char *what);

/* Starts `stet --data SITE …`; its output goes to the descriptor out. */
pid_t storm_spawn(const char *const *words, int out);
/* Runs the command to its end; `out` gets its first line. Returns true if it exited with 0. */
bool storm_stet(char *out, size_t size, const char *const *words);
#define STORM_STET(out, ...)                                        \
	do {                                                        \
		const char *const words_[] = { __VA_ARGS__, NULL }; \
		if (!storm_stet(out, sizeof(out), words_))          \
			storm_bail(words_[0]);                      \
	} while (0)

/* ---- requests ---- */

extern int storm_port;
extern char storm_token[128];

struct storm_client {
	int fd;
	const char *token;
	char reply[STORM_REPLY];
};

/* Opens a client; fd is -1 if nobody listens. */
struct storm_client *storm_open(void);
void storm_close(struct storm_client *c);

/* Returns the status of the response, or -1 if the daemon is gone; c->reply is the text. */
int storm_ask(struct storm_client *c, const char *method, const char *path, const char *body);
/* Returns true if the status is this one. Prints any other one, unless the daemon is gone. */
bool storm_must(
    struct storm_client *c, int status, const char *method, const char *path, const char *body);
/* The member `data` of the last response, owned by the caller; an empty object if there is none. */
json_t *storm_data(const struct storm_client *c);

/* ---- kinds of change ---- */

struct storm_kind {
	const char *what;
	void *state; /* the acknowledged changes, and the one in flight */
	/* Makes one more change; returns false if the daemon is gone. */
	bool (*step)(struct storm_client *c, struct storm_kind *kind);
	/* Returns how many acknowledged changes are lost. Updates the state by the change in
	 * flight. */
	size_t (*check)(struct storm_client *c, struct storm_kind *kind);
	/* Changes the state to a false claim, which check must find. */
	void (*lie)(struct storm_kind *kind);
	atomic_size_t acknowledged;
};

extern struct storm_kind storm_fields, storm_collections, storm_tokens, storm_webhooks,
    storm_modules, storm_revisions;

/* Reports a lost change; its value counts it. */
#define STORM_LOST(...) (printf("# lost: " __VA_ARGS__), (size_t)1)

/* ---- backups ---- */

void storm_backups_prepare(void);
/* Makes backups until storm_backups_end, and kills every other one. */
void storm_backups_begin(unsigned seed);
void storm_backups_end(void);
/* Returns how many of the backups since storm_backups_begin are missing or damaged. Deletes their
 * files. */
size_t storm_backups_check(void);
size_t storm_backups_whole(void);
size_t storm_backups_cut(void);
void storm_backups_remove(void);
