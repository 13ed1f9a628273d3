/* mailtext.t - which mail addresses are accepted, and mails in the form that is sent to the
 * server. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "mail/mailtext.h"
#include "call/call.h"
#include "conf/confmail.h"
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stet/mail.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define TEN "abcdefghij"
#define FIFTY TEN TEN TEN TEN TEN

/* ---- addresses ---- */

static void
addresses_follow_one_strict_grammar(void **state)
{
	struct stet_call *call = call_new();
	static const struct {
		const char *text, *address; /* NULL: refused */
	} rows[] = {
		{ "ann@example.org", "ann@example.org" },
		{ "Ann.B-C+x_y@Example.ORG", "Ann.B-C+x_y@example.org" },
		{ "!#$%&'*+-/=?^_`{|}~@a.bc", "!#$%&'*+-/=?^_`{|}~@a.bc" },
		{ "a@b.c", "a@b.c" },
		{ "a@xn--bcher-kva.example", "a@xn--bcher-kva.example" },
		{ "a@b\xc3\xbc"
		  "cher.example",
		    NULL }, /* not ASCII; "xn--..." is accepted */
		{ FIFTY TEN "abcd@b.cd", FIFTY TEN "abcd@b.cd" },
		{ FIFTY TEN "abcde@b.cd", NULL }, /* 65 bytes before the @ */
		{ "a@" FIFTY TEN "abc.de", "a@" FIFTY TEN "abc.de" },
		{ "a@" FIFTY TEN "abcd.de", NULL }, /* a label of 64 */
		{ "a@" FIFTY "." FIFTY "." FIFTY "." FIFTY "." FIFTY ".org", NULL }, /* too long */
		{ "", NULL },
		{ "@", NULL },
		{ "a", NULL },
		{ "a@", NULL },
		{ "@b.cd", NULL },
		{ "a@b", NULL },
		{ "a@.b.cd", NULL },
		{ "a@b..cd", NULL },
		{ "a@b.cd.", NULL },
		{ "a@-b.cd", NULL },
		{ "a@b-.cd", NULL },
		{ "a@b_c.de", NULL },
		{ ".a@b.cd", NULL },
		{ "a.@b.cd", NULL },
		{ "a..b@b.cd", NULL },
		{ "a@b@c.de", NULL },
		{ "a b@c.de", NULL },
		{ " a@b.cd", NULL },
		{ "a@b.cd ", NULL },
		{ "a@127.0.0.1", NULL },
		{ "a@[127.0.0.1]", NULL },
		{ "\"a\"@b.cd", NULL },
		{ "\"a b\"@b.cd", NULL },
		{ "a(x)@b.cd", NULL },
		{ "<a@b.cd>", NULL },
		{ "Ann <a@b.cd>", NULL },
		{ "a@b.cd,c@d.ef", NULL },
		{ "a@b.cd\r\nRCPT TO:<evil@c.de>", NULL },
		{ "a@b.cd>\r\nRCPT TO:<evil@c.de", NULL },
		{ "a@b.cd\n", NULL },
		{ "a@b.cd\r", NULL },
		{ "a\r\n@b.cd", NULL },
		{ "a\t@b.cd", NULL },
		{ "a\x7f@b.cd", NULL },
		{ "\xc3\xa4@b.cd", NULL },
		{ "a@\xff.cd", NULL },
	};
	(void)state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *address = stet_mail_address(call, rows[i].text);

		if ((address == NULL) != (rows[i].address == NULL))
			fail_msg("\"%s\" becomes %s", rows[i].text, address);
		if (address != NULL)
			assert_string_equal(address, rows[i].address);
	}
	assert_null(stet_mail_address(call, NULL));
	call_free(call);
}

static void
no_byte_but_those_of_the_grammar_passes(void **state)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				   "0123456789!#$%&'*+-/=?^_`{|}~.";
	char text[] = "aXa@bXb.cd";
	(void)state;

	for (int c = 1; c < 256; c++) {
		text[1] = (char)c;
		text[5] = 'b';
		assert_int_equal(confmail_address(text), strchr(good, c) != NULL);
		text[1] = 'a';
		text[5] = (char)c;
		assert_int_equal(confmail_address(text),
		    (strchr(good, c) != NULL && strchr("!#$%&'*+/=?^_`{|}~", c) == NULL));
	}
}

