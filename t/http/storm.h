/*
 * storm.h - what the files of storm.t share: the client of the daemon that is killed, and the kinds
 * of change that a client makes of it until it is gone.
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

/* Start `stet --data SITE …`; what it prints goes to the descriptor out. */
pid_t storm_spawn(const char *const *words, int out);
/* The same to its end; its first line goes to out. true: it exited with 0. */
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

/* A client of its own; fd is -1 when nobody listens. */
struct storm_client *storm_open(void);
void storm_close(struct storm_client *c);

/* The status of the answer, or -1 when the daemon went away; c->reply is its text. */
int storm_ask(struct storm_client *c, const char *method, const char *path, const char *body);
/* The same, and whether the status is this one. Another one is told, unless the daemon is gone. */
bool storm_must(
    struct storm_client *c, int status, const char *method, const char *path, const char *body);
/* `data` of the last answer, the caller's; an empty object when there is none. */
json_t *storm_data(const struct storm_client *c);

/* ---- kinds of change ---- */

struct storm_kind {
	const char *what;
	void *state; /* what was acknowledged, and what was in flight */
	/* One more change; false: the daemon is gone. */
	bool (*step)(struct storm_client *c, struct storm_kind *kind);
	/* How much of what was acknowledged is not so. What was in flight is known afterwards. */
	size_t (*check)(struct storm_client *c, struct storm_kind *kind);
	/* Claim what is not so: check finds it, or is no check. */
	void (*lie)(struct storm_kind *kind);
	atomic_size_t acknowledged;
};

extern struct storm_kind storm_fields, storm_collections, storm_tokens, storm_webhooks,
    storm_modules, storm_revisions;

/* What is not so is told by this, and counted. */
#define STORM_LOST(...) (printf("# lost: " __VA_ARGS__), (size_t)1)

/* ---- backups ---- */

void storm_backups_prepare(void);
/* Make backups until told to stop, and cut every other one off. */
void storm_backups_begin(unsigned seed);
void storm_backups_end(void);
/* How many of those made since are not what they should be; the files are gone afterwards. */
size_t storm_backups_check(void);
size_t storm_backups_whole(void);
size_t storm_backups_cut(void);
void storm_backups_remove(void);
