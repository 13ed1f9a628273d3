/*
 * fold.c - texts as searches compare them.
 *
 * A character is decomposed (NFKD of Unicode, with its case folded), its marks are dropped, and
 * letters that do not decompose are mapped by a table. What a character becomes is looked up in
 * pages of 256 characters, each made when a text first has one of them.
 *
 * Three kinds of marks stay. A vowel sign (combining class 0: Indic scripts, Thai) is a letter of
 * its word. The voiced sound marks of Japanese make other letters (ha, ba, pa), as the parts of a
 * Korean syllable do: both are kept as composed characters.
 */
#include "base/fold.h"
#include "base/arena.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>
#include <utf8proc.h>

#define PAGE 256
#define PAGES (0x110000 / PAGE)
/* An entry of a page is the one character that another becomes, or one of these. */
#define DROPPED 0x80000000u
#define SEVERAL 0x40000000u
#define EACH UINT64_C(0x0101010101010101)

/* ---- one character ---- */

struct mapping {
	int32_t from;
	const char *to; /* ASCII, or one character */
};

/* Before and after the decomposition, which would make other characters of some. Sorted. */
static const struct mapping signs[] = { { 0xb4, "'" }, { 0x2b9, "'" }, { 0x2bb, "'" },
	{ 0x2bc, "'" }, { 0x2bd, "'" }, { 0x2be, "'" }, { 0x2bf, "'" }, { 0x2c8, "'" },
	{ 0x55a, "'" }, { 0x5f3, "'" }, { 0x5f4, "\"" }, { 0x640, "" }, { 0x2010, "-" },
	{ 0x2011, "-" }, { 0x2012, "-" }, { 0x2013, "-" }, { 0x2014, "-" }, { 0x2015, "-" },
	{ 0x2018, "'" }, { 0x2019, "'" }, { 0x201b, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" },
	{ 0x201e, "\"" }, { 0x201f, "\"" }, { 0x2032, "'" }, { 0x2035, "'" }, { 0x2120, " " },
	{ 0x2122, " " }, { 0x2212, "-" }, { 0xa78c, "'" } };

/* After the decomposition: letters in lower case that have a stroke, a hook or a descender, or
 * are made of two, and forms of the same Arabic letter. Sorted. */
static const struct mapping letters[] = { { 0xe6, "ae" }, { 0xf0, "d" }, { 0xf8, "o" },
	{ 0xfe, "th" }, { 0x111, "d" }, { 0x127, "h" }, { 0x131, "i" }, { 0x138, "k" },
	{ 0x142, "l" }, { 0x14b, "n" }, { 0x153, "oe" }, { 0x167, "t" }, { 0x180, "b" },
	{ 0x188, "c" }, { 0x18c, "d" }, { 0x192, "f" }, { 0x199, "k" }, { 0x19a, "l" },
	{ 0x19e, "n" }, { 0x1a5, "p" }, { 0x1ad, "t" }, { 0x1b4, "y" }, { 0x1b6, "z" },
	{ 0x1e5, "g" }, { 0x225, "z" }, { 0x237, "j" }, { 0x23c, "c" }, { 0x23f, "s" },
	{ 0x240, "z" }, { 0x247, "e" }, { 0x249, "j" }, { 0x24b, "q" }, { 0x24d, "r" },
	{ 0x24f, "y" }, { 0x253, "b" }, { 0x254, "o" }, { 0x256, "d" }, { 0x257, "d" },
	{ 0x259, "e" }, { 0x25b, "e" }, { 0x260, "g" }, { 0x268, "i" }, { 0x26b, "l" },
	{ 0x272, "n" }, { 0x275, "o" }, { 0x27d, "r" }, { 0x289, "u" }, { 0x28b, "v" },
	{ 0x491, "\u0433" }, { 0x493, "\u0433" }, { 0x497, "\u0436" }, { 0x49b, "\u043a" },
	{ 0x49d, "\u043a" }, { 0x4a3, "\u043d" }, { 0x4af, "\u0443" }, { 0x4b1, "\u0443" },
	{ 0x4b3, "\u0445" }, { 0x4b7, "\u0447" }, { 0x4e9, "\u043e" }, { 0x629, "\u0647" },
	{ 0x649, "\u064a" }, { 0x660, "0" }, { 0x661, "1" }, { 0x662, "2" }, { 0x663, "3" },
	{ 0x664, "4" }, { 0x665, "5" }, { 0x666, "6" }, { 0x667, "7" }, { 0x668, "8" },
	{ 0x669, "9" }, { 0x671, "\u0627" }, { 0x6a9, "\u0643" }, { 0x6be, "\u0647" },
	{ 0x6c1, "\u0647" }, { 0x6cc, "\u064a" }, { 0x6d5, "\u0647" }, { 0x6f0, "0" },
	{ 0x6f1, "1" }, { 0x6f2, "2" }, { 0x6f3, "3" }, { 0x6f4, "4" }, { 0x6f5, "5" },
	{ 0x6f6, "6" }, { 0x6f7, "7" }, { 0x6f8, "8" }, { 0x6f9, "9" } };

static int
by_character(const void *key, const void *element)
{
	const int32_t c = *(const int32_t *)key, d = ((const struct mapping *)element)->from;

	return (c > d) - (c < d);
}

/* Appends what the table says. Returns false if the character is not in it. */
static bool
map(const struct mapping *table, size_t count, int32_t c, int32_t *out, size_t *n)
{
	const struct mapping *m = bsearch(&c, table, count, sizeof(*table), by_character);
	const char *p = m != NULL ? m->to : "";
	utf8proc_ssize_t len;

	for (; *p != '\0'; p += len)
		len = utf8proc_iterate((const utf8proc_uint8_t *)p, -1, &out[(*n)++]);
	return m != NULL;
}

static bool
is_kana(int32_t c)
{
	return c >= 0x3041 && c <= 0x30ff;
}

static bool
is_voiced_mark(int32_t c)
{
	return c == 0x3099 || c == 0x309a;
}

static bool
is_syllable(int32_t c)
{
	return c >= 0xac00 && c <= 0xd7a3;
}

static bool
is_dropped(int32_t c)
{
	const utf8proc_property_t *p = utf8proc_get_property(c);

	switch (p->category) {
	case UTF8PROC_CATEGORY_ME:
		return true;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
		return p->combining_class != 0 && !is_voiced_mark(c);
	default:
		return false;
	}
}

/* Appends a character in lower case, as the table maps it. */
static void
add(int32_t c, int32_t out[STET_FOLD_MAX], size_t *n)
{
	utf8proc_int32_t lower[4];
	const utf8proc_ssize_t count =
	    utf8proc_decompose_char(c, lower, 4, UTF8PROC_CASEFOLD, NULL);

	for (utf8proc_ssize_t i = 0; i < count && i < 4 && *n + 2 <= STET_FOLD_MAX; i++)
		if (!map(letters, sizeof(letters) / sizeof(letters[0]), lower[i], out, n))
			out[(*n)++] = lower[i];
}

static size_t
fold_one(int32_t c, int32_t out[STET_FOLD_MAX])
{
	utf8proc_int32_t part[STET_FOLD_MAX];
	utf8proc_ssize_t parts;
	size_t n = 0;

	if (is_kana(c) || is_syllable(c)) {
		out[0] = c;
		return 1;
	}
	if (map(signs, sizeof(signs) / sizeof(signs[0]), c, out, &n))
		return n;
	parts = utf8proc_decompose_char(
	    c, part, STET_FOLD_MAX, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE, NULL);
	for (utf8proc_ssize_t i = 0; i < parts && i < STET_FOLD_MAX; i++)
		if (!is_dropped(part[i]) &&
		    !map(signs, sizeof(signs) / sizeof(signs[0]), part[i], out, &n))
			add(part[i], out, &n);
	return n;
}

static uint32_t *
new_page(_Atomic(uint32_t *) *at, int32_t first)
{
	uint32_t *page = xmalloc(PAGE * sizeof(*page)), *other = NULL;
	int32_t out[STET_FOLD_MAX];

	for (int32_t i = 0; i < PAGE; i++) {
		size_t n = fold_one(first + i, out);

		page[i] = n == 1 ? (uint32_t)out[0] : n == 0 ? DROPPED : SEVERAL;
	}
	if (atomic_compare_exchange_strong(at, &other, page))
		return page;
	free(page); /* another thread was first */
	return other;
}

static uint32_t
look_up(int32_t c)
{
	static _Atomic(uint32_t *) pages[PAGES];
	uint32_t *page;

	if (c < 0 || c >= 0x110000)
		return (uint32_t)' ';
	page = atomic_load_explicit(&pages[c / PAGE], memory_order_acquire);
	if (page == NULL)
		page = new_page(&pages[c / PAGE], c - c % PAGE);
	return page[c % PAGE];
}

size_t
stet_fold_char(int32_t c, int32_t out[STET_FOLD_MAX])
{
	const uint32_t one = look_up(c);

	if (one == DROPPED)
		return 0;
	if (one == SEVERAL)
		return fold_one(c, out);
	out[0] = (int32_t)one;
	return 1;
}

/* ---- texts ---- */

/* A part of a Korean syllable with the next; 0 if they do not compose. */
static int32_t
composed_syllable(int32_t a, int32_t b)
{
	if (a >= 0x1100 && a <= 0x1112 && b >= 0x1161 && b <= 0x1175)
		return 0xac00 + ((a - 0x1100) * 21 + b - 0x1161) * 28;
	if (is_syllable(a) && (a - 0xac00) % 28 == 0 && b > 0x11a7 && b <= 0x11c2)
		return a + b - 0x11a7;
	return 0;
}

/* Returns the kana composed with its mark; 0 if there is no such character. The code point of the
 * composed u does not follow that of u. */
static int32_t
composed_kana(int32_t a, int32_t mark)
{
	utf8proc_int32_t part[4];

	for (int32_t c = a + 1; c <= a + 2; c++)
		if (utf8proc_decompose_char(c, part, 4, UTF8PROC_DECOMPOSE, NULL) == 2 &&
		    part[0] == a && part[1] == mark)
			return c;
	if (mark != 0x3099)
		return 0;
	return a == 0x3046 ? 0x3094 : a == 0x30a6 ? 0x30f4 : 0;
}

static int32_t
composed(int32_t a, int32_t b)
{
	return is_kana(a) && is_voiced_mark(b) ? composed_kana(a, b) : composed_syllable(a, b);
}

static void
grow(struct fold *f, size_t more)
{
	if (f->len + more <= f->room)
		return;
	f->room = 2 * (f->len + more);
	f->text = xrealloc(f->text, f->room);
}

/* Appends a character of the folded text. `last` is the one before. */
static void
put(struct fold *f, int32_t c, int32_t *last)
{
	const int32_t both = *last >= 0x1100 ? composed(*last, c) : 0;

	if (both != 0)
		f->len -= 3; /* the bytes of the character whose place it takes */
	else if (is_voiced_mark(c))
		return;
	c = both != 0 ? both : c;
	f->len += (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)f->text + f->len);
	*last = c;
}

