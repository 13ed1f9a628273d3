/* blunders.c - a plugin calls the core with invalid values: the log names the plugin, and clients
 * get a fault. */
#include "remote.h"

#include <stdlib.h>

static struct daemon *d;
static struct remote admin;
static char *token;

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "call", "schema_create_collection", "slug=posts", "label=Posts"));
	remote_plugin(d, "t/plugins/.libs/blunderer.so", "blunderer.so", 0644);
	free(COMMAND(d, "module", "enable", "blunderer"));
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	daemon_stop(d);
	free(token);
	return 0;
}

static void
assert_code(const char *method, const char *body, const char *path, const char *code)
{
	struct answer a;

	remote_ask(&admin, &a, method, body, "%s", path);
	assert_int_equal(a.status, 500);
	assert_string_equal(answer_code(&a), code);
	answer_free(&a);
}

static void
a_number_that_is_no_status_is_a_fault_and_named_in_the_log(void **state)
{
	(void)state;
	assert_code("GET", NULL, "/plugins/blunderer/number", "BLUNDER_ERROR");
	(void)daemon_said(d, 0,
	    "operation blunderer__number of module blunderer returned 4711, which is no status");
}

static void
a_fault_that_was_not_told_of_is_told_of_once(void **state)
{
	(void)state;
	assert_code("GET", NULL, "/plugins/blunderer/told", "INTERNAL_ERROR");
	assert_code("GET", NULL, "/plugins/blunderer/bare", "INTERNAL_ERROR");
	(void)daemon_said(d, 0,
	    "operation blunderer__bare of module blunderer returned STET_FAULT without a word");
	assert_non_null(strstr(d->said, "told of by itself"));
	assert_null(strstr(d->said, "blunderer__told of module blunderer returned"));
}

static void
the_number_of_a_hook_is_named_too(void **state)
{
	static const char *const lines = "GET /_cms/api/content/posts HTTP/1.1\r\nHost: x\r\n"
					 "X-Blunder: number\r\n\r\n";
	size_t at = d->said_len;
	struct client c;
	struct answer a;

	(void)state;
	assert_code("POST", "{\"data\":{}}", "/content/posts", "CONTENT_HOOK_ERROR");
	at = daemon_said(
	    d, at, "entry_before_save of module blunderer failed: 4711, which is no status");
	client_open(&c, d, false);
	client_send(&c, lines, strlen(lines));
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 500);
	answer_free(&a);
	client_close(&c);
	(void)daemon_said(d, at, "hook request_authenticate of module blunderer returned 4711");
}

static void
the_cores_headers_are_not_a_handlers_to_set(void **state)
{
	struct answer a;

	(void)state;
	remote_ask(&admin, &a, "GET", NULL, "/plugins/blunderer/frame");
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "X-Blunder"), "none");
	assert_string_equal(answer_header(&a, "Content-Type"), "application/json");
	assert_null(strstr(a.head, "text/html"));
	assert_null(strstr(a.head, "Content-Length: 3\r\n"));
	assert_null(answer_header(&a, "Transfer-Encoding"));
	assert_null(answer_header(&a, "Connection"));
	assert_null(answer_header(&a, "Keep-Alive"));
	answer_free(&a);
	(void)daemon_said(d, 0, "module blunderer sets the header Content-Length");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_that_is_no_status_is_a_fault_and_named_in_the_log),
		cmocka_unit_test(a_fault_that_was_not_told_of_is_told_of_once),
		cmocka_unit_test(the_number_of_a_hook_is_named_too),
		cmocka_unit_test(the_cores_headers_are_not_a_handlers_to_set),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