static void
a_sender_is_an_address_with_a_name_or_without(void **state)
{
	static const struct {
		const char *text, *address; /* NULL: refused */
		size_t name;
	} rows[] = {
		{ "a@b.cd", "a@b.cd", 0 },
		{ "<a@b.cd>", "a@b.cd", 0 },
		{ "Ann <a@b.cd>", "a@b.cd", 3 },
		{ "J\xc3\xbcrg K <a@b.cd>", "a@b.cd", 7 },
		{ "Ann <a@b.cd", NULL, 0 },
		{ "Ann <a@b.cd> x", NULL, 0 },
		{ "Ann a@b.cd", NULL, 0 },
		{ "Ann <>", NULL, 0 },
		{ "Ann <", NULL, 0 },
		{ "\"Ann\" <a@b.cd>", NULL, 0 },
		{ "A\r\nBcc: x@y.zz <a@b.cd>", NULL, 0 },
		{ "A\xff <a@b.cd>", NULL, 0 },
		{ FIFTY FIFTY "x <a@b.cd>", NULL, 0 },
		{ "", NULL, 0 },
	};
	char address[STET_MAIL_ADDRESS_MAX + 1];
	size_t name;
	(void)state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		bool good = confmail_from(rows[i].text, address, &name);

		if (good != (rows[i].address != NULL))
			fail_msg("\"%s\" is %s sender", rows[i].text, good ? "a" : "no");
		if (!good)
			continue;
		assert_string_equal(address, rows[i].address);
		assert_int_equal(name, rows[i].name);
	}
}

/* ---- mails ---- */

/* Returns the text of a mail. The caller frees it. */
static char *
written(const char *sender, const char *subject, const char *text)
{
	struct buf b = { 0 };

	assert_null(mailtext_refuses(subject, text));
	mailtext_write(&b, &(struct mailtext){ .sender = sender,
			       .to = "ann@example.org",
			       .subject = subject,
			       .text = text,
			       .id = "01ID",
			       .host = "example.org",
			       .date = 1780315200123 });
	return b.data;
}

static void
a_mail_is_headers_and_a_body_of_short_lines(void **state)
{
	char *mail = written("Example 2 <info@example.org>", "Hello", "One\n\nTwo\r\n");
	(void)state;

	assert_string_equal(mail, "Date: Mon, 01 Jun 2026 12:00:00 +0000\r\n"
				  "From: Example 2\r\n <info@example.org>\r\n"
				  "To: ann@example.org\r\n"
				  "Subject: Hello\r\n"
				  "Message-ID: <01ID@example.org>\r\n"
				  "MIME-Version: 1.0\r\n"
				  "Content-Type: text/plain; charset=utf-8\r\n"
				  "Content-Transfer-Encoding: quoted-printable\r\n"
				  "Auto-Submitted: auto-generated\r\n"
				  "\r\n"
				  "One\r\n\r\nTwo\r\n");
	free(mail);
}

/* Returns the text of a header with its encoded words decoded; static buffer. */
static const char *
decoded(const char *mail, const char *header)
{
	static char text[2048];
	const char *at = strstr(mail, header), *end;
	size_t len = 0, got;

	assert_non_null(at);
	for (at += strlen(header); strncmp(at, "=?utf-8?B?", 10) == 0; at = end + 2) {
		end = strstr(at + 10, "?=");
		assert_true(end + 2 - at <= 75);
		assert_int_equal(
		    sodium_base642bin((unsigned char *)text + len, sizeof(text) - len, at + 10,
			(size_t)(end - at - 10), NULL, &got, NULL, sodium_base64_VARIANT_ORIGINAL),
		    0);
		text[len + got] = '\0';
		assert_true(stet_utf8_length(text + len) >= 0); /* no character is split */
		len += got;
		if (strncmp(end + 2, "\r\n =?", 5) == 0)
			end += 3;
	}
	assert_memory_equal(at, "\r\n", 2);
	return text;
}

static void
no_line_is_long(const char *mail)
{
	for (size_t len; *mail != '\0'; mail += len + 2) {
		len = strcspn(mail, "\r\n");
		assert_true(len <= 78);
		assert_memory_equal(mail + len, "\r\n", 2);
	}
}

