/*
 * json.c - the streaming JSON writer and the parser's limits.
 *
 * The writer appends to a buffer while the handler runs, so that no tree is built. Strings are its
 * hot path: it copies eight bytes at a time and tests them for characters that need an escape. For
 * that, buffers have SLACK bytes behind their end that may be read and written.
 */
#include "call/json.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "call/call.h"
#include "call/jsonread.h"
#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_TIMES 3 /* a parsed value takes about this many times its text */
#define DEPTH_MAX 100
#define STORED_DEPTH_MAX 200 /* deeper values are left to Jansson */

/* Bytes that cannot be copied unchanged: quotes, backslash, control bytes, and the bytes of
 * non-ASCII characters, which are checked as UTF-8. */
static const unsigned char special[256] = {
	[0 ... 31] = 1,
	['"'] = 1,
	['\\'] = 1,
	[128 ... 255] = 1,
};

#define EACH(byte) (~0ULL / 255 * (byte))

/* Sets the top bit of each of eight bytes that is special. A borrow can also mark bytes above a
 * special one, so only the lowest mark counts. */
static inline uint64_t
specials(uint64_t x)
{
	uint64_t quote = x ^ EACH('"'), slash = x ^ EACH('\\');

	return ((x - EACH(0x20)) | (quote - EACH(1)) | (slash - EACH(1)) | x) & EACH(0x80);
}

struct stet_json *
stet_reply(struct stet_call *call)
{
	return &call->out;
}

static void
release(void *j)
{
	json_free(j);
}

struct stet_json *
stet_json_new(struct stet_call *call)
{
	struct stet_json *j = stet_alloc(call, sizeof(*j));

	stet_defer(call, release, j);
	j->older = call->held.texts;
	call->held.texts = j;
	return j;
}

const char *
stet_json_text(struct stet_json *j, size_t *len)
{
	if (len != NULL)
		*len = j->buf.len;
	return j->buf.len > 0 ? j->buf.data : "";
}

void
json_free(struct stet_json *j)
{
	buf_free(&j->buf);
}

/* Writes the special byte or UTF-8 sequence at *s, as up to 6 bytes, moves *s past it and returns
 * the new end of the output. */
static char *
escape(char *out, const unsigned char **s, const unsigned char *end)
{
	static const char hex[] = "0123456789abcdef";
	static const char names[] = "btnvfr";
	unsigned char c = **s;
	size_t len;

	if (c >= 0x80) {
		if ((len = utf8_sequence(*s, (size_t)(end - *s))) == 0) {
			*s += 1;
			return mempcpy(out, "\xef\xbf\xbd", 3);
		}
		out = mempcpy(out, *s, len);
		*s += len;
		return out;
	}
	*s += 1;
	*out++ = '\\';
	if (c == '"' || c == '\\')
		*out++ = (char)c;
	else if (c >= '\b' && c <= '\r' && c != '\v')
		*out++ = names[c - '\b'];
	else
		out = mempcpy(out, (char[]){ 'u', '0', '0', hex[c >> 4], hex[c & 15] }, 5);
	return out;
}

#define SLACK 16 /* bytes behind a text that may be read and overwritten */
#define BLANKS "        "

/* Returns how many bytes at p can stay unchanged. The caller has written eight blanks behind them,
 * which the last step of eight bytes may read. */
static inline size_t
plain(const char *p, size_t len)
{
	uint64_t eight, hit;

	for (size_t i = 0; i < len; i += 8) {
		memcpy(&eight, p + i, 8);
		if ((hit = specials(le64toh(eight))) != 0)
			return i + (size_t)__builtin_ctzll(hit) / 8;
	}
	return len;
}

/* Writes the rest of a text after its first special byte. Copies eight bytes at a time and keeps
 * those before the next special one. */
static void
quote_rest(struct buf *b, const unsigned char *s, const unsigned char *end)
{
	while (s < end) {
		char *out = buf_room(b, (size_t)(end - s) + 2 * SLACK);
		const char *full = b->data + b->cap - SLACK;

		while (s < end && out < full) {
			uint64_t eight, hit = 0;
			size_t good = 0;

			if (end - s >= 8) {
				memcpy(&eight, s, 8);
				memcpy(out, &eight, 8);
				hit = specials(le64toh(eight));
				good = hit != 0 ? (size_t)__builtin_ctzll(hit) / 8 : 8;
			} else if (special[*s])
				hit = 1;
			else
				out[good++] = (char)*s;
			s += good;
			out += good;
			if (hit != 0)
				out = escape(out, &s, end);
		}
		buf_wrote(b, out);
	}
}

/* Writes the text in quotes to `out`, which has room for it and SLACK. The text is copied first
 * and tested in the copy, where reading eight bytes past its end is allowed. Returns the end,
 * with room for SLACK more bytes. */
