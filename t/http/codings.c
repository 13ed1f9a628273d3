/* codings.c - compressed responses: which client gets which coding, what is never compressed, and
 * the entity tags of both forms. */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define OPEN "/plugins/mirror/open"
#define LOOK "/plugins/mirror/look?size="
#define ROOM 4000000

static struct daemon *d;
static char *token;
static struct remote admin;

static int
start(void **state)
{
	size_t at;

	(void)state;
	d = remote_new("workers = 1\nserver-timing = true\n", NULL);
	remote_plugin(d, "t/plugins/.libs/mirror.so", "mirror.so", 0644);
	token = remote_token(d, "admin", "admin");
	remote_time_stands(d);
	daemon_run(d, 0);
	at = d->said_len;
	free(COMMAND(d, "module", "enable", "mirror"));
	(void)daemon_said(d, at, "read again");
	remote_open(&admin, d, token);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	daemon_stop(d);
	remote_time_goes_on();
	free(token);
	return 0;
}

/* Sends a request with this Accept-Encoding (NULL: none) and more header lines. */
static void
get(struct answer *a, const char *method, const char *accept, const char *more, const char *path)
{
	(void)snprintf(admin.more, sizeof(admin.more), "%s%s%s%s",
	    accept != NULL ? "Accept-Encoding: " : "", accept != NULL ? accept : "",
	    accept != NULL ? "\r\n" : "", more);
	remote_ask(&admin, a, method, NULL, "%s", path);
	admin.more[0] = '\0';
}

static const char *
coding(const struct answer *a)
{
	const char *said = answer_header(a, "Content-Encoding");

	return said != NULL ? said : "none";
}

static void
expect(const char *want, const char *accept, const char *path)
{
	struct answer a;

	get(&a, "GET", accept, "", path);
	assert_int_equal(a.status, 200);
	if (strcmp(coding(&a), want) != 0)
		fail_msg("%s of %s: %s, should be %s", accept, path, coding(&a), want);
	answer_free(&a);
}

/* The body before compression, to be freed. */
static char *
plain(const struct answer *a, size_t *len)
{
	char *out = calloc(1, ROOM);
	z_stream z = { 0 };

	assert_non_null(out);
	if (strcmp(coding(a), "zstd") == 0) {
		*len = ZSTD_decompress(out, ROOM, a->body, a->len);
		assert_false(ZSTD_isError(*len));
		return out;
	}
	assert_string_equal(coding(a), "gzip");
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	z.next_in = (unsigned char *)a->body;
	z.avail_in = (unsigned)a->len;
	z.next_out = (unsigned char *)out;
	z.avail_out = ROOM;
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	*len = z.total_out;
	assert_int_equal(inflateEnd(&z), Z_OK);
	return out;
}

/* ---- which ---- */

static void
the_client_gets_the_best_of_what_it_takes(void **state)
{
	static const struct {
		const char *accept, *want;
	} cases[] = { { NULL, "none" }, { "", "none" }, { "gzip", "gzip" }, { "GZip", "gzip" },
		{ "x-gzip", "gzip" }, { "zstd", "zstd" }, { "gzip, deflate, br, zstd", "zstd" },
		{ "gzip;q=1.0, zstd;q=0.9", "gzip" }, { "zstd;q=0, gzip", "gzip" },
		{ "gzip;q=0", "none" }, { "gzip;q=0.000", "none" }, { "br, deflate", "none" },
		{ "*", "zstd" }, { "*;q=0", "none" }, { "*, zstd;q=0", "gzip" },
		{ "gzip;q=0.5, identity", "none" }, { "gzip, identity;q=0.5", "gzip" },
		{ "identity", "none" }, { "identity;q=0", "none" }, { "identity;q=0, *", "zstd" },
		{ "gzip ; q=0.001", "gzip" }, { ",, ,gzip,", "gzip" }, { "gzip;q=2", "gzip" },
		{ "gzip;level=9", "gzip" }, { "gzipped", "none" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i].want, cases[i].accept, OPEN "?size=5000");
	/* Two header lines are one list. */
	expect("gzip", "br\r\nAccept-Encoding: gzip", OPEN "?size=5000");
}

static void
it_is_the_same_body(void **state)
{
	static const char *const codings[] = { "gzip", "zstd" };
	struct answer a, b;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *text;
		size_t len;

		get(&a, "GET", NULL, "", OPEN "?size=200000");
		get(&b, "GET", codings[i], "", OPEN "?size=200000");
		assert_string_equal(coding(&b), codings[i]);
		assert_true(b.len < a.len / 10);
		assert_string_equal(answer_header(&b, "Content-Type"), "application/json");
		text = plain(&b, &len);
		assert_int_equal(len, a.len);
		assert_memory_equal(text, a.body, len);
		free(text);
		answer_free(&a);
		answer_free(&b);
	}
}

