/* multipart.t - multipart form data, split in every way: its parts, and errors. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "http/multipart.h"
#include "base/buf.h"
#include <stdlib.h>
#include <string.h>

#define RAW(text) (text), sizeof(text) - 1
#define PART "Content-Disposition: form-data; name=\"a\"\r\n"
#define LAST "\r\n--b--\r\n"
#define FORM(heads) "--b\r\n" heads "\r\nx" LAST

/* The result of parsing a body, as text: "name|filename|type=content;" for each part. */
struct outcome {
	struct buf log;
	bool fed, finished, why;
	bool open; /* inside a part */
	int allowed; /* events until a callback stops the parser */
};

static bool
on_part(void *ctx, const char *name, const char *filename, const char *type)
{
	struct outcome *o = ctx;

	assert_false(o->open);
	o->open = true;
	buf_printf(&o->log, "%s|%s|%s=", name, filename != NULL ? filename : "-",
	    type != NULL ? type : "-");
	return o->allowed-- > 0;
}

static bool
on_data(void *ctx, const char *data, size_t len)
{
	struct outcome *o = ctx;

	assert_true(o->open);
	assert_true(len > 0);
	buf_add(&o->log, data, len);
	return o->allowed-- > 0;
}

static bool
on_end(void *ctx)
{
	struct outcome *o = ctx;

	assert_true(o->open);
	o->open = false;
	buf_char(&o->log, ';');
	return o->allowed-- > 0;
}

static const struct multipart_events events = { on_part, on_data, on_end };

/* Feeds a piece as a block of its exact size. */
static bool
feed(struct multipart *m, const char *in, size_t len)
{
	char *block = malloc(len + 1);
	bool ok;

	assert_non_null(block);
	memcpy(block, in, len);
	ok = multipart_feed(m, block, len);
	free(block);
	return ok;
}

/* Feeds in[0..cut), then the rest in pieces of `step`. */
static struct outcome
feed_in(const char *boundary, const char *in, size_t len, size_t cut, size_t step, int allowed)
{
	struct outcome o = { .allowed = allowed };
	struct multipart *m = multipart_new(boundary, &events, &o);

	buf_str(&o.log, "");
	o.fed = feed(m, in, cut);
	for (; cut < len; cut += step)
		o.fed = feed(m, in + cut, len - cut < step ? len - cut : step) && o.fed;
	o.finished = multipart_finish(m);
	o.why = multipart_why(m) != NULL;
	multipart_free(m);
	return o;
}

/* Parses the input at once, split at every position, and byte by byte: the result must not depend
 * on the split. */
static struct outcome
decode_with(const char *boundary, const char *in, size_t len)
{
	struct outcome o = feed_in(boundary, in, len, len, 1, 1000000), part;
	size_t cut;

	for (cut = 0; cut <= len; cut++) {
		part = feed_in(boundary, in, len, cut, cut == 0 ? 1 : len, 1000000);
		assert_int_equal(part.fed, o.fed);
		assert_int_equal(part.finished, o.finished);
		assert_int_equal(part.why, o.why);
		assert_int_equal(part.log.len, o.log.len);
		if (o.log.len > 0)
			assert_memory_equal(part.log.data, o.log.data, o.log.len);
		buf_free(&part.log);
	}
	return o;
}

/* ---- boundaries ---- */