static void
keep_piece(struct fold *f, struct fold_piece piece)
{
	if (f->pieces == f->piece_room) {
		f->piece_room = 2 * f->piece_room + 32;
		f->piece = xrealloc(f->piece, f->piece_room * sizeof(*f->piece));
	}
	f->piece[f->pieces++] = piece;
}

/* Folds the character at p, which is not ASCII. Returns its length. */
static size_t
take(struct fold *f, const char *text, size_t at, size_t len, int32_t *last, bool mapped)
{
	int32_t out[STET_FOLD_MAX], c;
	const size_t before = f->len;
	const utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
	    (utf8proc_ssize_t)(len - at > 4 ? 4 : len - at), &c);
	size_t count;

	if (n <= 0) {
		f->text[f->len++] = ' ';
		*last = ' ';
		return 1;
	}
	count = stet_fold_char(c, out);
	for (size_t i = 0; i < count; i++)
		put(f, out[i], last);
	if (mapped && (count != 1 || f->len - before != (size_t)n))
		keep_piece(f, (struct fold_piece){ before, f->len - before, at, (size_t)n });
	return (size_t)n;
}

/* Eight bytes at once: each is below 0x80, so none carries into the next. */
static uint64_t
lower_eight(uint64_t eight)
{
	const uint64_t from_a = eight + EACH * (0x80 - 'A'), behind_z = eight + EACH * (0x7f - 'Z');

	return eight | ((from_a & ~behind_z & EACH * 0x80) >> 2);
}