static inline char *
quoted(struct buf *b, char *out, const char *text, size_t len)
{
	size_t good;

	*out++ = '"';
	memcpy(out, text, len);
	memcpy(out + len, BLANKS, 8);
	good = plain(out, len);
	out += good;
	if (__builtin_expect(good < len, 0)) {
		buf_wrote(b, out);
		quote_rest(
		    b, (const unsigned char *)text + good, (const unsigned char *)text + len);
		out = buf_room(b, SLACK);
	}
	*out++ = '"';
	return out;
}

static void
quote(struct buf *b, const char *text, size_t len)
{
	buf_wrote(b, quoted(b, buf_room(b, len + 2 + SLACK), text, len));
}

/* Writes a member's name, with a comma before it if it is not the first. */
static void
name(struct buf *b, bool comma, const char *key)
{
	size_t len = strlen(key);
	char *out = buf_room(b, len + 4 + SLACK);

	if (comma)
		*out++ = ',';
	out = quoted(b, out, key, len);
	*out++ = ':';
	buf_wrote(b, out);
}

/* Writes what precedes a value: a comma, and in an object the key. */
static void
before(struct stet_json *j, const char *key)
{
	bool in_object = j->depth > 0 && j->close[j->depth - 1] == '}';

	stet_assert(in_object == (key != NULL));
	stet_assert(j->depth > 0 || j->buf.len == 0);
	if (key != NULL)
		name(&j->buf, j->comma, key);
	else if (j->comma)
		buf_char(&j->buf, ',');
	j->comma = true;
}

static void
nest(struct stet_json *j, const char *key, char open, char close)
{
	before(j, key);
	stet_assert(j->depth < (int)sizeof(j->close));
	buf_char(&j->buf, open);
	j->close[j->depth++] = close;
	j->comma = false;
}

void
stet_object(struct stet_json *j, const char *key)
{
	nest(j, key, '{', '}');
}

void
stet_array(struct stet_json *j, const char *key)
{
	nest(j, key, '[', ']');
}

void
stet_close(struct stet_json *j)
{
	stet_assert(j->depth > 0);
	buf_char(&j->buf, j->close[--j->depth]);
	j->comma = true;
}

void
stet_put_raw(struct stet_json *j, const char *key, const char *json, size_t len)
{
	before(j, key);
	buf_wrote(&j->buf, mempcpy(buf_room(&j->buf, len), json, len));
}

void
stet_put_null(struct stet_json *j, const char *key)
{
	stet_put_raw(j, key, "null", 4);
}

void
stet_put_strn(struct stet_json *j, const char *key, const char *value, size_t len)
{
	before(j, key);
	quote(&j->buf, value, len);
}

void
stet_put_str(struct stet_json *j, const char *key, const char *value)
{
	if (value == NULL)
		stet_put_null(j, key);
	else
		stet_put_strn(j, key, value, strlen(value));
}

void
stet_put_int(struct stet_json *j, const char *key, int64_t value)
{
	char text[24], *end = text + sizeof(text), *p = end;
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do
		*--p = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--p = '-';
	stet_put_raw(j, key, p, (size_t)(end - p));
}

void
json_shortest(double value, char *out)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, 32, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			return;
	}
}

void
stet_put_real(struct stet_json *j, const char *key, double value)
{
	char text[32];

	if (!isfinite(value)) {
		stet_put_null(j, key);
		return;
	}
	json_shortest(value, text);
	stet_put_raw(j, key, text, strlen(text));
}

void
stet_put_bool(struct stet_json *j, const char *key, bool value)
{
	stet_put_raw(j, key, value ? "true" : "false", value ? 4 : 5);
}

void
stet_put_time(struct stet_json *j, const char *key, int64_t ms)
{
	char text[CLOCK_TEXT_SIZE];

	clock_text(ms, text);
	stet_put_str(j, key, text);
}

/* depth: indentation of pretty-printed text; -1: all in one line. */
static void dump(struct buf *, const json_t *, int depth);

static void
new_line(struct buf *b, int depth)
{
	if (depth >= 0)
		buf_printf(b, "\n%*s", 2 * depth, "");
}

static int
deeper(int depth)
{
	return depth < 0 ? depth : depth + 1;
}

static void
dump_object(struct buf *b, const json_t *object, int depth)
{
	const char *key;
	json_t *value, *mutable = (json_t *)(uintptr_t)object;
	bool comma = false;

	buf_char(b, '{');
	json_object_foreach(mutable, key, value)
	{
		if (comma)
			buf_char(b, ',');
		comma = true;
		new_line(b, deeper(depth));
		name(b, false, key);
		if (depth >= 0)
			buf_char(b, ' ');
		dump(b, value, deeper(depth));
	}
	if (comma)
		new_line(b, depth);
	buf_char(b, '}');
}