static void
what_was_kept_is_kept_in_codings_too(void **state)
{
	static const char *const codings[] = { "gzip", "zstd", "gzip", NULL, "zstd" };
	struct answer first, a;

	(void)state;
	json_decref(remote_must(&admin, 200, "POST", NULL, "/plugins/mirror/paint"));
	get(&first, "GET", NULL, "", OPEN "?size=7000");
	for (size_t i = 0; i < sizeof(codings) / sizeof(codings[0]); i++) {
		char *text = NULL;
		size_t len;

		get(&a, "GET", codings[i], "", OPEN "?size=7000");
		assert_non_null(strstr(answer_header(&a, "Server-Timing"), "cache;desc=hit"));
		assert_string_equal(coding(&a), codings[i] != NULL ? codings[i] : "none");
		if (codings[i] != NULL)
			text = plain(&a, &len);
		assert_string_equal(text != NULL ? text : a.body, first.body);
		free(text);
		answer_free(&a);
	}
	answer_free(&first);
}

/* Large bodies are compressed on another thread: the worker serves others meanwhile, and a client
 * that has gone holds up nobody. */
static void
a_large_body_is_the_same_too(void **state)
{
	static const char *const codings[] = { "gzip", "zstd" };
	struct remote many[8];
	struct answer a;
	size_t len;
	char *text;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		remote_open(&many[i], d, token);
		(void)snprintf(
		    many[i].more, sizeof(many[i].more), "Accept-Encoding: %s\r\n", codings[i % 2]);
		/* Some responses are cached, and some are too large for the cache. */
		remote_say(&many[i], "GET", NULL, OPEN "?size=%d", i < 4 ? 3000000 : 300000);
	}
	remote_close(&many[0]);
	remote_close(&many[5]);
	expect("none", NULL, OPEN "?size=10");
	for (size_t i = 0; i < 8; i++) {
		if (i == 0 || i == 5)
			continue;
		remote_hear(&many[i], &a);
		assert_int_equal(a.status, 200);
		assert_string_equal(coding(&a), codings[i % 2]);
		assert_string_equal(
		    strchr(answer_header(&a, "ETag"), '.'), i % 2 == 0 ? ".gzip\"" : ".zstd\"");
		text = plain(&a, &len);
		assert_true(len > (i < 4 ? 3000000 : 300000));
		assert_memory_equal(text + len - 6, "xxx\"}}", 6);
		free(text);
		answer_free(&a);
		/* The connection can still be used. */
		remote_ask(&many[i], &a, "GET", NULL, OPEN "?size=300000");
		assert_string_equal(coding(&a), codings[i % 2]);
		answer_free(&a);
		remote_close(&many[i]);
	}
}

/* ---- which not ---- */

static void
some_answers_are_never_compressed(void **state)
{
	struct answer a;

	(void)state;
	expect("none", "gzip", OPEN "?size=100");
	expect("none", "gzip", OPEN "?size=5000&control=private,%20no-store");
	expect("none", "gzip", OPEN "?size=5000&control=no-transform");
	expect("none", "gzip", OPEN "?size=5000&type=image/png");
	expect("none", "gzip", OPEN "?size=5000&type=application/octet-stream");
	expect("none", "gzip", OPEN "?size=5000&type=text/event-stream");
	expect("gzip", "gzip", OPEN "?size=5000&type=text/css");
	expect("gzip", "gzip", OPEN "?size=5000&type=image/svg%2Bxml");
	/* A client that refuses the uncompressed form gets even a small response compressed. */
	expect("gzip", "gzip, identity;q=0", OPEN "?size=1");
	/* A response with a secret is not compressed even for such a client. */
	(void)snprintf(admin.more, sizeof(admin.more), "Accept-Encoding: gzip, identity;q=0\r\n");
	remote_ask(&admin, &a, "POST", "{\"name\":\"t\",\"scopes\":[\"content:read\"]}",
	    "/admin/api-tokens");
	admin.more[0] = '\0';
	assert_int_equal(a.status, 201);
	assert_string_equal(coding(&a), "none");
	answer_free(&a);
}

