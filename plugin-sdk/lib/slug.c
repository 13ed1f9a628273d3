/*
 * slug.c - names made from a text: URL slugs, names of types, and the singular of an English
 * plural. Slugs keep letters, marks and digits of every script, so the text is first normalised
 * to NFKC (Unicode TR 15), and the length is counted in graphemes, which readers take for
 * characters.
 */
#include "base/log.h"
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>
#include <utf8proc.h>

#define SLUG_GRAPHEMES 80
#define SLUG_BYTES 1024 /* a second limit, since a grapheme may have any number of marks */
#define SLUG_SOURCE 8192 /* bytes of the title that are read */

struct slug {
	char *text;
	size_t len;
	int graphemes;
	bool hyphen; /* write a hyphen before the next character */
	utf8proc_int32_t last, state;
};

static bool
slug_is_blank(utf8proc_int32_t c)
{
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_ZS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	default:
		return (c >= '\t' && c <= '\r') || c == 0xfeff;
	}
}

static bool
slug_is_kept(utf8proc_int32_t c)
{
	utf8proc_category_t k = utf8proc_category(c);

	/* The enum has letters, marks and numbers in this order, without gaps. */
	return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO;
}

/* Appends a character. Returns false if the slug is full. */
static bool
slug_put(struct slug *slug, utf8proc_int32_t c)
{
	utf8proc_uint8_t bytes[4];
	utf8proc_ssize_t n = utf8proc_encode_char(c, bytes);
	bool begins =
	    slug->len == 0 || utf8proc_grapheme_break_stateful(slug->last, c, &slug->state);

	if ((begins && slug->graphemes == SLUG_GRAPHEMES) || slug->len + (size_t)n > SLUG_BYTES)
		return false;
	memcpy(slug->text + slug->len, bytes, (size_t)n);
	slug->len += (size_t)n;
	slug->graphemes += begins;
	slug->last = c;
	return true;
}

static bool
slug_take(struct slug *slug, utf8proc_int32_t c)
{
	if (c == '-' || c == '_' || slug_is_blank(c)) {
		slug->hyphen = slug->len > 0;
		return true;
	}
	if (!slug_is_kept(c))
		return true;
	if (slug->hyphen && !slug_put(slug, '-'))
		return false;
	slug->hyphen = false;
	if (c == 0x130) /* the only letter whose lower case is two code points */
		return slug_put(slug, 'i') && slug_put(slug, 0x307);
	return slug_put(slug, utf8proc_tolower(c));
}

/* Normalises the first SLUG_SOURCE bytes of a text to NFKC. Returns NULL if it is not UTF-8. The
 * caller frees the result. */
static utf8proc_uint8_t *
slug_normal(const char *text)
{
	utf8proc_uint8_t *out = NULL;
	size_t len = stet_utf8_cut(text, SLUG_SOURCE);
	utf8proc_ssize_t n;

	n = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &out,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
	stet_assert(n != UTF8PROC_ERROR_NOMEM);
	return n < 0 ? NULL : out;
}

char *
stet_slugify(struct stet_call *call, const char *text)
{
	struct slug slug = { .text = stet_alloc(call, SLUG_BYTES + 1) };
	utf8proc_uint8_t *normal = slug_normal(text);
	const utf8proc_uint8_t *s = normal;
	utf8proc_int32_t c;

	while (s != NULL && *s != '\0') {
		s += utf8proc_iterate(s, -1, &c);
		if (!slug_take(&slug, c))
			break;
	}
	free(normal);
	while (slug.len > 0 && slug.text[slug.len - 1] == '-')
		slug.len--;
	slug.text[slug.len] = '\0';
	return slug.text;
}

char *
stet_pascal(struct stet_call *call, const char *words)
{
	char *out = stet_alloc(call, strlen(words) + 1), *p = out;
	bool first = true;

	for (; *words != '\0'; words++) {
		bool lower = *words >= 'a' && *words <= 'z',
		     other = (*words >= 'A' && *words <= 'Z') || (*words >= '0' && *words <= '9');

		if (lower || other)
			*p++ = lower && first ? (char)(*words - 'a' + 'A') : *words;
		first = !lower && !other;
	}
	return out;
}

static bool
ends(const char *s, size_t len, const char *tail)
{
	size_t n = strlen(tail);

	return len >= n && memcmp(s + len - n, tail, n) == 0;
}

char *
stet_singular(struct stet_call *call, const char *word)
{
	size_t len = strlen(word);

	if (ends(word, len, "ies"))
		return stet_printf(call, "%.*sy", (int)len - 3, word);
	if (ends(word, len, "sses") || ends(word, len, "xes") || ends(word, len, "ches") ||
	    ends(word, len, "shes"))
		return stet_strndup(call, word, len - 2);
	if (ends(word, len, "s") && !ends(word, len, "ss"))
		return stet_strndup(call, word, len - 1);
	return stet_strdup(call, word);
}
