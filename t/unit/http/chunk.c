/* chunk.t - chunked bodies, split in every way: their content, errors, and where they end. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "http/http1.h"
#include <stdlib.h>
#include <string.h>

#define RAW(text) (text), sizeof(text) - 1

/* The result of decoding a body: its content, and the number of bytes consumed. */
struct outcome {
	char content[70000];
	size_t len, consumed;
	bool done, refused;
};

/* Feeds in[0..len) as a block of its exact size. */
static void
feed(struct http1_chunks *c, const char *in, size_t len, struct outcome *o)
{
	char *block = malloc(len + 1), *p = block;
	const char *data;
	size_t size;
	long n;

	assert_non_null(block);
	memcpy(block, in, len);
	while ((size_t)(p - block) < len && !c->done && !o->refused) {
		size_t left = len - (size_t)(p - block);

		n = http1_chunk(c, p, left, &data, &size);
		o->refused = n < 0;
		if (n < 0)
			break;
		assert_true(n > 0 && (size_t)n <= left);
		assert_true(size <= (size_t)n && data >= p && data + size <= p + n);
		assert_true(o->len + size <= sizeof(o->content));
		memcpy(o->content + o->len, data, size);
		o->len += size;
		o->consumed += (size_t)n;
		p += n;
	}
	o->done = c->done;
	free(block);
}

static void
whole(const char *in, size_t len, struct outcome *o)
{
	struct http1_chunks c = { 0 };

	memset(o, 0, sizeof(*o));
	feed(&c, in, len, o);
}

static void
assert_same(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->refused, b->refused);
	assert_int_equal(a->done, b->done);
	assert_int_equal(a->len, b->len);
	assert_memory_equal(a->content, b->content, a->len);
	if (!a->refused)
		assert_int_equal(a->consumed, b->consumed);
}

/* Decodes the input at once, split at every position, and byte by byte: the result must not depend
 * on the split. */
static void
decode(const char *in, size_t len, struct outcome *o)
{
	static struct outcome part;
	struct http1_chunks c;
	size_t cut;

	whole(in, len, o);
	for (cut = 1; cut < len; cut++) {
		memset(&part, 0, sizeof(part));
		memset(&c, 0, sizeof(c));
		feed(&c, in, cut, &part);
		feed(&c, in + cut, len - cut, &part);
		assert_same(o, &part);
	}
	memset(&part, 0, sizeof(part));
	memset(&c, 0, sizeof(c));
	for (cut = 0; cut < len; cut++)
		feed(&c, in + cut, 1, &part);
	assert_same(o, &part);
}

struct body {
	const char *name, *text;
	size_t len;
	const char *content;
	size_t rest; /* bytes after the end of the body */
};

