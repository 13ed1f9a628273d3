/* copying.c - attachments of a source are copied into the library: each once, with progress;
 * failures are reported. */
#include "harness.h"
#include "neighbour.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define COPY "POST /import/platform/media"

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

#define FILM(name) "ftypisom film of " name
#define FOUND(type, length, body)                                              \
	"HTTP/1.1 200 OK\r\nContent-Type: " type "\r\nContent-Length: " length \
	"\r\nConnection: close\r\n\r\n" body

/* The simulated site; two of its paths return the same bytes. */
static const char *
site(const char *heard)
{
	if (strstr(heard, "GET /a.mp4") != NULL || strstr(heard, "GET /same.mp4?x=1") != NULL)
		return FOUND("video/mp4", "4", "film");
	if (strstr(heard, "GET /b.mp4") != NULL)
		return FOUND("application/octet-stream", "5", "other");
	if (strstr(heard, "GET /page") != NULL)
		return FOUND("text/html", "6", "<html>");
	if (strstr(heard, "GET /moved.mp4") != NULL)
		return "HTTP/1.1 302 Found\r\nLocation: /a.mp4\r\nContent-Length: 0\r\n"
		       "Connection: close\r\n\r\n";
	return NEIGHBOUR_ANSWER("404 Not Found", "0", "");
}

/* Returns {"attachments": [...]} for paths of the neighbour, numbered from 1. */
static struct outcome *
copy(struct harness *h, const char *more, const char *const *path)
{
	char text[4000];
	size_t len = (size_t)snprintf(text, sizeof(text), "{\"attachments\":[");

	for (int i = 0; path[i] != NULL; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s{\"id\":%d,\"url\":\"%s\",\"title\":\"T\"}", i > 0 ? "," : "", i + 1,
		    path[i][0] == '/' ? neighbour_url(&server, path[i]) : path[i]);
	(void)snprintf(text + len, sizeof(text) - len, "]%s}", more);
	return harness_send(h, admin, COPY, "%s", text);
}
#define COPY_ALL(h, ...) copy(h, ",\"stream\":false", (const char *const[]){ __VA_ARGS__, NULL })

static int64_t
items(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "GET /media?limit=100", NULL, NULL));
	return (int64_t)json_array_size(harness_at(o->data, "items"));
}

static void
files_become_items_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	int heard;

	server.choose = site;
	harness_ok(o, COPY_ALL(h, "/a.mp4", "/same.mp4?x=1", "/moved.mp4"));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 3);
	assert_int_equal(json_array_size(harness_at(o->data, "failed")), 0);
	assert_int_equal(json_object_size(harness_at(o->data, "urlMap")), 3);
	assert_int_equal(items(h), 1);
	heard = server.connections;
	harness_ok(o, COPY_ALL(h, "/a.mp4", "/same.mp4?x=1"));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 2);
	assert_int_equal(server.connections, heard); /* nothing is fetched again */
	assert_memory_equal(
	    harness_text(o->data, "imported[0].newUrl"), "/_cms/api/media/file/", 21);
	assert_string_equal(harness_text(o->data, "imported[1].originalUrl"),
	    neighbour_url(&server, "/same.mp4?x=1"));
}

static void
what_was_deleted_is_fetched_again(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[100];

	server.choose = site;
	harness_ok(o, COPY_ALL(h, "/a.mp4"));
	(void)snprintf(request, sizeof(request), "DELETE /media/%s",
	    harness_text(o->data, "imported[0].mediaId"));
	assert_ok(harness_request(h, admin, request, NULL, NULL));
	harness_ok(o, COPY_ALL(h, "/a.mp4"));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 1);
	assert_int_equal(items(h), 1);
}

static const char *
failure(struct outcome *o, int id)
{
	json_t *one;
	size_t i;

	json_array_foreach(harness_at(o->data, "failed"), i, one)
	{
		if (harness_int(one, "wpId") == id)
			return harness_text(one, "error");
	}
	return "";
}

static void
failures_are_told_and_the_rest_comes(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	server.choose = site;
	harness_ok(o, COPY_ALL(h, "/gone.mp4", "/page", "ftp://a.example/x",
			  "http://127.0.0.1.nip.io/x.mp4", "", "/a.mp4"));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 1);
	assert_string_equal(failure(o, 1), "HTTP 404");
	assert_non_null(strstr(failure(o, 2), "INVALID_TYPE"));
	assert_non_null(strstr(failure(o, 3), "Blocked"));
	assert_non_null(strstr(failure(o, 4), "Blocked"));
	assert_string_equal(failure(o, 5), "No URL provided");
}

/* A site whose every response is wrong in a different way. */
static const char *
liar(const char *heard)
{
	static char loop[200];

	if (strstr(heard, "GET /loop") != NULL) {
		(void)snprintf(loop, sizeof(loop),
		    "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: "
		    "close\r\n\r\n",
		    neighbour_url(&server, "/loop"));
		return loop;
	}
	if (strstr(heard, "GET /short") != NULL)
		return NEIGHBOUR_ANSWER("200 OK", "5000", "cut off");
	if (strstr(heard, "GET /huge") != NULL)
		return NEIGHBOUR_ANSWER("200 OK", "99999999999999", "x");
	if (strstr(heard, "GET /busy") != NULL)
		return "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n"
		       "Connection: close\r\n\r\n";
	if (strstr(heard, "GET /junk") != NULL)
		return "\x01\x02 no answer at all\r\n\r\n";
	if (strstr(heard, "GET /inside") != NULL)
		return "HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n"
		       "Connection: close\r\n\r\n";
	if (strstr(heard, "GET /file") != NULL)
		return "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n"
		       "Connection: close\r\n\r\n";
	return site(heard);
}

