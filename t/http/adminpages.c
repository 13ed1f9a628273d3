/*
 * adminpages.c - how the files of the admin pages are served: headers, codings, paths of pages,
 * invalid names, and the responses without a bundle or with the module off. The bundle is made by
 * this test.
 */
#include "remote.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE "/_cms/admin"
#define INDEX "<!doctype html><title>pages</title>"

static struct daemon *d;

static const char *
in_bundle(const char *name)
{
	static char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", daemon_path(d, "pages"), name);
	return path;
}

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	assert_int_equal(mkdir(daemon_path(d, "pages"), 0755), 0);
	assert_int_equal(mkdir(in_bundle("assets"), 0755), 0);
	daemon_put_file(d, "pages/index.html", INDEX);
	daemon_put_file(d, "pages/LICENSES.txt", "terms");
	daemon_put_file(d, "pages/assets/main-AB12.js", "plain");
	daemon_put_file(d, "pages/assets/main-AB12.js.gz", "gzip");
	daemon_put_file(d, "pages/assets/main-AB12.js.zst", "zstd");
	daemon_put_file(d, "pages/assets/style-CD34.css", "css");
	daemon_put_file(d, "pages/assets/style-CD34.css.gz", "css gzip");
	daemon_put_file(d, "pages/assets/.hidden.js", "hidden");
	assert_int_equal(symlink("/etc/passwd", in_bundle("assets/link.js")), 0);
	assert_int_equal(mkdir(in_bundle("assets/directory.js"), 0755), 0);
	assert_int_equal(setenv("STET_ADMIN_PATH", daemon_path(d, "pages"), 1), 0);
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d); /* removes its directory, too */
	return 0;
}

/* Sends a request with one more header line: "", or a line with its CRLF. */
static void
request(struct answer *a, const char *method, const char *path, const char *header)
{
	char lines[1000];
	int len = snprintf(lines, sizeof(lines), "X-CMS-Request: 1\r\n%s%s",
	    strcmp(method, "POST") == 0 ? "Content-Length: 0\r\n" : "", header);

	assert_in_range(len, 1, sizeof(lines) - 1);
	ask_more(d, a, method, path, lines);
}

static const char *
header(const struct answer *a, const char *name)
{
	const char *value = answer_header(a, name);

	return value != NULL ? value : "";
}

static void
every_path_below_is_the_document(void **state)
{
	static const char *const paths[] = { BASE, BASE "/signin", BASE "/collections/posts",
		BASE "/collections/posts/01J00000000000000000000000/compare", BASE "/a/b/c/d/e",
		BASE "/collections/posts?status=draft&cursor=x", BASE "/%3Cscript%3E" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct answer a;

		request(&a, "GET", paths[i], "");
		if (a.status != 200 || strcmp(a.body, INDEX) != 0)
			fail_msg("%s: %d %s", paths[i], a.status, a.body);
		assert_string_equal(header(&a, "content-type"), "text/html; charset=utf-8");
		assert_string_equal(header(&a, "cache-control"), "no-store");
		assert_string_equal(header(&a, "x-content-type-options"), "nosniff");
		assert_string_equal(header(&a, "cross-origin-opener-policy"), "same-origin");
		answer_free(&a);
	}
}