static const struct body good[] = {
	{ "one_chunk_is_read", RAW("5\r\nhello\r\n0\r\n\r\n"), "hello", 0 },
	{ "many_chunks_are_read", RAW("1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n"), "abcdef", 0 },
	{ "an_empty_body_is_read", RAW("0\r\n\r\n"), "", 0 },
	{ "a_last_chunk_of_many_zeros_is_read", RAW("0000000000000000\r\n\r\n"), "", 0 },
	{ "sizes_are_hexadecimal_in_both_cases",
	    RAW("a\r\n0123456789\r\nB\r\n0123456789a\r\n00c\r\n0123456789ab\r\n0\r\n\r\n"),
	    "01234567890123456789a0123456789ab", 0 },
	{ "line_ends_in_a_chunk_are_content", RAW("6\r\n\r\n0\r\n\r\r\n0\r\n\r\n"), "\r\n0\r\n\r",
	    0 },
	{ "what_follows_the_body_is_left_alone", RAW("1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
	    "a", 18 },
	{ "an_extension_is_dropped", RAW("1;a\r\nx\r\n0;b=c;d\r\n\r\n"), "x", 0 },
	{ "a_quoted_extension_is_dropped", RAW("1;a=\"b;\\\"\\\\ \t=\xff:\";c=1\r\nx\r\n0\r\n\r\n"),
	    "x", 0 },
	{ "a_trailer_is_dropped",
	    RAW("1\r\nx\r\n0\r\nX-Sum: \"a\\;=\xff\"\t\r\nContent-Length: 5\r\ny:\r\n\r\n"), "x",
	    0 },
};

static void
is_read(void **state)
{
	static struct outcome o;
	const struct body *b = *state;

	decode(b->text, b->len, &o);
	assert_false(o.refused);
	assert_true(o.done);
	assert_int_equal(o.consumed, b->len - b->rest);
	assert_int_equal(o.len, strlen(b->content));
	assert_memory_equal(o.content, b->content, o.len);
}

static const struct body bad[] = {
	{ "an_empty_size_is_refused", RAW("\r\n"), NULL, 0 },
	{ "a_size_of_other_letters_is_refused", RAW("g\r\n"), NULL, 0 },
	{ "a_size_with_0x_is_refused", RAW("0x5\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_size_with_a_sign_is_refused", RAW("+5\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_negative_size_is_refused", RAW("-1\r\n"), NULL, 0 },
	{ "a_space_before_the_size_is_refused", RAW(" 5\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_space_after_the_size_is_refused", RAW("5 \r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_tab_after_the_size_is_refused", RAW("5\t\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_size_with_an_underscore_is_refused", RAW("1_0\r\n"), NULL, 0 },
	{ "a_size_with_nul_is_refused", RAW("5\0\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_size_of_17_digits_is_refused", RAW("00000000000000001\r\na\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_size_that_overflows_is_refused", RAW("10000000000000001\r\na\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_bare_lf_after_the_size_is_refused", RAW("5\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_bare_cr_after_the_size_is_refused", RAW("5\rhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "two_crs_after_the_size_are_refused", RAW("5\r\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "data_longer_than_its_size_is_refused", RAW("5\r\nhello!\r\n0\r\n\r\n"), "hello", 0 },
	{ "data_shorter_than_its_size_is_refused", RAW("5\r\nhell\r\n0\r\n\r\n"), "hell\r", 0 },
	{ "data_ended_by_a_bare_lf_is_refused", RAW("5\r\nhello\n0\r\n\r\n"), "hello", 0 },
	{ "data_ended_by_a_bare_cr_is_refused", RAW("5\r\nhello\r0\r\n\r\n"), "hello", 0 },
	{ "data_without_a_line_end_is_refused", RAW("5\r\nhello0\r\n\r\n"), "hello", 0 },
	{ "an_empty_extension_is_refused", RAW("5;\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "an_extension_without_value_is_refused", RAW("5;a=\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "an_extension_without_name_is_refused", RAW("5;=a\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_blank_in_an_extension_is_refused", RAW("5; a=b\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_bare_lf_in_an_extension_is_refused", RAW("5;a\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_bare_cr_in_an_extension_is_refused", RAW("5;a\rb\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_line_end_in_quotes_is_refused", RAW("5;a=\"\r\nhello\r\n0\r\n\r\n\""), NULL, 0 },
	{ "an_escaped_line_end_is_refused", RAW("5;a=\"\\\nhello\r\n0\r\n\r\n\""), NULL, 0 },
	{ "text_after_closing_quotes_is_refused", RAW("5;a=\"b\"c\r\nhello\r\n"), NULL, 0 },
	{ "a_non_ascii_extension_is_refused", RAW("5;\xff\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "nul_in_quotes_is_refused", RAW("5;a=\"\0\"\r\nhello\r\n0\r\n\r\n"), NULL, 0 },
	{ "a_trailer_without_name_is_refused", RAW("0\r\n: a\r\n\r\n"), NULL, 0 },
	{ "a_trailer_without_colon_is_refused", RAW("0\r\nabc\r\n\r\n"), NULL, 0 },
	{ "a_space_before_a_trailers_colon_is_refused", RAW("0\r\nX : a\r\n\r\n"), NULL, 0 },
	{ "a_folded_trailer_is_refused", RAW("0\r\nX: a\r\n b\r\n\r\n"), NULL, 0 },
	{ "a_bare_lf_after_a_trailer_is_refused", RAW("0\r\nX: a\n\r\n"), NULL, 0 },
	{ "a_bare_cr_in_a_trailer_is_refused", RAW("0\r\nX: a\rb\r\n\r\n"), NULL, 0 },
	{ "nul_in_a_trailer_is_refused", RAW("0\r\nX: \0\r\n\r\n"), NULL, 0 },
	{ "del_in_a_trailer_is_refused", RAW("0\r\nX: \x7f\r\n\r\n"), NULL, 0 },
	{ "a_request_in_place_of_the_trailer_is_refused", RAW("0\r\nGET / HTTP/1.1\r\n"), NULL, 0 },
	{ "a_bare_lf_at_the_end_is_refused", RAW("0\r\n\n"), NULL, 0 },
	{ "a_bare_cr_at_the_end_is_refused", RAW("0\r\n\rGET"), NULL, 0 },
};

static void
is_refused(void **state)
{
	static struct outcome o;
	const struct body *b = *state;
	const char *content = b->content != NULL ? b->content : "";

	decode(b->text, b->len, &o);
	assert_true(o.refused);
	assert_false(o.done);
	assert_int_equal(o.len, strlen(content));
	assert_memory_equal(o.content, content, o.len);
}

static void
a_refused_body_stays_refused(void **state)
{
	struct http1_chunks c = { 0 };
	const char *data;
	size_t size;

	(void)state;
	assert_int_equal(http1_chunk(&c, "x", 1, &data, &size), -1);
	assert_int_equal(http1_chunk(&c, RAW("0\r\n\r\n"), &data, &size), -1);
	assert_false(c.done);
}

static void
a_finished_body_takes_nothing(void **state)
{
	struct http1_chunks c = { 0 };
	const char *data;
	size_t size;

	(void)state;
	assert_int_equal(http1_chunk(&c, RAW("0\r\n\r\n0"), &data, &size), 5);
	assert_true(c.done);
	assert_int_equal(http1_chunk(&c, RAW("0\r\n\r\n"), &data, &size), 0);
}

static void
the_largest_size_is_exact(void **state)
{
	struct http1_chunks c = { 0 };
	const char *data;
	size_t size;

	(void)state;
	assert_int_equal(http1_chunk(&c, RAW("fFfFfFfFfFfFfFfF\r\n"), &data, &size), 18);
	assert_true(c.left == UINT64_MAX);
	assert_int_equal(http1_chunk(&c, "abc", 3, &data, &size), 3);
	assert_int_equal(size, 3);
	assert_true(c.left == UINT64_MAX - 3);
}

/* Decodes "1" with `len` bytes of extension, `times` times, then an end with a trailer of `trailer`
 * bytes. */
static void
padded(size_t len, int times, size_t trailer, struct outcome *o)
{
	char *text = malloc((len + 6) * (size_t)times + trailer + 10), *p = text;

	assert_non_null(text);
	while (times-- > 0) {
		*p++ = '1';
		memset(p, 'e', len);
		if (len > 0)
			*p = ';';
		p += len;
		memcpy(p, "\r\nx\r\n", 5);
		p += 5;
	}
	memcpy(p, "0\r\n", 3);
	p += 3;
	if (trailer > 0) {
		memset(p, 't', trailer);
		p[1] = ':';
		p[trailer - 2] = '\r';
		p[trailer - 1] = '\n';
		p += trailer;
	}
	memcpy(p, "\r\n", 2);
	whole(text, (size_t)(p + 2 - text), o);
	free(text);
}

static void
extensions_have_a_limit_of_their_own(void **state)
{
	static struct outcome o;

	(void)state;
	padded(HTTP1_EXTENSION_MAX, 1, 0, &o);
	assert_true(o.done);
	padded(HTTP1_EXTENSION_MAX + 20, 1, 0, &o);
	assert_true(o.refused);
}

static void
extensions_and_trailers_have_a_limit_in_all(void **state)
{
	static struct outcome o;

	(void)state;
	padded(16, HTTP1_OVERHEAD_MAX / 16 - 1, 0, &o);
	assert_true(o.done);
	padded(16, HTTP1_OVERHEAD_MAX / 16 + 1, 0, &o);
	assert_true(o.refused);
	padded(0, 1, HTTP1_OVERHEAD_MAX, &o);
	assert_true(o.done);
	padded(0, 1, HTTP1_OVERHEAD_MAX + 20, &o);
	assert_true(o.refused);
	padded(16, HTTP1_OVERHEAD_MAX / 32, HTTP1_OVERHEAD_MAX / 2 + 20, &o);
	assert_true(o.refused);
}

static void
a_chunk_larger_than_its_pieces_is_read(void **state)
{
	static struct outcome o;
	static char text[66000];
	struct http1_chunks c = { 0 };
	size_t i, n = 65536, len;

	(void)state;
	memcpy(text, "10000\r\n", 7);
	for (i = 0; i < n; i++)
		text[7 + i] = (char)(i * 31 >> 3);
	memcpy(text + 7 + n, "\r\n0\r\n\r\n", 7);
	memset(&o, 0, sizeof(o));
	for (i = 0; i < n + 14; i += len) {
		len = n + 14 - i < 1000 ? n + 14 - i : 1000;
		feed(&c, text + i, len, &o);
	}
	assert_true(o.done);
	assert_int_equal(o.len, n);
	assert_memory_equal(o.content, text + 7, n);
}

int
main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(a_refused_body_stays_refused),
		cmocka_unit_test(a_finished_body_takes_nothing),
		cmocka_unit_test(the_largest_size_is_exact),
		cmocka_unit_test(extensions_have_a_limit_of_their_own),
		cmocka_unit_test(extensions_and_trailers_have_a_limit_in_all),
		cmocka_unit_test(a_chunk_larger_than_its_pieces_is_read),
	};
	enum { GOOD = sizeof(good) / sizeof(good[0]), BAD = sizeof(bad) / sizeof(bad[0]) };
	struct CMUnitTest chunk[GOOD + BAD + sizeof(others) / sizeof(others[0])] = { { 0 } };
	struct CMUnitTest *test = chunk;
	size_t i;

	for (i = 0; i < GOOD; i++)
		*test++ = (struct CMUnitTest){ .name = good[i].name,
			.test_func = is_read,
			.initial_state = (void *)(uintptr_t)&good[i] };
	for (i = 0; i < BAD; i++)
		*test++ = (struct CMUnitTest){ .name = bad[i].name,
			.test_func = is_refused,
			.initial_state = (void *)(uintptr_t)&bad[i] };
	memcpy(test, others, sizeof(others));
	return cmocka_run_group_tests(chunk, NULL, NULL);
}
