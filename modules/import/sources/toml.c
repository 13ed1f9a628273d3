/*
 * toml.c - TOML 1.0 (toml.io), in which Hugo writes front matter by default, as JSON. Dates are
 * texts, as in the other kinds of front matter. A table may be opened again, which the standard
 * forbids; a name that has a value may not get another. Debian has no library for it in C.
 */
#include "sources/sources.h"
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 20

struct toml {
	struct stet_call *call;
	const char *at, *end;
	size_t line;
	char *scratch; /* the last string, decoded: never longer than its source */
	size_t len;
	const char *why; /* of the first failure */
};
struct path {
	const char *part[DEPTH_MAX];
	size_t count;
};

static bool
fail(struct toml *t, const char *what)
{
	if (t->why == NULL)
		t->why = stet_printf(
		    t->call, "Its front matter cannot be read: %s, line %zu", what, t->line);
	return false;
}

/* ---- characters ---- */

static char
peek(const struct toml *t)
{
	return t->at < t->end ? *t->at : '\0';
}

static bool
follows(const struct toml *t, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(t->end - t->at) >= len && memcmp(t->at, text, len) == 0;
}

static bool
skip(struct toml *t, char c)
{
	if (peek(t) != c)
		return false;
	t->at++;
	return true;
}

static void
skip_blanks(struct toml *t)
{
	while (peek(t) == ' ' || peek(t) == '\t')
		t->at++;
}

static bool
skip_newline(struct toml *t)
{
	if (follows(t, "\r\n"))
		t->at++;
	if (!skip(t, '\n'))
		return false;
	t->line++;
	return true;
}

/* Blanks, comments and ends of lines. */
static void
skip_space(struct toml *t)
{
	do {
		skip_blanks(t);
		if (peek(t) == '#')
			while (t->at < t->end && *t->at != '\n')
				t->at++;
	} while (skip_newline(t));
}

/* ---- strings ---- */

