/*
 * bystander.h - a client that reads one thing again and again in a thread of its own, while a test
 * does something else to the daemon, and how long it waited.
 */
#ifndef T_HTTP_BYSTANDER_H
#define T_HTTP_BYSTANDER_H

#include "remote.h"

#include <pthread.h>
#include <stdatomic.h>

#define BYSTANDER_SAMPLES 200000

struct bystander {
	const struct daemon *daemon;
	const char *token, *path; /* the path is below the API */
	const char *more; /* lines of header, each with its line end; NULL: none */
	pthread_t thread;
	atomic_bool stop;
	int count;
	int64_t sample[BYSTANDER_SAMPLES]; /* microseconds */
};

/* Microseconds of the monotonic clock. */
int64_t bystander_now(void);
/* Start it; its first four members are set. */
void bystander_start(struct bystander *);
/* End it: the p99 of its times in microseconds. A refusal (503) counts as the time until the same
 * request was answered with 200. */
int64_t bystander_stop(struct bystander *, int64_t *longest);
/* What the daemon logs meanwhile must not fill its pipe: read it. */
void bystander_hear_log(struct daemon *);

#endif