static void
a_slash_at_the_end_leads_to_the_path_without_it(void **state)
{
	static const char *const cases[][2] = { { BASE "/", BASE },
		{ BASE "/?language=xb&x=%0d%0aX:%20y", BASE "?language=xb&x=%0d%0aX:%20y" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer a;

		request(&a, "GET", cases[i][0], "");
		if (a.status != 308 || strcmp(header(&a, "location"), cases[i][1]) != 0)
			fail_msg("%s: %d %s", cases[i][0], a.status, header(&a, "location"));
		assert_int_equal(a.len, 0);
		assert_string_equal(header(&a, "x"), "");
		answer_free(&a);
	}
}

static void
browsers_are_led_from_the_root(void **state)
{
	struct answer a;

	(void)state;
	request(&a, "GET", "/",
	    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n");
	assert_int_equal(a.status, 302);
	assert_string_equal(header(&a, "location"), BASE);
	assert_string_equal(header(&a, "vary"), "Accept");
	answer_free(&a);
	request(&a, "GET", "/", "Accept: */*\r\n");
	assert_int_equal(a.status, 404);
	assert_non_null(strstr(a.body, "\"NOT_FOUND\""));
	answer_free(&a);
}

static void
the_policy_allows_no_script_but_its_own(void **state)
{
	static const char *const parts[] = { "default-src 'none';", "script-src 'self';",
		"style-src 'self';", "connect-src 'self';", "base-uri 'none';",
		"form-action 'self';", "frame-ancestors 'none';",
		"require-trusted-types-for 'script';" };
	struct answer a;
	const char *policy;

	(void)state;
	request(&a, "GET", BASE, "");
	policy = header(&a, "content-security-policy");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(policy, parts[i]) == NULL)
			fail_msg("%s is not in %s", parts[i], policy);
	assert_null(strstr(policy, "unsafe"));
	/* The only other origin in the policy is that of the site, for previews. */
	assert_non_null(strstr(policy, "frame-src 'self' http://localhost"));
	answer_free(&a);
}

static void
files_are_sent_in_the_best_coding_that_is_accepted(void **state)
{
	static const struct {
		const char *name, *accept, *coding, *body;
	} cases[] = {
		{ "main-AB12.js", "", "", "plain" },
		{ "main-AB12.js", "Accept-Encoding: gzip\r\n", "gzip", "gzip" },
		{ "main-AB12.js", "Accept-Encoding: gzip, br, zstd\r\n", "zstd", "zstd" },
		{ "main-AB12.js", "Accept-Encoding: gzip;q=0.5, zstd;q=0\r\n", "gzip", "gzip" },
		{ "main-AB12.js", "Accept-Encoding: gzip;q=0.0, zstd;q=0.000\r\n", "", "plain" },
		{ "main-AB12.js", "Accept-Encoding: GZIP; q=0.001\r\n", "gzip", "gzip" },
		{ "main-AB12.js", "Accept-Encoding: *\r\n", "zstd", "zstd" },
		{ "main-AB12.js", "Accept-Encoding: *;q=0\r\n", "", "plain" },
		{ "main-AB12.js", "Accept-Encoding: identity, br\r\n", "", "plain" },
		{ "main-AB12.js", "Accept-Encoding: gzipped, xzstd\r\n", "", "plain" },
		{ "main-AB12.js", "Accept-Encoding: ,;q=1,, ;\r\n", "", "plain" },
		{ "style-CD34.css", "Accept-Encoding: gzip, zstd\r\n", "gzip", "css gzip" },
		{ "style-CD34.css", "Accept-Encoding: zstd\r\n", "", "css" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer a;
		char path[64];

		(void)snprintf(path, sizeof(path), BASE "/assets/%s", cases[i].name);
		request(&a, "GET", path, cases[i].accept);
		if (a.status != 200 || strcmp(a.body, cases[i].body) != 0 ||
		    strcmp(header(&a, "content-encoding"), cases[i].coding) != 0)
			fail_msg("%s, %s: %d %s (%s)", path, cases[i].accept, a.status, a.body,
			    header(&a, "content-encoding"));
		assert_string_equal(header(&a, "vary"), "Accept-Encoding");
		assert_string_equal(
		    header(&a, "cache-control"), "public, max-age=31536000, immutable");
		assert_string_equal(header(&a, "x-content-type-options"), "nosniff");
		answer_free(&a);
	}
}

static void
each_coding_has_a_tag_of_its_own(void **state)
{
	struct answer plain, coded, again;
	char condition[128];

	(void)state;
	request(&plain, "GET", BASE "/assets/main-AB12.js", "");
	request(&coded, "GET", BASE "/assets/main-AB12.js", "Accept-Encoding: gzip\r\n");
	assert_string_not_equal(header(&plain, "etag"), "");
	assert_string_not_equal(header(&plain, "etag"), header(&coded, "etag"));
	(void)snprintf(
	    condition, sizeof(condition), "If-None-Match: %s\r\n", header(&plain, "etag"));
	request(&again, "GET", BASE "/assets/main-AB12.js", condition);
	assert_int_equal(again.status, 304);
	answer_free(&plain);
	answer_free(&coded);
	answer_free(&again);
}

static void
names_that_are_no_file_are_not_found(void **state)
{
	static const char *const names[] = { "none.js", ".hidden.js", "link.js", "directory.js",
		"main-AB12.js.gz", "..%2findex.html", "%2e%2e", "main-AB12.js%00.js", "noending",
		"a%5cb.js", "%C3%A9.js" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct answer a;
		char path[64];

		(void)snprintf(path, sizeof(path), BASE "/assets/%s", names[i]);
		request(&a, "GET", path, "Accept-Encoding: gzip\r\n");
		if (a.status != 404 && a.status != 400)
			fail_msg("%s: %d %s", path, a.status, a.body);
		assert_string_equal(header(&a, "content-encoding"), "");
		answer_free(&a);
	}
}

static void
head_is_get_without_a_body_and_other_methods_are_refused(void **state)
{
	static const char *const paths[] = { BASE, BASE "/x/y", BASE "/assets/main-AB12.js" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct answer a;

		request(&a, "HEAD", paths[i], "");
		assert_int_equal(a.status, 200);
		assert_int_equal(a.len, 0);
		answer_free(&a);
		request(&a, "POST", paths[i], "");
		assert_int_equal(a.status, 405);
		answer_free(&a);
	}
}

static void
an_expired_token_does_not_keep_the_pages_away(void **state)
{
	struct answer a;

	(void)state;
	request(&a, "GET", BASE, "Authorization: Bearer expired\r\n");
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

static void
plain_pages_of_signing_in_lead_to_them(void **state)
{
	static const char *const cases[][2] = { { "/_cms/signin", BASE "/signin" },
		{ "/_cms/signin?next=/_cms/oauth/device%3Fuser_code%3DA%26b",
		    BASE "/signin?next=%2F_cms%2Foauth%2Fdevice%3Fuser_code%3DA%26b" },
		{ "/_cms/signin?next=/x&error=link_expired",
		    BASE "/signin?next=%2Fx&error=link_expired" },
		{ "/_cms/signin?next=https://evil.example/&error=%0d%0aX:%20y",
		    BASE "/signin?error=%0D%0AX%3A%20y" },
		{ "/_cms/signin/link", BASE "/link" }, { "/_cms/setup", BASE "/setup" },
		{ "/_cms/invite", BASE "/invite" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer a;

		request(&a, "GET", cases[i][0], "");
		if (a.status != 302 || strcmp(header(&a, "location"), cases[i][1]) != 0)
			fail_msg("%s: %d %s", cases[i][0], a.status, header(&a, "location"));
		assert_string_equal(header(&a, "cache-control"), "no-store");
		assert_null(strcasestr(
		    strcasestr(a.head, "cache-control:") + 1, "cache-control:")); /* once */
		answer_free(&a);
	}
}

static void
without_a_bundle_a_plain_page_says_so(void **state)
{
	char moved[4200];
	struct answer a;

	(void)state;
	(void)snprintf(moved, sizeof(moved), "%s.moved", in_bundle("index.html"));
	assert_int_equal(rename(in_bundle("index.html"), moved), 0);
	request(&a, "GET", BASE "/collections/posts", "");
	assert_int_equal(a.status, 404);
	assert_non_null(strstr(a.body, "were not built"));
	assert_string_equal(header(&a, "content-type"), "text/html; charset=utf-8");
	answer_free(&a);
	request(&a, "GET", BASE, "Accept-Language: de-AT\r\n");
	assert_non_null(strstr(a.body, "<html lang=\"de\">"));
	assert_non_null(strstr(a.body, "wurden nicht erstellt"));
	answer_free(&a);
	request(&a, "GET", "/_cms/signin", "");
	assert_int_equal(a.status, 200); /* a plain page of the daemon */
	answer_free(&a);
	assert_int_equal(rename(moved, in_bundle("index.html")), 0);
	request(&a, "GET", BASE, "");
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

static void
with_the_module_off_the_pages_are_gone_and_the_api_works(void **state)
{
	char *token = remote_token(d, "admin", "admin");
	struct remote r;
	struct answer a;

	(void)state;
	remote_open(&r, d, token);
	json_decref(remote_must(&r, 200, "POST", "{}", "/admin/plugins/admin/disable"));
	request(&a, "GET", BASE, "");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	request(&a, "GET", BASE "/", "");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	request(&a, "GET", BASE "/assets/main-AB12.js", "");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	request(&a, "GET", "/_cms/signin", "");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	json_decref(remote_must(&r, 200, "GET", NULL, "/admin/manifest"));
	json_decref(remote_must(&r, 200, "POST", "{}", "/admin/plugins/admin/enable"));
	request(&a, "GET", BASE, "");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	remote_close(&r);
	free(token);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_path_below_is_the_document),
		cmocka_unit_test(a_slash_at_the_end_leads_to_the_path_without_it),
		cmocka_unit_test(browsers_are_led_from_the_root),
		cmocka_unit_test(the_policy_allows_no_script_but_its_own),
		cmocka_unit_test(files_are_sent_in_the_best_coding_that_is_accepted),
		cmocka_unit_test(each_coding_has_a_tag_of_its_own),
		cmocka_unit_test(names_that_are_no_file_are_not_found),
		cmocka_unit_test(head_is_get_without_a_body_and_other_methods_are_refused),
		cmocka_unit_test(an_expired_token_does_not_keep_the_pages_away),
		cmocka_unit_test(plain_pages_of_signing_in_lead_to_them),
		cmocka_unit_test(without_a_bundle_a_plain_page_says_so),
		cmocka_unit_test(with_the_module_off_the_pages_are_gone_and_the_api_works),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
