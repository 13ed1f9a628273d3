/* words.c - the words of texts, counted. */
#include "words.h"
#include <stdint.h>
#include <stet/call.h>
#include <string.h>
#include <utf8proc.h>

#define LETTERS_MIN 3

#define BITS 64 /* of a number in `used` */

struct words
words_new(struct stet_call *call, size_t room)
{
	return (struct words){ .word = stet_alloc(call, room * sizeof(struct counted)),
		.room = room,
		.used = stet_alloc(call, room / BITS * sizeof(uint64_t)) };
}

struct counted *
words_next(const struct words *w, size_t *at)
{
	while (*at < w->room) {
		const uint64_t left = w->used[*at / BITS] >> *at % BITS;

		if (left != 0) {
			*at += (size_t)__builtin_ctzll(left) + 1;
			return &w->word[*at - 1];
		}
		*at = (*at / BITS + 1) * BITS;
	}
	return NULL;
}

void
words_clear(struct words *w)
{
	struct counted *c;

	for (size_t at = 0; (c = words_next(w, &at)) != NULL;)
		*c = (struct counted){ 0 };
	memset(w->used, 0, w->room / BITS * sizeof(*w->used));
	w->count = 0;
}

static size_t
place_of(const struct words *w, const char *text, size_t len)
{
	uint64_t hash = 14695981039346656037u;
	size_t i;

	for (size_t k = 0; k < len; k++)
		hash = (hash ^ (unsigned char)text[k]) * 1099511628211u;
	for (i = (hash ^ hash >> 32) & (w->room - 1); w->word[i].len > 0;
	     i = (i + 1) & (w->room - 1))
		if (w->word[i].len == len && memcmp(w->word[i].text, text, len) == 0)
			break;
	return i;
}

static void
count_one(struct words *w, const char *text, size_t len, double weight, bool known)
{
	const size_t at = place_of(w, text, len);
	struct counted *c = &w->word[at];

	if (c->len == 0) {
		if (known || 4 * (w->count + 1) > 3 * w->room)
			return;
		memcpy(c->text, text, len);
		c->text[len] = '\0';
		c->len = len;
		w->used[at / BITS] |= UINT64_C(1) << at % BITS;
		w->count++;
	}
	c->count += weight;
}

struct counted *
words_find(const struct words *w, const char *text, size_t len)
{
	struct counted *c = &w->word[place_of(w, text, len)];

	return c->len > 0 ? c : NULL;
}

void
words_add(struct words *w, const char *text, size_t len, double count)
{
	count_one(w, text, len, count, false);
}

bool
words_letter(int32_t c)
{
	if (c < 0x80)
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
		return true;
	default:
		return false;
	}
}

/* Returns an ASCII letter or digit in lower case, as stet_fold does; 0 for any other character. */
static char
plain(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 'a' - 'A');
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? (char)c : 0;
}

static bool
in_word(utf8proc_int32_t c)
{
	if (c < 0x80)
		return plain((unsigned char)c) != 0;
	if (words_letter(c))
		return true;
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
		return true;
	default:
		return false;
	}
}

/* A word that is being read. */
struct spelled {
	char text[WORD_SIZE + 4];
	size_t len, letters;
};

static void
spell(struct spelled *word, utf8proc_int32_t c)
{
	if (word->len < WORD_SIZE)
		word->len +=
		    (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)word->text + word->len);
	word->letters++;
}

/* Fast path: reads the ASCII letters and digits that follow. Most texts have little else. */
static const utf8proc_uint8_t *
spell_plain(struct spelled *word, const utf8proc_uint8_t *p)
{
	char c;

	for (; (c = plain(*p)) != 0; p++) {
		if (word->len < WORD_SIZE)
			word->text[word->len++] = c;
		word->letters++;
	}
	return p;
}

/* Counts the word that ends here, if there is one. */
static void
end_word(struct words *w, struct spelled *word, double weight, bool known, double *total)
{
	if (word->letters == 0)
		return;
	*total += weight;
	if (w != NULL && word->letters >= LETTERS_MIN && word->len < WORD_SIZE)
		count_one(w, word->text, word->len, weight, known);
	word->len = word->letters = 0;
}

void
words_count(struct words *w, const char *text, double weight, bool known, double *total)
{
	const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
	struct spelled word = { .len = 0 };
	int32_t c, folded[STET_FOLD_MAX];

	for (;;) {
		utf8proc_ssize_t n;
		size_t count;

		p = spell_plain(&word, p);
		if (*p < 0x80) {
			end_word(w, &word, weight, known, total);
			if (*p++ == '\0')
				return;
			continue;
		}
		n = utf8proc_iterate(p, -1, &c);
		count = stet_fold_char(n <= 0 ? ' ' : c, folded);
		for (size_t i = 0; i < count; i++)
			if (in_word(folded[i]))
				spell(&word, folded[i]);
			else
				end_word(w, &word, weight, known, total);
		p += n > 0 ? n : 1;
	}
}

int
words_by_count(const void *x, const void *y)
{
	const struct counted *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->text, b->text);
}