static bool
put_code(struct toml *t, unsigned long c)
{
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return fail(t, "an escape that is no character");
	if (c < 0x80) {
		t->scratch[t->len++] = (char)c;
		return true;
	}
	if (c < 0x800) {
		t->scratch[t->len++] = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			t->scratch[t->len++] = (char)(0xe0 | c >> 12);
		} else {
			t->scratch[t->len++] = (char)(0xf0 | c >> 18);
			t->scratch[t->len++] = (char)(0x80 | (c >> 12 & 0x3f));
		}
		t->scratch[t->len++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	t->scratch[t->len++] = (char)(0x80 | (c & 0x3f));
	return true;
}

/* \uXXXX and \UXXXXXXXX, after the letter. */
static bool
escaped_code(struct toml *t, size_t digits)
{
	char hex[9];

	if ((size_t)(t->end - t->at) < digits)
		return fail(t, "an escape that is no character");
	memcpy(hex, t->at, digits);
	hex[digits] = '\0';
	if (strspn(hex, "0123456789abcdefABCDEF") != digits)
		return fail(t, "an escape that is no character");
	t->at += digits;
	return put_code(t, strtoul(hex, NULL, 16));
}

/* Reads an escape after its backslash. In a string of several lines, a backslash at the end of a
 * line joins it with the next. */
static bool
escape(struct toml *t, bool long_text)
{
	static const char letters[] = "btnfre\"\\", codes[] = "\b\t\n\f\r\x1b\"\\";
	const char *found, *at = t->at;

	if (long_text) {
		skip_blanks(t);
		if (peek(t) == '\n' || follows(t, "\r\n")) {
			while (skip_newline(t))
				skip_blanks(t);
			return true;
		}
		t->at = at;
	}
	if (skip(t, 'u'))
		return escaped_code(t, 4);
	if (skip(t, 'U'))
		return escaped_code(t, 8);
	found = peek(t) != '\0' ? strchr(letters, peek(t)) : NULL;
	if (found == NULL)
		return fail(t, "an unknown escape");
	t->at++;
	t->scratch[t->len++] = codes[found - letters];
	return true;
}

/* Reads quotes in a string of several lines. Returns true if they end it; up to two before the last
 * three belong to the string. */
static bool
ends_long(struct toml *t, char quote)
{
	size_t count = 0;

	while (count < 5 && peek(t) == quote) {
		t->at++;
		count++;
	}
	for (size_t i = count >= 3 ? 3 : 0; i < count; i++)
		t->scratch[t->len++] = quote;
	return count >= 3;
}

/* Reads a text with its quotes into scratch. */
static bool
quoted(struct toml *t, bool may_be_long)
{
	char quote = *t->at;
	const char three[] = { quote, quote, quote, '\0' };
	bool long_text = may_be_long && follows(t, three);

	t->at += long_text ? 3 : 1;
	t->len = 0;
	if (long_text)
		skip_newline(t);
	while (t->at < t->end) {
		if (*t->at == quote && long_text) {
			if (ends_long(t, quote))
				return true;
		} else if (*t->at == quote) {
			t->at++;
			return true;
		} else if (*t->at == '\n' && !long_text) {
			break;
		} else if (*t->at == '\\' && quote == '"') {
			t->at++;
			if (!escape(t, long_text))
				return false;
		} else {
			t->line += *t->at == '\n';
			t->scratch[t->len++] = *t->at++;
		}
	}
	return fail(t, "a text without an end");
}

/* ---- names ---- */

static const char *
name(struct toml *t)
{
	static const char bare[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				   "0123456789_-";
	const char *from = t->at;

	if (peek(t) == '"' || peek(t) == '\'')
		return quoted(t, false) ? stet_strndup(t->call, t->scratch, t->len) : NULL;
	while (peek(t) != '\0' && strchr(bare, *t->at) != NULL)
		t->at++;
	if (t->at > from)
		return stet_strndup(t->call, from, (size_t)(t->at - from));
	fail(t, "no name where one belongs");
	return NULL;
}

static bool
read_path(struct toml *t, struct path *p)
{
	p->count = 0;
	do {
		if (p->count == DEPTH_MAX)
			return fail(t, "too many names in one");
		skip_blanks(t);
		if ((p->part[p->count] = name(t)) == NULL)
			return false;
		p->count++;
		skip_blanks(t);
	} while (skip(t, '.'));
	return true;
}

/* Returns the table of this name, and makes it if there is none. Of an array, the last. */
static json_t *
enter(struct toml *t, json_t *in, const char *part)
{
	json_t *at = json_object_get(in, part);

	if (at == NULL) {
		at = json_object();
		if (json_object_set_new(in, part, at) != 0)
			at = NULL;
	} else if (json_is_array(at)) {
		at = json_array_get(at, json_array_size(at) - 1);
	}
	if (json_is_object(at))
		return at;
	fail(t, "a name for a value and for a table");
	return NULL;
}

static json_t *
enter_all(struct toml *t, json_t *in, const struct path *p, size_t count)
{
	for (size_t i = 0; i < count && in != NULL; i++)
		in = enter(t, in, p->part[i]);
	return in;
}

/* ---- values ---- */

static bool assign(struct toml *t, json_t *table, int depth);
static json_t *value(struct toml *t, int depth);

static json_t *
string(struct toml *t)
{
	json_t *text = quoted(t, true) ? json_stringn(t->scratch, t->len) : NULL;

	if (text == NULL)
		fail(t, "a text that is no UTF-8");
	return text;
}

static bool
is_digits(const char *text, size_t count)
{
	return strspn(text, "0123456789") >= count;
}

static bool
is_date(const char *text)
{
	return is_digits(text, 4) && text[4] == '-' && is_digits(text + 5, 2) && text[7] == '-' &&
	       is_digits(text + 8, 2);
}

static bool
is_time(const char *text)
{
	return is_digits(text, 2) && text[2] == ':';
}

/* Reads 0x, 0o and 0b; NULL: the text is none of them, or too large. */
static json_t *
based(const char *text)
{
	static const char letters[] = "xob";
	static const int bases[] = { 16, 8, 2 };
	const char *letter = text[0] == '0' && text[1] != '\0' ? strchr(letters, text[1]) : NULL;
	long long n;
	char *end;

	if (letter == NULL || strchr("0123456789abcdefABCDEF", text[2]) == NULL || text[2] == '\0')
		return NULL;
	n = strtoll(text + 2, &end, bases[letter - letters]);
	return *end == '\0' && n != INT64_MAX ? json_integer(n) : NULL;
}

json_t *
toml_number(const char *text)
{
	long long integer;
	double real;
	char *end;

	if (strspn(text, "+-.0123456789eE") != strlen(text) ||
	    strpbrk(text, "0123456789") == NULL ||
	    (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
		return NULL;
	integer = strtoll(text, &end, 10);
	if (*end == '\0' && integer != INT64_MAX && integer != INT64_MIN)
		return json_integer(integer);
	real = strtod(text, &end);
	return *end == '\0' && real < 1e300 && real > -1e300 ? json_real(real) : NULL;
}

static json_t *
number(const char *text)
{
	char digits[64];
	json_t *n;
	size_t len = 0;

	if (strlen(text) >= sizeof(digits))
		return NULL;
	for (const char *from = text; *from != '\0'; from++)
		if (*from != '_')
			digits[len++] = *from;
	digits[len] = '\0';
	n = based(digits);
	return n != NULL ? n : toml_number(digits);
}

/* Moves to the end of a word. Returns the text since `from`. */
static char *
to_word_end(struct toml *t, const char *from)
{
	while (t->at < t->end && strchr(" \t\r\n,]}#", *t->at) == NULL)
		t->at++;
	return stet_strndup(t->call, from, (size_t)(t->at - from));
}

static bool
is_time_after_blank(const struct toml *t)
{
	return t->end - t->at > 3 && *t->at == ' ' && is_digits(t->at + 1, 2) && t->at[3] == ':';
}

/* Reads a value without quotes: a number, a date, true, false. */
static json_t *
word(struct toml *t)
{
	const char *from = t->at;
	char *text = to_word_end(t, from);
	json_t *v;

	/* A date and a time may have a blank between them. */
	if (is_date(text) && text[10] == '\0' && is_time_after_blank(t)) {
		t->at++;
		text = to_word_end(t, from);
		text[10] = 'T';
	}
	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		return json_boolean(*text == 't');
	v = is_date(text) || is_time(text) ? json_string(text) : number(text);
	if (v == NULL)
		fail(t, "no value where one belongs");
	return v;
}

static json_t *
array(struct toml *t, int depth)
{
	json_t *all = json_array();

	t->at++;
	for (;;) {
		json_t *one;

		skip_space(t);
		if (skip(t, ']'))
			return all;
		if ((one = value(t, depth)) == NULL)
			break;
		(void)json_array_append_new(all, one);
		skip_space(t);
		if (!skip(t, ',') && peek(t) != ']') {
			fail(t, "a list without an end");
			break;
		}
	}
	json_decref(all);
	return NULL;
}

static json_t *
inline_table(struct toml *t, int depth)
{
	json_t *table = json_object();

	t->at++;
	for (;;) {
		skip_space(t);
		if (skip(t, '}'))
			return table;
		if (!assign(t, table, depth))
			break;
		skip_space(t);
		if (!skip(t, ',') && peek(t) != '}') {
			fail(t, "a table without an end");
			break;
		}
	}
	json_decref(table);
	return NULL;
}

static json_t *
value(struct toml *t, int depth)
{
	if (depth == DEPTH_MAX) {
		fail(t, "it is nested too deep");
		return NULL;
	}
	switch (peek(t)) {
	case '"':
	case '\'':
		return string(t);
	case '[':
		return array(t, depth + 1);
	case '{':
		return inline_table(t, depth + 1);
	default:
		return word(t);
	}
}

/* ---- lines ---- */

/* name = value */
static bool
assign(struct toml *t, json_t *table, int depth)
{
	struct path p;
	const char *last;
	json_t *v;

	if (!read_path(t, &p))
		return false;
	if (!skip(t, '='))
		return fail(t, "a name without =");
	skip_blanks(t);
	if ((v = value(t, depth)) == NULL)
		return false;
	last = p.part[p.count - 1];
	table = enter_all(t, table, &p, p.count - 1);
	if (table == NULL || json_object_get(table, last) != NULL) {
		json_decref(v);
		return fail(t, "a name that has a value already");
	}
	return json_object_set_new(table, last, v) == 0 || fail(t, "a name that is no UTF-8");
}

/* Appends a table to the array of tables of this name. */
static json_t *
another(struct toml *t, json_t *in, const char *part)
{
	json_t *all = json_object_get(in, part), *table = json_object();

	if (all == NULL) {
		all = json_array();
		if (json_object_set_new(in, part, all) != 0)
			all = NULL;
	}
	if (json_is_array(all) && json_array_append_new(all, table) == 0)
		return table;
	if (!json_is_array(all))
		json_decref(table);
	fail(t, "a name for a value and for a table");
	return NULL;
}

/* Reads [table] or [[array of tables]]. Returns the table that the next lines fill. */
static json_t *
header(struct toml *t, json_t *root)
{
	bool several = follows(t, "[[");
	struct path p;
	json_t *in;

	t->at += several ? 2 : 1;
	if (!read_path(t, &p))
		return NULL;
	if (!follows(t, several ? "]]" : "]")) {
		fail(t, "the name of a table without an end");
		return NULL;
	}
	t->at += several ? 2 : 1;
	in = enter_all(t, root, &p, p.count - (several ? 1 : 0));
	return several && in != NULL ? another(t, in, p.part[p.count - 1]) : in;
}

json_t *
toml_read(struct stet_call *call, const char *text, size_t len, const char **why)
{
	struct toml t = { .call = call,
		.at = text,
		.end = text + len,
		.line = 2,
		.scratch = stet_alloc(call, len + 1) };
	json_t *root = json_object(), *table = root;

	for (skip_space(&t); t.why == NULL && t.at < t.end; skip_space(&t)) {
		if (*t.at == '[')
			table = header(&t, root);
		else
			(void)assign(&t, table, 0);
		skip_blanks(&t);
		if (t.why == NULL && t.at < t.end && *t.at != '#' && *t.at != '\n' &&
		    !follows(&t, "\r\n"))
			fail(&t, "text after a value");
	}
	*why = t.why;
	return root;
}
