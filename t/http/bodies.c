/* bodies.c - request bodies: lengths and chunks, limits, 100-continue, files and forms. */
#include "daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define API "/_cms/api"

static struct daemon *d;

static int
start(void **state)
{
	*state = d = daemon_start(NULL, NULL, 0);
	return 0;
}

/* The text that POST /echo returned; the status must be 200. */
static void
echoed(struct client *c, const char *text)
{
	struct answer a;

	client_answer(c, &a, false);
	if (a.status != 200)
		fail_msg("%d %s", a.status, a.body);
	assert_string_equal(
	    json_string_value(json_object_get(json_object_get(a.json, "data"), "text")), text);
	answer_free(&a);
}

static char *
letters(size_t size)
{
	char *text = malloc(size + 1);

	assert_non_null(text);
	for (size_t i = 0; i < size; i++)
		text[i] = (char)('a' + i % 26);
	text[size] = '\0';
	return text;
}

static uint32_t
sum_of(const char *data, size_t len)
{
	uint32_t sum = 2166136261U;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ (unsigned char)data[i]) * 16777619U;
	return sum;
}

static void
a_body_of_any_size_up_to_the_limit_is_read(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, 16000, 32768, 40000, 1000000, 10485700 };
	struct client c;

	(void)state;
	client_open(&c, d, false);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *text = letters(sizes[i]);

		client_say(&c,
		    "POST " API "/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		    "Content-Length: %zu\r\n\r\n{\"text\":\"",
		    sizes[i] + 11);
		client_send(&c, text, sizes[i]);
		client_say(&c, "\"}");
		echoed(&c, text);
		free(text);
	}
	client_close(&c);
}

static void
a_chunked_body_is_put_together(void **state)
{
	struct client c;
	char *text = letters(100000);

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		       "Transfer-Encoding: chunked\r\n\r\n9\r\n{\"text\":\"\r\n");
	for (size_t at = 0, n = 1; at < 100000; at += n, n = n * 3 + 1) {
		n = n > 100000 - at ? 100000 - at : n;
		client_say(&c, "%zX;a=b\r\n", n);
		client_send(&c, text + at, n);
		client_say(&c, "\r\n");
	}
	client_say(&c, "2\r\n\"}\r\n0\r\nTrailer: x\r\n\r\n");
	echoed(&c, text);
	/* The body is also split at each byte. */
	{
		static const char bytes[] =
		    "POST " API "/echo HTTP/1.1\r\nHost: x\r\n"
		    "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
		    "4\r\n{\"te\r\n9\r\nxt\":\"xy\"}\r\n0\r\n\r\n";

		for (size_t i = 0; i < sizeof(bytes) - 1; i++)
			client_send(&c, bytes + i, 1);
		echoed(&c, "xy");
	}
	client_close(&c);
	free(text);
}

static void
a_malformed_chunk_is_refused_and_closes(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
		       "3\r\n{\"texx\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "INVALID_REQUEST");
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}

/* The client gets 413 while it is still sending. */
static void
refused_as_too_large(struct client *c)
{
	struct answer a;

	client_answer(c, &a, false);
	assert_int_equal(a.status, 413);
	assert_string_equal(answer_code(&a), "PAYLOAD_TOO_LARGE");
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(c));
	client_close(c);
}

static void
a_body_over_the_limit_is_refused(void **state)
{
	struct client c;
	char *text = letters(65536);

	(void)state;
	/* The length is announced: the head alone is enough to refuse. */
	client_open(&c, d, false);
	client_say(&c, "POST " API "/small HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n");
	refused_as_too_large(&c);
	client_open(&c, d, false);
	client_say(&c, "POST " API "/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10485761\r\n\r\n");
	refused_as_too_large(&c);
	client_open(&c, d, false);
	client_say(&c, "POST " API "/echo HTTP/1.1\r\nHost: x\r\n"
		       "Content-Length: 999999999999999999\r\n\r\n");
	refused_as_too_large(&c);
	/* The length is not announced: it is refused while the client is sending. */
	client_open(&c, d, false);
	client_say(
	    &c, "POST " API "/small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 20; i++) {
		client_say(&c, "10000\r\n");
		client_send(&c, text, 65536);
		client_say(&c, "\r\n");
	}
	refused_as_too_large(&c);
	free(text);
}

