/* parts.c - responses that are files: ranges and conditions in requests, and headers of
 * responses. */
#include "filed.h"

#include <stdio.h>

#define SMALL 1000

static struct daemon *d;

static int
start(void **state)
{
	*state = d = daemon_start(NULL, NULL, 0);
	filed_make(d, "small", SMALL);
	filed_make(d, "empty", 0);
	return 0;
}

static void
parts_are_answered(void **state)
{
	static const struct {
		const char *range;
		int status;
		size_t from, size;
	} table[] = {
		{ "bytes=0-0", 206, 0, 1 },
		{ "bytes=0-999", 206, 0, 1000 },
		{ "bytes=10-19", 206, 10, 10 },
		{ "Bytes=10-19", 206, 10, 10 },
		{ "bytes= 10-19", 206, 10, 10 },
		{ "bytes=990-", 206, 990, 10 },
		{ "bytes=-1", 206, 999, 1 },
		{ "bytes=-1000", 206, 0, 1000 },
		{ "bytes=-5000", 206, 0, 1000 },
		{ "bytes=999-99999999999999999999999999", 206, 999, 1 },
		{ "bytes=-99999999999999999999999999", 206, 0, 1000 },
		{ "bytes=00000000000000000000000000000000000010-19", 206, 10, 10 },
		/* Ranges beyond the end of the file. */
		{ "bytes=1000-", 416, 0, 0 },
		{ "bytes=1000-1000", 416, 0, 0 },
		{ "bytes=-0", 416, 0, 0 },
		{ "bytes=18446744073709551616-", 416, 0, 0 },
		{ "bytes=18446744073709551615-18446744073709551615", 416, 0, 0 },
		/* Ranges that the server ignores. */
		{ "bytes=10-9", 200, 0, 1000 },
		{ "bytes=0-1,5-6", 200, 0, 1000 },
		{ "bytes=0-1, -1", 200, 0, 1000 },
		{ "bytes=", 200, 0, 1000 },
		{ "bytes=-", 200, 0, 1000 },
		{ "bytes=a-b", 200, 0, 1000 },
		{ "bytes=1-2x", 200, 0, 1000 },
		{ "bytes=+1-2", 200, 0, 1000 },
		{ "bytes=0x1-2", 200, 0, 1000 },
		{ "bytes", 200, 0, 1000 },
		{ "items=0-1", 200, 0, 1000 },
		{ "bytes=0-1\r\nRange: bytes=2-3", 200, 0, 1000 },
	};
	char header[160], range[64];
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		(void)snprintf(header, sizeof(header), "Range: %s\r\n", table[i].range);
		(void)snprintf(range, sizeof(range), "bytes %zu-%zu/1000", table[i].from,
		    table[i].from + table[i].size - 1);
		filed_get(d, &a, "small", "&cache=public&tag=t", header);
		if (a.status != table[i].status)
			fail_msg("%s: %d", table[i].range, a.status);
		if (a.status != 416) {
			filed_bytes(&a, table[i].from, table[i].size);
			filed_header(&a, "Content-Range", a.status == 206 ? range : NULL);
			filed_header(&a, "Cache-Control", "public");
			filed_header(&a, "ETag", "\"t\"");
		} else {
			filed_header(&a, "Content-Range", "bytes */1000");
			/* The file's headers must not be in an error. */
			filed_header(&a, "Cache-Control", "private, no-store");
			filed_header(&a, "ETag", NULL);
			assert_string_equal(answer_code(&a), "RANGE_NOT_SATISFIABLE");
		}
		answer_free(&a);
	}
	/* An empty file has no ranges. */
	filed_get(d, &a, "empty", "", "Range: bytes=0-99\r\n");
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

#define DATE "Tue, 14 Nov 2023 22:13:20 GMT"
#define BEFORE "Tue, 14 Nov 2023 22:13:19 GMT"

