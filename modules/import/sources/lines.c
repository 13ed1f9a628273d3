/*
 * lines.c - lines of JSON, an object each; or an array of objects, which is read as a stream: each
 * of its elements is handled like a line. The same holds for an object that begins with such an
 * array, as answers of an API are; what is behind the array is then the last line.
 */
#include "sources/lines.h"
#include "read/source.h"
#include <stdlib.h>
#include <string.h>

#define PIECE 65536
#define LONG_NUMBER 19 /* digits that may be too many for 64 bits */
#define BLANKS " \t\r\n"

/* Where the reader is in an array of objects. */
struct array {
	enum { NO_ARRAY, BEFORE, INSIDE, BEHIND } at;
	unsigned depth; /* of brackets within the array */
	bool quoted, escaped; /* in a string; behind a backslash */
	bool member; /* of an object, which has other members behind it */
};

struct lines {
	struct stet_source *source;
	const char *name;
	const char *list; /* name of a member that is an array; or NULL */
	line_fn *fn;
	void *arg;
	char *text; /* of the present line */
	size_t len;
	int64_t number;
	bool too_long;
	struct array array;
};

/* Returns the text with whole numbers that are too long for JSON here as strings, so that they keep
 * their digits. *len: its length. */
static const char *
quote_long(struct stet_call *call, const char *text, size_t *len)
{
	char *out = stet_alloc(call, 2 * *len + 1);
	bool quoted = false;
	size_t n = 0;

	for (size_t i = 0, run; i < *len; i += run) {
		run = strspn(text + i, "-0123456789");
		if (!quoted && run >= LONG_NUMBER && strchr(".eE", text[i + run]) == NULL) {
			out[n++] = '"';
			memcpy(out + n, text + i, run);
			n += run;
			out[n++] = '"';
			continue;
		}
		run = run > 0 ? run : 1;
		if (text[i] == '"')
			quoted = !quoted;
		else if (quoted && text[i] == '\\' && i + 1 < *len)
			run = 2;
		memcpy(out + n, text + i, run);
		n += run;
	}
	out[n] = '\0';
	*len = n;
	return out;
}

static const json_t *
parse(struct stet_call *call, const char *text, size_t len, const char **why)
{
	const json_t *value = stet_json_parse(call, text, len, why);

	if (value != NULL || strstr(*why, "out of range") == NULL)
		return value;
	text = quote_long(call, text, &len);
	return stet_json_parse(call, text, len, why);
}

static enum stet_status
take(struct stet_call *call, void *arg)
{
	struct lines *l = arg;
	struct line_read line = { .name = l->name, .len = l->len };
	const char *why = "";
	const json_t *value;

	line.place = stet_printf(call, "%s%s%s %lld", l->name, *l->name != '\0' ? ", " : "",
	    l->array.at == NO_ARRAY ? "line" : "element", (long long)l->number);
	if (l->too_long)
		return source_left(l->source, "row", line.place, "It is longer than 8 MiB");
	if (strspn(l->text, BLANKS) == l->len)
		return STET_OK;
	value = parse(call, l->text, l->len, &why);
	if (!json_is_object(value))
		return source_left(l->source, "row", line.place,
		    value != NULL ? "It is no object"
				  : stet_printf(call, "It is no JSON: %s", why));
	line.object = value;
	return l->fn(l->arg, &line);
}

static enum stet_status
end_line(struct lines *l)
{
	enum stet_status status;

	l->number++;
	l->text[l->len] = '\0';
	status = stet_scope(l->source->call, take, l);
	l->len = 0;
	l->too_long = false;
	return status;
}

static enum stet_status
split(struct lines *l, const char *piece, size_t got)
{
	for (const char *p = piece, *end = piece + got; p < end;) {
		const char *line = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((line != NULL ? line : end) - p);

		l->too_long |= l->len + n > DOCUMENT_MAX;
		if (!l->too_long) {
			memcpy(l->text + l->len, p, n);
			l->len += n;
		}
		p += n + (line != NULL);
		if (line != NULL)
			STET_TRY(end_line(l));
	}
	return STET_OK;
}

/* ---- an array ---- */

