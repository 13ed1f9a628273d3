/* s3.c - a media library whose files are in a bucket. */
#include "bucketsite.h"
#include "watcher.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A site whose files are in a bucket. */
static void
configure(struct daemon *d, const char *more)
{
	bucketsite_write(d, "s3", more);
}

static int
start(void **state)
{
	(void)state;
	bucket_open(&bucket);
	library.daemon = remote_new(NULL, NULL);
	library.admin = remote_token(library.daemon, "admin", "admin");
	configure(library.daemon, "");
	daemon_run(library.daemon, 0);
	remote_open(&library.by_admin, library.daemon, library.admin);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&library.by_admin);
	free(library.admin);
	daemon_stop(library.daemon);
	assert_int_equal(bucket_count(&bucket, &bucket.refused), 0);
	bucket_close(&bucket);
	return 0;
}

static void
must_serve(const char *key, const char *range, int status, const char *tail)
{
	struct answer a;

	(void)snprintf(library.by_admin.more, sizeof(library.by_admin.more), "%s", range);
	remote_ask(&library.by_admin, &a, "GET", NULL, "/media/file/%s", key);
	library.by_admin.more[0] = '\0';
	assert_int_equal(a.status, status);
	if (tail != NULL)
		assert_memory_equal(a.body + a.len - strlen(tail), tail, strlen(tail));
	answer_free(&a);
}

static void
uploads_lie_in_the_bucket_and_are_served(void **state)
{
	char object[100];
	const char *key;

	(void)state;
	key = bucketsite_key(make(library.daemon, library.admin, "in the bucket"));
	(void)snprintf(object, sizeof(object), "site/media/%s", key);
	assert_non_null(bucket_find(&bucket, object));
	must_serve(key, "", 200, "bucket");
	assert_int_equal(bucket_count(&bucket, &bucket.gets), 0);
	bucketsite_clear_cache(library.daemon);
	must_serve(key, "Range: bytes=-6\r\n", 206, "bucket");
	must_serve(key, "", 200, "bucket");
	assert_int_equal(bucket_count(&bucket, &bucket.gets), 1);
	must_serve("none.png", "", 404, NULL);
}

static void
many_who_ask_at_once_fetch_a_file_once(void **state)
{
	struct remote r[8];
	struct answer a;
	unsigned before = bucket_count(&bucket, &bucket.gets);
	const char *key = bucketsite_key(make(library.daemon, library.admin, "once"));

	(void)state;
	bucketsite_clear_cache(library.daemon);
	for (int i = 0; i < 8; i++)
		remote_open(&r[i], library.daemon, NULL);
	for (int i = 0; i < 8; i++)
		remote_say(&r[i], "GET", NULL, "/media/file/%s", key);
	for (int i = 0; i < 8; i++) {
		remote_hear(&r[i], &a);
		assert_int_equal(a.status, 200);
		answer_free(&a);
		remote_close(&r[i]);
	}
	assert_int_equal(bucket_count(&bucket, &bucket.gets), before + 1);
}

static void
an_upload_that_the_bucket_refuses_leaves_no_item(void **state)
{
	static const enum bucket_fault faults[] = { BUCKET_ANSWERS, BUCKET_ANSWERS, BUCKET_LOSES };
	static const int statuses[] = { 503, 403, 0 };
	json_t *data = remote_must(&library.by_admin, 200, "GET", NULL, "/media?page=1");
	int64_t count = json_integer_value(json_object_get(data, "totalCount"));
	char bytes[100];
	struct answer a;

	(void)state;
	json_decref(data);
	for (int i = 0; i < 3; i++) {
		const struct file file = { "a.png", "image/png", bytes, png(bytes, "refused"),
			NULL };

		bucket_fail(&bucket, faults[i], 3, "PUT", statuses[i], "");
		upload(library.daemon, &a, library.admin, &file);
		assert_in_range(a.status, 500, 503);
		assert_null(strstr(a.body, BUCKET_ID));
		answer_free(&a);
		bucket_fail(&bucket, BUCKET_FINE, 0, NULL, 0, NULL);
	}
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media?page=1");
	assert_int_equal(json_integer_value(json_object_get(data, "totalCount")), count);
	json_decref(data);
}

static void
a_bucket_that_fails_does_not_take_the_cache_away(void **state)
{
	const char *key = bucketsite_key(make(library.daemon, library.admin, "kept here"));

	(void)state;
	bucket_fail(&bucket, BUCKET_ANSWERS, 1000, NULL, 503, "");
	must_serve(key, "", 200, "here");
	bucketsite_clear_cache(library.daemon);
	must_serve(key, "", 503, NULL);
	bucket_fail(&bucket, BUCKET_FINE, 0, NULL, 0, NULL);
	must_serve(key, "", 200, "here");
}