static void
dump_array(struct buf *b, const json_t *array, int depth)
{
	size_t count = json_array_size(array);

	buf_char(b, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_char(b, ',');
		new_line(b, deeper(depth));
		dump(b, json_array_get(array, i), deeper(depth));
	}
	if (count > 0)
		new_line(b, depth);
	buf_char(b, ']');
}

/* Writes a real with ".0" or an exponent, so that 1.0 is read back as a real and not as an
 * integer. */
static void
dump_real(struct buf *b, double value)
{
	char text[32];

	json_shortest(value, text);
	buf_str(b, text);
	if (strpbrk(text, ".en") == NULL)
		buf_str(b, ".0");
}

static void
dump(struct buf *b, const json_t *value, int depth)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		dump_object(b, value, depth);
		return;
	case JSON_ARRAY:
		dump_array(b, value, depth);
		return;
	case JSON_STRING:
		quote(b, json_string_value(value), json_string_length(value));
		return;
	case JSON_INTEGER:
		buf_printf(b, "%lld", (long long)json_integer_value(value));
		return;
	case JSON_REAL:
		dump_real(b, json_real_value(value));
		return;
	case JSON_TRUE:
		buf_add(b, "true", 4);
		return;
	case JSON_FALSE:
		buf_add(b, "false", 5);
		return;
	case JSON_NULL:
		buf_add(b, "null", 4);
		return;
	}
}

void
stet_put_json(struct stet_json *j, const char *key, const json_t *value)
{
	before(j, key);
	if (value == NULL)
		buf_add(&j->buf, "null", 4);
	else
		dump(&j->buf, value, -1);
}

char *
json_text(const json_t *value)
{
	struct buf b = { 0 };

	dump(&b, value, -1);
	return b.data;
}

char *
stet_json_lines(const json_t *value)
{
	struct buf b = { 0 };

	dump(&b, value, 0);
	buf_char(&b, '\n');
	return b.data;
}

/* Returns true if the nesting exceeds the limit. Tested before parsing, since Jansson recurses. */
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

/* Returns the reason of a parse error in words. */
static const char *
reason(const json_error_t *error)
{
	switch (json_error_code(error)) {
	case json_error_duplicate_key:
		return "an object names a member twice";
	case json_error_numeric_overflow:
		return "a number is out of range";
	case json_error_null_character:
		return "a text holds U+0000";
	case json_error_null_byte_in_key:
		return "the name of a member holds U+0000";
	case json_error_invalid_utf8:
		return "the text is not UTF-8";
	default:
		return "the text is not JSON";
	}
}

static json_t *
parse(const char *text, size_t len, size_t flags, const char **why, size_t *position)
{
	/* Jansson treats a NUL byte after a number as its end and skips it, so NUL bytes are
	 * refused here. */
	const char *nul = memchr(text, '\0', len);
	json_error_t error;
	json_t *value = json_read(text, len, DEPTH_MAX);

	if (value != NULL)
		return value;
	*position = nul != NULL ? (size_t)(nul - text) : 0;
	*why = "it holds a NUL byte";
	if (nul != NULL)
		return NULL;
	*why = "nested deeper than 100 levels";
	if (too_deep(text, len))
		return NULL;
	value = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | flags, &error);
	if (value != NULL)
		return value;
	*position = (size_t)(error.position > 0 ? error.position : 0);
	*why = reason(&error);
	return NULL;
}

size_t
json_weight(const char *text, size_t len)
{
	/* Jansson's structures, and what malloc adds to each. */
	static const unsigned short of[256] = { ['{'] = 320, ['['] = 144, [','] = 64, [':'] = 80 };
	size_t weight = 0;

	for (size_t i = 0; i < len; i++)
		weight += of[(unsigned char)text[i]] + (text[i] != ' ');
	return weight;
}

json_t *
json_parse(const char *text, size_t len, const char **why, size_t *position)
{
	return parse(text, len, 0, why, position);
}

json_t *
stet_json_parse(struct stet_call *call, const char *text, size_t len, const char **why)
{
	size_t position;

	return stet_json_own(call, json_parse(text, len, why, &position));
}

json_t *
json_parse_nul(const char *text, size_t len, const char **why, size_t *position)
{
	return parse(text, len, JSON_ALLOW_NUL, why, position);
}

json_t *
stet_json_parse_nul(struct stet_call *call, const char *text, size_t len, const char **why)
{
	size_t position;

	return stet_json_own(call, json_parse_nul(text, len, why, &position));
}

json_t *
stet_json_stored(struct stet_call *call, const char *text, size_t len)
{
	json_t *value = json_read(text, len, STORED_DEPTH_MAX);

	call->held.trees += TREE_TIMES * len;
	return stet_json_own(
	    call, value != NULL ? value : json_loadb(text, len, JSON_DECODE_ANY, NULL));
}