static void
the_boundary_is_read_from_the_content_type(void **state)
{
	static const struct {
		const char *type, *boundary;
	} of[] = {
		{ "multipart/form-data; boundary=abc", "abc" },
		{ "Multipart/Form-Data ;\tBOUNDARY=\"a:b?=c\" ; charset=utf-8", "a:b?=c" },
		{ "multipart/form-data;charset=x;boundary=----WebKitFormBoundary7MA4YWxk",
		    "----WebKitFormBoundary7MA4YWxk" },
		{ "multipart/form-data; boundary="
		  "1234567890123456789012345678901234567890123456789012345678901234567890",
		    "1234567890123456789012345678901234567890123456789012345678901234567890" },
		{ "multipart/form-data; boundary=a;", "a" },
		{ "multipart/form-data", NULL },
		{ "multipart/form-data; charset=utf-8", NULL },
		{ "multipart/mixed; boundary=abc", NULL },
		{ "multipart/form-data2; boundary=abc", NULL },
		{ "text/plain; boundary=abc", NULL },
		{ "", NULL },
		{ "multipart/form-data; boundary=", NULL },
		{ "multipart/form-data; boundary=\"\"", NULL },
		{ "multipart/form-data; boundary=\"abc", NULL },
		{ "multipart/form-data; boundary=a; boundary=a", NULL },
		{ "multipart/form-data; boundary=a b", NULL },
		{ "multipart/form-data; boundary=\"a b\"", NULL },
		{ "multipart/form-data; boundary=\"a\xc3\xa9\"", NULL },
		{ "multipart/form-data; boundary = a", NULL },
		{ "multipart/form-data boundary=a", NULL },
		{ "multipart/form-data; boundary=a/b", NULL },
		{ "multipart/form-data; boundary=a; x", NULL },
		{ "multipart/form-data; boundary="
		  "12345678901234567890123456789012345678901234567890123456789012345678901",
		    NULL },
	};
	char boundary[71];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		assert_int_equal(multipart_boundary(of[i].type, boundary), of[i].boundary != NULL);
		if (of[i].boundary != NULL)
			assert_string_equal(boundary, of[i].boundary);
	}
}

static void
an_endless_content_type_is_refused(void **state)
{
	char type[4096] = "multipart/form-data; boundary=a; x=", boundary[71];

	(void)state;
	memset(type + strlen(type), 'x', sizeof(type) - strlen(type) - 1);
	type[sizeof(type) - 1] = '\0';
	assert_false(multipart_boundary(type, boundary));
}

/* ---- bodies ---- */

struct body {
	const char *name, *text;
	size_t len;
	const char *log;
};

static const struct body good[] = {
	{ "a_plain_field_is_read", RAW(FORM(PART)), "a|-|-=x;" },
	{ "a_file_is_read",
	    RAW(FORM("content-disposition:form-data; filename=\"x.png\" ;name=\"f\"\r\n"
		     "CONTENT-TYPE:  image/png \r\nContent-Transfer-Encoding: BINARY\r\nX: y\r\n")),
	    "f|x.png|image/png=x;" },
	{ "several_parts_are_read",
	    RAW("--b\r\n" PART "\r\n1\r\n--b\r\n" PART "\r\n\r\n--b\r\n" PART "\r\n\r\n3" LAST),
	    "a|-|-=1;a|-|-=;a|-|-=\r\n3;" },
	{ "a_body_without_parts_is_read", RAW("--b--\r\n"), "" },
	{ "the_last_line_needs_no_end", RAW("--b\r\n" PART "\r\nx\r\n--b--"), "a|-|-=x;" },
	{ "preamble_and_epilogue_are_dropped",
	    RAW("hello\r\n-\r\n--\r\n--c\r\n--b\r\n" PART "\r\nx\r\n--b--\r\nbye\r\n--b\r\nx"),
	    "a|-|-=x;" },
	{ "what_looks_like_a_delimiter_is_content",
	    RAW("--b\r\n" PART "\r\n\r\n-\r\n--\r\n--c\r\r\n\r\n-b\r\n--B\n--b--\r--b" LAST),
	    "a|-|-=\r\n-\r\n--\r\n--c\r\r\n\r\n-b\r\n--B\n--b--\r--b;" },
	{ "escaped_quotes_in_a_file_name_are_read",
	    RAW(FORM("Content-Disposition: form-data; name=a; filename=\"a\\\"b\\\\c;d\"\r\n")),
	    "a|a\"b\\c;d|-=x;" },
	{ "other_backslashes_in_a_file_name_stay",
	    RAW(FORM("Content-Disposition: form-data; name=a; filename=\"C:\\dir\\f.txt\"\r\n")),
	    "a|C:\\dir\\f.txt|-=x;" },
	{ "an_empty_file_name_is_a_file_name",
	    RAW(FORM("Content-Disposition: form-data; name=a; filename=\"\"\r\n")), "a||-=x;" },
	{ "utf_8_names_are_read",
	    RAW(FORM(
		"Content-Disposition: form-data; name=\"\xc3\xa9\"; filename=\"\xe2\x82\xac\"\r\n")),
	    "\xc3\xa9|\xe2\x82\xac|-=x;" },
	{ "an_extended_file_name_wins",
	    RAW(FORM("Content-Disposition: form-data; name=a; filename*=utf-8'en'%e2%82%AC%20x;"
		     " filename=\"e\"\r\n")),
	    "a|\xe2\x82\xac x|-=x;" },
	{ "unknown_parameters_are_dropped",
	    RAW(FORM("Content-Disposition: Form-Data; size=3; Name=a; x=\"y\"\r\n")), "a|-|-=x;" },
};