static void
deleted_items_leave_the_bucket(void **state)
{
	char id[27];
	unsigned before = bucket_objects(&bucket);

	(void)state;
	(void)snprintf(id, sizeof(id), "%s", make(library.daemon, library.admin, "short life"));
	assert_int_equal(bucket_objects(&bucket), before + 1);
	json_decref(remote_must(&library.by_admin, 200, "DELETE", NULL, "/media/%s", id));
	while (bucket_objects(&bucket) !=
	       before) /* the slow lane deletes the file after the response */
		usleep(1000);
}

/* ---- targets ---- */

/* Sends bytes to a URL of the bucket; returns the status. */
static int
send_to(const char *url, const char *type, const char *bytes, size_t len)
{
	struct daemon there = { .port = bucket.port };
	struct client c;
	struct answer a;
	int status;

	assert_memory_equal(url, "http://127.0.0.1:", 17);
	client_open(&c, &there, false);
	client_say(&c,
	    "PUT %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
	    strchr(url + 17, '/'), bucket.port, type, len);
	client_send(&c, bytes, len);
	client_answer(&c, &a, false);
	status = a.status;
	answer_free(&a);
	client_close(&c);
	return status;
}

/* Requests an upload target; returns the response, to be released. */
static json_t *
target(size_t size)
{
	char body[200];

	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"a.png\",\"contentType\":\"image/png\",\"size\":%zu}", size);
	return remote_must(&library.by_admin, 200, "POST", body, "/media/upload-url");
}

static void
a_target_is_a_signed_url_for_one_type_and_length(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "by the client");
	json_t *t = target(len), *data;
	const char *url = text_of(t, "uploadUrl"), *id = text_of(t, "mediaId");
	unsigned refused = bucket_count(&bucket, &bucket.refused), gets;

	(void)state;
	assert_null(json_object_get(json_object_get(t, "headers"), "X-CMS-Request"));
	json_decref(remote_must(&library.by_admin, 400, "POST", "{}", "/media/%s/confirm", id));
	assert_int_equal(send_to(url, "text/html", bytes, len), 403);
	assert_int_equal(send_to(url, "image/png", bytes, len - 1), 403);
	assert_int_equal(bucket_count(&bucket, &bucket.refused), refused + 2);
	bucket.refused = refused;
	assert_int_equal(send_to(url, "image/png", bytes, len), 200);
	gets = bucket_count(&bucket, &bucket.gets);
	json_decref(
	    remote_must(&library.by_admin, 400, "POST", "{\"size\":1}", "/media/%s/confirm", id));
	assert_int_equal(bucket_count(&bucket, &bucket.gets), gets);
	data = remote_must(&library.by_admin, 200, "POST", "{}", "/media/%s/confirm", id);
	assert_string_equal(text_of(json_object_get(data, "item"), "status"), "ready");
	json_decref(data);
	must_serve(bucketsite_key(id), "", 200, "by the client");
	/* The URL stays valid for a while, but a file that is stored by it now does not change the
	 * item. */
	bytes[len - 1] = '!';
	assert_int_equal(send_to(url, "image/png", bytes, len), 200);
	bucketsite_clear_cache(library.daemon);
	must_serve(bucketsite_key(id), "", 200, "by the client");
	json_decref(remote_must(&library.by_admin, 200, "POST", "{}", "/media/%s/confirm", id));
	json_decref(t);
}

static void
bytes_of_another_type_are_not_confirmed(void **state)
{
	static const char html[] = "<!DOCTYPE html><html><script>alert(1)</script></html>";
	json_t *t = target(sizeof(html) - 1);
	const char *id = text_of(t, "mediaId");
	struct answer a;

	(void)state;
	assert_int_equal(
	    send_to(text_of(t, "uploadUrl"), "image/png", html, sizeof(html) - 1), 200);
	remote_ask(&library.by_admin, &a, "POST", "{}", "/media/%s/confirm", id);
	assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
	json_decref(t);
}