static void
head_tells_of_the_body_as_it_is(void **state)
{
	struct answer a;

	(void)state;
	get(&a, "HEAD", "gzip", "", OPEN "?size=5000");
	assert_int_equal(a.status, 200);
	assert_string_equal(coding(&a), "none");
	assert_true(strtol(answer_header(&a, "Content-Length"), NULL, 10) > 5000);
	assert_string_equal(answer_header(&a, "Vary"), "Accept-Encoding");
	answer_free(&a);
}

/* ---- tags ---- */

static void
each_coding_has_a_tag_of_its_own(void **state)
{
	static const char *const codings[] = { NULL, "gzip", "zstd" };
	char tag[3][128], more[400];
	struct answer a;

	(void)state;
	json_decref(remote_must(&admin, 200, "POST", NULL, "/plugins/mirror/paint"));
	for (int i = 0; i < 3; i++) {
		get(&a, "GET", codings[i], "", OPEN "?size=3000");
		assert_string_equal(answer_header(&a, "Vary"), "Accept-Encoding");
		(void)snprintf(tag[i], sizeof(tag[i]), "%.120s", answer_header(&a, "ETag"));
		answer_free(&a);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(tag[k], tag[i]);
	}
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) {
			(void)snprintf(more, sizeof(more), "If-None-Match: %.120s\r\n", tag[k]);
			get(&a, "GET", codings[i], more, OPEN "?size=3000");
			assert_int_equal(a.status, i == k ? 304 : 200);
			assert_string_equal(answer_header(&a, "ETag"), tag[i]);
			assert_string_equal(answer_header(&a, "Vary"), "Accept-Encoding");
			if (i == k)
				assert_string_equal(coding(&a), "none");
			answer_free(&a);
		}
}

static void
the_tag_of_a_compressed_item_serves_to_update_it(void **state)
{
	char title[2000] = "", body[2100], more[400];
	struct answer a;
	json_t *data;

	(void)state;
	json_decref(remote_must(
	    &admin, 201, "POST", "{\"slug\":\"notes\",\"label\":\"N\"}", "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"body\",\"label\":\"B\",\"type\":\"text\"}",
	    "/schema/collections/notes/fields"));
	memset(title, 'y', sizeof(title) - 1);
	(void)snprintf(body, sizeof(body), "{\"slug\":\"n\",\"data\":{\"body\":\"%s\"}}", title);
	data = remote_must(&admin, 201, "POST", body, "/content/notes");
	json_decref(data);
	get(&a, "GET", "zstd", "", "/content/notes/n");
	assert_string_equal(coding(&a), "zstd");
	(void)snprintf(more, sizeof(more), "If-Match: %.120s\r\n", answer_header(&a, "ETag"));
	answer_free(&a);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(admin.more, sizeof(admin.more), "%s", more);
		remote_ask(
		    &admin, &a, "PUT", "{\"data\":{\"body\":\"short\"}}", "/content/notes/n");
		admin.more[0] = '\0';
		assert_int_equal(a.status, i == 0 ? 200 : 412);
		answer_free(&a);
	}
}

/* The kept answer and the refusal have the same length: each has its own bytes. */
static void
a_refusal_is_not_what_is_kept(void **state)
{
	struct answer a;
	char path[100];
	size_t len, refusal;

	(void)state;
	get(&a, "GET", NULL, "", LOOK "10");
	len = a.len;
	answer_free(&a);
	get(&a, "GET", NULL, "If-Match: \"x\"\r\n", LOOK "10");
	refusal = a.len;
	answer_free(&a);
	assert_true(len < refusal);
	(void)snprintf(path, sizeof(path), LOOK "%zu", 10 + refusal - len);
	for (int i = 0; i < 3; i++) {
		get(&a, "GET", NULL, i > 0 ? "If-Match: \"x\"\r\n" : "", path);
		assert_int_equal(a.len, refusal);
		assert_int_equal(a.status, i > 0 ? 412 : 200);
		assert_string_equal(answer_code(&a), i > 0 ? "PRECONDITION_FAILED" : "");
		answer_free(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_client_gets_the_best_of_what_it_takes),
		cmocka_unit_test(it_is_the_same_body),
		cmocka_unit_test(a_large_body_is_the_same_too),
		cmocka_unit_test(what_was_kept_is_kept_in_codings_too),
		cmocka_unit_test(some_answers_are_never_compressed),
		cmocka_unit_test(head_tells_of_the_body_as_it_is),
		cmocka_unit_test(each_coding_has_a_tag_of_its_own),
		cmocka_unit_test(the_tag_of_a_compressed_item_serves_to_update_it),
		cmocka_unit_test(a_refusal_is_not_what_is_kept),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
