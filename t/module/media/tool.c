/* tool.c - media_upload: files as base64 and from other servers, with redirects and refusals. */
#include "inside.h"
#include "neighbour.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Calls the tool; arguments have " for each ' and the value for $. */
static struct outcome *
upload(struct harness *h, const char *args, const char *value)
{
	char text[2000];
	size_t len = 0;

	for (; *args != '\0'; args++)
		if (*args == '$')
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s", value);
		else
			text[len++] = (char)(*args == '\'' ? '"' : *args);
	text[len] = '\0';
	return harness_op(h, contributor, "media_upload", "%s", text);
}

#define FILM "{'filename':'film.mp4','contentType':'video/mp4','alt':'A film','base64':'$'}"
#define FROM "{'filename':'film.mp4','contentType':'video/mp4','url':'$'}"

static void
base64_makes_an_item_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, upload(h, FILM, "YSBmaWxt"));
	assert_int_equal(harness_int(o->data, "item.size"), 6);
	assert_string_equal(harness_text(o->data, "item.alt"), "A film");
	assert_string_equal(harness_text(o->data, "item.status"), "ready");
	assert_null(harness_at(o->data, "deduplicated"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, upload(h, FILM, "YSBm\\naWxt"));
	assert_string_equal(harness_text(o->data, "item.id"), id);
	assert_true(json_is_true(harness_at(o->data, "deduplicated")));
}