static void
what_is_not_plain_ascii_is_encoded_in_headers(void **state)
{
	static const char *const subjects[] = { "Gr\xc3\xbc\xc3\x9f"
						"e",
		"=?utf-8?Q?Evil?=",
		"\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe"
		"\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4\xbe\x8b\xe4"
		"\xbe\x8b\xe4\xbe\x8b\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
		FIFTY FIFTY FIFTY };
	(void)state;

	for (size_t i = 0; i < COUNT(subjects); i++) {
		char *mail = written("J\xc3\xbcrg, the \xe2\x80\x9c"
				     "1st <info@example.org>",
		    subjects[i], "x");

		assert_string_equal(decoded(mail, "Subject: "), subjects[i]);
		assert_string_equal(decoded(mail, "From: "), "J\xc3\xbcrg, the \xe2\x80\x9c"
							     "1st");
		no_line_is_long(mail);
		free(mail);
	}
}

/* Decodes quoted-printable; static buffer. */
static const char *
unquoted(const char *mail)
{
	static char text[65536];
	const char *c = strstr(mail, "\r\n\r\n");
	char hex[3] = "";
	size_t len = 0;

	assert_non_null(c);
	for (c += 4; *c != '\0'; c++) {
		assert_false(*c == '.' && c[-1] == '\n');
		if (strncmp(c, "=\r\n", 3) == 0)
			c += 2;
		else if (*c == '=') {
			memcpy(hex, c + 1, 2);
			text[len++] = (char)strtol(hex, NULL, 16);
			c += 2;
		} else if (*c != '\r')
			text[len++] = *c;
	}
	text[len] = '\0';
	return text;
}

static void
a_text_arrives_as_it_was(void **state)
{
	static const char *const texts[] = { ".\n", ".", "..\n.\nQUIT\n", "a =3D b \nc\t\n d\n",
		"Gr\xc3\xbc\xc3\x9f"
		"e \xf0\x9f\x98\x80\n",
		FIFTY FIFTY FIFTY "\n", FIFTY TEN TEN "abcd.efg\n", FIFTY TEN TEN "abcde ",
		"a\x01\x7f\n", "https://example.org/a?b=c&d=e#" FIFTY "\n" };
	(void)state;

	for (size_t i = 0; i < COUNT(texts); i++) {
		char *mail = written("a@b.cd", "x", texts[i]);
		const char *seen = unquoted(mail);

		assert_memory_equal(seen, texts[i], strlen(texts[i]));
		no_line_is_long(mail);
		free(mail);
	}
}

static void
what_would_harm_is_refused(void **state)
{
	char *text = malloc(STET_MAIL_TEXT_MAX + 2);
	(void)state;

	assert_non_null(mailtext_refuses("a\r\nBcc: x@y.zz", "x"));
	assert_non_null(mailtext_refuses("a\nb", "x"));
	assert_non_null(mailtext_refuses("a\tb", "x"));
	assert_non_null(mailtext_refuses("a\xff", "x"));
	assert_non_null(mailtext_refuses("", "x"));
	assert_non_null(mailtext_refuses(NULL, "x"));
	assert_non_null(mailtext_refuses("a", NULL));
	assert_non_null(mailtext_refuses("a", ""));
	assert_non_null(mailtext_refuses("a", "\xff"));
	assert_non_null(mailtext_refuses(FIFTY FIFTY FIFTY FIFTY "x", "x"));
	assert_null(mailtext_refuses(FIFTY FIFTY FIFTY FIFTY, "x"));
	assert_non_null(text);
	memset(text, 'x', STET_MAIL_TEXT_MAX + 1);
	text[STET_MAIL_TEXT_MAX + 1] = '\0';
	assert_non_null(mailtext_refuses("a", text));
	text[STET_MAIL_TEXT_MAX] = '\0';
	assert_null(mailtext_refuses("a", text));
	free(text);
}

static void
the_host_of_a_url_is_found(void **state)
{
	static const char *const rows[][2] = { { "https://example.org", "example.org" },
		{ "http://a.example.org:8080/x", "a.example.org" }, { "http://[::1]:80", "[::1]" },
		{ "http://127.0.0.1/", "127.0.0.1" } };
	(void)state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *host = mailtext_host(rows[i][0]);

		assert_string_equal(host, rows[i][1]);
		free(host);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_follow_one_strict_grammar),
		cmocka_unit_test(no_byte_but_those_of_the_grammar_passes),
		cmocka_unit_test(a_sender_is_an_address_with_a_name_or_without),
		cmocka_unit_test(a_mail_is_headers_and_a_body_of_short_lines),
		cmocka_unit_test(what_is_not_plain_ascii_is_encoded_in_headers),
		cmocka_unit_test(a_text_arrives_as_it_was),
		cmocka_unit_test(what_would_harm_is_refused),
		cmocka_unit_test(the_host_of_a_url_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
