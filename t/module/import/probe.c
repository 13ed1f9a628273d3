/* probe.c - detecting the software at a URL: the REST index, exporters, sites that fail or may not
 * be requested. */
#include "harness.h"
#include "neighbour.h"
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PROBE "POST /import/probe"

static struct neighbour server;

static int
begin(void **state)
{
	*state = neighbour_site_open(&server);
	return 0;
}

static int
end(void **state)
{
	neighbour_site_close(&server, *state);
	return 0;
}

static struct outcome *
probe(struct harness *h, const char *url)
{
	return harness_send(h, admin, PROBE, "{\"url\":\"%s\"}", url);
}

static const char *
answer_with(const char *status, const char *body)
{
	static char text[4000];

	(void)snprintf(text, sizeof(text),
	    "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n\r\n%s",
	    status, strlen(body), body);
	return text;
}

#define EXPORTER                                                                                         \
	"{\"emdash_exporter\":\"1.2\",\"wordpress_version\":\"6.7\",\"site\":{\"title\":\"Caf\\u00e9\"," \
	"\"url\":\"https://cafe.example\"},\"post_types\":[{\"name\":\"post\",\"total\":7},"             \
	"{\"name\":\"page\",\"count\":2}],\"media_count\":3,\"i18n\":{\"plugin\":\"wpml\","              \
	"\"default_locale\":\"en\",\"locales\":[\"en\",\"de\"]}}"

static const char *
plain_site(const char *heard)
{
	(void)heard;
	return answer_with("200 OK", "{\"name\":\"Caf\\u00e9\",\"namespaces\":[\"wp/v2\"]}");
}

static const char *
site_with_exporter(const char *heard)
{
	if (strstr(heard, "GET /wp-json/emdash/v1/probe ") != NULL)
		return answer_with("200 OK", EXPORTER);
	if (strstr(heard, "GET /wp-json/ ") != NULL)
		return answer_with("200 OK", "{\"namespaces\":[\"wp/v2\",\"emdash/v1\"]}");
	return answer_with("404 Not Found", "{}");
}

/* A site without pretty permalinks: all other paths return 404. */
static const char *
site_of_plain_permalinks(const char *heard)
{
	if (strstr(heard, "GET /?rest_route=/emdash/v1/probe ") != NULL)
		return answer_with("200 OK", EXPORTER);
	if (strstr(heard, "GET /?rest_route=/ ") != NULL)
		return answer_with("200 OK", "{\"namespaces\":[\"wp/v2\",\"emdash/v1\"]}");
	return answer_with("404 Not Found", "<html>");
}

/* A site that reports 1,234 posts, forbids listing pages, and gives no total of its media. */
static const char *
site_that_counts(const char *heard)
{
	if (strstr(heard, "GET /wp-json/wp/v2/posts?per_page=1 ") != NULL)
		return "HTTP/1.1 200 OK\r\nX-WP-Total: 1234\r\nContent-Length: 2\r\n"
		       "Connection: close\r\n\r\n[]";
	if (strstr(heard, "/wp/v2/pages?per_page=1 ") != NULL)
		return answer_with("401 Unauthorized", "{}");
	if (strstr(heard, "GET /wp-json/wp/v2/media?per_page=1 ") != NULL)
		return "HTTP/1.1 200 OK\r\nX-WP-Total: -4e9\r\nContent-Length: 2\r\n"
		       "Connection: close\r\n\r\n[]";
	return plain_site(heard);
}

static void
a_site_says_how_much_of_it_is_public(void **state)
{
	struct outcome *o;

	server.choose = site_that_counts;
	harness_ok(o, probe(*state, neighbour_url(&server, "")));
	assert_int_equal(harness_int(o->data, "result.bestMatch.preview.posts"), 1234);
	assert_int_equal(json_object_size(harness_at(o->data, "result.bestMatch.preview")), 1);
}

static void
a_site_is_known_by_its_rest_index_and_recommends_a_file(void **state)
{
	struct outcome *o;

	server.choose = plain_site;
	harness_ok(o, probe(*state, neighbour_url(&server, "//")));
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_true(json_is_true(harness_at(o->data, "result.isWordPress")));
	assert_string_equal(harness_text(o->data, "result.bestMatch.sourceId"), "platform-rest");
	assert_string_equal(harness_text(o->data, "result.bestMatch.detected.siteTitle"), "Café");
	assert_string_equal(
	    harness_text(o->data, "result.bestMatch.suggestedAction.type"), "upload");
	assert_int_equal(json_array_size(harness_at(o->data, "result.allMatches")), 1);
	assert_string_equal(harness_text(o->data, "result.url"), neighbour_url(&server, ""));
}

