/*
 * mailtext.c - formats a mail for the server. The result is ASCII in short lines for any subject
 * and text: header fields use encoded words (RFC 2047, base64), the text is quoted-printable. So no
 * value can end a header line, and no server has a reason to change a line.
 */
#include "mail/mailtext.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/utf8.h"
#include "conf/confmail.h"
#include "http/httpdate.h"
#include <sodium.h>
#include <stdbool.h>
#include <string.h>

#define WORD_BYTES 39 /* of UTF-8: 64 characters as an encoded word */
#define PLAIN_MAX 60 /* characters of a subject that need not be folded */
#define LINE_MAX_LEN 76

char *
mailtext_host(const char *url)
{
	const char *host = strstr(url, "://");
	char *copy;

	host = host != NULL ? host + 3 : url;
	copy = xstrdup(host);
	copy[*host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/")] = '\0';
	return copy;
}

/* ---- validation ---- */

/* Returns the number of characters, or -1 if the text is not UTF-8. */
static int64_t
utf8_count(const char *text)
{
	int64_t count = 0;
	size_t len;

	for (; *text != '\0'; text += len, count++)
		if ((len = utf8_sequence((const unsigned char *)text, 4)) == 0)
			return -1;
	return count;
}

static bool
has_controls(const char *text)
{
	while (*text != '\0' && (unsigned char)*text >= ' ' && *text != '\x7f')
		text++;
	return *text != '\0';
}

const char *
mailtext_refuses(const char *subject, const char *text)
{
	int64_t len = subject != NULL ? utf8_count(subject) : 0;

	if (len == 0 || text == NULL || *text == '\0')
		return "it has no subject or no text";
	if (len < 0 || has_controls(subject))
		return "its subject is not one line of UTF-8";
	if (len > STET_MAIL_SUBJECT_MAX)
		return "its subject is too long";
	if (strlen(text) > STET_MAIL_TEXT_MAX)
		return "its text is too long";
	return utf8_count(text) < 0 ? "its text is not UTF-8" : NULL;
}

/* ---- header fields ---- */

/* Returns the length of the whole characters that fit into one encoded word. */
static size_t
word_len(const char *text, size_t left)
{
	size_t len = 0, one;

	while (len < left) {
		one = utf8_sequence((const unsigned char *)text + len, left - len);
		one = one > 0 ? one : 1;
		if (len + one > WORD_BYTES)
			break;
		len += one;
	}
	return len;
}

static void
put_words(struct buf *b, const char *text, size_t len)
{
	char word[sodium_base64_ENCODED_LEN(WORD_BYTES, sodium_base64_VARIANT_ORIGINAL)];
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = word_len(text + i, len - i);
		sodium_bin2base64(word, sizeof(word), (const unsigned char *)text + i, n,
		    sodium_base64_VARIANT_ORIGINAL);
		buf_printf(b, "%s=?utf-8?B?%s?=", i > 0 ? "\r\n " : "", word);
	}
}

static bool
is_plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

static void
put_subject(struct buf *b, const char *subject)
{
	size_t len = strlen(subject);

	buf_str(b, "Subject: ");
	if (len <= PLAIN_MAX && is_plain(subject, len) && strstr(subject, "=?") == NULL)
		buf_str(b, subject);
	else
		put_words(b, subject, len);
	buf_str(b, "\r\n");
}

static void
put_sender(struct buf *b, const char *sender)
{
	char address[STET_MAIL_ADDRESS_MAX + 1];
	size_t name;

	stet_assert(confmail_from(sender, address, &name));
	buf_str(b, "From: ");
	if (name == 0) {
		buf_printf(b, "%s\r\n", address);
		return;
	}
	/* A display name of plain words needs no quotes. */
	if (name <= PLAIN_MAX && strspn(sender, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
						"wxyz0123456789 ") >= name)
		buf_add(b, sender, name);
	else
		put_words(b, sender, name);
	buf_printf(b, "\r\n <%s>\r\n", address);
}

static void
put_date(struct buf *b, int64_t ms)
{
	char date[HTTPDATE_SIZE];

	httpdate_text(ms / 1000, date);
	buf_str(b, "Date: ");
	buf_add(b, date, strlen(date) - strlen("GMT"));
	buf_str(b, "+0000\r\n");
}

/* ---- the body ---- */

/* Returns the length of the line ending at c, or 0. */
static size_t
line_end(const char *c)
{
	if (*c == '\n')
		return 1;
	return c[0] == '\r' && c[1] == '\n' ? 2 : 0;
}

/* Returns true if the character needs no encoding here. A dot at the start of a line is encoded, so
 * that it never ends the mail. */
static bool
stands_as_it_is(const char *c, size_t column)
{
	if (*c == ' ' || *c == '\t')
		return c[1] != '\0' && line_end(c + 1) == 0;
	return *c > ' ' && *c <= '~' && *c != '=' && (*c != '.' || column > 0);
}

static void
put_text(struct buf *b, const char *c)
{
	size_t column = 0, end, width;
	bool plain;

	for (; *c != '\0'; c += end > 0 ? end : 1) {
		if ((end = line_end(c)) > 0) {
			buf_str(b, "\r\n");
			column = 0;
			continue;
		}
		plain = stands_as_it_is(c, column);
		width = plain ? 1 : 3;
		if (column + width >= LINE_MAX_LEN) { /* room for the = */
			buf_str(b, "=\r\n");
			column = 0;
			plain = stands_as_it_is(c, column);
			width = plain ? 1 : 3;
		}
		if (plain)
			buf_char(b, *c);
		else
			buf_printf(b, "=%02X", (unsigned)(unsigned char)*c);
		column += width;
	}
	if (column > 0)
		buf_str(b, "\r\n");
}

void
mailtext_write(struct buf *b, const struct mailtext *m)
{
	put_date(b, m->date);
	put_sender(b, m->sender);
	buf_printf(b, "To: %s\r\n", m->to);
	put_subject(b, m->subject);
	buf_printf(b, "Message-ID: <%s@%s>\r\n", m->id, m->host);
	buf_str(b, "MIME-Version: 1.0\r\n"
		   "Content-Type: text/plain; charset=utf-8\r\n"
		   "Content-Transfer-Encoding: quoted-printable\r\n"
		   "Auto-Submitted: auto-generated\r\n"
		   "\r\n");
	put_text(b, m->text);
}