static void
files_may_be_read_from_the_bucket(void **state)
{
	const char *key = bucketsite_key(make(library.daemon, library.admin, "over there"));
	struct answer a;
	const char *to;

	(void)state;
	configure(library.daemon, "s3-redirect = true\n");
	daemon_reload(library.daemon);
	remote_ask(&library.by_admin, &a, "GET", NULL, "/media/file/%s", key);
	assert_int_equal(a.status, 302);
	to = answer_header(&a, "location");
	assert_non_null(strstr(to, "response-content-type=image%2Fpng"));
	assert_non_null(strstr(to, "response-content-disposition=inline%3B"));
	assert_non_null(strstr(to, "X-Amz-Signature="));
	assert_null(strstr(to, BUCKET_SECRET));
	answer_free(&a);
	must_serve("none.png", "", 404, NULL);
	configure(library.daemon, "");
	daemon_reload(library.daemon);
}

static void
the_doctor_asks_the_bucket_and_verify_reads_it(void **state)
{
	struct command c;

	(void)state;
	free(COMMAND(library.daemon, "verify"));
	command_run(library.daemon, &c, (const char *const[]){ "doctor", NULL });
	assert_non_null(strstr(c.out, "the bucket " BUCKET_NAME));
	command_free(&c);
}

static void
the_daemon_counts_what_it_asks_of_the_bucket(void **state)
{
	double good, hits, misses;
	const char *key = bucketsite_key(make(library.daemon, library.admin, "counted"));

	(void)state;
	good = watcher_sample(
	    library.daemon, "stet_bucket_requests_total{method=\"GET\",outcome=\"good\"}");
	hits = watcher_sample(library.daemon, "stet_file_cache_hits_total");
	misses = watcher_sample(library.daemon, "stet_file_cache_misses_total");
	assert_true(watcher_sample(library.daemon,
			"stet_bucket_requests_total{method=\"PUT\",outcome=\"good\"}") > 0);
	assert_true(watcher_sample(library.daemon,
			"stet_bucket_requests_total{method=\"PUT\",outcome=\"down\"}") > 0);
	assert_true(watcher_sample(library.daemon, "stet_bucket_sent_bytes_total") > 0);
	must_serve(key, "", 200, "counted");
	bucketsite_clear_cache(library.daemon);
	must_serve(key, "", 200, "counted");
	assert_true(watcher_sample(library.daemon,
			"stet_bucket_requests_total{method=\"GET\",outcome=\"good\"}") == good + 1);
	assert_true(watcher_sample(library.daemon, "stet_file_cache_hits_total") == hits + 1);
	assert_true(watcher_sample(library.daemon, "stet_file_cache_misses_total") == misses + 1);
	assert_true(watcher_sample(library.daemon, "stet_bucket_received_bytes_total") > 0);
	assert_true(watcher_sample(library.daemon, "stet_file_cache_bytes{site=\"main\"}") > 0);
}

/* The daemon is killed after the object was stored and before its row: the bucket reports when it
 * has the object. */
static void
a_kill_during_an_upload_leaves_no_row_without_a_file(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "killed");
	const struct file file = { "a.png", "image/png", bytes, len, NULL };
	unsigned puts = bucket_count(&bucket, &bucket.puts);
	struct client c;

	(void)state;
	bucket_fail(&bucket, BUCKET_LOSES, 1, "PUT", 0, NULL);
	client_open(&c, library.daemon, false);
	say_form(&c, library.admin, &file);
	while (bucket_count(&bucket, &bucket.puts) == puts)
		usleep(1000);
	daemon_signal(library.daemon, SIGKILL);
	assert_int_equal(daemon_ended(library.daemon), 128 + SIGKILL);
	client_close(&c);
	daemon_run(library.daemon, 0);
	remote_close(&library.by_admin);
	remote_open(&library.by_admin, library.daemon, library.admin);
	free(COMMAND(library.daemon, "verify"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uploads_lie_in_the_bucket_and_are_served),
		cmocka_unit_test(many_who_ask_at_once_fetch_a_file_once),
		cmocka_unit_test(an_upload_that_the_bucket_refuses_leaves_no_item),
		cmocka_unit_test(a_bucket_that_fails_does_not_take_the_cache_away),
		cmocka_unit_test(deleted_items_leave_the_bucket),
		cmocka_unit_test(a_target_is_a_signed_url_for_one_type_and_length),
		cmocka_unit_test(bytes_of_another_type_are_not_confirmed),
		cmocka_unit_test(files_may_be_read_from_the_bucket),
		cmocka_unit_test(the_doctor_asks_the_bucket_and_verify_reads_it),
		cmocka_unit_test(the_daemon_counts_what_it_asks_of_the_bucket),
		cmocka_unit_test(a_kill_during_an_upload_leaves_no_row_without_a_file),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