static void
continue_is_said_after_admission_only(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		       "Expect: 100-continue\r\nContent-Length: 13\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 100);
	answer_free(&a);
	client_say(&c, "{\"text\":\"ok\"}");
	echoed(&c, "ok");
	client_say(&c, "POST " API "/private HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
		       "Content-Length: 13\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 401);
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	client_close(&c);
}

static void
the_body_of_a_refused_request_does_not_become_a_request(void **state)
{
	static const char inner[] = "GET " API "/count HTTP/1.1\r\nHost: x\r\n\r\n";
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "POST " API "/private HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n%s",
	    strlen(inner), inner);
	client_say(&c, "GET " API "/echo?text=next HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 401);
	answer_free(&a);
	echoed(&c, "next");
	client_close(&c);
}

static const json_t *
part_of(const struct answer *a, size_t i)
{
	return json_array_get(json_object_get(a->json, "data"), i);
}

static const char *
str_of(const json_t *part, const char *name)
{
	const char *text = json_string_value(json_object_get(part, name));

	return text != NULL ? text : "(null)";
}

/* A call has ended when the next request of its connection is answered. */
static void
gone(struct client *c, const char *path)
{
	client_say(c, "GET " API "/echo?text=next HTTP/1.1\r\nHost: x\r\n\r\n");
	echoed(c, "next");
	assert_int_equal(access(path, F_OK), -1);
}

static void
an_upload_goes_to_a_file_that_is_gone_after(void **state)
{
	size_t size = 5 * 1024 * 1024 + 17;
	char *text = letters(size);
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	for (int chunked = 0; chunked < 2; chunked++) {
		client_say(&c, "POST " API "/upload HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\n");
		if (chunked)
			client_say(&c, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n", size);
		else
			client_say(&c, "Content-Length: %zu\r\n\r\n", size);
		client_send(&c, text, size);
		if (chunked)
			client_say(&c, "\r\n0\r\n\r\n");
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 200);
		assert_string_equal(str_of(part_of(&a, 0), "type"), "a/b");
		assert_int_equal(
		    json_integer_value(json_object_get(part_of(&a, 0), "fileSize")), size);
		assert_int_equal(
		    json_integer_value(json_object_get(part_of(&a, 0), "sum")), sum_of(text, size));
		gone(&c, str_of(part_of(&a, 0), "path"));
		answer_free(&a);
	}
	client_close(&c);
	free(text);
}

static void
a_form_is_taken_apart(void **state)
{
	static const char field[] = "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n"
				    "Gr\xc3\xbc\xc3\x9f"
				    "e\r\n";
	static const char file[] = "--B\r\nContent-Disposition: form-data; name=\"file\"; "
				   "filename=\"../a.txt\"\r\nContent-Type: text/plain\r\n\r\n";
	static const char long_field[] =
	    "\r\n--B\r\nContent-Disposition: form-data; name=\"long\"\r\n\r\n";
	static const char end[] = "\r\n--B--\r\n";
	size_t size = 300000;
	char *text = letters(size);
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c,
	    "POST " API "/form HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n"
	    "Content-Type: multipart/form-data; boundary=B\r\n\r\n",
	    strlen(field) + strlen(file) + strlen(long_field) + strlen(end) + size + 70000);
	client_say(&c, "%s%s", field, file);
	client_send(&c, text, size);
	client_say(&c, "%s", long_field);
	client_send(&c, text, 70000);
	client_say(&c, "%s", end);
	client_answer(&c, &a, false);
	if (a.status != 200)
		fail_msg("%s", a.body);
	assert_int_equal(json_array_size(json_object_get(a.json, "data")), 3);
	assert_string_equal(str_of(part_of(&a, 0), "name"), "title");
	assert_string_equal(str_of(part_of(&a, 0), "value"), "Gr\xc3\xbc\xc3\x9f"
							     "e");
	assert_string_equal(str_of(part_of(&a, 1), "filename"), "../a.txt");
	assert_string_equal(str_of(part_of(&a, 1), "type"), "text/plain");
	assert_int_equal(
	    json_integer_value(json_object_get(part_of(&a, 1), "sum")), sum_of(text, size));
	gone(&c, str_of(part_of(&a, 1), "path"));
	assert_string_equal(str_of(part_of(&a, 2), "value"), "(null)");
	assert_int_equal(json_integer_value(json_object_get(part_of(&a, 2), "fileSize")), 70000);
	answer_free(&a);
	client_close(&c);
	free(text);
}

