/* bystander.c - a client that repeats a read while a test does something else. */
#include "bystander.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PATIENCE 5000000 /* microseconds for which a request is repeated */

int64_t
bystander_now(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &t), 0);
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

static void *
read_on(void *arg)
{
	struct bystander *b = arg;
	struct remote c;

	remote_open(&c, b->daemon, b->token);
	(void)snprintf(c.more, sizeof(c.more), "%s", b->more != NULL ? b->more : "");
	while (!atomic_load(&b->stop) && b->count < BYSTANDER_SAMPLES) {
		int64_t begun = bystander_now();
		int status = 503;

		while (status == 503 && bystander_now() - begun < PATIENCE) {
			struct answer a;

			remote_ask(&c, &a, "GET", NULL, "%s", b->path);
			status = a.status;
			answer_free(&a);
		}
		assert_true(status == 200 || status == 503);
		b->sample[b->count++] = bystander_now() - begun;
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	}
	remote_close(&c);
	return NULL;
}

static int
by_size(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void
bystander_start(struct bystander *b)
{
	b->count = 0;
	atomic_store(&b->stop, false);
	assert_int_equal(pthread_create(&b->thread, NULL, read_on, b), 0);
}

int64_t
bystander_stop(struct bystander *b, int64_t *longest)
{
	atomic_store(&b->stop, true);
	assert_int_equal(pthread_join(b->thread, NULL), 0);
	assert_true(b->count > 0);
	qsort(b->sample, (size_t)b->count, sizeof(b->sample[0]), by_size);
	*longest = b->sample[b->count - 1];
	return b->sample[b->count * 99 / 100];
}

void
bystander_hear_log(struct daemon *d)
{
	struct pollfd p = { .fd = d->log, .events = POLLIN };

	while (poll(&p, 1, 0) == 1 && daemon_hears(d))
		continue;
}