static void
conditions_are_judged_in_their_order(void **state)
{
	static const struct {
		const char *headers;
		int status;
	} table[] = {
		{ "If-None-Match: \"t\"\r\n", 304 },
		{ "If-None-Match: W/\"t\"\r\n", 304 },
		{ "If-None-Match: \"a\", \"t\"\r\n", 304 },
		{ "If-None-Match: \"a\"\r\nIf-None-Match: \"t\"\r\n", 304 },
		{ "If-None-Match: *\r\n", 304 },
		{ "If-None-Match: \"a\"\r\n", 200 },
		{ "If-None-Match: t\r\n", 200 },
		{ "If-None-Match: \"t\r\n", 200 },
		{ "If-Modified-Since: " DATE "\r\n", 304 },
		{ "If-Modified-Since: " BEFORE "\r\n", 200 },
		{ "If-Modified-Since: Tuesday, 14-Nov-23 22:13:20 GMT\r\n", 304 },
		{ "If-Modified-Since: Tue Nov 14 22:13:20 2023\r\n", 304 },
		{ "If-Modified-Since: " DATE " x\r\n", 200 },
		{ "If-Modified-Since: yesterday\r\n", 200 },
		{ "If-None-Match: \"a\"\r\nIf-Modified-Since: " DATE "\r\n", 200 },
		{ "If-Match: \"t\"\r\n", 200 },
		{ "If-Match: *\r\n", 200 },
		{ "If-Match: \"a\", \"t\"\r\n", 200 },
		{ "If-Match: W/\"t\"\r\n", 412 },
		{ "If-Match: \"a\"\r\n", 412 },
		{ "If-Match: t\r\n", 412 },
		{ "If-Match: \"a\"\r\nIf-None-Match: \"t\"\r\n", 412 },
		{ "If-Match: \"t\"\r\nIf-None-Match: \"t\"\r\n", 304 },
		{ "If-Match: \"t\"\r\nIf-Unmodified-Since: " BEFORE "\r\n", 200 },
		{ "If-Unmodified-Since: " DATE "\r\n", 200 },
		{ "If-Unmodified-Since: " BEFORE "\r\n", 412 },
		{ "If-Unmodified-Since: never\r\n", 200 },
		{ "If-Unmodified-Since: " BEFORE "\r\nIf-None-Match: \"t\"\r\n", 412 },
		/* A range, only if the file has not changed (If-Range). */
		{ "Range: bytes=0-1\r\nIf-Range: \"t\"\r\n", 206 },
		{ "Range: bytes=0-1\r\nIf-Range: W/\"t\"\r\n", 200 },
		{ "Range: bytes=0-1\r\nIf-Range: \"a\"\r\n", 200 },
		{ "Range: bytes=0-1\r\nIf-Range: *\r\n", 200 },
		{ "Range: bytes=0-1\r\nIf-Range: " DATE "\r\n", 206 },
		{ "Range: bytes=0-1\r\nIf-Range: " BEFORE "\r\n", 200 },
		{ "Range: bytes=0-1\r\nIf-Range: Wed, 15 Nov 2023 22:13:20 GMT\r\n", 200 },
		{ "Range: bytes=2000-\r\nIf-Range: \"a\"\r\n", 200 },
		{ "If-Range: \"a\"\r\n", 200 },
		{ "Range: bytes=0-1\r\nIf-None-Match: \"t\"\r\n", 304 },
		{ "Range: bytes=0-1\r\nIf-Match: \"t\"\r\n", 206 },
		{ "Range: bytes=0-1\r\nIf-Match: \"a\"\r\n", 412 },
		{ "Range: bytes=2000-\r\nIf-Match: \"a\"\r\n", 412 },
	};
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		filed_get(d, &a, "small",
		    "&tag=t&modified=1700000000000&cache=public&type=image/png", table[i].headers);
		if (a.status != table[i].status)
			fail_msg("%s: %d", table[i].headers, a.status);
		if (a.status == 304) {
			filed_header(&a, "ETag", "\"t\"");
			filed_header(&a, "Cache-Control", "public");
			filed_header(&a, "Last-Modified", DATE);
			filed_header(&a, "Content-Type", NULL);
			filed_header(&a, "Content-Range", NULL);
			filed_header(&a, "Content-Disposition", NULL);
			assert_int_equal(a.len, 0);
		}
		if (a.status == 412) {
			filed_header(&a, "Cache-Control", "private, no-store");
			assert_string_equal(answer_code(&a), "PRECONDITION_FAILED");
		}
		answer_free(&a);
	}
}

/* Without an entity tag, If-Range needs a date; a date of the current second may belong to two
 * versions of a file. */