static void
hosts_that_lie_cost_their_files_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	server.choose = liar;
	harness_ok(o, COPY_ALL(h, "/loop.mp4", "/short.mp4", "/huge.mp4", "/busy.mp4", "/junk.mp4",
			  "/inside.mp4", "/file.mp4", "/a.mp4"));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 1);
	assert_int_equal(json_array_size(harness_at(o->data, "failed")), 7);
	assert_string_equal(failure(o, 1), "HTTP 302");
	assert_string_equal(failure(o, 2), "The server does not answer");
	assert_string_equal(failure(o, 3), "The file is larger than an upload may be");
	assert_string_equal(failure(o, 4), "HTTP 429");
	assert_string_equal(failure(o, 5), "The server does not answer");
	assert_non_null(strstr(failure(o, 6), "Blocked"));
	assert_non_null(strstr(failure(o, 7), "Blocked"));
	assert_int_equal(items(h), 1);
}

static void
a_type_that_says_nothing_is_looked_up(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	server.choose = site;
	harness_ok(o, COPY_ALL(h, "/b.mp4"));
	assert_non_null(strstr(failure(o, 1), "INVALID_TYPE")); /* its bytes are text */
	harness_ok(o, harness_send(h, admin, COPY,
			  "{\"stream\":false,\"attachments\":[{\"id\":7,\"url\":\"%s\","
			  "\"mimeType\":\"video/mp4\",\"filename\":\"c.mp4\"}]}",
			  neighbour_url(&server, "/b.mp4")));
	assert_int_equal(harness_int(o->data, "imported[0].wpId"), 7);
}

static void
words_and_the_last_part_of_a_name_come_along(void **state)
{
	static const char *const names[] = { "2020/05/c.mp4", "C:\\\\film\\\\c.mp4", "../c.mp4" };
	struct harness *h = *state;
	struct outcome *o;

	server.choose = site;
	for (size_t i = 0; i < COUNT(names); i++) {
		harness_ok(
		    o, harness_send(h, admin, COPY,
			   "{\"stream\":false,\"attachments\":[{\"id\":7,\"url\":\"%s\","
			   "\"mimeType\":\"video/mp4\",\"filename\":\"%s\",\"alt\":\"Waves\","
			   "\"caption\":\"By the sea\"}]}",
			   neighbour_url(&server, "/a.mp4"), names[i]));
		harness_ok(o, harness_op(h, admin, "media_get", "{\"id\":\"%s\"}",
				  harness_text(o->data, "imported[0].mediaId")));
		assert_string_equal(harness_text(o->data, "item.filename"), "c.mp4");
		assert_string_equal(harness_text(o->data, "item.alt"), "Waves");
		assert_string_equal(harness_text(o->data, "item.caption"), "By the sea");
		assert_ok(harness_op(
		    h, admin, "media_delete", "{\"id\":\"%s\"}", harness_text(o->data, "item.id")));
	}
}

static void
progress_is_a_line_a_step(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *line, *next;
	int lines = 0;
	json_t *json = NULL;

	server.choose = site;
	o = copy(h, "", (const char *const[]){ "/a.mp4", "/gone.mp4", NULL });
	assert_int_equal(o->http, 200);
	for (line = o->text; (next = strchr(line, '\n')) != NULL; line = next + 1, lines++) {
		json_decref(json);
		json = json_loadb(line, (size_t)(next - line), 0, NULL);
		assert_non_null(json);
	}
	assert_int_equal(lines, 5); /* two starts of downloads, two ends, the result */
	assert_string_equal(harness_text(json, "type"), "result");
	assert_int_equal(json_array_size(harness_at(json, "imported")), 1);
	assert_int_equal(json_array_size(harness_at(json, "failed")), 1);
	json_decref(json);
}

static void
many_are_copied_in_turns(void **state)
{
	struct harness *h = *state;
	static char text[40000];
	size_t len = (size_t)snprintf(text, sizeof(text), "{\"stream\":false,\"attachments\":[");
	struct outcome *o;

	server.choose = site;
	for (int i = 0; i < 150; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s{\"id\":%d,\"url\":\"%s%d\"}", i > 0 ? "," : "", i,
		    neighbour_url(&server, "/a.mp4?"), i);
	(void)snprintf(text + len, sizeof(text) - len, "]}");
	harness_ok(o, harness_send(h, admin, COPY, "%s", text));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 150);
	assert_int_equal(items(h), 1);
}

static void
others_may_not_copy(void **state)
{
	struct harness *h = *state;

	assert_code(harness_send(h, editor, COPY, "{\"attachments\":[]}"), "FORBIDDEN");
	assert_code(
	    harness_send(h, admin, COPY, "{\"attachments\":[{\"id\":\"a\"}]}"), "VALIDATION_ERROR");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(files_become_items_once, begin, end),
		cmocka_unit_test_setup_teardown(what_was_deleted_is_fetched_again, begin, end),
		cmocka_unit_test_setup_teardown(failures_are_told_and_the_rest_comes, begin, end),
		cmocka_unit_test_setup_teardown(hosts_that_lie_cost_their_files_alone, begin, end),
		cmocka_unit_test_setup_teardown(a_type_that_says_nothing_is_looked_up, begin, end),
		cmocka_unit_test_setup_teardown(
		    words_and_the_last_part_of_a_name_come_along, begin, end),
		cmocka_unit_test_setup_teardown(progress_is_a_line_a_step, begin, end),
		cmocka_unit_test_setup_teardown(many_are_copied_in_turns, begin, end),
		cmocka_unit_test_setup_teardown(others_may_not_copy, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
