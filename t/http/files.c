/* files.c - answers that are files: whole ones, slow clients and lost ones, files that change. */
#include "filed.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE 30000000
#define SMALL 1000

static struct daemon *d;

static int
start(void **state)
{
	*state = d =
	    daemon_start("body-timeout = \"1s\"\n", "cors-origins = { \"https://a.example\" }", 0);
	filed_make(d, "large", LARGE);
	filed_make(d, "small", SMALL);
	filed_make(d, "empty", 0);
	return 0;
}

static void
a_file_is_answered_whole(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	for (int i = 0; i < 3; i++) {
		filed_say(
		    d, &c, "GET", "large", "&type=video/mp4&tag=abc&modified=1700000000123", "");
		/* The response to a pipelined request follows. */
		filed_say(d, &c, "GET", "small", "", "");
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 200);
		filed_header(&a, "Content-Type", "video/mp4");
		filed_header(&a, "Content-Length", "30000000");
		filed_header(&a, "Transfer-Encoding", NULL);
		filed_header(&a, "ETag", "\"abc\"");
		filed_header(&a, "Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT");
		filed_header(&a, "Accept-Ranges", "bytes");
		filed_header(&a, "X-Content-Type-Options", "nosniff");
		filed_header(&a, "Content-Disposition", "inline");
		filed_header(&a, "Cache-Control", "private, no-store");
		filed_header(&a, "Content-Range", NULL);
		assert_non_null(strstr(answer_header(&a, "Content-Security-Policy"), "sandbox"));
		filed_bytes(&a, 0, LARGE);
		answer_free(&a);
		client_answer(&c, &a, false);
		filed_header(&a, "ETag", NULL);
		filed_header(&a, "Content-Type", "application/octet-stream");
		filed_bytes(&a, 0, SMALL);
		answer_free(&a);
	}
	filed_say(d, &c, "GET", "empty", "", "Connection: close\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	filed_header(&a, "Content-Length", "0");
	assert_int_equal(a.len, 0);
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}

static void
a_slow_handler_may_answer_with_one_too(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "GET " API "/file/slow?path=%s HTTP/1.0\r\nRange: bytes=990-\r\n\r\n",
	    daemon_path(d, "small"));
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 206);
	filed_bytes(&a, 990, 10);
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}

static void
head_says_the_same_without_bytes(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	filed_say(d, &c, "HEAD", "large", "&tag=t&name=a.bin", "Range: bytes=0-1\r\n");
	client_answer(&c, &a, true);
	assert_int_equal(a.status, 200);
	filed_header(&a, "Content-Length", "30000000");
	filed_header(&a, "Content-Range", NULL);
	filed_header(&a, "Accept-Ranges", "bytes");
	filed_header(&a, "Content-Disposition", "attachment; filename=\"a.bin\"");
	answer_free(&a);
	filed_say(d, &c, "HEAD", "large", "&tag=t", "If-None-Match: \"t\"\r\n");
	client_answer(&c, &a, true);
	assert_int_equal(a.status, 304);
	answer_free(&a);
	filed_say(d, &c, "HEAD", "large", "&tag=t", "If-Match: \"x\"\r\n");
	client_answer(&c, &a, true);
	assert_int_equal(a.status, 412);
	answer_free(&a);
	filed_say(d, &c, "GET", "small", "", "");
	client_answer(&c, &a, false);
	filed_bytes(&a, 0, SMALL);
	answer_free(&a);
	client_close(&c);
}

static void
a_file_is_not_compressed(void **state)
{
	struct answer a;

	(void)state;
	filed_make(d, "text", 100000);
	filed_get(d, &a, "text", "&type=text/plain&tag=t&cache=public",
	    "Accept-Encoding: gzip, zstd\r\nOrigin: https://a.example\r\n");
	filed_header(&a, "Content-Encoding", NULL);
	filed_header(&a, "ETag", "\"t\"");
	filed_header(&a, "Vary", "Origin");
	filed_header(&a, "Access-Control-Allow-Origin", "https://a.example");
	assert_non_null(
	    strstr(answer_header(&a, "Access-Control-Expose-Headers"), "Content-Range"));
	assert_non_null(
	    strstr(answer_header(&a, "Access-Control-Expose-Headers"), "Accept-Ranges"));
	filed_bytes(&a, 0, 100000);
	answer_free(&a);
}

static void
what_is_no_file_is_a_fault(void **state)
{
	struct answer a;

	(void)state;
	filed_get(d, &a, "data", "", "");
	assert_int_equal(a.status, 500);
	assert_string_equal(answer_code(&a), "INTERNAL_ERROR");
	answer_free(&a);
	filed_get(d, &a, "nothing", "", "");
	assert_int_equal(a.status, 404);
	answer_free(&a);
}

static void
a_slow_reader_costs_no_memory(void **state)
{
	struct client c;
	struct answer a;
	long before;

	(void)state;
	filed_get(d, &a, "large", "", "");
	answer_free(&a);
	before = daemon_resident(d);
	client_open(&c, d, true);
	filed_say(d, &c, "GET", "large", "", "");
	/* Other clients are served while this one does not read. */
	for (int i = 0; i < 20; i++) {
		filed_get(d, &a, "small", "", "");
		filed_bytes(&a, 0, SMALL);
		answer_free(&a);
	}
	client_answer(&c, &a, false);
	filed_bytes(&a, 0, LARGE);
	answer_free(&a);
	assert_true(daemon_resident(d) - before < 4000000);
	client_close(&c);
}

