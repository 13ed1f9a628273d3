/* policy.t - the Content-Security-Policy of the admin pages: it allows frames of the site and
 * images of the bucket, if they are configured. A malicious value cannot add to it. */
#include "base/arena.h"
#include "call/site.h"
#include "inside.h"
#include "wording.h"
#include <stdio.h>
#include <stdlib.h>

/* Returns a directive of the admin pages' policy; static buffer. */
static const char *
directive(struct harness *h, const char *name)
{
	static char text[4000];
	struct outcome *o = harness_request(h, nobody, "GET //_cms/admin/list", "", NULL);
	const char *policy = strstr(o->headers, "Content-Security-Policy: "), *at, *end;

	assert_non_null(policy);
	(void)snprintf(text, sizeof(text), "%s", policy + strlen("Content-Security-Policy: "));
	text[strcspn(text, "\n")] = '\0';
	at = strstr(text, name);
	assert_non_null(at);
	end = at + strcspn(at, ";");
	memmove(text, at, (size_t)(end - at));
	text[end - at] = '\0';
	return text;
}

static void
set_address(struct harness *h, const char *url)
{
	json_t *value = json_string(url);
	char *text = json_dumps(value, JSON_ENCODE_ANY);

	inside_sql(h, "DELETE FROM site_setting WHERE name = 'url'", NULL);
	inside_sql(h, "INSERT INTO site_setting (name, value) VALUES ('url', ?1)", text);
	free(text);
	json_decref(value);
}

static void
keep_in_bucket(struct harness *h, const char *endpoint, const char *style, bool redirect)
{
	char lines[500];

	(void)snprintf(lines, sizeof(lines),
	    "files = \"s3\"\ns3-endpoint = \"%s\"\ns3-bucket = \"pictures\"\n"
	    "s3-credentials-file = \"/key\"\ns3-style = \"%s\"\ns3-redirect = %s\n",
	    endpoint, style, redirect ? "true" : "false");
	harness_files(&harness_site(h)->conf, NULL, lines);
}

static void
frames_are_those_of_the_site(void **state)
{
	struct harness *h = *state;

	assert_string_equal(directive(h, "frame-src"), "frame-src 'self' http://localhost");
	set_address(h, "https://www.example.org:8443/blog?x=1#y");
	assert_string_equal(directive(h, "frame-src"),
	    "frame-src 'self' http://localhost https://www.example.org:8443");
	set_address(h, "http://[2001:db8::1]:8080/");
	assert_string_equal(directive(h, "frame-src"),
	    "frame-src 'self' http://localhost http://[2001:db8::1]:8080");
	set_address(h, "http://localhost/site");
	assert_string_equal(directive(h, "frame-src"), "frame-src 'self' http://localhost");
	inside_enable(h, "settings", false);
	assert_string_equal(directive(h, "frame-src"), "frame-src 'self' http://localhost");
}

static void
hostile_values_say_nothing(void **state)
{
	static const char *const values[] = { "", "https://", "https:///x", "*", "https://*",
		"https://*.example.org", "'unsafe-inline'",
		"https:", "data:", "javascript:alert(1)", "https://a.example; script-src *",
		"https://a.example script-src", "https://a.example,https://b.example",
		"https://a.example\nX: y", "https://a.example\r\nSet-Cookie: a=b",
		"https://a.example'", "https://a.example\t*", "https://user@a.example",
		"https://user:pw@a.example", "https://a.example:", "https://a.example:x",
		"https://a.example:123456", "https://a.example:80x", "https://[::1",
		"https://[::1]x", "https://[]", "https://[*]", "https://-a.example",
		"https://.example", "HTTPS://a.example", "//a.example", "ftp://a.example",
		"https://b\xc3\xbc.example", "https://a\\.example", "https://a%2eexample",
		"https://a.example\\@b.example", " https://a.example", "blob:https://a.example" };
	struct harness *h = *state;
	char *large = xmalloc(5000);

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		set_address(h, values[i]);
		assert_string_equal(directive(h, "frame-src"), "frame-src 'self' http://localhost");
		assert_string_equal(directive(h, "script-src"), "script-src 'self'");
	}
	memset(large, 'a', 4999);
	memcpy(large, "https://", 8);
	large[4999] = '\0';
	set_address(h, large);
	assert_string_equal(directive(h, "frame-src"), "frame-src 'self' http://localhost");
	free(large);
	/* The setting has a wrong type. */
	inside_sql(h, "UPDATE site_setting SET value = '{\"a\": 1}' WHERE name = 'url'", NULL);
	assert_string_equal(directive(h, "frame-src"), "frame-src 'self' http://localhost");
}

static void
pictures_come_from_the_bucket_if_readers_are_sent_there(void **state)
{
	struct harness *h = *state;

	assert_string_equal(directive(h, "img-src"), "img-src 'self' data: blob:");
	keep_in_bucket(h, "https://s3.example.org:9000", "path", false);
	assert_string_equal(directive(h, "img-src"), "img-src 'self' data: blob:");
	assert_string_equal(directive(h, "media-src"), "media-src 'self' blob:");
	keep_in_bucket(h, "https://s3.example.org:9000", "path", true);
	assert_string_equal(
	    directive(h, "img-src"), "img-src 'self' data: blob: https://s3.example.org:9000");
	assert_string_equal(
	    directive(h, "media-src"), "media-src 'self' blob: https://s3.example.org:9000");
	assert_string_equal(directive(h, "connect-src"), "connect-src 'self'");
	keep_in_bucket(h, "https://s3.example.org", "host", true);
	assert_string_equal(
	    directive(h, "img-src"), "img-src 'self' data: blob: https://pictures.s3.example.org");
}

extern const struct stet_words admin_languages[];

static void
the_page_without_a_bundle_is_in_four_languages(void **state)
{
	(void)state;
	wording_complete(admin_languages);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_without_a_bundle_is_in_four_languages),
		cmocka_unit_test_setup_teardown(
		    frames_are_those_of_the_site, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    hostile_values_say_nothing, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    pictures_come_from_the_bucket_if_readers_are_sent_there, inside_begin,
		    inside_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
