/* http1.t - heads of requests: which are refused, with which status, and what valid ones
 * contain. */
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

/* A head and the result of parsing it. `text` has exactly the size of the head, so that sanitizers
 * notice any access past it. */
struct outcome {
	char *text;
	long end;
	int status; /* 0: accepted */
	struct http1_head head;
};

/* Parses like a connection: bytes arrive `step` at a time; the head is found, copied and parsed. */
static struct outcome
feed(const char *in, size_t len, size_t step)
{
	struct outcome o = { 0 };
	size_t have = 0, scanned = 0;

	while (o.end == 0 && have < len) {
		have = len - have > step ? have + step : len;
		o.end = http1_head_end(in, have, &scanned, &o.status);
		assert_true(scanned <= have);
	}
	if (o.end <= 0)
		return o;
	assert_true((size_t)o.end <= have);
	o.text = malloc((size_t)o.end);
	assert_non_null(o.text);
	memcpy(o.text, in, (size_t)o.end);
	if (!http1_parse(o.text, (size_t)o.end, &o.head)) {
		o.status = o.head.status;
		assert_non_null(o.head.why);
	}
	return o;
}

/* Parses the head at once, byte by byte, and in pieces: the result must not depend on that. */
static struct outcome
head(const char *in, size_t len)
{
	static const size_t step[] = { 1, 2, 3, 7, 64 };
	struct outcome whole = feed(in, len, len), part;
	size_t i;

	for (i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		part = feed(in, len, step[i]);
		assert_int_equal(part.end, whole.end);
		assert_int_equal(part.status, whole.status);
		assert_int_equal(part.head.header_count, whole.head.header_count);
		free(part.text);
	}
	return whole;
}

static struct outcome
good(const char *in)
{
	struct outcome o = head(in, strlen(in));

	if (o.status != 0)
		fail_msg("refused with %d: %s", o.status, o.head.why);
	assert_true(o.end > 0);
	return o;
}

/* ---- refusals ---- */

#define RAW(text) (text), sizeof(text) - 1
#define GET "GET / HTTP/1.1\r\n"
#define POST "POST / HTTP/1.1\r\nHost: a\r\n"
#define END "\r\n\r\n"

struct refusal {
	const char *name, *text;
	size_t len;
	int status;
};