static void
is_read(void **state)
{
	const struct body *b = *state;
	struct outcome o = decode_with("b", b->text, b->len);

	assert_true(o.fed && o.finished);
	assert_false(o.open || o.why);
	assert_string_equal(o.log.data, b->log);
	buf_free(&o.log);
}

#define NAMED(parameters) FORM("Content-Disposition: form-data; " parameters "\r\n")

static const struct body bad[] = {
	{ "an_empty_body_is_refused", RAW(""), "" },
	{ "a_body_without_delimiter_is_refused", RAW("hello\r\n"), "" },
	{ "a_body_without_close_delimiter_is_refused", RAW("--b\r\n" PART "\r\nx\r\n--b\r\n"),
	    NULL },
	{ "a_body_that_ends_in_a_part_is_refused", RAW("--b\r\n" PART "\r\nx"), NULL },
	{ "a_body_that_ends_in_a_head_is_refused", RAW("--b\r\n" PART), "" },
	{ "a_half_close_delimiter_is_refused", RAW("--b\r\n" PART "\r\nx\r\n--b-"), NULL },
	{ "a_close_delimiter_with_half_a_line_end_is_refused", RAW("--b--\r"), "" },
	{ "text_after_the_close_delimiter_is_refused", RAW("--b--x\r\n"), "" },
	{ "a_delimiter_with_a_bare_lf_is_refused", RAW("--b\n" PART "\r\nx" LAST), "" },
	{ "a_delimiter_with_a_bare_cr_is_refused", RAW("--b\r" PART "\r\nx" LAST), "" },
	{ "a_longer_delimiter_is_refused", RAW("--bc\r\n" PART "\r\nx" LAST), "" },
	{ "a_delimiter_with_a_blank_is_refused", RAW("--b \r\n" PART "\r\nx" LAST), "" },
	{ "a_body_with_lf_only_is_refused",
	    RAW("--b\nContent-Disposition: form-data; name=a\n\nx\n--b--\n"), "" },
	{ "a_head_with_lf_only_is_refused",
	    RAW("--b\r\nContent-Disposition: form-data; name=a\n\nx" LAST), "" },
	{ "a_head_with_a_bare_cr_is_refused", RAW(FORM("X: a\rb\r\n" PART)), "" },
	{ "a_head_with_nul_is_refused", RAW(FORM("X: \0\r\n" PART)), "" },
	{ "a_head_with_a_tab_is_refused", RAW(FORM("X: \t\r\n" PART)), "" },
	{ "a_head_with_del_is_refused", RAW(FORM("X: \x7f\r\n" PART)), "" },
	{ "a_folded_head_is_refused", RAW(FORM(PART "X: a\r\n b\r\n")), "" },
	{ "a_part_without_head_is_refused", RAW(FORM("")), "" },
	{ "a_part_without_disposition_is_refused", RAW(FORM("Content-Type: text/plain\r\n")), "" },
	{ "two_dispositions_are_refused", RAW(FORM(PART PART)), "" },
	{ "another_disposition_is_refused",
	    RAW(FORM("Content-Disposition: attachment; name=a\r\n")), "" },
	{ "a_missing_name_is_refused", RAW(FORM("Content-Disposition: form-data\r\n")), "" },
	{ "a_file_without_name_is_refused", RAW(NAMED("filename=a")), "" },
	{ "an_empty_name_is_refused", RAW(NAMED("name=\"\"")), "" },
	{ "two_names_are_refused", RAW(NAMED("name=a; name=a")), "" },
	{ "two_file_names_are_refused", RAW(NAMED("name=a; filename=b; filename=c")), "" },
	{ "two_extended_file_names_are_refused",
	    RAW(NAMED("name=a; filename*=UTF-8''b; filename*=UTF-8''b")), "" },
	{ "an_open_quote_is_refused", RAW(NAMED("name=\"a")), "" },
	{ "an_escaped_closing_quote_is_refused", RAW(NAMED("name=\"a\\\"")), "" },
	{ "text_after_the_quotes_is_refused", RAW(NAMED("name=\"a\"b")), "" },
	{ "a_parameter_without_value_is_refused", RAW(NAMED("name=a; x")), "" },
	{ "a_parameter_without_name_is_refused", RAW(NAMED("name=a; =x")), "" },
	{ "a_latin_extended_file_name_is_refused", RAW(NAMED("name=a; filename*=latin1''b")), "" },
	{ "an_extended_file_name_without_language_is_refused",
	    RAW(NAMED("name=a; filename*=UTF-8'b")), "" },
	{ "nul_in_an_extended_file_name_is_refused",
	    RAW(NAMED("name=a; filename*=UTF-8''a%00.png")), "" },
	{ "a_line_end_in_an_extended_file_name_is_refused",
	    RAW(NAMED("name=a; filename*=UTF-8''a%0d%0ab")), "" },
	{ "del_in_an_extended_file_name_is_refused", RAW(NAMED("name=a; filename*=UTF-8''a%7Fb")),
	    "" },
	{ "a_bad_percent_in_an_extended_file_name_is_refused",
	    RAW(NAMED("name=a; filename*=UTF-8''a%4")), "" },
	{ "two_types_are_refused", RAW(FORM(PART "Content-Type: a/b\r\nContent-Type: a/b\r\n")),
	    "" },
	{ "a_nested_multipart_is_refused",
	    RAW(FORM(PART "Content-Type: Multipart/Mixed; boundary=c\r\n")), "" },
	{ "a_transfer_encoding_is_refused", RAW(FORM(PART "Content-Transfer-Encoding: base64\r\n")),
	    "" },
	{ "a_header_without_colon_is_refused", RAW(FORM(PART "abc\r\n")), "" },
	{ "a_header_without_name_is_refused", RAW(FORM(PART ": a\r\n")), "" },
	{ "a_space_before_the_colon_is_refused",
	    RAW(FORM("Content-Disposition : form-data; name=a\r\n")), "" },
};

