/*
 * bystander.h - a client in a thread of its own that repeats a read while a test does something
 * else to the daemon. Measures how long each read took.
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

/* Returns microseconds of the monotonic clock. */
int64_t bystander_now(void);
/* Starts the client; its first four members must be set. */
void bystander_start(struct bystander *);
/* Stops the client. Returns the p99 of its times in microseconds. After a refusal (503), the time
 * until the same request was answered with 200 counts. */
int64_t bystander_stop(struct bystander *, int64_t *longest);
/* Reads the daemon's log, so that it does not fill the pipe. */
void bystander_hear_log(struct daemon *);

#endif