/* Follows the brackets and strings of an element. Returns false if the character ends it. */
static bool
is_within(struct array *a, char c)
{
	if (a->quoted) {
		a->quoted = a->escaped || c != '"';
		a->escaped = !a->escaped && c == '\\';
		return true;
	}
	if (a->depth == 0 && (c == ',' || c == ']'))
		return false;
	a->quoted = c == '"';
	if (c == '{' || c == '[')
		a->depth++;
	else if ((c == '}' || c == ']') && a->depth > 0)
		a->depth--;
	return true;
}

static void
put_byte(struct lines *l, char c)
{
	l->too_long |= l->len == DOCUMENT_MAX;
	if (!l->too_long)
		l->text[l->len++] = c;
}

static enum stet_status
split_array(struct lines *l, const char *piece, size_t got)
{
	struct array *a = &l->array;

	for (const char *p = piece; p < piece + got; p++) {
		if (a->at == BEFORE) {
			a->at = *p == '[' ? INSIDE : BEFORE;
		} else if (a->at == BEHIND && a->member) {
			put_byte(l, *p);
		} else if (a->at == BEHIND) {
			if (strchr(BLANKS, *p) == NULL || *p == '\0')
				return stet_fail(l->source->call, STET_VALIDATION_ERROR, "file",
				    "Something follows the end of the array");
		} else if (is_within(a, *p)) {
			put_byte(l, *p);
		} else {
			STET_TRY(end_line(l));
			a->at = *p == ']' ? BEHIND : INSIDE;
		}
	}
	return STET_OK;
}

/* Goes over blanks and then over this text. Returns false if another one stands there. */
static bool
pass(const char *piece, size_t got, size_t *at, const char *text)
{
	size_t len = strlen(text);

	while (*at < got && piece[*at] != '\0' && strchr(BLANKS, piece[*at]) != NULL)
		++*at;
	if (got - *at < len || memcmp(piece + *at, text, len) != 0)
		return false;
	*at += len;
	return true;
}

/* Is the first character an opening bracket? */
static bool
is_array(const char *piece, size_t got)
{
	size_t at = 0;

	return pass(piece, got, &at, "[");
}

/* Is it an object whose first member is the array `list`? */
static bool
has_array(const struct lines *l, const char *piece, size_t got)
{
	size_t at = 0;

	return l->list != NULL && pass(piece, got, &at, "{") && pass(piece, got, &at, "\"") &&
	       pass(piece, got, &at, l->list) && pass(piece, got, &at, "\"") &&
	       pass(piece, got, &at, ":") && pass(piece, got, &at, "[");
}

/* Looks at the first piece of a document. *skip: bytes of a byte order mark. */
static void
begin(struct lines *l, const char *piece, size_t got, size_t *skip)
{
	*skip = got >= 3 && memcmp(piece, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	l->array.member = has_array(l, piece + *skip, got - *skip);
	if (l->array.member || is_array(piece + *skip, got - *skip))
		l->array.at = BEFORE;
}

/* Ends the document. Members behind the array, ", NAME: VALUE}", become an object. */
static enum stet_status
end(struct lines *l)
{
	size_t at = 0;

	if (l->array.at == BEFORE || l->array.at == INSIDE)
		return stet_fail(
		    l->source->call, STET_VALIDATION_ERROR, "file", "The array has no end");
	if (l->array.member && !l->too_long) {
		if (pass(l->text, l->len, &at, ","))
			l->text[at - 1] = '{';
		else if (pass(l->text, l->len, &at, "}"))
			l->text[at - 1] = ' ';
	}
	return l->len > 0 || l->too_long ? end_line(l) : STET_OK;
}

enum stet_status
lines_read(struct stet_source *source, struct source *file, const char *name, const char *list,
    char *text, line_fn *fn, void *arg)
{
	struct lines l = {
		.source = source, .name = name, .list = list, .fn = fn, .arg = arg, .text = text
	};
	char piece[PIECE];
	size_t got, skip;

	for (bool first = true;; first = false) {
		STET_TRY(source_read(file, piece, sizeof(piece), &got));
		if (got == 0)
			return end(&l);
		skip = 0;
		if (first)
			begin(&l, piece, got, &skip);
		STET_TRY(l.array.at == NO_ARRAY ? split(&l, piece + skip, got - skip)
						: split_array(&l, piece + skip, got - skip));
	}
}
