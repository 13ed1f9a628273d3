/*
 * clean.c - the characters of a document on its way to the parser: decodes them, and repairs those
 * that XML forbids. faults.c follows its markup.
 */
#include "read/clean.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define HEAD_MAX 1024
#define ENCODING_MAX 40

#define FOREIGN_RUN_MAX 3 /* as many bytes in a row are no text of Windows-1252 */

#define NO_CODING ((iconv_t)-1)

void
clean_begin(struct clean *c)
{
	memset(c, 0, sizeof(*c));
	c->coding = NO_CODING;
	c->line = 1;
}

void
clean_end(struct clean *c)
{
	if (c->coding != NO_CODING)
		(void)iconv_close(c->coding);
	c->coding = NO_CODING;
}

static bool
refuse(struct clean *c, const char *why)
{
	c->why = why;
	return false;
}

/* ---- the encoding ---- */

static bool
use(struct clean *c, const char *name)
{
	c->coding = iconv_open("UTF-8", name);
	return c->coding != NO_CODING || refuse(c, "its encoding is not known here");
}

/* The value of encoding="..." in an XML declaration; false: there is none. */
static bool
declared(const char *at, size_t len, char name[ENCODING_MAX])
{
	char head[HEAD_MAX + 1], *end, *found;
	size_t n = len < HEAD_MAX ? len : HEAD_MAX;

	if (n < 6 || memcmp(at, "<?xml", 5) != 0)
		return false;
	memcpy(head, at, n);
	head[n] = '\0';
	if ((end = strstr(head, "?>")) == NULL)
		return false;
	*end = '\0';
	if ((found = strstr(head, "encoding")) == NULL)
		return false;
	found += 8 + strspn(found + 8, " \t\r\n=");
	if ((*found != '"' && *found != '\'') || found[1] == '\0')
		return false;
	n = strspn(found + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
	if (n == 0 || n >= ENCODING_MAX || found[n + 1] != *found)
		return false;
	memcpy(name, found + 1, n);
	name[n] = '\0';
	return true;
}

/* Encodings in which a declaration does not read as ASCII. A declaration that could be read and
 * names one of them is wrong. */
static bool
is_wide(const char *name)
{
	static const char *const wide[] = { "utf-16", "utf16", "ucs-2", "ucs2", "ucs-4", "ucs4",
		"utf-32", "utf32", "utf-7", "iso-10646" };

	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		if (strncasecmp(name, wide[i], strlen(wide[i])) == 0)
			return true;
	return false;
}

/* Returns the encoding (UTF-16) that the first bytes show; NULL: they read as ASCII. *skip: bytes
 * of its byte order mark. */
static const char *
betrayed(const char *at, size_t len, size_t *skip)
{
	static const struct {
		const char *bytes;
		size_t len, skip;
		const char *name;
	} beginnings[] = {
		{ "\xff\xfe", 2, 2, "UTF-16LE" },
		{ "\xfe\xff", 2, 2, "UTF-16BE" },
		{ "<\0?\0", 4, 0, "UTF-16LE" },
		{ "\0<\0?", 4, 0, "UTF-16BE" },
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (len >= beginnings[i].len &&
		    memcmp(at, beginnings[i].bytes, beginnings[i].len) == 0) {
			*skip = beginnings[i].skip;
			return beginnings[i].name;
		}
	return NULL;
}

bool
clean_head(struct clean *c, const char *at, size_t len, size_t *skip)
{
	char name[ENCODING_MAX];
	const char *found;

	*skip = 0;
	if ((found = betrayed(at, len, skip)) != NULL)
		return use(c, found);
	while (len - *skip >= 3 && memcmp(at + *skip, "\xef\xbb\xbf", 3) == 0)
		*skip += 3;
	for (; *skip < len && memchr(" \t\r\n", at[*skip], 4) != NULL; ++*skip)
		c->line += at[*skip] == '\n';
	if (!declared(at + *skip, len - *skip, name) || strcasecmp(name, "utf-8") == 0 ||
	    strcasecmp(name, "utf8") == 0)
		return true;
	if (is_wide(name))
		return refuse(c, "its encoding is not the one that it declares");
	return use(c, name);
}

/* Returns how many bytes at the end belong to an incomplete character of UTF-8. */
static size_t
incomplete(const char *at, size_t len)
{
	for (size_t back = 1; back <= 3 && back <= len; back++) {
		unsigned char b = (unsigned char)at[len - back];
		size_t whole = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc0 ? 2 : 1;

		if ((b & 0xc0) != 0x80)
			return whole > back ? back : 0;
	}
	return 0;
}

static bool
decode_utf8(struct clean *c, const char *in, size_t *len, bool last, char *out, size_t room,
    size_t *out_len)
{
	size_t n = *len < room - c->rest_len ? *len : room - c->rest_len, cut;

	memcpy(out, c->rest, c->rest_len);
	memcpy(out + c->rest_len, in, n);
	*len = n;
	n += c->rest_len;
	cut = last ? 0 : incomplete(out, n);
	memcpy(c->rest, out + n - cut, cut);
	c->rest_len = cut;
	*out_len = n - cut;
	return true;
}

/* A character whose bytes came in two pieces is completed in `rest`, byte by byte. */
static bool
decode_rest(struct clean *c, const char *in, size_t *taken, size_t len, char **out, size_t *room)
{
	while (c->rest_len > 0 && *taken < len && c->rest_len < sizeof(c->rest)) {
		char *from = c->rest;
		size_t left;

		c->rest[c->rest_len++] = in[(*taken)++];
		left = c->rest_len;
		if (iconv(c->coding, &from, &left, out, room) == (size_t)-1 && errno != EINVAL)
			return refuse(c, "it has bytes that its encoding does not have");
		memmove(c->rest, from, left);
		c->rest_len = left;
	}
	return c->rest_len < sizeof(c->rest) ||
	       refuse(c, "it has bytes that its encoding does not have");
}

bool
clean_decode(struct clean *c, const char *in, size_t *len, bool last, char *out, size_t room,
    size_t *out_len)
{
	size_t taken = 0, left, space = room;
	char *to = out, *from;

	if (c->coding == NO_CODING)
		return decode_utf8(c, in, len, last, out, room, out_len);
	if (!decode_rest(c, in, &taken, *len, &to, &space))
		return false;
	from = (char *)(uintptr_t)in + taken;
	left = *len - taken;
	if (iconv(c->coding, &from, &left, &to, &space) == (size_t)-1) {
		if (errno != E2BIG && (errno != EINVAL || left >= sizeof(c->rest)))
			return refuse(c, "it has bytes that its encoding does not have");
		if (errno == EINVAL) {
			memcpy(c->rest, from, left);
			c->rest_len = left;
			left = 0;
		}
	}
	*len -= left;
	*out_len = (size_t)(to - out);
	return !last || left > 0 || c->rest_len == 0 || refuse(c, "it is cut off");
}

/* ---- characters ---- */

/* Returns the length of a character of several bytes, or 0 if they are not UTF-8. *bad: XML does
 * not have the character (a surrogate, U+FFFE or U+FFFF). */
static size_t
wide(const unsigned char *at, size_t len, bool *bad)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
	uint32_t code = *at & (0xffu >> (n + 1));

	if (*at < 0xc2 || *at > 0xf4 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fu);
	}
	if (code < least[n] || code > 0x10ffff)
		return 0;
	*bad = (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe || code == 0xffff;
	return n;
}

#define WORD(byte) (UINT64_MAX / 255 * (byte)) /* eight times this byte */

/* Are these eight bytes from blank to ~? */
static bool
is_printed(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	/* A byte below the blank borrows its highest bit; one from 0x7f on has it after adding 1.
	 */
	return (((w - WORD(0x20)) | (w + WORD(1)) | w) & WORD(0x80)) == 0;
}

/* Returns how many bytes need no repair, and counts their lines. */
static size_t
plain(struct clean *c, const unsigned char *at, const unsigned char *end)
{
	const unsigned char *p = at;

	for (;;) {
		while (end - p >= (ptrdiff_t)sizeof(uint64_t) && is_printed(p))
			p += sizeof(uint64_t);
		/* The bytes up to the next line, mostly fewer than eight. */
		while (p < end && *p < 0x7f && *p >= ' ')
			p++;
		if (p == end || (*p != '\n' && *p != '\t'))
			return (size_t)(p - at);
		c->line += *p++ == '\n';
	}
}

/* A carriage return, alone or before a line feed, is a line feed (XML 1.0, 2.11): the parser does
 * that everywhere but in CDATA. */
static size_t
end_line(struct clean *c, const unsigned char *in, unsigned char *out, size_t *out_len)
{
	c->returned = *in == '\r';
	*out_len = c->returned;
	if (c->returned) {
		*out = '\n'; /* `out` may be `in` */
		c->line++;
	}
	return 1;
}

/* The characters of Windows-1252 from 0x80 to 0x9f; 0: there is none. */
static const uint16_t windows[32] = { 0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d,
	0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178 };

/* Texts of an old database may be Windows-1252 in a file that is UTF-8. Writes the character of
 * such a byte as UTF-8, and returns its length; 0: the bytes are of another encoding. */
static size_t
put_foreign(struct clean *c, unsigned char byte, unsigned char *out)
{
	unsigned code = byte < 0xa0 ? windows[byte - 0x80] : byte;

	if (code == 0 || c->foreign++ >= CLEAN_FOREIGN_MAX || c->foreign_run++ >= FOREIGN_RUN_MAX)
		return 0;
	c->foreign_line = c->line;
	if (code < 0x800) {
		out[0] = (unsigned char)(0xc0 | code >> 6);
		out[1] = (unsigned char)(0x80 | (code & 0x3f));
		return 2;
	}
	out[0] = (unsigned char)(0xe0 | code >> 12);
	out[1] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
	out[2] = (unsigned char)(0x80 | (code & 0x3f));
	return 3;
}

/* Repairs one character that is not plain: *out_len bytes at `out`, which may be before `in` in the
 * same buffer, replace it. Returns its length; 0: it is not UTF-8. */
static size_t
repair_one(
    struct clean *c, const unsigned char *in, size_t len, unsigned char *out, size_t *out_len)
{
	bool bad = *in < ' ';
	size_t n = *in < 0x80 ? 1 : wide(in, len, &bad);

	*out_len = n;
	if (n > 0 && *in >= ' ')
		memmove(out, bad ? (const unsigned char *)"\xef\xbf\xbd" : in, n);
	else if (*in == '\v' || *in == '\f') /* they separate words */
		*out = ' ';
	else
		*out_len = 0;
	if (bad) {
		c->repaired++;
		c->repaired_line = c->line;
	}
	return n;
}

/* Moves the rest of a text to the end of its room: so the repaired text before it may grow, since a
 * byte becomes at most CLEAN_GROWTH. */
static unsigned char *
spread(unsigned char *in, unsigned char **end, unsigned char *room_end)
{
	size_t left = (size_t)(*end - in);

	memmove(room_end - left, in, left);
	*end = room_end;
	return room_end - left;
}

bool
clean_repair(struct clean *c, char *text, size_t *len, size_t room)
{
	unsigned char *in = (unsigned char *)text, *out = in, *end = in + *len;
	unsigned char *room_end = in + room;

	while (in < end) {
		bool half = c->returned && *in == '\n';
		size_t n = half ? 0 : plain(c, in, end), written = n;

		c->returned = false;
		c->foreign_run = n > 0 ? 0 : c->foreign_run;
		if (half || (n == 0 && *in == '\r'))
			n = end_line(c, in, out, &written);
		else if (n > 0 && out != in)
			memmove(out, in, n);
		else if (n == 0)
			n = repair_one(c, in, (size_t)(end - in), out, &written);
		if (n == 0) {
			in = end != room_end ? spread(in, &end, room_end) : in;
			written = put_foreign(c, *in, out);
			n = written > 0;
		}
		if (n == 0)
			return refuse(c, "it has bytes that are no UTF-8");
		in += n;
		out += written;
	}
	*len = (size_t)(out - (unsigned char *)text);
	return true;
}
