/*
 * jsonread.c - JSON text into Jansson's values. What is sound and of common sizes is read here, in
 * one pass, for a tenth of what Jansson's parser takes; all else is left to that, which also says
 * what is wrong.
 */
#include "call.h"
#include "jsontext.h"
#include "text.h"
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 100
#define DIGITS_MAX 18 /* of integers: fewer than 64 bits hold */
#define REAL_MAX 40 /* characters */

struct reader {
	const char *at, *end;
	struct buf text; /* of a string with escapes */
};

static json_t *read_value(struct reader *, int depth);

static bool
is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

static void
skip_blanks(struct reader *r)
{
	while (
	    r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
		r->at++;
}

static bool
take(struct reader *r, char c)
{
	skip_blanks(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* ---- strings ---- */

/* To the first quote, backslash, control byte, or byte that is no UTF-8. */
static void
skip_plain(struct reader *r)
{
	while (r->at < r->end) {
		const unsigned char *p = (const unsigned char *)r->at;
		uint64_t eight, hit;
		size_t len = 1;

		if (r->end - r->at >= 8) {
			memcpy(&eight, p, 8);
			hit = json_specials(le64toh(eight));
			r->at += hit != 0 ? __builtin_ctzll(hit) / 8 : 8;
			if (hit == 0)
				continue;
			p = (const unsigned char *)r->at;
		}
		if (*p >= 0x80)
			len = text_sequence(p, (size_t)(r->end - r->at));
		if (len == 0 || *p < 0x20 || *p == '"' || *p == '\\')
			return;
		r->at += len;
	}
}

/* Four hexadecimal digits; -1: they are not. */
static int
unit(struct reader *r)
{
	int code = 0;

	if (r->end - r->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = text_hex(*r->at++);

		if (digit < 0)
			return -1;
		code = code << 4 | digit;
	}
	return code;
}

/* What follows "\u", as UTF-8. No NUL, and no half of a pair. */
static bool
read_code(struct reader *r)
{
	int code = unit(r), low;

	if (code >= 0xd800 && code < 0xdc00) {
		if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u')
			return false;
		r->at += 2;
		low = unit(r);
		if (low < 0xdc00 || low > 0xdfff)
			return false;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code <= 0 || (code >= 0xdc00 && code <= 0xdfff)) {
		return false;
	}
	if (code < 0x80) {
		buf_char(&r->text, (char)code);
		return true;
	}
	if (code < 0x800) {
		buf_char(&r->text, (char)(0xc0 | code >> 6));
	} else {
		if (code < 0x10000) {
			buf_char(&r->text, (char)(0xe0 | code >> 12));
		} else {
			buf_char(&r->text, (char)(0xf0 | code >> 18));
			buf_char(&r->text, (char)(0x80 | (code >> 12 & 63)));
		}
		buf_char(&r->text, (char)(0x80 | (code >> 6 & 63)));
	}
	buf_char(&r->text, (char)(0x80 | (code & 63)));
	return true;
}

/* What follows a backslash. */
static bool
read_escape(struct reader *r)
{
	static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	const char *name;

	if (r->at == r->end)
		return false;
	if (*r->at == 'u') {
		r->at++;
		return read_code(r);
	}
	name = memchr(names, *r->at++, sizeof(names) - 1);
	if (name != NULL)
		buf_char(&r->text, means[name - names]);
	return name != NULL;
}

/* What follows a quote, up to the next; good until the next string. r->text is empty when it lies
 * in the text as it is. */
static const char *
read_string(struct reader *r, size_t *len)
{
	const char *from = r->at;

	r->text.len = 0;
	for (skip_plain(r); r->at < r->end && *r->at == '\\'; skip_plain(r)) {
		buf_add(&r->text, from, (size_t)(r->at++ - from));
		if (!read_escape(r))
			return NULL;
		from = r->at;
	}
	if (r->at == r->end || *r->at != '"')
		return NULL;
	*len = (size_t)(r->at++ - from);
	if (r->text.len == 0)
		return from;
	buf_add(&r->text, from, *len);
	*len = r->text.len;
	return r->text.data;
}

/* ---- numbers ---- */

static const char *
skip_digits(const char *p, const char *end)
{
	while (is_digit(p, end))
		p++;
	return p;
}

static json_t *
read_real(struct reader *r, const char *begin, const char *p)
{
	char text[REAL_MAX + 1] = { 0 };
	double value;

	if (*p == '.') {
		if (!is_digit(++p, r->end))
			return NULL;
		p = skip_digits(p, r->end);
	}
	if (p < r->end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < r->end && (*p == '+' || *p == '-'))
			p++;
		if (!is_digit(p, r->end))
			return NULL;
		p = skip_digits(p, r->end);
	}
	if (p - begin > REAL_MAX)
		return NULL;
	memcpy(text, begin, (size_t)(p - begin));
	r->at = p;
	value = strtod(text, NULL);
	return isfinite(value) ? json_real(value) : NULL;
}

static json_t *
read_number(struct reader *r)
{
	const char *begin = r->at, *digits = begin + (*begin == '-'), *p;
	int64_t value = 0;

	p = skip_digits(digits, r->end);
	if (p == digits || (*digits == '0' && p - digits > 1))
		return NULL;
	if (p < r->end && (*p == '.' || *p == 'e' || *p == 'E'))
		return read_real(r, begin, p);
	if (p - digits > DIGITS_MAX)
		return NULL;
	for (r->at = digits; r->at < p; r->at++)
		value = value * 10 + (*r->at - '0');
	return json_integer(*begin == '-' ? -value : value);
}

/* ---- values ---- */

static bool
take_word(struct reader *r, const char *word, size_t len)
{
	if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
		return false;
	r->at += len;
	return true;
}

static json_t *
read_word(struct reader *r)
{
	if (take_word(r, "true", 4))
		return json_true();
	if (take_word(r, "false", 5))
		return json_false();
	return take_word(r, "null", 4) ? json_null() : NULL;
}

static bool
read_items(struct reader *r, json_t *array, int depth)
{
	if (take(r, ']'))
		return true;
	do {
		json_t *item = read_value(r, depth);

		if (item == NULL || json_array_append_new(array, item) != 0)
			return false;
	} while (take(r, ','));
	return take(r, ']');
}

/* A name with escapes is not common. */
static bool
read_members(struct reader *r, json_t *object, int depth)
{
	size_t count = 0, len;

	if (take(r, '}'))
		return true;
	do {
		const char *name = take(r, '"') ? read_string(r, &len) : NULL;
		json_t *value;

		if (name == NULL || r->text.len > 0 || !take(r, ':'))
			return false;
		value = read_value(r, depth);
		if (value == NULL || json_object_setn_new_nocheck(object, name, len, value) != 0)
			return false;
		count++;
	} while (take(r, ','));
	return json_object_size(object) == count && take(r, '}'); /* none twice */
}

static json_t *
read_container(struct reader *r, int depth)
{
	bool is_object = *r->at++ == '{', good = false;
	json_t *all;

	if (depth == DEPTH_MAX)
		return NULL;
	all = is_object ? json_object() : json_array();
	if (all != NULL)
		good = is_object ? read_members(r, all, depth + 1) : read_items(r, all, depth + 1);
	if (good)
		return all;
	json_decref(all);
	return NULL;
}

/* NULL: it is not for us. */
static json_t *
read_value(struct reader *r, int depth)
{
	const char *text;
	size_t len;

	skip_blanks(r);
	if (r->at == r->end)
		return NULL;
	switch (*r->at) {
	case '{':
	case '[':
		return read_container(r, depth);
	case '"':
		r->at++;
		text = read_string(r, &len);
		return text != NULL ? json_stringn_nocheck(text, len) : NULL;
	case 't':
	case 'f':
	case 'n':
		return read_word(r);
	default:
		return read_number(r);
	}
}

static json_t *
read_all(const char *text, size_t len)
{
	struct reader r = { .at = text, .end = text + len };
	json_t *value = read_value(&r, 0);

	skip_blanks(&r);
	if (value != NULL && r.at < r.end) {
		json_decref(value);
		value = NULL;
	}
	buf_free(&r.text);
	return value;
}

/* ---- the rest ---- */

/* Nesting deeper than the limit, judged before the parser recurses. */
static bool
too_deep(const char *text, size_t len)
{
	int depth = 0;
	bool string = false;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				string = false;
		} else if (c == '"')
			string = true;
		else if (c == '{' || c == '[')
			depth++;
		else if (c == '}' || c == ']')
			depth--;
		if (depth > DEPTH_MAX)
			return true;
	}
	return false;
}

json_t *
json_parse(const char *text, size_t len, const char **why, size_t *position)
{
	json_error_t error;
	json_t *value;

	*position = 0;
	if ((value = read_all(text, len)) != NULL)
		return value;
	if (too_deep(text, len)) {
		*why = "nested deeper than 100 levels";
		return NULL;
	}
	value = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (value != NULL)
		return value;
	*position = (size_t)(error.position > 0 ? error.position : 0);
	*why = json_error_code(&error) == json_error_duplicate_key
		   ? "an object names a member twice"
	       : json_error_code(&error) == json_error_numeric_overflow ? "a number is out of range"
	       : json_error_code(&error) == json_error_null_character
		   ? "a string holds a NUL character"
	       : json_error_code(&error) == json_error_invalid_utf8 ? "the text is not UTF-8"
								    : "the text is not JSON";
	return NULL;
}

json_t *
stet_json_parse(struct stet_call *call, const char *text, size_t len, const char **why)
{
	size_t position;

	return stet_json_own(call, json_parse(text, len, why, &position));
}