/* Writes the ASCII characters that the text begins with, in lower case. Returns how many. */
static size_t
lower_ascii(const char *text, size_t len, char *out)
{
	uint64_t eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= len; i += sizeof(eight)) {
		memcpy(&eight, text + i, sizeof(eight));
		if ((eight & EACH * 0x80) != 0)
			break;
		eight = lower_eight(eight);
		memcpy(out + i, &eight, sizeof(eight));
	}
	for (; i < len && (unsigned char)text[i] < 0x80; i++)
		out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 'a' - 'A' : text[i]);
	return i;
}

static void
fold(struct fold *f, const char *text, size_t len, bool mapped)
{
	int32_t last = 0;
	size_t at = 0;

	f->len = f->pieces = 0;
	grow(f, len + 1);
	while (at < len) {
		size_t n;

		grow(f, 4 * STET_FOLD_MAX + (len - at));
		n = lower_ascii(text + at, len - at, f->text + f->len);
		f->len += n;
		at += n;
		last = n > 0 ? ' ' : last; /* composes with nothing */
		if (at < len)
			at += take(f, text, at, len, &last, mapped);
	}
}

void
fold_text(struct fold *f, const char *text, size_t len)
{
	fold(f, text, len, false);
}

void
fold_mapped(struct fold *f, const char *text, size_t len)
{
	fold(f, text, len, true);
}