static void
what_is_not_clear_is_refused(void **state)
{
	static const char *const bad[] = {
		"{'filename':'a.mp4','contentType':'video/mp4'}",
		"{'filename':'a.mp4','contentType':'video/mp4','base64':'YQ==','url':'$'}",
		"{'filename':'a.mp4','base64':'YQ=='}",
		"{'filename':'a.mp4','contentType':'video/mp4','base64':'YQ'}",
		"{'filename':'a.mp4','contentType':'video/mp4','base64':'Y*=='}",
		"{'filename':'a\\nb','contentType':'video/mp4','base64':'YQ=='}",
		"{'contentType':'video/mp4','base64':'YQ=='}",
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = upload(*state, bad[i], "https://example.org/");

		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
	assert_code(
	    upload(*state, "{'filename':'a','contentType':'text/html','base64':'$'}", "YQ=="),
	    "INVALID_TYPE");
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM media_items"), "0");
}

/* /go redirects once, /round forever. */
static const char *
lead(const char *heard)
{
	static char answer[400];
	const char *to = strstr(heard, "GET /round") != NULL ? "/round" : "/file";

	if (strstr(heard, "GET /file") != NULL)
		return server.answer;
	(void)snprintf(answer, sizeof(answer),
	    "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
	    to);
	return answer;
}

static void
a_url_is_fetched_through_redirects(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	server.answer = NEIGHBOUR_ANSWER("200 OK", "6", "a film");
	harness_ok(o, upload(h, FROM, neighbour_url(&server, "/file")));
	assert_int_equal(harness_int(o->data, "item.size"), 6);
	server.choose = lead;
	harness_ok(o, upload(h, FROM, neighbour_url(&server, "/go")));
	assert_true(json_is_true(harness_at(o->data, "deduplicated")));
	assert_code(upload(h, FROM, neighbour_url(&server, "/round")), "SOURCE_ERROR");
	server.choose = NULL;
	/* the type is that of the response unless the call names one */
	assert_code(upload(h, "{'filename':'a.txt','url':'$'}", neighbour_url(&server, "/file")),
	    "INVALID_TYPE");
}

/* Assistants fill in all arguments. */
static void
an_empty_base64_is_absent(void **state)
{
	struct outcome *o;

	server.answer = NEIGHBOUR_ANSWER("200 OK", "6", "a film");
	harness_ok(o, upload(*state,
			  "{'filename':'film.mp4','contentType':'video/mp4','base64':'','url':'$'}",
			  neighbour_url(&server, "/file")));
	assert_int_equal(harness_int(o->data, "item.size"), 6);
	assert_code(
	    upload(*state, "{'filename':'a.mp4','contentType':'video/mp4','base64':''}", ""),
	    "VALIDATION_ERROR");
}

/* The same as over REST (t/http/library.c). */
static void
the_list_takes_the_beginning_of_a_type(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(upload(h, FILM, "YSBmaWxt"));
	harness_ok(o, harness_op(h, admin, "media_list", "{\"mimeType\":\"video/\"}"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	harness_ok(o, harness_op(h, admin, "media_list", "{\"mimeType\":\"image/\"}"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

static void
a_server_that_fails_is_told(void **state)
{
	struct harness *h = *state;

	server.answer = NEIGHBOUR_ANSWER("404 Not Found", "6", "a film");
	assert_code(upload(h, FROM, neighbour_url(&server, "/file")), "SOURCE_ERROR");
	server.answer = NEIGHBOUR_ANSWER("200 OK", "60", "a film");
	assert_code(upload(h, FROM, neighbour_url(&server, "/file")), "UPSTREAM_ERROR");
	server.answer = NEIGHBOUR_ANSWER("200 OK", "0", "");
	assert_code(upload(h, FROM, neighbour_url(&server, "/file")), "SOURCE_ERROR");
	assert_ok(harness_op(h, admin, "plugin_settings_put",
	    "{\"id\":\"media\",\"values\":{\"maxUploadSize\":5}}"));
	server.answer = NEIGHBOUR_ANSWER("200 OK", "6", "a film");
	assert_code(upload(h, FROM, neighbour_url(&server, "/file")), "PAYLOAD_TOO_LARGE");
	assert_code(upload(h, FILM, "YSBmaWxt"), "PAYLOAD_TOO_LARGE");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_items"), "0");
}

static void
the_own_network_is_not_asked(void **state)
{
	static const char *const bad[] = { "http://127.0.0.1/", "http://localhost/",
		"https://10.0.0.1/x", "http://[::1]/", "http://169.254.169.254/latest",
		"file:///etc/passwd", "ftp://example.org/", "http://user:x@example.org/",
		"nonsense" };

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = upload(*state, FROM, bad[i]);

		if (strcmp(o->code, "SSRF_BLOCKED") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
}

/* "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'><script/></svg>", and the same served
 * by another server. */
static void
svg_is_cleaned_where_the_site_allows_it(void **state)
{
	static const char base64[] =
	    "PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9JzAgMCA0IDMnPjxz"
	    "Y3JpcHQvPjwvc3ZnPg==";
	struct harness *h = *state;
	struct outcome *o;
	char args[500];

	(void)snprintf(args, sizeof(args),
	    "{'filename':'a.svg','contentType':'image/svg+xml','base64':'%s'}", base64);
	assert_code(upload(h, args, ""), "INVALID_TYPE");
	assert_ok(harness_op(
	    h, admin, "plugin_settings_put", "{\"id\":\"media\",\"values\":{\"allowSvg\":true}}"));
	harness_ok(o, upload(h, args, ""));
	assert_int_equal(harness_int(o->data, "item.width"), 4);
	assert_int_equal(harness_int(o->data, "item.height"), 3);
	/* <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"></svg> */
	assert_int_equal(harness_int(o->data, "item.size"), 64);
	server.answer = NEIGHBOUR_ANSWER("200 OK", "73",
	    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'><script/></svg>");
	harness_ok(o, upload(h, "{'filename':'b.svg','contentType':'image/svg+xml','url':'$'}",
			  neighbour_url(&server, "/file")));
	assert_true(json_is_true(harness_at(o->data, "deduplicated")));
	/* What is in the store already cannot be changed. */
	assert_code(harness_op(h, admin, "media_create",
			"{\"filename\":\"a.svg\",\"mimeType\":\"image/svg+xml\","
			"\"storageKey\":\"a.svg\"}"),
	    "INVALID_TYPE");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(base64_makes_an_item_once, begin, end),
		cmocka_unit_test_setup_teardown(what_is_not_clear_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(a_url_is_fetched_through_redirects, begin, end),
		cmocka_unit_test_setup_teardown(an_empty_base64_is_absent, begin, end),
		cmocka_unit_test_setup_teardown(the_list_takes_the_beginning_of_a_type, begin, end),
		cmocka_unit_test_setup_teardown(a_server_that_fails_is_told, begin, end),
		cmocka_unit_test_setup_teardown(
		    svg_is_cleaned_where_the_site_allows_it, begin, end),
		cmocka_unit_test_setup_teardown(
		    the_own_network_is_not_asked, inside_begin, inside_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