static void
a_file_without_a_tag_is_known_by_its_date(void **state)
{
	struct answer a;
	char headers[200];

	(void)state;
	filed_make(d, "dated", SMALL);
	filed_get(d, &a, "dated", "", "If-None-Match: \"x\"\r\n");
	assert_int_equal(a.status, 200);
	filed_header(&a, "ETag", NULL);
	(void)snprintf(headers, sizeof(headers), "If-Modified-Since: %s\r\n",
	    answer_header(&a, "Last-Modified"));
	answer_free(&a);
	filed_get(d, &a, "dated", "", headers);
	assert_int_equal(a.status, 304);
	answer_free(&a);
	filed_get(d, &a, "dated", "&modified=9999999999000",
	    "Range: bytes=0-1\r\nIf-Range: Sat, 20 Nov 2286 17:46:39 GMT\r\n");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	filed_get(d, &a, "dated", "", "If-Match: \"x\"\r\n");
	assert_int_equal(a.status, 412);
	answer_free(&a);
}

static void
what_runs_scripts_is_saved_and_names_are_harmless(void **state)
{
	static const struct {
		const char *query, *type, *disposition;
	} table[] = {
		{ "&type=image/png", "image/png", "inline" },
		{ "&type=IMAGE/PNG;x=1", "IMAGE/PNG;x=1", "inline" },
		{ "&type=image/svg%2Bxml", "image/svg+xml", "attachment" },
		{ "&type=text/html", "text/html", "attachment" },
		{ "&type=application/pdf", "application/pdf", "attachment" },
		{ "&type=application/pdf&show=2", "application/pdf", "inline" },
		{ "&type=image/png&show=1", "image/png", "attachment" },
		{ "&type=image/pngx", "image/pngx", "attachment" },
		{ "&type=image", "application/octet-stream", "attachment" },
		{ "&type=image/png%0D%0AX-Bad:%201", "application/octet-stream", "attachment" },
		{ "&type=image/png;%0D%0AX-Bad:%201", "application/octet-stream", "attachment" },
		{ "&type=image/%C3%A9", "application/octet-stream", "attachment" },
		{ "&name=report.pdf", "application/octet-stream",
		    "attachment; filename=\"report.pdf\"" },
		{ "&name=../../etc/passwd", "application/octet-stream",
		    "attachment; filename=\"passwd\"" },
		{ "&name=C:%5CUsers%5Ca.txt", "application/octet-stream",
		    "attachment; filename=\"a.txt\"" },
		{ "&name=a%22%5C%0D%0AX-Bad:1.txt", "application/octet-stream",
		    "attachment; filename=\"X-Bad:1.txt\"" },
		{ "&name=a%22b%0D%0Ac.txt", "application/octet-stream",
		    "attachment; filename=\"a_bc.txt\"; filename*=UTF-8''a%22bc.txt" },
		{ "&name=50%25.txt", "application/octet-stream",
		    "attachment; filename=\"50_.txt\"; filename*=UTF-8''50%25.txt" },
		{ "&name=na%C3%AFve.txt", "application/octet-stream",
		    "attachment; filename=\"na__ve.txt\"; filename*=UTF-8''na%C3%AFve.txt" },
		{ "&name=a%E2%80%AEgpj.exe", "application/octet-stream",
		    "attachment; filename=\"agpj.exe\"" },
		{ "&name=a%C2%85b%E2%81%A6c", "application/octet-stream",
		    "attachment; filename=\"abc\"" },
		{ "&name=/", "application/octet-stream", "attachment" },
	};
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		filed_get(d, &a, "small", table[i].query, "");
		assert_int_equal(a.status, 200);
		filed_header(&a, "Content-Type", table[i].type);
		filed_header(&a, "Content-Disposition", table[i].disposition);
		filed_header(&a, "X-Bad", NULL);
		answer_free(&a);
	}
}

static void
a_long_name_keeps_its_ending(void **state)
{
	char query[600];
	const char *is;
	struct answer a;
	size_t n;

	(void)state;
	n = (size_t)snprintf(query, sizeof(query), "&name=");
	memset(query + n, 'n', 300);
	(void)snprintf(query + n + 300, sizeof(query) - n - 300, ".tar");
	filed_get(d, &a, "small", query, "");
	is = answer_header(&a, "Content-Disposition");
	assert_non_null(is);
	assert_int_equal(strlen(is), strlen("attachment; filename=\"\"") + 200);
	assert_non_null(strstr(is, "nnn.tar\""));
	answer_free(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_answered),
		cmocka_unit_test(conditions_are_judged_in_their_order),
		cmocka_unit_test(a_file_without_a_tag_is_known_by_its_date),
		cmocka_unit_test(what_runs_scripts_is_saved_and_names_are_harmless),
		cmocka_unit_test(a_long_name_keeps_its_ending),
	};

	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