static void
check_exporter(struct outcome *o)
{
	assert_string_equal(harness_text(o->data, "result.bestMatch.sourceId"), "platform-plugin");
	assert_string_equal(harness_text(o->data, "result.bestMatch.confidence"), "definite");
	assert_int_equal(harness_int(o->data, "result.bestMatch.preview.posts"), 7);
	assert_int_equal(harness_int(o->data, "result.bestMatch.preview.pages"), 2);
	assert_int_equal(harness_int(o->data, "result.bestMatch.preview.media"), 3);
	assert_string_equal(harness_text(o->data, "result.bestMatch.i18n.plugin"), "wpml");
	assert_string_equal(harness_text(o->data, "result.bestMatch.i18n.defaultLocale"), "en");
	assert_string_equal(
	    harness_text(o->data, "result.bestMatch.detected.siteUrl"), "https://cafe.example");
	assert_int_equal(json_array_size(harness_at(o->data, "result.allMatches")), 2);
}

static void
an_exporter_is_the_best_match_whatever_the_permalinks(void **state)
{
	struct outcome *o;

	server.choose = site_with_exporter;
	harness_ok(o, probe(*state, neighbour_url(&server, "")));
	check_exporter(o);
	server.choose = site_of_plain_permalinks;
	harness_ok(o, probe(*state, neighbour_url(&server, "")));
	check_exporter(o);
}

static void
other_sites_match_nothing(void **state)
{
	static const char *const bodies[] = { "<html>", "{}", "[]", "{\"namespaces\":\"wp/v2\"}",
		"{\"namespaces\":[1,null]}", "", "{\"namespaces\":[\"wp/v22\"]}" };
	struct outcome *o;

	server.choose = NULL;
	for (size_t i = 0; i < COUNT(bodies); i++) {
		server.answer = answer_with("200 OK", bodies[i]);
		harness_ok(o, probe(*state, neighbour_url(&server, "")));
		assert_true(json_is_false(harness_at(o->data, "result.isWordPress")));
		assert_true(json_is_null(harness_at(o->data, "result.bestMatch")));
		assert_int_equal(json_array_size(harness_at(o->data, "result.allMatches")), 0);
	}
}

static void
a_site_that_fails_is_told_in_words_without_its_body(void **state)
{
	static const char *const failures[] = { "401 Unauthorized", "403 Forbidden",
		"500 Internal Server Error", "503 Service Unavailable" };
	struct outcome *o;

	server.choose = NULL;
	for (size_t i = 0; i < COUNT(failures); i++) {
		server.answer = answer_with(failures[i], "{\"secret\":\"of the site\"}");
		o = probe(*state, neighbour_url(&server, ""));
		assert_code(o, "SOURCE_ERROR");
		assert_int_equal(o->http, 502);
		assert_memory_equal(strstr(o->message, "answers ") + 8, failures[i], 3);
		assert_null(strstr(o->text, "secret"));
	}
	server.answer = NEIGHBOUR_ANSWER("200 OK", "100", "cut");
	assert_code(probe(*state, neighbour_url(&server, "")), "SOURCE_ERROR");
}

static void
addresses_that_are_not_public_are_not_asked(void **state)
{
	static const char *const blocked[] = { "http://10.0.0.1", "localhost", "http://[::1]/",
		"http://169.254.169.254/latest", "https://192.168.1.1:8443",
		"http://[::ffff:10.0.0.1]" };

	server.choose = plain_site;
	server.connections = 0;
	for (size_t i = 0; i < COUNT(blocked); i++) {
		struct outcome *o = probe(*state, blocked[i]);

		if (strcmp(o->code, "SSRF_BLOCKED") != 0 || o->http != 400)
			fail_msg("%s: %s", blocked[i], o->text);
	}
}

static void
what_is_no_address_is_refused(void **state)
{
	static const char *const bad[] = { "", "ftp://example.org", "file:///etc/passwd",
		"https://example.org/?a=b", "https://example.org/#a", "https://exa mple.org" };

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = probe(*state, bad[i]);

		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
	assert_code(harness_send(*state, admin, PROBE, "{}"), "VALIDATION_ERROR");
	assert_code(harness_request(*state, admin, PROBE, "", "{\"url\":\"https://example.org\"}"),
	    "CSRF_REJECTED");
	assert_code(
	    harness_send(*state, editor, PROBE, "{\"url\":\"https://example.org\"}"), "FORBIDDEN");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_site_is_known_by_its_rest_index_and_recommends_a_file),
		cmocka_unit_test(a_site_says_how_much_of_it_is_public),
		cmocka_unit_test(an_exporter_is_the_best_match_whatever_the_permalinks),
		cmocka_unit_test(other_sites_match_nothing),
		cmocka_unit_test(a_site_that_fails_is_told_in_words_without_its_body),
		cmocka_unit_test(addresses_that_are_not_public_are_not_asked),
		cmocka_unit_test(what_is_no_address_is_refused),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