static const struct refusal refusals[] = {
	/* The request line. */
	{ "a_missing_method_is_refused", RAW(" / HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_method_that_is_no_token_is_refused", RAW("G(T / HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_non_ascii_method_is_refused", RAW("G\xc3\x89T / HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_tab_after_the_method_is_refused", RAW("GET\t/ HTTP/1.1\r\nHost: a" END), 400 },
	{ "two_spaces_after_the_method_are_refused", RAW("GET  / HTTP/1.1\r\nHost: a" END), 400 },
	{ "two_spaces_after_the_target_are_refused", RAW("GET /  HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_space_before_the_method_is_refused", RAW(" GET / HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_space_in_the_target_is_refused", RAW("GET /a b HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_space_after_the_version_is_refused", RAW("GET / HTTP/1.1 \r\nHost: a" END), 400 },
	{ "a_request_line_without_version_is_refused", RAW("GET /" END), 400 },
	{ "a_lone_word_is_refused", RAW("GET" END), 400 },
	{ "an_empty_request_line_is_refused", RAW("\r\n\r\n"), 400 },
	{ "two_empty_lines_before_the_head_are_refused", RAW("\r\n\r\n" GET "Host: a" END), 400 },
	{ "a_lower_case_protocol_is_refused", RAW("GET / http/1.1\r\nHost: a" END), 400 },
	{ "a_version_of_three_digits_is_refused", RAW("GET / HTTP/1.10\r\nHost: a" END), 400 },
	{ "a_version_of_two_digits_is_refused", RAW("GET / HTTP/01.1\r\nHost: a" END), 400 },
	{ "a_version_with_a_comma_is_refused", RAW("GET / HTTP/1,1\r\nHost: a" END), 400 },
	{ "a_version_without_minor_is_refused", RAW("GET / HTTP/1\r\nHost: a" END), 400 },
	{ "a_version_of_letters_is_refused", RAW("GET / HTTP/x.y\r\nHost: a" END), 400 },
	{ "http_0_9_is_not_spoken", RAW("GET / HTTP/0.9\r\nHost: a" END), 505 },
	{ "http_1_2_is_not_spoken", RAW("GET / HTTP/1.2\r\nHost: a" END), 505 },
	{ "http_2_0_is_not_spoken", RAW("GET / HTTP/2.0\r\nHost: a" END), 505 },
	{ "the_preface_of_http_2_is_refused", RAW("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505 },
	{ "the_hello_of_tls_is_refused", RAW("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), 400 },
	/* The target. */
	{ "a_relative_target_is_refused", RAW("GET a HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_fragment_is_refused", RAW("GET /a#b HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_fragment_in_the_query_is_refused", RAW("GET /a?b#c HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_non_ascii_target_is_refused", RAW("GET /\xc3\xa9 HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_non_ascii_query_is_refused", RAW("GET /?\xff HTTP/1.1\r\nHost: a" END), 400 },
	{ "a_tab_in_the_target_is_refused", RAW("GET /a\tb HTTP/1.1\r\nHost: a" END), 400 },
	{ "control_in_the_target_is_refused", RAW("GET /\x01 HTTP/1.1\r\nHost: a" END), 400 },
	{ "del_in_the_target_is_refused", RAW("GET /\x7f HTTP/1.1\r\nHost: a" END), 400 },
	{ "nul_in_the_target_is_refused", RAW("GET /\0 HTTP/1.1\r\nHost: a" END), 400 },
	{ "the_authority_form_is_refused", RAW("CONNECT a:80 HTTP/1.1\r\nHost: a:80" END), 400 },
	{ "an_asterisk_for_get_is_refused", RAW("GET * HTTP/1.1\r\nHost: a" END), 400 },
	{ "an_asterisk_with_a_query_is_refused", RAW("OPTIONS *?a HTTP/1.1\r\nHost: a" END), 400 },
	{ "an_asterisk_with_more_is_refused", RAW("OPTIONS *a HTTP/1.1\r\nHost: a" END), 400 },
	{ "an_absolute_target_of_another_host_is_refused",
	    RAW("GET http://b/ HTTP/1.1\r\nHost: a" END), 400 },
	{ "an_absolute_target_of_a_longer_host_is_refused",
	    RAW("GET http://a.b/ HTTP/1.1\r\nHost: a" END), 400 },
	{ "an_absolute_target_of_another_port_is_refused",
	    RAW("GET http://a:81/ HTTP/1.1\r\nHost: a:80" END), 400 },
	{ "an_absolute_target_with_user_is_bad", RAW("GET http://u@a/ HTTP/1.1\r\nHost: a" END),
	    400 },
	{ "an_absolute_target_without_host_is_refused", RAW("GET http://a/ HTTP/1.0" END), 400 },
	{ "an_absolute_target_of_another_scheme_is_refused",
	    RAW("GET ftp://a/ HTTP/1.1\r\nHost: a" END), 400 },
	/* Lines. */
	{ "a_bare_lf_after_the_request_line_is_refused", RAW("GET / HTTP/1.1\nHost: a" END), 400 },
	{ "a_bare_lf_after_a_header_is_refused", RAW(GET "Host: a\nX: b" END), 400 },
	{ "a_head_with_lf_only_is_refused", RAW("GET / HTTP/1.1\nHost: a\n\n"), 400 },
	{ "a_bare_lf_at_the_end_is_refused", RAW(GET "Host: a\r\n\n"), 400 },
	{ "a_bare_cr_in_a_header_is_refused", RAW(GET "Host: a\rX: b" END), 400 },
	{ "a_bare_cr_in_the_request_line_is_refused", RAW("GET /\r HTTP/1.1\r\nHost: a" END), 400 },
	{ "cr_cr_lf_is_refused", RAW(GET "Host: a\r\r\n\r\n"), 400 },
	{ "lf_cr_is_refused", RAW(GET "Host: a\n\r\n"), 400 },
	/* Header names. */
	{ "an_empty_header_name_is_refused", RAW(GET "Host: a\r\n: b" END), 400 },
	{ "a_line_without_colon_is_refused", RAW(GET "Host: a\r\nabc" END), 400 },
	{ "a_space_before_the_colon_is_refused", RAW(GET "Host : a" END), 400 },
	{ "a_tab_before_the_colon_is_refused", RAW(GET "Host\t: a" END), 400 },
	{ "a_space_in_a_header_name_is_refused", RAW(GET "Host: a\r\nX Y: b" END), 400 },
	{ "a_folded_header_is_refused", RAW(GET "Host: a\r\nX: b\r\n c" END), 400 },
	{ "a_header_folded_with_a_tab_is_refused", RAW(GET "Host: a\r\nX: b\r\n\tc" END), 400 },
	{ "a_blank_before_the_first_header_is_refused", RAW(GET " Host: a" END), 400 },
	{ "a_quote_in_a_header_name_is_refused", RAW(GET "Host: a\r\nX\"Y: b" END), 400 },
	{ "a_slash_in_a_header_name_is_refused", RAW(GET "Host: a\r\nX/Y: b" END), 400 },
	{ "a_non_ascii_header_name_is_refused", RAW(GET "Host: a\r\nX\xe9: b" END), 400 },
	{ "nul_in_a_header_name_is_refused", RAW(GET "Host: a\r\nX\0Y: b" END), 400 },
	/* Header values. */
	{ "nul_in_a_header_value_is_refused", RAW(GET "Host: a\r\nX: b\0c" END), 400 },
	{ "a_control_byte_in_a_header_value_is_refused", RAW(GET "Host: a\r\nX: b\x01" END), 400 },
	{ "vertical_tab_in_a_header_value_is_refused",
	    RAW(GET "Host: a\r\nX:\x0b"
		    "b" END),
	    400 },
	{ "escape_in_a_value_is_refused", RAW(GET "Host: a\r\nX: 0123456789\x1b[1m" END), 400 },
	{ "del_in_a_header_value_is_refused", RAW(GET "Host: a\r\nX: 0123456789\x7f" END), 400 },
	/* Host. */
	{ "a_missing_host_is_refused", RAW("GET / HTTP/1.1" END), 400 },
	{ "two_hosts_are_refused", RAW(GET "Host: a\r\nHost: b" END), 400 },
	{ "the_same_host_twice_is_refused", RAW(GET "Host: a\r\nX: y\r\nhOST: a" END), 400 },
	{ "two_hosts_on_1_0_are_refused", RAW("GET / HTTP/1.0\r\nHost: a\r\nHost: a" END), 400 },
	{ "an_empty_host_is_refused", RAW(GET "Host:" END), 400 },
	{ "a_blank_host_is_refused", RAW(GET "Host:  \t " END), 400 },
	{ "a_host_with_a_space_is_refused", RAW(GET "Host: a b" END), 400 },
	{ "a_list_of_hosts_is_refused", RAW(GET "Host: a, b" END), 400 },
	{ "a_host_with_a_slash_is_refused", RAW(GET "Host: a/b" END), 400 },
	{ "a_host_with_a_user_is_refused", RAW(GET "Host: u@a" END), 400 },
	{ "a_host_with_a_percent_is_refused", RAW(GET "Host: a%41" END), 400 },
	{ "a_non_ascii_host_is_refused", RAW(GET "Host: \xc3\xa9" END), 400 },
	{ "a_port_without_host_is_refused", RAW(GET "Host: :80" END), 400 },
	{ "a_port_of_letters_is_refused", RAW(GET "Host: a:http" END), 400 },
	{ "a_port_above_65535_is_refused", RAW(GET "Host: a:65536" END), 400 },
	{ "a_huge_port_is_refused", RAW(GET "Host: a:99999999999999999999" END), 400 },
	{ "two_ports_are_refused", RAW(GET "Host: a:80:80" END), 400 },
	{ "a_bare_ipv6_host_is_refused", RAW(GET "Host: ::1" END), 400 },
	{ "an_open_bracket_is_refused", RAW(GET "Host: [::1" END), 400 },
	{ "a_bad_ipv6_host_is_refused", RAW(GET "Host: [::g]" END), 400 },
	{ "an_ipv6_host_with_a_tail_is_refused", RAW(GET "Host: [::1]a" END), 400 },
	{ "an_ipv6_host_with_a_zone_is_refused", RAW(GET "Host: [fe80::1%25eth0]" END), 400 },
	{ "empty_brackets_are_refused", RAW(GET "Host: []" END), 400 },
	/* Framing. */
	{ "content_length_twice_is_refused", RAW(POST "Content-Length: 1\r\nContent-Length: 2" END),
	    400 },
	{ "equal_content_lengths_are_refused",
	    RAW(POST "Content-Length: 1\r\nContent-Length: 1" END), 400 },
	{ "a_list_of_content_lengths_is_refused", RAW(POST "Content-Length: 1, 1" END), 400 },
	{ "an_empty_content_length_is_refused", RAW(POST "Content-Length:" END), 400 },
	{ "a_signed_content_length_is_refused", RAW(POST "Content-Length: +1" END), 400 },
	{ "a_negative_content_length_is_refused", RAW(POST "Content-Length: -1" END), 400 },
	{ "a_hexadecimal_content_length_is_refused", RAW(POST "Content-Length: 0x1" END), 400 },
	{ "a_fractional_content_length_is_refused", RAW(POST "Content-Length: 1.0" END), 400 },
	{ "a_content_length_with_a_space_is_refused", RAW(POST "Content-Length: 1 1" END), 400 },
	{ "a_content_length_that_overflows_is_refused",
	    RAW(POST "Content-Length: 18446744073709551617" END), 400 },
	{ "a_content_length_of_many_zeros_is_refused",
	    RAW(POST "Content-Length: 0000000000000000001" END), 400 },
	{ "content_length_with_transfer_encoding_is_refused",
	    RAW(POST "Content-Length: 1\r\nTransfer-Encoding: chunked" END), 400 },
	{ "transfer_encoding_with_content_length_is_refused",
	    RAW(POST "Transfer-Encoding: chunked\r\nContent-Length: 1" END), 400 },
	{ "transfer_encoding_on_1_0_is_refused",
	    RAW("POST / HTTP/1.0\r\nTransfer-Encoding: chunked" END), 400 },
	{ "transfer_encoding_twice_is_refused",
	    RAW(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked" END), 400 },
	{ "chunked_twice_is_refused", RAW(POST "Transfer-Encoding: chunked, chunked" END), 400 },
	{ "chunked_before_gzip_is_refused", RAW(POST "Transfer-Encoding: chunked, gzip" END), 400 },
	{ "an_empty_transfer_encoding_is_refused", RAW(POST "Transfer-Encoding:" END), 400 },
	{ "a_quoted_coding_is_refused", RAW(POST "Transfer-Encoding: \"chunked\"" END), 400 },
	{ "a_transfer_parameter_is_refused", RAW(POST "Transfer-Encoding: chunked;q=1" END), 400 },
	{ "a_vertical_tab_before_chunked_is_refused",
	    RAW(POST "Transfer-Encoding: \x0b"
		     "chunked" END),
	    400 },
	{ "an_unknown_transfer_coding_is_not_implemented",
	    RAW(POST "Transfer-Encoding: xchunked" END), 501 },
	{ "identity_is_not_implemented", RAW(POST "Transfer-Encoding: identity" END), 501 },
	{ "gzip_is_not_implemented", RAW(POST "Transfer-Encoding: gzip, chunked" END), 501 },
	{ "an_unknown_expectation_is_refused", RAW(POST "Content-Length: 1\r\nExpect: 200-ok" END),
	    417 },
	{ "a_list_of_expectations_is_refused", RAW(POST "Expect: 100-continue, x" END), 417 },
};

static void
is_refused(void **state)
{
	const struct refusal *r = *state;
	struct outcome o = head(r->text, r->len);

	assert_int_equal(o.status, r->status);
	free(o.text);
}

/* ---- limits ---- */

/* Parses a GET with `count` headers besides Host, and a last header that makes the head `size`
 * bytes long. */
static struct outcome
large(size_t size, int count)
{
	char *text = malloc(size);
	size_t len, fill = sizeof("F: " END) - 1;
	struct outcome o;

	assert_non_null(text);
	memcpy(text, RAW(GET "Host: a\r\n"));
	len = sizeof(GET "Host: a\r\n") - 1;
	for (; count > 1; count--, len += 6)
		memcpy(text + len, "x: y\r\n", 6);
	assert_true(len + fill <= size);
	memset(text + len, 'f', size - len);
	memcpy(text + len, "F: ", 3);
	memcpy(text + size - 4, END, 4);
	o = head(text, size);
	free(text);
	return o;
}

static void
a_head_of_16_kib_is_accepted(void **state)
{
	struct outcome o = large(HTTP1_HEAD_MAX, 1);

	(void)state;
	assert_int_equal(o.status, 0);
	assert_int_equal(o.end, HTTP1_HEAD_MAX);
	free(o.text);
}

static void
a_head_over_16_kib_is_refused_as_too_large(void **state)
{
	struct outcome o = large(HTTP1_HEAD_MAX + 1, 1);

	(void)state;
	assert_int_equal(o.status, 431);
	assert_int_equal(o.end, -1);
}

static void
a_hundred_headers_are_accepted(void **state)
{
	struct outcome o = large(2000, HTTP1_HEADERS_MAX - 1);

	(void)state;
	assert_int_equal(o.status, 0);
	assert_int_equal(o.head.header_count, HTTP1_HEADERS_MAX);
	free(o.text);
}

static void
a_hundred_and_one_headers_are_refused_as_too_large(void **state)
{
	struct outcome o = large(2000, HTTP1_HEADERS_MAX);

	(void)state;
	assert_int_equal(o.status, 431);
	free(o.text);
}

static void
a_host_of_256_bytes_is_refused(void **state)
{
	char text[400] = GET "Host: ";
	size_t at = strlen(text);
	struct outcome o;

	(void)state;
	memset(text + at, 'h', 256);
	memcpy(text + at + 255, END, 5);
	o = good(text);
	free(o.text);
	memcpy(text + at + 255, "h" END, 6);
	o = head(text, strlen(text));
	assert_int_equal(o.status, 400);
	free(o.text);
}

static void
a_control_byte_is_refused_wherever_it_stands(void **state)
{
	static const char plain[] = "GET /path?query HTTP/1.1\r\nHost: example.org\r\nX: a b c" END;
	char text[sizeof(plain)];
	struct outcome o;
	size_t i;
	int c;

	(void)state;
	for (i = 0; i < sizeof(plain) - 1; i++)
		for (c = 0; c < 0x80; c = c == 0x1f ? 0x7f : c + 1) {
			memcpy(text, plain, sizeof(plain));
			text[i] = (char)c;
			if (c == plain[i] || c == '\t')
				continue;
			o = feed(text, sizeof(text) - 1, sizeof(text));
			assert_int_equal(o.status, 400);
			free(o.text);
		}
}

/* The parser must not rely on a previous check by http1_head_end. */
static void
the_parser_alone_refuses_what_is_no_whole_head(void **state)
{
	static const char text[] = GET "Host: a" END GET "Host: a" END;
	struct http1_head parsed;
	char copy[sizeof(text)];
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(text); len++) {
		memcpy(copy, text, sizeof(text));
		assert_int_equal(
		    http1_parse(copy, len, &parsed), len == sizeof(GET "Host: a" END) - 1);
	}
}

/* ---- what good heads say ---- */

static void
a_head_is_cut_into_its_parts(void **state)
{
	struct outcome o = good("PATCH /a%20b/c?x=1&y=?2 HTTP/1.1\r\nHost: Example.ORG:8080\r\n"
				"X-Empty:\r\nAccept:\t text/html , */* \t\r\nX-Obs: caf\xe9\r\n"
				"Content-Length: 12\r\n\r\nbody of it..");

	(void)state;
	assert_int_equal(o.head.method, HTTP_PATCH);
	assert_string_equal(o.head.path, "/a%20b/c");
	assert_string_equal(o.head.query, "x=1&y=?2");
	assert_string_equal(o.head.host, "example.org");
	assert_int_equal(o.head.port, 8080);
	assert_int_equal(o.head.minor, 1);
	assert_int_equal(o.head.header_count, 5);
	assert_string_equal(o.head.header[2].name, "accept");
	assert_string_equal(http1_header(&o.head, "accept"), "text/html , */*");
	assert_string_equal(http1_header(&o.head, "x-empty"), "");
	assert_string_equal(http1_header(&o.head, "x-obs"), "caf\xe9");
	assert_null(http1_header(&o.head, "x-nothing"));
	assert_true(o.head.keep_alive);
	assert_true(o.head.has_length);
	assert_int_equal(o.head.length, 12);
	assert_false(o.head.chunked);
	free(o.text);
}

static void
every_method_of_ours_is_known_and_case_matters(void **state)
{
	static const struct {
		const char *text;
		enum http_method method;
	} of[] = {
		{ "GET / HTTP/1.1\r\nHost: a" END, HTTP_GET },
		{ "HEAD / HTTP/1.1\r\nHost: a" END, HTTP_HEAD },
		{ "POST / HTTP/1.1\r\nHost: a" END, HTTP_POST },
		{ "PUT / HTTP/1.1\r\nHost: a" END, HTTP_PUT },
		{ "PATCH / HTTP/1.1\r\nHost: a" END, HTTP_PATCH },
		{ "DELETE / HTTP/1.1\r\nHost: a" END, HTTP_DELETE },
		{ "OPTIONS / HTTP/1.1\r\nHost: a" END, HTTP_OPTIONS },
		{ "OTHER / HTTP/1.1\r\nHost: a" END, HTTP_OTHER },
		{ "get / HTTP/1.1\r\nHost: a" END, HTTP_OTHER },
		{ "GETX / HTTP/1.1\r\nHost: a" END, HTTP_OTHER },
		{ "M-SEARCH!#$%&'*+.^_`|~9 / HTTP/1.1\r\nHost: a" END, HTTP_OTHER },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct outcome o = good(of[i].text);

		assert_int_equal(o.head.method, of[i].method);
		free(o.text);
	}
}

static void
the_forms_of_a_target_yield_path_and_query(void **state)
{
	static const struct {
		const char *text, *path, *query;
	} of[] = {
		{ "GET / HTTP/1.1\r\nHost: a" END, "/", NULL },
		{ "GET /? HTTP/1.1\r\nHost: a" END, "/", "" },
		{ "GET //b/../c HTTP/1.1\r\nHost: a" END, "//b/../c", NULL },
		{ "OPTIONS * HTTP/1.1\r\nHost: a" END, "*", NULL },
		{ "GET http://a/b?c HTTP/1.1\r\nHost: a" END, "/b", "c" },
		{ "GET HTTP://A:80/b HTTP/1.1\r\nHost: a:80" END, "/b", NULL },
		{ "GET https://a HTTP/1.1\r\nHost: a" END, "/", NULL },
		{ "GET http://a?b/c HTTP/1.1\r\nHost: A" END, "/", "b/c" },
		{ "GET http://[::1]:8/x HTTP/1.1\r\nHost: [::1]:8" END, "/x", NULL },
		{ "\r\nGET /x HTTP/1.1\r\nHost: a" END, "/x", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct outcome o = good(of[i].text);

		assert_string_equal(o.head.path, of[i].path);
		if (of[i].query == NULL)
			assert_null(o.head.query);
		else
			assert_string_equal(o.head.query, of[i].query);
		free(o.text);
	}
}

static void
hosts_lose_their_port_and_their_capitals(void **state)
{
	static const struct {
		const char *text, *host;
		int port;
	} of[] = {
		{ GET "Host: WWW.Example-1.org" END, "www.example-1.org", 0 },
		{ GET "Host:a_b.c:1" END, "a_b.c", 1 },
		{ GET "Host: 127.0.0.1:65535" END, "127.0.0.1", 65535 },
		{ GET "Host: a:" END, "a", 0 },
		{ GET "Host: [2001:DB8::1]" END, "[2001:db8::1]", 0 },
		{ GET "Host: [::ffff:1.2.3.4]:443" END, "[::ffff:1.2.3.4]", 443 },
		{ "GET / HTTP/1.0\r\nHost: B:2" END, "b", 2 },
		{ "GET / HTTP/1.0" END, "", 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct outcome o = good(of[i].text);

		assert_string_equal(o.head.host, of[i].host);
		assert_int_equal(o.head.port, of[i].port);
		free(o.text);
	}
}

static void
connections_stay_open_as_their_version_says(void **state)
{
	static const struct {
		const char *text;
		bool keep_alive;
	} of[] = {
		{ GET "Host: a" END, true },
		{ GET "Host: a\r\nConnection: Close" END, false },
		{ GET "Host: a\r\nConnection: te ,\t close" END, false },
		{ GET "Host: a\r\nConnection: keep-alive\r\nConnection: x, close" END, false },
		{ GET "Host: a\r\nConnection: closed" END, true },
		{ "GET / HTTP/1.0" END, false },
		{ "GET / HTTP/1.0\r\nConnection: Keep-Alive" END, true },
		{ "GET / HTTP/1.0\r\nConnection: close, keep-alive" END, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct outcome o = good(of[i].text);

		assert_int_equal(o.head.keep_alive, of[i].keep_alive);
		free(o.text);
	}
}

static void
bodies_are_announced_by_length_or_chunks(void **state)
{
	struct outcome o = good(POST "Transfer-Encoding: \tChunked " END);

	(void)state;
	assert_true(o.head.chunked);
	assert_false(o.head.has_length);
	free(o.text);
	o = good(POST "Content-Length: 0" END);
	assert_true(o.head.has_length);
	assert_int_equal(o.head.length, 0);
	free(o.text);
	o = good(POST "Content-Length: 999999999999999999" END);
	assert_true(o.head.length == 999999999999999999);
	free(o.text);
	o = good(GET "Host: a" END);
	assert_false(o.head.has_length || o.head.chunked);
	free(o.text);
}

static void
an_expectation_counts_where_a_body_is_to_come(void **state)
{
	struct outcome o = good(POST "Content-Length: 1\r\nExpect: 100-Continue" END);

	(void)state;
	assert_true(o.head.expect_continue);
	free(o.text);
	o = good(POST "Expect: 100-continue\r\nTransfer-Encoding: chunked" END);
	assert_true(o.head.expect_continue);
	free(o.text);
	o = good(GET "Host: a\r\nExpect: 100-continue" END);
	assert_false(o.head.expect_continue);
	free(o.text);
	o = good("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue" END);
	assert_false(o.head.expect_continue);
	free(o.text);
}

static void
the_bytes_after_a_head_are_left_alone(void **state)
{
	struct outcome o = good(GET "Host: a" END GET "Host: b" END);

	(void)state;
	assert_int_equal(o.end, strlen(GET "Host: a" END));
	assert_string_equal(o.head.host, "a");
	free(o.text);
}

int
main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(a_head_of_16_kib_is_accepted),
		cmocka_unit_test(a_head_over_16_kib_is_refused_as_too_large),
		cmocka_unit_test(a_hundred_headers_are_accepted),
		cmocka_unit_test(a_hundred_and_one_headers_are_refused_as_too_large),
		cmocka_unit_test(a_host_of_256_bytes_is_refused),
		cmocka_unit_test(a_control_byte_is_refused_wherever_it_stands),
		cmocka_unit_test(the_parser_alone_refuses_what_is_no_whole_head),
		cmocka_unit_test(a_head_is_cut_into_its_parts),
		cmocka_unit_test(every_method_of_ours_is_known_and_case_matters),
		cmocka_unit_test(the_forms_of_a_target_yield_path_and_query),
		cmocka_unit_test(hosts_lose_their_port_and_their_capitals),
		cmocka_unit_test(connections_stay_open_as_their_version_says),
		cmocka_unit_test(bodies_are_announced_by_length_or_chunks),
		cmocka_unit_test(an_expectation_counts_where_a_body_is_to_come),
		cmocka_unit_test(the_bytes_after_a_head_are_left_alone),
	};
	enum { REFUSALS = sizeof(refusals) / sizeof(refusals[0]) };
	struct CMUnitTest http1[REFUSALS + sizeof(others) / sizeof(others[0])] = { { 0 } };
	size_t i;

	for (i = 0; i < REFUSALS; i++)
		http1[i] = (struct CMUnitTest){ .name = refusals[i].name,
			.test_func = is_refused,
			.initial_state = (void *)(uintptr_t)&refusals[i] };
	memcpy(http1 + REFUSALS, others, sizeof(others));
	return cmocka_run_group_tests(http1, NULL, NULL);
}
