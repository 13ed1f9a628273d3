/*
 * pluginpages.c - the files of pages that plugins add to the admin pages: access to them, headers,
 * invalid names, unusable files; and what the manifest lists for whom. The plugin is
 * t/plugins/pager.c; this test makes the files.
 */
#include "remote.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES "/_cms/admin/plugin-files"
#define DESK FILES "/pager/desk.html"
#define TEXT "<!doctype html><title>Desk</title>"

static struct daemon *d;
static struct remote admin;
static char *token;

static const char *
in_pages(const char *name)
{
	static char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", daemon_path(d, "pager.pages"), name);
	return path;
}

static void
put_directory(const char *name)
{
	assert_int_equal(mkdir(in_pages(name), 0755), 0);
	assert_int_equal(chmod(in_pages(name), 0755), 0);
}

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	remote_plugin(d, "t/plugins/pager/.libs/pager.so", "pager.so", 0644);
	put_directory("");
	put_directory("inner");
	daemon_put_file(d, "pager.pages/desk.html", TEXT);
	daemon_put_file(d, "pager.pages/desk.js", "let x;");
	daemon_put_file(d, "pager.pages/desk.css", "p {}");
	daemon_put_file(d, "pager.pages/dot.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
	daemon_put_file(d, "pager.pages/inner/office.html", TEXT);
	free(COMMAND(d, "module", "enable", "pager"));
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

static const char *
header(const struct answer *a, const char *name)
{
	const char *value = answer_header(a, name);

	return value != NULL ? value : "";
}

static void
assert_status(const char *path, int status)
{
	struct answer a;

	ask_more(d, &a, "GET", path, "");
	if (a.status != status)
		fail_msg("%s: %d %s", path, a.status, a.body);
	if (status != 200)
		assert_null(strstr(a.body, "Desk"));
	answer_free(&a);
}

static void
files_come_with_their_type_to_everybody(void **state)
{
	static const char *const cases[][2] = { { DESK, "text/html; charset=utf-8" },
		{ FILES "/pager/desk.js", "text/javascript; charset=utf-8" },
		{ FILES "/pager/desk.css", "text/css; charset=utf-8" },
		{ FILES "/pager/dot.svg", "image/svg+xml" },
		{ FILES "/pager/inner/office.html", "text/html; charset=utf-8" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer a;

		ask_more(d, &a, "GET", cases[i][0], "Authorization: Bearer expired\r\n");
		if (a.status != 200)
			fail_msg("%s: %d %s", cases[i][0], a.status, a.body);
		assert_string_equal(header(&a, "content-type"), cases[i][1]);
		assert_string_equal(header(&a, "x-content-type-options"), "nosniff");
		assert_string_equal(header(&a, "set-cookie"), "");
		answer_free(&a);
	}
}

/* Each source of a directive is the directory of the plugin, on one host or two. */
static void
assert_own_sources(const char *policy, const char *directive)
{
	static const char own[] = FILES "/pager/";
	const char *at = strstr(policy, directive);
	size_t count = 0;

	assert_non_null(at);
	for (at += strlen(directive); *at == ' '; count++) {
		size_t len = strcspn(++at, " ;");

		assert_true(len >= strlen(own));
		assert_memory_equal(at + len - strlen(own), own, strlen(own));
		at += len;
	}
	assert_in_range(count, 1, 2);
}

/* Only the policy gives the page an opaque origin, wherever it is opened. */
static void
each_file_has_a_policy_that_leaves_it_nothing_but_its_plugin(void **state)
{
	static const char *const paths[] = { DESK, FILES "/pager/desk.js", FILES "/pager/dot.svg",
		FILES "/pager/inner/office.html" };
	static const char *const parts[] = { "sandbox allow-scripts allow-forms;",
		"default-src 'none';", "connect-src 'none';", "form-action 'none';",
		"base-uri 'none';", "frame-ancestors 'self'" };
	static const char *const kinds[] = { "script-src", "style-src", "img-src", "font-src" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct answer a;
		const char *policy;

		ask_more(d, &a, "GET", paths[i], "");
		policy = header(&a, "content-security-policy");
		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
			if (strstr(policy, parts[k]) == NULL)
				fail_msg("%s is not in %s", parts[k], policy);
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			assert_own_sources(policy, kinds[k]);
		assert_null(strstr(policy, "allow-same-origin"));
		assert_null(strstr(policy, "unsafe"));
		assert_null(strchr(policy, '*'));
		answer_free(&a);
	}
}

static void
a_file_is_asked_for_again_and_not_sent_again(void **state)
{
	struct answer a;
	char condition[160];

	(void)state;
	ask_more(d, &a, "GET", DESK, "");
	assert_string_equal(header(&a, "cache-control"), "no-cache");
	(void)snprintf(condition, sizeof(condition), "If-None-Match: %s\r\n", header(&a, "etag"));
	answer_free(&a);
	ask_more(d, &a, "GET", DESK, condition);
	assert_int_equal(a.status, 304);
	assert_non_null(strstr(header(&a, "content-security-policy"), "sandbox"));
	answer_free(&a);
	daemon_put_file(d, "pager.pages/desk.html", TEXT "<p>");
	ask_more(d, &a, "GET", DESK, condition);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	daemon_put_file(d, "pager.pages/desk.html", TEXT);
	ask_more(d, &a, "HEAD", DESK, "");
	assert_int_equal(a.status, 200);
	assert_int_equal(a.len, 0);
	answer_free(&a);
	ask_more(d, &a, "POST", DESK, "Content-Length: 0\r\n");
	assert_int_equal(a.status, 405);
	answer_free(&a);
}

static void
names_that_are_no_file_are_not_found(void **state)
{
	static const char *const names[] = { "none.html", ".hidden.html", "inner",
		"inner/none.html", "..%2fpager.so", "..%2fstet.conf", "%2e%2e/stet.conf",
		"inner/..%2f..%2fstet.conf", "desk.html%00.js", "desk.html%2f", "desk%5c.html",
		"desk.txt", "desk", "plain.so", "link.html", "away/passwd.html", "away/desk.html",
		"pipe.html", "directory.html", "open.html", "open/desk.html", "large.html" };

	(void)state;
	daemon_put_file(d, "pager.pages/.hidden.html", TEXT);
	daemon_put_file(d, "pager.pages/desk.txt", TEXT);
	daemon_put_file(d, "pager.pages/desk", TEXT);
	daemon_put_file(d, "pager.pages/plain.so", TEXT);
	assert_int_equal(symlink(daemon_path(d, "stet.conf"), in_pages("link.html")), 0);
	assert_int_equal(symlink("inner", in_pages("away")), 0);
	daemon_put_file(d, "pager.pages/inner/desk.html", TEXT);
	assert_int_equal(mkfifo(in_pages("pipe.html"), 0644), 0);
	put_directory("directory.html");
	daemon_put_file(d, "pager.pages/open.html", TEXT);
	assert_int_equal(chmod(in_pages("open.html"), 0666), 0);
	put_directory("open");
	daemon_put_file(d, "pager.pages/open/desk.html", TEXT);
	assert_int_equal(chmod(in_pages("open"), 0777), 0);
	daemon_put_file(d, "pager.pages/large.html", TEXT);
	assert_int_equal(truncate(in_pages("large.html"), 4194305), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct answer a;
		char path[160];

		(void)snprintf(path, sizeof(path), FILES "/pager/%s", names[i]);
		ask_more(d, &a, "GET", path, "");
		if (a.status != 404 && a.status != 400)
			fail_msg("%s: %d %s", path, a.status, a.body);
		assert_null(strstr(a.body, "Desk"));
		answer_free(&a);
	}
	/* The log says why an existing file is not used. */
	(void)daemon_said(d, 0, "pages of pager: open.html can be written by group or others");
	(void)daemon_said(d, 0, "pages of pager: large.html is too large");
	assert_status(FILES "/pager/inner/desk.html", 200);
}

static void
a_directory_that_others_may_write_has_no_files(void **state)
{
	(void)state;
	assert_int_equal(chmod(in_pages(""), 0777), 0);
	assert_status(DESK, 404);
	assert_int_equal(chmod(in_pages(""), 0755), 0);
	assert_status(DESK, 200);
}

static void
modules_without_pages_and_unknown_ones_have_no_files(void **state)
{
	(void)state;
	assert_status(FILES "/content/desk.html", 404);
	assert_status(FILES "/none/desk.html", 404);
	assert_status(FILES "/..%2fpager/desk.html", 404);
	assert_status(FILES "/pager%2f/desk.html", 404);
}

static size_t
requests_of(const json_t *row)
{
	return json_array_size(json_object_get(row, "requests"));
}

static void
the_manifest_tells_pages_to_those_who_may_open_them(void **state)
{
	char *other = remote_token(d, "author", "content:read");
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/admin/manifest"),
	       *pages = json_object_get(data, "pages"),
	       *widgets = json_object_get(data, "fieldWidgets"), *office;
	struct remote author;

	(void)state;
	assert_int_equal(json_array_size(pages), 2);
	assert_string_equal(
	    json_string_value(json_object_get(json_array_get(pages, 0), "file")), "desk.html");
	assert_int_equal(requests_of(json_array_get(pages, 0)), 0);
	/* The page names four operations, of which two exist. */
	office = json_array_get(pages, 1);
	assert_string_equal(json_string_value(json_object_get(office, "title")), "Office");
	assert_int_equal(requests_of(office), 2);
	assert_string_equal(
	    json_string_value(json_array_get(json_object_get(office, "requests"), 0)),
	    "GET /admin/manifest/:collection");
	assert_string_equal(
	    json_string_value(json_array_get(json_object_get(office, "requests"), 1)),
	    "POST /plugins/pager/echo");
	assert_int_equal(json_array_size(widgets), 2);
	assert_int_equal(json_array_size(json_object_get(json_array_get(widgets, 0), "types")), 2);
	json_decref(data);
	remote_open(&author, d, other);
	data = remote_must(&author, 200, "GET", NULL, "/admin/manifest");
	assert_int_equal(json_array_size(json_object_get(data, "pages")), 1);
	assert_int_equal(json_array_size(json_object_get(data, "fieldWidgets")), 2);
	json_decref(data);
	remote_close(&author);
	free(other);
}

static void
an_administrator_reads_of_them_before_it_is_enabled(void **state)
{
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/admin/plugins/pager"),
	       *item = json_object_get(data, "item");

	(void)state;
	assert_string_equal(
	    json_string_value(json_array_get(json_object_get(item, "pages"), 1)), "Office");
	assert_string_equal(
	    json_string_value(json_array_get(json_object_get(item, "fieldWidgets"), 0)),
	    "pager:rate");
	json_decref(data);
}

static void
they_go_when_the_plugin_is_disabled_and_with_the_admin_module(void **state)
{
	json_t *data;

	(void)state;
	json_decref(remote_must(&admin, 200, "POST", "{}", "/admin/plugins/pager/disable"));
	assert_status(DESK, 404);
	data = remote_must(&admin, 200, "GET", NULL, "/admin/manifest");
	assert_null(json_object_get(data, "pages"));
	assert_null(json_object_get(data, "fieldWidgets"));
	json_decref(data);
	json_decref(remote_must(&admin, 200, "POST", "{}", "/admin/plugins/pager/enable"));
	assert_status(DESK, 200);
	json_decref(remote_must(&admin, 200, "POST", "{}", "/admin/plugins/admin/disable"));
	assert_status(DESK, 404);
	json_decref(remote_must(&admin, 200, "POST", "{}", "/admin/plugins/admin/enable"));
	assert_status(DESK, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_come_with_their_type_to_everybody),
		cmocka_unit_test(each_file_has_a_policy_that_leaves_it_nothing_but_its_plugin),
		cmocka_unit_test(a_file_is_asked_for_again_and_not_sent_again),
		cmocka_unit_test(names_that_are_no_file_are_not_found),
		cmocka_unit_test(a_directory_that_others_may_write_has_no_files),
		cmocka_unit_test(modules_without_pages_and_unknown_ones_have_no_files),
		cmocka_unit_test(the_manifest_tells_pages_to_those_who_may_open_them),
		cmocka_unit_test(an_administrator_reads_of_them_before_it_is_enabled),
		cmocka_unit_test(they_go_when_the_plugin_is_disabled_and_with_the_admin_module),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
