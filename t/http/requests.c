/* requests.c - heads and replies: keep-alive, pipelining, HEAD, OPTIONS, tags, headers, hosts. */
#include "daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#define API "/_cms/api"

static struct daemon *d;

static int
start(void **state)
{
	*state = d = daemon_start(
	    NULL, "hosts = { \"*\" }\ncors-origins = { \"https://app.example.org\" }", 0);
	return 0;
}

static void
get(struct client *c, const char *path)
{
	client_say(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
}

static void
a_reply_has_the_headers_of_every_reply(void **state)
{
	struct answer a;

	(void)state;
	ask(d, &a, "GET", API "/echo?text=hi");
	assert_int_equal(a.status, 200);
	assert_string_equal(a.body, "{\"success\":true,\"data\":{\"text\":\"hi\",\"length\":2}}");
	assert_string_equal(answer_header(&a, "Content-Type"), "application/json");
	assert_string_equal(answer_header(&a, "X-Content-Type-Options"), "nosniff");
	assert_string_equal(
	    answer_header(&a, "Referrer-Policy"), "strict-origin-when-cross-origin");
	assert_string_equal(answer_header(&a, "Cache-Control"), "private, no-store");
	assert_string_equal(answer_header(&a, "Connection"), "close");
	assert_int_equal(strlen(answer_header(&a, "X-Request-Id")), 26);
	assert_int_equal(strlen(answer_header(&a, "Date")), 29);
	assert_non_null(answer_header(&a, "ETag"));
	answer_free(&a);
}

static void
a_connection_serves_one_request_after_the_other(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	for (int i = 0; i < 50; i++) {
		char text[32];

		client_say(&c, "GET " API "/echo?text=%d HTTP/1.1\r\nHost: x\r\n\r\n", i);
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 200);
		assert_null(answer_header(&a, "Connection"));
		(void)snprintf(text, sizeof(text), "\"text\":\"%d\"", i);
		assert_non_null(strstr(a.body, text));
		answer_free(&a);
	}
	client_close(&c);
}