static void
what_is_on_the_disk_only_arrives_the_same(void **state)
{
	struct answer a;

	(void)state;
	(void)filed_forget(d, "large");
	filed_get(d, &a, "large", "", "");
	filed_bytes(&a, 0, LARGE);
	answer_free(&a);
	(void)filed_forget(d, "large");
	filed_get(d, &a, "large", "", "Range: bytes=7000001-12000000\r\n");
	filed_bytes(&a, 7000001, 5000000);
	answer_free(&a);
	for (int i = 0; i < 3; i++) {
		(void)filed_forget(d, "small");
		filed_get(d, &a, "small", "", "");
		filed_bytes(&a, 0, SMALL);
		answer_free(&a);
	}
}

/* Waits until the daemon has closed the file. */
static void
wait_until_closed(const char *name)
{
	for (int ms = 0; filed_descriptors(d, name) > 0; ms += 10) {
		if (ms >= WAIT_MS)
			fail_msg("%s is still open", name);
		assert_int_equal(poll(NULL, 0, 10), 0);
	}
}

static void
a_client_that_leaves_gives_the_file_back(void **state)
{
	char bytes[1000];
	struct client c[10];

	(void)state;
	wait_until_closed("large");
	(void)filed_forget(d, "large");
	for (int i = 0; i < 10; i++) {
		client_open(&c[i], d, true);
		filed_say(d, &c[i], "GET", "large", "", "");
		assert_true(client_read(&c[i], bytes, sizeof(bytes)) > 0);
	}
	assert_int_equal(filed_descriptors(d, "large"), 10);
	for (int i = 0; i < 10; i++)
		client_close(&c[i]);
	wait_until_closed("large");
}

static void
a_client_that_stops_reading_is_dropped(void **state)
{
	struct client c;
	char byte;

	(void)state;
	client_open(&c, d, true);
	filed_say(d, &c, "GET", "large", "", "");
	assert_true(client_read(&c, &byte, 1) > 0);
	assert_int_equal(filed_descriptors(d, "large"), 1);
	/* body-timeout passes without a byte being read. */
	wait_until_closed("large");
	client_close(&c);
}

static void
a_file_that_is_removed_meanwhile_is_sent_whole(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	filed_make(d, "going", LARGE);
	client_open(&c, d, true);
	filed_say(d, &c, "GET", "going", "", "");
	assert_false(client_quiet(&c, WAIT_MS));
	assert_int_equal(unlink(daemon_path(d, "going")), 0);
	client_answer(&c, &a, false);
	filed_bytes(&a, 0, LARGE);
	answer_free(&a);
	client_close(&c);
}

/* The response announced its length, so the client knows from the end of the connection that bytes
 * are missing. */
static void
a_file_that_becomes_shorter_ends_the_connection(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	filed_make(d, "shrinking", LARGE);
	client_open(&c, d, true);
	filed_say(d, &c, "GET", "shrinking", "", "");
	assert_false(client_quiet(&c, WAIT_MS));
	assert_int_equal(truncate(daemon_path(d, "shrinking"), 1000), 0);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_false(a.whole);
	answer_free(&a);
	client_close(&c);
	(void)daemon_said(d, 0, "became shorter");
	filed_get(d, &a, "small", "", "");
	filed_bytes(&a, 0, SMALL);
	answer_free(&a);
}

/* A transfer that was interrupted continues where it stopped, as with `curl -C -`. */
static void
a_transfer_that_was_cut_off_goes_on(void **state)
{
	char bytes[65536], headers[100];
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, true);
	filed_say(d, &c, "GET", "large", "&tag=v1", "");
	assert_true(client_read(&c, bytes, sizeof(bytes)) > 0);
	client_close(&c);
	(void)snprintf(headers, sizeof(headers), "Range: bytes=12345678-\r\nIf-Range: \"v1\"\r\n");
	filed_get(d, &a, "large", "&tag=v1", headers);
	assert_int_equal(a.status, 206);
	filed_header(&a, "Content-Range", "bytes 12345678-29999999/30000000");
	filed_bytes(&a, 12345678, LARGE - 12345678);
	answer_free(&a);
	/* The file has another entity tag now, so all of it is sent. */
	filed_get(d, &a, "large", "&tag=v2", headers);
	assert_int_equal(a.status, 200);
	filed_bytes(&a, 0, LARGE);
	answer_free(&a);
}

/* This is the last test, since it stops the daemon. */
static void
what_is_on_its_way_arrives_though_the_daemon_stops(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, true);
	filed_say(d, &c, "GET", "large", "", "");
	assert_false(client_quiet(&c, WAIT_MS));
	daemon_signal(d, SIGTERM);
	client_answer(&c, &a, false);
	filed_bytes(&a, 0, LARGE);
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
	assert_int_equal(daemon_ended(d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_answered_whole),
		cmocka_unit_test(a_slow_handler_may_answer_with_one_too),
		cmocka_unit_test(head_says_the_same_without_bytes),
		cmocka_unit_test(a_file_is_not_compressed),
		cmocka_unit_test(what_is_no_file_is_a_fault),
		cmocka_unit_test(a_slow_reader_costs_no_memory),
		cmocka_unit_test(what_is_on_the_disk_only_arrives_the_same),
		cmocka_unit_test(a_client_that_leaves_gives_the_file_back),
		cmocka_unit_test(a_client_that_stops_reading_is_dropped),
		cmocka_unit_test(a_file_that_is_removed_meanwhile_is_sent_whole),
		cmocka_unit_test(a_file_that_becomes_shorter_ends_the_connection),
		cmocka_unit_test(a_transfer_that_was_cut_off_goes_on),
		cmocka_unit_test(what_is_on_its_way_arrives_though_the_daemon_stops),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
