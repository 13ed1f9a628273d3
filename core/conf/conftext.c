/* conftext.c - scans stet.conf and writes it in a plain form for libconfuse (conftext.h). */
#include "conf/conftext.h"

#include <stdlib.h>
#include <string.h>

struct scanner {
	const char *at;
	int line;
	int held; /* line ends inside the current string; written after it */
	struct buf *out;
	const char *why; /* the first error; NULL: none yet */
	int where; /* the line of the error */
};

static bool
fail(struct scanner *s, int line, const char *why)
{
	s->why = why;
	s->where = line;
	return false;
}

/* ---- comments ---- */

static void
skip_line(struct scanner *s)
{
	s->at += strcspn(s->at, "\n");
}

static bool
skip_comment(struct scanner *s)
{
	const char *end = strstr(s->at + 2, "*/");
	int line = s->line;

	if (end == NULL)
		return fail(s, line, "this comment has no end: */ is missing");
	for (; s->at < end; s->at++)
		if (*s->at == '\n') {
			buf_char(s->out, '\n');
			s->line++;
		}
	s->at = end + 2;
	return true;
}

/* ---- strings ---- */

/* Writes one character of a string. Letters, digits and a few others mean nothing to libconfuse
 * inside quotes; all others are written as \xHH. */
static bool
put(struct scanner *s, char c)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789 -_./:,";

	if (c == '\0')
		return fail(s, s->line, "a text must not hold a NUL byte");
	if (strchr(plain, c) != NULL)
		buf_char(s->out, c);
	else
		buf_printf(s->out, "\\x%02x", (unsigned char)c);
	return true;
}

static void
hold_line(struct scanner *s)
{
	s->line++;
	s->held++;
}

/* Replaces ${NAME} and ${NAME:-default} by the environment variable. Returns false if the text at
 * hand is neither. */
static bool
put_variable(struct scanner *s)
{
	size_t len = s->at[1] == '{' ? strcspn(s->at, "}\"\n") : 0;
	struct buf name = { 0 };
	const char *value, *usual;

	if (len == 0 || s->at[len] != '}')
		return false;
	buf_add(&name, s->at + 2, len - 2);
	s->at += len + 1;
	usual = strstr(name.data, ":-");
	if (usual != NULL)
		name.data[usual - name.data] = '\0';
	value = getenv(name.data);
	if (value == NULL && usual != NULL)
		value = usual + 2;
	for (; value != NULL && *value != '\0'; value++)
		(void)put(s, *value);
	buf_free(&name);
	return true;
}

/* Reads the digits of \101 (base 8) or \x41 (base 16), at most `most` of them. */
static bool
put_number(struct scanner *s, int base, size_t most)
{
	char digits[4] = { 0 };
	size_t len = strspn(s->at, base == 8 ? "01234567" : "0123456789abcdefABCDEF");
	long value;

	if (len > most)
		len = most;
	memcpy(digits, s->at, len);
	value = strtol(digits, NULL, base);
	if (value > 255)
		return fail(s, s->line, "a number behind \\ is larger than \\377");
	s->at += len;
	return put(s, (char)value);
}

/* Reads what follows a \ in double quotes. */
static bool
put_escape(struct scanner *s)
{
	static const char names[] = "nrbfaetv", meant[] = "\n\r\b\f\a\033\t\v";
	const char *found;
	char c = *s->at;

	if (c == '\0')
		return true; /* the string has no end; put_text reports it */
	if (c >= '0' && c <= '7')
		return put_number(s, 8, 3);
	if (c == '8' || c == '9')
		return fail(s, s->line, "a number behind \\ is octal");
	s->at++;
	if (c == 'x' && strspn(s->at, "0123456789abcdefABCDEF") > 0)
		return put_number(s, 16, 2);
	if (c == '\n') { /* the string continues on the next line */
		hold_line(s);
		return true;
	}
	found = strchr(names, c);
	return put(s, found != NULL ? meant[found - names] : c);
}

/* Reads one character or escape sequence of a string. */
static bool
put_piece(struct scanner *s, char quote)
{
	char c = *s->at;

	if (c == '$' && quote == '"' && put_variable(s))
		return true;
	s->at++;
	if (c == '\n')
		hold_line(s);
	if (c != '\\')
		return put(s, c);
	if (quote == '"')
		return put_escape(s);
	/* In single quotes, \ escapes a quote, a \ and a line end only. */
	if (*s->at == '\n') {
		s->at++;
		hold_line(s);
		return true;
	}
	if (*s->at == '\'' || *s->at == '\\')
		return put(s, *s->at++);
	return put(s, '\\');
}

static bool
put_text(struct scanner *s)
{
	char quote = *s->at++;
	int line = s->line;

	buf_char(s->out, '"');
	while (*s->at != quote) {
		if (*s->at == '\0')
			return fail(s, line, "this text has no end: its closing quote is missing");
		if (!put_piece(s, quote))
			return false;
	}
	s->at++;
	buf_char(s->out, '"');
	for (; s->held > 0; s->held--)
		buf_char(s->out, '\n');
	return true;
}

/* ---- words ---- */

static bool
begins_comment(const char *at)
{
	return at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

/* Reads a key, or a value without quotes. */
static bool
put_word(struct scanner *s)
{
	static const char ends[] = " \t\r\n#\"'={}()+,*";
	const char *begin = s->at;

	buf_char(s->out, '"');
	while (strchr(ends, *s->at) == NULL && !begins_comment(s->at))
		(void)put(s, *s->at++);
	buf_char(s->out, '"');
	return s->at > begin || fail(s, s->line, "a character that means nothing here");
}

/* ---- the file ---- */

static bool
step(struct scanner *s)
{
	switch (*s->at) {
	case '\n':
		s->line++;
		/* fallthrough */
	case ' ':
	case '\t':
	case '\r':
	case '{':
	case '}':
	case '=':
	case ',':
		buf_char(s->out, *s->at == '\r' ? ' ' : *s->at);
		s->at++;
		return true;
	case '+':
		if (s->at[1] != '=')
			return fail(s, s->line, "a character that means nothing here");
		buf_str(s->out, "+=");
		s->at += 2;
		return true;
	case '"':
	case '\'':
		return put_text(s);
	case '#':
		skip_line(s);
		return true;
	default:
		if (!begins_comment(s->at))
			return put_word(s);
		if (s->at[1] == '*')
			return skip_comment(s);
		skip_line(s);
		return true;
	}
}

bool
conftext_plain(const char *text, const char *name, struct buf *out, struct buf *wrong)
{
	struct scanner s = { .at = text, .line = 1, .out = out };

	buf_str(out, "");
	while (*s.at != '\0')
		if (!step(&s)) {
			buf_printf(wrong, "%s:%d: %s", name, s.where, s.why);
			return false;
		}
	return true;
}