/* The number of pieces that begin at `at` or before. */
static size_t
pieces_to(const struct fold *f, size_t at)
{
	size_t low = 0, high = f->pieces;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->piece[middle].folded <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
fold_range(const struct fold *f, size_t *begin, size_t *end)
{
	const size_t first = pieces_to(f, *begin), last = pieces_to(f, *end - 1);
	const struct fold_piece *p = first > 0 ? &f->piece[first - 1] : NULL,
				*q = last > 0 ? &f->piece[last - 1] : NULL;

	if (p != NULL)
		*begin = *begin < p->folded + p->folded_len
			     ? p->from
			     : p->from + p->from_len + (*begin - p->folded - p->folded_len);
	if (q != NULL)
		*end = *end <= q->folded + q->folded_len
			   ? q->from + q->from_len
			   : q->from + q->from_len + (*end - q->folded - q->folded_len);
	for (size_t i = last; i < f->pieces && f->piece[i].folded_len == 0; i++) {
		if (f->piece[i].from != *end)
			return;
		*end += f->piece[i].from_len;
	}
}

bool
fold_is_ascii(const char *text, size_t len)
{
	uint64_t eight, any = 0;
	size_t i = 0;

	for (; i + sizeof(eight) <= len; i += sizeof(eight)) {
		memcpy(&eight, text + i, sizeof(eight));
		any |= eight;
	}
	for (; i < len; i++)
		any |= (unsigned char)text[i];
	return (any & EACH * 0x80) == 0;
}

void
fold_free(struct fold *f)
{
	free(f->text);
	free(f->piece);
	*f = (struct fold){ 0 };
}
