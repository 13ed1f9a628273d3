/* pages.c - the headers of the HTML pages; the pages allow only GET and HEAD. */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>

static struct daemon *d;

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	return 0;
}

/* Requests with GET. For the last two, callers who are not signed in are redirected. */
static const struct {
	const char *path;
	int status;
	bool posts; /* the page has a form that is posted to itself */
} pages[] = {
	{ "/_cms/setup", 200, false },
	{ "/_cms/signin", 200, false },
	{ "/_cms/signin?error=%3Cscript%3E", 200, false },
	{ "/_cms/signin/link", 200, false },
	{ "/_cms/invite", 200, false },
	{ "/_cms/oauth/authorize", 400, true },
	{ "/_cms/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fx.example", 400, true },
	{ "/_cms/account", 302, false },
	{ "/_cms/oauth/device", 302, true },
	{ "/_cms/account/apps", 302, true },
};
#define EACH(p) for (size_t p = 0; p < sizeof(pages) / sizeof(pages[0]); p++)

static void
request(struct answer *a, const char *method, const char *path)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c,
	    "%s %s HTTP/1.1\r\nHost: x\r\nX-CMS-Request: 1\r\n%sConnection: close\r\n\r\n", method,
	    path, strcmp(method, "POST") == 0 ? "Content-Length: 0\r\n" : "");
	client_answer(&c, a, strcmp(method, "HEAD") == 0);
	client_close(&c);
}

static void
expect(const struct answer *a, const char *path, const char *name, const char *part)
{
	const char *value = answer_header(a, name);

	if (value == NULL || strstr(value, part) == NULL)
		fail_msg("%s: %s is %s", path, name, value != NULL ? value : "absent");
}

static void
nobody_frames_keeps_or_guesses_a_page(void **state)
{
	(void)state;
	EACH(i)
	{
		const char *path = pages[i].path;
		struct answer a;

		request(&a, "GET", path);
		if (a.status != pages[i].status)
			fail_msg("%s: %d", path, a.status);
		expect(&a, path, "cache-control", "no-store");
		expect(&a, path, "x-content-type-options", "nosniff");
		if (a.status != 302) {
			expect(&a, path, "content-type", "text/html; charset=utf-8");
			expect(&a, path, "content-security-policy", "default-src 'none'");
			expect(&a, path, "content-security-policy", "frame-ancestors 'none'");
			expect(&a, path, "content-security-policy", "base-uri 'none'");
			assert_null(strstr(answer_header(&a, "content-security-policy"), "unsafe"));
			assert_null(strstr(a.body, "<script>"));
		}
		assert_null(answer_header(&a, "access-control-allow-origin"));
		answer_free(&a);
	}
}

static void
head_is_get_without_a_body(void **state)
{
	(void)state;
	EACH(i)
	{
		struct answer a;

		request(&a, "HEAD", pages[i].path);
		assert_int_equal(a.status, pages[i].status);
		assert_int_equal(a.len, 0);
		answer_free(&a);
	}
}

static void
pages_answer_no_other_method(void **state)
{
	static const char *const methods[] = { "POST", "PUT", "DELETE", "PATCH" };

	(void)state;
	EACH(i)
	for (size_t m = pages[i].posts ? 1 : 0; m < sizeof(methods) / sizeof(methods[0]); m++) {
		struct answer a;

		request(&a, methods[m], pages[i].path);
		if (a.status != 405)
			fail_msg("%s %s: %d", methods[m], pages[i].path, a.status);
		expect(&a, pages[i].path, "allow", "GET");
		answer_free(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_frames_keeps_or_guesses_a_page),
		cmocka_unit_test(head_is_get_without_a_body),
		cmocka_unit_test(pages_answer_no_other_method),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
