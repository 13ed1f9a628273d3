/*
 * jsonread.c - the fast JSON reader. It returns NULL for input that it does not handle, and the
 * caller then uses Jansson. So it must be right only where it returns a value. t/fuzz/jsonread.c
 * compares the two. The last part returns the members of an object as unparsed text.
 */
#include "call/jsonread.h"
#include "base/buf.h"
#include "base/utf8.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define DIGITS_MAX 18 /* any number of this many digits fits into 64 bits */
#define NUMBER_MAX 63 /* characters of a number with a point or an exponent */

struct reader {
	const char *at, *end;
	struct buf scratch; /* a string with its escapes decoded */
	int depth;
};

struct piece {
	const char *text;
	size_t len;
	bool ascii;
};

static json_t *read_value(struct reader *);

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void
skip_blanks(struct reader *r)
{
	while (r->at < r->end && is_blank(*r->at))
		r->at++;
}

/* Consumes `c` and blanks around it. */
static bool
take(struct reader *r, char c)
{
	skip_blanks(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	skip_blanks(r);
	return true;
}

/* ---- strings ---- */

#define EACH (UINT64_MAX / 0xff) /* 1 in each of 8 bytes */
#define HIGH (0x80 * EACH)

/* Returns a number other than 0 if one of 8 bytes ends a piece of a string: a quotation mark, a
 * backslash, or a control character. To take 1 from a byte of 0, or 32 from one below 32, borrows,
 * which shows in its highest bit. */
static inline uint64_t
ends_piece(uint64_t bytes)
{
	const uint64_t quote = bytes ^ ('"' * EACH), escape = bytes ^ ('\\' * EACH);

	return (((bytes - ' ' * EACH) & ~bytes) | ((quote - EACH) & ~quote) |
		   ((escape - EACH) & ~escape)) &
	       HIGH;
}

/* Walks to the end of a string, or to its next escape. */
static void
walk_text(struct reader *r, bool *ascii)
{
	uint64_t any = 0, bytes;

	for (; r->end - r->at >= (ptrdiff_t)sizeof(bytes); r->at += sizeof(bytes)) {
		memcpy(&bytes, r->at, sizeof(bytes));
		if (ends_piece(bytes) != 0)
			break;
		any |= bytes;
	}
	for (; r->at < r->end; r->at++) {
		const unsigned char c = (unsigned char)*r->at;

		if (c == '"' || c == '\\' || c < ' ')
			break;
		any |= c;
	}
	*ascii &= (any & HIGH) == 0;
}

static void
put_code(struct buf *b, unsigned code)
{
	if (code < 0x80) {
		buf_char(b, (char)code);
		return;
	}
	if (code < 0x800)
		buf_char(b, (char)(0xc0 | code >> 6));
	else {
		buf_char(b, (char)(0xe0 | code >> 12));
		buf_char(b, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	buf_char(b, (char)(0x80 | (code & 0x3f)));
}

/* Reads \uXXXX of one code point other than U+0000 and surrogates. */
static bool
read_code(struct reader *r, bool *ascii)
{
	unsigned code = 0;

	if (r->end - r->at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		const int digit = utf8_hex(*r->at++);

		if (digit < 0)
			return false;
		code = code << 4 | (unsigned)digit;
	}
	if (code == 0 || (code >= 0xd800 && code < 0xe000))
		return false;
	*ascii &= code < 0x80;
	put_code(&r->scratch, code);
	return true;
}

static bool
read_escape(struct reader *r, bool *ascii)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *known;

	if (r->at == r->end)
		return false;
	if (*r->at == 'u') {
		r->at++;
		return read_code(r, ascii);
	}
	known = *r->at != '\0' ? strchr(from, *r->at) : NULL;
	if (known == NULL)
		return false;
	buf_char(&r->scratch, to[known - from]);
	r->at++;
	return true;
}

/* Reads a string after its opening quote. The result points into the input or, if the string has
 * escapes, into the scratch buffer until the next one is read. */
static bool
read_text(struct reader *r, struct piece *p)
{
	const char *begin = r->at;

	p->ascii = true;
	walk_text(r, &p->ascii);
	if (r->at < r->end && *r->at == '"') {
		*p = (struct piece){ begin, (size_t)(r->at++ - begin), p->ascii };
		return true;
	}
	r->scratch.len = 0;
	while (r->at < r->end && *r->at == '\\') {
		buf_add(&r->scratch, begin, (size_t)(r->at - begin));
		r->at++;
		if (!read_escape(r, &p->ascii))
			return false;
		begin = r->at;
		walk_text(r, &p->ascii);
	}
	if (r->at == r->end || *r->at != '"')
		return false;
	buf_add(&r->scratch, begin, (size_t)(r->at++ - begin));
	p->text = r->scratch.data;
	p->len = r->scratch.len;
	return true;
}

static json_t *
read_string(struct reader *r)
{
	struct piece p;

	if (!read_text(r, &p))
		return NULL;
	return p.ascii ? json_stringn_nocheck(p.text, p.len) : json_stringn(p.text, p.len);
}

/* ---- numbers ---- */

static const char *
walk_digits(const char *p, const char *end)
{
	while (p < end && utf8_digit(*p))
		p++;
	return p;
}

static json_t *
read_real(struct reader *r, const char *begin, const char *p)
{
	char text[NUMBER_MAX + 1], *stop;
	const char *from;
	double value;

	if (p < r->end && *p == '.') {
		from = ++p;
		if ((p = walk_digits(p, r->end)) == from)
			return NULL;
	}
	if (p < r->end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < r->end && (*p == '+' || *p == '-'))
			p++;
		from = p;
		if ((p = walk_digits(p, r->end)) == from)
			return NULL;
	}
	if (p - begin > NUMBER_MAX)
		return NULL;
	memcpy(text, begin, (size_t)(p - begin));
	text[p - begin] = '\0';
	value = strtod(text, &stop);
	if (*stop != '\0' || isinf(value)) /* another decimal point or too large: left to Jansson */
		return NULL;
	r->at = p;
	return json_real(value);
}

static json_t *
read_number(struct reader *r)
{
	const char *begin = r->at, *digits = begin + (*begin == '-'),
		   *p = walk_digits(digits, r->end);
	json_int_t value = 0;

	if (p == digits || (*digits == '0' && p - digits > 1))
		return NULL;
	if (p < r->end && (*p == '.' || *p == 'e' || *p == 'E'))
		return read_real(r, begin, p);
	if (p - digits > DIGITS_MAX)
		return NULL;
	for (const char *d = digits; d < p; d++)
		value = value * 10 + (*d - '0');
	r->at = p;
	return json_integer(*begin == '-' ? -value : value);
}

/* ---- objects and arrays ---- */

/* Adds a member and takes ownership of the value. Returns false if the name exists already or is
 * not UTF-8. */
static bool
add_member(json_t *object, const struct piece *name, json_t *value)
{
	const size_t before = json_object_size(object);

	if (value == NULL)
		return false;
	if (name->ascii)
		(void)json_object_setn_new_nocheck(object, name->text, name->len, value);
	else
		(void)json_object_setn_new(object, name->text, name->len, value);
	return json_object_size(object) == before + 1;
}

/* Reads a member. A name with escapes is copied, since it lies in the scratch buffer, which the
 * value needs too. */
static bool
read_member(struct reader *r, json_t *object)
{
	char kept[256];
	struct piece name;

	if (r->at == r->end || *r->at != '"')
		return false;
	r->at++;
	if (!read_text(r, &name))
		return false;
	if (name.text == r->scratch.data) {
		if (name.len > sizeof(kept))
			return false;
		memcpy(kept, name.text, name.len);
		name.text = kept;
	}
	return take(r, ':') && add_member(object, &name, read_value(r));
}

static bool
read_members(struct reader *r, json_t *object)
{
	if (take(r, '}'))
		return true;
	do {
		if (!read_member(r, object))
			return false;
	} while (take(r, ','));
	return take(r, '}');
}

static bool
read_elements(struct reader *r, json_t *array)
{
	if (take(r, ']'))
		return true;
	do {
		json_t *value = read_value(r);

		if (value == NULL || json_array_append_new(array, value) != 0)
			return false;
	} while (take(r, ','));
	return take(r, ']');
}

static json_t *
read_nest(struct reader *r, json_t *nest, bool (*read)(struct reader *, json_t *))
{
	if (r->depth-- > 0 && read(r, nest)) {
		r->depth++;
		return nest;
	}
	json_decref(nest);
	return NULL;
}

static bool
read_word(struct reader *r, const char *word, size_t len)
{
	if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
		return false;
	r->at += len;
	return true;
}

/* Reads the value that begins here. */
static json_t *
read_value(struct reader *r)
{
	if (r->at == r->end)
		return NULL;
	switch (*r->at) {
	case '"':
		r->at++;
		return read_string(r);
	case '{':
		r->at++;
		return read_nest(r, json_object(), read_members);
	case '[':
		r->at++;
		return read_nest(r, json_array(), read_elements);
	case 't':
		return read_word(r, "true", 4) ? json_true() : NULL;
	case 'f':
		return read_word(r, "false", 5) ? json_false() : NULL;
	case 'n':
		return read_word(r, "null", 4) ? json_null() : NULL;
	default:
		return *r->at == '-' || utf8_digit(*r->at) ? read_number(r) : NULL;
	}
}

json_t *
json_read(const char *text, size_t len, int depth)
{
	struct reader r = { .at = text, .end = text + len, .depth = depth };
	json_t *value;

	skip_blanks(&r);
	value = read_value(&r);
	skip_blanks(&r);
	if (value != NULL && r.at != r.end) {
		json_decref(value);
		value = NULL;
	}
	buf_free(&r.scratch);
	return value;
}

/* ---- members, unread ---- */

/* Skips the rest of a string after its opening quote. */
static bool
skip_text(struct reader *r)
{
	const char *begin = r->at, *p = begin, *mark;

	while (p < r->end && (p = memchr(p, '"', (size_t)(r->end - p))) != NULL) {
		for (mark = p; mark > begin && mark[-1] == '\\'; mark--)
			continue;
		r->at = p + 1;
		if ((p - mark) % 2 == 0)
			return true;
		p++;
	}
	return false;
}

static bool
skip_nest(struct reader *r)
{
	size_t depth = 0;

	while (r->at < r->end) {
		const char c = *r->at++;

		if (c == '"' && !skip_text(r))
			return false;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		if (depth == 0)
			return true;
	}
	return false;
}

static bool
skip_value(struct reader *r)
{
	const char *begin = r->at;

	if (r->at < r->end && (*r->at == '"' || *r->at == '{' || *r->at == '['))
		return skip_nest(r);
	while (r->at < r->end && *r->at != ',' && *r->at != '}' && !is_blank(*r->at))
		r->at++;
	return r->at > begin;
}

static bool
split_member(struct reader *r, struct stet_json_member *m)
{
	if (r->at == r->end || *r->at++ != '"')
		return false;
	m->name = r->at;
	if (!skip_text(r))
		return false;
	m->name_len = (size_t)(r->at - m->name) - 1;
	if (memchr(m->name, '\\', m->name_len) != NULL || !take(r, ':'))
		return false;
	m->value = r->at;
	if (!skip_value(r))
		return false;
	m->value_len = (size_t)(r->at - m->value);
	return true;
}

int
stet_json_split(const char *text, size_t len, struct stet_json_member *out, int max)
{
	struct reader r = { .at = text, .end = text + len };
	int n = 0;

	if (!take(&r, '{'))
		return -1;
	if (take(&r, '}'))
		return r.at == r.end ? 0 : -1;
	do
		if (n == max || !split_member(&r, &out[n++]))
			return -1;
	while (take(&r, ','));
	return take(&r, '}') && r.at == r.end ? n : -1;
}