static void
is_refused(void **state)
{
	const struct body *b = *state;
	struct outcome o = decode_with("b", b->text, b->len);

	assert_false(o.fed && o.finished);
	assert_true(o.why);
	if (b->log != NULL)
		assert_string_equal(o.log.data, b->log);
	buf_free(&o.log);
}

static struct outcome
parts(int count)
{
	struct outcome o;
	struct buf body = { 0 };

	while (count-- > 0)
		buf_str(&body, "--b\r\n" PART "\r\nx\r\n");
	buf_str(&body, "--b--");
	o = feed_in("b", body.data, body.len, body.len, 1, 1000000);
	buf_free(&body);
	return o;
}

static void
thirty_two_parts_are_read(void **state)
{
	struct outcome o = parts(MULTIPART_PARTS_MAX);

	(void)state;
	assert_true(o.fed && o.finished);
	assert_int_equal(o.log.len, MULTIPART_PARTS_MAX * strlen("a|-|-=x;"));
	buf_free(&o.log);
}

static void
thirty_three_parts_are_refused(void **state)
{
	struct outcome o = parts(MULTIPART_PARTS_MAX + 1);

	(void)state;
	assert_false(o.fed || o.finished);
	assert_true(o.why);
	buf_free(&o.log);
}

/* Parses a form with a part whose head has `size` bytes. */
static struct outcome
head_of(size_t size)
{
	struct outcome o;
	struct buf body = { 0 };

	buf_str(&body, "--b\r\n" PART "X:");
	while (body.len < strlen("--b\r\n") + size - 4)
		buf_char(&body, 'x');
	buf_str(&body, "\r\n\r\nx" LAST);
	o = feed_in("b", body.data, body.len, body.len, 1, 1000000);
	buf_free(&body);
	return o;
}