static void
pipelined_requests_are_answered_in_order(void **state)
{
	struct client c;
	struct answer a;
	char *all = calloc(1, 200000);
	size_t len = 0;

	(void)state;
	assert_non_null(all);
	/* Reads and writes in turns: a write leaves the worker, and the next waits for it. */
	for (int i = 0; i < 300; i++)
		len += (size_t)snprintf(all + len, 200000 - len,
		    "POST " API "/%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		    "Content-Length: 16\r\n\r\n{\"text\":\"%05d\"}",
		    i % 3 == 0 ? "count" : "echo", i);
	client_open(&c, d, false);
	client_send(&c, all, len);
	for (int i = 0; i < 300; i++) {
		char text[16];

		client_answer(&c, &a, false);
		(void)snprintf(text, sizeof(text), "\"%05d\"", i);
		if (i % 3 != 0) {
			assert_int_equal(a.status, 200);
			assert_non_null(strstr(a.body, text));
		}
		answer_free(&a);
	}
	client_close(&c);
	free(all);
}

static void
a_request_may_come_byte_by_byte(void **state)
{
	static const char bytes[] = "POST " API "/echo HTTP/1.1\r\nHost: x\r\n"
				    "Content-Type: application/json\r\nContent-Length: 13\r\n\r\n"
				    "{\"text\":\"ab\"}";
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	for (size_t i = 0; i < sizeof(bytes) - 1; i++)
		client_send(&c, bytes + i, 1);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_non_null(strstr(a.body, "\"ab\""));
	answer_free(&a);
	client_close(&c);
}

static void
head_is_get_without_a_body(void **state)
{
	struct answer get_, head;
	struct client c;

	(void)state;
	client_open(&c, d, false);
	get(&c, API "/tagged");
	client_answer(&c, &get_, false);
	client_say(&c, "HEAD " API "/tagged HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &head, true);
	assert_int_equal(head.status, 200);
	assert_string_equal(
	    answer_header(&get_, "Content-Length"), answer_header(&head, "Content-Length"));
	answer_free(&head);
	/* The response to HEAD has no body, also if it is an error. */
	client_say(&c, "HEAD " API "/nothing HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &head, true);
	assert_int_equal(head.status, 404);
	answer_free(&get_);
	answer_free(&head);
	client_close(&c);
}

static void
options_tells_what_a_path_allows(void **state)
{
	struct answer a;

	(void)state;
	ask(d, &a, "OPTIONS", API "/echo");
	assert_int_equal(a.status, 204);
	assert_string_equal(answer_header(&a, "Allow"), "GET, HEAD, POST, OPTIONS");
	assert_null(answer_header(&a, "Content-Length"));
	answer_free(&a);
	ask(d, &a, "OPTIONS", "*");
	assert_int_equal(a.status, 204);
	answer_free(&a);
	ask(d, &a, "OPTIONS", API "/nothing");
	assert_int_equal(a.status, 404);
	answer_free(&a);
}

static void
a_known_tag_answers_304(void **state)
{
	static const struct {
		const char *list;
		int status;
	} cases[] = { { "\"version-7\"", 304 }, { "W/\"version-7\"", 304 },
		{ "\"a\", \"version-7\"", 304 }, { "\"a\",W/\"b\" , W/\"version-7\"", 304 },
		{ "*", 304 }, { "\"version-70\"", 200 }, { "\"version\"", 200 },
		{ "version-7", 200 }, { "\"version-7", 200 }, { "W/", 200 }, { ",", 200 } };
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		client_say(&c,
		    "GET " API "/tagged HTTP/1.1\r\nHost: x\r\nIf-None-Match: %s\r\n\r\n",
		    cases[i].list);
		client_answer(&c, &a, false);
		assert_int_equal(a.status, cases[i].status);
		assert_string_equal(answer_header(&a, "ETag"), "\"version-7\"");
		assert_string_equal(answer_header(&a, "Cache-Control"), "no-cache");
		answer_free(&a);
	}
	client_close(&c);
}

static void
what_is_not_there_is_said_in_the_envelope(void **state)
{
	struct answer a;

	(void)state;
	ask(d, &a, "GET", "/");
	assert_int_equal(a.status, 404);
	assert_string_equal(answer_code(&a), "NOT_FOUND");
	answer_free(&a);
	ask(d, &a, "DELETE", API "/echo");
	assert_int_equal(a.status, 405);
	assert_string_equal(answer_code(&a), "METHOD_NOT_ALLOWED");
	assert_string_equal(answer_header(&a, "Allow"), "GET, HEAD, POST, OPTIONS");
	answer_free(&a);
	ask(d, &a, "POST", API "/private");
	assert_int_equal(a.status, 401);
	assert_string_equal(answer_code(&a), "UNAUTHORIZED");
	assert_string_equal(answer_header(&a, "WWW-Authenticate"), "Bearer");
	answer_free(&a);
	ask(d, &a, "GET", API "/fault");
	assert_int_equal(a.status, 500);
	assert_string_equal(answer_code(&a), "PROBE_ERROR");
	assert_null(strstr(a.body, "secret"));
	answer_free(&a);
}

static void
a_large_reply_arrives_whole(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, true);
	for (int i = 0; i < 3; i++)
		client_say(&c, "GET " API "/big?size=3000000 HTTP/1.1\r\nHost: x\r\n\r\n");
	for (int i = 0; i < 3; i++) {
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 200);
		assert_true(a.whole);
		assert_int_equal(json_string_length(json_object_get(a.json, "data")), 3000000);
		answer_free(&a);
	}
	client_close(&c);
}

static void
http_1_0_closes_unless_asked_to_keep(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "GET " API "/echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "Connection"), "keep-alive");
	answer_free(&a);
	client_say(&c, "GET " API "/echo HTTP/1.0\r\n\r\n");
	client_answer(&c, &a, false);
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}

#ifndef OVER_TLS /* the openssl command cannot close only its sending side: t/http/tls.c */
static void
a_client_that_has_said_all_is_answered(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/count HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
	assert_int_equal(shutdown(c.fd, SHUT_WR), 0);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 201);
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reply_has_the_headers_of_every_reply),
		cmocka_unit_test(a_connection_serves_one_request_after_the_other),
		cmocka_unit_test(pipelined_requests_are_answered_in_order),
		cmocka_unit_test(a_request_may_come_byte_by_byte),
		cmocka_unit_test(head_is_get_without_a_body),
		cmocka_unit_test(options_tells_what_a_path_allows),
		cmocka_unit_test(a_known_tag_answers_304),
		cmocka_unit_test(what_is_not_there_is_said_in_the_envelope),
		cmocka_unit_test(a_large_reply_arrives_whole),
		cmocka_unit_test(http_1_0_closes_unless_asked_to_keep),
#ifndef OVER_TLS
		cmocka_unit_test(a_client_that_has_said_all_is_answered),
#endif
	};

	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
