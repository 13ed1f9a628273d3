/* metrics.c - tests of counters, histograms, and the text that Prometheus reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "call/call.h"
#include "call/metrics.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 12
#define EACH 20000

/* Returns the value of a sample with this name and labels; fails if there is none. */
static double
sample(const char *name)
{
	struct buf b = { 0 };
	char line[256];
	const char *at;
	double number;

	metrics_write(&b);
	(void)snprintf(line, sizeof(line), "\n%s ", name);
	at = strstr(b.data, line);
	if (at == NULL)
		fail_msg("there is no %s in:\n%s", name, b.data);
	number = strtod(at + strlen(line), NULL);
	buf_free(&b);
	return number;
}

static void
labels_are_escaped(void **state)
{
	struct buf b = { 0 };

	(void)state;
	metrics_line(&b, "m", "a", "say \"hi\"\\\n", "b", "2", 3);
	assert_string_equal(b.data, "m{a=\"say \\\"hi\\\"\\\\\\n\",b=\"2\"} 3\n");
	buf_free(&b);
	metrics_line(&b, "m", NULL, NULL, NULL, NULL, 1234567890123.0);
	assert_string_equal(b.data, "m 1234567890123\n");
	buf_free(&b);
}

static void *
count(void *arg)
{
	(void)arg;
	for (int i = 0; i < EACH; i++) {
		metrics_add(METRIC_ABORTED, 1);
		metrics_observe(HISTOGRAM_BATCH, 3);
	}
	return NULL;
}

static void
nothing_is_lost_between_threads(void **state)
{
	pthread_t thread[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, count, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_true(sample("stet_http_requests_aborted_total") == THREADS * EACH);
	assert_true(sample("stet_writer_batch_jobs_count") == THREADS * EACH);
	assert_true(sample("stet_writer_batch_jobs_sum") == 3.0 * THREADS * EACH);
}

/* Buckets are cumulative, and a value on a bound belongs to the bucket of that bound. */
static void
buckets_are_cumulative(void **state)
{
	(void)state;
	metrics_observe(HISTOGRAM_COMMIT, 100);
	metrics_observe(HISTOGRAM_COMMIT, 101);
	metrics_observe(HISTOGRAM_COMMIT, 99000000);
	assert_true(sample("stet_writer_batch_seconds_bucket{le=\"0.0001\"}") == 1);
	assert_true(sample("stet_writer_batch_seconds_bucket{le=\"0.0005\"}") == 2);
	assert_true(sample("stet_writer_batch_seconds_bucket{le=\"10\"}") == 2);
	assert_true(sample("stet_writer_batch_seconds_bucket{le=\"+Inf\"}") == 3);
	assert_true(sample("stet_writer_batch_seconds_count") == 3);
}

static void
requests_are_counted_by_site_op_and_status(void **state)
{
	struct site site = { .conf = { .name = (char[]){ "blog" } } };
	struct op op = { .name = (char[]){ "content_list" } };
	struct stet_call call = { .site = &site, .op = &op };

	(void)state;
	metrics_request(&call, 200, 10, 1);
	metrics_request(&call, 200, 10, 1);
	metrics_request(&call, 304, 0, 1);
	call.op = NULL;
	metrics_request(&call, 404, 5, 1);
	call.site = NULL;
	metrics_request(&call, 400, 5, 1);
	assert_true(sample("stet_http_requests_total{site=\"blog\",op=\"content_list\","
			   "status=\"200\"}") == 2);
	assert_true(sample("stet_http_requests_total{site=\"blog\",op=\"content_list\","
			   "status=\"304\"}") == 1);
	assert_true(
	    sample("stet_http_requests_total{site=\"blog\",op=\"none\",status=\"404\"}") == 1);
	assert_true(
	    sample("stet_http_requests_total{site=\"none\",op=\"none\",status=\"400\"}") == 1);
	assert_true(sample("stet_http_request_duration_seconds_count{op=\"content_list\"}") == 3);
	assert_true(sample("stet_http_response_body_bytes_total") == 30);
}

/* More statuses than an op can count, and more sites than any daemon has. */
static void
what_is_counted_is_bounded(void **state)
{
	struct site site = { .conf = { .name = NULL } };
	struct op op = { .name = (char[]){ "many" } };
	struct stet_call call = { .site = &site };
	char name[32];

	(void)state;
	site.conf.name = name;
	(void)snprintf(name, sizeof(name), "statuses");
	call.op = &op;
	for (int status = 200; status < 300; status++)
		metrics_request(&call, status, 0, 1);
	assert_true(
	    sample("stet_http_requests_total{site=\"statuses\",op=\"many\",status=\"0\"}") == 93);
	for (int i = 0; i < 25000; i++) {
		(void)snprintf(name, sizeof(name), "site-%d", i);
		op.meter = NULL;
		metrics_request(&call, 200, 0, 1);
	}
	assert_true(
	    sample("stet_http_requests_total{site=\"other\",op=\"other\",status=\"200\"}") >= 5000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(nothing_is_lost_between_threads),
		cmocka_unit_test(buckets_are_cumulative),
		cmocka_unit_test(requests_are_counted_by_site_op_and_status),
		cmocka_unit_test(what_is_counted_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