static void
a_part_head_of_4_kib_is_read(void **state)
{
	struct outcome o = head_of(MULTIPART_HEAD_MAX);

	(void)state;
	assert_true(o.fed && o.finished);
	assert_string_equal(o.log.data, "a|-|-=x;");
	buf_free(&o.log);
}

static void
a_part_head_over_4_kib_is_refused(void **state)
{
	struct outcome o = head_of(MULTIPART_HEAD_MAX + 1);

	(void)state;
	assert_false(o.fed || o.finished);
	assert_string_equal(o.log.data, "");
	buf_free(&o.log);
}

static void
an_event_can_stop_the_body(void **state)
{
	static const char *const log[] = { "a|-|-=", "a|-|-=x", "a|-|-=x;", "a|-|-=x;a|-|-=" };
	static const char body[] = "--b\r\n" PART "\r\nx\r\n--b\r\n" PART "\r\ny" LAST;
	struct outcome o;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		o = feed_in("b", body, sizeof(body) - 1, sizeof(body) - 1, 1, i);
		assert_false(o.fed || o.finished);
		assert_false(o.why);
		assert_string_equal(o.log.data, log[i]);
		buf_free(&o.log);
	}
}

/* Content full of line breaks and hyphens, with the longest boundary, in pieces of every size. */
static void
content_survives_any_pieces(void **state)
{
	static const char boundary[] =
	    "1234567890123456789012345678901234567890123456789012345678901234567890";
	static const char alphabet[] = "\r\n-1\r\n--12";
	struct buf body = { 0 }, content = { 0 };
	struct outcome o;
	unsigned seed = 1;
	size_t i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		seed = seed * 1103515245 + 12345;
		buf_char(&content, alphabet[(seed >> 16) % (sizeof(alphabet) - 1)]);
		if (i % 500 == 0)
			buf_printf(&content, "\r\n--%.69s", boundary);
	}
	buf_printf(&body, "--%s\r\n" PART "\r\n", boundary);
	buf_add(&body, content.data, content.len);
	buf_printf(&body, "\r\n--%s--\r\n", boundary);
	for (i = 1; i < 300; i++) {
		o = feed_in(boundary, body.data, body.len, 0, i, 1000000);
		assert_true(o.fed && o.finished);
		assert_int_equal(o.log.len, content.len + strlen("a|-|-=;"));
		assert_memory_equal(o.log.data + strlen("a|-|-="), content.data, content.len);
		buf_free(&o.log);
	}
	buf_free(&body);
	buf_free(&content);
}

int
main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(the_boundary_is_read_from_the_content_type),
		cmocka_unit_test(an_endless_content_type_is_refused),
		cmocka_unit_test(thirty_two_parts_are_read),
		cmocka_unit_test(thirty_three_parts_are_refused),
		cmocka_unit_test(a_part_head_of_4_kib_is_read),
		cmocka_unit_test(a_part_head_over_4_kib_is_refused),
		cmocka_unit_test(an_event_can_stop_the_body),
		cmocka_unit_test(content_survives_any_pieces),
	};
	enum { GOOD = sizeof(good) / sizeof(good[0]), BAD = sizeof(bad) / sizeof(bad[0]) };
	struct CMUnitTest multipart[GOOD + BAD + sizeof(others) / sizeof(others[0])] = { { 0 } };
	size_t i;

	for (i = 0; i < GOOD + BAD; i++) {
		const struct body *b = i < GOOD ? &good[i] : &bad[i - GOOD];

		multipart[i].name = b->name;
		multipart[i].test_func = i < GOOD ? is_read : is_refused;
		multipart[i].initial_state = (void *)(uintptr_t)b;
	}
	memcpy(multipart + GOOD + BAD, others, sizeof(others));
	return cmocka_run_group_tests(multipart, NULL, NULL);
}
