/*
 * batch.c - batches beside other clients: the writes of a batch are seen all or none, those of a
 * failed batch never, and the reads of a batch are of one snapshot.
 */
#include "remote.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define WRITERS 3
#define READERS 3
#define ROUNDS 40

static struct daemon *d;
static char *token;

static int
start(void **state)
{
	struct remote admin;

	(void)state;
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"supports\":[\"drafts\",\"revisions\"]}",
	    "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/posts/fields"));
	for (int i = 0; i < 2; i++)
		json_decref(remote_must(&admin, 201, "POST",
		    i == 0 ? "{\"slug\":\"a\",\"data\":{\"title\":\"0\"}}"
			   : "{\"slug\":\"b\",\"data\":{\"title\":\"0\"}}",
		    "/content/posts"));
	remote_close(&admin);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	free(token);
	return 0;
}

static atomic_int running, wrong, done, refused;

#define PUT(slug)                                                                        \
	"{\"op\":\"content_put\",\"arguments\":{\"collection\":\"posts\",\"id\":\"" slug \
	"\",\"data\":{\"title\":\"%s\"}}}"

/* Both items get the same title in one batch. In every second batch the last call fails. */
static void *
write_both(void *arg)
{
	int number = *(int *)arg;
	struct remote r;

	remote_open(&r, d, token);
	for (int i = 0; i < ROUNDS; i++) {
		char title[64], body[1024];
		struct answer a;
		bool bad = i % 2 == 1;

		(void)snprintf(title, sizeof(title), "%s%d-%d", bad ? "never-" : "", number, i);
		(void)snprintf(body, sizeof(body),
		    "{\"atomic\":true,\"calls\":[" PUT("a") "," PUT("b") "%s]}", title, title,
		    bad ? ",{\"op\":\"content_read\",\"arguments\":{\"collection\":\"posts\","
			  "\"id\":\"none\"}}"
			: "");
		remote_ask(&r, &a, "POST", body, "/batch");
		if (a.status == 200)
			atomic_fetch_add(&done, 1);
		else if (bad && a.status == 404)
			atomic_fetch_add(&refused, 1);
		else
			atomic_fetch_add(&wrong, 1);
		answer_free(&a);
	}
	remote_close(&r);
	atomic_fetch_sub(&running, 1);
	return NULL;
}

static const char *
title_of(json_t *data, size_t i)
{
	json_t *result = json_array_get(json_object_get(data, "results"), i),
	       *item = json_object_get(json_object_get(result, "data"), "item");
	const char *title =
	    json_string_value(json_object_get(json_object_get(item, "data"), "title"));

	return title != NULL ? title : "(none)";
}

#define READ(slug) \
	"{\"op\":\"content_read\",\"arguments\":{\"collection\":\"posts\",\"id\":\"" slug "\"}}"

/* All titles of one batch are the same. */
static void *
read_both(void *arg)
{
	int *seen = arg;
	struct remote r;

	remote_open(&r, d, token);
	while (atomic_load(&running) > 0) {
		json_t *data = remote_must(&r, 200, "POST",
		    "{\"calls\":[" READ("a") "," READ("b") "," READ("a") "," READ("b") "]}",
		    "/batch");

		for (size_t i = 0; i < 4; i++)
			if (strcmp(title_of(data, i), title_of(data, 0)) != 0 ||
			    strncmp(title_of(data, i), "never", 5) == 0)
				atomic_fetch_add(&wrong, 1);
		++*seen;
		json_decref(data);
	}
	remote_close(&r);
	return NULL;
}

static void
a_batch_is_seen_whole_and_reads_one_moment(void **state)
{
	pthread_t writer[WRITERS], reader[READERS];
	int number[WRITERS], seen[READERS] = { 0 };

	(void)state;
	atomic_store(&running, WRITERS);
	for (int i = 0; i < WRITERS; i++) {
		number[i] = i + 1;
		assert_int_equal(pthread_create(&writer[i], NULL, write_both, &number[i]), 0);
	}
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&reader[i], NULL, read_both, &seen[i]), 0);
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_join(writer[i], NULL), 0);
	for (int i = 0; i < READERS; i++) {
		assert_int_equal(pthread_join(reader[i], NULL), 0);
		assert_true(seen[i] > 0);
	}
	assert_int_equal(atomic_load(&wrong), 0);
	assert_int_equal(atomic_load(&done), WRITERS * ROUNDS / 2);
	assert_int_equal(atomic_load(&refused), WRITERS * ROUNDS / 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batch_is_seen_whole_and_reads_one_moment),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