static void
a_malformed_form_is_refused(void **state)
{
	static const struct {
		const char *type, *body;
	} cases[] = {
		{ "application/json", "{}" }, { "multipart/form-data", "x" },
		{ "multipart/form-data; boundary=B", "no boundary here" },
		{ "multipart/form-data; boundary=B",
		    "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nunfinished" },
		{ "multipart/form-data; boundary=B",
		    "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\xff\r\n--B--\r\n" }
	};
	struct client c;
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		client_open(&c, d, false);
		client_say(&c,
		    "POST " API "/form HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n"
		    "Content-Length: %zu\r\n\r\n%s",
		    cases[i].type, strlen(cases[i].body), cases[i].body);
		client_answer(&c, &a, false);
		assert_int_equal(a.status, 400);
		assert_string_equal(answer_code(&a), "VALIDATION_ERROR");
		answer_free(&a);
		client_close(&c);
	}
}

/* The op with a protocol of its own takes a verb as its body. */
static void
spoken(struct answer *a, const char *path, const char *verb)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c, "POST " API "%s HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n%s", path,
	    strlen(verb), verb);
	client_answer(&c, a, false);
	client_close(&c);
}

static int64_t
counted(void)
{
	struct answer a;
	int64_t count;

	ask(d, &a, "GET", API "/count");
	count = json_integer_value(json_object_get(json_object_get(a.json, "data"), "count"));
	answer_free(&a);
	return count;
}

static void
an_op_may_speak_a_protocol_of_its_own(void **state)
{
	static const struct {
		const char *verb;
		int status, counts;
		const char *body, *error;
	} cases[] = {
		{ "look", 200, 0, "look 4", NULL },
		{ "count\"{", 200, 1, "count\"{ 7", NULL },
		{ "quiet", 202, 1, "", NULL },
		{ "stop", 406, 0, "{\"code\":\"CONFLICT\",\"message\":\"stopped\"}", "CONFLICT" },
		{ "fault", 406, 0, "{\"code\":\"INTERNAL_ERROR\",\"message\":\"Internal error\"}",
		    "INTERNAL_ERROR" },
		{ "", 406, 0,
		    "{\"code\":\"VALIDATION_ERROR\",\"message\":\"is missing\",\"details\":"
		    "{\"issues\":[{\"path\":\"verb\",\"message\":\"is missing\"}]}}",
		    "VALIDATION_ERROR" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t before = counted();
		struct answer a;

		spoken(&a, "/speak", cases[i].verb);
		assert_int_equal(a.status, cases[i].status);
		assert_string_equal(a.body != NULL ? a.body : "", cases[i].body);
		if (cases[i].error == NULL)
			assert_null(answer_header(&a, "X-Probe"));
		else
			assert_string_equal(answer_header(&a, "X-Probe"), cases[i].error);
		assert_true(
		    (answer_header(&a, "Content-Type") == NULL) == (*cases[i].body == '\0'));
		answer_free(&a);
		assert_int_equal(counted() - before, cases[i].counts);
	}
}

static void
a_refusal_without_words_of_its_own_is_the_envelope(void **state)
{
	struct answer a;

	(void)state;
	spoken(&a, "/speak/known", "look");
	assert_int_equal(a.status, 401);
	assert_string_equal(answer_code(&a), "UNAUTHORIZED");
	assert_string_equal(answer_header(&a, "X-Probe"), "UNAUTHORIZED");
	answer_free(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_of_any_size_up_to_the_limit_is_read),
		cmocka_unit_test(a_chunked_body_is_put_together),
		cmocka_unit_test(a_malformed_chunk_is_refused_and_closes),
		cmocka_unit_test(a_body_over_the_limit_is_refused),
		cmocka_unit_test(continue_is_said_after_admission_only),
		cmocka_unit_test(the_body_of_a_refused_request_does_not_become_a_request),
		cmocka_unit_test(an_upload_goes_to_a_file_that_is_gone_after),
		cmocka_unit_test(a_form_is_taken_apart),
		cmocka_unit_test(a_malformed_form_is_refused),
		cmocka_unit_test(an_op_may_speak_a_protocol_of_its_own),
		cmocka_unit_test(a_refusal_without_words_of_its_own_is_the_envelope),
	};

	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
